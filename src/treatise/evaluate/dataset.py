"""Documents with questions and what people marked as their answers: one form for every data set."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from treatise.core.document import Document, Span


class AnswerKind(StrEnum):
    """How an answer comes from the text."""

    EXTRACTIVE = "extractive"  # words of the document
    ABSTRACTIVE = "abstractive"  # the annotator's own words
    BOOLEAN = "boolean"  # "Yes" or "No"
    CHOICE = "choice"  # one of the question's options
    UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class Reference:
    """One annotator's answer to a question, and what it rests on.

    Attributes:
        answer: As the data set words it; ``"Unanswerable"`` where there is none.
        kind: How it comes from the text.
        evidence: Texts that were marked, in the annotator's order; empty where the set marks none.
        spans: Where they stand in ``Document.text``; a text that stands nowhere in it has no span.
    """

    answer: str
    kind: AnswerKind
    evidence: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one document.

    Attributes:
        id: Unique in its data set.
        text: As it is asked.
        references: One or more for each annotator, the first annotator's first.
        options: What a multiple-choice question offers; the right one is ``references[0].answer``.
    """

    id: str
    text: str
    references: tuple[Reference, ...]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """A document and the questions about it, in the order of their file."""

    document: Document
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a recipe retrieved for a question.

    Attributes:
        context: What a reader is given.
        spans: Where its passages stand in ``Document.text``, in the order of the context.
    """

    context: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set's name, reader and measure.

    Attributes:
        name: On the command line.
        load: Reads a file, one document at a time, in the order of the file. Raises ``DataError`` where the file is
            not in the documented form.
        metrics: Names of what is measured, the one that decides first; none where the set marks no evidence.
        measure: The metrics of one question, 0 to 1. A metric for which the question has no gold is left out: not
            scored is not zero.
        budgets: Usual word budgets.
    """

    name: str
    load: Callable[[Path], Iterator[LabelledDocument]]
    metrics: tuple[str, ...]
    measure: Callable[[Question, Retrieved], dict[str, float]]
    budgets: tuple[int, ...] = (200, 300, 400)
