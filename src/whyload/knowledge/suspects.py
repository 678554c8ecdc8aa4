"""Usual suspects: which causes stand behind a failure of a package, by what its users' reports turned out to be.

Source: data/suspects.toml (issue trackers; each entry names its own). It also tells which package a module or file
belongs to.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

from whyload.base.dataclass import dataclass
from whyload.base.enumeration import Enum
from whyload.base.regular import regular
from whyload.knowledge.reader import data_tables
from whyload.knowledge.releases import concerns


class Shape(Enum):
    """How a load fails, whatever the package."""

    NOT_FOUND = "not-found"
    """Windows error 126, or a file or one of its dependencies that was not found."""
    NO_PROCEDURE = "no-procedure"
    NOT_VALID = "not-valid"
    INIT_FAILED = "init-failed"
    NO_ACCESS = "no-access"
    LIBRARY_MISSING = "library-missing"
    """A named library of Linux or macOS is absent."""
    UNDEFINED_SYMBOL = "undefined-symbol"
    SYMBOL_VERSION = "symbol-version"
    NATIVE_MODULE_MISSING = "native-module-missing"
    NO_INIT = "no-init"
    """Loaded, and without the function that Python starts a module with."""
    OTHER_RUNTIME = "other-runtime"
    """An extension called into a Python runtime other than the one that runs."""
    CRASH = "crash"
    BUILD = "build"
    NO_PLUGIN = "no-plugin"
    """Qt starts, and the plugin of its platform does not load."""
    CUDA_UNUSED = "cuda-unused"
    """The program runs, its CUDA part does not load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspect:
    """The usual causes of one kind of failure of some packages, most frequent first."""

    packages: tuple[str, ...]
    """Empty: of any package."""
    shapes: tuple[str, ...]
    versions: str | None
    """A specifier on the first package's version; only where that version is known."""
    python: str | None
    platform: str | None
    traits: tuple[str, ...]
    """All of these were read in the text."""
    without: tuple[str, ...]
    """None of these was."""
    names: re.Pattern[str] | None
    """On the names of the libraries and modules at fault."""
    causes: tuple[str, ...]
    known: bool
    """A defect or habit that was established, rather than what is merely frequent."""
    why: str | None
    why_zh: str | None
    object: str | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What is known of a failure, as far as entries ask for it."""

    packages: tuple[str, ...]
    shapes: tuple[Shape, ...]
    versions: Mapping[str, str]
    python: str | None
    platform: str | None
    traits: frozenset[str]
    names: tuple[str, ...]


@functools.cache
def suspects() -> tuple[Suspect, ...]:
    """Every entry of the data, in its order: narrow ones first."""
    return tuple(
        Suspect(
            packages=tuple(row.get("packages", ())),
            shapes=tuple(row["shapes"]),
            versions=row.get("versions"),
            python=row.get("python"),
            platform=row.get("platform"),
            traits=tuple(row.get("traits", ())),
            without=tuple(row.get("without", ())),
            names=regular(row["names"], re.IGNORECASE) if "names" in row else None,
            causes=tuple(row["causes"]),
            known=row.get("known", False),
            why=row.get("why"),
            why_zh=row.get("why_zh"),
            object=row.get("object"),
            source=row["source"],
        )
        for row in data_tables("suspects")["suspect"]
    )


def find_suspects(situation: Situation) -> tuple[Suspect, ...]:
    """The entries that fit, those about the package nearest to the failure first, then those about any."""
    fitting = [entry for entry in suspects() if _fits(entry, situation)]

    def distance(entry: Suspect) -> tuple[bool, int]:
        places = [situation.packages.index(name) for name in entry.packages if name in situation.packages]
        return not entry.known, min(places, default=len(situation.packages) + 1)

    return tuple(sorted(fitting, key=distance))


def _fits(entry: Suspect, situation: Situation) -> bool:
    shapes = {shape.value for shape in situation.shapes}
    return (
        not shapes.isdisjoint(entry.shapes)
        and (not entry.packages or any(package in situation.packages for package in entry.packages))
        and entry.platform in (None, situation.platform)
        and situation.traits.issuperset(entry.traits)
        and situation.traits.isdisjoint(entry.without)
        and (entry.names is None or any(entry.names.search(name) for name in situation.names))
        and (entry.versions is None or _version_fits(entry, situation))
        and (entry.python is None or (situation.python is not None and concerns(entry.python, situation.python)))
    )


def _version_fits(entry: Suspect, situation: Situation) -> bool:
    known = [situation.versions[package] for package in entry.packages if package in situation.versions]
    return entry.versions is not None and any(concerns(entry.versions, version) for version in known)


@functools.cache
def _names() -> dict[str, list[str]]:
    """Import names and names of files by distribution, and by group of the standard library."""
    tables = data_tables("suspects")
    names: dict[str, list[str]] = tables["package"] | tables["standard"]
    return names


@functools.cache
def _owners() -> dict[str, str]:
    """Distribution by import name, and by itself."""
    table = _names()
    found = {module.lower(): name for name, modules in table.items() for module in modules}
    return found | {name: name for name in table}


def package_of(name: str) -> str | None:
    """The distribution of a dotted module, a path to an installed or bundled file, or a file's name; None if untold."""
    below = re.search(r"(?:site|dist)-packages[\\/]+(\w[\w.+-]*)(?=[\\/\s]|$)", name)
    bundled = re.search(r"(?:[\\/]_MEI\d+|[\\/]_internal)[\\/]+(\w[\w.+-]*)[\\/]", name)
    parts = [match[1] for match in (below, bundled) if match]
    if (
        not re.search(r"[\\/]", name)
        and "." in name
        and not re.search(r"\.(?:dll|pyd|so|dylib)\b", name, re.IGNORECASE)
    ):
        parts.append(name.partition(".")[0])
    base = re.split(r"[\\/]", name)[-1]
    parts += [base, base.partition(".")[0]]
    owners = _owners()
    known = (owners.get(re.sub(r"[-_.]?\d[\d.]*$", "", part.lower())) or owners.get(part.lower()) for part in parts)
    found = next((owner for owner in known if owner), None)
    if found is None and below is not None and not below[1].endswith((".pyd", ".so", ".py")):
        return re.sub(r"[-_.]+", "-", below[1].partition("-")[0].lower())
    return found


def import_name(package: str) -> str | None:
    """What a program imports of a distribution; None where the data knows only names of its files."""
    names = _names().get(package)
    if names is None:
        return package.replace("-", "_")
    return names[0] if names[0].isidentifier() else None


_BRANDS = {"opencv": "opencv-python", "pytorch": "torch"}


def packages_by_name(text: str) -> Iterable[str]:
    """The distributions named in running text; module names are not looked for, many are plain words."""
    names = known_packages()
    for word in re.findall(r"[a-z][a-z0-9_-]{3,40}", text.lower()):
        if word in names or "-" in word:
            owner = package_of(word)
        else:
            owner = _BRANDS.get(word)
        if owner is not None:
            yield owner


def known_packages() -> frozenset[str]:
    """The distributions that the data knows modules of."""
    return frozenset(data_tables("suspects")["package"])


def is_standard(package: str) -> bool:
    """Whether the name stands for modules of the standard library, which no package installer knows."""
    return package in data_tables("suspects")["standard"]
