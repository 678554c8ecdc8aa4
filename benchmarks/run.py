"""Measures what docs/performance.md has targets for, and prints it as text or as the tables of that page."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.contenders import bytes_read
from benchmarks.corpus import LARGE_WHEELS, WHEELS, Corpus, corpus, tool, torch_machine
from benchmarks.exact import memory_of_one, nothing_dropped, size_of_the_file
from benchmarks.rounds import Times, commands, jobs
from benchmarks.table import Table, targets_table, times_table

TORCH = "C:\\Python\\Lib\\site-packages\\torch\\lib\\torch_python.dll"
CLOSURE = (
    "torch_python.dll", "torch_cpu.dll", "c10.dll", "shm.dll", "fbgemm.dll", "asmjit.dll", "uv.dll", "libiomp5md.dll",
    "torch.dll",
)  # fmt: skip


def run(argv: Sequence[str]) -> int:
    """Returns the exit code: 0, or 1 where a target is missed."""
    options = _options(argv)
    wheels = tuple(options.wheel) or WHEELS
    measured = corpus(wheels + LARGE_WHEELS if options.large else wheels)
    with tempfile.TemporaryDirectory(prefix="whyload-benchmark-") as scratch:
        tables = _measure(measured, Path(scratch), options)
    print(_head(measured))
    for table in [*tables, targets_table(tables)]:
        print(table.markdown() if options.markdown else table.text())
    return 0 if all(table.is_met for table in tables) else 1


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, metavar="N", help="interleaved rounds (7)")
    parser.add_argument("--slow-rounds", type=int, default=2, metavar="N", help="rounds of the slow peers (2)")
    parser.add_argument("--markdown", action="store_true", help="tables as docs/performance.md has them")
    parser.add_argument("--wheel", action="append", default=[], metavar="NAME==VERSION", help="instead of the corpus")
    parser.add_argument("--large", action="store_true", help="CUDA's libraries as well: 1.3 GB more to download")
    parser.add_argument("--only", choices=("reader", "programs"), help="one half of the measurements")
    return parser.parse_args(argv)


def _measure(measured: Corpus, scratch: Path, options: argparse.Namespace) -> list[Table]:
    tables: list[Table] = []
    if options.only != "programs":
        files = _list(scratch / "files.json", [str(path) for path in measured.files])
        tables += [_cost(measured), _names(files, options), _symbols(files, options), _memory(files)]
        tables += [size_of_the_file(measured, scratch), memory_of_one(measured), nothing_dropped(measured)]
        closure = [str(path) for path in measured.files if path.parent.name == "lib" and path.name in CLOSURE]
        if closure:
            tables.append(_bind(_list(scratch / "closure.json", closure), options))
    if options.only != "reader":
        tables += [_programs(scratch, options), _environment(measured, options)]
        if tool("objdump"):
            tables.append(_objdump(measured, options))
    return tables


def _list(place: Path, files: list[str]) -> Path:
    place.write_text(json.dumps(files))
    return place


def _cost(measured: Corpus) -> Table:
    """Target 2 is 0.3 % and 0.8 % of a corpus with 10.7 MB a file: 32 and 85 KB a file, whatever the files' sizes."""
    table = Table(
        title="Reads and bytes", columns=("job", "reads a file", "most", "KB a file, median", "mean", "share")
    )
    files = [str(path) for path in measured.files]
    for job, most in (("names", 32_000), ("symbols", 85_000)):
        reads, amounts = bytes_read(files, job)
        median, mean = statistics.median(amounts), statistics.mean(amounts)
        figures = [f"{median / 1e3:.1f}", f"{mean / 1e3:.1f}", f"{sum(amounts) / measured.size:.2%}"]
        table.add(job, f"{statistics.median(reads):g}", str(max(reads)), *figures)
        if job == "names":
            said, met = f"median {statistics.median(reads):g}, most {max(reads)}", statistics.median(reads) <= 3
            table.judge("1", "read calls a file, names", "median 3, most 10", said, met and max(reads) <= 10)
        met = mean <= most and median <= 64 << 10
        table.judge("2", f"bytes read a file, mean, {job}", f"{most // 1000} KB", f"{mean / 1e3:.0f} KB", met)
    return table


def _names(files: Path, options: argparse.Namespace) -> Table:
    slow = {"names lief": options.slow_rounds, "names pefile": options.rounds}
    contenders = ["names whyload", "names unchecked", "names reads", "names pefile", "names lief"]
    times = jobs(contenders, files, options.rounds, slow)
    own = times["names whyload"]
    table = times_table("Names: machine, imported and delay-imported libraries", times, own)
    _agree(table, own, times["names unchecked"], times["names pefile"], times["names lief"])
    _hardening(table, "names", own, times["names unchecked"])
    table.target("6", "names, against its own reads done again", own.over(times["names reads"]), most=5)
    table.target(
        "4", "names, against pefile (`fast_load`, `import_dllnames_only`)", times["names pefile"].over(own), least=20
    )
    return table


def _symbols(files: Path, options: argparse.Namespace) -> Table:
    slow = {"symbols lief": options.slow_rounds, "symbols pefile": options.slow_rounds}
    contenders = ["symbols whyload", "symbols unchecked", "symbols pefile", "symbols lief"]
    times = jobs(contenders, files, options.rounds, slow)
    own = times["symbols whyload"]
    table = times_table("Symbols: imported functions decoded, export tables read", times, own)
    _agree(table, own, times["symbols unchecked"], times["symbols pefile"], times["symbols lief"])
    _hardening(table, "symbols", own, times["symbols unchecked"])
    table.target("5", "symbols, against pefile, its limits lifted", times["symbols pefile"].over(own), least=15)
    if options.large:  # LIEF reads whole files: the target is meant for large ones
        table.target(
            "5",
            "symbols, against LIEF, imports and exports only (large libraries)",
            times["symbols lief"].over(own),
            least=15,
        )
    return table


def _bind(files: Path, options: argparse.Namespace) -> Table:
    times = jobs(["bind whyload", "bind pefile"], files, options.rounds, {"bind pefile": options.slow_rounds})
    own = times["bind whyload"]
    table = times_table("Torch's libraries read, every function looked up that they take from one another", times, own)
    _agree(table, own, times["bind pefile"])
    table.target("8", "torch's closure read and bound, against pefile", times["bind pefile"].over(own), least=15)
    return table


def _agree(table: Table, *times: Times) -> None:
    found = [each.found for each in times]
    table.note(f"found: {', '.join(map(str, found))}")


def _hardening(table: Table, job: str, own: Times, unchecked: Times) -> None:
    what = f"{job}, against a reader that checks nothing (processor time)"
    table.target("hardening", what, own.processor_over(unchecked), most=1.5)


def _memory(files: Path) -> Table:
    command = [sys.executable, "-m", "benchmarks.child", "memory", str(files)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    table = Table(title="Memory: every symbol of every file kept", columns=("files", "MiB"))
    if answer["after"] is not None:
        used = answer["after"] / 2**20
        table.add(str(answer["kept"]), f"{used:.0f}")
        table.target("11", "memory with every symbol of every file kept", used, most=200, unit=" MiB")
    return table


def _programs(scratch: Path, options: argparse.Namespace) -> Table:
    python = [sys.executable, "-I"]
    calls: dict[str, Sequence[str | Path]] = {"python -I -c pass": [*python, "-c", "pass"]}
    whyload = [*python, "-m", "whyload"]
    calls["whyload --version"] = [*whyload, "--version"]
    calls["whyload --help"] = [*whyload, "--help"]
    for version in ("2.4.1", "2.4.0"):
        root, description = torch_machine(version, scratch)
        where = ["--root", str(root), "--world", str(description)]
        if version == "2.4.1":
            library = root.joinpath(*TORCH.split("\\")[1:])
            calls["torch_python.dll's closure by names"] = [sys.executable, "-m", "benchmarks.closure", library]
            calls["whyload load torch_python.dll"] = [*whyload, "load", *where, TORCH, "--json"]
            calls["whyload tree torch_python.dll"] = [*whyload, "tree", *where, TORCH]
        calls[f"whyload import torch ({version})"] = [*whyload, "import", *where, "torch", "--json"]
    times = commands(calls, options.rounds)
    bare = times["python -I -c pass"]
    table = times_table("Whole programs, from start to exit", times, bare)
    table.target("12", "whyload --version", times["whyload --version"].over(bare), most=3)
    table.target("12", "whyload --help", times["whyload --help"].over(bare), most=3)
    table.target(
        "7",
        "torch_python.dll's closure by names, against python -I -c pass",
        times["torch_python.dll's closure by names"].over(bare),
        most=4,
    )
    table.target(
        "load",
        "whyload load, torch_python.dll (closure, every function, the report), against python -I -c pass",
        times["whyload load torch_python.dll"].over(bare),
        most=4,
    )
    failing, loading = times["whyload import torch (2.4.0)"], times["whyload import torch (2.4.1)"]
    table.target(
        "import",
        "whyload import, torch 2.4.0 (fails in its own start-up), against python -I -c pass",
        failing.over(bare),
        most=6,
    )
    taken = min(loading.processor) if any(loading.processor) else loading.median
    table.target("import", "whyload import, torch 2.4.1 (loads), processor time", taken, most=2, unit=" s")
    return table


def _environment(measured: Corpus, options: argparse.Namespace) -> Table:
    folders = [str(folder) for folder in measured.folders]
    scan = [sys.executable, "-m", "benchmarks.scan"]
    calls: dict[str, Sequence[str | Path]] = {how: [*scan, how, *folders] for how in ("bare", "names")}
    times = commands(calls, options.rounds)
    table = times_table("A whole environment, scanned, and scanned and read (start-up included)", times, times["bare"])
    table.target("9", "environment scanned and read, against the bare scan", times["names"].over(times["bare"]), most=3)
    return table


def _objdump(measured: Corpus, options: argparse.Namespace) -> Table:
    folders = [str(folder) for folder in measured.folders]
    own = [sys.executable, "-m", "benchmarks.scan", "names", *folders]
    dump = ["objdump", "-p", *map(str, measured.files)]
    calls: dict[str, Sequence[str | Path]] = {"whyload's reader": own, "objdump -p": dump}
    times = commands(calls, min(options.slow_rounds, options.rounds))
    return times_table("Whole programs over every file", times, times["whyload's reader"])


def _head(measured: Corpus) -> str:
    cpu = next((line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if "model name" in line), "")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{len(measured.files)} files, {measured.size / 1e6:.0f} MB, of {len(measured.folders)} wheels; "
        f"{platform.python_implementation()} {platform.python_version()} on {platform.system()}, "
        f"{os.cpu_count()} x {cpu or platform.machine()}{load}\n"
    )


def _lines(place: str) -> list[str]:
    try:
        return Path(place).read_text().splitlines()
    except OSError:
        return []
