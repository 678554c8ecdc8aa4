"""Where a text says that it works, and where only it does not: what differs between the two tells the cause.

People say this in a thousand sentences and in few words: a word of success or of failure, and a word for the place.
Both are looked for in one clause, whatever stands between them.
"""

from __future__ import annotations

from collections.abc import Iterator

from whyload.base.regular import regular
from whyload.observe.text.clues import Trait
from whyload.observe.text.remarks import remarks
from whyload.observe.text.vocabulary import Meaning, has, in_words, meant, vocabulary

_SHELL = vocabulary(
    " terminal| command line| commandline| cmd | cmd.exe | command prompt| command window| shell | console |"
    " conda prompt| anaconda prompt| miniforge prompt| powershell| bash | interactive | interactively | by hand |"
    " manually | without sudo | python -c |命令行|命令提示符|终端|控制台"
)
_STARTER = vocabulary(
    " pycharm| vscode| vs code| visual studio| code runner| spyder| ide | idle | eclipse| sublime| thonny|"
    " jupyter| notebook| rstudio| cron | crontab | systemd| sudo | mod_wsgi| apache| iis | fastcgi|"
    " double-click| double click| service | task scheduler| scheduled | debugger | run configuration|"
    " launcher | gui | desktop | explorer | jenkins "
)
_WORKS = vocabulary(
    " work | works | worked | working | fine | ok | okay | succeeds | succeeded | success| no error| no problem|"
    " no issue| no failure| no such error| without error| without an error| without problem| without issue|"
    " finds it | it imports | imports it |"
    " imports once | is enough | suffices | it loads | can run | can import | can be imported |"
    " able to run | able to import | able to load | able to use | loads in | loads with | loads from | loads if |"
    " loads when | loads once | loads after | loads | runs | imports in | imports with | imports fine | imports well |"
    " imports if | imports after | help | helps | helped | cure | cures | cured | solve | solves | solved | fix |"
    " fixes | fixed | goes away | went away | disappears | makes it |"
    "正常|没问题|没有问题|不报错|成功|可以|能用|能导入|能运行|"
    "能加载"
)
_NOT = vocabulary(
    " not | cannot | never | no longer | neither | nor | nothing | unable to |n't |不能|不正|没能|不可|未能|无法|不成"
)
_FAILS = vocabulary(" fail| error| crash| not | cannot | only |n't |不|没|未|只|报错|失败")
_ONLY = vocabulary(" only |只有|只在|仅")
_SENTENCE = regular(r"[;()；（）。]|\.(?=\s|$)|\s(?:but|while|whereas|yet)\s|但是?|而(?=在|用)")
_ARGUMENTS = regular(r"(?<=\w)\([^()\n]{0,200}\)")
"""Of a call that is told of: what stands in its parentheses is no sentence of its own."""
_COMMA = regular(r"[,，]")

_INTERPRETER = vocabulary(
    " plain python | normal python | standalone python | system python | bare python | ordinary python |"
    " python.exe | plain interpreter | interpreter | python alone | python itself | python prompt |"
    " python shell | python console | outside | python works | python work | environment's python "
)
_ALONE = vocabulary(
    " imported first| imported before| imported alone| loaded first| import first| importing it first|"
    " import it first| first import| first line| other order| reverse order| reversed order| opposite order|"
    " different order| other import order| comes first | come first | goes first "
    "| fresh interpreter| fresh process| alone | by itself | on its own |"
    " without import| without the other|调换|反过来|单独导入|先导入"
)
_OTHERS = vocabulary("torch|paddle|tensorflow|opencv|onnx|pyqt|pyside")
"""Packages that bring libraries of which others have their own copies."""
_TURNED = (
    vocabulary(" swap| invert| reverse| reversing| chang"),
    vocabulary(" import| order "),
)
_ELSEWHERE = vocabulary(
    " another directory| another folder| parent director| from outside | other directory| other folder|"
    " different directory| different folder|"
    " other working directory| elsewhere | outside the source| outside of the source| outside the repo|"
    " outside the clone| outside the checkout|换一个目录|换个目录|换目录|其他目录"
)
_LESS_PATH = vocabulary(
    " short path | clean path | empty path | minimal path | reduced path | cleaned path | clean system path |"
    " empty system path |干净的 path |干净的path"
)
_LESS_VARIABLE = (
    vocabulary(" ld_library_path| dyld_library_path| ld library path| ld_preload"),
    vocabulary(
        " without | unset | unsetting | empty | cleared | clearing | env -u | removed | removing | not set | =''|"
        " ld_library_path= |不设|取消|清空"
    ),
)
_WITHOUT_IT = vocabulary(" without it | without that | without them | without the variable ")
_TAKEN_AWAY = (
    vocabulary(" remov| renam| delet| taking | without that |删除"),
    vocabulary(" from path | from the path | folder | copy | copies | system32|同名"),
)
_SEARCHED = vocabulary(
    " ld_library_path| dyld_library_path| dyld_fallback_library_path| add_dll_directory| os.add_dll_directory|"
    " ldconfig | setdlldirectory| on path | in path | to path | on the path | in the path | to the path | %path% |"
    "set_dll_search_path|set_dll_directory| next to | beside | besides |"
    " together with | in one folder | same folder | alongside "
)
_STARTED_IN = (
    vocabulary(
        " working folder | working directory | workdir | current folder | current directory | cwd | os.chdir | chdir |"
        " cd into | started from | started in | launched from | run from | run in |当前目录|工作目录"
    ),
    vocabulary(
        " dll |.dll | dlls | libraries | its folder | its own folder | its directory | own directory | that folder |"
        " the library's | c \\| d \\| e \\|所在"
    ),
)
_OF_THE_SYSTEM = vocabulary(" from path | from the path |vcruntime|msvcp|msvcr|redist|cudnn|zlibwapi|libomp|vcomp")

_EDITORS = vocabulary(" pycharm| vscode| vs code| visual studio| spyder| eclipse| ide | jupyter| github| azure| aws ")
_WORKS_IN = (
    Meaning(
        words=(vocabulary(" activat| anaconda prompt | conda prompt | miniforge prompt |激活"),),
        trait=Trait.NOT_ACTIVATED,
    ),
    Meaning(
        words=(vocabulary(" mingw| msys| git bash "), vocabulary(" shell | prompt | environment | terminal | window ")),
        trait=Trait.FOLDER_HELPS,
    ),
    Meaning(
        words=(_SHELL,),
        trait=Trait.OTHER_SHELL,
        without=vocabulary(" exe | .exe | executable| sample| -version | python shell | python console | 's console "),
    ),
    Meaning(
        words=(vocabulary(" windows 10 | windows 11 | win10 | win11 | win 10 | win 11 "),),
        trait=Trait.NEWER_WINDOWS_WORKS,
    ),
    Meaning(words=(_INTERPRETER,), trait=Trait.ALONE),
    Meaning(words=(_EDITORS,), trait=Trait.ALONE),
    Meaning(words=(_ALONE,), trait=Trait.ALONE_WORKS, without=vocabulary(" python alone ")),
    Meaning(words=_TURNED, trait=Trait.ALONE_WORKS),
    Meaning(
        words=((" first ",), _OTHERS),
        trait=Trait.ALONE_WORKS,
        without=vocabulary(" install| reinstall| time | the first | path | pip | conda | update| build| upgrad| run "),
    ),
    Meaning(
        words=((" import ",), vocabulary(" and then | followed by | and only then |再导入|然后导入")),
        trait=Trait.ALONE_WORKS,
        without=vocabulary(" install| reinstall| pip | copy | set "),
    ),
    Meaning(words=(vocabulary(" without "), vocabulary(" the import ")), trait=Trait.ALONE_WORKS),
    Meaning(
        words=(vocabulary(" uninstalling | uninstalled |卸载"), _OTHERS),
        trait=Trait.ALONE_WORKS,
        without=vocabulary(" reinstall| install | installing | again |重装|重新|再装|再安装|后安装"),
    ),
    Meaning(words=(_ELSEWHERE,), trait=Trait.CLONE, without=vocabulary(" cop| dll| librar| path ")),
    Meaning(words=(_LESS_PATH,), trait=Trait.TWO_COPIES),
    Meaning(words=_TAKEN_AWAY, trait=Trait.TWO_COPIES),
    Meaning(words=_LESS_VARIABLE, trait=Trait.TWO_COPIES),
    Meaning(words=(vocabulary(" module purge| module unload| without modules "),), trait=Trait.TWO_COPIES),
    Meaning(words=_STARTED_IN, trait=Trait.FOLDER_HELPS, without=vocabulary(".exe|python | prompt")),
    Meaning(words=(_SEARCHED,), trait=Trait.FOLDER_HELPS, without=_OF_THE_SYSTEM),
)
"""What it means that the import works there, or so."""
_FAILS_ONLY_IN = (
    Meaning(words=(_STARTER,), trait=Trait.OTHER_SHELL),
    Meaning(
        words=(vocabulary(" after | when | if | once "), vocabulary(" import")),
        trait=Trait.ALONE_WORKS,
        without=vocabulary(" installed for | if installed "),
    ),
)

_SET_AT_LOGIN = vocabulary(" .bashrc| .bash_profile| .profile| .zshrc| .zprofile")
"""What only shells read, and desktops and services do not."""

_DIFFER = vocabulary(" does not | doesn't | none | not | fine | ok | works |没有问题|没问题|正常|可以")
_ALIKE = vocabulary(" both | also | too | same error| as well | neither | exe | .exe |都")
"""One place to start from beside another: they differ, or they do not."""
_HOST = " host: "
_MACHINES = vocabulary(
    " cluster| slurm| hpc | node | docker| container| podman| kubernetes| pod | image | vm | virtual machine| proxmox|"
    " wsl| colab| kaggle| lambda| raspberry| jetson| ubuntu| debian| centos| rhel | red hat| fedora| laptop | ec2 |"
    " cloud | sagemaker| databricks| stampede | cron | ci | actions runner"
)
"""What is told as a host, and is the machine that Python runs on: no program that Python runs in."""
_EXE = vocabulary(" exe | .exe | executable | bundled | bundle | packaged |打包")
_MADE_ELSEWHERE = vocabulary(
    " that built it | it was built | it was made | build machine | development machine | developer's machine |"
    " developer machine | developer's pc | developer's computer | target machine | target pc | target computer |"
    " clean machine | clean pc | clean computer | another machine | another pc | another computer | other machine|"
    " other pc| other computer| my machine | my pc | as a script | script itself | script works | script runs |"
    " unfrozen | unbundled |脚本|别的电脑|其他电脑|源码运行"
)
"""A program as one file, told apart from the script that it is made of, or from the machine that made it."""


def read_contrasts(text: str) -> frozenset[Trait]:
    """What a text in lower case, with its lines, says by what works and what does not."""
    return frozenset(trait for line in remarks(text) for trait in _of_line(line))


def _of_line(line: str) -> Iterator[Trait]:
    words = in_words(line)
    if has(words, _EXE) and has(words, _MADE_ELSEWHERE):
        yield Trait.FROZEN
    if has(words, _STARTER) and has(words, _SHELL) and has(words, _DIFFER) and not has(words, _ALIKE):
        yield Trait.OTHER_SHELL
    if has(words, _SET_AT_LOGIN) and has(words, _STARTER):
        yield Trait.OTHER_SHELL
    if line.lstrip().startswith(_HOST.lstrip()) and not has(words, (*_EDITORS, *_MACHINES)):
        yield Trait.EMBEDDED
    for clause in _clauses(line):
        if _is_success(clause):
            if has(words, _LESS_VARIABLE[0]) and has(clause, _WITHOUT_IT):
                yield Trait.TWO_COPIES
            yield from meant(clause, _WORKS_IN)
        if has(clause, _ONLY):
            yield from meant(clause, _FAILS_ONLY_IN)


def _clauses(line: str) -> Iterator[str]:
    """What stands between commas is a clause if it says what happens; else it belongs to the next one."""
    for sentence in _SENTENCE.split(_ARGUMENTS.sub(" ", line)):
        open_end = ""
        for part in _COMMA.split(sentence):
            open_end = in_words(f"{open_end} {part}")
            if has(open_end, _WORKS) or has(open_end, _FAILS):
                yield open_end
                open_end = ""


def _is_success(clause: str) -> bool:
    """A word of success that no denial stands shortly before."""
    clause = clause.replace(" working director", " director").replace(" working folder", " folder")
    places = [clause.find(word) for word in _WORKS]
    return any(not has(clause[max(place - _NEAR, 0) : place + 2], _NOT) for place in places if place >= 0)


_NEAR = 40
"""Characters before a word of success in which a denial belongs to it."""
