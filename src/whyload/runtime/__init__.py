"""Helpers for the user's own program; the standard library only."""
