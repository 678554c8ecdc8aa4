"""Clean Windows systems by name (`--os PROFILE`), API sets and KnownDLLs.

Source: data/profiles.toml and the name lists beside it; loader.md R2.12 to R2.17, R2.35.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from whyload.base.dataclass import dataclass, field
from whyload.base.errors import UsageError
from whyload.base.machine import Machine
from whyload.base.message import Message
from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge.reader import data_names, data_tables
from whyload.knowledge.vcruntime import VcRuntime, newest_runtime, parse_runtime, runtime, runtime_versions

if TYPE_CHECKING:
    from whyload.base.versions import FileVersion
    from whyload.knowledge.cuda import CudaToolkit

_CRT_FAMILY = "api-ms-win-crt-"
_CLIENTS = ("windows-10", "windows-11")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A clean machine: which system DLLs it has, and what was added to it."""

    name: str
    """As it was given."""
    system: str
    """The system without release and additions: `windows-11`, `windows-server-core` …"""
    build: int | None = None
    """Build number of the release; None where no release was named, or one that has no number here."""
    edition: str | None = None
    """`N`, `Server`, `Server Core`, `Nano Server`; None for an ordinary client."""
    release: str | None = None
    system_dlls: frozenset[str]
    """Base names in System32 that are there for certain, in lower case; without the additions."""
    missing: frozenset[str] = frozenset()
    """Names that the edition lacks."""
    uncertain: frozenset[str] = field(default=frozenset(), repr=False)
    """Names that may or may not be there; neither in `system_dlls` nor in `missing`."""
    known_dlls: frozenset[str] = frozenset()
    vc_runtime: VcRuntime | None = None
    cuda: CudaToolkit | None = None
    partly_known: Message | None = None
    """Why the list is not complete, for the report's `not_checked`."""


def system_names() -> tuple[str, ...]:
    """The systems that a profile may name."""
    return tuple(row["name"] for row in data_tables("profiles")["system"])


def parse_profile(text: str, machine: Machine = Machine.AMD64) -> Profile:
    """A profile from `SYSTEM[-RELEASE][+vcredist[=14.38]][+cuda=12.4]`. Raises UsageError for anything else."""
    base, *additions = text.strip().lower().split("+")
    system, release = _split_system(base, text)
    row = next(row for row in data_tables("profiles")["system"] if row["name"] == system)
    build = _build(system, row["releases"], release)
    present, missing, uncertain = _dlls(row, system, build)
    vc_runtime, cuda = _additions(additions, text, machine)
    return Profile(
        name=text.strip(),
        system=system,
        build=build,
        edition=row.get("edition"),
        release=release,
        system_dlls=present,
        missing=missing,
        uncertain=uncertain,
        known_dlls=default_known_dlls() & present,
        vc_runtime=vc_runtime,
        cuda=cuda,
        partly_known=_partly_known(row) or _later_build(system, build),
    )


def _split_system(base: str, text: str) -> tuple[str, str | None]:
    names = system_names()
    if base.endswith("-n") and base.count("-") == 3:  # `windows-11-23h2-n` says the same as `windows-11-n-23h2`
        *system, release, _ = base.split("-")
        base = f"{'-'.join(system)}-n-{release}"
    for name in sorted(names, key=len, reverse=True):
        if base == name:
            return name, None
        release = base.removeprefix(f"{name}-")
        if release != base and _is_release(release):
            return name, release
    raise UsageError(
        Message(
            en=f"unknown profile `{text}`; known are {', '.join(names)}, each with a release such as -22h2, -24h2 or "
            "-2022 behind it, and with +vcredist, +vcredist=14.38 or +cuda=12.4",
            zh=f"没有 `{text}` 这种机器；可用的有 {'、'.join(names)}，后面可以加版本（-22h2、-24h2、-2022 等），"
            "再加 +vcredist、+vcredist=14.38 或 +cuda=12.4",
        )
    )


def _is_release(text: str) -> bool:
    """Such as `22h2`, `2022`, `ltsc2021`."""
    number = f"{text[:2]}00" if text[2:] in ("h1", "h2") else text.removeprefix("ltsc")
    return len(number) == 4 and number.isascii() and number.isdecimal()


def _build(system: str, kind: str, release: str | None) -> int | None:
    tables = data_tables("profiles")
    builds = tables["server"] if kind == "server" else tables["client"][system.removesuffix("-n")]
    value = builds.get(release)
    return value if isinstance(value, int) else None


def _dlls(
    row: dict[str, object], system: str, build: int | None
) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Names that are there, that are missing, and that may be either."""
    listed = _union(_strings(row, "lists"))
    missing = frozenset(_strings(row, "missing"))
    doubtful = set(_union(_strings(row, "doubtful_lists")))
    patterns = _strings(row, "uncertain")
    if patterns:
        import fnmatch

        for pattern in patterns:
            doubtful.update(fnmatch.filter(listed, pattern))
    if _later_build(system, build):
        doubtful |= data_names("windows_11") - listed
    only = frozenset(_strings(row, "only"))
    if only:
        doubtful |= listed - only
    present = set(listed)
    if build is not None:
        for added in data_tables("profiles")["added"]:
            name = added["dll"]
            if build < added["build"]:
                present.discard(name)
                doubtful.discard(name)
            elif system.startswith(_CLIENTS):  # the vendor names the build for clients only
                present.add(name)
                doubtful.discard(name)
    present -= doubtful
    present -= missing
    return frozenset(present), missing, frozenset(doubtful - missing)


def _partly_known(row: dict[str, object]) -> Message | None:
    text = row.get("partly_known")
    return Message(en=str(text), zh=str(row["partly_known_zh"])) if text else None


def _later_build(system: str, build: int | None) -> Message | None:
    """Why a Windows 10 of 2004 or later is only partly known: the list is of 1903 or 1909."""
    if system.startswith("windows-10") and build is not None and build >= 19041:
        return Message(
            en="the list of system DLLs is of Windows 10 1903 or 1909; what later releases added is not established",
            zh="系统 DLL 清单取自 Windows 10 1903 或 1909；之后的版本增加了哪些尚不确定",
        )
    return None


def _strings(row: dict[str, object], key: str) -> tuple[str, ...]:
    value = row.get(key, ())
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _union(lists: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*(data_names(name) for name in lists))


def _additions(additions: list[str], text: str, machine: Machine) -> tuple[VcRuntime | None, CudaToolkit | None]:
    vc_runtime: VcRuntime | None = None
    cuda: CudaToolkit | None = None
    for addition in additions:
        name, equals, value = addition.partition("=")
        if name == "vcredist" and vc_runtime is None:
            version: FileVersion | None = parse_runtime(value) if equals else newest_runtime()
            if version is None:
                raise UsageError(_unknown_version(addition, text, runtime_versions()))
            vc_runtime = runtime(version, machine)
        elif name == "cuda" and cuda is None:
            from whyload.knowledge.cuda import parse_toolkit, toolkit, toolkit_versions

            parsed = parse_toolkit(value)
            if parsed is None:
                raise UsageError(_unknown_version(addition, text, toolkit_versions()))
            cuda = toolkit(parsed)
        else:
            raise UsageError(
                Message(
                    en=f"unknown addition `+{addition}` of `{text}`; "
                    "known are +vcredist[=14.38] and +cuda=12.4, each once",
                    zh=f"`{text}` 里的 `+{addition}` 无法识别；可用的有 +vcredist[=14.38] 和 +cuda=12.4，各一次",
                )
            )
    return vc_runtime, cuda


def _unknown_version(addition: str, text: str, known: Iterable[str]) -> Message:
    names = tuple(known)
    return Message(
        en=f"unknown version in `+{addition}` of `{text}`; known are {', '.join(names)}",
        zh=f"`{text}` 里 `+{addition}` 的版本无法识别；可用的有 {'、'.join(names)}",
    )


# -- API sets and KnownDLLs ------------------------------------------------------------------------------------------


def is_api_set(name: str) -> bool:
    """R2.12: a bare name that begins with `api-` or `ext-`."""
    return name[:4].lower() in ("api-", "ext-") and not set(name) & set("\\/:")


def api_set_names() -> frozenset[str]:
    """API sets that Windows 10 and 11 are known to have, as file names in lower case."""
    return data_names("api_sets")


def api_set_host(name: str) -> str | None:
    """The DLL behind an API set; None where it is not known without the schema of the machine (loader.md 2.3)."""
    return "ucrtbase.dll" if name.lower().startswith(_CRT_FAMILY) else None


def api_set_known(name: str) -> bool | None:
    """True for a contract that Windows 10 and 11 have, whatever its last number (R2.16); None for any other."""
    return True if _contract(name) in _contracts() else None


@functools.cache
def _contracts() -> frozenset[str]:
    return frozenset(map(_contract, api_set_names()))


def _contract(name: str) -> str:
    return name.lower().removesuffix(".dll").rpartition("-")[0]


def in_every_edition(name: str) -> bool:
    """Whether even the smallest edition has that DLL, so that it is absent from damaged systems only."""
    return any(name.lower() in _strings(row, "only") for row in data_tables("profiles")["system"])


def default_known_dlls() -> frozenset[str]:
    """R2.35: the usual KnownDLLs of Windows 10 and 11, for use where the registry is not known."""
    return data_names("known_dlls")
