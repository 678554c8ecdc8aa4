"""Which modules are compiled; the judge are the files of published wheels."""

from __future__ import annotations

import re
import zipfile

import pytest

from tests.testbed.wheels import wheel
from whyload.knowledge.compiled_modules import is_compiled
from whyload.knowledge.reader import data_tables

FORMERLY = ("multiarray.py", "umath.py", "_multiarray_umath.py")
"""Of NumPy: compiled in older releases, of which people still ask, and Python code beside that in newer ones."""


@pytest.mark.wheels
@pytest.mark.parametrize(
    ("requirement", "python"),
    [
        ("numpy==1.24.4", "3.8"),
        ("numpy==1.26.4", "3.11"),
        ("numpy==2.1.3", "3.13"),
        ("matplotlib==3.9.2", "3.11"),
        ("torch==1.13.1", "3.9"),
        ("torch==2.0.1", "3.11"),
        ("torch==2.9.0", "3.11"),
        ("scikit-learn==1.5.2", "3.11"),
        ("scipy==1.14.1", "3.11"),
        ("pandas==2.1.4", "3.11"),
        ("pandas==2.2.3", "3.11"),
        ("h5py==3.11.0", "3.11"),
        ("click==8.1.7", "3.11"),
        ("jinja2==3.1.4", "3.11"),
        ("pip==24.2", "3.11"),
        ("setuptools==75.1.0", "3.11"),
        ("packaging==24.1", "3.11"),
        ("joblib==1.4.2", "3.11"),
        ("networkx==3.3", "3.11"),
        ("sympy==1.13.1", "3.11"),
        ("huggingface_hub==0.25.1", "3.11"),
    ],
)
def test_the_files_of_a_release(requirement: str, python: str) -> None:
    with zipfile.ZipFile(wheel(requirement, python=python)) as packed:
        names = packed.namelist()
    judged = 0
    for name in names:
        match = re.fullmatch(r"([\w/]+?)(?:\.cp\w+-win_amd64)?\.(pyd|py)", name)
        module = match[1].removesuffix("/__init__").replace("/", ".") if match else ""
        answer = is_compiled(module) if match and "." in module else None
        if match is not None and answer is not None and not name.endswith(FORMERLY):
            assert answer is (match[2] == "pyd"), name
            judged += 1
    assert judged


@pytest.mark.wheels
def test_a_name_in_a_file_of_python_code_is_no_module() -> None:
    """Nothing lies below a module that is a file; `_isotonic` beside `isotonic` is another one."""
    assert is_compiled("sklearn.utils.validation._is_pandas_df") is False
    assert is_compiled("sklearn.pipeline._name_estimators") is False
    assert is_compiled("sklearn._isotonic") is None
    with zipfile.ZipFile(wheel("scikit-learn==1.5.2", python="3.11")) as packed:
        names = packed.namelist()
    for module in data_tables("compiled_modules")["python_files"]["sklearn"]:
        assert not [name for name in names if f"/{module}/" in name], module
        assert [name for name in names if name.endswith(f"/{module}.py")], module


def test_what_is_not_known() -> None:
    assert is_compiled("torch") is None
    assert is_compiled("mine._native") is None


def test_a_part_of_a_compiled_module() -> None:
    assert is_compiled("torch._C._distributed_c10d")
