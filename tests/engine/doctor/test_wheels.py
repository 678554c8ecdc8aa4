"""`doctor` on published wheels, as pip installs them on a clean Windows: they load there, and no more is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.testbed.cache import link_tree
from tests.testbed.wheels import unpacked, wheel
from whyload.base.versions import PythonVersion
from whyload.engine.doctor.ask import ask_doctor
from whyload.findings.report import Report
from whyload.knowledge.systems import parse_profile
from whyload.world.clean_machine import Target, folder_on_clean_machine
from whyload.world.profile import SITE_PACKAGES

pytestmark = pytest.mark.wheels
PUBLISHED = (
    *("MarkupSafe==2.1.5", "PyYAML==6.0.2", "cffi==1.17.1", "pycparser==2.22", "cryptography==43.0.1", "lxml==5.3.0"),
    *("pillow==10.4.0", "numpy==1.26.4", "pandas==2.2.3", "python-dateutil==2.9.0.post0", "pytz==2024.2"),
    *("tzdata==2024.2", "six==1.16.0", "scipy==1.14.1", "joblib==1.4.2", "threadpoolctl==3.5.0", "h5py==3.11.0"),
    *("scikit-learn==1.5.2", "shapely==2.0.6", "psycopg2-binary==2.9.9", "pyzmq==26.2.0", "numexpr==2.10.1"),
    *("lightgbm==4.5.0", "pywin32==306", "opencv-python==4.10.0.84", "protobuf==5.28.2"),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site-packages folder with all of them."""
    folder = tmp_path_factory.mktemp("site-packages")
    for requirement in PUBLISHED:
        link_tree(unpacked(wheel(requirement)) / "site", folder)
    return folder


def doctor(site: Path, profile: str) -> Report:
    target = Target(python=PythonVersion(3, 11), profile=parse_profile(profile))
    return ask_doctor(folder_on_clean_machine(site, SITE_PACKAGES, target))


def test_a_healthy_environment(site: Path) -> None:
    report = doctor(site, "windows-11-23h2+vcredist")
    assert [(finding.code, finding.object) for finding in report.findings] == []
    assert report.exit_code == 0
    assert report.machine is not None
    assert len(report.machine.environment.distributions) == len(PUBLISHED)
    assert report.machine.native_files.modules > 300
    assert report.machine.native_files.failed == ()


def test_without_the_cpp_runtime(site: Path) -> None:
    """Most bring a C++ runtime of their own; numexpr imports the system's."""
    report = doctor(site, "windows-11-23h2")
    assert report.exit_code == 1
    assert [(item.code, item.owner and item.owner.distribution) for item in report.errors] == [
        ("missing-vc-runtime", "numexpr")
    ]
