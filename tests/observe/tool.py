"""whyload on a Windows machine of the test bed: its answers come back as the values they are there."""

from __future__ import annotations

import base64
import pickle
from pathlib import Path

import whyload
from tests.testbed.cache import link_tree
from tests.testbed.wine import WineMachine

TOOL = "C:\\whyload\\python.exe"


def install_tool(machine: WineMachine) -> None:
    """whyload in a Python of its own at C:\\whyload, and the Python under examination at C:\\Python."""
    machine.install_python("3.11", layout="embed", root="C:/whyload")
    source = Path(whyload.__file__).parent
    link_tree(source, machine.host("C:/whyload/Lib/site-packages/whyload"))
    machine.install_python("3.11")


def evaluate(machine: WineMachine, code: str, **how: object) -> object:
    """The value of `answer` after `code` was run by the tool's Python; keywords as for `WineMachine.run`."""
    tail = "\nimport base64, pickle, sys\nsys.stdout.write(base64.b64encode(pickle.dumps(answer)).decode())"
    done = machine.run([TOOL, "-X", "utf8", "-B", "-c", code + tail], **how)  # type: ignore[arg-type]
    assert done.returncode == 0, done.stderr
    return pickle.loads(base64.b64decode(done.stdout))
