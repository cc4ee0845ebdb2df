"""What the span reader learns from: questions with passages and marked answers.

A line is ``{"id", "set", "question", "passages": [text, ...], "answers": [[passage, start, end], ...], "kind"}``;
answers are characters of a passage, half-open. ``kind`` is ``span`` (each answer is an accepted variant), ``list``
(all are needed), ``sentence``, ``yes``, ``no`` (answers are the evidence, where it is known) or ``none`` (no passage
answers).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from treatise.core.errors import DataError
from treatise.parse.rows import numbered, read_object
from treatise.parse.spans.tokens import TokenReader
from treatise.read import Layout, Tokens, Window, make_windows
from treatise.read.decoding import Head
from treatise.train.treebanks import read_lines

KINDS: Final = {
    "span": Head.SPAN,
    "list": Head.LIST,
    "sentence": Head.SENTENCE,
    "yes": Head.YES,
    "no": Head.NO,
    "none": Head.NONE,
}
"""The column that each kind of a line is right for."""


@dataclass(frozen=True, slots=True)
class Example:
    """A line of a file; see the head of this module."""

    set: str
    question: str
    passages: tuple[str, ...]
    answers: tuple[tuple[int, int, int], ...]
    kind: Head

    @property
    def answers_are_known(self) -> bool:
        """Whether spans are learned from it: not of yes and no without evidence."""
        return bool(self.answers or self.kind is Head.NONE)


@dataclass(frozen=True, slots=True)
class LabelledWindow:
    """One row of an example.

    Attributes:
        window: The row.
        spans: First and last token of each answer in it, both included.
        kind: What the row's first token says: ``NONE`` where the answers are in other rows.
        knows_spans: Whether spans are learned from it.
        needs_all: Whether each of the spans is needed, not any of them.
    """

    window: Window
    spans: tuple[tuple[int, int], ...]
    kind: Head
    knows_spans: bool
    needs_all: bool


def read_examples(root: Path, files: Sequence[str]) -> list[Example]:
    """The examples of some files below a folder, in order.

    Raises:
        DataError: Where a line is not of the documented form.
    """
    return [
        _example(read_object(line, where), where)
        for file in files
        for line, where in numbered(read_lines(root / file), str(root / file))
    ]


def labelled_windows(
    examples: Sequence[Example], reader: TokenReader, layout: Layout
) -> Iterator[list[LabelledWindow]]:
    """Of each example its rows with what is to be learned from them."""
    for example in examples:
        asked, *passages = (Tokens(t.ids, t.offsets) for t in reader.tokenise([example.question, *example.passages]))
        yield [_labelled(example, window) for window in make_windows(asked.ids, passages, layout)]


def _labelled(example: Example, window: Window) -> LabelledWindow:
    spans = tuple(filter(None, (_tokens(window, answer) for answer in example.answers)))
    elsewhere = bool(example.answers) and not spans
    kind = Head.NONE if elsewhere else example.kind
    return LabelledWindow(window, spans, kind, example.answers_are_known, example.kind is Head.LIST)


def _tokens(window: Window, answer: tuple[int, int, int]) -> tuple[int, int] | None:
    """First and last token of an answer that lies whole in the row."""
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
            raise DataError(f"{where}: the answer [{passage}, {start}, {end}] lies outside of its passage")
    return example
