"""The names by which a stand-in for a module of Python is told: Python itself has them."""

from __future__ import annotations

import pytest

from whyload.symptoms.name_shadowing.names import OF_EVERY_PYTHON, OF_ONE_MODULE


@pytest.mark.parametrize("module", sorted(OF_EVERY_PYTHON))
def test_every_python_has_them(module: str) -> None:
    found = pytest.importorskip(module, exc_type=ImportError)
    missing = [name for name in OF_EVERY_PYTHON[module].split() if not hasattr(found, name)]
    assert not missing


def test_names_of_one_module_are_in_it() -> None:
    for name, module in OF_ONE_MODULE.items():
        assert hasattr(pytest.importorskip(module), name)
