"""What people say in passing, and the words beside it that say the opposite or nothing."""

from __future__ import annotations

import pytest

from whyload.observe.text.clues import Trait
from whyload.observe.text.traits import plain_keys, read_traits


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("the explorer finds the file at that place", Trait.FILE_IS_THERE),
        ("i can find it with dir", Trait.FILE_IS_THERE),
        ("we can see the dll in the folder", Trait.FILE_IS_THERE),
        ("mcr.microsoft.com/windows/servercore:ltsc2022", Trait.SERVER_CORE),
        ("windows server 2022, nano server image", Trait.SERVER_CORE),
        ("i created an exe with pyinstaller", Trait.FROZEN),
        ("installed with miniconda", Trait.CONDA),
        ("kaspersky is running", Trait.SECURITY_SOFTWARE),
        ("os: windows server 2019, core installation", Trait.SERVER_CORE),
        ("windows 10 build 10240", Trait.OLD_WINDOWS),
        ("cpu: i7 920", Trait.NO_AVX),
        ("cpu: xeon e5520", Trait.NO_AVX),
        ("channels: conda-forge, defaults", Trait.MIXED_CHANNELS),
        ("the file is 0 bytes long", Trait.DAMAGED),
    ],
)
def test_told(said: str, trait: Trait) -> None:
    assert trait in read_traits(said)


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("windows cannot find the file", Trait.FILE_IS_THERE),
        ("python does not find the dll", Trait.FILE_IS_THERE),
        ("i do not know where i can find it", Trait.FILE_IS_THERE),
        ("windows server 2022", Trait.SERVER_CORE),
        ("pip install pyinstaller.exe", Trait.FROZEN),
        ("this is python.org's python, not conda", Trait.CONDA),
        ("without using conda", Trait.CONDA),
        ("make sure that c:\\conda is in your path", Trait.ON_PATH),
        ("aborted (core dumped)", Trait.DAMAGED),
        ("works in the activated environment", Trait.NOT_ACTIVATED),
        ("windows server 2019", Trait.SERVER_CORE),
        ("windows media player 12", Trait.N_EDITION),
        ("windows 10 build 19045", Trait.OLD_WINDOWS),
        ("cpu: intel core i7-8700", Trait.NO_AVX),
        ("cpu: xeon e5-2680 v4", Trait.NO_AVX),
        ("channels: conda-forge", Trait.MIXED_CHANNELS),
    ],
)
def test_not_told(said: str, trait: Trait) -> None:
    assert trait not in read_traits(said)


def test_keys_are_words() -> None:
    assert plain_keys("LD_LIBRARY_PATH: empty") == "LD_LIBRARY_PATH: empty"
    assert plain_keys("also_installed: numpy 1.26\nfile_name.dll") == "also installed: numpy 1.26\nfile_name.dll"


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("antivirus: none", Trait.SECURITY_SOFTWARE),
        ("no antivirus installed", Trait.SECURITY_SOFTWARE),
        ("python was added to path", Trait.ON_PATH),
        ("tried another version, same error", Trait.TWO_COPIES),
    ],
)
def test_what_everybody_says_tells_nothing(said: str, trait: Trait) -> None:
    assert trait not in read_traits(said)
