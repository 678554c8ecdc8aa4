"""One short text for every cause, in the words of the program that says it."""

from __future__ import annotations

from collections.abc import Mapping

_FROZEN = "[4711] Failed to execute script 'main'\n"
_126 = "ImportError: DLL load failed while importing {}: The specified module could not be found.\n"
_127 = "ImportError: DLL load failed while importing {}: The specified procedure could not be found.\n"
_ABSENT = "ImportError: {}: cannot open shared object file: No such file or directory\n"

TEXTS: Mapping[str, str] = {
    "missing-vc-runtime": "The code execution cannot proceed because MSVCP140.dll was not found. Reinstalling the "
    "program may fix this problem.",
    "missing-debug-runtime": "The code execution cannot proceed because VCRUNTIME140D.dll was not found. Reinstalling "
    "the program may fix this problem.",
    "missing-openmp": "OSError: [WinError 126] 找不到指定的模块。 Error loading "
    '"C:\\v\\Lib\\site-packages\\torch\\lib\\'
    'fbgemm.dll" or one of its dependencies.\ntorch: 2.4.0',
    "missing-cuda-toolkit": "Could not load dynamic library 'cudart64_110.dll'; dlerror: cudart64_110.dll not found",
    "missing-cudnn": "Could not load library cudnn_ops_infer64_8.dll. Error code 126",
    "missing-nvidia-driver": "docker run app\n" + _ABSENT.format("libcuda.so.1"),
    "windows-edition-missing-feature": "import cv2\n" + _126.format("cv2") + "OS: Windows Server 2019 Server Core",
    "frozen-app-missing-file": _126.format("_x") + _FROZEN,
    "corrupt-install": "ImportError: /v/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so: file too short",
    "antivirus-quarantine": "ImportError: DLL load failed while importing _x: Operation did not complete successfully "
    "because the file contains a virus or potentially unwanted software.",
    "missing-dependency": "OSError: [WinError 126] x\nThe code execution cannot proceed because camerasdk.dll was not "
    "found. Reinstalling the program may fix this problem.",
    "missing-shared-object": "import cv2\n" + _ABSENT.format("libGL.so.1"),
    "dependency-not-on-search-path": "the conda environment has not been activated\nC:\\miniconda3\n"
    + _126.format("_ssl"),
    "env-variable-misdirects": '  File "C:\\Python311\\Lib\\os.py", line 1118, in add_dll_directory\n'
    "    cookie = nt._add_dll_directory(path)\nFileNotFoundError: [WinError 3] The system cannot find the path "
    "specified: 'C:\\\\CUDA\\\\v11.2\\\\bin'\nCUDA_PATH=C:\\CUDA\\v11.2",
    "path-shadowing": "import win32api\n" + _127.format("win32api"),
    "old-vc-runtime": "OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed. "
    "Error loading "
    '"C:\\v\\Lib\\site-packages\\torch\\lib\\c10.dll" or one of its dependencies.\ntorch==2.9.0',
    "cuda-version-mismatch": "RuntimeError: The detected CUDA version (12.1) mismatches the version that was used to "
    "compile PyTorch (11.8).",
    "wrong-cudnn-version": "Loaded runtime CuDNN library: 8.1.0 but source was compiled with: 8.6.0.",
    "driver-too-old": "RuntimeError: CUDA error: CUDA driver version is insufficient for CUDA runtime version",
    "torch-abi-mismatch": "ImportError: /v/mmcv/_ext.cpython-38-x86_64-linux-gnu.so: undefined symbol: "
    "_ZNK2at6Tensor7reshapeEN3c108ArrayRefIlEE",
    "numpy-abi-mismatch": "A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.0.0 as it may crash.",
    "missing-procedure": _127.format("_x"),
    "undefined-symbol": "ImportError: /v/liborc.so: undefined symbol: _ZN6snappy11RawCompressEPKcmPcPm",
    "conda-pip-mix": '      _lgeos = CDLL(os.path.join(sys.prefix, "Library", "bin", '
    '"geos_c.dll"))\nFileNotFoundError: '
    "Could not find module 'C:\\miniconda3\\envs\\e\\Library\\bin\\geos_c.dll' (or one of its "
    "dependencies).\nshapely: pip",
    "conda-channel-mix": _126.format("_gdal")
    + "conda list: numpy from defaults, gdal from conda-forge, mixed channels",
    "duplicate-openmp": "OMP: Error #15: Initializing libiomp5md.dll, but found libiomp5md.dll already initialized.",
    "glibc-too-old": "ImportError: /lib64/libc.so.6: version `GLIBC_2.32' not found (required by /v/_x.so)",
    "glibcxx-too-old": "ImportError: /lib64/libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by /v/_x.so)",
    "libc-mismatch-musl": "Error relocating /v/_x.so: __memcpy_chk: symbol not found",
    "windows-too-old": "The code execution cannot proceed because api-ms-win-core-path-l1-1-0.dll was not found. "
    "Reinstalling the program may fix this problem.\nWindows 7",
    "bitness-mismatch": "OSError: /v/libx.so: wrong ELF class: ELFCLASS32",
    "arch-mismatch": "ImportError: dlopen(/v/_x.so, 0x0002): tried: '/v/_x.so' (mach-o file, but is an incompatible "
    "architecture (have 'x86_64', need 'arm64'))",
    "wrong-platform-binary": "      lib = ctypes.CDLL('libED.so')\nOSError: [WinError 193] %1 is not a valid "
    "Win32 application",
    "not-a-library-file": "OSError: /usr/lib/libc.so: invalid ELF header\n$ file "
    "/usr/lib/libc.so\n/usr/lib/libc.so: ASCII text",
    "python-version-mismatch": "ImportError: Module use of python37.dll conflicts with this version of Python.",
    "python-abi-mismatch": "python_d -c 'import numpy'\nModuleNotFoundError: No module named "
    "'numpy.core._multiarray_umath'",
    "dllmain-failed": "OSError: [WinError 1114] A dynamic link library (DLL) initialization routine failed",
    "unsupported-cpu-instruction": ">>> import tensorflow\nIllegal instruction (core dumped)",
    "static-tls-exhausted": "ImportError: /lib/libgomp.so.1: cannot allocate memory in static TLS block",
    "executable-stack-or-selinux": "ImportError: libtorch_cpu.so: cannot enable executable stack as shared "
    "object requires",
    "paging-file-too-small": "OSError: [WinError 1455] The paging file is too small for this operation to complete",
    "application-control-policy": "ImportError: DLL load failed while importing _x: An Application Control policy has "
    "blocked this file.",
    "code-signature": "Library not loaded: @rpath/libx.dylib Reason: tried: '/v/libx.dylib' (code signature in <ABC> "
    "'/v/libx.dylib' not valid for use in process: library load disallowed by system policy)",
    "file-locked-or-permission": "ImportError: /v/_x.so: cannot open shared object file: Permission denied",
    "name-shadowing": "ImportError: cannot import name 'stack' from partially initialized module 'torch' (most likely "
    "due to a circular import) (/home/me/torch.py)",
    "circular-import": "ImportError: cannot import name 'a' from partially initialized module 'mine.b' (most "
    "likely due "
    "to a circular import) (/home/me/mine/b.py)",
    "build-failed": "RuntimeError: Error building extension 'fused': ninja: build stopped: subcommand failed.",
    "build-tool-missing": "error: Microsoft Visual C++ 14.0 or greater is required.",
    "stale-build-cache": _ABSENT.format("/root/.cache/torch_extensions/py38_cu118/fused_adam/fused_adam.so"),
}
NOT_FIRST = frozenset({"missing-procedure", "dllmain-failed", "glibcxx-too-old"})
"""Without more in the text, a narrower cause comes first."""
