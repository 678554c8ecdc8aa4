"""What installed distributions require of one another (PyPA, "Core metadata": Requires-Dist)."""

from __future__ import annotations

from tests.testbed.memory import SITE, Files, record, world
from whyload.base.paths import WinPath
from whyload.facts.packages import Packages
from whyload.facts.requirements import Requirement, demanded, requirements


def found(*needs: str) -> tuple[Requirement, ...]:
    files: Files = {**record("pkg", "1.0", {"pkg.py": ""}), **record("My_Other", "2.5", {"other.py": ""})}
    files[f"{SITE}\\pkg-1.0.dist-info\\METADATA"] = (
        "Metadata-Version: 2.1\nName: pkg\n"
        + "".join(f"Requires-Dist: {n}\n" for n in needs)
        + "\nRequires-Dist: text\n"
    )
    machine = world(files)
    folders = (WinPath(SITE),)
    return requirements(machine, Packages(machine.files, folders), folders)


def test_what_is_there_and_fits_and_what_is_not() -> None:
    states = {r.text: r.satisfied for r in found("my-other>=2", "my.other<2", "absent==1.*")}
    assert states == {"my-other>=2": True, "my.other<2": False, "absent==1.*": False}


def test_markers_are_those_of_the_machine_in_question() -> None:
    wanted = (
        'a; sys_platform == "win32"',
        'b; sys_platform == "linux"',
        'c; python_version < "3.11"',
        'd; extra == "x"',
    )
    assert [r.distribution for r in found(*wanted)] == ["a"]


def test_lines_that_cannot_be_read_are_left_out() -> None:
    assert [r.distribution for r in found("???", "a")] == ["a"]


def test_demands_add_up() -> None:
    assert demanded(found("My-Other>=2", "my_other<3", "a"), "my.other") == "<3,>=2"
    assert demanded(found("a"), "b") == ""
