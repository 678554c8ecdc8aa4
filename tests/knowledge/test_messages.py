"""The messages of loaders, interpreters, compilers and packages."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from whyload.knowledge.messages import FoldedText, MessagePattern, Said, compiled, find_sayings, message_patterns

PATTERNS = message_patterns()


def test_every_kind_is_said_by_some_message() -> None:
    assert {pattern.kind for pattern in PATTERNS} == set(Said)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: f"{pattern.kind.value}-{pattern.find[:30]}")
def test_entries(pattern: MessagePattern) -> None:
    assert pattern.source
    assert pattern.find == " ".join(pattern.find.split()).lower()
    assert pattern.platform in (None, "windows", "linux", "macos")
    if pattern.require is not None:
        re.compile(pattern.require)
    if pattern.asks is not None:
        assert pattern.regex is not None
        assert "file" in compiled(pattern.regex).groupindex
    if pattern.regex is not None:
        groups = {"module", "file", "library", "symbol", "version", "needed_by", "found", "number"}
        assert set(compiled(pattern.regex).groupindex) <= groups


@pytest.mark.parametrize(
    "pattern", [pattern for pattern in PATTERNS if pattern.regex], ids=lambda pattern: pattern.find[:40]
)
def test_no_regular_expression_can_run_away(pattern: MessagePattern) -> None:
    """No repetition without an end but of a single character, and none within another repetition."""
    assert pattern.regex is not None
    parser = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
    tree = parser.parse(compiled(pattern.regex).pattern)
    for inner in _repetitions(tree):
        assert not any(True for _ in _repetitions(inner)), pattern.regex


def _repetitions(tree: Any) -> Iterator[Any]:
    """What is repeated many times, in a parsed expression."""
    for operation, arguments in tree:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, high, inner = arguments
            if int(high) > 8:
                yield inner
            else:
                yield from _repetitions(inner)
        elif name == "SUBPATTERN":
            yield from _repetitions(arguments[3])
        elif name == "BRANCH":
            for branch in arguments[1]:
                yield from _repetitions(branch)
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from _repetitions(arguments[1])


def test_a_message_over_broken_lines() -> None:
    text = "OSError: libcudart.so.12: cannot open shared\n   object file: No such file\nor directory"
    assert [(saying.kind, saying.library) for saying in find_sayings(text)] == [
        (Said.LIBRARY_MISSING, "libcudart.so.12")
    ]


def test_a_message_that_a_log_repeats_is_found_at_both_ends() -> None:
    lines = [f"libx{number}.so.1: cannot open shared object file: No such file or directory" for number in range(500)]
    named = {saying.library for saying in find_sayings("\n".join([*lines, "-" * 3000, *lines]))}
    assert {"libx0.so.1", "libx499.so.1"} <= named
    assert len(named) < 200


def test_places_in_the_text_itself() -> None:
    text = "  One   TWO\nthree two"
    assert [text[place : place + 3] for place in FoldedText(text).places("two")] == ["TWO", "two"]


@pytest.mark.parametrize(
    ("text", "kind", "named"),
    [
        (
            "ImportError: /a/b.so: undefined symbol: _ZN2at7getTypeE",
            Said.UNDEFINED_SYMBOL,
            {"file": "/a/b.so", "symbol": "_ZN2at7getTypeE"},
        ),
        (
            "ImportError: /lib64/libc.so.6: version `GLIBC_2.32' not found (required by /x/y.so)",
            Said.SYMBOL_VERSION,
            {"version": "GLIBC_2.32", "needed_by": "/x/y.so"},
        ),
        (
            "The procedure entry point f could not be located in the dynamic link library KERNEL32.dll.",
            Said.ENTRY_POINT_MISSING,
            {"symbol": "f", "library": "KERNEL32.dll"},
        ),
        ("由于找不到 MSVCP140.dll，无法继续执行代码。", Said.LIBRARY_MISSING, {"library": "MSVCP140.dll"}),
        (
            "The code execution cannot proceed because VCRUNTIME140_1.dll was not found. Reinstalling the program "
            "may fix this problem.",
            Said.LIBRARY_MISSING,
            {"library": "VCRUNTIME140_1.dll"},
        ),
        (
            "dlopen(/v/_x.so, 0x0002): tried: '/v/_x.so' (mach-o file, but is an incompatible architecture "
            "(have 'x86_64', need 'arm64'))",
            Said.MACHO_ARCHITECTURE,
            {"found": "x86_64", "version": "arm64"},
        ),
        (
            "Could not load dynamic library 'cudart64_110.dll'; dlerror: cudart64_110.dll not found",
            Said.LIBRARY_MISSING,
            {"library": "cudart64_110.dll"},
        ),
        (
            "12:01 WARNING: lib not found: a.dll dependency of C:\\v\\b.pyd",
            Said.BUNDLING_WARNING,
            {"library": "a.dll", "needed_by": "C:\\v\\b.pyd"},
        ),
        (
            "RuntimeError: The detected CUDA version (12.1) mismatches the version that was used to compile\n"
            "PyTorch (11.8). Please make sure to use the same CUDA versions.",
            Said.CUDA_MISMATCH,
            {"found": "12.1", "version": "11.8"},
        ),
    ],
)
def test_what_a_message_names(text: str, kind: Said, named: dict[str, str]) -> None:
    found = [saying for saying in find_sayings(text) if saying.kind is kind]
    assert found
    assert {name: getattr(found[-1], name) for name in named} == named
