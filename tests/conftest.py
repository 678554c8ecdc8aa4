"""What tests need from outside: Wine and published wheels. Where they must be there, their absence is a failure.

Source of truth: `WHYLOAD_REQUIRE_WINE=1` (set by scripts/test where it can install Wine) or `CI=true` demands them.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from typing import NoReturn

import pytest

from tests.testbed.cache import UnavailableError
from tests.testbed.prefix import wine_program
from tests.testbed.wine import WineMachine

NO_WINE = "Wine is not installed (Debian and Ubuntu: apt-get install wine wine64); the real loader is not asked"


def everything_is_required() -> bool:
    """True where a test that cannot run is a failure."""
    return os.environ.get("WHYLOAD_REQUIRE_WINE") == "1" or os.environ.get("CI", "").lower() in ("1", "true")


def _cannot_run(reason: str) -> NoReturn:
    if everything_is_required():
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    if item.get_closest_marker("wine") is not None and wine_program() is None:
        _cannot_run(NO_WINE)
    try:
        return (yield)
    except UnavailableError as error:
        _cannot_run(str(error))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    try:
        return (yield)
    except UnavailableError as error:
        _cannot_run(str(error))


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are compared in English whatever the system of the developer speaks."""
    monkeypatch.setenv("LC_ALL", "C")


@pytest.fixture(scope="session")
def machine() -> Iterator[WineMachine]:
    """A Windows machine with CPython 3.11 at C:\\Python, shared by tests that clean up after themselves."""
    with WineMachine() as made:
        made.install_python("3.11", layout="embed")
        yield made
