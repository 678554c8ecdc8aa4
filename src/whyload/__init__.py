"""Why will this native library not load from Python, and what makes it load?"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["__version__", "explain_imports"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from whyload.runtime import explain_imports


def __getattr__(name: str) -> object:
    """`whyload.explain_imports`, loaded when it is asked for."""
    if name != "explain_imports":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from whyload.runtime import explain_imports

    return explain_imports
