"""Cause: docs/causes.md `python-version-mismatch`; loader.md R3.4, R3.9, R3.13."""

from __future__ import annotations

from tests.rules.asking import MODULE, ask, module, only
from tests.testbed.memory import SITE, record, world
from tests.testbed.pewriter import Dll
from whyload.findings.report import Verdict
from whyload.observe.events import Raised


def test_a_module_that_wants_another_pythons_dll() -> None:
    finding = only(ask(world({MODULE: module({"pywintypes310.dll": ["f"], "python310.dll": ["g"]})})))
    assert (finding.code, str(finding.culprit), finding.object) == ("python-version-mismatch", MODULE, "python310.dll")


def test_a_module_with_another_pythons_tag() -> None:
    files = record("pkg", "1.0", {"pkg/__init__.py": "", "pkg/_x.cp310-win_amd64.pyd": Dll(name="_x.pyd")})
    missing = Raised(exception="ModuleNotFoundError", text="No module named 'pkg._x'", module="pkg._x")
    report = ask(world(files), (missing,))
    finding = only(report)
    assert report.verdict is Verdict.FAILS
    assert finding.code == "python-version-mismatch"
    assert str(finding.culprit) == f"{SITE}\\pkg\\_x.cp310-win_amd64.pyd"


def test_its_own_dll_is_fine() -> None:
    assert ask(world({MODULE: module({"python311.dll": ["PyModule_Create2"]})})).findings == ()


def test_a_module_whose_other_python_is_there_too_r3_4() -> None:
    files = {
        MODULE: module({"python310.dll": ["PyModule_Create2"]}),
        f"{SITE}\\pkg\\python310.dll": Dll(name="python310.dll", exports={"PyModule_Create2": 1}),
    }
    finding = only(ask(world(files)))
    assert (finding.code, str(finding.culprit), finding.object) == ("python-version-mismatch", MODULE, "python310.dll")
