"""pip of the environment under examination: where it installs, which releases fit, and the wheels of those.

pip's own resolver does the work (pip documentation, "Installation Report"). Nothing is installed here, and pip writes
nowhere but into the folder that it is given.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from whyload.base.dataclass import dataclass
from whyload.base.errors import NetworkError, UsageError
from whyload.base.message import Message, Text, message
from whyload.observe.child import Ended, run_child
from whyload.world.interpreter import Launch, misled_by
from whyload.world.pip_words import has_no_version, index_is_unreachable, last_error
from whyload.world.places import EnvironmentPlaces, places_of

_SAY_PLACES = """
import json, os, sys, sysconfig
paths = sysconfig.get_paths()
values = {name: paths[name] for name in ('purelib', 'platlib', 'scripts', 'data')}
try:
    import pip
    values['pip'] = pip.__version__
except Exception:
    values['pip'] = None
marker = os.path.join(paths['stdlib'], 'EXTERNALLY-MANAGED')
values['managed'] = sys.prefix == sys.base_prefix and os.path.exists(marker)
print('\\n' + json.dumps(values))
"""
_RUN_PIP = "import runpy, sys; sys.modules['_wmi'] = None; runpy.run_module('pip', run_name='__main__', alter_sys=True)"
"""`python -m pip`, but `platform` does not ask the WMI service, which may hang (CPython 3.12 and later)."""
_PIP_TIMEOUT = 1800.0
_OLDEST_PIP = (22, 2)
"""The first pip with an installation report."""


class NoReleaseError(UsageError):
    """The index has no release that fits this Python and what else is asked for; `unknown`: it has none at all."""

    def __init__(self, reason: Text, *, unknown: bool = False) -> None:
        self.unknown = unknown
        super().__init__(reason)


class InstallError(UsageError):
    """pip did not install what it was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A release that pip would install."""

    distribution: str
    version: str

    @property
    def pin(self) -> str:
        """The requirement for just this release."""
        return f"{self.distribution}=={self.version}"


def ask_places(launch: Launch) -> EnvironmentPlaces:
    """Where the environment keeps its files. Raises UsageError where its interpreter does not say it."""
    ended = _run(
        [launch.image, "-c", _SAY_PLACES], launch.environment(os.environ), str(Path(launch.image).parent), 120.0
    )
    try:
        return places_of(json.loads(ended.stdout.strip().splitlines()[-1]))
    except (ValueError, IndexError, AttributeError):
        raise UsageError(_silent_on_places(launch.image, ended.stderr)) from None


def _silent_on_places(image: str, errors: str) -> Message:
    last, hint = errors.strip().splitlines()[-1:], misled_by(os.environ)
    return Message(
        en=f"{image} does not say where it keeps its packages: {last[0] if last else 'it said nothing'}{hint.en}",
        zh=f"{image} 没有说明软件包装在哪里：{last[0] if last else '没有任何输出'}{hint.zh}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pip:
    """The pip that works on an environment: its own, or that of whyload's Python with `--python`."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    own: bool
    """It is the environment's own."""
    scratch: Path
    """Where it runs and keeps what it needs; never the current folder, whose files could hide pip's."""

    def resolve(
        self, requirements: Iterable[str], constraints: Iterable[str], *, dependencies: bool, again: bool
    ) -> tuple[Chosen, ...]:
        """What pip would install for the requirements. `constraints` keep the others where they are.

        Raises NoReleaseError where nothing fits, NetworkError where the index cannot be reached.
        """
        answer = self.scratch / "report.json"
        answer.unlink(missing_ok=True)
        options = ["--dry-run", "--quiet", "--report", str(answer), "--only-binary=:all:"]
        options += ["--force-reinstall"] if again else []
        options += [] if dependencies else ["--no-deps"]
        limits = self.scratch / "constraints.txt"
        limits.write_text("".join(f"{line}\n" for line in constraints), encoding="utf-8")
        self._call(["install", *options, "-c", str(limits), *requirements])
        try:
            rows = json.loads(answer.read_bytes())["install"]
            return tuple(Chosen(distribution=r["metadata"]["name"], version=r["metadata"]["version"]) for r in rows)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise NoReleaseError(
                Message(en=f"pip's answer cannot be read: {error}", zh=f"无法解析 pip 的输出：{error}")
            ) from None

    def download(self, chosen: Iterable[Chosen]) -> tuple[Path, ...]:
        """The wheels of these releases, in a folder of their own. Raises as `resolve` does."""
        parent = self.scratch / "wheels"
        parent.mkdir(exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=parent))
        pins = [item.pin for item in chosen]
        self._call(
            ["download", "--no-deps", "--only-binary=:all:", "--quiet", "--no-cache-dir", "-d", str(folder), *pins]
        )
        return tuple(sorted(path for path in folder.iterdir() if path.suffix == ".whl"))

    def install(self, wheels: Path, pins: Sequence[str]) -> None:
        """Put wheels of a folder into the environment, and touch nothing else. Raises InstallError where pip fails."""
        options = ["--no-index", "--find-links", str(wheels), "--no-deps", "--ignore-installed", "--no-compile"]
        try:
            self._call(["install", *options, "--quiet", "--no-warn-script-location", *pins])
        except NoReleaseError as error:
            raise InstallError(
                Message(
                    en=f"pip could not install {', '.join(pins)}: {error.text('en')}",
                    zh=f"pip 无法安装 {'、'.join(pins)}：{error.text('zh')}",
                )
            ) from None

    def _call(self, arguments: list[str]) -> Ended:
        log = self.scratch / "pip.log"
        log.unlink(missing_ok=True)
        command = [*self.command, *arguments, "--log", str(log)]
        ended = _run(command, self.environment, str(self.scratch), _PIP_TIMEOUT)
        if ended.exit_status == 0:
            return ended
        reason = message(last_error(ended.stderr) or _silent(ended.exit_status))
        if index_is_unreachable(ended.stderr, _text(log)):
            raise NetworkError(
                Message(en=f"the package index cannot be reached: {reason.en}", zh=f"无法访问包索引：{reason.zh}")
            )
        raise NoReleaseError(reason, unknown=has_no_version(ended.stderr))


def _silent(status: int) -> Message:
    return Message(
        en=f"pip ended with exit status 0x{status:X} and said nothing",
        zh=f"pip 以退出状态 0x{status:X} 结束，没有任何输出",
    )


def _no_pip(too_old: str | None, command: str) -> Message:
    """The environment has no pip that will do (`too_old`: its version), nor has whyload's Python."""
    if too_old:
        return Message(
            en=f"its pip {too_old} is too old, and whyload's own Python has none either: {command}",
            zh=f"该环境的 pip {too_old} 太旧，运行 whyload 的 Python 又没有 pip：{command}",
        )
    return Message(
        en=f"it has no pip, and whyload's own Python has none either: {command}",
        zh=f"该环境没有 pip，运行 whyload 的 Python 也没有：{command}",
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def find_pip(launch: Launch, places: EnvironmentPlaces, scratch: Path) -> Pip:
    """The environment's own pip, else that of whyload's Python. Raises UsageError where neither will do."""
    variables = _pip_environment(launch.environment(os.environ), scratch)
    if places.pip is not None and _version(places.pip) >= _OLDEST_PIP:
        return Pip(command=(launch.image, "-c", _RUN_PIP), environment=variables, own=True, scratch=scratch)
    import importlib.util

    if importlib.util.find_spec("pip") is None:
        raise UsageError(_no_pip(places.pip, f"`{launch.image} -m ensurepip --upgrade`"))
    own = _pip_environment({n: v for n, v in os.environ.items() if n.upper() != "__PYVENV_LAUNCHER__"}, scratch)
    target = launch.launcher or launch.image
    command = (sys.executable, "-c", _RUN_PIP, "--python", target)
    return Pip(command=command, environment=own, own=False, scratch=scratch)


def _pip_environment(variables: Mapping[str, str], scratch: Path) -> dict[str, str]:
    """The caller's configuration of pip, but never another place to install to, a question, or a cache of its own."""
    overriding = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIREMENT", "PIP_CONSTRAINT", "PIP_UPGRADE"}
    kept = {name: value for name, value in variables.items() if name.upper() not in overriding}
    return {
        **kept,
        "PIP_USER": "0",
        "PIP_NO_INPUT": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_NO_PYTHON_VERSION_WARNING": "1",
        "PIP_CACHE_DIR": str(scratch / "pip-cache"),
        "PIP_REQUIRE_VIRTUALENV": "0",
        "PYTHONPYCACHEPREFIX": str(scratch / "pyc"),
        "PYTHONUTF8": "1",
        "PYTHONIOENCODING": "utf-8",
    }


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:2])


def _run(command: list[str], environment: Mapping[str, str], cwd: str, timeout: float) -> Ended:
    try:
        ended = run_child(command, environment=environment, cwd=cwd, timeout=timeout)
    except OSError as error:
        raise UsageError(
            Message(
                en=f"cannot start {command[0]}: {error.strerror or error}",
                zh=f"无法启动 {command[0]}：{error.strerror or error}",
            )
        ) from None
    if ended.timed_out:
        raise UsageError(
            Message(
                en=f"{command[0]} did not end within {timeout:.0f} seconds",
                zh=f"{command[0]} 在 {timeout:.0f} 秒内没有结束",
            )
        )
    return ended
