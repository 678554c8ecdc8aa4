"""Everything that is known when the rules are asked: the world, the process after the run, packages, copies."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.typing import TYPE_CHECKING
from whyload.world.model import Layout, World

if TYPE_CHECKING:
    from whyload.base.paths import WinPath
    from whyload.facts.copies import Copies
    from whyload.facts.packages import Packages
    from whyload.loader.windows.playback import Playback
    from whyload.loader.windows.process import Process


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question with its simulated (or observed) run."""

    world: World
    process: Process
    packages: Packages
    copies: Copies
    playback: Playback
    subject: str
    """What was asked for, as the report's chain begins: `torch`, a script, a file."""
    paths: tuple[WinPath, ...] = ()
    """`sys.path`."""
    script_folder: WinPath | None = None
    observed: bool = False
    """The failure was seen in a real run."""

    def label(self, path: WinPath) -> str:
        """A file as people know it: relative to the folder of `sys.path` that it lies in, else whole."""
        below = [folder for folder in self.paths if path.is_below(folder) and folder.parent != folder]
        best = max(below, key=lambda folder: len(folder.text), default=None)
        return path.relative_to(best) if best is not None else path.text

    @property
    def is_frozen(self) -> bool:
        """The world is a frozen application."""
        return self.world.python.layout in (Layout.FROZEN, Layout.PYINSTALLER)
