"""CUDA, cuDNN and TensorRT files: toolkit, package of the package index and folder of each, and the drivers they need.

Source: data/cuda.toml, data/cuda_drivers.toml (NVIDIA's wheels, installers' file lists and release notes).
"""

from __future__ import annotations

import functools
import re

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING
from whyload.knowledge.reader import data_tables

if TYPE_CHECKING:
    from whyload.base.typing import Any

Toolkit = tuple[int, int]
"""Major and minor version of a CUDA toolkit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaToolkit:
    """An installed toolkit, as far as its bin folder goes."""

    version: Toolkit
    folder: WinPath
    files: tuple[str, ...]
    """DLLs of the bin folder that are known by name; the list of 10.x is short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaPackage:
    """A package of the package index that carries a library."""

    cuda_major: int
    name: str
    restriction: str
    """Version restriction such as `==9.*`; empty where every version fits."""
    folder: str
    """Folder below site-packages; pip puts it on no search path."""

    @property
    def requirement(self) -> str:
        """What pip is asked for."""
        return f"{self.name}{self.restriction}"


@dataclass(frozen=True, slots=True, kw_only=True)
class CudaLibrary:
    """One DLL of NVIDIA's."""

    dll: str
    library: str
    first: Toolkit | None
    """First toolkit whose bin folder has it; None where it is no part of a toolkit."""
    last: Toolkit | None
    """Last such toolkit; None where it is in the newest."""
    in_bin: bool
    packages: tuple[CudaPackage, ...]
    imports: tuple[str, ...] | None
    """NVIDIA's own DLLs in its import table; None where that is not known."""
    note: str | None
    source: str

    @property
    def majors(self) -> tuple[int, ...]:
        """CUDA majors that this name serves, by its packages, else by the toolkits."""
        if self.packages:
            return tuple(sorted({package.cuda_major for package in self.packages}))
        if self.first is None:
            return ()
        return tuple(range(self.first[0], (self.last or self.first)[0] + 1))

    @property
    def major(self) -> int | None:
        """The one CUDA major that the name stands for; None where it serves several or none."""
        return self.majors[0] if len(self.majors) == 1 else None

    def package_for(self, cuda_major: int) -> CudaPackage | None:
        """The package that carries it for a CUDA major."""
        return next((package for package in self.packages if package.cuda_major == cuda_major), None)

    def belongs_to(self, version: Toolkit) -> bool:
        """Whether the bin folder of that toolkit has it."""
        return (
            self.in_bin
            and self.first is not None
            and self.first <= version
            and (self.last is None or version <= self.last)
        )


def library(dll: str) -> CudaLibrary | None:
    """What is known of a DLL by its exact name, without case."""
    return _libraries().get(dll.lower())


def libraries() -> tuple[CudaLibrary, ...]:
    """Every DLL of the data, in file order."""
    return tuple(_libraries().values())


def cuda_major(dll: str) -> int | None:
    """The CUDA major that a name stands for; None where the name does not tell (curand64_10.dll serves 10 to 13)."""
    known = library(dll)
    return known.major if known else _major_by_scheme(dll.lower())


def cuda_majors(dll: str) -> tuple[int, ...]:
    """Every CUDA major that has a DLL of this name; empty where that is not known."""
    known = library(dll)
    if known is not None:
        oldest = known.first[:1] if known.first else ()  # before there were packages
        return tuple(sorted({*known.majors, *oldest}))
    alone = _major_by_scheme(dll.lower())
    return () if alone is None else (alone,)


def _major_by_scheme(name: str) -> int | None:
    """For names newer than the data: libraries numbered with the toolkit. cuFFT, cuSOLVER … number themselves."""
    match = re.fullmatch(
        r"(?:cudart|cublas|cublaslt|nvblas|npp[a-z]*|nvjpeg|nvrtc|nvrtc-builtins)(?:64|32)_(\d+)(?:_\d)?(?:\.alt)?\.dll",
        name,
    )
    match = match or re.fullmatch(r"(?:nvjitlink|nvfatbin)_(\d+)_\d\.dll", name)
    if match is None:
        return None
    number = int(match[1])
    return number // 10 if number >= 50 else number  # 90, 110, 130: major and minor in one number


@functools.cache
def _libraries() -> dict[str, CudaLibrary]:
    return {row["dll"].lower(): _library(row) for row in data_tables("cuda")["dll"]}


def _library(row: dict[str, Any]) -> CudaLibrary:
    return CudaLibrary(
        dll=row["dll"],
        library=row["library"],
        first=_toolkit(row.get("first")),
        last=_toolkit(row.get("last")),
        in_bin=row.get("in_bin", True),
        packages=tuple(
            CudaPackage(cuda_major=major, name=name, restriction=restriction, folder=folder)
            for major, name, restriction, folder in row.get("packages", ())
        ),
        imports=tuple(row["imports"]) if "imports" in row else None,
        note=row.get("note"),
        source=row["source"],
    )


def _toolkit(text: str | None) -> Toolkit | None:
    if text is None:
        return None
    major, minor = text.split(".")
    return int(major), int(minor)


# -- toolkits and drivers --------------------------------------------------------------------------------------------


def toolkit_versions() -> tuple[str, ...]:
    """Toolkits that a profile may name, oldest first."""
    return tuple(data_tables("cuda")["toolkits"])


def parse_toolkit(text: str) -> Toolkit | None:
    """The toolkit of a text such as `12.4`; None where there is none of that version."""
    return _toolkit(text) if text in toolkit_versions() else None


def toolkit_of_build(local: str) -> Toolkit:
    """The toolkit of a build's local version: `cu118` is 11.8, `cu92` 9.2. Raises ValueError for another text."""
    digits = local.removeprefix("cu")
    if not digits.isascii() or not digits.isdigit() or len(digits) < 2 or digits == local:
        raise ValueError(local)
    return int(digits[:-1]), int(digits[-1])


def toolkit(version: Toolkit) -> CudaToolkit:
    """A toolkit in its usual place; 13 moved its DLLs to `bin\\x64`."""
    tables = data_tables("cuda")
    folder = tables["folder_13" if version[0] >= 13 else "folder"]
    return CudaToolkit(
        version=version,
        folder=WinPath(folder.format(version="{}.{}".format(*version))),
        files=tuple(known.dll for known in libraries() if known.belongs_to(version)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverMinimum:
    """A display driver that a toolkit wants; versions as NVIDIA writes them for Windows (`552.22`)."""

    toolkit: str
    driver: tuple[int, ...]
    source: str


def driver_of_toolkit(version: Toolkit) -> DriverMinimum | None:
    """The Windows driver packaged with the first release of a toolkit: full function. None where no table names it."""
    rows = [row for row in data_tables("cuda_drivers")["driver"] if "windows" in row and "RC" not in row["toolkit"]]
    fitting = [row for row in rows if re.match(rf"{version[0]}\.{version[1]}(?:\.|\s|$)", row["toolkit"])]
    if not fitting:
        return None
    row = fitting[-1]
    return DriverMinimum(toolkit=row["toolkit"], driver=_numbers(row["windows"]), source=row["source"])


def driver_of_major(major: int) -> DriverMinimum | None:
    """The lowest driver that runs any minor of a CUDA major."""
    row = next((row for row in data_tables("cuda_drivers")["major"] if row["cuda"] == major), None)
    return DriverMinimum(toolkit=f"{major}.x", driver=_numbers(row["driver"]), source=row["source"]) if row else None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))
