"""A library that Python code looks for by itself, before it asks the loader (loader.md R3.22)."""

from __future__ import annotations

from whyload.loader.model import NOT_FOUND, EdgeKind, LoadTree, Node, Step, StepKind, Verdict
from whyload.loader.windows.faults import find_faults
from whyload.loader.windows.process import Process


def not_on_path(process: Process, name: str) -> LoadTree:
    """What ctypes.util.find_library tried in vain: a file of that name in every folder of PATH, and nowhere else."""
    file = name if name.lower().endswith(".dll") else f"{name}.dll"
    steps = tuple(
        Step(kind=StepKind.PATH, rule="R3.22", verdict=Verdict.ABSENT, place=str(folder), path=folder / file)
        for folder in process.path_folders()
    )
    root = Node(name=file, edge=EdgeKind.REQUEST, steps=steps, status=NOT_FOUND)
    modules = tuple(module.path for module in process.modules)
    return LoadTree(root=root, flags=0, status=NOT_FOUND, faults=find_faults(root), modules=modules)
