"""Measures whyload beside its peers on published Windows wheels: `python -m benchmarks` (docs/performance.md)."""
