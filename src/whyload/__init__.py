"""Why will this native library not load from Python, and what makes it load?"""

__version__ = "0.1.0"
