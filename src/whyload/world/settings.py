"""Settings that an environment keeps: DLL folders, folders of PATH and variables, set whenever its Python starts.

`PYTHONPATH` was read by then: its folders are taken out of `sys.path` again.

They stand in a module of their own in site-packages, which a `.pth` line imports (CPython, `Lib/site.py`). The module
is plain constants and a few lines, so that it costs next to nothing and can be read as data.
"""

from __future__ import annotations

from whyload.base.dataclass import dataclass

MODULE = "_whyload_settings"
MODULE_FILE = f"{MODULE}.py"
PATH_FILE = "_whyload.pth"
PATH_LINE = f"import {MODULE}\n"

_HEAD = '''"""Settings of this environment, written by `whyload fix`; `whyload undo` takes them out."""
import os

FOLDERS = {folders}
PATH = {path}
VARIABLES = {variables}
'''
_FOLDERS = """
for _folder in FOLDERS:
    if os.path.isdir(_folder):
        if hasattr(os, "add_dll_directory"):
            os.add_dll_directory(_folder)
        else:
            os.environ["PATH"] = _folder + os.pathsep + os.environ.get("PATH", "")
"""
_PATH = """
for _folder in PATH:
    if os.path.isdir(_folder):
        os.environ["PATH"] = _folder + os.pathsep + os.environ.get("PATH", "")
"""
_PYTHONPATH = """
import sys
for _name, _value in VARIABLES:
    if _name == "PYTHONPATH":
        for _folder in os.environ.get(_name, "").split(os.pathsep):
            _path = os.path.abspath(_folder)
            if _folder and _folder not in (_value or "").split(os.pathsep) and _path in sys.path:
                sys.path.remove(_path)
"""
_VARIABLES = """
for _name, _value in VARIABLES:
    if _value is None:
        os.environ.pop(_name, None)
    else:
        os.environ[_name] = _value
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What is set. Folders of `path` are put at the head one after the other: the last comes first."""

    folders: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    variables: tuple[tuple[str, str | None], ...] = ()

    def with_folder(self, folder: str) -> Settings:
        """One more DLL folder."""
        return Settings(folders=_appended(self.folders, folder), path=self.path, variables=self.variables)

    def with_path(self, folder: str) -> Settings:
        """One more folder at the head of PATH."""
        return Settings(folders=self.folders, path=_appended(self.path, folder), variables=self.variables)

    def with_variable(self, name: str, value: str | None) -> Settings:
        """A variable set, or unset where `value` is None."""
        others = tuple(item for item in self.variables if item[0].upper() != name.upper())
        return Settings(folders=self.folders, path=self.path, variables=(*others, (name, value)))

    def value_of(self, name: str, default: str | None) -> str | None:
        """What a variable is set to; None where it is unset, `default` where it is left alone."""
        return next((value for key, value in self.variables if key.upper() == name.upper()), default)

    def source(self) -> str:
        """The module's text: no more than it needs, for it may be compiled whenever Python starts."""
        head = _HEAD.format(folders=list(self.folders), path=list(self.path), variables=list(self.variables))
        parts = (
            (_FOLDERS, bool(self.folders)),
            (_PATH, bool(self.path)),
            (_PYTHONPATH, any(name == "PYTHONPATH" for name, _ in self.variables)),
            (_VARIABLES, bool(self.variables)),
        )
        return head + "".join(text for text, is_needed in parts if is_needed)


def _appended(items: tuple[str, ...], item: str) -> tuple[str, ...]:
    return (*(other for other in items if other.lower() != item.lower()), item)


_LONGEST = 100_000
"""Characters; what whyload writes is a page."""


def read_settings(source: str) -> Settings:
    """The settings in a module's text; none where it is not one that whyload wrote."""
    values: dict[str, object] = {}
    if not source or len(source) > _LONGEST:
        return Settings()
    import ast

    try:
        for node in ast.parse(source).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                values[node.targets[0].id] = ast.literal_eval(node.value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Settings()
    return Settings(
        folders=_texts(values.get("FOLDERS")),
        path=_texts(values.get("PATH")),
        variables=_pairs(values.get("VARIABLES")),
    )


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _pairs(value: object) -> tuple[tuple[str, str | None], ...]:
    pairs = [item for item in value if isinstance(item, tuple) and len(item) == 2] if isinstance(value, list) else []
    return tuple((str(name), None if text is None else str(text)) for name, text in pairs)
