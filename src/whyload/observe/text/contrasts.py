"""Where a text says that it works, and where only it does not: what differs between the two tells the cause.

People say this in a thousand sentences and in few words: a word of success or of failure, and a word for the place.
Both are looked for in one clause, whatever stands between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from whyload.base.dataclass import dataclass
from whyload.base.regular import regular
from whyload.observe.text.clues import Trait

SHELL = (
    r"\bterminal|command ?lines?\b|\bcmd(?:\.exe)?\b|command (?:prompt|window)|(?<!python )\bshell\b|"
    r"(?<!python )(?<!'s )\bconsole\b|(?:anaconda|conda|miniforge) prompt|powershell|\bbash\b|interactive(?:ly)?\b|"
    r"by hand\b|"
    r"manually\b|without sudo|python -c|命令行|终端|控制台"
)
STARTER = (
    r"pycharm|vs ?code|visual studio(?: code\b|(?! (?:build|\d)))|code[- ]runner|spyder|\bide\b|\bidle\b|eclipse|"
    r"sublime|thonny|jupyter|notebook|rstudio|\bcron(?:tab)?\b|systemd|\bsudo\b|mod_wsgi|apache|\biis\b|fastcgi|"
    r"double[- ]click|\bservice\b|task scheduler|scheduled task|\bdebugger\b|run configuration|launcher|\bgui\b"
)
_WORKS = regular(
    r"\bwork(?:s|ed|ing)?\b|\bfine\b|\bok\b|\bokay\b|\bsucce(?:eds?|ss|eded|ssful(?:ly)?)\b|"
    r"\b(?:no|without(?: an?)?) (?:such )?(?:error|problem|issue|failure)s?\b|"
    r"\bable to (?:run|import|load|use)\b|\b(?:loads?|imports?|runs?|starts?)(?: well| normally| without|$| (?:in|"
    r"with|from|if|when|once|after|only)\b)|"
    r"\b(?:helps?|helped|cures?|cured|solves?|solved|fix(?:es|ed))\b|\b(?:goes|went) away\b|\bdisappears?\b|"
    r"正常|没有?问题|不报错|成功|可以(?:用|导入|运行|加载|打开)?|能(?:用|导入|运行|加载)"
)
_NOT = regular(
    r"(?:\bnot|n['’]t|\bnever|\bcannot|\bno longer|\bneither|\bnor|\bnothing|\bunable to)\b[^,;]{0,30}$|"
    r"[不没未](?:能)?$"
)
_FAILS_ONLY = regular(
    r"\bonly\b[^,;]{0,40}\b(?:in|from|under|inside|within|after|if|when|with|by)\b|"
    r"\b(?:in|from|under|inside|within) [\w .-]{2,30} only\b|\b(?:fails?|failed|error|"
    r"crash(?:es)?)\b[^,;]{0,20}\bonly\b|"
    r"只(?:有|在)|仅(?:在)?"
)
_FAILS = regular(r"\b(?:fails?|failed|errors?|crash(?:es)?|not|cannot|only)\b|n['’]t\b|[不没未只]|报错|失败")
_SENTENCE = regular(r"[;()；（）。]|\.(?=\s|$)|\s(?:but|while|whereas|yet)\s|但是?|而(?=在|用)")
_COMMA = regular(r"[,，]")
_HOST = regular(r"\s*host: ")
_EDITOR = regular(
    r"\s*host: [^;(]{0,30}?(?:pycharm|vs ?code|visual studio|spyder|eclipse|\bide\b|jupyter|github|"
    r"azure|aws)"
)
_ERROR_LINE = regular(r'\s*(?:file "|[\w.]*(?:error|exception|warning)\b|traceback|>>>|\[\w)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Words for a circumstance, and what it means that the import works in it."""

    words: re.Pattern[str]
    trait: Trait
    without: re.Pattern[str] | None = None
    """Words in the same clause that change what it means."""


_WORKS_IN = (
    Place(words=regular(r"\bactivat|(?:anaconda|conda|miniforge) prompt|激活"), trait=Trait.NOT_ACTIVATED),
    Place(words=regular(SHELL), trait=Trait.OTHER_SHELL, without=regular(r"\bexe\b|executable|\bsample|-version\b")),
    Place(
        words=regular(
            r"\b(?:plain|normal|standalone|system|bare|regular) (?:python|interpreter)|python\.exe|"
            r"\binterpreter\b|\bpython (?:alone|itself|prompt|shell|console)\b|\boutside\b|"
            r"\bpython works?\b|environment's python"
        ),
        trait=Trait.ALONE,
    ),
    Place(
        words=regular(
            r"\b(?:imported|loaded|import(?:ing)?(?: it)?) (?:first|before|alone)\b|\bfirst (?:import|line)\b|"
            r"(?:\bother|\breversed?|\bopposite|\bdifferent) (?:import )?order|"
            r"(?:swap|invert|chang|revers)\w* (?:the |both |these |two )*(?:import|order)|"
            r"\bfresh (?:interpreter|process)|\balone\b|\bby itself\b|\bon its own\b|"
            r"\bwithout (?:importing |import |the other import|\w+ the import\b)|调换|单独导入|先导入"
        ),
        trait=Trait.ALONE_WORKS,
        without=regular(r"\bpython alone\b"),
    ),
    Place(
        words=regular(
            r"\b(?:from|in) (?:any |an)?(?:other|different|a different) (?:working )?(?:directory|folder)|"
            r"\belsewhere\b|outside (?:of )?the (?:source|repo|clone|checkout)|换一?个?(?:目录|文件夹)|其他目录"
        ),
        trait=Trait.CLONE,
        without=regular(r"\bcop(?:y|ied|ying)\b|\bdlls?\b|\bpath\b"),
    ),
    Place(
        words=regular(
            r"\b(?:short|clean|empty|minimal|reduced|cleaned)(?:ed)? (?:system |user )?path\b|"
            r"\b(?:remov|renam|delet|tak)\w+ [^,;]{0,60}\b(?:from (?:the )?path|folder|copy|copies)\b|干净的 ?path"
        ),
        trait=Trait.TWO_COPIES,
    ),
    Place(
        words=regular(
            r"ld_library_path|dyld_\w*library_path|add_dll_directory|\bldconfig\b|\bsetdlldirectory|"
            r"(?:on|in|to) (?:the |my )?(?:%?path%?)\b|(?:next to|beside|besides|together with|in one folder|"
            r"same folder|alongside)\b|\bcop(?:y|ied|ying)\b[^,;]{0,30}\b(?:dlls|libraries|them)\b"
        ),
        trait=Trait.FOLDER_HELPS,
        without=regular(r"\bfrom (?:the )?path\b|vcruntime|msvcp|msvcr|redist|cudnn|zlibwapi|libomp|vcomp"),
    ),
)
_FAILS_ONLY_IN = (
    Place(words=regular(STARTER), trait=Trait.OTHER_SHELL),
    Place(words=regular(r"\b(?:after|when|if|once)\b[^,;]{0,40}\bimport"), trait=Trait.ALONE_WORKS),
)

_EXE = regular(r"\bexe\b|\.exe\b(?<!python\.exe)|\bexecutable\b|\bbundled?\b|\bpackaged\b|打包")
_MADE_ELSEWHERE = regular(
    r"\b(?:machine|computer|pc|system)\b[^,;]{0,12}\b(?:built|compiled|made|packaged)\b|\bwhere it was (?:built|made)|"
    r"\b(?:build|built on|development|developer['’]?s?|target|clean|another|other|my) (?:machine|pc|computer)s?\b|"
    r"\bas a script\b|\bscript (?:itself )?(?:works|runs)|\bunfrozen\b|\bunbundled\b|python \w+\.py\b|脚本|别的电脑|"
    r"其他电脑"
)
"""A program as one file, told apart from the script that it is made of, or from the machine that made it."""


def read_contrasts(text: str) -> frozenset[Trait]:
    """What a text in lower case, with its lines, says by what works and what does not."""
    found = set()
    for line in text.splitlines():
        if _ERROR_LINE.match(line) or len(line) > _LONGEST:
            continue
        found |= set(_of_line(line))
    return frozenset(found)


_LONGEST = 1000


def _of_line(line: str) -> Iterator[Trait]:
    if _EXE.search(line) and _MADE_ELSEWHERE.search(line):
        yield Trait.FROZEN
    if _HOST.match(line) and not _EDITOR.match(line):
        yield Trait.EMBEDDED
    for clause in _clauses(line):
        if _is_success(clause):
            yield from _told(clause, _WORKS_IN)
        if _FAILS_ONLY.search(clause):
            yield from _told(clause, _FAILS_ONLY_IN)


def _clauses(line: str) -> Iterator[str]:
    """What stands between commas is a clause if it says what happens; else it belongs to the next one."""
    for sentence in _SENTENCE.split(line):
        open_end = ""
        for part in _COMMA.split(sentence):
            open_end += f" {part}"
            if _WORKS.search(part) or _FAILS.search(part):
                yield open_end
                open_end = ""


def _told(clause: str, places: tuple[Place, ...]) -> Iterator[Trait]:
    for place in places:
        if place.words.search(clause) and not (place.without and place.without.search(clause)):
            yield place.trait


def _is_success(clause: str) -> bool:
    return any(not _NOT.search(clause, 0, match.start()) for match in _WORKS.finditer(clause))
