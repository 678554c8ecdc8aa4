"""What a remark says by the few words that it cannot do without, in whatever order and sentence they stand.

A meaning is a set of vocabularies; a sentence has it if it has a word of each.
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.regular import regular
from whyload.observe.text.clues import Trait
from whyload.observe.text.vocabulary import Meaning, in_words, meant, vocabulary

_NOT = vocabulary(
    " no | not |n't | without | lack| missing| never| absent| off | disabled| removed| old | only |没|无|不|缺"
)
_IMPORT = vocabulary(" import|导入|引入")
_EARLIER = vocabulary(
    " imported earlier| earlier import| earlier in | order | on top | to the top| at the top| preced| second import|"
    " imported second| not imported|"
    " already imported| first line| if both | when both |前面|顺序|同时|最前|先导入|后导入"
)
_LIBRARY = vocabulary(" dll| librar| them | their | its |库|依赖")
_ELSEWHERE = vocabulary(
    " another folder| other folder| different folder| another director| other director|"
    " different director| folder of path| own folder| their folder| its folder|另一个目录|其他目录"
)
_PATH = vocabulary(" path | 'path' | %path% |path 变量")
_OTHER_PATHS = vocabulary(
    " full path| file path| path to | long path| absolute path| space| path length| by path| ascii|"
    " by its path| library path| make sure| python in | python on | python is | python to | python added|"
    " python folder| python director|中文"
)
_FOLDER = vocabulary(" bin |\\bin| folder| director| dll| librar| variable| extend| append| set |目录")
_TAKEN_FROM = vocabulary(
    " found in | found at | is loaded from| gets loaded from| loaded from | taken from | comes from |"
    " picked up from | resolved to | resolves to "
)
_DRIVE = (" c \\", " d \\", " e \\")
_ACTIVE = vocabulary(" activat| inactive | active |激活|conda activate")
_NOT_THEN = vocabulary(" not | no | never | without | inactive | no-|n't | skipped| missing| non-|未|没|不")
_SEVERAL = vocabulary(" two | several | different | both | second ")
_OTHER_CHANNEL = vocabulary(" anaconda channel| main channel| pkgs/main| defaults | default channel")
_BUILD = vocabulary(" build | built | compiled | compile |编译|构建")
_BY_US = vocabulary(
    " own | my | local | locally | here | this machine | this pc | this computer | custom | in-house | self-|"
    " ourselves | by us | by hand | by the user | the user |自己|本地|本机"
)
_NOBODY = vocabulary(" exe| app | installer| before | number")
_OWN = vocabulary(
    " pybind11 | swig | cython | boost| nanobind | linked | links | by us | our | own | my | compiled | built | vcpkg"
)
_EXTENSION = vocabulary(" extension | wrapper | binding| bindings |扩展")
_PROGRAM = vocabulary(" in the bundle | exe | .exe | frozen | freezing| bundling| single-file| onefile| one-file|打包")
_PACKED = vocabulary(" packed program| packaged program| packed app| packaged app| packed exe| bundled program")
_NO_PROGRAM = vocabulary("部署|上传| linux| install| setup| redist| bundled with python| download| embed")
_SOURCES = vocabulary(
    " source tree| source folder| source director| source checkout| sources | repository | repo |"
    " checkout | clone | cloned folder| folder that was cloned| folder i cloned| sdist |"
    " with setup.py |源码目录|源代码目录|仓库目录"
)
_RUN = vocabulary(
    " run | runs | running | start| cwd| script | working director| current director| cd |当前目录|运行|切换"
)
_MEDIA = vocabulary(" media foundation| media feature| media player| mfplat")
_FILE = vocabulary(" file| record | pyd | .pyd | dll | wheel| download| disk | install|文件|下载|磁盘|安装")
_SPOILED = vocabulary(
    " is empty| empty file| pyd empty| file empty| dll empty| shorter| smaller than| zeros| size of 0|"
    " size 0 | broke off| broken off| bad sector| bad network| half of | sha256 differ| hash differ|"
    " hash mismatch| wrong hash| cut off| interrupted| not complete| only partial| wrong size| size differs|"
    " record reports| power failure| power cut| power outage| file system error| filesystem error|"
    " connection broke| connection was lost| connection lost| differs from record| checksum differs|不完整|"
    "空间不足|中断|大小为 0|0 字节|损坏|为空"
)
_OWN_FILES = vocabulary(
    " .libs |.libs | site-packages| package folder| package's folder| its package| folder of the package|包目录"
)
_NONE_THERE = vocabulary(
    " has no .dll| has no dll| has no .pyd| has no pyd| no .dll | no dlls | no .pyd | no pyd | is empty| are empty|"
    " is missing| are missing| lacks | does not exist | not there | only .py |没有 .dll|没有 dll|没有 .pyd|是空的|缺少"
)
_RENEWED = vocabulary(" updat| upgrad| reinstall| install|更新|升级|安装")
_IN_USE = vocabulary(
    " was open| were open| still open| was running| were running| still running| while running| was in use|"
    " in use by| while in use| had it loaded| had it open| used it| was using | was not closed| not closed |"
    " without closing| before closing|没有关闭|没关|正在运行|占用"
)
_OPENMP = vocabulary(" openmp| /openmp| -fopenmp| -openmp")
_GUARD = vocabulary(" endpoint protection| endpoint security| edr ")
_GUARDS = vocabulary(
    " antivirus| anti-virus| virus| defender| kaspersky| mcafee| avast| avg | norton| bitdefender| symantec| eset |"
    " sophos| malwarebytes| security software| windows security| endpoint|杀毒|安全软件|安全卫士|火绒|360|病毒"
)
_TAKES = vocabulary(
    " delet| remov| quarantin| took | moved | block| vanished| threat| exclusion| disabled| switched off| turned off|"
    "隔离|删除|拦截|查杀|误报"
)
_POLICIES = vocabulary(
    " smart app control| app control for business| applocker| wdac| application control | device guard|"
    " code integrity|智能应用控制|应用程序控制"
)
_IN_FORCE = vocabulary(" on | enabled | enforce| active | block| report| refuse| event |开启|启用|拦截|阻止")
_NOT_IN_FORCE = vocabulary(" off | disabled | not | no | audit| never |n't |关闭|未启用")
_DENIES = vocabulary(" did not | didn't | not delet| nothing |没有删除")
_LEADS = vocabulary(" ld library path| ld.so.conf| rpath| runpath| ldconfig| ld_library_path| module load ")
_UNSET = (
    *_NOT,
    *vocabulary(" after | lost | dropped | cure| help| fix| work| unset | empty | cleared| gone |正常|设置"),
)
_MODULES = vocabulary(" without module | environment module| modules of the cluster| lmod ")
_NOT_LOADED = vocabulary(" not | no | without | forgot| lost | before ")
_IN_VAIN = vocabulary(
    " not help|n't help| not work|n't work| no effect| without effect| in vain| still | not solve| not fix"
)
_CURED = vocabulary(" cure| help| work| load| fix| solve|好了|正常|解决|可以导入")
_RUNTIME = vocabulary(
    " visual c++| vc++| vcredist| vc_redist| vc redist| redistributable| vs2008_runtime| vs2010_runtime|"
    " vs2015_runtime| vc14_runtime| msvc-runtime| vc runtime|运行库"
)
_REMEDY = vocabulary(" cure| help| works | worked | fix| solve| solution| remedy|好了|正常|解决|可以导入")
_BESIDE = vocabulary(
    " next to | beside| alongside| into the package| same folder| same director| cop| putting| moved| moving|"
    "旁边|复制|同目录|同一目录|放到"
)
_SEEN = vocabulary(
    " ls | locate| find | finds | found | shows | install| lies | is in | put | has the | has it| exists | under |"
    " contains | holds | ships in | packaged in | package in | libraries in | library in | libs in |"
    " at /| in /| location /| folder /|安装|位于|存在|在 /"
)
_PUT_THERE = vocabulary(" built | compiled | make install| prefix | --prefix| --enable-shared ")
_OWN_FOLDERS = vocabulary(" /opt/| /usr/local| /home/| ~/")
_NOT_IT = vocabulary(
    " of the host| on the host|-packages|/python| only | version | instead| another version| older| cannot access |"
    " no such file"
)
_FOLDERS_OF_LIBRARIES = vocabulary(" /opt/| /usr/local |/lib |/lib64 |/lib/|/lib64/| lib folder| lib director|.libs ")
_HAS = vocabulary(" has | have | contains | provides | includes | shows | lists | ships | brings | is newer | newer ")
_VERSION_OF_ITS = vocabulary(" the version| that version| this version| the symbol| it ")


MEANINGS = (
    Meaning(
        words=(vocabulary(" windows 7 | windows 8 | windows 8.1 | windows vista | windows xp "),),
        trait=Trait.OLD_WINDOWS,
    ),
    Meaning(
        words=(vocabulary(" windows"), vocabulary(" 1507 | 1511 | 1607 | 1703 | 1709 | 1803 | 1809 | 1903 | 1909 ")),
        trait=Trait.OLD_WINDOWS,
    ),
    Meaning(
        words=(vocabulary(" also imported | imported | loaded "), vocabulary(" first | before | already ")),
        trait=Trait.OTHER_FIRST,
        without=vocabulary(" path | dll| driver| add_dll| model| data|environ| version "),
    ),
    Meaning(words=((" also imported ",), (" earlier ",)), trait=Trait.OTHER_FIRST),
    Meaning(
        words=((" preload", " pre-load"), (" before ", " first ", " earlier ", " ahead of ")),
        trait=Trait.OTHER_FIRST,
        without=(" ld preload", " ld_preload"),
    ),
    Meaning(
        words=(_IMPORT, _EARLIER),
        trait=Trait.OTHER_FIRST,
        without=(" path ", "environ", "add_dll", " in order to "),
    ),
    Meaning(
        words=(
            (" dlls ", " libraries "),
            vocabulary(" not beside| not next to | not alongside| not in the same folder| not in its folder"),
        ),
        trait=Trait.ON_PATH,
    ),
    Meaning(words=(_LIBRARY, _ELSEWHERE), trait=Trait.ON_PATH, without=(" not exist", " nowhere")),
    Meaning(words=(_PATH, _FOLDER), trait=Trait.ON_PATH, without=_OTHER_PATHS),
    Meaning(
        words=(_TAKEN_FROM, _DRIVE, (" dll", ".dll")), trait=Trait.TWO_COPIES, without=("-packages", " not ", "n't ")
    ),
    Meaning(
        words=(
            (" dll", ".dll"),
            (" system32", " syswow64", "\\system32"),
            vocabulary(" older | old | outdated| another | other "),
        ),
        trait=Trait.TWO_COPIES,
        without=vocabulary("vcruntime|msvcp|ucrt| not | no "),
    ),
    Meaning(words=((" add_dll_directory", " os.add_dll_directory"), _NOT), trait=Trait.ON_PATH),
    Meaning(words=(_EXTENSION, _OWN), trait=Trait.BUILT_HERE),
    Meaning(words=(_BUILD, _BY_US), trait=Trait.BUILT_HERE, without=_NOBODY),
    Meaning(
        words=(vocabulary(" built | compiled "), vocabulary(" gfortran| ifort | mingw| msys2| g++ ")),
        trait=Trait.BUILT_HERE,
        without=(*_NOBODY, " wheel", " python "),
    ),
    Meaning(
        words=(vocabulary(" editable install| develop install| self-built | self-compiled "),), trait=Trait.BUILT_HERE
    ),
    Meaning(words=(_ACTIVE, _NOT_THEN), trait=Trait.NOT_ACTIVATED, without=_IN_VAIN),
    Meaning(
        words=(vocabulary(" activate "), vocabulary(" forgot| first ")), trait=Trait.NOT_ACTIVATED, without=_IN_VAIN
    ),
    Meaning(words=(vocabulary(" pybind11 | nanobind | boost.python | swig "),), trait=Trait.BUILT_HERE),
    Meaning(
        words=(vocabulary(" packaged it| packaged my| packed it| packed my| after packaging | before packaging "),),
        trait=Trait.FROZEN,
    ),
    Meaning(words=((" setupvars", " setvars"), _NOT_THEN), trait=Trait.NOT_ACTIVATED, without=_IN_VAIN),
    Meaning(words=(vocabulary(" library\\bin"), _NOT_THEN, _PATH), trait=Trait.NOT_ACTIVATED),
    Meaning(
        words=(vocabulary(" instead of the anaconda prompt| not in the anaconda prompt"),), trait=Trait.NOT_ACTIVATED
    ),
    Meaning(words=(vocabulary(" channel| channels "), (*_SEVERAL, " another ", " other ")), trait=Trait.MIXED_CHANNELS),
    Meaning(words=(vocabulary(" conda-forge"), _OTHER_CHANNEL), trait=Trait.MIXED_CHANNELS),
    Meaning(words=(_PROGRAM,), trait=Trait.FROZEN, without=_NO_PROGRAM),
    Meaning(words=(_PACKED,), trait=Trait.FROZEN),
    Meaning(words=(_SOURCES, _RUN), trait=Trait.CLONE),
    Meaning(words=(_MEDIA, _NOT), trait=Trait.N_EDITION),
    Meaning(
        words=((" n variant", " n edition", " n version", " edition n ", " edition ltsc", "专业版 n ", "家庭版 n "),),
        trait=Trait.N_EDITION,
    ),
    Meaning(words=((" os ",), (" windows ", " win "), (" server ",)), trait=Trait.SERVER, without=(" sql ",)),
    Meaning(
        words=((" avx", " sse4"), (*_NOT, " lacking", " but ", " unavailable", " unsupported", " needs ", " hides ")),
        trait=Trait.NO_AVX,
        without=(" fma", " rebuild", " avx core", "avx512", "avx-512"),
    ),
    Meaning(
        words=(vocabulary(" disk full| disk ran full| crashed during| crashed while| power was cut|断电|死机"),),
        trait=Trait.DAMAGED,
    ),
    Meaning(
        words=(
            vocabulary(" file| pyd | dll |.dll |.pyd "),
            vocabulary(" kb| mb| bytes"),
            vocabulary(" should be | instead of "),
        ),
        trait=Trait.DAMAGED,
    ),
    Meaning(
        words=(_OWN_FILES, _NONE_THERE), trait=Trait.DAMAGED, without=vocabulary(" openblas| vcruntime| msvcp| path ")
    ),
    Meaning(words=(_RENEWED, _IN_USE), trait=Trait.DAMAGED, without=vocabulary(" virus| antivirus| driver| windows ")),
    Meaning(
        words=(_OPENMP, (*_BUILD, *vocabulary(" uses | needs | with | for "))),
        trait=Trait.OPENMP_BUILD,
        without=vocabulary(" without | no | not | llvm-openmp| intel-openmp| nomkl| mkl |不"),
    ),
    Meaning(words=(vocabulary(" sse only| sse2 only| only sse"),), trait=Trait.NO_AVX),
    Meaning(
        words=(vocabulary(" hash | checksum | sha256 "), vocabulary(" differ| mismatch| wrong | not match|n't match")),
        trait=Trait.DAMAGED,
    ),
    Meaning(words=(_FILE, _SPOILED), trait=Trait.DAMAGED, without=(" path ", " wheel smaller")),
    Meaning(
        words=((" pip ", " pypi "), (" conda", " anaconda", " miniconda")),
        trait=Trait.PIP_IN_CONDA,
        without=(" pip 1", " pip 2", " conda 4", " or "),
    ),
    Meaning(
        words=(
            (" python",),
            (" debug build", " debug configuration", " debug python", " debug interpreter", "debug 版"),
        ),
        trait=Trait.DEBUG_PYTHON,
    ),
    Meaning(
        words=((" not installed ", " none installed ", "没有安装", "未安装"),),
        trait=Trait.ABSENT,
        without=vocabulary(" visual c| vc| redist| python | media| cuda| toolkit| with pip|运行库"),
    ),
    Meaning(words=(_GUARD,), trait=Trait.SECURITY_SOFTWARE),
    Meaning(words=(_POLICIES, _IN_FORCE), trait=Trait.POLICY_ENFORCED, without=_NOT_IN_FORCE),
    Meaning(words=(_GUARDS, _TAKES), trait=Trait.TAKEN_AWAY, without=_DENIES),
    Meaning(words=(_LEADS, _UNSET), trait=Trait.FOLDER_HELPS, without=_IN_VAIN),
    Meaning(words=(_MODULES, _NOT_LOADED), trait=Trait.FOLDER_HELPS, without=_IN_VAIN),
    Meaning(
        words=((" module", " modules"), vocabulary(" not loaded | never loaded | no longer loaded | without loading ")),
        trait=Trait.FOLDER_HELPS,
        without=(*_IN_VAIN, *vocabulary(" kernel | nvidia | uvm | could not | cannot |n't ")),
    ),
    Meaning(
        words=(_CURED, (" dll", " librar", " them "), _BESIDE),
        trait=Trait.FOLDER_HELPS,
        without=(" not ", "n't ", "vcruntime", "msvcp", "redist", "cudnn", "zlibwapi", "libomp", "vcomp"),
    ),
    Meaning(
        words=(_RUNTIME, _REMEDY),
        trait=Trait.RUNTIME_HELPS,
        without=(*_IN_VAIN, *_NOT, " other ", " already ", " is installed", " present"),
    ),
    Meaning(words=(_CURED, _ELSEWHERE), trait=Trait.CLONE, without=(" dll", " librar", " path ", " cop", "库")),
    Meaning(words=(_SEEN, _FOLDERS_OF_LIBRARIES), trait=Trait.FILE_IS_THERE, without=_NOT_IT),
    Meaning(
        words=(
            vocabulary(" ldd | lsof | ld_debug | pmap | otool "),
            vocabulary(" instead of | not the | not that | rather than | other than | another "),
        ),
        trait=Trait.TWO_COPIES,
    ),
    Meaning(
        words=(
            vocabulary(" two | second | another | several | other "),
            vocabulary(" versions | version | copies | copy | builds "),
            vocabulary(" takes | taken | picks | picked | found first| loaded first| wins | shadow| in its stead"),
        ),
        trait=Trait.TWO_COPIES,
        without=(" not ", "n't "),
    ),
    Meaning(
        words=(vocabulary("libstdc++"), _HAS, _VERSION_OF_ITS),
        trait=Trait.TWO_COPIES,
        without=(*_NOT, " older", " too old"),
    ),
    Meaning(words=(_PUT_THERE, _OWN_FOLDERS), trait=Trait.FILE_IS_THERE, without=("-packages", " older")),
)

_NO_REMARK = regular(
    r'\s*(?:file "|(?:dyld[^:\n]{0,12}: )?library not loaded:|referenced from:|reason: |'
    r"[\w.]*(?:error|exception|warning)\b|traceback|>>>|\$ |\[|from [\w.]+ import|"
    r"import [\w.]+(?: as \w+|, ?[\w.]+)*\s*$|raise\b|e\s{2})|"
    r".*(?:[\w.](?:error|exception): |\.py\b:?\d|\\site-packages\\\w+\\)"
)
_BETWEEN_SENTENCES = regular(r"[;；。]|\.(?=\s|$)")
_LONGEST = 400
_MOST = 600
"""Lines of a long log that are read as remarks, the first and the last ones: people do not write more."""


def remarks(text: str) -> Iterator[str]:
    """The lines, in lower case, that tell something in people's words: no message, no stack, no code."""
    lines = text.splitlines()
    for line in lines if len(lines) <= _MOST else (*lines[: _MOST // 2], *lines[-_MOST // 2 :]):
        if 0 < len(line) <= _LONGEST and not _NO_REMARK.match(line):
            yield line


def read_remarks(text: str) -> frozenset[Trait]:
    """What the remarks of a text in lower case, with its lines, mean."""
    return frozenset(trait for line in remarks(text) for trait in _of_line(line))


def _of_line(line: str) -> Iterator[Trait]:
    for sentence in _BETWEEN_SENTENCES.split(line):
        yield from meant(in_words(sentence), MEANINGS)
