"""A simulated answer against Wine's, by what Windows is known to do otherwise.

Source of truth: docs/loader.md (R1.23, R2.32, R2.46 to R2.49); docs/testbed.md, "What Wine is not".
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.scenarios.random_worlds import World
from tests.scenarios.scenario import base, bases
from tests.scenarios.simulated import drive_path
from tests.testbed.pewriter import Dll

BAD_STATUS = {"C000007B": 193, "C000012F": 193, "C0000020": 193, "C0000022": 5, "C00000BA": 5}
"""Win32 errors of an NTSTATUS (loader.md 2.10); the last is a folder in the place of a file."""


def asked_in(world: World, answers: Mapping[str, dict[str, Any]], folder: Path) -> list[dict[str, str]]:
    """The world laid out in `folder`, and the questions of it for `--batch`; not those whose preloads failed."""
    root, file = folder / "C", folder / "world.json"
    scenario = world.scenario("import")
    scenario.lay_out(lambda path: drive_path(root, path))
    file.write_text(scenario.world(), encoding="utf-8")
    questions = []
    for mode, answer in answers.items():
        if mode == "world" or any(answer.get("preload", [])):
            continue  # what a failed preload leaves behind is Wine's own affair
        ask, flags = world.question(mode)
        here = {"id": f"{world.seed}/{mode}", "root": str(root), "world": str(file)}
        questions.append({**here, "file": ask, "flags": hex(flags)})
    return questions


def difference(world: World, mode: str, answer: dict[str, Any], load: dict[str, Any]) -> str | None:
    """How a simulated load differs from what Wine's answer allows."""
    allowed = allowed_errors(world, answer)
    if load["winerror"] not in allowed:
        return f"{world.question(mode)}: error {load['winerror']} instead of {sorted(allowed)}: {answer}"
    if load["winerror"] == 0:
        names = bases(world.files)
        own = {path.lower() for path in load["modules"] if bases([path]) <= names}
        if own != set(answer["modules"]):
            return f"{world.question(mode)}: in the process {sorted(own)} instead of {answer['modules']}"
    if answer["error"] == 126:
        named, missing = bases(load["missing"]), set(answer.get("missing", []))
        if missing and not named <= missing:
            return f"missing {sorted(named)} instead of (some of) {sorted(missing)}"
        if load["winerror"] == 126 and missing and not named:
            return f"nothing is missing instead of {sorted(missing)}"
    if answer["error"] in (0, 1114):
        return _other_symbols(world, answer, load)
    return None


def allowed_errors(world: World, answer: dict[str, Any]) -> frozenset[int]:
    """What Windows may say where Wine has said this."""
    error, symbols = answer["error"], answer.get("symbols", [])
    if symbols and error in (0, 1114):  # Wine puts stubs and goes on, to the initialisers even
        return frozenset().union(*(_symbol_errors(world, dll, function) for dll, function, _ in symbols))
    statuses = [entry.rpartition(" ")[2] for entry in answer.get("bad", [])]
    bad = {BAD_STATUS[status] for status in statuses if status in BAD_STATUS}
    if error == 126 and bad:
        # behind an import Wine turns a bad image into 126; with both, Windows gives the one it meets first
        return frozenset(bad | ({126} if answer.get("missing") else set()))
    return frozenset({error})


def _symbol_errors(world: World, dll: str, function: str) -> frozenset[int]:
    """R2.48, R2.49, R1.23; the code of a broken forwarder is not established (D16)."""
    plain = 182 if function.startswith("#") else 127
    copies = [content for path, content in world.files.items() if base(path).lower() == dll]
    tables = [content.exports for content in copies if isinstance(content, Dll)]
    errors = {plain}
    if any(not table for table in tables):
        errors.add(193)
    if any(isinstance(table.get(function), str) for table in tables):
        errors |= {126, 127, 182, 193, 5, 1114}  # Wine calls the target's initialiser first, and puts a stub too
    return frozenset(errors)


def _other_symbols(world: World, answer: dict[str, Any], load: dict[str, Any]) -> str | None:
    """Functions that only one of the two misses; of a broken forwarder Wine names the holder, we its target."""
    theirs = {(dll, function, importer) for dll, function, importer in answer.get("symbols", [])}
    ours = {(base(dll).lower(), function, base(who).lower()) for dll, function, who in load["missing_symbols"]}
    plain = {entry for entry in theirs if _symbol_errors(world, entry[0], entry[1]) <= {127, 182}}
    forwarding = {importer for _, _, importer in theirs - plain}
    extra = {entry for entry in ours - theirs if entry[2] not in forwarding}
    if plain - ours or extra:
        return f"missing functions: only Wine's {sorted(plain - ours)}, only ours {sorted(extra)}"
    return None
