"""What is applied is taken back byte for byte, also where it was cut off at any point; and what is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.world.apply.environment import apply, cache, make, picture, steps
from whyload.world.apply import inventory, kept, transaction
from whyload.world.apply import undo as taking_back
from whyload.world.apply.journal import Journal, read_journal
from whyload.world.apply.state import ApplyError, EnvironmentState
from whyload.world.apply.transaction import Step, Transaction
from whyload.world.apply.undo import changed_since, open_sessions, undo, undo_run, view
from whyload.world.places import EnvironmentPlaces

ROOT = Path(__file__).resolve().parents[3]


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written here need not outlive a power cut."""
    monkeypatch.setattr(os, "fsync", lambda _handle: None)


@pytest.fixture
def places(tmp_path: Path) -> EnvironmentPlaces:
    return make(tmp_path / "env")


@pytest.fixture
def state(tmp_path: Path, places: EnvironmentPlaces) -> EnvironmentState:
    return EnvironmentState(places.prefix, tmp_path / "state")


def test_the_changes_are_made(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    apply(places, state)
    assert (places.site / "alpha" / "core.pyd").read_text() == "new library"
    assert not (places.site / "alpha" / "data").exists()
    assert not (places.site / "alpha.libs").exists()
    assert not (places.site / "beta.py").exists()
    assert (places.prefix / "share" / "other" / "readme").exists()
    assert (places.site / "_whyload.pth").read_bytes() == b"import x\n"
    built = sorted(path.name.partition(".whyload-aside-")[0] for path in cache(places.prefix).rglob("*"))
    assert built == ["fused", "fused", "fused.pyd", "fused.pyd", "module.f-1.py311.nbi"]
    assert (cache(places.prefix) / "fused" / "fused.pyd").read_text() == "compiled anew"


def test_undo_brings_every_byte_back(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    before = picture(places.prefix)
    session = apply(places, state)
    (places.site / "delta" / "__pycache__").mkdir()
    (places.site / "delta" / "__pycache__" / "__init__.cpython-311.pyc").write_bytes(b"made by an import")
    undo_run([session], places.site)
    assert picture(places.prefix) == before
    assert open_sessions(state) == []
    assert not session.exists()


def test_without_hard_links_too(
    places: EnvironmentPlaces, state: EnvironmentState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_paths: object, **_options: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    before = picture(places.prefix)
    undo_run([apply(places, state)], places.site)
    assert picture(places.prefix) == before


def test_folders_that_go_whole_are_moved_aside(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    inner = (places.site / "alpha" / "data" / "table.bin").stat().st_ino
    session = apply(places, state)
    aside = {path.name for path in (session / "moved-0").glob("*/*")}
    assert aside >= {"core.pyd", "helper.dll", "RECORD"}
    undo_run([session], places.site)
    assert (places.site / "alpha" / "data" / "table.bin").stat().st_ino == inner


def test_on_another_volume_nothing_is_moved_aside(
    places: EnvironmentPlaces, state: EnvironmentState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transaction, "going_whole", lambda *_given: [])
    before = picture(places.prefix)
    session = apply(places, state)
    assert not list((session / "moved-0").iterdir())
    undo_run([session], places.site)
    assert picture(places.prefix) == before


def test_two_sessions_of_one_run_go_back_together(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    before = picture(places.prefix)
    first = apply(places, state)
    second = state.new_session()
    later = Transaction(second, places)
    later.begin("alpha", "run")
    later.take(Step(title="again", remove=(places.site / "alpha" / "core.pyd", places.site / "gamma")))
    later.finish()
    sessions = open_sessions(state)
    assert sessions == [first, second]
    assert changed_since(sessions, places.site) == []
    undo_run(sessions, places.site)
    assert picture(places.prefix) == before


class Cut:
    """Ends the process (as an exception that nobody catches) at the n-th call of some functions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, at: int | None) -> None:
        self.calls = 0
        self._at = at
        for owner, name in (
            (os, "link"),
            (Path, "unlink"),
            (Path, "rmdir"),
            (Path, "mkdir"),
            (Path, "write_bytes"),
            (Path, "replace"),
            (Path, "rename"),
            (os, "unlink"),
            (os, "rmdir"),
            (shutil, "rmtree"),
            (Journal, "note"),
            (inventory, "take"),
            (kept, "_copy"),
            (taking_back, "_restore"),
        ):
            monkeypatch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, function: object) -> object:
        def counted(*args: object, **options: object) -> object:
            self.calls += 1
            if self.calls - 1 == self._at:
                raise Killed
            return function(*args, **options)  # type: ignore[operator]

        return counted


def _calls_of_a_session(tmp_path: Path) -> int:
    places = make(tmp_path / "whole")
    with pytest.MonkeyPatch.context() as patch:
        cut = Cut(patch, None)
        apply(places, EnvironmentState(places.prefix, tmp_path / "state"))
        return cut.calls


def test_cut_off_anywhere_it_goes_back(tmp_path: Path) -> None:
    calls = _calls_of_a_session(tmp_path)
    assert calls > 60
    for at in range(calls):
        places = make(tmp_path / f"env-{at}")
        state = EnvironmentState(places.prefix, tmp_path / f"state-{at}")
        before = picture(places.prefix)
        with pytest.MonkeyPatch.context() as patch:
            Cut(patch, at)
            with pytest.raises(Killed):
                apply(places, state)
        for session in open_sessions(state):
            assert not view(session).finished
            undo_run([session], places.site)
        assert picture(places.prefix) == before, f"cut off at call {at}"


def test_an_undo_that_is_cut_off_is_ended_by_the_next(tmp_path: Path) -> None:
    for at in range(0, 200, 3):
        places = make(tmp_path / f"env-{at}")
        state = EnvironmentState(places.prefix, tmp_path / "state")
        before = picture(places.prefix)
        session = apply(places, state)
        with pytest.MonkeyPatch.context() as patch:
            Cut(patch, at)
            try:
                undo_run([session], places.site)
                ended = True
            except Killed:
                ended = False
        for session in open_sessions(state):
            undo_run([session], places.site)
        assert picture(places.prefix) == before, f"cut off at call {at}"
        if ended:
            return
    raise AssertionError("the undo never came to its end")


_KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from tests.world.apply.environment import apply
from whyload.world.apply.journal import Journal
from whyload.world.apply.state import EnvironmentState
from whyload.world.places import EnvironmentPlaces
at, after, calls, note = int(sys.argv[1]), sys.argv[2] == "after", [], Journal.note
def dying(self, event, **values):
    calls.append(event)
    if len(calls) == at and not after: os._exit(9)
    note(self, event, **values)
    if len(calls) == at: os._exit(9)
Journal.note = dying
env, site = Path(sys.argv[3]), Path(sys.argv[3], "site")
places = EnvironmentPlaces(prefix=env, site=site, platform_site=site, scripts=env / "scripts")
apply(places, EnvironmentState(env, Path(sys.argv[4])))
print(len(calls))
"""


def test_a_process_that_dies_at_any_step_of_the_journal(tmp_path: Path) -> None:
    def run(at: int, when: str, env: Path) -> subprocess.CompletedProcess[str]:
        code = _KILLED.format(root=str(ROOT))
        command = [sys.executable, "-c", code, str(at), when, str(env), str(tmp_path / "state")]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)

    make(tmp_path / "whole")
    ended = run(0, "before", tmp_path / "whole")
    assert ended.returncode == 0, ended.stderr
    for at in range(1, int(ended.stdout) + 1):
        for when in ("before", "after"):
            places = make(tmp_path / f"env-{at}-{when}")
            before = picture(places.prefix)
            assert run(at, when, places.prefix).returncode == 9
            for session in open_sessions(EnvironmentState(places.prefix, tmp_path / "state")):
                undo_run([session], places.site)
            assert picture(places.prefix) == before, f"died at step {at}, {when} it was written"


@pytest.mark.parametrize(
    "change",
    [
        lambda site: (site / "alpha" / "core.pyd").write_text("edited since"),
        lambda site: (site / "alpha" / "added.py").write_text("added since"),
        lambda site: (site / "delta" / "__init__.py").unlink(),
        lambda site: (site / "epsilon-1.0.dist-info").mkdir(),
    ],
)
def test_a_changed_environment_is_refused_with_the_reason(
    change: object, places: EnvironmentPlaces, state: EnvironmentState
) -> None:
    session = apply(places, state)
    change(places.site)  # type: ignore[operator]
    changed = picture(places.prefix)
    with pytest.raises(ApplyError, match=r"changed since: .*(core.pyd|added.py|delta|epsilon)"):
        undo_run([session], places.site)
    assert picture(places.prefix) == changed
    assert open_sessions(state) == [session]


def test_force_takes_back_what_was_ours_and_leaves_what_is_not(
    places: EnvironmentPlaces, state: EnvironmentState
) -> None:
    session = apply(places, state)
    (places.scripts / "epsilon.exe").write_text("installed since")
    (places.site / "epsilon-1.0.dist-info").mkdir()
    undo_run([session], places.site, force=True)
    assert (places.scripts / "epsilon.exe").exists()
    assert (places.site / "epsilon-1.0.dist-info").exists()
    assert not (places.scripts / "alpha-tool.exe").exists()
    assert (places.site / "alpha" / "core.pyd").read_text() == "old library"


def test_a_failing_installer_leaves_nothing_behind(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    def half(root: Path) -> None:
        (root / "site" / "delta").mkdir()
        (root / "site" / "delta" / "__init__.py").write_text("half")
        raise ApplyError("no room")

    before = picture(places.prefix)
    with pytest.raises(ApplyError, match="no room"):
        apply(places, state, half)
    for session in open_sessions(state):
        undo(session)
    assert picture(places.prefix) == before


def test_files_outside_of_the_environment_are_never_touched(
    tmp_path: Path, places: EnvironmentPlaces, state: EnvironmentState
) -> None:
    stranger = tmp_path / "stranger.txt"
    stranger.write_text("not yours")
    work = Transaction(state.new_session(), places)
    work.begin("x")
    for path in (stranger, places.site / ".." / ".." / "stranger.txt"):
        with pytest.raises(ApplyError, match="outside of the environment"):
            work.take(Step(title="x", remove=(path,)))
    assert stranger.exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs permissions that bind")
def test_a_read_only_environment_is_said_before_anything_is_done(
    places: EnvironmentPlaces, state: EnvironmentState
) -> None:
    places.site.chmod(0o500)
    before = picture(places.prefix)
    try:
        with pytest.raises(ApplyError, match="cannot write in"):
            apply(places, state)
    finally:
        places.site.chmod(0o700)
    assert picture(places.prefix) == before


def test_a_full_disk_is_said_before_anything_is_done(
    places: EnvironmentPlaces, state: EnvironmentState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_paths: object, **_options: object) -> None:
        raise OSError("no links here")

    class Full:
        free = 1 << 20

    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Full)
    before = picture(places.prefix)
    with pytest.raises(ApplyError, match="MiB are needed"):
        apply(places, state)
    assert picture(places.prefix) == before


def test_a_cut_line_of_the_journal_is_left_out(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    session = state.new_session()
    Journal(session).note("begin", prefix="x")
    with (session / "journal.jsonl").open("ab") as stream:
        stream.write(b'{"event": "ste')
    assert [entry["event"] for entry in read_journal(session)] == ["begin"]


def test_one_whyload_at_a_time(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    with state.locked(), pytest.raises(ApplyError, match="another whyload"), state.locked():
        pass
    with state.locked():
        pass


def test_environments_have_states_of_their_own(tmp_path: Path) -> None:
    folders = {EnvironmentState(tmp_path / name, tmp_path).folder for name in ("a", "b")}
    assert len(folders) == 2
    (tmp_path / "a").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert EnvironmentState(tmp_path / "link", tmp_path).folder == EnvironmentState(tmp_path / "a", tmp_path).folder


def test_every_path_that_a_step_touches_is_named(places: EnvironmentPlaces) -> None:
    write = steps(places)[2]
    assert places.site / "_whyload.pth" in write.touches


@pytest.mark.parametrize("where", ["kept", "moved", "files", "parts"])
@pytest.mark.parametrize("how", ["absolute", "back", "prefix"])
def test_a_list_that_names_a_path_outside_of_the_environment_touches_nothing(
    places: EnvironmentPlaces, state: EnvironmentState, tmp_path: Path, where: str, how: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("data", encoding="ascii")
    session = apply(places, state)
    names = {"absolute": outside, "back": f"{places.site}/../../outside", "prefix": places.prefix}
    for number in range(3):
        path = session / f"before-{number}.json"
        values = json.loads(path.read_bytes())
        name = str(names[how])
        if where == "parts":
            values["parts"].append(name)
        else:
            values[where][name] = [1, 1, None, False] if where == "files" else "0"
        path.write_text(json.dumps(values), encoding="ascii")
    before = picture(tmp_path)
    with pytest.raises(ApplyError, match="outside of the environment"):
        undo_run([session], places.site, force=True)
    assert picture(tmp_path) == before


@pytest.mark.parametrize("aside", ["other", "precious", "../precious.whyload-aside-1", "precious.whyload-aside-/x"])
def test_only_what_a_cache_was_called_meanwhile_takes_its_place(
    places: EnvironmentPlaces, state: EnvironmentState, tmp_path: Path, aside: str
) -> None:
    (tmp_path / "precious").write_text("data", encoding="ascii")
    (tmp_path / "other").write_text("other", encoding="ascii")
    session = apply(places, state)
    path = session / "before-3.json"
    values = json.loads(path.read_bytes())
    values["cleared"][str(tmp_path / "precious")] = aside
    path.write_text(json.dumps(values), encoding="ascii")
    before = picture(tmp_path)
    with pytest.raises(ApplyError, match="not what whyload wrote"):
        undo_run([session], places.site)
    assert picture(tmp_path) == before


def test_what_was_built_since_is_no_change_of_the_environment(
    places: EnvironmentPlaces, state: EnvironmentState
) -> None:
    before = picture(places.prefix)
    session = apply(places, state)
    (cache(places.prefix) / "fused" / "build.ninja").write_text("built since", encoding="ascii")
    undo_run([session], places.site)
    assert picture(places.prefix) == before


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"parts": 1}', '{"parts": [], "files": {"a": [1]}}', "[" * 100_000])
@pytest.mark.parametrize("file", ["before-0.json", "after.json"])
def test_a_damaged_list_is_said_and_touches_nothing(
    places: EnvironmentPlaces, state: EnvironmentState, file: str, text: str
) -> None:
    session = apply(places, state)
    (session / file).write_text(text, encoding="ascii")
    before = picture(places.prefix)
    with pytest.raises(ApplyError, match=file.replace(".", r"\.")):
        undo_run([session], places.site)
    assert picture(places.prefix) == before


@pytest.mark.parametrize("lost", [b"begin", b"kept", b"finished"])
def test_a_damaged_journal_never_throws_the_copies_away(
    places: EnvironmentPlaces, state: EnvironmentState, lost: bytes
) -> None:
    before = picture(places.prefix)
    session = apply(places, state)
    journal = session / "journal.jsonl"
    lines = [line for line in journal.read_bytes().splitlines() if b'"event": "' + lost not in line]
    journal.write_bytes(b"\n".join(lines))
    copies = picture(session / "kept-0")
    assert open_sessions(state) == [session]
    if lost == b"begin":
        with pytest.raises(ApplyError, match="the journal is damaged"):
            undo_run([session], places.site)
        assert picture(session / "kept-0") == copies
    else:
        undo_run([session], places.site)
        assert picture(places.prefix) == before


def test_a_line_that_was_cut_off_spoils_no_later_one(places: EnvironmentPlaces, state: EnvironmentState) -> None:
    session = apply(places, state)
    with (session / "journal.jsonl").open("ab") as stream:
        stream.write(b'{"event": "undo')
    Journal(session).note("undoing")
    assert [entry["event"] for entry in read_journal(session)][-2:] == ["finished", "undoing"]


def test_files_behind_a_link_that_leads_out_of_the_environment_stay(
    places: EnvironmentPlaces, state: EnvironmentState, tmp_path: Path
) -> None:
    outside = tmp_path / "project"
    outside.mkdir()
    (outside / "core.py").write_text("work", encoding="ascii")
    (places.site / "linked").symlink_to(outside, target_is_directory=True)
    transaction = Transaction(state.new_session(), places)
    transaction.begin("linked")
    with pytest.raises(ApplyError, match="outside of the environment"):
        transaction.take(Step(title="remove linked", remove=(places.site / "linked" / "core.py",)))
    assert (outside / "core.py").read_text() == "work"


def test_files_that_are_read_only_go_and_come_back_as_they_were(
    places: EnvironmentPlaces, state: EnvironmentState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows does not remove, nor replace, a file that has the attribute; hard links have it in common."""
    library, setting = places.site / "alpha" / "core.pyd", places.site / "gamma" / "keep.txt"
    for path in (
        library,
        setting,
        places.site / "alpha.libs" / "helper.dll",
        cache(places.prefix) / "fused" / "fused.pyd",
    ):
        path.chmod(0o444)
    before = picture(places.prefix)
    unlink, move = Path.unlink, Path.replace

    def refuse(path: Path) -> None:
        if os.path.lexists(path) and not path.stat().st_mode & 0o200:
            raise PermissionError(13, "Access is denied", str(path))

    def careful_unlink(self: Path, missing_ok: bool = False) -> None:
        refuse(self)
        unlink(self, missing_ok=missing_ok)

    def careful_move(self: Path, target: Path) -> Path:
        refuse(target)
        return move(self, target)

    monkeypatch.setattr(Path, "unlink", careful_unlink)
    monkeypatch.setattr(Path, "replace", careful_move)
    session = apply(places, state)
    assert library.read_text() == "new library"
    assert setting.read_text() == "mine"
    undo(session)
    assert picture(places.prefix) == before
    assert [path.stat().st_mode & 0o777 for path in (library, setting)] == [0o444, 0o444]
    assert not session.exists()


def test_a_library_in_a_folder_that_goes_whole_is_in_use(
    places: EnvironmentPlaces, state: EnvironmentState, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, held = picture(places.prefix), places.site / "alpha.libs" / "helper.dll"
    really = os.open

    def sharing(path: str | Path, flags: int, mode: int = 0o777) -> int:
        if Path(path) == held and flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied", str(path))
        return really(path, flags, mode)

    session = state.new_session()
    work = Transaction(session, places)
    work.begin("alpha")
    with monkeypatch.context() as patched, pytest.raises(ApplyError, match=r"helper\.dll is in use"):
        patched.setattr(transaction, "KEEPS_MAPPED_FILES", True)
        patched.setattr(os, "open", sharing)
        work.take(Step(title="remove", remove=(held.parent,)))
    undo(session)
    assert picture(places.prefix) == before


def hold(path: Path, patch: pytest.MonkeyPatch) -> None:
    """As on Windows, where another program has the file open: it can be neither removed nor replaced."""
    unlink, move = Path.unlink, Path.replace

    def refuse(asked: Path) -> None:
        if asked == path:
            raise PermissionError(13, "The process cannot access the file", str(path))

    def held_unlink(self: Path, missing_ok: bool = False) -> None:
        refuse(self)
        unlink(self, missing_ok=missing_ok)

    def held_move(self: Path, target: Path) -> Path:
        refuse(target)
        return move(self, target)

    patch.setattr(Path, "unlink", held_unlink)
    patch.setattr(Path, "replace", held_move)


@pytest.mark.parametrize("touched", [False, True])
def test_a_file_that_another_program_holds(
    touched: bool, places: EnvironmentPlaces, state: EnvironmentState, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is put in the place of one that was never touched; what is to come back leaves no second file behind."""
    library = places.site / "alpha" / "core.pyd"
    library.chmod(0o444)  # so that it is kept as a copy, not as a link
    before = picture(places.prefix)
    session = state.new_session()
    work = Transaction(session, places)
    work.begin("x")
    with monkeypatch.context() as patch:
        hold(library, patch)
        with pytest.raises(ApplyError):
            work.take(Step(title="x", remove=(library,)))
        if touched:
            library.chmod(0o644)
            library.write_text("another")
            with pytest.raises(ApplyError, match="cannot be put back"):
                undo(session)
            assert not list(library.parent.glob("*.whyload-back"))
        else:
            undo(session)
    if touched:
        undo(session)
    assert picture(places.prefix) == before
