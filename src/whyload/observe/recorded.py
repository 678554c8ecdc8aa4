"""An observation as a snapshot carries it: what bears on libraries, nothing of what the program itself says or is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.base.regular import regular
from whyload.observe.observation import ExceptionInfo, Frame, Observation

_ABOUT_LIBRARIES = regular(
    r"\.(?:dll|pyd|so|exe)\b|LoadLibrary|DLL load|WinError|ImportError|OMP: Error", re.IGNORECASE
)


def without_private_parts(
    observation: Observation,
    is_software: Callable[[WinPath], bool],
    variables: Callable[[Mapping[str, str]], dict[str, str]],
) -> Observation:
    """Output is cut down to lines about libraries, source lines to those of installed packages, commands to names."""
    return replace(
        observation,
        stdout=_about_libraries(observation.stdout),
        stderr=_about_libraries(observation.stderr),
        processes=tuple(re.split(r"[\\/]", command.split(" ")[0])[-1] for command in observation.processes),
        exceptions=tuple(_exception(error, is_software) for error in observation.exceptions),
        environment=variables(observation.environment),
        initial_environment=variables(observation.initial_environment),
    )


def _about_libraries(output: str) -> str:
    """Lines that name a library or a failure to load one, each with its neighbours: some messages take two lines."""
    lines = output.splitlines()
    near = {at + step for at, line in enumerate(lines) if _ABOUT_LIBRARIES.search(line) for step in (-1, 0, 1)}
    return "\n".join(line for at, line in enumerate(lines) if at in near)


def _exception(error: ExceptionInfo, is_software: Callable[[WinPath], bool]) -> ExceptionInfo:
    return replace(error, frames=tuple(_frame(frame, is_software) for frame in error.frames))


def _frame(frame: Frame, is_software: Callable[[WinPath], bool]) -> Frame:
    file = frame.place.file
    return frame if file is not None and is_software(file) else replace(frame, source=None)
