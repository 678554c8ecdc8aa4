"""A text in which a cached build of an extension does not fit."""

from __future__ import annotations

import re

from whyload.base.regular import regular
from whyload.base.typing import TYPE_CHECKING
from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues, Trait
from whyload.remedies.anywhere import advise

if TYPE_CHECKING:
    from whyload.base.message import Message

CODE = "stale-build-cache"
_LEFT = regular(
    r"\b(?:stale|old|left ?over|previous|cached)\b[^\n]{0,40}(?:build|cache|extension|\.so|\.pyd|"
    r"torch_extensions)|torch_extensions[^\n]{0,200}(?:lock|previous|older|another)",
    re.IGNORECASE,
)
_OF_EARLIER_SOURCES = regular(
    r"(?:\.pyd|\.so|\bbuild (?:folder|directory)|\bextensions?)\b[^\n;]{0,20}\b(?:of|from|since|before) [^\n;]{0,24}?"
    r"\b(?:earlier|previous|older|former|failed|last|another) (?:\w+ )?(?:build|commit|checkout|version|release)|"
    r"\b(?:not|never|without) (?:been )?(?:re-?built|re-?compiled|re-?building|re-?compiling|built again)\b|"
    r"(?:没有|没|未)(?:重新)?(?:编译|构建)|旧的? ?(?:\.pyd|\.so|编译产物)",
    re.IGNORECASE,
)
"""The compiled part was not made from the sources that ask for a name of it."""
_CACHE = regular(
    r"(?:\.triton\b|torch_extensions|\b(?:triton|extension|build|kernel)s? cache|\bcache:)[^\n]{0,80}\b"
    r"(?:older|stale|left over|of another|from before|previous)\b|"
    r"\b(?:delet|remov|clear)\w{1,4} [^\n]{0,40}(?:\.triton\b|torch_extensions|\bcache\b)[^\n]{0,40}\b"
    r"(?:help|fix|work|cure|solve)",
    re.IGNORECASE,
)
"""The cache of compiled extensions is said to be old, or its removal to help."""
_MADE_ON_USE = regular(r"^(?:__triton_launcher|cuda_utils|\w{2,40}_plugin|fused_adam|cpu_adam|c[a-z2-7]{20,60})$")
"""Modules that are compiled at first use and kept: of triton, NVIDIA's plugins, deepspeed, torch's inductor."""
_ANOTHER_THEN = regular(
    r"(?i)\b(?:pythons?|env(?:ironment)?s?|venv|torch|triton|cuda|compiler|interpreter)\b[^\n.;]{0,40}\b(?:before|earlier|"
    r"previous(?:ly)?|formerly|at first|until|switched|changed|replaced|reinstalled)\b|"
    r"\b(?:switch|chang|mov|upgrad|updat|replac|reinstall)(?:e|ed|ing)\b[^\n.;]{0,40}\b(?:python|env(?:ironment)?s?|venv|"
    r"torch|triton|cuda|compiler)\b|(?:更换|切换|升级|换)了?[^\n。；]{0,12}(?:python|环境|torch|triton|cuda|编译器)"
)
"""It was used with another Python, torch or compiler earlier."""
_FOLDER_TOLD = regular(r"(?i)\.triton\b|\btorchinductor\w|\btorch_extensions\b|\btriton[_ ]cache")
"""The folders in which they are kept."""
_AGAIN = regular(
    r"(?i)\b(?:(?:compil|buil)\w{1,4}(?: it)? again|rebuil\w{1,4}|recompil\w{1,4})\b[^\n]{0,40}\b(?:works|helps|fix)"
)
_NUMBERED = regular(r"lib(?!python|cu[db]|nv|torch)[\w+-]{2,40}(?:\.so(?:\.\d+)+|[.-]?\d[\w.]*\.dylib)")
"""Distributions and Homebrew give such a library another number with an upgrade, and keep the new one alone."""
_KEPT = regular(
    r"(?i)\b(?:from|of|by|in|via) (?:the )?AUR\b|\b(?:wheel|pip)\b[^\n.]{0,40}\bcache|\bcached wheel|"
    r"\bbuilt (?:by|with|from|against|before)\b|\b(?:re-?built|re-?build|recompil|--no-binary|--no-cache-dir)|"
    r"编译|缓存的"
)
"""It was not the distribution that built the module."""
_SINCE = regular(
    r"(?i)\b(?:since|after|following|until)\b[^\n.;]{0,40}\b(?:upgrad|updat)|"
    r"\b(?:upgraded|updated)\b|"
    r"\bbefore (?:that|the (?:\w+ )?(?:upgrade|update))\b|升级(?:了|后|之后|到)|更新(?:了|后|之后|到)"
)


_REMEDIES = (
    advise(
        "remove-cache",
        "delete the cache folder of compiled extensions; it will be rebuilt",
        "删除已编译扩展的缓存目录，之后会重新编译",
        'python -c "import shutil; from torch.utils.cpp_extension import get_default_build_root as r; '
        'shutil.rmtree(r())"',
    ),
)
_ASK = ('python -c "from torch.utils.cpp_extension import get_default_build_root as r; print(r())"',)


def explain(clues: Clues) -> Candidate | None:
    """The folder of built extensions is named beside a failure, or an extension is left over from before."""
    for case in (_in_the_cache, _behind_its_sources, _compiled_on_use, _outlived_its_library, _said_to_be_old, _older):
        found = case(clues)
        if found is not None:
            return found
    return usual(clues, CODE, ask=_ASK, remedies=_REMEDIES)


def _candidate(strength: Strength, why: Message, named: str | None, order: tuple[int, int] = (0, 0)) -> Candidate:
    return Candidate(code=CODE, strength=strength, why=why, object=named, ask=_ASK, remedies=_REMEDIES, order=order)


def _in_the_cache(clues: Clues) -> Candidate | None:
    said = clues.said(Said.STALE_CACHE)
    if said is None or clues.said(Said.BUILD_FAILED, Said.BUILD_TOOL_MISSING):
        return None
    why = both(
        "the extension comes from the cache of earlier builds, and it does not load",
        "该扩展来自以往构建的缓存，无法加载",
    )
    is_shown = _is_built_here(clues) or _LEFT.search(clues.text)
    return _candidate(Strength.SHOWN if is_shown else Strength.STATED, why, clues.module)


def _compiled_on_use(clues: Clues) -> Candidate | None:
    kept = _of_earlier(clues)
    if kept is None:
        return None
    why = both(
        f"`{kept}` is compiled at first use and kept in a cache, and the text tells of that cache, or of another "
        "Python, torch or compiler before",
        f"`{kept}` 在首次使用时编译并留在缓存中，而文中提到了这个缓存，或此前用的是另一个 Python、torch 或编译器",
    )
    return _candidate(Strength.SHOWN, why, kept, (-1, 0))


def _said_to_be_old(clues: Clues) -> Candidate | None:
    failed = clues.said(Said.UNDEFINED_SYMBOL, Said.IMPORT_FAILED) or clues.failed_with(127)
    plugin = clues.concerns("nvdiffrast", "stylegan") and _AGAIN.search(clues.text) is not None
    if not failed or not (plugin or _CACHE.search(clues.text)):
        return None
    why = both(
        "the text says that the cache of compiled extensions is old, or that it helps to delete or to renew it",
        "文中说明已编译扩展的缓存是旧的，或删除缓存、重新编译后就正常",
    )
    return _candidate(Strength.SHOWN, why, clues.module, (-1, 0))


def _older(clues: Clues) -> Candidate | None:
    failed = clues.failed_with(127) or clues.said(Said.UNDEFINED_SYMBOL)
    left = _LEFT.search(clues.text) and (failed or clues.said(Said.IMPORT_FAILED))
    if not left and not (failed and clues.has(Trait.UPGRADED) and clues.has(Trait.BUILT_HERE)):
        return None
    why = both("the compiled extension is older than what it is used with", "编译好的扩展比与它配合使用的程序旧")
    return _candidate(Strength.KNOWN, why, clues.file or clues.module)


def _behind_its_sources(clues: Clues) -> Candidate | None:
    """Sources ask the compiled part for a name that it has not, and the text tells that it is of an earlier build."""
    lacking = clues.said(Said.NAME_NOT_THERE)
    older = _OF_EARLIER_SOURCES.search(clues.text) or _LEFT.search(clues.text)
    if lacking is None or older is None or not clues.mentions(".pyd", ".so"):
        return None
    why = both(
        f"the sources ask for `{lacking.symbol}`, and by the text the compiled part is from an earlier build",
        f"源码要用 `{lacking.symbol}`，而从文中看，编译部分来自更早的构建",
    )
    rebuild = advise(
        "rebuild",
        "delete the compiled files and the `build` folder, then build the extension again",
        "删除编译产物和 `build` 目录，然后重新编译扩展",
        "python -m pip install --force-reinstall --no-cache-dir -e .",
    )
    ask = ("git status --ignored",)
    return Candidate(
        code=CODE, strength=Strength.SHOWN, why=why, object=lacking.module, ask=ask, remedies=(rebuild,), order=(-1, 0)
    )


def _outlived_its_library(clues: Clues) -> Candidate | None:
    """A library of a certain number is absent since an upgrade: what asks for it was built before that."""
    name = clues.missing[-1] if clues.missing else ""
    since = _SINCE.search(clues.text) is not None
    if not _NUMBERED.fullmatch(name) or not (since or clues.has(Trait.UPGRADED)) or clues.has(Trait.FROZEN):
        return None
    built = since and (clues.has(Trait.BUILT_HERE) or _KEPT.search(clues.text) is not None)
    why = both(
        f"`{name}` is gone since an upgrade, and what asks for it was built before that",
        f"升级之后 `{name}` 已不存在，而需要它的文件是在那之前编译的",
    )
    rebuild = advise(
        "rebuild",
        "build the package again, against the library as it is now",
        "针对现在的库重新编译该软件包",
        f"python -m pip install --force-reinstall --no-cache-dir --no-binary :all: {clues.distribution or 'PACKAGE'}",
    )
    return Candidate(
        code=CODE,
        strength=Strength.SHOWN if built else Strength.POSSIBLE,
        why=why,
        object=name,
        ask=(both("was the package built on this machine, and when?", "该软件包是在本机编译的吗？何时编译的？"),),
        remedies=(rebuild,),
    )


def _is_built_here(clues: Clues) -> bool:
    """What is absent is a built extension itself."""
    return any("torch_extensions" in (saying.library or saying.file or "") for saying in clues.sayings)


def _of_earlier(clues: Clues) -> str | None:
    """A module that was compiled when it was first used, where another Python or compiler may have been in use."""
    last = (clues.module or "").rpartition(".")[2]
    failed = clues.said(Said.IMPORT_FAILED) is not None and clues.failed_with(126, 127)
    told = _ANOTHER_THEN.search(clues.text) or _FOLDER_TOLD.search(clues.text)
    return last if failed and told and _MADE_ON_USE.match(last) else None
