"""Cause: docs/causes.md `corrupt-install`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only, saying
from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll, build
from whyload.base.paths import WinPath
from whyload.findings.model import Severity
from whyload.findings.report import Verdict
from whyload.observe.events import ModuleStarted, Place, Raised

LIBRARY = Dll(name="hdf5.dll", exports={"f": 1})
FILES = {"pkg/_x.pyd": module({"hdf5.dll": ["f"]}), "pkg/hdf5.dll": LIBRARY}


def installed() -> dict[str, bytes | str | Dll]:
    return {path.replace("/", "\\"): data for path, data in record("pkg", "1.0", FILES).items()}


def test_stays_quiet_when_all_is_as_recorded() -> None:
    assert codes(ask(world(installed()))) == []


def test_an_empty_file() -> None:
    finding = only(ask(world({**installed(), f"{SITE}\\pkg\\hdf5.dll": b""})))
    assert (finding.code, str(finding.culprit), finding.object) == (
        "corrupt-install",
        f"{SITE}\\pkg\\hdf5.dll",
        "hdf5.dll",
    )
    assert finding.remedies[0].commands[0].endswith("pkg==1.0")


def test_a_cut_file() -> None:
    data = build(LIBRARY)
    finding = only(ask(world({**installed(), f"{SITE}\\pkg\\hdf5.dll": data[: len(data) // 2]})))
    assert (finding.code, finding.object) == ("corrupt-install", "hdf5.dll")


def test_a_file_that_is_gone_and_wanted() -> None:
    files = installed()
    del files[f"{SITE}\\pkg\\hdf5.dll"]
    findings = ask(world(files)).findings
    assert findings[0].code == "corrupt-install"
    assert (str(findings[0].culprit), findings[0].object) == (MODULE, "hdf5.dll")


def test_a_module_that_is_gone() -> None:
    files = installed()
    del files[MODULE]
    finding = ask(world(files), ()).findings
    assert finding == ()  # nothing of the package was used
    finding = ask(world(files), (ModuleStarted(module="pkg", file=None),)).findings
    assert [(f.code, str(f.culprit)) for f in finding] == [("corrupt-install", MODULE)]
    assert "security software" in finding[0].notes[0].en


def test_an_altered_file_that_does_not_start() -> None:
    stub = Dll(name="hdf5.dll", exports={"f": 1}, dllmain=DllMain.FALSE, padding=4096)
    finding = only(ask(world({**installed(), f"{SITE}\\pkg\\hdf5.dll": stub})))
    assert (finding.code, finding.object) == ("corrupt-install", "hdf5.dll")


def test_a_file_without_a_record_is_no_matter_of_an_installation() -> None:
    files: Files = {MODULE: module({"hdf5.dll": ["f"]}), f"{SITE}\\pkg\\hdf5.dll": "<html><body>404</body></html>" * 99}
    assert codes(ask(world(files))) == ["not-a-library-file"]


def test_a_library_that_is_gone_and_that_nothing_asks_for() -> None:
    files = {name.replace("/", "\\"): data for name, data in record("pkg", "1.0", {
        "pkg/__init__.py": "", "pkg/codec.dll": LIBRARY,
    }).items()}  # fmt: skip
    del files[f"{SITE}\\pkg\\codec.dll"]
    report = ask(world(files), (ModuleStarted(module="pkg", file=None),))
    assert [(f.code, f.severity, f.object) for f in report.findings] == [
        ("corrupt-install", Severity.WARNING, "codec.dll")
    ]
    assert report.verdict is Verdict.LOADS


def test_the_module_that_was_sought_comes_first() -> None:
    files = {name.replace("/", "\\"): data for name, data in record("pkg", "1.0", {
        "pkg/__init__.py": "", "pkg/_a.pyd": Dll(name="_a.pyd"), "pkg/_b.pyd": Dll(name="_b.pyd"),
    }).items()}  # fmt: skip
    del files[f"{SITE}\\pkg\\_a.pyd"], files[f"{SITE}\\pkg\\_b.pyd"]
    error = Raised(exception="ImportError", text="cannot import name '_b' from 'pkg' (C:\\x)")
    report = ask(world(files), (ModuleStarted(module="pkg", file=None), error))
    assert [(f.code, f.severity, f.object) for f in report.findings] == [("corrupt-install", Severity.ERROR, "_b.pyd")]


def test_an_error_about_another_module_is_not_explained_by_it() -> None:
    files = installed()
    del files[MODULE]
    error = Raised(exception="ModuleNotFoundError", text="No module named 'yaml'", module="yaml")
    report = ask(world(files), (ModuleStarted(module="pkg", file=None), error))
    assert [f.severity for f in report.findings] == [Severity.WARNING]
    assert report.verdict is Verdict.UNKNOWN


def test_a_path_file_that_is_gone() -> None:
    files = {name.replace("/", "\\"): data for name, data in record("pywin32", "306", {
        "pywin32.pth": "win32\n", "win32/win32api.pyd": Dll(name="win32api.pyd", pyinit="win32api"),
    }).items()}  # fmt: skip
    error = Raised(exception="ModuleNotFoundError", text="No module named 'win32api'", module="win32api")
    assert codes(ask(world(files), (error,))) == []
    del files[f"{SITE}\\pywin32.pth"]
    report = ask(world(files), (error,))
    assert [(f.code, f.object) for f in report.findings] == [("corrupt-install", "pywin32.pth")]
    assert report.verdict is Verdict.FAILS


def test_a_package_without_its_python_files_is_empty() -> None:
    files = {name.replace("/", "\\"): data for name, data in record("open-images", "4.10", {
        "images/__init__.py": "", "images/data/table.txt": "1",
    }).items()}  # fmt: skip
    said = "AttributeError: module 'images' has no attribute 'imread'"
    assert codes(ask(saying(world(files), said), ())) == []
    del files[f"{SITE}\\images\\__init__.py"]
    finding = only(ask(saying(world(files), said), ()))
    assert (finding.code, finding.object) == ("corrupt-install", "__init__.py")
    assert finding.severity is Severity.ERROR
    assert finding.remedies[0].commands[0].endswith("open-images==4.10")


def test_the_library_first_where_the_whole_folder_is_gone() -> None:
    files = {name.replace("/", "\\"): data for name, data in record("open-images", "4.10", {
        "images/__init__.py": "", "images/images.pyd": Dll(name="images.pyd", pyinit="images"),
    }).items()}  # fmt: skip
    del files[f"{SITE}\\images\\__init__.py"], files[f"{SITE}\\images\\images.pyd"]
    for said in (
        "AttributeError: module 'images' has no attribute 'imread'",
        "ModuleNotFoundError: No module named 'images'",
    ):
        error = Raised(exception=said.partition(":")[0], text=said)
        finding = only(ask(saying(world(files), said), (error,)))
        assert (finding.code, finding.object, finding.severity) == ("corrupt-install", "images.pyd", Severity.ERROR)


def test_a_stand_in_of_python_that_says_it_in_its_own_words() -> None:
    files = {name.replace("/", "\\"): data for name, data in record("pkg", "1.0", {
        "pkg/__init__.py": "", "pkg/core/_x.pyd": Dll(name="_x.pyd"), "pkg/core/_x.py": "", "pkg/other/_y.py": "",
    }).items()}  # fmt: skip
    del files[f"{SITE}\\pkg\\core\\_x.pyd"]

    def severities(file: str, said: str) -> list[Severity]:
        place = Place(file=WinPath(f"{SITE}\\pkg\\{file}"), line=33)
        earlier = Raised(exception="ImportError", text=said, module="pkg._other_backend", place=place)
        machine = saying(world(files), f"ImportError: {said}")
        return [f.severity for f in ask(machine, (ModuleStarted(module="pkg", file=None), earlier)).findings]

    assert severities("core\\_x.py", "it has not been compiled") == [Severity.ERROR]
    assert severities("other\\_y.py", "it has not been compiled") == [Severity.WARNING]
    assert severities("core\\_x.py", "No module named 'yaml'") == [Severity.WARNING]
