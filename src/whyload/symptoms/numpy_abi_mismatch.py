"""A text that says that an extension does not fit the installed NumPy."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.remedies.anywhere import advise, safety_of_installing
from whyload.remedies.model import Safety


def explain(clues: Clues) -> Candidate | None:
    """NumPy or Cython says so. `multiarray failed to import` alone can have another reason."""
    said = clues.all_said(Said.NUMPY_ABI)
    if not said:
        return None
    alone = all("failed to import" in saying.text for saying in said)
    package = next((name for name in clues.packages if name != "numpy"), None)
    return Candidate(
        code="numpy-abi-mismatch",
        strength=Strength.STATED if alone else Strength.SHOWN,
        why=both(
            "a module was built for another NumPy than the installed one", "某个模块是为另一个版本的 NumPy 构建的"
        ),
        object=package,
        ask=(
            'python -c "import numpy; print(numpy.__version__, numpy.__file__)"',
            f"python -m pip show {package or 'PACKAGE'}",
        ),
        remedies=(
            advise(
                "upgrade-package",
                f"upgrade {package or 'the package'} to a release that is built for this NumPy",
                f"把 {package or '该包'}升级到为当前 NumPy 构建的版本",
                f"python -m pip install --upgrade {package or 'PACKAGE'}",
                safety=safety_of_installing(package or "PACKAGE"),
            ),
            advise(
                "older-numpy",
                "or stay with NumPy 1",
                "或者继续使用 NumPy 1",
                'python -m pip install "numpy<2"',
                safety=Safety.SAFE,
            ),
        ),
    )
