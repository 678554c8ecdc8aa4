"""Learns which words go with which cause, from the reports that the tests store, and writes `data/likeness.txt`.

    python -m tools.learn_likeness             writes the model
    python -m tools.learn_likeness --judge     says how often it names the cause of a report that it has not seen

Needs scikit-learn (`pip install --group learn`). The model is a multinomial logistic regression over the features of
`whyload.observe.text.features`, weighted by rarity and brought to length 1; causes count alike, however many reports
they have.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from whyload.knowledge.reader import toml_loads
from whyload.observe.text.features import features_of
from whyload.observe.text.reading import read_clues

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "whyload" / "knowledge" / "data" / "likeness.txt"
_SCALE = 100
_LEAST = 0.5
"""Weights below this are left out: they are most of the file and hardly any of the answer."""
_ENOUGH = 15
"""Reports of a cause, from which on anything is learned of it."""
_FOLDS = 10
Sample = tuple[frozenset[str], str]


def samples() -> list[Sample]:
    """The features and the cause of every stored text, in the order of the files."""
    found = []
    for file in sorted((ROOT / "tests" / "engine").glob("*.toml")):
        tables = toml_loads(file.read_text(encoding="utf-8"))
        found += [(features_of(read_clues(report["text"])), report["causes"][0]) for report in tables.get("report", ())]
    known = Counter(cause for _, cause in found)
    return [sample for sample in found if known[sample[1]] >= _ENOUGH]


def learn(learned_from: list[Sample]) -> tuple[Any, Any]:
    """What counts features, and what weighs them."""
    counter = TfidfVectorizer(analyzer=sorted, min_df=2)
    counted = counter.fit_transform([features for features, _ in learned_from])
    model = LogisticRegression(C=30, max_iter=3000, class_weight="balanced")
    return counter, model.fit(counted, [cause for _, cause in learned_from])


def judge(everything: list[Sample]) -> float:
    """The share of reports whose cause comes first, each judged by a model that saw nothing of its part of the files
    (parts are blocks, because texts that stand together are alike).
    """
    right = 0
    for fold in range(_FOLDS):
        first, last = (len(everything) * part // _FOLDS for part in (fold, fold + 1))
        counter, model = learn(everything[:first] + everything[last:])
        named = model.predict(counter.transform([features for features, _ in everything[first:last]]))
        right += sum(name == cause for name, (_, cause) in zip(named, everything[first:last], strict=True))
    return right / len(everything)


def written(counter: Any, model: Any, number: int) -> str:
    """The model as the text of the data file."""
    lines = [
        f"# Learned by `python -m tools.learn_likeness` from {number} texts of tests/engine/*.toml,",
        "# which name their sources.",
        "# First the causes, then what each has beforehand; then of each feature its rarity and its weight for causes",
        f"# by number. All values times {_SCALE}.",
        " ".join(model.classes_),
        " ".join(str(round(value * _SCALE)) for value in model.intercept_),
    ]
    for feature, column in sorted(counter.vocabulary_.items()):
        weights = model.coef_[:, column]
        row = " ".join(f"{i}:{round(w * _SCALE)}" for i, w in enumerate(weights) if abs(w) >= _LEAST)
        if row:
            lines.append(f"{feature}\t{round(counter.idf_[column] * _SCALE)}\t{row}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the model, or judges it."""
    everything = samples()
    if "--judge" in sys.argv[1:]:
        print(f"{judge(everything):.1%} of {len(everything)}")
        return
    DATA.write_text(written(*learn(everything), len(everything)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
