"""What a text says of the environment: Python, packages and their versions, the system, CUDA.

Reads lines `key: value`, tables of pip and conda, requirements, torch's collect_env, nvidia-smi, and versions in prose.
"""

from __future__ import annotations

import re

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.base.versions import PythonVersion
from whyload.observe.text.clues import Platform

_PYTHON = (
    regular(r"(?m)(?:^|[>$] ?)py -(3\.\d{1,2})(t?)\b"),
    regular(r"(?i)\bpython(?: version)?\s{0,4}[:=]{0,2}\s{0,4}['\"]?v?(\d\.\d{1,2})(?:\.\d+)?\w{0,4}?(t?)\b"),
    regular(r"(?i)\bpython(?:_version)?\s{0,4}[:=]{1,2}\s{0,4}[^\n\d]{0,30}?(\d\.\d{1,2})(?:\.\d+)?(t?)\b"),
    regular(r"(?i)python(\d\.\d{1,2})(t?)[\\/]"),
    regular(r"(?i)[\\/]python(3)(\d{1,2})(?:-32)?[\\/]"),
    regular(r"(?i)\bcpython-(3)(\d{1,2})"),
    regular(r"(?i)\bcp(3)(\d{1,2})\b"),
)
_BEFORE = regular(r"(?i)(?:before|later than|after|older than|newer than)\s*$")
_VERSION = r"v?(\d+\.\d+(?:\.\d+){0,3}(?:\.?(?:post|dev|rc|a|b)\d*)?(?:\+[\w.]+)?)"
_LINE = regular(
    rf"^[ \t*-]{{0,8}}([A-Za-z][\w.-]{{1,50}})(?:\[[\w,]*\])?\s{{0,4}}(?:==|=|:|"
    rf"\s)\s{{0,60}}['\"]?{_VERSION}(?![\w])([^\n]*)",
    re.MULTILINE,
)
_REMARK = regular(r"^[ \t*-]{0,8}([A-Za-z][\w.-]{1,40})\s?: ([^\n]{1,200})$", re.MULTILINE)
_PROSE = regular(
    r"(?i)(?<!used to compile )\b(py ?torch|torch|torchvision|torchaudio|torchcodec|"  # there it is the CUDA of torch
    r"tensorflow(?:-gpu|-intel)?|onnxruntime(?:[-.]gpu|"
    r"-directml)?|numpy|scipy|pandas|opencv(?:-python)?(?:-headless)?|"
    r"pyinstaller|xformers|flash-attn|bitsandbytes|pywin32|pyqt[56]|pyside[26]|shapely|gdal|rasterio|matplotlib|"
    r"pillow|psycopg2(?:-binary)?|cupy(?:-cuda\d+x)?|"
    r"faster-whisper|ctranslate2|scikit-learn|lightgbm|xgboost|jax(?:lib)?|tensorrt|mmcv(?:-full)?|detectron2|h5py|"
    r"pyarrow|numba|llvmlite)(?:-(?:win|linux|osx)-[\w-]{2,24}?(?=-\d+\.))?"  # archives of a library without Python
    rf"(?:\s{{0,2}}(?:==?|>=|-|:|@|version|ver\.|v))?\s{{0,2}}:?\s{{0,2}}\(?{_VERSION}(?![\w])"
)
_HERE = regular(rf"(?i)trained with (torch|pyannote\.audio) [^\n,]{{1,30}}, yours is {_VERSION}")
"""pyannote.audio tells with which release a model was made, and then the one that is installed."""
_NO_PACKAGE = (
    "python os file line version cuda cudnn driver cpu gpu ram system windows ubuntu linux macos node "
    "name size date time build pip-version error code status glibc gcc cmake ninja-version kernel win32 "
    "is id id_ nvidia-smi port http https release released on at in to from of the a an and or with for "
    "by as be warning info debug trace note step took elapsed total average score loss epoch rate host "
    "reason frozen python-distribution how os-language cuda-toolkit cwd files folder program file- "
    "present-at path compiler also-installed also-imported also-in-env ide packages link visual-studio "
    "device ld docker zsh channels channel tool fail other text installer shell terminal conda pip "
    "setuptools wheel hardware plugin env module installed stack title failed warn installation page-file "
    "wdac smart-app-control started-by created-with root killed tmp machine memory graphics display "
    "monitor user locale language region timezone disk antivirus security-software network proxy editor "
    "browser architecture arch processor bitness bits platform distribution edition environment python- "
    "version os-version container image command how-installed install message symptom remark comment "
    "remarks comments observation detail details background context result expected actual reproducer "
    "steps question problem issue summary msvc vs build-tools vc-redist vc-runtime gpu-driver nvidia- "
    "driver cuda-version cudnn-version manager package-manager version-manager ci service library "
    "libraries dll dlls "
)
_NOT_PACKAGES = frozenset(_NO_PACKAGE.split())
"""Words before a version or a colon that are names of no package: of the machine, and of programs' own lines."""
_NO_NAMES = ("error", "exception", "warning", "interrupt", "exit", "omp")
_CATEGORY = "qt."
"""How the names of Qt's categories of log lines begin."""
_ALIASES = {
    "pytorch": "torch",
    "py torch": "torch",
    "opencv": "opencv-python",
    "cv2": "opencv-python",
    "pil": "pillow",
    "sklearn": "scikit-learn",
    "tf": "tensorflow",
}
_SYSTEM = (
    (Platform.WINDOWS, regular(r"(?i)(?:microsoft )?windows (?:nt |server |subsystem )?(?:\d[\w. ]{0,30}|xp|"
                                  r"vista|sandbox|container|image)|"
                                  r"\bwin(?:10|11|7|8)\b|\bwin32\b|\bwin_amd64\b|\bmsc v\.")),
    (Platform.MACOS, regular(r"(?i)\bmac ?os\b|\bos ?x\b|darwin|apple (?:silicon|m\d)|\bmacbook")),
    (Platform.LINUX, regular(r"(?i)\blinux\b|ubuntu|debian|centos|\brhel\b|red ?hat|fedora|\barch\b|alpine|"
                                r"manylinux|\bwsl ?2?\b|raspbian|raspberry|suse|rocky|almalinux|amazon linux|"
                                r"\bkali\b|jetson|slurm|\bhpc\b|google colab|"
                                r"\bpython:\d[\d.]*(?:-(?:slim|alpine|bookworm|bullseye|buster|trixie))?\b(?![\w-])")),
)  # fmt: skip
_MARKS = ("win32", "win_amd64", "msc v.")
"""Of Windows, but names of no system: they stand in tags, in the banner of Python, in the sentence of error 193."""
_BARE_WINDOWS = regular(r"(?i)\W{0,4}(?:(?:ms|microsoft) )?win(?:dows)?\b(?! ?subsystem)(?![^\n]*\bwsl)")
"""In a line on the system the name alone is enough."""
_OS_LINE = regular(
    r"(?im)^[ \t*-]{0,8}(?:os|operating system|system|platform|os name|os / host)\s?[:|=]\s?([^\n]{2,120})"
)
_PYTHON_ON = regular(r"(?im)^[ \t*-]{0,8}python: [\d.]{1,8} (?:64[- ]bit )?on (windows|macos|linux)\b")
_WINDOWS_PATH = regular(
    r"(?:^|[\s'\"(])[A-Za-z]:\\|site-packages\\|\.pyd\b|\.dll\b|\bFile \"[\w.-]+\\[\w.\\-]+\.pyx?\"", re.IGNORECASE
)
_MAC_PATH = regular(r"/Users/\w|/opt/homebrew|darwin\.so|\.dylib|/Library/Frameworks")
_POSIX_LIBRARY = regular(r"/lib(?:64)?/python3\.\d{1,2}/")
_LINUX_PATH = regular(r"/home/\w|/usr/(?:lib|local)|/opt/conda|linux-gnu|\.so(?:\.\d+)*\b|/root/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """What the text says of the machine."""

    platform: Platform | None
    system: str | None
    python: PythonVersion | None
    versions: dict[str, str]
    remarks: dict[str, str]
    cuda: dict[str, str]


def read_environment(text: str, said: str | None) -> Environment:
    """The environment that a text describes; `said`: the platform whose loader speaks in it."""
    versions = _versions(text)
    platform, system = _system(text, said)
    return Environment(
        platform=platform,
        system=system,
        python=_python(text),
        versions=versions,
        remarks=_remarks(text),
        cuda=_cuda(text, versions),
    )


def _normal(name: str) -> str:
    name = re.sub(r"[-_.]+", "-", name.lower())
    return _ALIASES.get(name, name)


def _remarks(text: str) -> dict[str, str]:
    """`shapely: installed by pip`: what stands beside a name that is no exception's and no heading's."""
    lines = (match for match in _REMARK.finditer(text) if not match[1].startswith(_CATEGORY))
    found = ((_normal(match[1]), match[2].strip()) for match in lines)
    return {name: remark for name, remark in found if name not in _NOT_PACKAGES and not name.endswith(_NO_NAMES)}


def _python(text: str) -> PythonVersion | None:
    for pattern in _PYTHON:
        for match in pattern.finditer(text):
            if _BEFORE.search(text, max(match.start(1) - 14, 0), match.start(1)):
                continue
            groups = match.groups()
            if "." in groups[0]:
                major, minor = groups[0].split(".")
                return PythonVersion(int(major), int(minor), groups[1].lower() == "t")
            return PythonVersion(int(groups[0]), int(groups[1]))
    return None


def _versions(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _LINE.finditer(text):
        name = _normal(match[1])
        if name not in _NOT_PACKAGES:
            found.setdefault(name, match[2])
    for match in _HERE.finditer(text):
        found.setdefault(_normal(match[1]), match[2])
    for match in _PROSE.finditer(text):
        found.setdefault(_normal(match[1]), match[2])
    return found


def _system(text: str, said: str | None) -> tuple[Platform | None, str | None]:
    line = _OS_LINE.search(text)
    if line is not None:
        for platform, pattern in _SYSTEM:
            if pattern.search(line[1]) and not (platform is Platform.WINDOWS and re.search(r"(?i)\bwsl", line[1])):
                return platform, line[1].strip()
        if _BARE_WINDOWS.match(line[1]):
            return Platform.WINDOWS, line[1].strip()
    elif (python := _PYTHON_ON.search(text)) is not None:
        return Platform(python[1].lower()), python[1]
    system = next((_name(match[0].strip()) for _, pattern in _SYSTEM if (match := pattern.search(text))), None)
    if said is not None:
        return Platform(said), system
    counts = {
        Platform.WINDOWS: len(_WINDOWS_PATH.findall(text)),
        Platform.MACOS: len(_MAC_PATH.findall(text)) * 2,
        Platform.LINUX: len(_LINUX_PATH.findall(text)),
    }
    best = max(counts, key=lambda platform: counts[platform])
    if counts[best]:
        return best, system
    guess = (Platform.LINUX if _POSIX_LIBRARY.search(text) else None, None)
    return next(((platform, system) for platform, pattern in _SYSTEM if pattern.search(text)), guess)


def _name(found: str) -> str:
    return "Windows" if found.lower() in _MARKS else found


_CUDA = {
    "torch": regular(r"(?i)CUDA used to build PyTorch:?\s{0,3}(\d+\.\d+)|torch[^\n]{0,40}?\bcu(\d{2,3})\b|"
                        r"torch\.version\.cuda\s?[=:]*\s?'?(\d+\.\d+)"),
    "driver": regular(r"(?i)(?:driver(?: version)?)\s{0,3}[:=]?\s{0,3}['\"]?(\d{3}\.\d{2,3}(?:\.\d+)?)"),
    "driver-cuda": regular(r"CUDA Version\s{0,3}:\s{0,3}(\d+\.\d+)"),
    "cudnn": regular(r"(?i)cudnn(?!\w{0,24}\.so)[^\n\d]{0,24}?(\d{1,2}\.\d{1,2}(?:\.\d+){0,2}|\d{4,5}\b)"),
    "toolkit": regular(
        r"(?i)release (\d{1,2}\.\d{1,2}), V\d|\bnvcc\b[^\n\d]{0,24}(\d{1,2}\.\d{1,2})\b|"
        r"(?<!\+)cuda[_ -]?(?:tool ?kit|runtime|/ ?cudnn)?(?: "
        r"version)?(?:\s{0,3}[:=]| is| was)?\s{0,3}(?:version (?:is )?)?"
        r"(?:up to |at most |only )?['\"]?v?(\d{1,2}\.\d{1,2})\b|"
        r"cuda[\\/]{1,2}v(\d{1,2}\.\d)|cuda-(\d{1,2}\.\d)"
    ),
}  # fmt: skip


_DRIVER_TABLE = regular(r"Driver Version:[^\n]{0,120}CUDA Version:[^\n]{0,40}")
"""Of nvidia-smi: the newest CUDA that the driver takes, not one that is installed."""
_DEMAND = regular(
    r"(?i)(?:(?:download and|please|must|need to|have to) install|requires?|needs?|expect(?:s|ed)?|"
    r"works (?:only )?with) (?:the )?cuda(?: ?toolkit)?(?: version)? ?v?[\d.*x]{1,6}"
)
"""What a program asks for; it is not what the machine has."""
_MAJOR_ALONE = regular(
    r"(?im)^[ \t*-]{0,8}cuda(?: ?toolkit| version)?\s?[:=]\s?(?:only |version |"
    r"just )?v?(\d{1,2})(?:\.x)?(?: (?:is )?(?:installed|only|there|"
    r"(?:installed )?(?:on|in) (?:the |this )?(?:system|machine|host|server)|system-?wide))?[ \t]*$|"
    r"\b(?:have|has|installed|using|use) cuda ?(?:toolkit )?v?(\d{1,2})(?:\.x)?\b(?!\.\d)|"
    r"\bcuda ?(?:toolkit )?v?(\d{1,2})(?:\.x)?(?:,? (?:and )?cudnn(?: v?\d[\d.x]*)?)?(?: (?:is|are|was|were))?"
    r"(?: already| both)? installed\b"
)
_CUDNN_ALONE = regular(
    r"(?im)^[ \t*-]{0,8}cudnn(?: version)?\s?[:=]\s?['\"]?(?:only |version )?v?(\d{1,2})(?:\.x)?\b(?![.\d])|"
    r"\b(?:have|has|installed|using|use) cudnn v?(\d{1,2})(?:\.x)?\b(?!\.?\d)|"
    r"\bcudnn v?(\d{1,2})(?:\.x)? (?:is )?(?:installed|only|there)\b|"
    r"\btorch\b[^\n]{0,60}\bcudnn ?v?(\d{1,2})(?![\d.])"
)
_BELOW = regular(r"(?i)\bcuda\w{0,12}\s?:?\s?(?:below|older than|before|earlier than|<)\s?(\d{1,2})(?:\.0)?\b(?!\.)")


def _cuda(text: str, versions: dict[str, str]) -> dict[str, str]:
    found = {}
    installed = _DEMAND.sub(" ", _DRIVER_TABLE.sub(" ", text))
    for name, pattern in _CUDA.items():
        match = pattern.search(installed if name == "toolkit" else text)
        if match is not None:
            found[name] = next(group for group in match.groups() if group)
    if re.fullmatch(r"\d{4,5}", found.get("cudnn", "")):  # as cudnnGetVersion() counts: 8907, 90100
        found["cudnn"] = found["cudnn"][0]
    build = re.search(r"\+cu(\d{2,3})", versions.get("torch", ""))
    if build is not None:
        found["torch"] = build[1]
    if "cudnn" not in found:
        alone = _CUDNN_ALONE.search(text)
        found |= {"cudnn": next(filter(None, alone.groups()))} if alone is not None else {}
    if "toolkit" not in found:
        whole = _MAJOR_ALONE.search(text)
        found |= {"toolkit": f"{next(filter(None, whole.groups()))}.x"} if whole is not None else {}
    below = _BELOW.search(text)
    if below is not None:
        found["toolkit"] = f"{int(below[1]) - 1}.x"
    if "torch" in found and "." not in found["torch"]:
        found["torch"] = f"{found['torch'][:-1]}.{found['torch'][-1]}"
    return found
