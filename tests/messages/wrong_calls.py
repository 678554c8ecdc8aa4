"""Calls that cannot be answered, and what whyload says to them; the stored texts were read and judged by people.

`python -m tests.messages.wrong_calls` writes the texts anew: look at every difference before it is kept.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from whyload.cli.main import main
from whyload.world.snapshot.shape import SCHEMA

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "zh")
_WORLDS = {
    "no-json": "{",
    "no-object": "[1]",
    "python": '{"python": 3}',
    "relative-path": '{"python": "python.exe"}',
    "version": '{"python_version": "new"}',
    "layout": '{"layout": "nix"}',
    "env": '{"env": []}',
    "env-value": '{"env": {"PATH": 1}}',
    "build": '{"os": {"build": "many"}}',
    "preload": '{"process": {"preload": [1]}}',
    "preload-flags": '{"process": {"preload": [{"file": "C:/a.dll", "flags": "many"}]}}',
    "folders": '{"process": {"added_dll_directories": "C:/a"}}',
    "measured": '{"measured": {"processor_features": {"avx2": "yes"}}}',
    "profile": '{"profile": "windows-99"}',
}
_OPTIONS = {
    "no command": [],
    "unknown option": ["torch", "--pyhton", "x"],
    "unknown letter": ["torch", "-x"],
    "ambiguous option": ["check", "x", "--no-"],
    "option without value": ["load", "--how"],
    "value of a flag": ["torch", "--json=1"],
    "bad choice": ["torch", "--format", "htm"],
    "bad number": ["doctor", "--timeout", "soon"],
    "missing argument": ["check"],
    "argument too many": ["tree", "a", "b"],
    "how": ["load", "x.dll", "--root", "ROOT", "--how", "magic"],
    "flags": ["load", "x.dll", "--root", "ROOT", "--flags", "many"],
    "load without file": ["load", "--root", "ROOT"],
    "run without script": ["run", "--root", "ROOT"],
    "option of the script": ["run", "app.py", "--root", "ROOT"],
    "fix without module": ["fix", "--root", "ROOT"],
    "import without module": ["import", "--root", "ROOT"],
    "empty module": ["import", "", "--root", "ROOT"],
    "a library is no module": ["import", "a.dll", "--root", "ROOT"],
    "a script is no module": ["import", "a.py", "--root", "ROOT"],
    "a path is no module": ["import", "a/b", "--root", "ROOT"],
    "world without root": ["import", "x", "--world", "w.json"],
    "python and root": ["import", "x", "--root", "ROOT", "--python", "p.exe"],
    "snapshot and root": ["import", "x", "--root", "ROOT", "--snapshot", "s.zip"],
    "check: snapshot and root": ["check", "x", "--root", "ROOT", "--snapshot", "s.zip"],
    "check: clean and root": ["check", "x", "--root", "ROOT", "--os", "windows-11"],
    "snapshot without file": ["snapshot", "--root", "ROOT"],
    "snapshot of a snapshot": ["snapshot", "-o", "NEW.zip", "--snapshot", "s.zip"],
    "undo of a folder": ["undo", "--root", "ROOT"],
    "page as html": ["cause", "--format", "html"],
    "explanation as html": ["explain", "TEXT", "--format", "html"],
    "two pages": ["check", "a", "b", "--format", "html"],
    "no such cause": ["cause", "missing-open-mp"],
    "no such schema": ["schema", "reprot"],
    "code and module": ["run", "--root", "ROOT", "-c", "1", "-m", "x"],
    "batch and file": ["load", "x.dll", "--batch", "-"],
    "batch and root": ["load", "--batch", "-", "--root", "ROOT"],
    "batch into a file": ["load", "--batch", "-", "-o", "x"],
    "batch as html": ["load", "--batch", "-", "--format", "html"],
}
_INPUTS = {
    "no such folder": ["import", "x", "--root", "NOWHERE"],
    "no such script": ["run", "--root", "ROOT", "C:\\gone.py"],
    "no such text": ["explain", "NOWHERE"],
    "no such batch": ["load", "--batch", "NOWHERE"],
    "no such world file": ["import", "x", "--root", "ROOT", "--world", "NOWHERE"],
    "no such snapshot": ["import", "--snapshot", "NOWHERE"],
    "output is a folder": ["cause", "-o", "ROOT"],
    "empty target": ["check", ""],
    "no such target": ["check", "a/b"],
    "no wheel name": ["check", "x.whl"],
    "no such wheel": ["check", "x-1-py3-none-any.whl"],
    "no wheel": ["check", "WHEEL"],
    "no METADATA": ["check", "EMPTY-WHEEL"],
    "wheel of linux": ["check", "LINUX-WHEEL"],
    "profile": ["check", "torch", "--os", "windows-99"],
    "version of vcredist": ["check", "torch", "--os", "windows-11+vcredist=99.1"],
    "addition": ["check", "torch", "--os", "windows-11+foo"],
    "version of Python": ["check", "torch", "--python-version", "2.7"],
    "not installed": ["check", "torch", "--root", "ROOT"],
    "a folder of another machine": ["check", "C:\\Python\\Lib", "--root", "ROOT"],
    "a wheel on another machine": ["check", "WHEEL", "--root", "ROOT"],
    "not in the cache": ["check", "torch==0.0.1", "--no-network"],
    "snapshot: no zip": ["import", "x", "--snapshot", "TEXT"],
    "snapshot: a member": ["import", "x", "--snapshot", "ODD"],
    "snapshot: a part is missing": ["import", "x", "--snapshot", "BARE"],
    "snapshot: format": ["import", "x", "--snapshot", "LATER"],
    "snapshot: shape": ["import", "x", "--snapshot", "SHAPELESS"],
    "snapshot: a key is missing": ["import", "x", "--snapshot", "KEYLESS"],
}


def _zip(path: Path, members: dict[str, object]) -> str:
    with zipfile.ZipFile(path, "w") as archive:
        for name, value in members.items():
            archive.writestr(name, json.dumps(value))
    return str(path)


def _places(folder: Path) -> dict[str, str]:
    (folder / "root").mkdir()
    (folder / "text").write_text("no zip file", encoding="ascii")
    (folder / "y-1-py3-none-any.whl").write_text("no zip file", encoding="ascii")
    head = {"schema": SCHEMA, "whyload": "1", "source": "live"}
    return {
        "ROOT": str(folder / "root"),
        "NOWHERE": str(folder / "nowhere"),
        "TEXT": str(folder / "text"),
        "WHEEL": str(folder / "y-1-py3-none-any.whl"),
        "EMPTY-WHEEL": _zip(folder / "z-1-py3-none-any.whl", {"z/__init__.py": ""}),
        "LINUX-WHEEL": _zip(folder / "z-1-cp311-cp311-manylinux_2_28_x86_64.whl", {"z-1.dist-info/METADATA": ""}),
        "ODD": _zip(folder / "odd.zip", {"../x": ""}),
        "BARE": _zip(folder / "bare.zip", {"images/1": ""}),
        "LATER": _zip(folder / "later.zip", {"snapshot.json": {**head, "schema": "whyload.snapshot/99"}}),
        "KEYLESS": _zip(folder / "keyless.zip", {"snapshot.json": {"schema": SCHEMA}}),
        "SHAPELESS": _zip(folder / "shapeless.zip", {"snapshot.json": {**head, "schema": 1}}),
    }


def _calls(folder: Path) -> Iterator[tuple[str, list[str]]]:
    places = _places(folder)
    for name, argv in (_OPTIONS | _INPUTS).items():
        yield name, [places.get(text, text) for text in argv]
    for name, text in _WORLDS.items():
        file = folder / f"{name}.json"
        file.write_text(text, encoding="utf-8")
        yield f"world file: {name}", ["import", "x", "--root", places["ROOT"], "--world", str(file)]


def said(language: str) -> str:
    """What is said to every call, under the call; folders of this machine have short names."""
    blocks = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        for name, argv in _calls(folder):
            output, errors = io.StringIO(), io.StringIO()
            quiet = patch.dict(os.environ, {"WHYLOAD_CACHE": str(folder / "cache")})
            with quiet, contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
                code = main(
                    [*argv, "--lang", language] if argv[:1] != ["run"] else [argv[0], "--lang", language, *argv[1:]]
                )
            shown = " ".join(text if text and " " not in text else f'"{text}"' for text in ("whyload", *argv))
            text = f"{name}: {shown}  [{code}]\n{output.getvalue()}{errors.getvalue()}"
            blocks.append(text.replace(str(folder) + os.sep, "").replace(str(folder), "."))
    return "\n".join(blocks)


if __name__ == "__main__":
    for spoken in LANGUAGES:
        (FOLDER / f"wrong-calls.{spoken}.txt").write_text(said(spoken), encoding="utf-8")
