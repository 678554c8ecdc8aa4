"""What CPython checks after the load: loader.md R3.4, R3.5, test rows 82 and 83."""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, world
from tests.testbed.pewriter import Dll
from whyload.engine.simulate import started_process
from whyload.loader.windows.extension import entry_function
from whyload.loader.windows.playback import Failure, play
from whyload.observe.events import LibraryLoad, Via


def failure(dll: Dll, name: str = "pk.noinit") -> Failure | None:
    path = f"{SITE}\\pk\\noinit.pyd"
    load = LibraryLoad(name=path, via=Via.IMPORT, flags=0x1100, module=name)
    return play(started_process(world({path: dll})), (load,)).failure


def test_no_entry_function_r3_5() -> None:
    found = failure(Dll(name="noinit.pyd", exports={"f": 1}))
    assert found is not None
    assert found.text == "dynamic module does not define module export function (PyInit_noinit)"


def test_the_last_component_counts_r3_5() -> None:
    assert failure(Dll(name="noinit.pyd", pyinit="noinit")) is None


@pytest.mark.parametrize(
    ("module", "function"), [("a.b", "PyInit_b"), ("lančmít", "PyInitU_lanmt_2sa6t"), ("スパム", "PyInitU_zck5b2b")]
)
def test_names_of_entry_functions_r3_5(module: str, function: str) -> None:
    """The examples of PEP 489."""
    assert entry_function(module) == function


@pytest.mark.parametrize(
    ("dll", "conflicts"), [("python39.dll", True), ("Python39.dll", False), ("python39t.dll", False)]
)
def test_the_conflict_is_compared_as_cpython_does_r3_4(dll: str, conflicts: bool) -> None:
    path = f"{SITE}\\pk\\noinit.pyd"
    files = {
        path: Dll(name="noinit.pyd", pyinit="noinit", imports={dll: ["f"]}),
        f"{SITE}\\pk\\{dll}": Dll(name=dll, exports={"f": 1}),
    }
    load = LibraryLoad(name=path, via=Via.IMPORT, flags=0x1100, module="pk.noinit")
    found = play(started_process(world(files)), (load,)).failure
    assert (found is not None and "conflicts with this version" in (found.text or "")) is conflicts
