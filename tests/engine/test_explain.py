"""Pasted texts and the causes that are named for them; the judges are what public threads established."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from whyload.engine.explain import ask_all, by_ground, explain, rank
from whyload.findings.candidate import Strength
from whyload.findings.certainty import Certainty
from whyload.knowledge.causes import causes
from whyload.knowledge.reader import toml_loads
from whyload.observe.text.reading import read_clues

FOLDER = Path(__file__).parent
REPORTS: list[dict[str, Any]] = [
    report
    for name in (
        "public_reports.toml",
        "public_reports_of_windows.toml",
        "public_reports_mixed.toml",
        "public_reports_of_frameworks.toml",
        "public_reports_of_environments.toml",
        "public_reports_of_unix.toml",
        "public_reports_of_extensions.toml",
        "made_texts.toml",
        "made_texts_of_remarks.toml",
        "made_texts_of_frameworks.toml",
        "made_texts_of_windows.toml",
        "made_texts_of_extensions.toml",
        "made_texts_of_unix.toml",
    )
    for report in toml_loads((FOLDER / name).read_text(encoding="utf-8"))["report"]
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: str(report["source"]))
def test_public_reports(report: dict[str, Any]) -> None:
    """By what the causes say alone, and in the order that is learned from these very reports."""
    clues = read_clues(report["text"])
    for candidates in (by_ground(ask_all(clues)), rank(clues)):
        codes = [candidate.code for candidate in candidates]
        assert codes
        if report["decides"]:
            assert codes[0] in report["causes"]
            continue
        assert report["causes"][0] in codes[:3] or set(codes[:2]) & set(report["causes"])
        assert candidates[0].certainty is not Certainty.PROVED
        assert candidates[0].ask


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: str(report["source"]))
def test_answers_are_whole(report: dict[str, Any]) -> None:
    candidates = explain(report["text"]).candidates
    assert 1 <= len(candidates) <= 5
    assert len({candidate.code for candidate in candidates}) == len(candidates)
    ranks = [candidate.strength.rank for candidate in candidates]
    assert ranks == sorted(ranks)
    for candidate in candidates:
        assert candidate.code in {cause.code for cause in causes()}
        assert candidate.why.en
        assert candidate.why.zh
        assert candidate.ask or candidate.strength is Strength.DECISIVE


UNRELATED = {
    "a name that Python dropped": "ImportError: cannot import name 'Mapping' from 'collections' "
    "(C:\\Python310\\lib\\collections\\__init__.py)",
    "a resolver's conflict": "The conflict is caused by:\n    foo 1.0 depends on numpy<2\n    bar 2.0 "
    "depends on numpy>=2\nERROR: ResolutionImpossible",
    "memory of a graphics card": "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0)",
    "a remark alone": "note: it works in the terminal and with Anaconda, but not in PyCharm. python 3.11",
    "an environment alone": "os: Windows 11\npython: 3.11\npackages: torch 2.4.0, numpy 1.26\ncuda: 12.1",
    "words of ours in a story": "The library was closed, and nobody could load the cart; the path beside "
    "the house was not found again.",
    "the same in Chinese": "今天去图书馆借了三本书，路径很长，环境优美，但是没有找到座位。",
    "a socket": "OSError: [WinError 10048] Only one usage of each socket address is normally permitted",
    "empty": "",
    "ordinary module": 'Traceback (most recent call last):\n  File "m.py", line 1\nModuleNotFoundError: No '
    "module named 'requests'",
    "syntax": '  File "m.py", line 3\n    def f(:\n          ^\nSyntaxError: invalid syntax',
    "resolver": "ERROR: Cannot install a==1 and b==2 because these package versions have conflicting dependencies.\n"
    "ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/",
    "no such version": "ERROR: Could not find a version that satisfies the requirement torch==9.9 (from versions: 2.0)",
    "novel": "The windows of the server room looked out upon the path, which was built from stone. A clean machine, "
    "she thought, and deleted the letter; the old container by the door had been updated twice." * 40,
    "git log": "commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nAuthor: A <a@b.c>\n\n    Fix DLL search on "
    "Windows, tests",
    "Java": 'Exception in thread "main" java.lang.NullPointerException\n\tat a.B.run(B.java:12)\nCaused by: '
    "java.io.FileNotFoundException: /etc/a.conf (No such file or directory)",
    "shell": "bash: foo: command not found\nexit code 127",
    "npm": "npm ERR! errno 126\nnpm ERR! Exit status 126",
    "missing data": "FileNotFoundError: [WinError 2] The system cannot find the file specified: "
    "'C:\\\\data\\\\train.csv'",
    "key": "KeyError: 'foo'\nWindows 11, Python 3.11, torch 2.4.0, numpy 2.0, conda",
    "memory": "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 8.00 GiB total capacity)",
    "library of Python": "ImportError: Could not find the tiktoken library. Please install it: pip install tiktoken",
    "other libraries": "RuntimeError: Unable to load the library of models from the server (HTTP 404)",
    "own import": "ImportError: cannot import name 'c' from 'a.b' (/home/u/a/b.py)",
    "no program": '  File "C:\\Python39\\lib\\subprocess.py", line 1420, in _execute_child\n    hp, ht, pid, tid = '
    "_winapi.CreateProcess(executable, args,\nOSError: [WinError 193] %1 is not a valid Win32 application",
    "no program, 32 bit": '  File "C:\\Python39-32\\lib\\subprocess.py", line 1420, in _execute_child\n'
    "OSError: [WinError 193] %1 不是有效的 Win32 应用程序。",
    "no program, by another printer": "  OSError\n\n  [WinError 193] %1 is not a valid Win32 application\n\n"
    "  at ~\\anaconda3\\lib\\subprocess.py:1307 in _execute_child",
    "pure build": "error: metadata-generation-failed\nERROR: Failed to build 'foo' when getting requirements\n"
    "SyntaxError: Missing parentheses in call to 'print'",
}


@pytest.mark.parametrize("name", UNRELATED)
def test_texts_that_are_not_about_native_libraries(name: str) -> None:
    explanation = explain(UNRELATED[name])
    assert explanation.candidates == ()
    assert explanation.exit_code == 3


@pytest.mark.parametrize(
    ("module", "public"),
    [
        ("_imaging", "PIL"),
        ("_ssl", "_ssl"),
        ("cygrpc", "grpc"),
        ("lxml.etree", "lxml"),
        ("mine._x", "mine"),
        ("_x", "_x"),
    ],
)
def test_the_command_that_looks_names_what_a_program_imports(module: str, public: str) -> None:
    text = f"ImportError: DLL load failed while importing {module}: The specified module could not be found."
    asked = [one for candidate in explain(text).candidates for one in candidate.ask if isinstance(one, str)]
    assert f"whyload {public}" in asked
    assert {one.split()[1] for one in asked if one.startswith("whyload ")} == {public}


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (r"OSError: [WinError 193] C:\Py\Lib\site-packages\x\libx.dll is not a valid Win32 application", "load"),
        ("    from pyvcam import pvc\nImportError: DLL load failed while importing pvc: %1", "whyload pyvcam"),
        (
            ">>> from pyk4a import PyK4A\nImportError: DLL load failed while importing k4a_module: The specified "
            "module could not be found.",
            "whyload pyk4a",
        ),
        ("FileNotFoundError: Could not find module 'libsecp256k1' (or one of its dependencies).", "libsecp256k1.dll"),
    ],
)
def test_the_first_thing_to_look_at_decides(text: str, command: str) -> None:
    asked = [one for candidate in explain(text).candidates for one in candidate.ask]
    assert any(isinstance(one, str) and command in one for one in asked), asked


def test_binary_garbage() -> None:
    assert explain(bytes(range(256)) * 500).candidates == ()


WRAPPED = [
    "2024-05-01T12:00:00.0000000Z ##[error]{}",
    "web-1  | {}",
    "\x1b[0;31m{}\x1b[0m",
    "│ {}                │",
    "> {}",
    "E   {}",
    "#12 3.456 {}",
]


@pytest.mark.parametrize("frame", WRAPPED)
@pytest.mark.parametrize("report", REPORTS[::9], ids=lambda report: str(report["source"]))
def test_the_answer_does_not_depend_on_where_the_text_was_copied_from(frame: str, report: dict[str, Any]) -> None:
    plain = explain(report["text"])
    wrapped = explain("\n".join(frame.format(line) for line in report["text"].splitlines()))
    assert [item.code for item in wrapped.candidates][:1] == [item.code for item in plain.candidates][:1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "gb18030"])
@pytest.mark.parametrize("report", REPORTS[::9], ids=lambda report: str(report["source"]))
def test_the_answer_does_not_depend_on_the_encoding(encoding: str, report: dict[str, Any]) -> None:
    most = 1 if "▒" in report["text"] else None  # signs that were lost already are not read alike
    wanted = [candidate.code for candidate in explain(report["text"]).candidates][:most]
    assert [candidate.code for candidate in explain(report["text"].encode(encoding)).candidates][:most] == wanted


_HOSTILE = "$(id)`id`;id&id|id"


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: str(report["source"]))
def test_no_text_puts_anything_into_a_command_that_a_shell_acts_on(report: dict[str, Any]) -> None:
    """Strangers write such texts, and commands are there to be copied, by people and by programs."""
    text = str(report["text"])
    for before in (".so", ".dll", ".dylib", ".pyd", "/", "\\", "' not found", " is not", "site-packages/"):
        found = explain(
            text.replace(before, f"{_HOSTILE}{before}").replace("site-packages/", f"site-packages/{_HOSTILE}/")
        )
        for candidate in found.candidates:
            asked = [one for one in candidate.ask if isinstance(one, str)]
            commands = [command for remedy in candidate.remedies for command in remedy.commands]
            assert not [command for command in (*asked, *commands) if re.search(r"id`|\(id\)|;id|&id|\|id", command)]


def test_an_older_runtime_is_asked_for_and_brought_where_a_package_needs_that() -> None:
    """pyzbar's README: the Visual C++ Redistributable Packages for Visual Studio 2013."""
    first = explain(
        "os: Windows 11\nFileNotFoundError: Could not find module 'C:\\Py\\Lib\\site-packages\\pyzbar\\libzbar-64.dll' "
        "(or one of its dependencies). Try using the full path with constructor syntax."
    ).candidates[0]
    assert (first.code, first.object) == ("missing-vc-runtime", "msvcr120.dll")
    assert any("2013" in remedy.title.en for remedy in first.remedies)
    assert "msvcp140" not in str(first.ask)


@pytest.mark.parametrize(
    ("text", "module"),
    [
        (
            "ImportError: cannot import name '_csiread' from partially initialized module 'csiread' "
            "(most likely due to a circular import) (/home/u/csiread/csiread/__init__.py)\n"
            "cwd: /home/u/csiread (source checkout)",
            "csiread",
        ),
        (
            "AttributeError: partially initialized module 'torch' has no attribute 'tensor' (most likely due to a "
            "circular import) (C:\\work\\torch.py)",
            "torch",
        ),
    ],
)
def test_the_question_has_the_name_that_is_shadowed(text: str, module: str) -> None:
    first = explain(text).candidates[0]
    assert first.code == "name-shadowing"
    assert f"find_spec('{module}')" in str(first.ask[0])
    assert first.object is not None
    assert module in first.object


@pytest.mark.parametrize(("system", "first"), [("Fedora 30", "dnf"), ("Ubuntu 22.04", "apt-get"), ("CentOS 8", "dnf")])
def test_the_distributions_own_installer_comes_first(system: str, first: str) -> None:
    text = f"ImportError: libcrypt.so.1: cannot open shared object file: No such file or directory\nos: {system}"
    remedy = explain(text).candidates[0].remedies[0]
    assert remedy.commands[0].startswith(first)
