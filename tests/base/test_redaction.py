"""Names and secrets leave a text; what is needed to understand it stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whyload.base.redaction import HIDDEN, Redaction, is_secret_name

ENVIRONMENT = {
    "USERNAME": "jane.doe",
    "USERPROFILE": "C:\\Users\\jane.doe",
    "COMPUTERNAME": "DESKTOP-AB12",
    "LOGONSERVER": "\\\\DC01",
    "DEPLOY_TOKEN": "s3cr3t-value-of-mine",
    "PATH": "C:\\Users\\Bob Ross\\bin;D:\\tools",
}


@pytest.fixture
def redaction() -> Redaction:
    return Redaction.of_environment(ENVIRONMENT, keep={"jane", "jane_ext"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C:\\Users\\jane.doe\\p\\a.py", "C:\\Users\\user\\p\\a.py"),
        ("c:/users/JANE.DOE/p", "c:/users/user/p"),
        ('File "C:\\\\Users\\\\jane.doe\\\\a.py", line 3', 'File "C:\\\\Users\\\\user\\\\a.py", line 3'),
        ("C:\\Users\\JANEDO~1\\AppData\\Local\\Temp", "C:\\Users\\user\\AppData\\Local\\Temp"),
        ("\\\\?\\C:\\Users\\jane.doe\\x", "\\\\?\\C:\\Users\\user\\x"),
        ("D:\\work\\jane.doe\\x", "D:\\work\\user\\x"),
        ("D:\\jane.doe-project\\x", "D:\\user-project\\x"),
        ("C:\\Users\\Bob Ross\\bin", "C:\\Users\\user2\\bin"),
        ("/mnt/c/Users/jane.doe/x", "/mnt/c/Users/user/x"),
        ("file:///home/jane.doe/x", "file:///home/user/x"),
        ("\\\\DESKTOP-AB12\\c$\\x", "\\\\host\\c$\\x"),
        ("\\\\fileserver.corp.example\\share\\x", "\\\\host\\share\\x"),
        ("https://bot:pw123@example.org/simple", f"https://{HIDDEN}@example.org/simple"),
        ("value s3cr3t-value-of-mine!", f"value {HIDDEN}!"),
        ("--token abcdef --password=hunter2", f"--token {HIDDEN} --password={HIDDEN}"),
        ("api_key: 'abcdefgh'", f"api_key: '{HIDDEN}'"),
        ("Authorization: Bearer abcdefghijklmnop", f"Authorization: Bearer {HIDDEN}"),
        ("ghp_0123456789abcdefghij", HIDDEN),
        ("x eyJhbGciOiJI.eyJzdWIiOiIx.abcdef y", f"x {HIDDEN} y"),
        ("https://conda.example.org/t/ab-01234567-89ab-cdef-0123/main", f"https://conda.example.org/t/{HIDDEN}/main"),
        ("mail to jane@corp.example.com", "mail to user@host"),
        ("S-1-5-21-1004336348-1177238915-682003330-512", "S-1-5-21-0"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----", HIDDEN),
    ],
)
def test_what_is_taken_out(redaction: Redaction, text: str, expected: str) -> None:
    assert redaction.text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "C:\\Users\\Public\\Documents",
        "C:\\Python\\Lib\\site-packages\\django\\contrib\\users\\models.pyd",
        "C:\\Python\\Lib\\site-packages\\jane_ext.cp311-win_amd64.pyd",
        "https://index.example/simple/torch/",
        "?resize@Tensor@at@@QEBAAEBV12@V?$ArrayRef@_J@c10@@@Z",
        "torch 2.4.1+cu121 needs libomp140.x86_64.dll",
        "HKLM\\SOFTWARE\\Microsoft\\VisualStudio\\14.0\\VC\\Runtimes\\X64",
        "a basic problem // see C:\\Windows\\System32\\kernel32.dll",
        "\\\\?\\C:\\Windows",
    ],
)
def test_what_stays(redaction: Redaction, text: str) -> None:
    assert redaction.text(text) == text


def test_a_common_word_as_a_name_is_replaced_below_users_only() -> None:
    redaction = Redaction.of_environment({"USERNAME": "python", "USERPROFILE": "C:\\Users\\python"})
    assert redaction.text("C:\\Users\\python\\python\\python.exe") == "C:\\Users\\user\\python\\python.exe"


def test_a_name_of_two_letters_is_replaced_as_a_whole_folder_only() -> None:
    redaction = Redaction.of_environment({"USERNAME": "me"})
    assert redaction.text("D:\\me\\x told me") == "D:\\user\\x told me"


def test_the_same_name_gets_the_same_stand_in() -> None:
    redaction = Redaction.of_environment({})
    assert redaction.text("C:\\Users\\kim\\a;C:\\Users\\lee\\a;C:\\Users\\KIM\\b") == (
        "C:\\Users\\user\\a;C:\\Users\\user2\\a;C:\\Users\\user\\b"
    )


def test_a_variable_whose_name_says_secret_keeps_nothing(redaction: Redaction) -> None:
    assert redaction.variable("AWS_SECRET_ACCESS_KEY", "C:\\x") == HIDDEN
    assert redaction.variable("CUDA_PATH", "C:\\x") == "C:\\x"
    assert redaction.values({"env": {"NPM_TOKEN": "abc", "PATH": ["C:\\Users\\jane.doe"]}}) == {
        "env": {"NPM_TOKEN": HIDDEN, "PATH": ["C:\\Users\\user"]}
    }


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "DB_PASSWORD", "OPENAI_API_KEY", "SECRET", "MYSQL_PWD", "GH_PAT"])
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["PATH", "PYTHONPATH", "SSH_AUTH_SOCK", "CUDA_PATH", "KEYBOARD", "PWD_DIR", "PASSES"])
def test_names_of_what_is_no_secret(name: str) -> None:
    assert not is_secret_name(name)


@given(
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=5, max_size=20).map("zq".__add__),
    st.text(max_size=40),
    st.text(max_size=40),
)
def test_no_name_survives_anywhere(name: str, before: str, after: str) -> None:
    redaction = Redaction.of_environment({"USERNAME": name})
    for text in (f"{before} {name} {after}", f"{before}\\{name}\\{after}", f"C:\\Users\\{name}"):
        found = redaction.text(text).lower()
        assert f" {name} " not in found
        assert f"\\{name}\\" not in found


@given(st.text())
def test_redacting_twice_is_redacting_once(text: str) -> None:
    redaction = Redaction.of_environment(ENVIRONMENT)
    once = redaction.text(text)
    assert redaction.text(once) == once
