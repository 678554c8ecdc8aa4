"""Remarks and what they mean, in several orders of their words; remarks of the same words that mean nothing here."""

from __future__ import annotations

import pytest

from whyload.observe.text.clues import Trait
from whyload.observe.text.remarks import read_remarks


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("python_distribution: miniconda, never activated", Trait.NOT_ACTIVATED),
        ("setupvars.bat was not run", Trait.NOT_ACTIVATED),
        ("installing the visual c++ redistributable fixed it", Trait.RUNTIME_HELPS),
        ("note: conda install vs2015_runtime helped", Trait.RUNTIME_HELPS),
        ("conda activate was not run", Trait.NOT_ACTIVATED),
        ("没有激活环境", Trait.NOT_ACTIVATED),
        ("media feature pack not installed", Trait.N_EDITION),
        ("path contains the folder of the dlls", Trait.ON_PATH),
        ("已把 bin 目录加入 path", Trait.ON_PATH),
        ("own build with visual studio 2019", Trait.BUILT_HERE),
        ("cpu: sse4.2 only", Trait.NO_AVX),
        ("cpu 没有 avx 指令集", Trait.NO_AVX),
        ("packages of two channels in one environment", Trait.MIXED_CHANNELS),
        ("file smaller than in the wheel", Trait.DAMAGED),
        ("文件大小为 0", Trait.DAMAGED),
        ("the dll was compiled by gfortran", Trait.BUILT_HERE),
        ("library: foo.dll 131072 bytes instead of 240640", Trait.DAMAGED),
        ("its sha256 differs from record", Trait.DAMAGED),
        ("ldconfig was not run", Trait.FOLDER_HELPS),
        ("note: moving the import to the top cures it", Trait.OTHER_FIRST),
        ("also imported: pyqt5, first", Trait.OTHER_FIRST),
        ("loaded before: pandas", Trait.OTHER_FIRST),
        ("windows: 8.1", Trait.OLD_WINDOWS),
        ("windows version: 1607", Trait.OLD_WINDOWS),
        ("edition: n", Trait.N_EDITION),
        ("also imported: pyside6 (earlier)", Trait.OTHER_FIRST),
        ("note: ld_library_path lost under sudo", Trait.FOLDER_HELPS),
        ("note: the pyd is only 1 kb, should be 2 mb", Trait.DAMAGED),
        ("cpu: vm with sse only", Trait.NO_AVX),
        ("note: started in the directory with setup.py of foo", Trait.CLONE),
        ("note: from source ok, in the bundle not", Trait.FROZEN),
        ("antivirus: removed the file", Trait.TAKEN_AWAY),
        ("被 360 误报删除", Trait.TAKEN_AWAY),
        ("gdal: built from source, prefix /usr/local", Trait.FILE_IS_THERE),
        ("python: debug build", Trait.DEBUG_PYTHON),
        ("note: the library is not installed", Trait.ABSENT),
        ("library at: /opt/foo/lib", Trait.FILE_IS_THERE),
        ("ld library path: not set", Trait.FOLDER_HELPS),
        ("note: no error if pyqt5 is not imported", Trait.OTHER_FIRST),
        ("note: 放在 pyqt5 前面导入就正常", Trait.OTHER_FIRST),
        ("note: depends on a dll that lies in a different folder", Trait.ON_PATH),
        ("build: third-party dlls in c:\\libs\\bin (on path)", Trait.ON_PATH),
        ("note: no os.add_dll_directory call", Trait.ON_PATH),
        ("note: 依赖的 dll 在 path 的另一个目录里", Trait.ON_PATH),
        ("note: wrapper of a c++ library, made with swig", Trait.BUILT_HERE),
        ("note: single-file exe", Trait.FROZEN),
        ("note: after freezing", Trait.FROZEN),
        ("note: the packed program works for the developer only", Trait.FROZEN),
        ("note: run in the checkout", Trait.CLONE),
        ("cwd: unpacked sdist", Trait.CLONE),
        ("note: cd to another directory cures it", Trait.CLONE),
        ("note: the media foundation feature is off", Trait.N_EDITION),
        ("os: windows 2016 server", Trait.SERVER),
        ("cpu: lacking avx", Trait.NO_AVX),
        ("note: the .pyd file has a size of 0", Trait.DAMAGED),
        ("note: 下载不完整", Trait.DAMAGED),
        ("pillow: wheel from pypi, environment from conda", Trait.PIP_IN_CONDA),
        ("note: endpoint protection removed the dll", Trait.SECURITY_SOFTWARE),
        ("note: ld_library_path lacks its folder", Trait.FOLDER_HELPS),
        ("note: putting the dlls into the package folder cures it", Trait.FOLDER_HELPS),
        ("note: 把 dll 复制到 pyd 旁边就好了", Trait.FOLDER_HELPS),
        ("libsmu: make install put it in /usr/local/lib", Trait.FILE_IS_THERE),
        ("note: numpy was upgraded while a notebook was running", Trait.DAMAGED),
        ("备注: 更新 pandas 时 spyder 没有关闭", Trait.DAMAGED),
        ("library: compiled with msvc and /openmp", Trait.OPENMP_BUILD),
        ("note: site-packages\\scipy\\.libs is empty", Trait.DAMAGED),
        ("note: an older canlib32.dll lies in system32", Trait.TWO_COPIES),
    ],
)
def test_told(said: str, trait: Trait) -> None:
    assert trait in read_remarks(said)


@pytest.mark.parametrize(
    ("said", "trait"),
    [
        ("works in the activated environment", Trait.NOT_ACTIVATED),
        ("activating the environment does not help", Trait.NOT_ACTIVATED),
        ("channels: conda-forge", Trait.MIXED_CHANNELS),
        ("in order to import it, i installed the wheel", Trait.OTHER_FIRST),
        ("an earlier version can be imported", Trait.OTHER_FIRST),
        ("import b comes after import a in the traceback:\nimport c", Trait.OTHER_FIRST),
        ("python director added to path", Trait.ON_PATH),
        ("please make sure libcudnn.so.8 is in your library path!", Trait.ON_PATH),
        ("the full path of the dll is too long", Trait.ON_PATH),
        ("cudnn: version 9 in /usr/lib", Trait.FILE_IS_THERE),
        ("windows: 10 22h2", Trait.OLD_WINDOWS),
        ("the model is loaded first", Trait.OTHER_FIRST),
        ("antivirus: avast", Trait.TAKEN_AWAY),
        ("defender did not delete anything", Trait.TAKEN_AWAY),
        ("python itself is not installed from the store", Trait.ABSENT),
        ("the bundled libraries of the wheel", Trait.FROZEN),
        ("the wheel has 20 mb, the dll 3 mb", Trait.DAMAGED),
        ("nvidia installer exe", Trait.FROZEN),
        ("c:\\v\\scripts\\python.exe main.py", Trait.FROZEN),
        ("host: own exe that embeds python", Trait.FROZEN),
        ("installed from the repository of the project", Trait.CLONE),
        ("windows media player 12", Trait.N_EDITION),
        ("sql server on windows", Trait.SERVER),
        ("cpu: i7-8700 with avx2, no avx512", Trait.NO_AVX),
        ("can not import avx core while this file exists", Trait.NO_AVX),
        ("new empty environment, everything installed anew", Trait.DAMAGED),
        ("installed from the commit hash 4fa3", Trait.DAMAGED),
        ("a wheel of christoph gohlke, built with mingw", Trait.BUILT_HERE),
        ("the sha256 of the wheel is a4f3", Trait.DAMAGED),
        ("pip 21.0, conda 4.8", Trait.PIP_IN_CONDA),
        ("setting ld_library_path does not help", Trait.FOLDER_HELPS),
        ("installed vc_redist, it does not help", Trait.RUNTIME_HELPS),
        ("vc runtime loaded from the folder of conda", Trait.RUNTIME_HELPS),
        ("with msvcp140.dll copied beside the dll it works", Trait.FOLDER_HELPS),
        ("python is installed in /usr/lib/python3.11", Trait.FILE_IS_THERE),
        ("oserror: libfoo.so found in /usr/lib/libfoo.so", Trait.FILE_IS_THERE),
        ("installed while connected by vpn", Trait.DAMAGED),
        ("wheel built without openmp", Trait.OPENMP_BUILD),
        ("note: site-packages is on path", Trait.DAMAGED),
        ("vcruntime140.dll in system32 is older", Trait.TWO_COPIES),
        ("build with mkl and llvm-openmp", Trait.OPENMP_BUILD),
    ],
)
def test_not_told(said: str, trait: Trait) -> None:
    assert trait not in read_remarks(said)


def test_of_a_long_log_the_ends_are_read() -> None:
    log = ["worker started"] * 2000
    told = "note: single-file exe"
    assert Trait.FROZEN in read_remarks("\n".join([told, *log]))
    assert Trait.FROZEN in read_remarks("\n".join([*log, told]))
    assert Trait.FROZEN not in read_remarks("\n".join([*log, told, *log]))
