"""Asking the simulation many questions at once, through `whyload load --batch`.

Source of truth: the contract of `--batch`: one question a line, one report a line, the same `id`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TIME_LIMIT = 600


def drive_path(root: Path, path: str) -> Path:
    """Where a path of drive C: lies below the folder that stands for it."""
    return root / path.replace("\\", "/").removeprefix("C:").strip("/")


def ask_batch(questions: Sequence[Mapping[str, str]]) -> dict[str, dict[str, Any]]:
    """The `load` part of each report by the question's `id`."""
    done = subprocess.run(
        [sys.executable, "-m", "whyload", "load", "--batch", "-"],
        input="".join(json.dumps(question) + "\n" for question in questions).encode(),
        capture_output=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr.decode("utf-8", "replace")
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["id"] for report in reports] == [question["id"] for question in questions]
    return {report["id"]: report["load"] for report in reports}
