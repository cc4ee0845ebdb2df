"""Fits the confidence of ``treatise.retrieve.confidence`` and reports which questions its thresholds refuse and accept.

    TREATISE_DATA=FOLDER python benchmarks/confidence.py [--recipe treatise] [--train 30] [--test 60] [--cache FILE]
    TREATISE_DATA=FOLDER python benchmarks/confidence.py --recipe standard-rag [--of sentences]

The training questions are those of the first documents of QASPER train and FairytaleQA train; the report is on QASPER
dev and FairytaleQA val; for a recipe over chunks by their own vectors (`search`), or by those of the sentences in the
chunks that it retrieves (`ask`). Each question is put to its own document, to another of its set, and to one of the
other set. It is answerable if the document is its own and no annotator marks it unanswerable; questions on which
QASPER's annotators disagree are left out. Cases with and without an answer have equal total weight, and so have the
sets.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
from inputs import data_file, open_encoder

from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Recipe
from treatise.core.vectors import Floats
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.pipeline.index import index_document
from treatise.pipeline.system import DEFAULT_WORDS
from treatise.recipes import recipe_named
from treatise.retrieve import find_evidence
from treatise.retrieve.confidence import (
    IN_CHUNKS,
    Calibration,
    Signals,
    calibration_of,
    confidence,
    measure,
    signals_of,
)
from treatise.retrieve.fusion import cosines
from treatise.retrieve.sentences import parted

SETS = ("qasper", "fairytaleqa")
SPLITS = {"qasper": ("train", "dev"), "fairytaleqa": ("train", "val")}
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
RIDGE = 1e-3

Read = Callable[[IndexedDocument, Question, Recipe, CachedEncoder], Signals]


@dataclass(frozen=True, slots=True)
class Case:
    """A question put to a document.

    Attributes:
        signals: The measured signals.
        kind: ``answerable``, ``unanswerable`` (its own document, says QASPER), ``same set`` or ``other set``.
        dataset, document: The question's data set, and the index of its own document.
    """

    signals: Signals
    kind: str
    dataset: str
    document: int


@dataclass(frozen=True, slots=True)
class Indexed:
    """An indexed document with its questions."""

    index: IndexedDocument
    labelled: LabelledDocument


def main() -> None:
    options = parsed_options()
    recipe = recipe_named(options.recipe)
    encoder = CachedEncoder(open_encoder(options.encoder), options.cache)
    read = signals_in_sentences if options.of == "sentences" else signals
    train = cases(indexed_sets(0, options.train, recipe, encoder), recipe, encoder, read)
    test = cases(indexed_sets(1, options.test, recipe, encoder), recipe, encoder, read)
    fitted = fit(train)
    shipped = IN_CHUNKS if options.of == "sentences" else calibration_of(recipe.indexing)
    report = {
        "recipe": recipe.slug,
        "of": options.of,
        "encoder": encoder.name,
        "calibration": {name: round(value, 3) for name, value in asdict(fitted).items()},
        "n_train": len(train),
        "fitted": {dataset: scored(test, dataset, fitted) for dataset in SETS},
        "shipped": {dataset: scored(test, dataset, shipped) for dataset in SETS},
    }
    print(json.dumps(report, indent=1))


def parsed_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recipe", default="treatise")
    parser.add_argument("--of", default="leaves", choices=("leaves", "sentences"), help="whose cosines are measured")
    parser.add_argument("--train", type=int, default=30, help="documents of each set to fit on")
    parser.add_argument("--test", type=int, default=60, help="documents of each set to report on")
    parser.add_argument("--encoder", type=Path, help="a folder; default: the built-in encoder")
    parser.add_argument("--cache", type=Path, help="a file where vectors are kept from run to run")
    return parser.parse_args()


def indexed_sets(split: int, n: int, recipe: Recipe, encoder: CachedEncoder) -> dict[str, list[Indexed]]:
    """The first ``n`` documents of each set; ``split`` 0 is for training, 1 for the report."""
    return {
        name: [
            Indexed(index_document(labelled.document, recipe.indexing, encoder=encoder), labelled)
            for labelled in islice(dataset_named(name).load(data_file(name, SPLITS[name][split])), n)
        ]
        for name in SETS
    }


def cases(sets: dict[str, list[Indexed]], recipe: Recipe, encoder: CachedEncoder, read: Read) -> list[Case]:
    random = Random(0)
    return [
        Case(read(target, question, recipe, encoder), kind, name, number)
        for name, documents in sets.items()
        for number, own in enumerate(documents)
        for question in own.labelled.questions
        for kind, target in targets(question, name, number, sets, random)
    ]


def targets(
    question: Question, name: str, number: int, sets: dict[str, list[Indexed]], random: Random
) -> Iterator[tuple[str, IndexedDocument]]:
    """The documents that a question is put to, with the kind of each case."""
    says_no = {reference.kind is AnswerKind.UNANSWERABLE for reference in question.references}
    if len(says_no) == 1:
        yield "unanswerable" if says_no == {True} else "answerable", sets[name][number].index
    others = [other.index for i, other in enumerate(sets[name]) if i != number]
    yield "same set", random.choice(others)
    yield "other set", random.choice([other.index for key, others in sets.items() if key != name for other in others])


def signals(indexed: IndexedDocument, question: Question, recipe: Recipe, encoder: CachedEncoder) -> Signals:
    vector = encoder.encode([question.text])[0]
    evidence = found(indexed, question, recipe, vector)
    return measure([indexed], [cosines(indexed, vector)], question.text, evidence.passages)


def signals_in_sentences(
    indexed: IndexedDocument, question: Question, recipe: Recipe, encoder: CachedEncoder
) -> Signals:
    evidence = found(indexed, question, recipe, encoder.encode([question.text])[0])
    _, of_sentences = parted(evidence, [indexed], encoder)
    return signals_of(of_sentences, [indexed], question.text, evidence.passages)


def found(indexed: IndexedDocument, question: Question, recipe: Recipe, vector: Floats) -> Evidence:
    max_words = recipe.selection.max_words or DEFAULT_WORDS
    return find_evidence([indexed], question.text, vector, recipe, max_words=max_words)


def fit(cases: Sequence[Case]) -> Calibration:
    """Logistic regression by Newton's method on standardised signals, with coefficients in the original units."""
    features = np.array([astuple(case.signals) for case in cases])
    labels = np.array([case.kind == "answerable" for case in cases], dtype=float)
    weights = balance([(case.dataset, case.kind == "answerable") for case in cases])
    mean, deviation = features.mean(axis=0), features.std(axis=0)
    design = np.column_stack([np.ones(len(features)), (features - mean) / deviation])
    ridge = RIDGE * len(features) * np.diag([0.0] + [1.0] * features.shape[1])
    beta = np.zeros(design.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-design @ beta))
        gradient = design.T @ (weights * (labels - chance)) - ridge @ beta
        hessian = (design * (weights * chance * (1 - chance))[:, None]).T @ design + ridge
        beta += np.linalg.solve(hessian, gradient)
    slopes = dict(zip([f.name for f in fields(Signals)], beta[1:] / deviation, strict=True))
    return Calibration(intercept=beta[0] - float((beta[1:] * mean / deviation).sum()), **slopes)


def balance(groups: Sequence[tuple[str, bool]]) -> npt.NDArray[np.float64]:
    """Weights with mean 1 and the same sum for every group."""
    sizes = Counter(groups)
    return np.array([len(groups) / (len(sizes) * sizes[group]) for group in groups])


def scored(cases: Sequence[Case], dataset: str, calibration: Calibration) -> dict[str, object]:
    """AUC against each kind of foreign question, and the share that each threshold refuses, with its interval."""
    own = [case for case in cases if case.dataset == dataset]
    kinds = {kind: [case for case in own if case.kind == kind] for kind in dict.fromkeys(case.kind for case in own)}
    chances = {
        kind: np.array([confidence(case.signals, calibration) for case in of_kind]) for kind, of_kind in kinds.items()
    }
    return {
        "n": {kind: len(of_kind) for kind, of_kind in kinds.items()},
        "auc": {kind: round(auc(chances["answerable"], of_kind), 3) for kind, of_kind in chances.items()},
        "refused_percent": {
            str(threshold): {kind: share(chances[kind] < threshold, kinds[kind]) for kind in kinds}
            for threshold in THRESHOLDS
        },
    }


def auc(positive: npt.NDArray[np.float64], negative: npt.NDArray[np.float64]) -> float:
    """AUC: how often a case with an answer has the higher confidence; ties count half."""
    ordered = np.sort(negative)
    below = np.searchsorted(ordered, positive, side="left")
    not_above = np.searchsorted(ordered, positive, side="right")
    return float((below + not_above).mean() / (2 * len(negative)))


def share(refused: npt.NDArray[np.bool_], cases: Sequence[Case]) -> str:
    low, high = bootstrap_interval(100.0 * refused, np.array([case.document for case in cases]))
    return f"{100 * refused.mean():.1f} [{low:.1f}, {high:.1f}]"


if __name__ == "__main__":
    main()
