"""What retrieval returns: passages of documents under a word budget."""

from dataclasses import dataclass

from treatise.core.document import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document that bears on a question.

    Attributes:
        document: The document's id.
        span: Where it stands in ``Document.text``, without white space at its ends.
        text: The document's text there, to the letter; or a note, where ``noted`` says on what.
        score: How well it answers; higher is better. Comparable within one evidence only.
        group: Passages chosen together for one node of the tree share a number; groups count up from 0.
        noted: Where the text is a note that a language model wrote: the places that it stands for, in text order;
            ``span`` is the first of them. Empty for a quotation.
    """

    document: str
    span: Span
    text: str
    score: float
    group: int = 0
    noted: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages retrieved for a question, best group first.

    Attributes:
        question: As it was asked.
        passages: In the order in which they stand in ``context``.
        context: Their texts joined by blank lines and cut at exactly ``max_words`` words; what a reader is given,
            unless the recipe gives whole documents.
        max_words: The budget in whitespace-separated words.
        confidence: How likely the passages hold an answer, 0 to 1, as calibrated on development data.
        notes: What the asker should know of how it was found: a stage that failed and was done without.
    """

    question: str
    passages: tuple[Passage, ...]
    context: str
    max_words: int
    confidence: float
    notes: tuple[str, ...] = ()
