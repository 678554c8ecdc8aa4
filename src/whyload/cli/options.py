"""The commands and their options, as data (docs/contract.md, section 1), with what the help says of each."""

from __future__ import annotations

from whyload.cli.option import HELP, LANGUAGE, REST, Option, Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from whyload.cli.option import Group, Said

COMMANDS: dict[str, Said] = {
    "import": (
        "why does importing these modules, in this order, in one process, fail?",
        "在同一个进程中依次导入这些模块，为什么会失败？",
    ),
    "run": (
        "the same question for a program: SCRIPT [ARGS], -c CODE or -m MODULE",
        "运行一个程序为什么会失败？SCRIPT [ARGS]、-c CODE 或 -m MODULE",
    ),
    "load": ("the same question for one library", "加载一个库文件为什么会失败？"),
    "check": (
        "will it load there? a wheel, a requirement, a folder, a library",
        "能否在目标机器上加载？可检查 wheel、依赖声明、目录或库文件",
    ),
    "fix": (
        "plan the remedy, show it, apply it on request, check that it works",
        "制定修复方案并列出，同意后应用，再检查是否有效",
    ),
    "undo": ("take the last applied remedy back", "撤销最近一次应用的修复"),
    "tree": (
        "the dependency tree, with where and by which rule each file was found",
        "依赖树：每个文件在哪里、按哪条规则找到",
    ),
    "doctor": (
        "every native module of an environment, and the facts about the machine",
        "检查环境中的所有原生模块，并列出机器的各项信息",
    ),
    "snapshot": ("carry the evidence to another machine in one file", "把所需信息存成一个文件，拿到别的机器上分析"),
    "explain": (
        "read an error message or log, in any language, and name causes",
        "读取任何语言的报错或日志，指出可能的原因",
    ),
    "cause": ("the page on one cause", "某个原因的说明页"),
    "schema": ("the JSON schema of the reports", "报告的 JSON schema"),
}


def options_of(command: str) -> Options:
    """The options of a command."""
    groups: list[Group] = [(None, [HELP]), (("output", "输出"), _output(command))]
    if command not in ("cause", "schema", "check", "explain"):
        groups.append((_WHERE, _world()))
    groups += _OWN[command]()
    return Options(groups, _EPILOGS.get(command))


_WHERE = ("where to look (without any: this machine and this Python)", "在哪里检查（不指定时：本机和当前 Python）")


def _output(command: str) -> list[Option]:
    return [
        *_forms(_FORMS.get(command, ("text", "json", "html", "markdown"))),
        *([] if command == "undo" else [_FILE]),
        LANGUAGE,
        Option("-v", "--verbose", target="verbose", action="count", default=0, help=("say more", "输出更多细节")),
        _flag("--no-color", ("no colour on a terminal either", "在终端上也不使用颜色")),
    ]


_FORMS = {
    "explain": ("text", "json", "markdown"),
    "cause": ("text", "markdown"),
    "undo": (),
    "snapshot": (),
    "schema": (),
}
"""Of the commands that do not answer with a report."""
_FILE = Option(
    "-o",
    "--output",
    target="output",
    metavar="FILE",
    help=("write the report there instead of standard output", "将报告写入该文件，不写到标准输出"),
)


def _forms(forms: tuple[str, ...]) -> list[Option]:
    short = Option(
        "--json",
        target="format",
        action="store_const",
        const="json",
        default="text",
        help=("the same as --format json", "等同于 --format json"),
    )
    named = Option(
        "--format",
        target="format",
        choices=forms,
        default="text",
        help=("form of the answer (default: text)", "输出格式（默认：text）"),
    )
    return [option for option in (short, named) if forms and (option is named or "json" in forms)]


def _world() -> list[Option]:
    return [
        Option(
            "--python",
            target="python",
            metavar="EXE",
            help=("this machine, another interpreter", "检查本机的另一个 Python 解释器"),
        ),
        _root(
            "a folder that stands for drive C:; nothing of it is executed", "代表 `C:` 盘的目录；其中的文件不会被执行"
        ),
        _description(),
        _recorded("a machine that `whyload snapshot` recorded", "`whyload snapshot` 记录的机器"),
        Option(
            "--timeout",
            target="timeout",
            type=_seconds,
            wanted=("a number of seconds above 0, at most 604800", "大于 0、不超过 604800 的秒数"),
            default=120.0,
            metavar="SECONDS",
            help=("limit of a live run (default: 120)", "实际运行的时间上限（默认：120 秒）"),
        ),
    ]


def _root(en: str, zh: str) -> Option:
    return Option("--root", target="root", metavar="DIR", help=(en, zh))


def _recorded(en: str, zh: str) -> Option:
    return Option("--snapshot", target="snapshot", metavar="FILE", help=(en, zh))


def _description() -> Option:
    return Option(
        "--world",
        target="world",
        metavar="FILE",
        help=("description of the machine of --root (JSON or TOML)", "对 --root 那台机器的描述（JSON 或 TOML）"),
    )


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 7 * 24 * 3600:
        raise ValueError(text)
    return value


def _operands(target: str, metavar: str | None, count: str | None, help: Said) -> Option:
    return Option(target=target, metavar=metavar, count=count, help=help)


def _import() -> list[Group]:
    said = (
        "names of modules; without any: the program of the world file or snapshot",
        "模块名；不指定时：机器描述文件或快照里的程序",
    )
    return [(None, [_operands("modules", "MODULE", "*", said)])]


def _program() -> list[Option]:
    return [
        _code(),
        Option(
            "-m",
            target="module",
            metavar="MODULE",
            help=("run this module, as `python -m`", "同 `python -m`，运行该模块"),
        ),
    ]


def _code() -> Option:
    return Option(
        "-c", target="code", metavar="CODE", help=("run this code, as `python -c`", "同 `python -c`，运行这段代码")
    )


def _run() -> list[Group]:
    said = (
        "the program and its arguments; options of whyload stand before it",
        "程序及其参数；whyload 的选项要写在它前面",
    )
    return [(None, [*_program(), _operands("arguments", "SCRIPT [ARGS]", REST, said)])]


def _fix() -> list[Group]:
    said = ("modules that are to load, or a program", "需要能加载的模块，或一个程序")
    own = [
        *_program(),
        _flag(
            "--yes",
            ("apply without a question; what needs you is only shown", "不询问直接应用；需要你动手的步骤只列出"),
        ),
        _flag("--dry-run", ("show the plan and change nothing", "只列出方案，不作任何更改")),
        _operands("arguments", "MODULE|SCRIPT", "*", said),
    ]
    return [(None, own)]


def _flag(name: str, help: Said) -> Option:
    target = name.strip("-").replace("-", "_")
    return Option(name, target=target, action="store_true", default=False, help=help)


def _undo() -> list[Group]:
    changed = (
        "also where the environment was changed since; those changes may be lost",
        "即使环境在修复之后又有改动，也照样撤销；那些改动可能丢失",
    )
    return [(None, [_flag("--yes", ("without a question", "不询问")), _flag("--force", changed)])]


def _load() -> list[Group]:
    batch = Option(
        "--batch",
        target="batch",
        metavar="FILE",
        help=("one question per line as JSON; - is standard input", "每行一个 JSON 格式的问题；- 表示标准输入"),
    )
    return [(None, [*_call(), batch, _operands("file", "FILE", "?", ("the library", "库文件"))])]


def _tree() -> list[Group]:
    return [(None, [*_call(), _operands("file", "FILE|MODULE", None, ("a library or a module", "库文件或模块"))])]


def _call() -> list[Option]:
    return [
        Option(
            "--how",
            target="how",
            default="import",
            metavar="HOW",
            help=("import (default), ctypes, winmode=N or exe", "import（默认）、ctypes、winmode=N 或 exe"),
        ),
        Option(
            "--flags",
            target="flags",
            metavar="0x1100",
            help=("the flags of LoadLibraryEx, instead of --how", "LoadLibraryEx 的标志，用来代替 --how"),
        ),
    ]


def _check() -> list[Group]:
    said = (
        'wheel file, requirement ("torch==2.4.0"), installed distribution, folder, DLL, .pyd or .so',
        'wheel 文件、依赖声明（"torch==2.4.0"）、已安装的软件包、目录、DLL、.pyd 或 .so',
    )
    return [(("the machine", "目标机器"), _machine()), (None, [_operands("targets", "TARGET", "+", said)])]


def _machine() -> list[Option]:
    return [
        Option(
            "--os",
            target="os",
            metavar="PROFILE",
            help=("a clean machine, such as windows-11-23h2+vcredist", "一台全新的机器，例如 windows-11-23h2+vcredist"),
        ),
        Option(
            "--python-version",
            target="python_version",
            metavar="3.11",
            help=("python.org's Python of that minor version", "使用 python.org 发行的该版本 Python"),
        ),
        Option(
            "--platform",
            target="platform",
            choices=("win_amd64", "win32", "win_arm64"),
            help=("default: win_amd64", "默认：win_amd64"),
        ),
        _flag("--no-deps", ("leave out what the target needs", "不检查目标的依赖")),
        _flag("--no-network", ("only wheels of the cache; try no other release", "只用缓存里的 wheel，不尝试其他版本")),
        _flag("--no-cache", ("download anew, and keep nothing of it", "重新下载，且不保留下载的文件")),
        _root(
            "a folder that stands for drive C:, instead of a clean machine", "代表 `C:` 盘的目录，用来代替全新的机器"
        ),
        _description(),
        _recorded(
            "a machine that `whyload snapshot` recorded, likewise",
            "`whyload snapshot` 记录的机器，同样用来代替全新的机器",
        ),
    ]


def _snapshot() -> list[Group]:
    said = ("the question; without it: the machine", "要分析的问题；不指定时：只记录机器")
    return [(None, [_code(), _operands("subject", "MODULE|SCRIPT", "*", said)])]


def _doctor() -> list[Group]:
    said = (
        "compare native files with RECORD by contents too: reads all of them",
        "还按内容将原生文件与 RECORD 核对：会读取全部文件",
    )
    return [(None, [_flag("--hashes", said)])]


def _explain() -> list[Group]:
    said = ("the text; without it, or with -: standard input", "报错或日志文件；不指定或写 - 时：标准输入")
    return [(None, [_operands("file", "FILE", "?", said)])]


def _cause() -> list[Group]:
    said = (
        "a code such as missing-vc-runtime; without it: the list",
        "原因代码，例如 missing-vc-runtime；不指定时：列出全部",
    )
    return [(None, [_operands("code", "CODE", "?", said)])]


def _schema() -> list[Group]:
    said = ("which one (default: report)", "哪一种（默认：report）")
    of = Option(target="of", count="?", choices=("report", "explain"), default="report", help=said)
    return [(None, [of])]


_OWN: dict[str, Callable[[], list[Group]]] = {
    "import": _import,
    "run": _run,
    "load": _load,
    "fix": _fix,
    "undo": _undo,
    "check": _check,
    "tree": _tree,
    "doctor": _doctor,
    "snapshot": _snapshot,
    "explain": _explain,
    "cause": _cause,
    "schema": _schema,
}
_EPILOGS: dict[str, Said] = {
    "snapshot": (
        "-o FILE is the zip file to write. Names of users and hosts and secrets are left out of it.",
        "-o FILE 是要写入的 zip 文件，其中不含用户名、主机名和密钥。",
    ),
}
