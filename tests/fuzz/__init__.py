"""Damage: every reader of ours on arbitrary bytes."""
