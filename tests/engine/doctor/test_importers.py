"""Who imports a module without a net."""

from __future__ import annotations

import pytest

from tests.testbed.memory import SITE, world
from whyload.engine.doctor.importers import Importers
from whyload.startup.paths import python_paths


def importers(files: dict[str, str]) -> Importers:
    made = world({f"{SITE}\\{name}": text for name, text in {**files, "a/_x.pyd": ""}.items()})
    return Importers(made, python_paths(made))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"a/__init__.py": "from . import _x"}, "a"),
        ({"a/__init__.py": "import a._x"}, "a"),
        ({"a/__init__.py": "from ._x import f"}, "a"),
        ({"a/__init__.py": "from .b import f", "a/b.py": "from ._x import *"}, "a"),
        ({"a/__init__.py": "try:\n    from . import _x\nexcept ImportError:\n    pass"}, None),
        ({"a/__init__.py": "def f():\n    from . import _x"}, None),
        ({"a/__init__.py": "", "a/b.py": "from . import _x"}, "a.b"),
        ({"a/__init__.py": "", "a/b.py": "import a.c", "a/c.py": ""}, None),
        ({"a/__init__.py": "", "a/test_b.py": "from . import _x"}, None),
        ({"a/__init__.py": "import other", "other.py": "import a._x"}, None),
    ],
)
def test_of_a_module_in_a_package(files: dict[str, str], expected: str | None) -> None:
    assert importers(files).of("a._x") == expected


def test_of_a_top_level_module() -> None:
    assert importers({}).of("single") == "single"
