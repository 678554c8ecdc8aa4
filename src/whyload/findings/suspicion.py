"""Makes candidates: from the usual suspects, and for libraries that a text names; what to look at is filled in."""

from __future__ import annotations

import re

from whyload.base.dataclass import replace
from whyload.base.message import Message
from whyload.base.regular import regular
from whyload.findings.candidate import Candidate, Strength
from whyload.knowledge.causes import cause
from whyload.knowledge.libraries import Family
from whyload.knowledge.releases import find_defects
from whyload.knowledge.shared_objects import NamedLibrary, name_library
from whyload.knowledge.suspects import Shape, import_name, package_of
from whyload.observe.text.clues import Clues, Platform
from whyload.observe.text.graphics import is_told_to_be_absent
from whyload.remedies.anywhere import advise, for_dll, other_release, word
from whyload.remedies.model import Remedy

_AT_LAST = regular(r"(?m)^\s*(?:>>> )?(?:from|import) ([A-Za-z]\w*)[^\n]*\n\s*(?:E\s+)?\w{0,20}Error\b")
_BY_PATH = regular(r"(?i)[a-z]:[\\/][^\n]{1,300}\.(?:dll|pyd)$")
_OF_RED_HAT = regular(r"(?i)\b(?:fedora|centos|rhel|red ?hat|rocky|alma|amazon linux)\b|\.(?:el|fc)\d")
"""Distributions whose packages `dnf` installs."""


def _often(code: str) -> Message:
    """What stands for a cause of which the text itself says nothing."""
    known = cause(code)
    en, zh = (known.meaning, known.meaning_zh) if known else (code, code)
    return Message(en=f"a common cause of this message: {en}", zh=f"这类报错的常见原因：{zh}")


def usual(
    clues: Clues, code: str, *, ask: tuple[Message | str, ...] = (), remedies: tuple[Remedy, ...] = ()
) -> Candidate | None:
    """The candidate of that code where it is among the usual suspects of this failure."""
    for index, suspect in enumerate(clues.suspects):
        if code not in suspect.causes:
            continue
        place = suspect.causes.index(code)
        first = index == 0 or suspect.known
        strength = (
            Strength.POSSIBLE
            if place
            else Strength.KNOWN
            if suspect.known
            else Strength.USUAL
            if first
            else Strength.POSSIBLE
        )
        why = Message(en=suspect.why, zh=suspect.why_zh or suspect.why) if suspect.why and not place else _often(code)
        return Candidate(
            code=code,
            strength=strength,
            why=why,
            object=suspect.object if not place else None,
            ask=_deciding(clues, ask),
            remedies=remedies or defect_remedies(clues, code),
            order=(index, place),
        )
    return None


def _deciding(clues: Clues, ask: tuple[Message | str, ...]) -> tuple[Message | str, ...]:
    """What to look at, where the text leaves it open: on Windows first the examination, which tells causes apart."""
    if clues.platform in (Platform.LINUX, Platform.MACOS):
        return ask or look(clues)
    return tuple(dict.fromkeys((*look(clues), *ask)))


def missing(clues: Clues, *families: Family) -> NamedLibrary | None:
    """The library of one of these families that the text says is absent."""
    named = [name_library(name) for name in reversed(clues.missing)]
    return next((library for library in named if library.family in families), None)


def more_if_absent(clues: Clues, usual_one: Candidate | None, what: str, name: str, name_zh: str) -> Candidate | None:
    """The same with more ground where the text says of the machine that it lacks what such packages mostly miss.

    `what` is `cuda` or `cudnn`, `name` and `name_zh` what it is called.
    """
    if usual_one is None or not is_told_to_be_absent(clues, what):
        return usual_one
    why = both(
        f"something is not found that this package needs, and the text says that the machine has no {name}",
        f"缺少该包所需的库，而文中说明本机没有 {name_zh}",
    )
    return replace(usual_one, strength=Strength.SHOWN, why=why)


def is_told_otherwise(clues: Clues, code: str) -> bool:
    """Of a library of that name it is established that it is mostly there, and not found: `code` is not the fault."""
    return any(
        entry.known
        and entry.names is not None
        and entry.causes[0] != code
        and Shape.LIBRARY_MISSING.value in entry.shapes
        for entry in clues.suspects
    )


def stated_missing(
    clues: Clues,
    code: str,
    library: NamedLibrary,
    *,
    strength: Strength = Strength.STATED,
    ask: tuple[Message | str, ...] = (),
) -> Candidate:
    """The text says that this library was not found."""
    return Candidate(
        code=code,
        strength=strength,
        why=Message(en=f"the text says that `{library.name}` was not found", zh=f"文中说明找不到 `{library.name}`"),
        object=library.name,
        ask=ask or (*where_is(clues, library.name), *look(clues)),
        remedies=library_remedies(clues, library),
    )


def library_remedies(clues: Clues, library: NamedLibrary) -> tuple[Remedy, ...]:
    """What brings a library of that name."""
    from whyload.observe.text.clues import Trait

    if library.dll is not None:
        return defect_remedies(clues, None) + for_dll(library.name, conda=clues.has(Trait.CONDA))
    found = []
    if library.brew and clues.platform is Platform.MACOS:
        found.append(
            advise(
                "install-system-package",
                f"install `{library.brew}` with Homebrew",
                f"用 Homebrew 安装 `{library.brew}`",
                f"brew install {library.brew}",
            )
        )
    if library.apt and clues.platform is not Platform.MACOS:
        commands = [f"apt-get install {library.apt}", *([f"dnf install {library.dnf}"] if library.dnf else [])]
        if _OF_RED_HAT.search(clues.text):
            commands.reverse()
        found.append(
            advise(
                "install-system-package",
                f"install the system package that has `{library.name}`",
                f"安装包含 `{library.name}` 的系统软件包",
                *commands,
            )
        )
    return tuple(found)


def defect_remedies(clues: Clues, code: str | None) -> tuple[Remedy, ...]:
    """Another release, where the one that is named is known to be defective."""
    found = {}
    for package in clues.packages[:6]:
        version = clues.versions.get(package)
        for defect in find_defects(package, version) if version else ():
            if defect.fixed_in and code in (None, defect.cause):
                found[package] = other_release(package, defect.fixed_in)
    return tuple(found.values())


def look(clues: Clues) -> tuple[Message | str, ...]:
    """The command that decides on the machine in question."""
    if clues.platform in (Platform.LINUX, Platform.MACOS):
        file = clues.file if clues.file and "/" in clues.file else None
        tool = "otool -L" if clues.platform is Platform.MACOS else "ldd"
        return (f"{tool} {word(file)}",) if file else (_run_there(clues),)
    module = public_module(clues)
    if module is None and _BY_PATH.match(clues.file or ""):
        return (f"whyload load {word(clues.file)}",)
    if module is None:
        return (
            Message(
                en="run `whyload MODULE` on that machine, with the module whose import fails",
                zh="在出错的机器上运行 `whyload 模块名`（填导入失败的模块）",
            ),
        )
    return (f"whyload {word(module, 'MODULE')}",)


def public_module(clues: Clues) -> str | None:
    """What a person imports when the failure comes: the package of a private or an inner module."""
    module = clues.module
    owner = package_of(module) if module else None
    if owner is not None and (name := import_name(owner)) is not None:
        return name
    if module is not None and (named := _as_imported(clues.text, module)) is not None:
        return named
    if module is not None and not module.startswith("_"):
        return module.partition(".")[0]
    names = (import_name(package) for package in clues.packages)
    return next((name for name in names if name is not None), module)


def _as_imported(text: str, module: str) -> str | None:
    """The package in whose name the module is imported: in the line that names it, or in the one before the error."""
    line = re.search(rf"(?m)^\s*(?:>>> )?from ([A-Za-z]\w*)[\w.]* import [^\n]*\b{re.escape(module)}\b", text)
    line = line or _AT_LAST.search(text)
    return line[1] if line else None


def _run_there(clues: Clues) -> Message | str:
    if clues.distribution is not None:
        return f"python -m pip show -f {clues.distribution}"
    return Message(
        en="which library is it, and where is it? (`find / -name NAME`)",
        zh="是哪个库、在什么位置？（`find / -name 文件名`）",
    )


def where_is(clues: Clues, name: str) -> tuple[str, ...]:
    """The command that tells whether a library is on the machine."""
    if clues.platform is Platform.MACOS:
        return (f"find / -name {word(name)} 2>/dev/null",)
    if clues.platform is Platform.LINUX:
        plain = word(name).strip('"')
        return (f"find / -name '{plain}*' 2>/dev/null",)
    return (f"where /R C:\\ {word(name)}",)


def both(en: str, zh: str) -> Message:
    """A message of two texts."""
    return Message(en=en, zh=zh)
