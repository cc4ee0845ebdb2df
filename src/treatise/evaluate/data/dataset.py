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
        evidence: Texts that were marked, in the annotator's order; empty if the set marks none.
        spans: Where they stand in ``Document.text``; a text that stands nowhere in it has no span.
        documents: For each span, which of ``LabelledDocument.documents`` it stands in; empty if there is but one.
    """

    answer: str
    kind: AnswerKind
    evidence: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one document, or about several that come with it.

    Attributes:
        id: Unique in its data set.
        text: As it is asked.
        references: One or more per annotator, the first annotator's first. A question with several right answers
            (WikiContradict, RAMDocs) has one for each of them.
        options: What a multiple-choice question offers; the right one is ``references[0].answer``.
        wrong: Answers that misleading documents give, each with where (RAMDocs).
        readings: What an ambiguous question may mean, each a question of its own (ASQA).
        groups: Names under which the set's authors report it apart: ``"hard"``, a task, a range of lengths.
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
    """Documents that are read together, and the questions about them, in the order of their file.

    Attributes:
        document: The document; of several, the first.
        questions: Asked of all of them together.
        others: The further documents of an open-domain question, in the order of the file.
    """

    document: Document
    questions: tuple[Question, ...]
    others: tuple[Document, ...] = ()

    @property
    def documents(self) -> tuple[Document, ...]:
        """All of them, the first first."""
        return (self.document, *self.others)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The evidence that a recipe retrieved for a question.

    Attributes:
        context: The text that a reader gets.
        spans: Where its passages stand in ``Document.text``, in the order of the context.
        documents: For each span, which of ``LabelledDocument.documents`` it stands in; empty if there is but one.
    """

    context: str
    spans: tuple[Span, ...]
    documents: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set's name, reader and measure.

    Attributes:
        name: On the command line.
        load: Reads a file, one document at a time, in the order of the file. Raises ``DataError`` if the file is
            not in the documented form.
        metrics: Names of what is measured, the one that decides first; none if the set marks no evidence.
        measure: The metrics of one question, 0 to 1. A metric for which the question has no gold is left out: not
            scored is not zero.
        budgets: Usual word budgets.
        files: Patterns of the names under which its file is published, the one to be measured on first: development
            data go before test data, and both before training data.
    """

    name: str
    load: Callable[[Path], Iterator[LabelledDocument]]
    metrics: tuple[str, ...]
    measure: Callable[[Question, Retrieved], dict[str, float]]
    budgets: tuple[int, ...] = (200, 300, 400)
    files: tuple[str, ...] = ()
