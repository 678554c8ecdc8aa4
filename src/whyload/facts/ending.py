"""The error that ended a run: what the person pasted into the world's description, or what was watched."""

from __future__ import annotations

from whyload.base.dataclass import dataclass
from whyload.base.paths import WinPath
from whyload.base.typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whyload.facts.case import Case
    from whyload.loader.windows.playback import PlayedLoad


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """The error that ended a run."""

    text: str
    """The last exception with its text, or all that was written where there is none."""
    output: str
    """All that was written: the traceback and what came before it."""
    raised: bool
    """An exception ended the run, or the process died."""
    winerror: int | None = None
    ntstatus: int | None = None
    """With which the process ended."""
    file: str | None = None
    """The library that the error names."""
    module: str | None = None
    """Last part of the extension module that the error names."""
    is_about_loading: bool = False
    """One of its errors is of a kind that loading raises, or has a number of Windows, or the process crashed."""

    @property
    def raised_in(self) -> WinPath | None:
        """The Python file whose code raised the last exception, as the traceback says."""
        from whyload.observe.text.stack import read_frames

        frames = read_frames(self.output[: self.output.rfind(self.text)] if self.text else self.output)
        file = WinPath(frames[-1].file) if frames else None
        return file if file is not None and file.is_absolute else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedError:
    """The error that ended the run, with the load that it is about where that is known."""

    case: Case
    ending: Ending
    load: PlayedLoad | None
    file: WinPath | None
    """The library that the error names."""

    @property
    def lacks_avx(self) -> bool:
        """The processor is known to lack AVX or AVX2, which many published builds use."""
        features = self.case.world.measured.processor_features or {}
        return not (features.get("avx", True) and features.get("avx2", True))

    @property
    def unexplained(self) -> Unexplained:
        """To be asked once more, where nothing that was found explains the error."""
        return Unexplained(error=self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unexplained:
    """An error that nothing explains which was found."""

    error: ReportedError
