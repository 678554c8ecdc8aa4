"""A text in which a binary for one kind of C library meets the other kind (glibc and musl)."""

from __future__ import annotations

from whyload.base.message import Message
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.knowledge.shared_objects import name_library
from whyload.observe.text.clues import Clues, Trait, Unlike
from whyload.remedies.anywhere import advise


def explain(clues: Clues) -> Candidate | None:
    """musl's loader misses a function or glibc's own files; or glibc's loader is asked for musl's."""
    library = next((name for name in clues.missing if name_library(name).libc), None)
    relocation = clues.said(Said.MUSL_RELOCATION)
    versioned = clues.said(Said.SYMBOL_VERSION) if clues.has(Trait.MUSL) else None
    unseen = clues.built_unlike(Unlike.LIBC)
    if clues.said(Said.STATIC_PYTHON):
        return _candidate(
            both(
                "this Python is linked statically with musl: such an interpreter loads no extension modules and no "
                "libraries",
                "当前 Python 与 musl 静态链接：这样的解释器无法加载任何扩展模块和库",
            ),
            None,
        )
    if library is None and relocation is None and versioned is None and unseen is None:
        return _not_seen(clues)
    name = library or (relocation.symbol if relocation else versioned.version if versioned else unseen)
    why = both(
        "the binary was built for another kind of C library: glibc and musl (Alpine) cannot replace each other",
        "二进制文件面向的 C 库与系统的不是同一种：glibc 与 musl（Alpine）不能互相代替",
    )
    return _candidate(why, name)


def _not_seen(clues: Clues) -> Candidate | None:
    """On Alpine a compiled module is not there for this Python: the names of those for glibc end in another tag.

    Source: CPython, `configure.ac` (PLATFORM_TRIPLET), by which `EXTENSION_SUFFIXES` is made.
    """
    absent = clues.said(Said.NATIVE_MODULE_MISSING)
    if absent is None or not clues.has(Trait.MUSL) or clues.misfit is not None:
        return None
    why = both(
        "a compiled module is not seen on a system with musl: files that were installed for glibc carry another tag in "
        "their names (`linux-gnu` instead of `linux-musl`)",
        "在使用 musl 的系统上找不到编译好的模块：为 glibc 安装的文件，名称里的标签不同"
        "（`linux-gnu` 而不是 `linux-musl`）",
    )
    return _candidate(why, absent.module, Strength.KNOWN)


def _candidate(why: Message, name: str | None, strength: Strength = Strength.DECISIVE) -> Candidate:
    return Candidate(
        code="libc-mismatch-musl",
        strength=strength,
        why=why,
        object=name,
        ask=("ldd --version", "python -m pip debug --verbose"),
        remedies=(
            advise(
                "matching-libc",
                "use an image based on glibc (such as python:3.12-slim), or a wheel tagged musllinux",
                "改用基于 glibc 的镜像（例如 python:3.12-slim），或使用带 musllinux 标签的 wheel",
            ),
        ),
    )
