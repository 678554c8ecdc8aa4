"""The machine under examination: its files, environment, registry and Python, real or described."""
