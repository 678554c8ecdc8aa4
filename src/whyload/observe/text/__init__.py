"""Pasted text as evidence: bytes to text, text to `Clues`. Nothing here looks at a machine."""
