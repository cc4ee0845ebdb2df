"""Training data of the span reader: questions with passages and marked answers.

A line is ``{"id", "set", "question", "passages": [text, ...], "answers": [[passage, start, end], ...], "kind"}``;
answers are characters of a passage, half-open. ``kind`` is ``span`` (each answer is an accepted variant), ``list``
(all are needed), ``sentence``, ``yes``, ``no`` (answers are the evidence, if known) or ``none`` (no passage
answers). If the question is a statement, it is ``supported``, ``contradicted`` or ``not stated``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from treatise.core.errors import DataError
from treatise.engines.reader_tokens import reader_tokens
from treatise.parse.spans.tokens import TokenReader
from treatise.read import Layout, Window, make_windows
from treatise.read.decoding import Head
from treatise.train.treebanks import read_objects

KINDS: Final = {
    "span": Head.SPAN,
    "list": Head.LIST,
    "sentence": Head.SENTENCE,
    "yes": Head.YES,
    "no": Head.NO,
    "none": Head.NONE,
    "supported": Head.SUPPORTED,
    "contradicted": Head.CONTRADICTED,
    "not stated": Head.NOT_STATED,
}
"""The target column of each kind in a file."""

VERDICT_KINDS: Final = frozenset((Head.SUPPORTED, Head.CONTRADICTED, Head.NOT_STATED))
"""The kinds of statements."""


@dataclass(frozen=True, slots=True)
class Example:
    """A line of a file; see the module's docstring."""

    set: str
    question: str
    passages: tuple[str, ...]
    answers: tuple[tuple[int, int, int], ...]
    kind: Head

    @property
    def answers_are_known(self) -> bool:
        """Whether spans are learned from it: not from yes and no without evidence."""
        return bool(self.answers or self.kind is Head.NONE)

    @property
    def is_statement(self) -> bool:
        """Whether the question is a statement, and the kind the verdict on it."""
        return self.kind in VERDICT_KINDS


@dataclass(frozen=True, slots=True)
class LabelledWindow:
    """One row of an example.

    Attributes:
        window: The row.
        spans: First and last token of each answer in it, both included.
        kind: Target of the row's first token: ``NONE`` if the answers are in other rows.
        knows_spans: Whether spans are learned from it.
        needs_all: Whether all of the spans are needed, not just one.
    """

    window: Window
    spans: tuple[tuple[int, int], ...]
    kind: Head
    knows_spans: bool
    needs_all: bool


def read_examples(root: Path, files: Sequence[str]) -> list[Example]:
    """The examples of these files below a folder, in order.

    Raises:
        DataError: If a line is not of the documented form.
    """
    return [_example(row, where) for row, where in read_objects(root, files)]


def labelled_windows(
    examples: Sequence[Example], reader: TokenReader, layout: Layout
) -> Iterator[list[LabelledWindow]]:
    """The labelled rows of each example."""
    for example in examples:
        asked, *passages = reader_tokens(reader, [example.question, *example.passages])
        yield [_labelled(example, window) for window in make_windows(asked.ids, passages, layout)]


def _labelled(example: Example, window: Window) -> LabelledWindow:
    spans = tuple(filter(None, (_tokens(window, answer) for answer in example.answers)))
    elsewhere = bool(example.answers) and not spans
    kind = Head.NONE if elsewhere else example.kind
    return LabelledWindow(window, spans, kind, example.answers_are_known, example.kind is Head.LIST)


def _tokens(window: Window, answer: tuple[int, int, int]) -> tuple[int, int] | None:
    """First and last token of an answer; None if the row does not contain all of it."""
    passage, start, end = answer
    touched = np.flatnonzero((window.passage == passage) & (window.starts < end) & (window.ends > start))
    if not len(touched):
        return None
    first, last = int(touched[0]), int(touched[-1])
    whole = window.starts[first] <= start and window.ends[last] >= end
    return (first, last) if whole else None


def _example(row: Mapping[str, Any], where: str) -> Example:
    try:
        example = Example(
            set=str(row["set"]),
            question=str(row["question"]),
            passages=tuple(map(str, row["passages"])),
            answers=tuple((int(passage), int(start), int(end)) for passage, start, end in row["answers"]),
            kind=KINDS[row["kind"]],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"{where}: expected an example of the documented form, found {row!s:.80}: {error!r}") from error
    for passage, start, end in example.answers:
        if not (0 <= passage < len(example.passages) and 0 <= start < end <= len(example.passages[passage])):
            raise DataError(f"{where}: the answer [{passage}, {start}, {end}] is outside its passage")
    return example
