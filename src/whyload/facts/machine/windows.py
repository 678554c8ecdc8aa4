"""The Windows of a machine: build, edition, language, and the settings that decide how libraries are looked for.

Sources: Microsoft, "Windows 10/11 release information" (CurrentVersion), "Dynamic-link library search order"
(SafeDllSearchMode, CWDIllegalInDllSearch), "Maximum Path Length Limitation" (LongPathsEnabled), "Understand App Control
policy rules", NtQuerySystemInformation (SYSTEM_CODEINTEGRITY_INFORMATION); Smart App Control:
`VerifiedAndReputablePolicyState` is 0 off, 1 enforced, 2 evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping

from whyload.base.dataclass import dataclass, field
from whyload.base.enumeration import Enum
from whyload.base.machine import Machine
from whyload.facts.machine.sources import CURRENT_VERSION, SESSION_MANAGER, Sources, number, text
from whyload.world.model import World

_NLS = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls"
_FILE_SYSTEM = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem"
_CI_POLICY = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\CI\\Policy"
_UMCI_ENABLED, _UMCI_AUDIT = 0x04, 0x08
_LANGUAGES = {
    "0409": "en-US",
    "0809": "en-GB",
    "0804": "zh-CN",
    "0404": "zh-TW",
    "0411": "ja-JP",
    "0412": "ko-KR",
    "0407": "de-DE",
    "040C": "fr-FR",
    "0C0A": "es-ES",
    "0410": "it-IT",
    "0416": "pt-BR",
    "0419": "ru-RU",
    "0415": "pl-PL",
    "041F": "tr-TR",
}
"""Language identifiers as the registry writes them (Microsoft, MS-LCID)."""


class Policy(Enum):
    """State of a policy that decides which code may run."""

    OFF = "off"
    EVALUATION = "evaluation"
    """It only takes notes."""
    ENFORCED = "enforced"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowsFacts:
    """None: not known; `unknown` says why, `read_from` where the others come from."""

    product: str | None = None
    release: str | None = None
    """Such as `23H2`."""
    build: int | None = None
    revision: int | None = None
    edition: str | None = None
    installation: str | None = None
    """`Client`, `Server`, `Server Core`, `Nano Server`."""
    is_n: bool | None = None
    """An edition without media features."""
    language: str | None = None
    code_page: int | None = None
    processor: str | None = None
    wow64: bool | None = None
    """A 32-bit process on a 64-bit Windows."""
    long_paths: bool | None = None
    safe_dll_search: bool | None = None
    smart_app_control: Policy | None = None
    app_control: Policy | None = None
    """App Control for Business (WDAC) for programs, as the kernel has it in force."""
    app_control_policies: tuple[str, ...] | None = None
    """Files of the policies that are active."""
    read_from: Mapping[str, str] = field(default_factory=dict)
    unknown: Mapping[str, str] = field(default_factory=dict)


def windows_facts(world: World, process_machine: Machine) -> WindowsFacts:
    """What is known of the Windows of a world."""
    notes, system, registry = Sources(), world.system, world.registry
    current = registry.values(CURRENT_VERSION)
    described = f"profile {system.profile}" if system.profile else "description of the machine"
    source = CURRENT_VERSION if current else described
    edition = notes.take("edition", system.edition, source)
    wow64 = None if not process_machine.bits else process_machine.bits == 32 and system.machine.bits == 64
    files = registry.values(_FILE_SYSTEM)
    manager = registry.values(SESSION_MANAGER)
    return WindowsFacts(
        product=notes.take("product", _product(current, system.build), CURRENT_VERSION),
        release=notes.take("release", text(current, "DisplayVersion") or text(current, "ReleaseId"), CURRENT_VERSION),
        build=notes.take("build", system.build, source),
        revision=notes.take("revision", number(current, "UBR"), CURRENT_VERSION),
        edition=edition,
        installation=notes.take("installation", text(current, "InstallationType"), CURRENT_VERSION),
        is_n=notes.take("is_n", None if edition is None else _is_n(edition), "edition"),
        language=_language(world, notes),
        code_page=notes.take("code_page", number(registry.values(f"{_NLS}\\CodePage"), "ACP"), f"{_NLS}\\CodePage"),
        processor=notes.take("processor", system.machine.label, source),
        wow64=notes.take("wow64", wow64, "the process image", "the processor of the process is not known"),
        long_paths=notes.take("long_paths", _flag(files, "LongPathsEnabled", default=False), _FILE_SYSTEM),
        safe_dll_search=notes.take(
            "safe_dll_search", _flag(manager, "SafeDllSearchMode", default=True), SESSION_MANAGER
        ),
        smart_app_control=notes.take("smart_app_control", _smart_app_control(world), _CI_POLICY),
        app_control=_app_control(world, notes),
        app_control_policies=_policies(world, notes),
        read_from=notes.read_from,
        unknown=notes.unknown,
    )


def _product(current: Mapping[str, object] | None, build: int | None) -> str | None:
    """ProductName says "Windows 10" on Windows 11 too."""
    name = text(current, "ProductName")
    return name.replace("Windows 10", "Windows 11") if name and build is not None and build >= 22000 else name


def _is_n(edition: str) -> bool:
    return edition.lower().endswith((" n", "-n")) or (edition.endswith("N") and not edition.isupper())


def _flag(values: Mapping[str, object] | None, name: str, *, default: bool) -> bool | None:
    """A switch of a key that can be read; where the value is not set the default holds."""
    if values is None:
        return None
    value = number(values, name)
    return default if value is None else value != 0


def _language(world: World, notes: Sources) -> str | None:
    if world.measured.ui_language is not None:
        return notes.take("language", world.measured.ui_language, "GetUserDefaultUILanguage")
    desktop = world.registry.values("HKCU\\Control Panel\\Desktop") or {}
    preferred = desktop.get("PreferredUILanguages")
    if isinstance(preferred, list | tuple) and preferred:
        return notes.take("language", str(preferred[0]), "HKCU\\Control Panel\\Desktop")
    installed = (text(world.registry.values(f"{_NLS}\\Language"), "InstallLanguage") or "").upper()
    return notes.take("language", _LANGUAGES.get(installed, installed or None), f"{_NLS}\\Language")


def _smart_app_control(world: World) -> Policy | None:
    values = world.registry.values(_CI_POLICY)
    if values is None:
        return None
    state = number(values, "VerifiedAndReputablePolicyState")
    return {1: Policy.ENFORCED, 2: Policy.EVALUATION}.get(state or 0, Policy.OFF)


def _app_control(world: World, notes: Sources) -> Policy | None:
    options, state = world.measured.code_integrity, None
    if options is not None:
        state = Policy.ENFORCED if options & _UMCI_ENABLED and not options & _UMCI_AUDIT else Policy.OFF
        state = Policy.EVALUATION if options & _UMCI_AUDIT else state
    why = world.measured.unmeasured.get("code_integrity", "only the running machine says it")
    return notes.take("app_control", state, "NtQuerySystemInformation", why)


def _policies(world: World, notes: Sources) -> tuple[str, ...] | None:
    folder = world.system.system32 / "CodeIntegrity"
    if not world.files.listdir(world.system.system32):
        return notes.take("app_control_policies", None, str(folder), "System32 cannot be listed")
    names = [name for name in world.files.listdir(folder) if name.lower() == "sipolicy.p7b"]
    active = folder / "CiPolicies\\Active"
    names += [name for name in world.files.listdir(active) if name.lower().endswith(".cip")]
    return notes.take("app_control_policies", tuple(names), str(folder))
