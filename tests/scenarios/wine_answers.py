"""What Wine's loader makes of random worlds: asked, stored, compared with the simulation.

    python -m tests.scenarios.wine_answers --count 300 --seed 1 --out tests/scenarios/answers.json
    python -m tests.scenarios.wine_answers --count 3000 --seed 100000          # prints every difference

Source of truth: Wine, where it is Windows (docs/testbed.md says where not). Worlds share no names of files, so that
many lie on one machine, and each process asks one question of every world.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from tests.scenarios.differences import asked_in, difference
from tests.scenarios.random_worlds import MODES, ODD, World
from tests.scenarios.scenario import base, bases, lower
from tests.scenarios.simulated import ask_batch
from tests.testbed.wine import LoadAnswer, WineMachine
from whyload.loader.windows.arguments import with_extension

Json: TypeAlias = "dict[str, object]"
AT_ONCE = 40
"""Worlds on the machine at the same time: their DLLs must fit into one list of modules."""


def answered(worlds: Sequence[World], machine: WineMachine) -> dict[int, dict[str, Json]]:
    """Wine's answers to all questions, by seed and mode, each with the world's fingerprint."""
    laid = [place for world in worlds for place in world.scenario("import").lay_out(machine.host)]
    kept: dict[int, dict[str, Json]] = {world.seed: {"world": {"fingerprint": world.fingerprint()}} for world in worlds}
    try:
        for mode in (*MODES, *ODD):
            questions = [world.scenario(mode).question() for world in worlds]
            for world, answer in zip(worlds, machine.load_all(questions, together=True), strict=True):
                kept[world.seed][mode] = _stored(world, answer)
    finally:
        for place in reversed(laid):
            if place.is_dir():
                place.rmdir()
            else:
                place.unlink(missing_ok=True)
    return kept


def _stored(world: World, answer: LoadAnswer) -> Json:
    """What is kept of an answer; after a failure Wine leaves DLLs behind that Windows unloads, so no modules then."""
    names = bases(world.files)
    kept: Json = {"error": answer.winerror}
    if any(answer.preload_errors) or answer.trace.preload_stubs:
        kept["preload"] = [*answer.preload_errors, answer.trace.preload_stubs]
    if answer.winerror == 0:
        kept["modules"] = sorted(path.lower() for path in answer.modules if base(path).lower() in names)
    trace = answer.trace
    needers = bases([entry[1] for entry in trace.missing] + [entry[1] for entry in trace.failed])
    lists: Json = {
        "missing": sorted({_full_name(name) for name, _ in trace.missing} - needers),
        "bad": sorted({f"{_full_name(name)} {status:X}" for name, _, status in trace.failed}),
        "symbols": [[_full_name(dll), function, who] for dll, function, who in sorted(lower(trace.symbols))],
    }
    return kept | {key: found for key, found in lists.items() if found}


def _full_name(name: str) -> str:
    """A name of an import table as the loader looks for it (R1.18)."""
    return with_extension(name.rstrip(" ")).lower()


def load_answers(file: Path) -> Mapping[int, dict[str, dict[str, Any]]]:
    """The stored answers by seed and mode."""
    return {int(seed): modes for seed, modes in json.loads(file.read_text(encoding="utf-8")).items()}


def differences(answers: Mapping[int, dict[str, dict[str, Any]]], folder: Path) -> tuple[dict[str, str], int]:
    """Where the simulation says otherwise, by `seed/mode`; and how many questions were asked."""
    asked = {seed: asked_in(World(seed), modes, folder / str(seed)) for seed, modes in answers.items()}
    loads = ask_batch([question for questions in asked.values() for question in questions])
    found = {}
    for seed, questions in asked.items():
        world = World(seed)
        for question in questions:
            mode = question["id"].partition("/")[2]
            said = difference(world, mode, answers[seed][mode], loads[question["id"]])
            if said is not None:
                found[question["id"]] = said
    return found, len(loads)


def _lines(worlds: Mapping[int, dict[str, Json]]) -> Iterator[str]:
    for seed, modes in worlds.items():
        yield f'"{seed}": {json.dumps(modes, separators=(",", ":"))}'


def _compare(answers: Mapping[int, dict[str, Json]]) -> tuple[int, int]:
    with tempfile.TemporaryDirectory(prefix="worlds-") as folder:
        plain = json.loads(json.dumps(answers))
        found, asked = differences({int(seed): modes for seed, modes in plain.items()}, Path(folder))
    for question, said in found.items():
        print(f"{question}: {said}", flush=True)
    return len(found), asked


def main() -> None:
    parser = argparse.ArgumentParser(description="Put random worlds to Wine; store its answers or compare them.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--out", type=Path, help="store the answers there instead of comparing")
    chosen = parser.parse_args()
    worlds: dict[int, dict[str, Json]] = {}
    differing = asked = 0
    began, last = time.monotonic(), chosen.seed + chosen.count
    with WineMachine() as machine:
        machine.install_python("3.11", layout="embed")
        for first in range(chosen.seed, last, AT_ONCE):
            some = answered([World(seed) for seed in range(first, min(first + AT_ONCE, last))], machine)
            if chosen.out:
                worlds |= some
            else:
                counts = _compare(some)
                differing, asked = differing + counts[0], asked + counts[1]
    if chosen.out:
        chosen.out.write_text("{\n" + ",\n".join(_lines(worlds)) + "\n}\n", encoding="utf-8")
        print(f"{len(worlds)} worlds, {chosen.out.stat().st_size // 1024} KiB", file=sys.stderr)
        return
    print(f"{chosen.count} worlds, {differing} of {asked} differ, {time.monotonic() - began:.0f} s", file=sys.stderr)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
