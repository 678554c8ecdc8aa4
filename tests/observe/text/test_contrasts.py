"""Where it works and where not, in the words that people use; the same words that say the opposite or nothing."""

from __future__ import annotations

import pytest

from whyload.observe.text.clues import Trait
from whyload.observe.text.contrasts import read_contrasts


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("note: works from cmd", Trait.OTHER_SHELL),
        ("note: only in pycharm", Trait.OTHER_SHELL),
        ("ide: spyder; in the terminal no error", Trait.OTHER_SHELL),
        ("note: visual studio's tools show it, the command prompt doesn't", Trait.OTHER_SHELL),
        ("用 pycharm 运行就报错，用命令提示符没有问题", Trait.OTHER_SHELL),
        ("先导入就报错，反过来正常", Trait.ALONE_WORKS),
        ("run as a windows service; interactively it works", Trait.OTHER_SHELL),
        ("in the terminal, after an export, it works", Trait.OTHER_SHELL),
        ("note: 命令行下可以导入，vs code 里不行", Trait.OTHER_SHELL),
        ("works after conda activate", Trait.NOT_ACTIVATED),
        ("numpy works in the anaconda prompt", Trait.NOT_ACTIVATED),
        ("host: matlab; the same environment's python works", Trait.ALONE),
        ("in python.exe the import works", Trait.ALONE),
        ("host: power bi", Trait.EMBEDDED),
        ("how: r markdown by reticulate; from jupyter numpy can be imported", Trait.ALONE),
        ("it fails only when i import torch before it", Trait.ALONE_WORKS),
        ("the error only occurs after the import of cv2", Trait.ALONE_WORKS),
        ("with the imports in the other order it works", Trait.ALONE_WORKS),
        ("swapping the two imports cures it", Trait.ALONE_WORKS),
        ("without torch the import works", Trait.ALONE_WORKS),
        ("from another directory it works", Trait.CLONE),
        ("换一个目录就正常", Trait.CLONE),
        ("with an empty path it works", Trait.TWO_COPIES),
        ("removing that folder helps", Trait.TWO_COPIES),
        ("works with ld_library_path set", Trait.FOLDER_HELPS),
        ("with all dlls beside the .pyd it works", Trait.FOLDER_HELPS),
        ("copying the dlls next to the pyd helps", Trait.FOLDER_HELPS),
        ("the exe works on the developer's machine", Trait.FROZEN),
        ("as a script it works, as exe not", Trait.FROZEN),
    ],
)
def test_told(said: str, trait: Trait) -> None:
    assert trait in read_contrasts(said)


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("it does not work from cmd", Trait.OTHER_SHELL),
        ("nothing works in the terminal", Trait.OTHER_SHELL),
        ("the .exe works from cmd", Trait.OTHER_SHELL),
        ("ffmpeg: full build, ffmpeg -version works", Trait.OTHER_SHELL),
        ("the same error in pycharm and in the terminal, it does not import", Trait.OTHER_SHELL),
        ("changing the working directory to the folder of the dll does not help", Trait.FOLDER_HELPS),
        ("pycharm 2023.1", Trait.OTHER_SHELL),
        ("activating the environment does not help", Trait.NOT_ACTIVATED),
        ("host: pycharm", Trait.EMBEDDED),
        ("it fails whenever i import torch", Trait.ALONE_WORKS),
        ("adding it to path does not help", Trait.FOLDER_HELPS),
        ("copying msvcp140.dll beside python.exe works", Trait.FOLDER_HELPS),
        ("importerror: it works in cmd", Trait.OTHER_SHELL),
        ("运行 cmd 不能正常", Trait.OTHER_SHELL),
    ],
)
def test_not_told(said: str, trait: Trait) -> None:
    assert trait not in read_contrasts(said)
