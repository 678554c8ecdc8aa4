"""The machine that whyload runs on. Windows only for now; Wine counts as Windows."""

from __future__ import annotations

from whyload.world.live.machine import open_live_world

__all__ = ["open_live_world"]
