"""A text in which the C++ library that is loaded is older than a binary needs."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.observe.text.situation import lacks_libstdcxx
from whyload.remedies.anywhere import advise, word

CODE = "glibcxx-too-old"


_VERSIONS = ("GLIBCXX_", "CXXABI_", "GCC_")
_REMEDIES = (
    advise(
        "newer-libstdcxx",
        "in a conda environment, install a newer libstdc++",
        "在 conda 环境中安装更新的 libstdc++",
        "conda install -c conda-forge libstdcxx-ng",
    ),
    advise(
        "update-libstdcxx",
        "or update the system's libstdc++",
        "或更新系统的 libstdc++",
        "apt-get install --only-upgrade libstdc++6",
    ),
)


def _function_of_it(clues: Clues) -> Candidate | None:
    """A function of libstdc++ itself is absent, of a version that the loader does not name."""
    symbol = lacks_libstdcxx(clues)
    if symbol is None:
        return None
    why = both(
        f"`{symbol}` is a function of the C++ library itself: the compiler was newer than the libstdc++ that is loaded",
        f"`{symbol}` 是 C++ 标准库自身的函数：编译器比实际加载的 libstdc++ 新",
    )
    return Candidate(
        code=CODE,
        strength=Strength.POSSIBLE if clues.has(Trait.CONDA) else Strength.SHOWN,
        why=why,
        object=symbol,
        ask=('find / -name "libstdc++.so.6*" 2>/dev/null', "ldd --version"),
        remedies=_REMEDIES,
    )


def explain(clues: Clues) -> Candidate | None:
    """The loader names a version of GLIBCXX or CXXABI."""
    sayings = clues.all_said(Said.SYMBOL_VERSION)
    said = next((saying for saying in reversed(sayings) if (saying.version or "").startswith(_VERSIONS)), None)
    if said is None:
        return None if sayings else _function_of_it(clues) or usual(clues, CODE)
    library = said.library or "libstdc++.so.6"
    return Candidate(
        code=CODE,
        strength=Strength.STATED,
        why=both(
            f"a binary needs `{said.version}`, and `{library}` is older",
            f"二进制文件需要 `{said.version}`，而 `{library}` 比它旧",
        ),
        object=said.version,
        ask=(
            f"strings {word(library)} | grep {word(said.version, 'VERSION')}",
            'find / -name "libstdc++.so.6*" 2>/dev/null',
        ),
        remedies=_REMEDIES,
    )
