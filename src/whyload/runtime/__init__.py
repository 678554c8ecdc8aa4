"""Helpers for the user's own program; the standard library only, and nearly nothing until they are needed."""

from __future__ import annotations

from whyload.runtime.explaining import explain_imports

__all__ = ["explain_imports"]
