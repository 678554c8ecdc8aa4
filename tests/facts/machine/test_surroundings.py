"""PATH, hardware and security software."""

from __future__ import annotations

from tests.facts.machine.machines import Keys, facts, machine
from tests.testbed.memory import SYSTEM32, Files
from tests.testbed.pewriter import Dll
from whyload.base.dataclass import replace
from whyload.facts.machine.search_path import Oddity
from whyload.world.measured import DriveKind, LogEvent, Measured, Memory
from whyload.world.model import Environment

DEFENDER = "Microsoft-Windows-Windows Defender/Operational"
CODE_INTEGRITY = "Microsoft-Windows-CodeIntegrity/Operational"


def test_path_entry_by_entry() -> None:
    files: Files = {
        "C:\\one\\zlib1.dll": Dll(name="zlib1.dll"),
        "C:\\one\\cudart64_12.dll": Dll(name="cudart64_12.dll"),
        "C:\\two\\cudart64_12.dll": Dll(name="cudart64_12.dll"),
        "C:\\file": b"",
        "Z:\\net\\x.dll": b"",
        "C:\\work\\tools\\x.dll": b"",
    }
    entries = ["C:\\one", "C:\\two", "C:\\gone", "C:\\file", "c:\\ONE\\", '"C:\\two"', " C:\\two", "tools"]
    entries += ["%JAVA_HOME%\\bin", "Z:\\net", "\\\\server\\share"]
    made = machine(files, measured=Measured(drives={"Z": DriveKind.NETWORK}), path=entries)
    found = facts(made).search_path
    assert found.entries is not None
    assert [entry.text for entry in found.entries] == [*entries, SYSTEM32]
    odd = {entry.text: entry.oddities for entry in found.entries if entry.oddities}
    assert odd == {
        "C:\\gone": (Oddity.MISSING,),
        "C:\\file": (Oddity.NOT_A_FOLDER,),
        "c:\\ONE\\": (Oddity.DUPLICATE,),
        '"C:\\two"': (Oddity.QUOTED, Oddity.DUPLICATE),
        " C:\\two": (Oddity.BLANKS, Oddity.DUPLICATE),
        "tools": (Oddity.RELATIVE,),
        "%JAVA_HOME%\\bin": (Oddity.VARIABLE, Oddity.RELATIVE, Oddity.MISSING),
        "Z:\\net": (Oddity.NETWORK,),
        "\\\\server\\share": (Oddity.NETWORK, Oddity.MISSING),
    }
    assert [(item.name, str(item.by)) for entry in found.entries for item in entry.hidden] == [
        ("cudart64_12.dll", "C:\\one")
    ]
    assert (found.has_system32, found.length) == (True, len(";".join([*entries, SYSTEM32])))


def test_path_that_is_not_known() -> None:
    made = replace(machine(), environment=Environment({}))
    assert facts(made).search_path.entries is None


def test_hardware() -> None:
    memory = Memory(physical=16, physical_free=8, commit_limit=16, commit_free=1)
    keys: Keys = {
        "HKLM\\HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0": {"ProcessorNameString": " Some CPU  "},
        "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management": {
            "PagingFiles": ["C:\\pagefile.sys 0 0", ""]
        },
    }
    found = facts(machine(keys=keys, measured=Measured(memory=memory, processor_features={"avx2": True}))).hardware
    assert (found.processor, found.features, found.memory) == ("Some CPU", {"avx2": True}, memory)
    assert found.paging_files == ("C:\\pagefile.sys 0 0",)
    unknown = facts(machine(measured=Measured(unmeasured={"memory": "OSError: no"}))).hardware
    assert unknown.unknown["memory"] == "OSError: no"
    assert set(unknown.unknown) == {"processor", "features", "memory", "paging_files", "drives"}


def test_security_software_and_what_it_did() -> None:
    key = "HKLM\\SOFTWARE\\Microsoft\\Security Center\\Provider\\Av"
    keys = {
        f"{key}\\{{A}}": {"DISPLAYNAME": "Windows Defender", "STATE": 0x061100},
        f"{key}\\{{B}}": {"DISPLAYNAME": "Other", "STATE": 0x060100},
    }
    paths = "file:_C:\\Python\\x.dll; containerfile:_C:\\temp\\y.whl"
    events = (
        LogEvent(log=DEFENDER, provider="d", event_id=1117, time="t2", data={"Threat Name": "T", "Path": paths}),
        LogEvent(log=DEFENDER, provider="d", event_id=5007, time="t1", data={"Path": "file:_C:\\no.dll"}),
        LogEvent(
            log=CODE_INTEGRITY,
            provider="c",
            event_id=3077,
            time="t0",
            data={"File Name": "\\Device\\HarddiskVolume3\\Python\\z.pyd", "PolicyName": "P"},
        ),
        LogEvent(
            log="Application", provider="SideBySide", event_id=33, time="t0", data={"0": "C:\\a.pyd", "1": "VC90"}
        ),
    )
    found = facts(machine(keys=keys, measured=Measured(events=events))).security
    assert found.products is not None
    assert [(item.name, item.active) for item in found.products] == [("Windows Defender", True), ("Other", False)]
    assert found.detections is not None
    assert [(str(item.path), item.threat) for item in found.detections] == [
        ("C:\\Python\\x.dll", "T"),
        ("C:\\temp\\y.whl", "T"),
    ]
    assert found.blocked is not None
    assert [(str(item.path), item.action) for item in found.blocked] == [("C:\\Python\\z.pyd", "blocked")]
    assert found.side_by_side == ("C:\\a.pyd; VC90",)
    assert facts(machine()).security.products is None
