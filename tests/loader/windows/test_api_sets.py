"""API sets in the order of resolution: loader.md R2.12 to R2.17, test rows 59 to 62."""

from __future__ import annotations

from tests.formats.pe.craft import Row, Shape
from tests.formats.test_apiset import section
from tests.testbed.memory import SITE, SYSTEM32, Files, world
from tests.testbed.pewriter import Dll
from whyload.base.message import message
from whyload.engine.simulate import started_process
from whyload.loader.model import LoadTree
from whyload.loader.windows.load import load

SCHEMA = Shape(
    rows=[
        Row(
            start=0x1000,
            name=b".apiset",
            data=section(
                {
                    "api-ms-win-core-io-l1-1-0": [("", "kernelbase.dll")],
                    "api-ms-win-crt-heap-l1-1-0": [("", "ucrtbase.dll")],
                    "ext-ms-win-gone-l1-1-0": [("", "")],
                }
            ),
        )
    ]
).build()
TOP = f"{SITE}\\x.dll"


def loading(name: str, files: Files | None = None, *, schema: bool = True) -> LoadTree:
    machine: Files = {
        TOP: Dll(name="x.dll", imports={name: ["f"]}),
        f"{SYSTEM32}\\kernelbase.dll": Dll(name="kernelbase.dll", exports={"f": 1}),
        **({f"{SYSTEM32}\\apisetschema.dll": SCHEMA} if schema else {}),
        **(files or {}),
    }
    return load(started_process(world(machine)), TOP, 0x1100)


def child(tree: LoadTree) -> str:
    return str(tree.root.children[0].path)


def test_a_contract_is_its_host_r2_12_r2_13_row_59() -> None:
    """Row 59, on Windows 10 and later: the last number does not count."""
    tree = loading("API-ms-win-core-io-l1-1-9.dll")
    assert (tree.status.winerror, child(tree)) == (0, f"{SYSTEM32}\\kernelbase.dll")


def test_row_59_until_windows_8_1_the_last_number_counts() -> None:
    old = Shape(
        rows=[
            Row(start=0x1000, name=b".apiset", data=section({"api-ms-win-core-io-l1-1-1": [("", "kernelbase.dll")]}, 4))
        ]
    )
    schema: Files = {f"{SYSTEM32}\\apisetschema.dll": old.build()}
    assert child(loading("api-ms-win-core-io-l1-1-1.dll", schema, schema=False)) == f"{SYSTEM32}\\kernelbase.dll"
    assert loading("api-ms-win-core-io-l1-1-99.dll", schema, schema=False).status.winerror == 126


def test_row_60_a_contract_without_a_host_is_not_looked_for_as_a_file_r2_14() -> None:
    name = "ext-ms-win-gone-l1-1-0.dll"
    tree = loading(name, {f"{SITE}\\{name}": Dll(name=name, exports={"f": 1})})
    assert (tree.status.winerror, tree.status.ntstatus, tree.missing) == (126, 0xC0000481, (name,))


def test_row_61_a_name_that_is_in_no_schema_is_an_ordinary_file_r2_15() -> None:
    name = "api-ms-win-own-l1-1-0.dll"
    assert loading(name).status.winerror == 126
    tree = loading(name, {f"{SITE}\\{name}": Dll(name=name, exports={"f": 1})})
    assert (tree.status.winerror, child(tree)) == (0, f"{SITE}\\{name}")


def test_a_private_universal_crt_is_never_used_r2_17() -> None:
    own = f"{SITE}\\ucrtbase.dll"
    tree = loading("api-ms-win-crt-heap-l1-1-0.dll", {own: Dll(name="ucrtbase.dll", exports={"f": 1})})
    assert child(tree) == f"{SYSTEM32}\\ucrtbase.dll"


def test_row_62_a_private_runtime_beside_the_program_is_said_to_be_ignored() -> None:
    """R2.17: taken is the one of System32, and the step says what was passed over."""
    own = "C:\\Python\\ucrtbase.dll"
    tree = loading("api-ms-win-crt-heap-l1-1-0.dll", {own: Dll(name="ucrtbase.dll", exports={"f": 1})})
    assert child(tree) == f"{SYSTEM32}\\ucrtbase.dll"
    assert own in message(tree.root.children[0].steps[-1].detail).en


def test_row_63_some_importers_get_a_host_of_their_own() -> None:
    hosts = {"api-ms-win-core-io-l1-1-0": [("", "kernel32.dll"), ("x.dll", "kernelbase.dll")]}
    special = Shape(rows=[Row(start=0x1000, name=b".apiset", data=section(hosts))]).build()
    schema: Files = {f"{SYSTEM32}\\apisetschema.dll": special}
    assert child(loading("api-ms-win-core-io-l1-1-0.dll", schema, schema=False)) == f"{SYSTEM32}\\kernelbase.dll"
    other = {**schema, f"{SITE}\\y.dll": Dll(name="y.dll", imports={"api-ms-win-core-io-l1-1-0.dll": ["Sleep"]})}
    tree = load(started_process(world(other)), f"{SITE}\\y.dll", 0x1100)
    assert child(tree) == f"{SYSTEM32}\\kernel32.dll"


def test_a_full_path_is_an_ordinary_file_r2_16() -> None:
    process = started_process(world({f"{SYSTEM32}\\apisetschema.dll": SCHEMA}))
    assert load(process, f"{SYSTEM32}\\api-ms-win-core-io-l1-1-0.dll", 0).status.winerror == 126


def test_without_a_schema_contracts_are_taken_as_present() -> None:
    known = loading("api-ms-win-core-synch-l1-2-0.dll", schema=False)
    assert (known.status.winerror, known.uncertain) == (0, ())
    unheard = loading("api-ms-win-core-newai-l1-9-0.dll", schema=False)
    assert (unheard.status.winerror, len(unheard.uncertain)) == (0, 1)
    runtime = loading("api-ms-win-crt-heap-l1-1-0.dll", schema=False)
    assert (child(runtime), runtime.uncertain) == (f"{SYSTEM32}\\ucrtbase.dll", ())
