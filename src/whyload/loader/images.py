"""Opens the images of a world, each once, and says what stands at a path."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.errors import FormatError
from whyload.base.typing import TYPE_CHECKING
from whyload.formats.pe import Image

if TYPE_CHECKING:
    from whyload.base.machine import Machine
    from whyload.base.paths import WinPath
    from whyload.world.model import FileView

_FIXED_RETURN_FALSE = (b"\x31\xc0\xc3", b"\x33\xc0\xc3", b"\xb8\x00\x00\x00\x00\xc3", b"\x31\xc0\xc2\x0c\x00")
"""x86 code of a DllMain that does nothing but return FALSE."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file as the loader meets it."""

    image: Image | None = None
    damage: FormatError | None = None
    denied: bool = False
    """It is there and cannot be read."""
    stand_in: bool = False
    """One of Wine's own DLLs: it stands for the system's, whose exports are not known."""

    @property
    def machine(self) -> Machine | None:
        """Its processor; None where the contents are not known."""
        return self.image.effective_machine if self.image else None


class ImageStore:
    """Images by path; a file that several loads meet is read once."""

    def __init__(self, files: FileView) -> None:
        self.files = files
        self._opened: dict[str, Opened] = {}

    def open(self, path: WinPath) -> Opened:
        """The image at `path`; nothing in it where the contents are not known."""
        opened = self._opened.get(path.key)
        if opened is None:
            opened = self._opened[path.key] = self._read(path)
        return opened

    def _read(self, path: WinPath) -> Opened:
        source = self.files.source(path)
        if source is None:
            return Opened()
        try:
            image = Image(source)
            return Opened(image=image, stand_in=image.is_wine_builtin)
        except FormatError as error:
            return Opened(damage=error)
        except OSError:
            return Opened(denied=True)


def initialiser_fails(image: Image) -> bool:
    """True where the entry point is code that can only return FALSE, so that the load ends with 1114 (R2.51)."""
    code = image.entry_code(6)
    return any(code.startswith(pattern) for pattern in _FIXED_RETURN_FALSE)
