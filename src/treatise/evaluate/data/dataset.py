"""Annotated documents with questions and references: the common format of all data sets."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from treatise.core.document import Document, Span


class AnswerKind(StrEnum):
    """How an answer derives from the text."""

    EXTRACTIVE = "extractive"  # words of the document
    ABSTRACTIVE = "abstractive"  # the annotator's own words
    BOOLEAN = "boolean"  # "Yes" or "No"
    CHOICE = "choice"  # one of the question's options
    UNANSWERABLE = "unanswerable"


@dataclass(frozen=True, slots=True)
class Reference:
    """One annotator's answer to a question, and its evidence.

    Attributes:
        answer: The answer in the data set's words; ``"Unanswerable"`` if there is none.
        kind: How it derives from the text.
        evidence: The marked texts, in the annotator's order; empty if the set marks none.
        spans: Their positions in ``Document.text``; texts that do not occur in it have no span.
        documents: For each span, which of ``LabelledDocument.documents`` it stands in; empty if there is but one.
    """

    answer: str
    kind: AnswerKind
    evidence: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one or several documents.

    Attributes:
        id: Unique in its data set.
        text: The question.
        references: One or more per annotator, the first annotator's first. A question with several correct answers
            (WikiContradict, RAMDocs) has one per answer.
        options: The options of a multiple-choice question; the correct one is ``references[0].answer``.
        wrong: Wrong answers in misleading documents, with their positions (RAMDocs).
        readings: The disambiguated questions of an ambiguous question (ASQA).
        groups: Groups for which the set's authors report separate results: ``"hard"``, a task, a length range.
    """

    id: str
    text: str
    references: tuple[Reference, ...]
    options: tuple[str, ...] = ()
    wrong: tuple[Reference, ...] = ()
    readings: tuple["Question", ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """One or more documents, and the questions about them, in file order.

    Attributes:
        document: The first document.
        questions: Questions about all documents together.
        others: Further documents of an open-domain question, in file order.
    """

    document: Document
    questions: tuple[Question, ...]
    others: tuple[Document, ...] = ()

    @property
    def documents(self) -> tuple[Document, ...]:
        """All documents, in order."""
        return (self.document, *self.others)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The evidence that a recipe retrieved for a question.

    Attributes:
        context: The text passed to the reader.
        spans: Positions of its passages in ``Document.text``, in context order.
        documents: For each span, which of ``LabelledDocument.documents`` it stands in; empty if there is but one.
        nucleus_notes: Share of the notes of these documents that are nucleus text, because the replies of the language
            model were rejected.
    """

    context: str
    spans: tuple[Span, ...]
    documents: tuple[int, ...] = ()
    nucleus_notes: float = 0.0


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set's name, loader and metrics.

    Attributes:
        name: Name on the command line.
        load: Reads a file, one document at a time, in file order. Raises ``DataError`` if the file is not in the
            documented form.
        metrics: Names of the metrics, the decisive one first; empty if the set marks no evidence.
        measure: Computes the metrics of one question, 0 to 1. Metrics without gold data are left out: not scored is not
            zero.
        budgets: Usual word budgets.
        files: Patterns of its published file names, in order of preference: development data go before test data, and
            both before training data.
        group_fields: Fields from which the groups of its questions are read, for messages.
    """

    name: str
    load: Callable[[Path], Iterator[LabelledDocument]]
    metrics: tuple[str, ...]
    measure: Callable[[Question, Retrieved], dict[str, float]]
    budgets: tuple[int, ...] = (200, 300, 400)
    files: tuple[str, ...] = ()
    group_fields: tuple[str, ...] = ()
