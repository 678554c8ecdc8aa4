"""Cause: docs/causes.md `corrupt-install`."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, codes, module, only
from tests.testbed.dll import DllMain
from tests.testbed.memory import SITE, Files, record, world
from tests.testbed.pewriter import Dll, build

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
    from whyload.observe.events import ModuleStarted

    finding = ask(world(files), (ModuleStarted(module="pkg", file=None),)).findings
    assert [(f.code, str(f.culprit)) for f in finding] == [("corrupt-install", MODULE)]


def test_an_altered_file_that_does_not_start() -> None:
    stub = Dll(name="hdf5.dll", exports={"f": 1}, dllmain=DllMain.FALSE, padding=4096)
    finding = only(ask(world({**installed(), f"{SITE}\\pkg\\hdf5.dll": stub})))
    assert (finding.code, finding.object) == ("corrupt-install", "hdf5.dll")


def test_a_file_without_a_record_is_no_matter_of_an_installation() -> None:
    files: Files = {MODULE: module({"hdf5.dll": ["f"]}), f"{SITE}\\pkg\\hdf5.dll": "<html><body>404</body></html>" * 99}
    assert codes(ask(world(files))) == ["not-a-library-file"]
