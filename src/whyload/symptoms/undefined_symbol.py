"""A text in which a function is not found in any library, on Linux or macOS."""

from __future__ import annotations

from whyload.findings.candidate import Candidate, Strength
from whyload.findings.suspicion import both, look, usual
from whyload.knowledge.messages import Said
from whyload.observe.text.clues import Clues
from whyload.observe.text.situation import lacks_libstdcxx
from whyload.remedies.anywhere import word

CODE = "undefined-symbol"


def explain(clues: Clues) -> Candidate | None:
    """The symbol is named."""
    saying = clues.said(Said.UNDEFINED_SYMBOL)
    if saying is None:
        return usual(clues, CODE)
    listed = [f"nm -D {word(saying.file)} | grep {word(saying.symbol, 'SYMBOL')}"] if saying.file else []
    return Candidate(
        code=CODE,
        strength=Strength.POSSIBLE if lacks_libstdcxx(clues) else Strength.STATED,
        why=both(f"no loaded library has `{saying.symbol}`", f"已加载的库中都没有 `{saying.symbol}`"),
        object=saying.symbol,
        ask=(*look(clues), *listed),
    )
