"""Signs that a text is about a library that does not load, start or fit, though no message of it was understood."""

from __future__ import annotations

from whyload.base.enumeration import Enum
from whyload.base.regular import regular
from whyload.observe.text.clues import Clues


class Sign(Enum):
    """What in a text points to a native library."""

    NUMBER = "number"
    """An error of Windows that is given for a library, and hardly for other files."""
    STATUS = "status"
    FILE = "file"
    """A library is named in a line that says that something fails."""
    CRASH = "crash"
    UNLIKE = "unlike"
    """Something is told of functions, ordinals or releases that do not fit."""
    STAND_IN = "stand-in"
    """A file of Python code has the name of a module that is imported."""
    MODULE = "module"
    """A module or a name is not there that is private, as compiled modules of packages are called."""
    BUILD = "build"
    """A compiler refuses code of CUDA's, of torch's or of a Python extension."""


_OF_LIBRARIES = (126, 127, 182, 193, 216, 225, 487, 577, 998, 1114, 1157, 1260, 1392, 1455, 4551, 14001)
_LIBRARY = regular(
    r"(?i)\.(?:dll|pyd|dylib|so(?:\.\d+)*)(?!\w)|\bDLLs?\b|\b(?:dynamic(?:[- ]link)?|shared|native) "
    r"(?:librar|object|module|extension)|\bextension module|\bc[- ]extension|\blib(?!rar|ert|er|c\b)[a-z]\w+|\w_lib\b|"
    r"api-ms-win-|\bcudnn\b|\bcuda librar|\bqt\w* librar|platform plugin|共享库|动态(?:链接)?库"
)
_FAILS = regular(
    r"(?i)\b(?:fail(?:ed|s|ure)?|error) (?:to )?(?:pre)?load|"
    r"\b(?:cannot|can't|can not|could ?n[o']t|unable to|not|n't|error) (?:be )?(?:(?:pre)?load|open|find|locate|read)|"
    r"\bnot (?:be )?found|did not load|\bmissing\b|\bno such file|incompatib|mismatch|\bconflict|\bcrash|"
    r"无法(?:加载|找到)|找不到|未找到|缺(?:少|失)|加载(?:失败|不到)|見つかり|読み込め|優先|찾을 수 없|"
    r"nicht (?:gefunden|geladen)|n[ãa]o (?:foi )?(?:poss|encontr|carreg)|no se (?:encuentra|encontr|pudo|puede)|"
    r"introuvable|impossib|non (?:è )?(?:stato )?trovat|nie (?:można|znal)|bulunamad|yüklenemed|"
    r"не (?:найден|удалось|удается)"
)
_NOT_LOADED = regular(
    r"(?im)\b(?:Import|OS|Runtime)Error\b[^\n]{0,40}\b(?:load|loading) "
    r"(?:[\w ]{1,30}\blibrar|(?:the )?['\"]?[\w./\\:-]{1,100}['\"]?\.?$)"
)
"""What is not loaded is called a library, or has nothing but its name."""
_CRASHES = regular(
    r"(?i)access violation|il+egal[ _]instruction|segmentation fault|core (?:dumped|generado)|\bsegfault|"
    r"0xc0000\w{3}\b|fatal exception|\bSIG(?:ILL|SEGV|BUS)\b|bus error|zugriffsverletzung|violation d['’]acc|"
    r"infracci[oó]n de acceso|нарушени\w прав доступа|アクセス違反|访问冲突|段错误|"
    r"without (?:a|any) (?:message|error|output)|(?:ends|exits?|closes) (?:silently|at the import|when it imports)|"
    r"faulting module|no output\b"
)
_NEAR_LIBRARIES = regular(r"(?i)python|\bimport|\.py[dw]?\b|\bpackages?\b|msvcp\d|vcruntime|\bcpu\b|\bavx")
"""Any program may crash; of a library that is told beside Python, an import, a runtime or the processor."""
_UNLIKE = regular(
    r"(?i)binary incompatib|cannot mix incompatible|\b(?:python|cudnn|cuda|qt|abi|api|library|runtime) version "
    r"(?:mismatch|incompatib)|compiled (?:against|for) |was compiled with |\bbitness\b|\bordinal \d|ordnungszahl|"
    r"(?<!driver )entry point|punto (?:de entrada|di ingresso)|point d.entr[ée]e|ordinale? \d|порядковый номер|"
    r"точка входа|序数|入口点|エントリ ?ポイント|failed build|cpu features|too (?:old|new) for|mach-?o\b|\bELF\b"
)
_FILE_OF_CODE = regular(r"\b(\w{1,60})(?:\.py\b|[\\/]__init__\.py)")
_INSTALLED = regular(r"(?:(?:site|dist)-packages|[\\/][Ll]ib[\\/])[^\n\"'()]*$")
_PATH = 200
"""Characters before a file's name that its folders are looked for in."""
_IMPORTED = regular(
    r"(?m)^[\s>]*(?:from (\w+)[\w.]* import\b|import (\w+))|\bmodule '(\w+)' has no attribute|\bfrom '(\w+)'"
)
_OF_NO_MODULE = frozenset({"__init__", "__main__", "setup"})
_PRIVATE = regular(r"(?:No module named|cannot import name) ['\"]?(?:[\w.]{0,80}\.)?_[a-z]")
_REFUSED_CODE = regular(r"(?i)\berror(?: C\d{4})? ?: |\berror C\d{4}|#error|nvcc fatal|fatal error")
_OF_EXTENSIONS = regular(
    r"(?i)\bcuda\b|\bnvcc\b|\.cuh?\b|\btorch\b|\bpython\.h|pybind|\bcython|\bsetup\.py\b|build_ext|\bpip\b"
)


def signs_of(clues: Clues) -> frozenset[Sign]:
    """Every sign of the text; none where it may as well be about something else."""
    text = clues.text
    told = {
        Sign.NUMBER: clues.failed_with(*_OF_LIBRARIES),
        Sign.STATUS: bool(clues.statuses),
        Sign.FILE: _NOT_LOADED.search(text) is not None or any(map(_names_what_fails, text.splitlines())),
        Sign.CRASH: _CRASHES.search(text) is not None and _NEAR_LIBRARIES.search(text) is not None,
        Sign.UNLIKE: _UNLIKE.search(text) is not None,
        Sign.STAND_IN: _has_stand_in(text),
        Sign.MODULE: _PRIVATE.search(text) is not None,
        Sign.BUILD: _REFUSED_CODE.search(text) is not None and _OF_EXTENSIONS.search(text) is not None,
    }
    return frozenset(sign for sign, is_told in told.items() if is_told)


def _names_what_fails(line: str) -> bool:
    return _LIBRARY.search(line) is not None and _FAILS.search(line) is not None


def _has_stand_in(text: str) -> bool:
    """Whether a file of the user's has the name of a module that is imported."""
    own = {
        file[1]
        for file in _FILE_OF_CODE.finditer(text)
        if not _INSTALLED.search(text, max(file.start() - _PATH, 0), file.start())
    }
    return any(not (own - _OF_NO_MODULE).isdisjoint(names) for names in _IMPORTED.findall(text))
