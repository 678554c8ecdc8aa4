"""A user without a home: the message names the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from whyload.base.errors import UsageError
from whyload.world.apply.state import state_folder
from whyload.world.wheel_cache import cache_folder

_VARIABLES = ("WHYLOAD_CACHE", "WHYLOAD_STATE", "LOCALAPPDATA", "XDG_CACHE_HOME", "XDG_STATE_HOME")


def test_without_a_home_the_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(UsageError, match="WHYLOAD_CACHE"):
        cache_folder()
    with pytest.raises(UsageError, match="WHYLOAD_STATE"):
        state_folder()
