"""Evaluates parsers, language models and segmenters on a treebank: Parseval, boundary F1, Pk and WindowDiff."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Final

from treatise.compose import open_segmenter, open_text_parser
from treatise.core.errors import DataError
from treatise.core.ports import LanguageModel
from treatise.core.scripts import UNSPACED_LANGUAGES
from treatise.core.tree import DiscourseTree
from treatise.evaluate.data.loaders.fields import read_text
from treatise.evaluate.metrics.segmentation import pk, window_diff
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.systems import CALLS_FILE, opened_calls
from treatise.llm.runner import LlmRunner
from treatise.parse.parser import TextParser, TransitionParser
from treatise.parse.parseval import Counting, Interval, ParsevalReport, by_group, genre, report, segmentation_f1
from treatise.parse.rows import Level, TreeRow, numbered, read_row
from treatise.parse.scorer import NullScorer
from treatise.plan import ModelUnitParser
from treatise.settings import load_settings

_FIGURES: Final = ("span", "nuclearity", "relation", "full")


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Scores of EDU segmentation.

    Attributes:
        n_sentences: Number of sentences.
        inside, starts: F1 in percent, as ``parse.parseval.SegmentationF1``.
        pk, window_diff: Over the words of all sentences; 0 is best.
    """

    n_sentences: int
    inside: float
    starts: float
    pk: float
    window_diff: float


@dataclass(frozen=True, slots=True)
class Parsing:
    """The results of a run.

    Attributes:
        data: Name of the treebank's file.
        level: The type of the treebank's units.
        trees: By parser, Original Parseval in percent with intervals over documents; the right-branching tree first.
        rst: The same as RST-Parseval, which counts units too and is higher: compare figures of one kind only.
        without_tree: By parser, how many texts have no tree, since a language model's replies were rejected or the text
            does not fit its window; such a text counts as an empty tree.
        genres: The same by parser and genre, if document ids name several genres.
        boundaries: Scores of the segmenter; None if the treebank does not mark sentences.
    """

    data: str
    level: str
    trees: dict[str, ParsevalReport]
    rst: dict[str, ParsevalReport]
    without_tree: dict[str, int]
    genres: dict[str, dict[str, ParsevalReport]]
    boundaries: Boundaries | None


def run(spec: RunSpec, *, text_parser: TextParser | None = None) -> Parsing:
    """Parses the texts of a treebank in JSON lines, and writes ``OUT/summary.json`` and ``OUT/summary.md``.

    ``text_parser`` is the spec's if None. A language model joins the units of the treebank without an example; its
    finished replies are kept.

    Raises:
        DataError, TreeError: If the treebank is not in the documented form.
        EngineError: If a model failed.
    """
    rows = list(islice(treebank_rows(spec.data), spec.limit))
    if not rows:
        raise DataError(f"{spec.data}: expected trees, found none")
    gold = {row.text.id: row.tree for row in rows}
    parsers = {"right-branching": TransitionParser(NullScorer())}
    shipped = text_parser or open_text_parser(replace(load_settings(), parser=spec.parser) if spec.parser else None)
    found = {
        name: dict(zip(gold, parser.parse_texts([row.text for row in rows]), strict=True))
        for name, parser in (parsers | {shipped.name: shipped}).items()
    }
    if spec.model is not None:
        found[spec.model.name] = _trees_of_model(spec, spec.model, rows)
    trees = {name: report(gold, one) for name, one in found.items()}
    rst = {name: report(gold, one, counting=Counting.RST) for name, one in found.items()}
    without_tree = {name: len(gold) - len(one) for name, one in found.items()}
    genres = {name: by_group(gold, one, genre) for name, one in found.items()}
    several = {name: of_genres for name, of_genres in genres.items() if 1 < len(of_genres) < len(gold)}
    level = rows[0].text.level.value
    parsing = Parsing(spec.data.name, level, trees, rst, without_tree, several, _boundaries(rows))
    spec.out.mkdir(parents=True, exist_ok=True)
    write_whole(spec.out / "summary.json", json.dumps(asdict(parsing), indent=1) + "\n")
    write_whole(spec.out / "summary.md", _as_markdown(parsing))
    return parsing


def _trees_of_model(spec: RunSpec, model: LanguageModel, rows: Sequence[TreeRow]) -> dict[str, DiscourseTree]:
    """The trees of a language model by the texts' ids; texts without a tree are left out."""
    with ExitStack() as stack:
        runner = LlmRunner(model, cache=opened_calls(spec.calls or spec.out / CALLS_FILE, stack))
        trees = ModelUnitParser(runner).parse_texts([row.text.units for row in rows])
    return {row.text.id: tree for row, tree in zip(rows, trees, strict=True) if tree}


def treebank_rows(data: Path) -> Iterator[TreeRow]:
    """The trees of a treebank in JSON lines.

    Raises:
        DataError, TreeError: If it is not in the documented form.
    """
    for line, where in numbered(read_text(data).splitlines(), str(data)):
        yield read_row(line, where)


def _boundaries(rows: Sequence[TreeRow]) -> Boundaries | None:
    gold: list[list[str]] = []
    found: list[list[str]] = []
    segmenter = open_segmenter()
    for row in rows:
        if row.text.level is not Level.EDU or not row.sentence_of_unit:
            continue
        units = zip(row.sentence_of_unit, row.text.units, strict=True)
        sentences = [[unit for _, unit in group] for _, group in groupby(units, key=lambda pair: pair[0])]
        space = "" if row.text.lang in UNSPACED_LANGUAGES else " "
        gold += sentences
        found += segmenter.segment([space.join(edus) for edus in sentences], row.text.lang)
    if not gold:
        return None
    reached = segmentation_f1(gold, found)
    wanted_ends, found_ends = _ends(gold), _ends(found)
    return Boundaries(
        len(gold), reached.inside, reached.starts, pk(wanted_ends, found_ends), window_diff(wanted_ends, found_ends)
    )


def _ends(sentences: Sequence[Sequence[str]]) -> list[bool]:
    """For each non-space character, whether an EDU ends after it."""
    ends: list[bool] = []
    for edu in (edu for sentence in sentences for edu in sentence):
        n_characters = len("".join(edu.split()))
        ends += [False] * (n_characters - 1) + [True] * bool(n_characters)
    return ends


def _as_markdown(parsing: Parsing) -> str:
    lines = []
    for counting, trees in ((Counting.ORIGINAL, parsing.trees), (Counting.RST, parsing.rst)):
        lines += [*_table(trees, parsing.without_tree), "", f"{counting}, percent, [95 % interval over documents].", ""]
    lines += [
        f"{parsing.data}, units: {parsing.level}s. Without a tree: texts that a language model gave none for.",
        *_genre_lines(parsing.genres),
    ]
    if cut := parsing.boundaries:
        lines.append(
            f"EDU boundaries of {cut.n_sentences:,} sentences: F1 {cut.inside:.1f} inside, {cut.starts:.1f} of all "
            f"beginnings; Pk {cut.pk:.3f}, WindowDiff {cut.window_diff:.3f}."
        )
    return "\n".join([*lines, ""])


def _table(trees: Mapping[str, ParsevalReport], without_tree: Mapping[str, int]) -> list[str]:
    lines = [
        f"| parser | n | without a tree | {' | '.join(_FIGURES)} |",
        f"| --- | --: | --: {'| --- ' * len(_FIGURES)}|",
    ]
    for name, reached in trees.items():
        cells = [_cell(getattr(reached.figures, figure), reached.intervals[figure]) for figure in _FIGURES]
        lines.append(f"| {name} | {reached.n_documents} | {without_tree[name]} | {' | '.join(cells)} |")
    return lines


def _genre_lines(genres: Mapping[str, Mapping[str, ParsevalReport]]) -> list[str]:
    """Span and full scores, one row per genre; empty if there are no genres."""
    lines = []
    for genre_name in dict.fromkeys(name for of_parser in genres.values() for name in of_parser):
        reached = [of_parser[genre_name] for of_parser in genres.values()]
        cells = [f"{one.figures.span:.1f} / {one.figures.full:.1f}" for one in reached]
        lines.append(f"| {genre_name} | {reached[0].n_documents} | {' | '.join(cells)} |")
    if not lines:
        return []
    return ["", f"| span / full | n | {' | '.join(genres)} |", f"| --- | --: {'| --- ' * len(genres)}|", *lines, ""]


def _cell(value: float, interval: Interval) -> str:
    return f"{value:.1f} [{interval.low:.1f}, {interval.high:.1f}]"
