"""Small Windows machines: Wine, the official CPython for Windows, and the real loader's answers.

Source of truth: Wine's documentation (`WINEPATH`, `WINEDEBUG`); where Wine is not Windows, a scenario says so.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType

from tests.testbed.cache import cache_dir, link, link_tree
from tests.testbed.prefix import base_environment, quietly, template, wine_program, wine_server
from tests.testbed.trace import LoadTrace, read_traces
from tests.testbed.wheels import embed, standard_library, unpacked, wheel

_TRIES = 3
REDISTRIBUTABLES = {
    "14.34": "14.34.31931",
    "14.40": "14.40.33807",
    "14.42": "14.42.34433",
    "14.44": "14.44.35112",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Completed:
    """A program that has ended."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadQuestion:
    """A call of LoadLibraryExW, and the state of the process at that moment."""

    file: str
    flags: int = 0x1100
    added: Sequence[str] = ()
    path: Sequence[str] = ()
    cwd: str = "C:\\"
    set_dll_directory: str | None = None
    preload: Sequence[tuple[str, int]] = ()
    """Files (or bare names) and flags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadAnswer:
    """What the real loader did."""

    winerror: int
    modules: tuple[str, ...]
    """Full paths of all modules in the process afterwards."""
    preload_errors: tuple[int, ...] = ()
    trace: LoadTrace = field(default_factory=LoadTrace)


class WineMachine:
    """A Windows machine of its own: a drive `C:` made of links into the cache, and a Wine prefix. A context manager."""

    def __init__(self) -> None:
        source = template()
        store = cache_dir() / "machines"
        store.mkdir(exist_ok=True)
        # beside the cache, so that files can be linked instead of copied
        self.folder = Path(tempfile.mkdtemp(prefix="machine-", dir=store))
        self.drive = self.folder / "C"
        self.prefix = self.folder / "prefix"
        self.probe = self.folder / "probe"
        self.python = "C:\\Python\\python.exe"
        self._keeper: subprocess.Popen[bytes] | None = None
        link_tree(source / "drive_c", self.drive)
        (self.prefix / "dosdevices").mkdir(parents=True)
        for name in ("system.reg", "user.reg", "userdef.reg", ".update-timestamp"):
            shutil.copy2(source / name, self.prefix / name)
        self.probe.mkdir()
        (self.prefix / "dosdevices" / "c:").symlink_to("../../C")
        (self.prefix / "dosdevices" / "y:").symlink_to("../../probe")

    def __enter__(self) -> WineMachine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End everything that runs in the machine and remove it."""
        if self._keeper is not None:
            assert self._keeper.stdin is not None
            assert self._keeper.stdout is not None
            quietly(wine_server(), "-k", env=base_environment(self.prefix))
            with contextlib.suppress(BrokenPipeError):
                self._keeper.stdin.close()
            self._keeper.wait(timeout=30)
            self._keeper.stdout.close()
            self._keeper = None
        shutil.rmtree(self.folder, ignore_errors=True)

    # ------------------------------------------------------------------------------------------------------- the drive

    def host(self, path: str) -> Path:
        """Where a path of drive C: lies on this system; existing names are met without case."""
        place = self.drive
        for part in re.sub(r"^[Cc]:", "", path).replace("\\", "/").split("/"):
            if part in ("", "."):
                continue
            exact = place / part
            if not exact.exists() and place.is_dir():
                exact = next((entry for entry in place.iterdir() if entry.name.lower() == part.lower()), exact)
            place = exact
        return place

    def write(self, path: str, data: bytes) -> Path:
        """A file with these bytes; a new file even where the old one was a link into the cache."""
        place = self.host(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.write_bytes(data)
        return place

    def install_python(self, version: str = "3.11", layout: str = "full", root: str = "C:/Python") -> None:
        """The official CPython: `embed`, python.org's zip with site-packages switched on; `full`, as installed."""
        place, digits = self.host(root), version.replace(".", "")
        place.mkdir(parents=True, exist_ok=True)
        self.python = f"{root}/python.exe".replace("/", "\\")
        if layout == "embed":
            link_tree(embed(version), place)
            lines = (f"python{digits}.zip", ".", "Lib\\site-packages", "import site")
            self.write(f"{root}/python{digits}._pth", "\n".join(lines).encode() + b"\n")
        else:
            link_tree(standard_library(version), place / "Lib")
            (place / "DLLs").mkdir()
            for file in embed(version).iterdir():
                name = file.name.lower()
                if name.endswith(("._pth", ".zip", ".cat")):
                    continue
                belongs = name.endswith(".pyd") or name.startswith(("libcrypto", "libssl", "libffi", "sqlite3"))
                link(file, place / "DLLs" / file.name if belongs else place / file.name)
        (place / "Lib" / "site-packages").mkdir(parents=True, exist_ok=True)

    def install_wheel(self, file: Path, root: str = "C:/Python") -> None:
        """As pip would, by links: site-packages of the Python (or virtual environment) at `root`, and its scripts."""
        tree = unpacked(file)
        link_tree(tree / "site", self.host(f"{root}/Lib/site-packages"))
        link_tree(tree / "root", self.host(root))

    def vcredist(self, version: str, folder: str = "C:/Windows/System32") -> None:
        """Microsoft's Visual C++ runtime of that version (`14.44`), in System32 or another folder."""
        tree = unpacked(wheel(f"msvc-runtime=={REDISTRIBUTABLES[version]}"))
        place = self.host(folder)
        place.mkdir(parents=True, exist_ok=True)
        for file in (tree / "root" / "Scripts").glob("*.dll"):
            target = self.host(f"{folder}/{file.name}")
            target.unlink(missing_ok=True)
            link(file, target)

    # ----------------------------------------------------------------------------------------------------- running it

    def run(
        self,
        args: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        path: Sequence[str] = (),
        cwd: str = "C:\\",
        debug: str = "-all",
        timeout: float = 240,
    ) -> Completed:
        """Run a Windows program. `path` comes before the machine's own PATH; the child's text is read as UTF-8."""
        self._start()
        environment = self._environment(env or {}, path, debug)
        folder = self.host(cwd)
        folder.mkdir(parents=True, exist_ok=True)
        # pipes, because Wine's Python does not start with its output on plain files
        done = subprocess.run(
            [str(wine_program()), *args],
            env=environment,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=False,
        )
        return Completed(
            returncode=done.returncode,
            stdout=done.stdout.decode("utf-8", "replace"),
            stderr=done.stderr.decode("utf-8", "replace"),
        )

    def run_python(self, code: str, *arguments: str, **how: object) -> Completed:
        """Run code in the machine's Python; keywords as for `run`."""
        return self.run([self.python, "-X", "utf8", "-B", "-c", code, *arguments], **how)  # type: ignore[arg-type]

    def registry(self, key: str, values: Mapping[str, int | str | None]) -> None:
        """Set values below `HKLM\\…` (None removes one); processes that start afterwards see them."""
        code = (
            "import json, sys, winreg\n"
            "key, values = json.loads(sys.argv[1])\n"
            "handle = winreg.CreateKeyEx(winreg.HKEY_LOCAL_MACHINE, key, 0, winreg.KEY_ALL_ACCESS)\n"
            "for name, value in values.items():\n"
            "    if value is None:\n"
            "        winreg.DeleteValue(handle, name)\n"
            "    else:\n"
            "        kind = winreg.REG_DWORD if isinstance(value, int) else winreg.REG_SZ\n"
            "        winreg.SetValueEx(handle, name, 0, kind, value)\n"
        )
        done = self.run_python(code, json.dumps([key.removeprefix("HKLM\\"), dict(values)]))
        if done.returncode != 0:
            raise RuntimeError(f"the registry was not changed: {done.stderr}")

    def load(
        self,
        file: str,
        flags: int = 0x1100,
        *,
        added: Sequence[str] = (),
        path: Sequence[str] = (),
        cwd: str = "C:\\",
        set_dll_directory: str | None = None,
        preload: Iterable[tuple[str, int]] = (),
    ) -> LoadAnswer:
        """Ask the real loader once, in a fresh process."""
        question = LoadQuestion(
            file=file,
            flags=flags,
            added=added,
            path=path,
            cwd=cwd,
            set_dll_directory=set_dll_directory,
            preload=tuple(preload),
        )
        return self.load_all([question])[0]

    def load_all(self, questions: Sequence[LoadQuestion], *, together: bool = False) -> list[LoadAnswer]:
        """Ask many, in one process as long as each leaves nothing behind, in a fresh one after those that do.

        `together`: all in one process, whatever is left behind; for questions that share no names of files.
        """
        runner = Path(__file__).with_name("asker.py").read_text()
        answers: list[LoadAnswer] = []
        while len(answers) < len(questions):
            todo = [asdict(question) for question in questions[len(answers) :]]
            for question in questions[len(answers) :]:
                self.host(question.cwd).mkdir(parents=True, exist_ok=True)
            job = json.dumps({"together": together, "questions": todo})
            (self.probe / "questions.json").write_text(job, encoding="utf-8")
            (self.probe / "asker.py").write_text(runner, encoding="utf-8")
            (self.probe / "answers.json").unlink(missing_ok=True)
            done = self._ask()
            given = json.loads((self.probe / "answers.json").read_text(encoding="utf-8"))
            traces = read_traces(done.stderr)
            answers += [
                LoadAnswer(
                    winerror=answer["winerror"],
                    modules=tuple(answer["modules"]),
                    preload_errors=tuple(answer["preload_errors"]),
                    trace=trace,
                )
                for answer, trace in zip(given, traces, strict=True)
            ]
        return answers

    def _ask(self) -> Completed:
        """Run the asker; again where Wine ended before Python did: what is a question's own doing it does each time."""
        for _ in range(_TRIES):
            done = self.run([self.python, "-I", "-B", "Y:\\asker.py"], debug="-all,err+module,warn+module")
            if (self.probe / "answers.json").exists():
                return done
        raise RuntimeError(f"the asker ended with {done.returncode}: {done.stdout}{done.stderr[-2000:]}")

    def _environment(self, extra: Mapping[str, str], path: Sequence[str], debug: str) -> dict[str, str]:
        windows = {"USERPROFILE": "C:\\users\\me", "PROCESSOR_ARCHITECTURE": "AMD64", "OS": "Windows_NT"}
        wine = {"WINEDEBUG": debug, "PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8"}
        if path:
            wine["WINEPATH"] = ";".join(part.replace("/", "\\") for part in path)
        return base_environment(self.prefix) | wine | windows | dict(extra)

    def _start(self) -> None:
        """Start the machine's services under a program that waits, lest they hold the pipes of a later one."""
        if self._keeper is not None:
            return
        self._keeper = subprocess.Popen(
            [str(wine_program()), "cmd.exe", "/q", "/k", "echo machine is up"],
            env=base_environment(self.prefix),
            cwd=self.drive,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._keeper.stdout is not None
        for line in self._keeper.stdout:
            if b"machine is up" in line:
                return
        raise RuntimeError("the Wine machine did not start")
