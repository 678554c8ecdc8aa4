"""Learns which words go with which cause, and which with any, from the texts that the tests store.

    python -m tools.learn_likeness             writes `data/likeness.txt` and `data/relatedness.txt`
    python -m tools.learn_likeness --judge     says how well they do on texts that they have not seen

Needs scikit-learn (`pip install --group learn`). The models are logistic regressions over the features of
`whyload.observe.text.features`, weighted by rarity and brought to length 1: one that tells the causes of reports
apart, and one that tells reports from texts that are about something else. Outcomes count alike, however many texts
they have.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from whyload.knowledge.reader import toml_loads
from whyload.observe.text.features import features_of, unread
from whyload.observe.text.reading import read_clues
from whyload.observe.text.signs import signs_of

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "whyload" / "knowledge" / "data"
_SCALE = 100
_LEAST = {"likeness": 0.5, "relatedness": 0.3}
"""Weights below this are left out: they are most of the file and hardly any of the answer."""
_STRICTNESS = {"likeness": 30, "relatedness": 10}
_ENOUGH = 15
"""Reports of a cause, from which on anything is learned of it."""
_FOLDS = 10
RELATED, UNRELATED = "related", "unrelated"
Sample = tuple[frozenset[str], str]


def samples() -> list[Sample]:
    """The features and the cause of every stored report, in the order of the files."""
    found = [(features_of(read_clues(report["text"])), report["causes"][0]) for report in _stored("report")]
    known = Counter(cause for _, cause in found)
    return [sample for sample in found if known[sample[1]] >= _ENOUGH]


def related_samples() -> list[Sample]:
    """The features of every stored text, as one has them of which no message was understood, and what it is."""
    return [_related(table["text"], kind) for name, kind in _KINDS.items() for table in _stored(name)]


_KINDS = {"report": RELATED, "text": UNRELATED}


def _related(text: str, kind: str) -> Sample:
    clues = read_clues(text)
    return unread(features_of(clues), signs_of(clues)), kind


def _stored(name: str) -> Iterator[dict[str, Any]]:
    for file in sorted((ROOT / "tests" / "engine").glob("*.toml")):
        yield from toml_loads(file.read_text(encoding="utf-8")).get(name, ())


def learn(name: str, learned_from: list[Sample]) -> tuple[Any, Any]:
    """What counts features, and what weighs them."""
    counter = TfidfVectorizer(analyzer=sorted, min_df=2)
    counted = counter.fit_transform([features for features, _ in learned_from])
    model = LogisticRegression(C=_STRICTNESS[name], max_iter=3000, class_weight="balanced")
    return counter, model.fit(counted, [outcome for _, outcome in learned_from])


def _folds(name: str, everything: list[Sample], also: Sequence[Sample] = ()) -> Iterator[tuple[list[Sample], Any, Any]]:
    """Parts of the texts, counted, and a model that saw nothing of its part (parts are blocks, because texts that stand
    together are alike), but all of the others.
    """
    for fold in range(_FOLDS):
        first, last = (len(everything) * part // _FOLDS for part in (fold, fold + 1))
        counter, model = learn(name, [*everything[:first], *everything[last:], *also])
        yield everything[first:last], counter.transform([features for features, _ in everything[first:last]]), model


def judge(everything: list[Sample]) -> float:
    """The share of reports whose cause comes first."""
    right = 0
    for part, counted, model in _folds("likeness", everything):
        named = model.predict(counted)
        right += sum(name == cause for name, (_, cause) in zip(named, part, strict=True))
    return right / len(everything)


def judge_relatedness(everything: list[Sample]) -> dict[str, list[float]]:
    """How related the texts of either kind are found to be that have a sign, ascending."""
    found: dict[str, list[float]] = {RELATED: [], UNRELATED: []}
    for kind, scores in found.items():
        mine = [sample for sample in everything if sample[1] == kind]
        others = [sample for sample in everything if sample[1] != kind]
        for part, counted, model in _folds("relatedness", mine, others):
            signed = [_has_sign(features) for features, _ in part]
            scores += [
                -float(score)
                for score, is_signed in zip(model.decision_function(counted), signed, strict=True)
                if is_signed
            ]
        scores.sort()
    return found


def _has_sign(features: frozenset[str]) -> bool:
    return any(feature[0] == "%" for feature in features)


def written(name: str, counter: Any, model: Any, number: int) -> str:
    """The model as the text of the data file."""
    outcomes, beforehand, columns = list(model.classes_), model.intercept_, model.coef_
    if len(outcomes) == 2:  # scikit-learn weighs for the second of two
        outcomes, beforehand, columns = [RELATED], -beforehand, -columns
    lines = [
        f"# Learned by `python -m tools.learn_likeness` from {number} texts of tests/engine/*.toml,",
        "# which name their sources.",
        "# First the outcomes, then what each has beforehand; then of each feature its rarity and its weight for",
        f"# outcomes by number. All values times {_SCALE}.",
        " ".join(outcomes),
        " ".join(str(round(value * _SCALE)) for value in beforehand),
    ]
    for feature, column in sorted(counter.vocabulary_.items()):
        weights = columns[:, column]
        row = " ".join(f"{i}:{round(w * _SCALE)}" for i, w in enumerate(weights) if abs(w) >= _LEAST[name])
        if row:
            lines.append(f"{feature}\t{round(counter.idf_[column] * _SCALE)}\t{row}")
    return "\n".join(lines) + "\n"


def _print_judgement(causes: list[Sample], kinds: list[Sample]) -> None:
    print(f"{judge(causes):.1%} of {len(causes)} reports have their cause first")
    reports, others = judge_relatedness(kinds).values()
    print(f"{len(others)} other texts have a sign, the most related", [round(score, 2) for score in others[-6:]])
    print(f"{sum(score > others[-1] for score in reports) / len(reports):.1%} of the reports are above all of these")


def main() -> None:
    """Writes the models, or judges them."""
    learned_from = {"likeness": samples(), "relatedness": related_samples()}
    if "--judge" in sys.argv[1:]:
        _print_judgement(*learned_from.values())
        return
    for name, texts in learned_from.items():
        file = DATA / f"{name}.txt"
        file.write_text(written(name, *learn(name, texts), len(texts)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
