"""Runs the real question in a child process of the interpreter under examination and returns what happened there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import FileIO

from whyload.base.errors import UsageError
from whyload.base.message import Message
from whyload.observe.child import Ended, run_child
from whyload.observe.events import Attempt, DirectoryAdded, DirectoryRemoved, EnvironmentChanged, LibraryLoad
from whyload.observe.observation import Observation, Outcome, QuestionKind, RunQuestion, ask_code
from whyload.observe.reading import Ending, read_observation
from whyload.world.interpreter import Launch

_THE_RUN = Message(en="the run", zh="这次运行")

DEFAULT_TIMEOUT = 300.0
_MOST_RESULT = 256 << 20
"""Bytes of what the probe, or the program in its place, wrote; twice what the probe allows itself."""
_HUNG_AT = 0.95
"""Part of the time after which faulthandler writes down where the program is."""


def observe(
    question: RunQuestion,
    target: Launch,
    *,
    timeout: float = DEFAULT_TIMEOUT,
    environment: Mapping[str, str] | None = None,
) -> Observation:
    """Ask the question in a process of its own, for at most `timeout` seconds.

    `environment` stands for the caller's variables (default: those of this process). A crash, a hang, `os._exit` and
    endless output are results. Raises UsageError where the interpreter cannot be started at all.
    """
    import shutil
    import tempfile

    variables = os.environ if environment is None else environment
    folder = tempfile.mkdtemp(prefix="whyload-")
    try:
        observation = _observe_in(folder, question, target, timeout, variables)
        if not any(_may_matter(name) for name in observation.early_modules):
            return observation
        inner = tempfile.mkdtemp(dir=folder)
        return _with_site(observation, _observe_in(inner, _site_question(question), target, timeout, variables))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _may_matter(early_module: str) -> bool:
    """False for what setuptools, virtualenv and editable installs put into every interpreter; it loads no library."""
    return early_module not in ("_distutils_hack", "_virtualenv") and not early_module.startswith("__editable__")


def _site_question(question: RunQuestion) -> RunQuestion:
    """What `site` does before any question, under observation: `.pth` lines add DLL folders (pywin32's do)."""
    code = "import sys\nif sys.path[:1] == ['']:\n    del sys.path[0]\nimport site\nsite.main()"
    return RunQuestion(kind=QuestionKind.CODE, code=code, options=("-S", *question.options), cwd=question.cwd)


def _with_site(observation: Observation, site: Observation) -> Observation:
    from whyload.base.dataclass import replace

    kinds = (LibraryLoad, Attempt, DirectoryAdded, DirectoryRemoved, EnvironmentChanged)
    early = tuple(event for event in site.events if isinstance(event, kinds))
    return replace(observation, events=(*early, *observation.events))


def ask_interpreter(target: Launch, *, timeout: float = 60.0) -> Observation:
    """What an interpreter says of itself (`Observation.python`), without running anything in it."""
    return observe(ask_code(""), target, timeout=timeout)


def _observe_in(
    folder: str, question: RunQuestion, target: Launch, timeout: float, environment: Mapping[str, str]
) -> Observation:
    files = {name: f"{folder}{os.sep}{name}" for name in ("probe.py", "result.jsonl", "request.txt", "faults.txt")}
    _write(files["probe.py"], _probe())
    _write(files["request.txt"], ascii(_request(question, files["faults.txt"], timeout)).encode("ascii"))
    command = [target.image, *question.options, files["probe.py"], files["result.jsonl"], files["request.txt"]]
    try:
        ended = run_child(
            command,
            environment=target.environment(environment),
            cwd=question.cwd,
            timeout=timeout,
            stdin=question.stdin,
        )
    except OSError as error:
        raise UsageError(
            Message(
                en=f"the interpreter cannot be started: {target.image} ({error})",
                zh=f"无法启动解释器：{target.image}（{error}）",
            )
        ) from error
    observation = read_observation(_read(files["result.jsonl"]), _ending(ended, _fault(files)))
    return _with_reason(observation)


def _request(question: RunQuestion, faults: str, timeout: float) -> dict[str, object]:
    return {
        "kind": question.kind.value,
        "code": question.code,
        "script": question.script,
        "module": question.module,
        "args": list(question.args),
        "faults": faults,
        "timeout": timeout * _HUNG_AT,
    }


def _probe() -> bytes:
    import pkgutil

    data = pkgutil.get_data("whyload.observe", "probe.py")
    if data is None:
        raise UsageError(
            Message(
                en="whyload is not installed completely: observe/probe.py is missing",
                zh="whyload 没有完整安装：缺少 observe/probe.py",
            )
        )
    return data


def _ending(ended: Ended, fault: str) -> Ending:
    return Ending(
        exit_status=ended.exit_status,
        timed_out=ended.timed_out,
        stdout=ended.stdout,
        stderr=ended.stderr,
        fault=fault,
        notes=ended.notes,
    )


def _fault(files: Mapping[str, str]) -> str:
    """faulthandler's file, without the probe's own levels of the stack."""
    text = _read(files["faults.txt"]).decode("utf-8", "replace")
    return "".join(line + "\n" for line in text.splitlines() if files["probe.py"] not in line)[:20000]


def _with_reason(observation: Observation) -> Observation:
    """A process that never came to the question: what it printed is the only ground."""
    if observation.outcome is not Outcome.NOT_STARTED:
        return observation
    from whyload.base.dataclass import replace

    said = observation.stderr.strip().splitlines()
    why = said[-1] if said else f"it ended with exit status 0x{observation.exit_status or 0:X}"
    return replace(
        observation,
        notes=(
            *observation.notes,
            (_THE_RUN, Message(en=f"the interpreter did not start properly: {why}", zh=f"解释器未能正常启动：{why}")),
        ),
    )


def _write(path: str, data: bytes) -> None:
    with FileIO(path, "x") as stream:
        stream.write(data)


def _read(path: str) -> bytes:
    try:
        with FileIO(path, "r") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(0)
            return stream.read(min(size, _MOST_RESULT)) or b""
    except OSError:
        return b""
