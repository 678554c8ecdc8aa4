"""Messages in the words of loaders and builds, and which of them are about something else."""

from __future__ import annotations

import pytest

from whyload.knowledge.messages import Said
from whyload.observe.text.reading import read_clues

_ASKED_BY_BLACK = (
    '  File "/env/lib/python3.9/site-packages/black/__init__.py", line 1409, in patch_click\n'
    "    from clicks import _unicode\n"
)


@pytest.mark.parametrize(
    ("text", "related"),
    [
        # A private name: of a package of which the compiled modules are known
        ("ModuleNotFoundError: No module named 'torch._six'", False),
        ("ModuleNotFoundError: No module named 'torch._C'", True),
        ("ModuleNotFoundError: No module named 'torch._C._distributed_c10d'; 'torch._C' is not a package", True),
        ("ModuleNotFoundError: No module named 'numpy._core'", False),
        ("ModuleNotFoundError: No module named 'numpy.core._multiarray_umath'", True),
        ("ImportError: cannot import name '_path' from 'matplotlib' (/e/site-packages/matplotlib/__init__.py)", True),
        ("ImportError: cannot import name '_api' from 'matplotlib' (/e/site-packages/matplotlib/__init__.py)", False),
        # in a file that is no package
        ("ImportError: cannot import name '_x' from 'mine.a' (/e/site-packages/mine/a.py)", False),
        ("ImportError: cannot import name '_x' from 'mine.a' (/e/site-packages/mine/a/__init__.py)", True),
        ("ImportError: cannot import name '_x' from 'mine._utils'", False),
        # by its words no file
        ("ImportError: cannot import name '_BaseAppender' from 'mine' (/e/site-packages/mine/__init__.py)", False),
        ("ImportError: cannot import name '_get_data' from 'mine' (/e/site-packages/mine/__init__.py)", False),
        ("ImportError: cannot import name '_mine_ext' from 'mine' (/e/site-packages/mine/__init__.py)", True),
        ("ImportError: cannot import name '_C' from 'mine' (/e/site-packages/mine/__init__.py)", True),
        # Python code of a package with many compiled modules
        ("ModuleNotFoundError: No module named 'sklearn.linear_model._logistic'", False),
        ("ModuleNotFoundError: No module named 'sklearn.utils._cython_blas'", True),
        ("ModuleNotFoundError: No module named 'pandas._testing'", False),
        ("ModuleNotFoundError: No module named 'pandas._libs.tslib'", True),
        # asked for by another package, or by its own
        (f"{_ASKED_BY_BLACK}ImportError: cannot import name '_unicode' from 'clicks'", False),
        (f"{_ASKED_BY_BLACK.replace('black', 'clicks')}ImportError: cannot import name '_unicode' from 'clicks'", True),
        (f"{_ASKED_BY_BLACK}ImportError: cannot import name '_unicode' from 'clicks'\n_unicode.cp39-x.pyd", True),
        # text that was converted: Python 2 on Windows wrote it
        (r"ImportError: No module named 'numpy.core.multiarray\r'", False),
        ("ImportError: No module named 'numpy.core.multiarray'", True),
    ],
)
def test_private_names(text: str, related: bool) -> None:
    assert (read_clues(text).said(Said.NATIVE_MODULE_MISSING) is not None) is related


_LD = "collect2: error: ld returned 1 exit status"


@pytest.mark.parametrize(
    ("text", "related"),
    [
        (_LD, False),
        (f"main.cpp:(.text+0x51): undefined reference to `cv::imread'\n{_LD}", False),
        (f"{_LD}\npython: '3.11'", True),
        (f"main.cpp:(.text+0x51): undefined reference to `cv::imread'\n{_LD}\npython: '3.11'", False),
        (f"building 'mine._native' extension\nmain.cpp:(.text+0x51): undefined reference to `f'\n{_LD}", True),
        (f"main.c:(.text+0x51): undefined reference to `Py_Initialize'\n{_LD}", False),
        (f"x.c:(.text+0x51): undefined reference to `PyArg_ParseTuple'\n{_LD}", True),
        ("LINK : fatal error LNK1181: aio.lib\nAssertionError: Unable to pre-compile async_io", True),
        (f"{_LD}\nmmcv: '2.1.0'\nos: Ubuntu 22.04", True),
        ("x.obj : error LNK2001: unresolved external symbol __imp_PyExc_ValueError", True),
        ("./src/_portaudiomodule.c:29:10: fatal error: portaudio.h: No such file or directory", True),
        ("src/audio.c:29:10: fatal error: portaudio.h: No such file or directory", False),
        (f"main.cpp:(.text+0x51): undefined reference to `f'\n{_LD}\nshapely: installed by pip", False),
        ("/tmp/tmpabc/main.c:4:10: fatal error: cuda.h: No such file or directory\ntriton: 2.1.0", True),
        (
            "#### failed to build some targets ####\nninja: build stopped: subcommand failed.\nFAILED: out/soong/b",
            False,
        ),
        ("FAILED: lib/CMakeFiles/LLVMX86.dir/a.cpp.o\nninja: build stopped: subcommand failed.", False),
        ("[2/3] cl /nologo /MD -c rasterizer.cpp\nninja: build stopped: subcommand failed.", True),
        ("link.exe: error LNK2001: unresolved external symbol f\nos: Windows\npython: '3.11'", True),
        ("game.exe : fatal error LNK1120: 1 unresolved externals\nos: Windows\npython: '3.11'", False),
        ("ld: library not found for -lPods\nclang: error: linker command failed with exit code 1", False),
        ("ld: library not found for -lomp\nclang: error: linker command failed with exit code 1", True),
        (
            "error: command 'gcc' failed with exit status 1\nmain.c:3:10: fatal error: a.h: No such file or directory",
            True,
        ),
    ],
)
def test_builds(text: str, related: bool) -> None:
    assert (read_clues(text).said(Said.BUILD_FAILED) is not None) is related


@pytest.mark.parametrize(
    ("text", "related"),
    [
        ("wasm-ld: error: main.o: undefined symbol: draw", False),
        ("wasm-ld: error: libremglk.a(gi_dispa.c.o): undefined symbol: draw", False),
        ("ld.lld: error: undefined symbol: vtable for Shape", False),
        ("python: symbol lookup error: /usr/lib/libx.so: undefined symbol: draw", True),
        ("python: symbol lookup error: undefined symbol: draw", True),
        ("ImportError: /e/x.so: undefined symbol: draw", True),
        ("Error: /e/x.so: undefined symbol: draw", True),
        ("error: /e/x.so: undefined symbol: draw", True),
    ],
)
def test_linkers(text: str, related: bool) -> None:
    assert (read_clues(text).said(Said.UNDEFINED_SYMBOL) is not None) is related


@pytest.mark.parametrize(
    ("text", "related"),
    [
        ("CSC : error CS0006: Metadata file 'C:\\b\\GitUI.dll' could not be found", False),
        ("vbc : error BC2017: could not find library 'D:\\b\\Workspaces.dll'", False),
        ("'C:\\b\\GitUI.dll' could not be found", True),
    ],
)
def test_assemblies(text: str, related: bool) -> None:
    assert (read_clues(text).said(Said.LIBRARY_MISSING) is not None) is related


_FROZEN = "[4711] Failed to execute script 'main' due to unhandled exception!"


@pytest.mark.parametrize(
    ("text", "related"),
    [
        (f"KeyError: 'settings'\n{_FROZEN}", False),
        (f"OSError: [WinError 10048] Only one usage of each socket address\n{_FROZEN}", False),
        (f"ModuleNotFoundError: No module named 'mine'\n{_FROZEN}", True),
        (f"FileNotFoundError: [Errno 2] No such file or directory: 'C:\\\\_MEI12\\\\a.json'\n{_FROZEN}", True),
        ("Failed to execute script pyi_rth_qt5plugins", True),
    ],
)
def test_frozen_programs(text: str, related: bool) -> None:
    assert (read_clues(text).said(Said.FROZEN_START_FAILED) is not None) is related
