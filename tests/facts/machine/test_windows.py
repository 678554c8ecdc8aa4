"""Windows: what its registry says (Microsoft's pages are named in the module), and what is not known."""

from __future__ import annotations

import pytest

from tests.facts.machine.machines import Keys, facts, machine
from tests.testbed.memory import SYSTEM32
from whyload.base.dataclass import replace
from whyload.facts.machine.windows import Policy, WindowsFacts
from whyload.world.measured import Measured

CURRENT = "HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"
KEYS: Keys = {
    CURRENT: {
        "ProductName": "Windows 10 Pro",
        "DisplayVersion": "23H2",
        "UBR": 3880,
        "InstallationType": "Client",
    },
    "HKLM\\SYSTEM\\CurrentControlSet\\Control\\FileSystem": {"LongPathsEnabled": 1},
    "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager": {"SafeDllSearchMode": 0},
    "HKLM\\SYSTEM\\CurrentControlSet\\Control\\CI\\Policy": {"VerifiedAndReputablePolicyState": 1},
    "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\Language": {"InstallLanguage": "0804"},
    "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Nls\\CodePage": {"ACP": "936"},
}


def windows(keys: Keys, edition: str | None = "ProfessionalN", measured: Measured | None = None) -> WindowsFacts:
    made = machine({f"{SYSTEM32}\\CodeIntegrity\\CiPolicies\\Active\\{{A}}.cip": b""}, keys, measured or Measured())
    return facts(replace(made, system=replace(made.system, edition=edition))).windows


def test_what_the_registry_says() -> None:
    found = windows(KEYS)
    assert (found.product, found.release, found.build, found.revision) == ("Windows 11 Pro", "23H2", 22631, 3880)
    assert (found.edition, found.is_n, found.installation) == ("ProfessionalN", True, "Client")
    assert (found.language, found.code_page) == ("zh-CN", 936)
    assert (found.long_paths, found.safe_dll_search, found.wow64) == (True, False, False)
    assert found.smart_app_control is Policy.ENFORCED
    assert found.app_control_policies == ("{A}.cip",)
    assert found.read_from["revision"] == CURRENT


def test_what_is_not_known_says_why() -> None:
    found = windows({}, edition=None)
    for name in ("product", "release", "edition", "language", "long_paths", "smart_app_control", "app_control"):
        assert getattr(found, name) is None
        assert found.unknown[name]
    assert not set(found.unknown) & set(found.read_from)


def test_values_that_are_not_set_have_windows_own_default() -> None:
    found = windows({key: {} for key in KEYS})
    assert (found.long_paths, found.safe_dll_search, found.smart_app_control) == (False, True, Policy.OFF)


@pytest.mark.parametrize(
    ("edition", "is_n"),
    [
        ("Professional", False),
        ("ProfessionalN", True),
        ("CoreN", True),
        ("ServerStandard", False),
        ("IoTEnterpriseS", False),
    ],
)
def test_editions_without_media_features(edition: str, is_n: bool) -> None:
    assert windows(KEYS, edition).is_n is is_n


@pytest.mark.parametrize(
    ("options", "state"),
    [(0x01, Policy.OFF), (0x05, Policy.ENFORCED), (0x0D, Policy.EVALUATION), (None, None)],
)
def test_app_control_as_the_kernel_has_it(options: int | None, state: Policy | None) -> None:
    assert windows(KEYS, measured=Measured(code_integrity=options)).app_control is state


def test_the_language_of_the_person_comes_first() -> None:
    assert windows(KEYS, measured=Measured(ui_language="de-DE")).language == "de-DE"
    desktop = {"HKCU\\Control Panel\\Desktop": {"PreferredUILanguages": ["fr-FR"]}}
    assert windows({**KEYS, **desktop}).language == "fr-FR"
