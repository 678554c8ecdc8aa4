"""Measures published wheels anew and writes rows for knowledge/data/versions.toml.

`python -m tools.measure_releases torch onnxruntime --minor 2.9 --compare`: for each package and minor release the
CPython versions with a 64-bit Windows wheel (pip resolves them from metadata), and from one wheel (downloaded once,
kept in whyload's cache) the newest linker version of the members that decide, and the CUDA and cuDNN majors that they
import.
Without `--minor`: the releases that the table does not have yet. `--compare` says where the table differs.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence

from whyload.base.bytesource import BytesSource
from whyload.base.dataclass import dataclass, field
from whyload.base.errors import FormatError
from whyload.base.message import Text, message
from whyload.base.versions import parse_python_version
from whyload.formats.pe import Image
from whyload.knowledge.libraries import Family, identify
from whyload.knowledge.reader import data_tables
from whyload.knowledge.systems import parse_profile
from whyload.world.clean_machine import Target
from whyload.world.requirement import fetch
from whyload.world.wheel import Wheel

PYTHONS = ("3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15")
DECIDING = {
    "torch": ("torch/lib/c10.dll", "torch/lib/torch_cpu.dll", "torch/lib/torch_python.dll"),
    "onnxruntime": ("onnxruntime/capi/onnxruntime_pybind11_state.pyd",),
    "onnxruntime-gpu": (
        "onnxruntime/capi/onnxruntime_pybind11_state.pyd",
        "onnxruntime/capi/onnxruntime_providers_cuda.dll",
    ),
    "onnxruntime-directml": ("onnxruntime/capi/onnxruntime_pybind11_state.pyd", "onnxruntime/capi/onnxruntime.dll"),
}
"""Members whose linker version and imports decide; of a package that is not named here, every native member does."""
_RUNTIME = "msvcp140.dll"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What the wheels of one minor release show."""

    distribution: str
    minor: str
    versions: tuple[str, ...]
    pythons: tuple[str, ...]
    linker: tuple[int, int] | None = None
    """The newest linker version among the members that import msvcp140.dll; None where none does."""
    cuda: int | None = None
    cudnn: int | None = None
    measured: str = ""
    """The wheel that was opened."""
    imports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """CUDA names by member."""

    def toml(self) -> str:
        """A row of versions.toml."""
        lines = [f"[[{self.distribution}]]", f'minor = "{self.minor}"', f"versions = {json.dumps(list(self.versions))}"]
        lines.append(f"python = {json.dumps(list(self.pythons))}")
        if self.linker is not None:
            lines.append(f'vc_runtime = "{self.linker[0]}.{self.linker[1]}"')
        lines += [f"{key} = {value}" for key, value in (("cuda", self.cuda), ("cudnn", self.cudnn)) if value]
        lines.append(f'source = "wheel tags; import tables of {self.measured}"')
        return "\n".join(lines) + "\n"


def measure(distribution: str, minor: str, versions: Sequence[str]) -> Measurement:
    """One minor release; the newest of its versions is the one that is opened."""
    pythons = tuple(python for python in PYTHONS if has_wheel(distribution, versions[-1], python))
    if not pythons:
        return Measurement(distribution=distribution, minor=minor, versions=tuple(versions), pythons=())
    python = parse_python_version("3.11" if "3.11" in pythons else pythons[-1])
    assert python is not None
    target = Target(python=python, profile=parse_profile("windows-11"))
    wheel = fetch(f"{distribution}=={versions[-1]}", target, _say, dependencies=False)[0]
    return measured_wheel(wheel, distribution, minor, tuple(versions), pythons)


def measured_wheel(
    wheel: Wheel, distribution: str, minor: str, versions: tuple[str, ...], pythons: tuple[str, ...]
) -> Measurement:
    """What the members of an opened wheel show."""
    linkers: list[tuple[int, int]] = []
    found: dict[str, tuple[str, ...]] = {}
    majors: dict[Family, set[int]] = {Family.CUDA: set(), Family.CUDNN: set()}
    for name in deciding_members(wheel, distribution):
        image = _image(wheel, name)
        if image is None:
            continue
        imported = [entry.name.lower() for entry in (*image.imports(), *image.delay_imports())]
        if _RUNTIME in imported:
            linkers.append(image.linker_version)
        libraries = [(dll, library) for dll in imported if (library := identify(dll)) is not None]
        cuda = [(dll, library) for dll, library in libraries if library.family in majors]
        for _, library in cuda:
            if library.major is not None:
                majors[library.family].add(library.major)
        if cuda:
            found[name] = tuple(sorted(dll for dll, _ in cuda))
    return Measurement(
        distribution=distribution,
        minor=minor,
        versions=versions,
        pythons=pythons,
        linker=max(linkers, default=None),
        cuda=max(majors[Family.CUDA], default=None),
        cudnn=max(majors[Family.CUDNN], default=None),
        measured=f"{distribution} {versions[-1]}",
        imports=found,
    )


def deciding_members(wheel: Wheel, distribution: str) -> list[str]:
    """The members that decide, as far as the wheel has them."""
    names = wheel.archive.namelist()
    wanted = DECIDING.get(distribution)
    if wanted is None:
        return [name for name in names if name.lower().endswith((".pyd", ".dll"))]
    return [name for name in wanted if name in names]


def differences(measured: Measurement) -> list[str]:
    """Where the table says something else."""
    rows = data_tables("versions").get(measured.distribution, ())
    row = next((row for row in rows if row["minor"] == measured.minor), None)
    if row is None:
        return ["the table does not have it"]
    linker = f"{measured.linker[0]}.{measured.linker[1]}" if measured.linker else None
    pairs = (
        ("versions", row["versions"], list(measured.versions)),
        ("python", row["python"], list(measured.pythons)),
        ("vc_runtime", row.get("vc_runtime"), linker),
        ("cuda", row.get("cuda"), measured.cuda),
        ("cudnn", row.get("cudnn"), measured.cudnn),
    )
    return [f"{key}: table {there}, wheels {here}" for key, there, here in pairs if there != here]


def published(distribution: str) -> dict[str, list[str]]:
    """Versions with a 64-bit Windows wheel by minor release, oldest first, without pre-releases."""
    versions: set[str] = set()
    for python in PYTHONS:
        done = _pip("index", "versions", *_target(python), distribution)
        match = re.search(r"^Available versions: (.*)$", done.stdout, re.MULTILINE)
        versions.update(match[1].split(", ") if match else ())
    if not versions:
        raise SystemExit(f"pip lists no version of {distribution} with a 64-bit Windows wheel")
    return by_minor(versions)


def by_minor(versions: Iterable[str]) -> dict[str, list[str]]:
    """Plain numbers grouped by their first two parts, oldest first."""
    plain = [text.strip() for text in versions if re.fullmatch(r"\s*\d+(\.\d+)+\s*", text)]
    found: dict[str, list[str]] = {}
    for version in sorted(plain, key=lambda text: [int(part) for part in text.split(".")]):
        found.setdefault(".".join(version.split(".")[:2]), []).append(version)
    return found


def has_wheel(distribution: str, version: str, python: str) -> bool:
    """Whether pip finds a 64-bit Windows wheel for a CPython version; from metadata, nothing is downloaded."""
    with tempfile.TemporaryDirectory() as folder:
        options = ["--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--target", folder]
        return _pip("install", *options, *_target(python), f"{distribution}=={version}").returncode == 0


def _target(python: str) -> list[str]:
    platform = ["--platform", "win_amd64", "--implementation", "cp", "--python-version", python]
    return ["--only-binary=:all:", *platform]


def _pip(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", *arguments, "--disable-pip-version-check", "--no-input"]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def _image(wheel: Wheel, name: str) -> Image | None:
    try:
        return Image(BytesSource(wheel.archive.read(name)))
    except FormatError:
        return None


def _say(said: Text) -> None:
    print(message(said).en, file=sys.stderr, flush=True)


def main() -> int:
    """Write the rows; with `--compare` only what differs. Returns 1 where something does."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure_releases", description=__doc__)
    parser.add_argument("packages", nargs="+")
    parser.add_argument("--minor", action="append", default=[], metavar="2.9")
    parser.add_argument("--compare", action="store_true")
    arguments = parser.parse_args()
    differs = False
    for package in arguments.packages:
        known = {row["minor"] for row in data_tables("versions").get(package, ())}
        for minor, versions in published(package).items():
            if minor not in arguments.minor and (arguments.minor or minor in known):
                continue
            measured = measure(package, minor, versions)
            found = differences(measured)
            differs = differs or bool(found)
            if arguments.compare:
                print(f"{package} {minor}: {'; '.join(found) or 'as in the table'}", flush=True)
            else:
                print(measured.toml(), flush=True)
    return 1 if arguments.compare and differs else 0


if __name__ == "__main__":
    sys.exit(main())
