"""What a text says of the machine and the installation in passing, in the words that people and tools use."""

from __future__ import annotations

import functools
import re

from whyload.base.regular import Alternatives, regular
from whyload.observe.text.clues import Trait

# it was installed, then what: no word of a success may follow, or the text tells of the cure
_INSTALL = r"(?:re)?install(?:ing|ed)? |updat(?:ing|ed) |[\w-]{1,16} (?:and |using pip, and )|the |latest "
_RUNTIME = r"(?:ms ?)?(?:visual c\+\+|vc ?\+\+|vc_?redist|msvc-runtime|visual studio [\d-]{0,9} ?redist)"

_ANY_RUNTIME = (
    r"(?:(?:ms |microsoft )?(?:visual c\+\+|vc ?\+\+)(?: \d{4}(?:[-–]\d{4})?)?(?: redist\w*| runtime)?|vc_?redist\w*|"
    r"(?:ms)?vc[pr]\w*140(?:_\d)?\.dll|c\+\+ (?:redist\w*|runtime)|redistributable)"
)
"""The Visual C++ runtime by any of its names."""

_WORDS: dict[Trait, str] = {
    Trait.CONDA: r"\bconda[a-z]{2,12}error\b|"
    r"\bana?conda|miniconda|mini ?forge|mambaforge|micromamba|\bconda\b|conda-forge|[\\/]envs[\\/]",
    Trait.FROZEN: r"(?<!install )(?<!install -u )py ?installer"
    r"(?![\\/](?:utils|building|depend|compat|lib|isolated|__main__))(?!\.exe)|"
    r"bootloader|pyimod\d\d_|pyiboot\d\d_|pyi_rth_|nuitka|cx[_ ]?freeze|extensionloader_|"
    r"(?:created|made|built|compiled|converted|packaged) (?:an? |it |to |into |my script |as )*\.?exe\b|"
    r"(?:launch|runn?|start|execut|open)(?:ing|ed|s|e)? (?:the |my |this |an? )\.?exe\b|打包(?:成|为|后)|pynsist|"
    r"py2exe|py2app|briefcase|_mei\w{3,}[\\/]|_mei\d{3,}|"
    r"\.app/contents/resources/(?:__boot__\.py|lib/python[\d.]{1,5}/lib-dynload/\w+/)|"
    r"library not loaded: '?(?:/usr/local/(?:opt|cellar|lib)/|/opt/homebrew/|/opt/local/|@\w)[^ ]{1,200} "
    r"referenced from: (?:<[^>]{1,60}> )?'?/[^:]{0,160}?/(?!xcode|python|idle)[\w .-]{1,60}\.app/contents/"
    r"(?!\S*site-packages)|"
                  r"\\_internal\\|[\\/]dist[\\/][^\\/\n]+[\\/]|\w\.dist[\\/]|warning: cannot find '[\w.-]+\.dll'|"
    r"lib not found: \S+ dependency of|library not found: could not resolve '[^']+', dependency of|"
    r"failed to execute script|(?<!<)frozen\b(?! importlib| runpy)|auto-py-to-exe|"
    r"\bonedir\b|\bonefile\b|standalone (?:[\w .-]{0,30}\.exe|exe\b|"
    r"executable|program\b)|pyoxidizer",
    Trait.CONTAINER: r"\bdocker|dockerfile|\bcontainer\b|kubernetes|\bpodman\b|\bk8s\b|servercore|nanoserver|"
                     r"singularity|apptainer",
    Trait.WSL: r"\bwsl ?2?\b|microsoft-standard|windows subsystem",
    Trait.STORE_PYTHON: r"microsoft store|store (?:package|python)|windowsapps|pythonsoftwarefoundation\.python",
    Trait.DEBUG_PYTHON: r"python(?:3\d*)?_d\b|debug (?:python|interpreter|build of python)|python3\d+_d\.dll|"
                        r"py_?debug\b|--with-debug|(?:embed|host|c\+\+).{0,80}\bdebug (?:build|mode|configuration)|"
                        r"\bdebug (?:build|mode|configuration).{0,80}(?:embed|host|c\+\+)",
    Trait.PRE_RELEASE_PYTHON: r"python[^a-z]{0,24}3\.\d{1,2}\.0 ?(?:a|b|rc)\d|"
    r"\bpython 3\.\d{1,2}(?:\.0)? ?(?:alpha|beta)\b",
    Trait.FREE_THREADED: r"free[- ]?thread|python3\.\d+t\b|cp3\d+t\b|nogil|no-gil",
    Trait.PYPY: r"\bpypy(?![a-z_])",
    Trait.EMBEDDED: r"\bblender\b|reticulate|\bembedded in\b|\bpython\b[^\n]{0,24}, embedded\b|matplotlib-?cpp|"
    r"embed(?:ding|s)? (?:python|the interpreter)|"
                    r"py_initialize|\bmaya\b|\bqgis\b|\bhoudini\b|"
    r"\bunreal|\bunity\b|pybind11::scoped_interpreter|\bfreecad\b|\bmatlab\b|host (?:program|process|"
    r"application)|instance of '(?:pybind11|boost::python)::error_already_set|\bnuke\b|\bida pro\b|\bjulia\b|pycall",
    Trait.NOT_ACTIVATED: r"(?:not|n't) been activated|not activated|without activat|environment is not active|"
                         r"libraries may fail to load|"
    r"ado\.net: python script error(?=[\s\S]{0,1500}?conda)|"
    r"before activating|not (?:run(?:ning)? )?from (?:the )?anaconda prompt",
    Trait.MUSL: r"\balpine\b|\bmusl\b|musllinux",
    Trait.SERVER: r"windows server|server 20\d\d|windows_?server|\bserver20\d\d",
    Trait.SERVER_CORE: r"windows[ -](?:based )?(?:docker )?(?:container|image)s?\b|"
    r"server ?core|nano ?server|windows ?server\b[^;:\n]{0,24}\bcore\b",
    Trait.NANO_SERVER: r"nano ?server",
    Trait.N_EDITION: r"win(?:dows)? ?\d{1,2}(?:/\d{1,2})?(?: \w+)? k?n\b|windows k?n\b|\bn (?:ver\b|versions?\b)|"
    r"(?:pro|home|enterprise|education|professional) k?n\b|\bn "
                     r"edition|ltsc|\bltsb\b|windows \d+ iot",
    Trait.OLD_WINDOWS: r"windows ?(?:7|8(?:\.1)?|vista|xp)(?: ?sp ?\d)?\b|\bwin ?(?:7|8(?:\.1)?|xp)(?: ?sp ?\d)?\b|"
    r"\bxp sp ?\d|[\\/]documents and settings[\\/]|(?:server|windows) ?20(?:0[38]|12)(?!\d)|"
                       r"6\.1\.7601|6\.3\.9600|"
    r"windows 10 (?:\w+ )?(?:version |v)?(?:1507|1511|1607|1703|1709|1803|1809|1903|1909)|lts[bc] 201[56]|"
    r"windows embedded|"
    r"10\.0\.(?:10240|10586|14393|15063|16299|17134)\b|"
    r"\b(?:build|ltsb|ltsc|server|windows)[^;:\n]{0,20}\b(?:10240|10586|14393|15063|16299|17134)\b",
    Trait.SECURITY_SOFTWARE: r"anti-?virus|windows defender|\bdefender\b|quarantin|kaspersky|mcafee|avast|"
                             r"\bavg\b|norton|bitdefender|symantec|crowdstrike|"
    r"sentinelone|carbon black|security software|trojan|sophos|\beset\b|malwarebytes|false positive|杀毒|"
    r"安全软件|火绒|电脑管家|隔离区|trend micro|cylance|\bvirus|malware|wacatac|flagged as|"
    r"webroot|f-secure|comodo|"
    r"panda security|cortex xdr|cleaned by deleting|360 ?安全|"
    r"protection history|windows security\b|病毒|误报|查杀|ウイルス対策|virenscanner|antivirenprogramm|антивирус",
    Trait.BUILT_HERE: r"built? from source|\bbuild made with (?:visual studio|vs\b|msvc|gcc|cmake|mingw)|"
    r"--no-binary|compiled? (?:from source|it myself|locally|myself)|built (?:my|"
                      r"our)self|source (?:build|checkout)|locally built|"
    r"my own build|build from source|setup\.py (?:build|develop|install)|pip install -e|built (?:under|"
    r"with|against|before)|self-(?:built|compiled)|"
    r"(?:\b(?:i|we)(?: have|'ve)?(?: just)? (?:built|compiled?)|after (?:successfully )?compiling) "
    r"(?!.{0,40}(?:\bexe|\bapp|installer))|"
    r"(?::|\() ?(?:self-)?compiled\b|compiled with (?:cuda|msvc|visual|vs ?20|mingw|cmake|gcc|clang|g\+\+)|"
    r"compiled and installed|build [\w .,-]{0,60}\b(?:ourselves|myself)\b|自(?:己|行)编译|(?:从|用)?源码(?:编译|构建)",
    Trait.UPGRADED: r"\bupgrad|\bupdated?\b|downgrad|after (?:the )?(?:update|upgrade)|built before|left ?over|"
                    r"previous(?:ly)? (?:installed|version)|older version",
    Trait.FILE_IS_THERE: r"file:? present|present at|\.(?:so|dll)[\d.]{0,9}['\"]? (?:does )?exists?\b|"
    r"(?:file|dll|library) (?:is there|exists|does exist|is "
                         r"present|is in(?:deed)?)|does exist|it exists|"
    r"\b(?:folder|director(?:y|ies)|folders) (?:is|are) (?:not|never) searched|"
    r"is (?:definitely|clearly|actually) there|cuda runtime path found|exists? "
    r"(?:in|at|on)|find / |\bls -l(?![\s\S]{0,200}cannot access)|ldconfig -p|"
    r"copied into|(?:dlls?|files?|librar(?:y|ies)) (?:is |are )?(?:lies?|sits?|resides?|lives?|stored) (?:in|at|under)|"
    r"(?:dll|库|文件)[^\n]{0,12}(?:位于|存在于|就在|已放)|os\.path\.exists\([^)]{0,60}\) (?:is |returns |返回 ?)true|"
    r"\.dll['\"]? (?:is|lies|sits|stands) (?:right )?(?:next to|beside|in the (?:same )?folder)|"
    r"(?:dlls?|librar(?:y|ies)|files?|which) (?:is|are)(?: actually| really)? at ['\"`]?[/~]"
    r"(?![^\n]{0,120} (?:of|on) the host\b)|"
    r"\bfinds the (?:file|dll|library)\b|(?<!where )(?<!so )\b(?:i|we|explorer) "
    r"(?:can (?:find|see) (?:it|the (?:file|dll|library))\b|"
    r"(?:can |do |clearly |actually )?(?:find|see) [\w.+-]{1,60}\.(?:dll|so[\d.]{0,12}) (?:in|at|there|on|under)\b)|"
    r"cwd: [^;\n]{0,40}(?:holds|contains|with the (?:dll|librar)|folder (?:of|with) [\w.+-]{1,60}\.dll)|"
    r"(?:dlls?|librar(?:y|ies)|files?|it|them|which) (?:is |are |lies? |sits? )?(?:right )?"
    r"(?:beside|next to|alongside) (?:the |my |our )?(?:\w+\.py|script|program|main)|"
    r"(?:in|from) the (?:same|current|working) (?:folder|directory)\b|"
    r"can be found (?:in|at|under)|it(?:'s| is) (?:both |also )?(?:in|at|under) "
    r"(?:both )?(?:the )?[\w./\\]|unpacked (?:in|to)|located (?:in|at)|installed (?:in|at|under) [/~]|"
    r"[:,;] (?:[\d.]{1,12},? )?(?:in|at|under|below) /(?:opt|usr/local)/[\w./-]{1,80}lib(?:64)?\b|"
    r"\b(?:put|placed|copied|lies?|sits?|resides?|stored|moved|goes|went) (?:it |them )?(?:in|into|at|under|to) "
    r"(?:the )?['\"`]?(?:/|~/|[a-z]:\\)(?!windows\\system32)",
    Trait.ON_PATH: r"(?:on|in|to|added to) (?:the |my |system |user )?(?:[%'\"`]?path\b|path environment|environment "
                   r"variable path)|folders? on path|on path\b",
    Trait.TWO_COPIES: r"two (?:copies|versions|different)|another (?:copy|installation)|also installed|"
                      r"another version[^;\n]{0,30}(?:\binstalled|\bpath\b|found|loaded|system32|\bin [a-z]:)|"
                      r"both (?:versions|installed|copies)|multiple (?:versions|copies)|"
    r"several (?:versions|copies)|conflict(?:s|ing)? (?:dll|version|librar)|wrong (?:dll|version|copy)",
    Trait.MIXED_CHANNELS: r"defaults?\b.{0,80}conda-forge|(?<!packaged by )conda-forge.{0,80}\b"
                          r"(?:defaults\b|default\b"
                          r"(?!, \w{3} \d| (?:env|python|shell|path|location|install|folder|prefix)))|"
                          r"pkgs/main.{0,400}conda-forge|conda-forge.{0,400}pkgs/main|mixed channels|"
    r"mix(?:ing|ed)? (?:of )?(?:conda )?channels|anaconda(?!\d?[/\\]).{0,40}(?<!packaged by )conda-forge|"
    r"from conda-forge.{0,80}from (?:the )?(?:default|main)",
    Trait.NO_AVX: r"(?:no|without|not (?:support|have)|lacks?|but not|d(?:oes|id|o)n['’]?t (?:support|have)|"
                  r"不支持) ?(?:the )?avx|not avx|celeron|pentium|赛扬|奔腾|"
    r"first[- ]gen(?:eration)? (?:intel )?core|nehalem|sandy bridge|ivy bridge|amd a\d-3\d\d\d|"
    r"\batom\b|core ?2|\bi[3579](?:-| )?[1-9]\d\d[a-z]{0,2}\b|\bi[3579]-?[23]\d\d\d[a-z]{0,2}\b|"
    r"xeon (?:e5[- ]?26\d\d(?: 0)?\b(?! ?v[3-9])|[lewx][35]\d\d\d\b)|"
    r"phenom|\bfx-\d{4}|westmere|opteron|qemu virtual cpu|"
    r"kvm64|common kvm|old cpu|cpu flags|n[34]\d\d\d\b|athlon",
    Trait.OTHER_FIRST: r"(?<!path )(?<!channel )(?<!search )\border: (?:import )?\w+ first\b|"
    r"imported (?:first|before|after)|import(?:ed|ing)? \w+ (?:first|before|after)|"
    r"after importing|before "
                       r"importing|order of (?:the )?imports?|import order|loaded first|"
    r"when i (?:also )?import|(?:other|reversed?|opposite|different) (?:import )?order|"
    r"order of (?:the|their) (?:two )?imports|"
    r"(?:swap|invert|chang|revers)(?:ping|ing|ed)? the (?:import|order)|also imported: [^;]{0,60}\bbefore\b",
    Trait.TEXT_FILE: r": ascii text|linker script|git-lfs|git lfs|version https://git-lfs|oid sha256:|<!doctype|"
                     r"<html|input\(-l|gnu ld script|\bsymlinks?\b[\w ,]{0,24} as (?:plain |a )?text|"
                     r"html (?:document|page|file)|(?:web|error) ?page saved|saved (?:web|error) ?page|网页|"
                     r"\bas a (?:web ?page|text file)\b|\blines? of (?:plain )?text\b|\b1[23]\d bytes\b",
    Trait.DAMAGED: r"0 bytes|0 kb\b|zero[- ]byte|empty file|truncated|\bcorrupt|incomplete|interrupted|no space "
                   r"left|disk:? (?:is |was |ran )?full|size mismatch|checksum|damaged|"
    r"\bbytes (?:larger|smaller|shorter|longer) than\b|"
    r"partially downloaded|broken download|aborted(?! \(core)|"
    r"uninstalled manually|(?<!cache )(?<!cache was )(?<!cache is )(?<!caches were )deleted",
    Trait.OTHER_BITS: r"32[- ]?bit|\bx86\b(?![_-]64)|[_-]win32\b|python3\d?-32|program files \(x86\)[\\/]python",
    Trait.ARM: r"arm64|windows \d+ (?:on )?arm\b|"
    r"aarch64|apple (?:m\d|silicon)|\bm[1-4] (?:mac|pro|max|chip)|raspberry|\barmv\d|"
               r"snapdragon|windows on arm|jetson",
    Trait.USER_SITE: r"appdata[\\/]roaming[\\/]python|pip install --user|--user\b|\.local[\\/]lib[\\/]python|"
                     r"--target\b|pythonuserbase",
    Trait.CLONE: r"git clone|\bcwd\b.{0,20}:|working directory|source (?:tree|directory|folder)|same name|"
                 r"named "
                 r"\w+\.py|own file",
    Trait.LAMBDA: r"unable to import module '|"
                  r"aws lambda|lambda (?:layer|function)|[\"'/ ]/?var/task/|\bserverless\b|azure functions?\b|"
                  r"google cloud functions?",
    Trait.RUNTIME_INSTALLED: f"(?:tried|have|has|had|already|also) (?:to )?(?:{_INSTALL}){{1,5}}{_RUNTIME}"
    f"(?!.{{0,80}}(?:fix|solv|works\\b|worked))|(?:已|已经)安装.{{0,20}}(?:{_RUNTIME}|运行库)|"
    rf"{_ANY_RUNTIME}[^.;\n]{{0,12}}(?: \d\d[\d.]*)?[^.;\n]{{0,12}}\b(?:is|are) (?:already )?installed|"
    rf"安装了? ?(?:最新的? ?)?{_ANY_RUNTIME}[^。\n]{{0,12}}(?:仍|还是|依然|也不|没用)",
    Trait.RUNTIME_ABSENT: rf"{_ANY_RUNTIME}[^.;]{{0,30}}(?:not installed|\babsent|: (?:none|no)\b|not present|"
    r"was never)|"
    rf"\b(?:no|without|lacks?|has no|have no|not have)(?: a| the| any)? {_ANY_RUNTIME}|"
    r"(?:machines?|computers?|pcs?) (?:with|that (?:has|have)|without|that (?:has|have) no) visual studio|"
    r"(?:没有?|未)安装.{0,12}(?:visual c\+\+|vc ?\+\+|运行库|运行时)",
    Trait.ABSENT: r": (?:not installed|uninstalled)\b|"
    r"\b(?:machines?|computers?|pcs?|servers?) (?:without|(?:that )?ha(?:s|ve) no|lacks?) "
    r"(?!visual|vc|ms|python|gpu|a gpu|nvidia|internet|admin|network|avx|media)[a-z]|"
    r"\b(?:is|are|was) not installed (?:on|anywhere|here)|"
    r"nowhere (?:on|to be found)|"
    r"no copy (?:of|on)|not (?:present|found anywhere) on the machine|"
    r"\b(?:not|isn't|aren't) (?:in|part of|inside|bundled (?:in|with)|shipped with|included in) (?:the|its|that|this) "
    r"(?:wheel|egg|package|release|archive|installer|bundle|zip)\b|"
    r"(?:wheel|package|release|installer|archive)[^.;\n]{0,40}? (?:ships?|comes?) without\b|"
    r"(?:wheel|package|release|installer|archive)[^.;]{0,60}? (?:lacks|has no|contains no|without|, no) "
    r"[\w.+-]{2,40}\.dll",
    Trait.NO_DRIVER: r"\b(?:no|without|lacks|has no)(?: an?| any| the)? "
    r"(?:nvidia|gpu|display|graphics) (?:\w+ )?driver|"
    r"\b(?:nvidia|gpu|display|graphics) driver(?:s? (?:is|are|was))?:? "
    r"(?:none|no\b|not installed|absent|missing)|(?:没有?|未)安装 ?(?:nvidia|英伟达|显卡) ?驱动",
    Trait.DEBUG_BUILD: r"(?:built|compiled|build|linked) (?:\S+ ){0,4}?(?:in |as |with )?(?:the )?debug\b|"
    r"\bdebug (?:build|version|configuration|mode)\b(?! of python)|\bconfiguration:? debug\b|"
    r"\bdebug-?(?:modus|konfiguration)|\b(?:modo|modalit[àa]|mode) (?:de )?(?:debug|depura|d[ée]bog)|"
    r"режиме? (?:debug|отладк)|отладочн\w+ (?:сборк|конфигурац|верси)|(?:デバッグ|debug) ?(?:モード|ビルド|構成)|"
    r"(?:调试|debug) ?(?:模式|版本|构建|配置)|디버그 (?:모드|빌드|구성)|trybie debug|"
    r"(?<!re)\bdebug[\\/][\w.-]+\.(?:pyd|dll)",
    Trait.NEW_COMPILER: r"std::mutex|(?:visual studio|vs) ?(?:2022 )?\(?(?:version )?17\.[1-9]\d|"
    r"(?:msvc|toolset|cl) (?:version )?(?:14\.[4-9]\d|19\.[4-9]\d)|visual studio 2026|constexpr mutex",
}  # fmt: skip


@functools.cache
def _patterns() -> dict[Trait, Alternatives]:
    return {trait: Alternatives(words) for trait, words in _WORDS.items()}


_BOILERPLATE = regular(
    r"important: please read this.{0,4000}?original error was"  # numpy's advice, which names every possible cause
    r"|- \[ \] [^-]{0,300}"  # boxes of a form that were not ticked
    r"|make sure (?:that )?[\w.]{1,80} is in (?:your|the) [\w ]{0,20}path"
    r"|the following directories listed in your path were found to be non-existent"
    r"|as an unsafe, unsupported, undocumented workaround"
    r"|\b(?:not|no|without|isn't|non)[ -](?:using |use |in |from |a |any )?(?:ana)?conda\b"
    r"|(?:没有?|未|不)(?:在|用|使用|是|安装)? ?(?:ana)?conda"
    r"|\bpython (?:itself )?(?:is |was |has been )?(?:added to|on|in) (?:the |my )?(?:system )?path\b"
    r"|\b(?:no|without(?: any)?|not? using) (?:anti-?virus|security software)[ \w]{0,20}"
    r"|\banti-?virus(?: software)?: (?:none|no|not|off|disabled)\b"
)
"""What programs and forms say to everybody; it tells nothing of the machine."""


_KEY = regular(r"^[A-Za-z]\w{0,30}_\w{1,30}(?=:)", re.MULTILINE)


def plain_keys(text: str) -> str:
    """The text with the keys of its `key: value` lines in words: `also_installed` is `also installed`.

    Variables of the environment are left as they are.
    """
    return _KEY.sub(lambda key: key[0] if key[0].isupper() else key[0].replace("_", " "), text)


def read_traits(folded: str) -> frozenset[Trait]:
    """The traits that a text in lower case with single blanks has."""
    told = _BOILERPLATE.sub(" ", folded)
    return frozenset(trait for trait, pattern in _patterns().items() if pattern.are_in(told))


def tells(trait: Trait, folded: str) -> bool:
    """Whether a line in lower case has the words of a trait."""
    return _patterns()[trait].are_in(folded)
