"""Agreement of trees and EDU boundaries with gold annotation: Original and RST-Parseval, with intervals over documents.

It is here rather than in ``evaluate`` because training selects models with it.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from treatise.core.errors import DataError
from treatise.core.tree import DiscourseTree, Nuclearity

Counts = npt.NDArray[np.int64]
"""``[span, nuclearity, relation, full, gold nodes, predicted nodes]`` of one document, or summed over several."""


class Counting(StrEnum):
    """Which nodes of a tree count, and where their labels stand."""

    ORIGINAL = "Original Parseval"  # inner nodes with the root, each with the label of its join (Morey et al., 2017)
    RST = "RST-Parseval"  # units and inner nodes without the root, each with its own role in the join above (Marcu)


@dataclass(frozen=True, slots=True)
class Parseval:
    """Micro-averaged F1 in percent over the nodes that count.

    Attributes:
        span: Nodes with the units of a gold node.
        nuclearity, relation: Of those, nodes with the gold nuclearity; with the gold relation.
        full: With both.
    """

    span: float
    nuclearity: float
    relation: float
    full: float


@dataclass(frozen=True, slots=True)
class Interval:
    """Percentiles 2.5 and 97.5 of a figure when documents are drawn with replacement."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ParsevalReport:
    """Figures of a set of documents.

    Attributes:
        n_documents: Number of gold documents.
        figures: Micro-averages over all of them.
        intervals: By name of the figure: 95 % bootstrap intervals over documents.
    """

    n_documents: int
    figures: Parseval
    intervals: Mapping[str, Interval]


def parseval(
    gold: Mapping[str, DiscourseTree],
    predicted: Mapping[str, DiscourseTree],
    counting: Counting = Counting.ORIGINAL,
) -> Parseval:
    """The figures of trees by document id; a document without a prediction counts as an empty tree.

    Raises:
        DataError: If a predicted tree has another number of units than the gold tree.
    """
    return _figures(_counts(gold, predicted, counting).sum(axis=0))


def report(
    gold: Mapping[str, DiscourseTree],
    predicted: Mapping[str, DiscourseTree],
    *,
    counting: Counting = Counting.ORIGINAL,
    n_samples: int = 1000,
    seed: int = 0,
) -> ParsevalReport:
    """The figures with bootstrap intervals; no document gives figures of 0.

    Raises:
        DataError: As :func:`parseval`.
    """
    return _report([_counts(gold, predicted, counting)], n_samples, seed)


def difference(
    gold: Mapping[str, DiscourseTree],
    before: Mapping[str, DiscourseTree],
    after: Mapping[str, DiscourseTree],
    *,
    counting: Counting = Counting.ORIGINAL,
    n_samples: int = 2000,
    seed: int = 0,
) -> ParsevalReport:
    """By how much ``after`` is better than ``before`` on the same documents; intervals are of the paired difference.

    Raises:
        DataError: As :func:`parseval`.
    """
    return _report([_counts(gold, trees, counting) for trees in (after, before)], n_samples, seed)


def _report(counts: Sequence[Counts], n_samples: int, seed: int) -> ParsevalReport:
    """The figures of the first counts, less those of the second if there are two."""
    n = len(counts[0])
    if not n:
        return ParsevalReport(0, Parseval(0.0, 0.0, 0.0, 0.0), {})

    def figures(draw: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        found = [astuple(_figures(some[draw].sum(axis=0))) for some in counts]
        less: npt.NDArray[np.float64] = np.array(found[0]) - np.sum(found[1:], axis=0)
        return less

    draws = np.random.default_rng(seed).integers(n, size=(n_samples, n))
    low, high = np.percentile([figures(draw) for draw in draws], [2.5, 97.5], axis=0)
    names = Parseval.__dataclass_fields__
    intervals = {name: Interval(float(a), float(b)) for name, a, b in zip(names, low, high, strict=True)}
    return ParsevalReport(n, Parseval(*map(float, figures(np.arange(n)))), intervals)


def by_group(
    gold: Mapping[str, DiscourseTree], predicted: Mapping[str, DiscourseTree], group: Callable[[str], str]
) -> dict[str, ParsevalReport]:
    """A report per group of documents, by name; ``group`` maps a document's id to its group."""
    members: dict[str, dict[str, DiscourseTree]] = defaultdict(dict)
    for name, tree in gold.items():
        members[group(name)][name] = tree
    return {name: report(trees, predicted) for name, trees in sorted(members.items())}


def genre(name: str) -> str:
    """The genre in the id of a GUM or GCDT document.

    >>> genre("GUM_academic_exposure")
    'academic'
    """
    return name.split("_")[1] if name.count("_") > 1 else name


@dataclass(frozen=True, slots=True)
class SegmentationF1:
    """EDU boundaries, F1 in percent, micro-averaged over sentences.

    A boundary is a place between two characters other than whitespace, so that spacing does not matter.

    Attributes:
        inside: Boundaries strictly inside sentences: the harder figure, usual for RST-DT.
        starts: The first characters of all EDUs, including sentence starts, as in the DISRPT shared task. Sentences are
            given, so their starts are always correct.
    """

    inside: float
    starts: float


def segmentation_f1(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> SegmentationF1:
    """The figures over sentences, each given as the texts of its EDUs.

    Raises:
        DataError: If the numbers of sentences differ, or a sentence's text does.
    """
    if len(gold) != len(predicted):
        raise DataError(f"{len(gold)} gold sentences, but {len(predicted)} predicted ones")
    hits = n_gold = n_predicted = 0
    for number, (wanted, found) in enumerate(zip(gold, predicted, strict=True), 1):
        want, got = _boundaries(wanted), _boundaries(found)
        if _solid(wanted) != _solid(found):
            raise DataError(f"sentence {number} was changed: {' '.join(wanted)!r:.60} became {' '.join(found)!r:.60}")
        hits, n_gold, n_predicted = hits + len(want & got), n_gold + len(want), n_predicted + len(got)
    n = len(gold)
    return SegmentationF1(_f1(hits, n_gold + n_predicted), _f1(hits + n, n_gold + n_predicted + 2 * n))


def _counts(gold: Mapping[str, DiscourseTree], predicted: Mapping[str, DiscourseTree], counting: Counting) -> Counts:
    """Shape ``(n_documents, 6)``, in the order of the gold documents."""
    rows = [_document_counts(name, tree, predicted.get(name), counting) for name, tree in gold.items()]
    return np.array(rows, dtype=np.int64).reshape(len(rows), 6)


def _document_counts(name: str, gold: DiscourseTree, predicted: DiscourseTree | None, counting: Counting) -> list[int]:
    if predicted is not None and predicted.n_units != gold.n_units:
        raise DataError(f"{name}: the predicted tree has {predicted.n_units} units, the gold tree {gold.n_units}")
    labels = _labels if counting is Counting.ORIGINAL else _roles
    want = labels(gold)
    got = labels(predicted) if predicted is not None else {}
    pairs = [(want[span], got[span]) for span in want.keys() & got.keys()]
    nuclearity = sum(a[0] == b[0] for a, b in pairs)
    relation = sum(a[1] == b[1] for a, b in pairs)
    return [len(pairs), nuclearity, relation, sum(a == b for a, b in pairs), len(want), len(got)]


def _labels(tree: DiscourseTree) -> dict[tuple[int, int], tuple[str, str]]:
    return {(start, end): (join.nuclearity, join.relation) for start, _, end, join in tree.joins()}


def _roles(tree: DiscourseTree) -> dict[tuple[int, int], tuple[str, str]]:
    """The role of every node below the root: nucleus or satellite, and its relation.

    The relation of a join stands at its satellite, and at both nuclei if it has two; a nucleus beside a satellite has
    none.
    """
    roles: dict[tuple[int, int], tuple[str, str]] = {}
    for start, split, end, join in tree.joins():
        for span, role in zip(((start, split), (split, end)), join.nuclearity, strict=True):
            is_bare = role == "N" and join.nuclearity is not Nuclearity.NN
            roles[span] = (role, "" if is_bare else join.relation)
    return roles


def _figures(counts: Counts) -> Parseval:
    nodes = int(counts[4] + counts[5])
    return Parseval(*(_f1(int(hits), nodes) for hits in counts[:4]))


def _f1(hits: int, n_both: int) -> float:
    """F1 from hits and the sum of gold and predicted items."""
    return 200 * hits / max(1, n_both)


def _boundaries(edus: Sequence[str]) -> set[int]:
    ends = np.cumsum([len(_solid([edu])) for edu in edus])
    return {int(end) for end in ends[:-1]}


def _solid(edus: Sequence[str]) -> str:
    return "".join("".join(edu.split()) for edu in edus)
