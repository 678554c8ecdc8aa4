"""Runs inside the Windows machine: asks the loader the questions of a file, each in the state that it demands.

Source of truth: Microsoft's pages on LoadLibraryExW, AddDllDirectory and SetDllDirectoryW. It stops early when a
question leaves modules behind, unless what is left may stay; the caller then starts it anew with the rest.
"""

from __future__ import annotations

import ctypes
import json
import os
from pathlib import Path
from typing import Any

MARK, LOADING, LOADED = b"\n@@question\n", b"\n@@loading\n", b"\n@@loaded\n"
"""Each at the beginning of a line, whatever another thread was writing."""


def main() -> None:
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel.LoadLibraryExW.restype = kernel.AddDllDirectory.restype = ctypes.c_void_p
    kernel.LoadLibraryExW.argtypes = [ctypes.c_wchar_p, ctypes.c_void_p, ctypes.c_uint32]
    kernel.AddDllDirectory.argtypes = kernel.SetDllDirectoryW.argtypes = [ctypes.c_wchar_p]
    kernel.RemoveDllDirectory.argtypes = kernel.FreeLibrary.argtypes = [ctypes.c_void_p]
    kernel.GetModuleFileNameW.argtypes = [ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_uint32]
    kernel.K32EnumProcessModules.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p]
    job = json.loads(Path("Y:\\questions.json").read_text(encoding="utf-8"))
    machine_path = os.environ["PATH"]
    modules(kernel)  # loads what the listing itself needs
    clean, answers = modules(kernel), []
    for question in job["questions"]:
        if not job["together"] and modules(kernel) != clean:
            break
        answers.append(ask(kernel, question, machine_path))
    os.environ["PATH"] = machine_path
    Path("Y:\\answers.json").write_text(json.dumps(answers), encoding="utf-8")
    os._exit(0)  # no clean-up: a DllMain of the world may still be there


def ask(kernel: Any, question: dict[str, Any], machine_path: str) -> dict[str, Any]:
    """One question, answered; everything is taken back afterwards."""
    os.write(2, MARK)
    os.chdir(question["cwd"])
    os.environ["PATH"] = ";".join([*question["path"], machine_path])
    if question["set_dll_directory"] is not None:
        kernel.SetDllDirectoryW(question["set_dll_directory"])
    cookies = [kernel.AddDllDirectory(folder) for folder in question["added"]]
    handles, preload_errors = [], []
    for name, flags in question["preload"]:
        handle = kernel.LoadLibraryExW(name, None, flags)
        preload_errors.append(0 if handle else ctypes.get_last_error())  # type: ignore[attr-defined,unused-ignore]
        handles.append(handle)
    ctypes.set_last_error(0)  # type: ignore[attr-defined,unused-ignore]
    os.write(2, LOADING)
    handle = kernel.LoadLibraryExW(question["file"], None, question["flags"])
    error = 0 if handle else ctypes.get_last_error()  # type: ignore[attr-defined,unused-ignore]
    os.write(2, LOADED)
    answer = {"winerror": error, "modules": modules(kernel), "preload_errors": preload_errors}
    for each in [handle, *reversed(handles)]:
        if each:
            kernel.FreeLibrary(each)
    for cookie in cookies:
        if cookie:
            kernel.RemoveDllDirectory(cookie)
    kernel.SetDllDirectoryW(None)
    return answer


def modules(kernel: Any) -> list[str]:
    """Full paths of the modules in this process."""
    handles, used = (ctypes.c_void_p * 1024)(), ctypes.c_uint32()
    kernel.K32EnumProcessModules(ctypes.c_void_p(-1), handles, ctypes.sizeof(handles), ctypes.byref(used))
    found, name = [], ctypes.create_unicode_buffer(1024)
    for handle in handles[: used.value // 8]:
        kernel.GetModuleFileNameW(handle, name, 1024)
        found.append(name.value)
    return sorted(found)


if __name__ == "__main__":
    main()
