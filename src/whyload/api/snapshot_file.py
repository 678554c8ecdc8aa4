"""Writes evidence into a snapshot file; every text in it goes through the redaction first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from whyload import __version__
from whyload.base.dataclass import replace
from whyload.base.paths import WinPath
from whyload.base.redaction import HIDDEN, Redaction
from whyload.base.values import hints_of, recorded
from whyload.engine.evidence import Evidence, record_image
from whyload.facts.shadows import imported_by_program
from whyload.findings.report import Question
from whyload.observe.observation import Observation
from whyload.observe.recorded import without_private_parts
from whyload.world.model import World, read_text
from whyload.world.snapshot.archive import ArchiveWriter
from whyload.world.snapshot.provider import BUILT
from whyload.world.snapshot.recording import Privacy, variables_that_matter
from whyload.world.snapshot.shape import (
    SCHEMA,
    Head,
    RecordedFiles,
    RecordedFolder,
    RecordedImage,
    RecordedImages,
    RecordedTexts,
)

_PERSONAL_VALUES = (
    "registered product digitalproduct defaultuser lastuseduser altdefaultuser defaultdomain computername hostname",
    "nv domain dhcpdomain machineguid sqm owner",
)
_PERSONAL = tuple(word for line in _PERSONAL_VALUES for word in line.split())
"""Beginnings of names of registry values that say who or which machine it is."""
_LONGEST_TEXT = 64 << 20


class SnapshotFile:
    """One snapshot on its way into a file."""

    def __init__(self, evidence: Evidence, question: Question | None, observation: Observation | None) -> None:
        self._evidence = evidence
        self._world = evidence.world
        self._question = question
        self._observation = observation
        self._privacy = evidence.privacy()
        self._met = evidence.files.met()
        self._redaction = _redaction_of(evidence, self._privacy)
        self._text = self._redaction.text

    def write(self, output: str) -> tuple[int, int]:
        """Write all parts. Returns how many folders and images; raises UsageError where it cannot be written."""
        world, evidence = self._world, self._evidence
        with ArchiveWriter(output) as archive:
            images = tuple(self._images(archive))
            texts = tuple(self._texts(archive))
            files = self._files(evidence.files.freeze(self._privacy))
            parts = {
                "snapshot": recorded(Head(schema=SCHEMA, whyload=__version__, source=world.kind.value)),
                "world": self._world_values(),
                "environment": self._variables(world.environment),
                "registry": recorded(evidence.registry.freeze(self._registry_value), self._text),
                "files": recorded(files),
                "images": recorded(RecordedImages(items=images)),
                "texts": recorded(RecordedTexts(items=texts)),
                "startups": evidence.startups.plain(self._text),
            }
            if self._question is not None:
                parts["question"] = recorded(self._question, self._text)
            if self._observation is not None:
                parts["observation"] = recorded(self._observed(self._observation), self._text)
            for name, part in parts.items():
                archive.add_json(name, part)
        return len(files.folders), len(images)

    def _images(self, archive: ArchiveWriter) -> Iterator[RecordedImage]:
        number = 0
        for path in self._evidence.files.natives():
            source = self._world.files.source(path)
            if source is None or not archive.has_room:
                continue
            image, data = record_image(self._path(path), source)
            if image.pieces:
                archive.add(f"images/{number}", data)
            number += 1
            yield image

    def _texts(self, archive: ArchiveWriter) -> Iterator[WinPath]:
        number = 0
        for path in self._evidence.files.texts():
            text = read_text(self._world.files, path, _LONGEST_TEXT)
            if text is None or not archive.has_room:
                continue
            archive.add(f"texts/{number}", self._kept_text(path, text).encode("utf-8", "replace"))
            number += 1
            yield self._path(path)

    def _kept_text(self, path: WinPath, text: str) -> str:
        """A RECORD has nothing but names and digests; of METADATA the head is enough."""
        if path.name.upper() == "RECORD":
            return self._redaction.names(text)
        if path.name.upper() in ("METADATA", "PKG-INFO"):
            text = text.replace("\r\n", "\n").partition("\n\n")[0] + "\n"
        return self._text(text)

    def _world_values(self) -> dict[str, object]:
        run = self._world.run
        imports = imported_by_program(self._world)
        world = replace(self._world, run=replace(run, imports=imports) if run is not None else None)
        return {name: recorded(getattr(world, name), self._text) for name in hints_of(World) if name not in BUILT}

    def _variables(self, variables: Mapping[str, str]) -> dict[str, str]:
        kept = variables_that_matter(variables, self._met)
        return {name: self._redaction.variable(name, value) for name, value in kept.items()}

    def _registry_value(self, name: str, value: object) -> object:
        if name.lower().startswith(_PERSONAL):
            return HIDDEN if isinstance(value, str) else None
        return self._redaction.variable(name, value) if isinstance(value, str) else value

    def _observed(self, observation: Observation) -> Observation:
        return without_private_parts(observation, self._privacy.is_software, self._variables)

    def _path(self, path: WinPath) -> WinPath:
        return WinPath(self._text(path.text))

    def _files(self, files: RecordedFiles) -> RecordedFiles:
        return RecordedFiles(
            folders=tuple(map(self._folder, files.folders)),
            absent=tuple(map(self._path, files.absent)),
            unknown=tuple(map(self._path, files.unknown)),
            same=tuple(tuple(map(self._path, paths)) for paths in files.same),
        )

    def _folder(self, folder: RecordedFolder) -> RecordedFolder:
        names = self._names(folder.path, (*folder.files, *folder.folders, *folder.denied))
        return replace(
            folder,
            path=self._path(folder.path),
            files={names[name]: size for name, size in folder.files.items()},
            folders=tuple(names[name] for name in folder.folders),
            denied=tuple(names[name] for name in folder.denied),
        )

    def _names(self, folder: WinPath, names: tuple[str, ...]) -> dict[str, str]:
        """Names as they stand in the redacted paths: below `C:\\Users` a name is a person's."""
        if not names:
            return {}
        lines = self._redaction.names("\n".join(str(folder / name) for name in names)).split("\n")
        return {name: line.rpartition("\\")[2] for name, line in zip(names, lines, strict=True)}


def _redaction_of(evidence: Evidence, privacy: Privacy) -> Redaction:
    world = evidence.world
    python, process = world.python, world.process
    places = [python.executable, python.venv, *python.paths, process.cwd, process.application]
    places += [world.run.script] if world.run is not None else []
    texts = [str(place) for place in places if place is not None] + [world.traceback or ""]
    natives = {path.stem.partition(".")[0].lower() for path in evidence.files.natives()}
    return Redaction.of_environment(world.environment, texts=texts, keep=privacy.modules | natives)
