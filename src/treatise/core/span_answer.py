"""A reader's answer to a question from passages: spans, a kind, and the probability of no answer."""

from dataclasses import dataclass
from enum import StrEnum


class SpanAnswerKind(StrEnum):
    """The kind of answer that a question requires."""

    SPAN = "span"
    """A few words of a passage."""
    LIST = "list"
    """Several spans, all of them needed."""
    SENTENCE = "sentence"
    """A whole statement."""
    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A span of a passage that may answer.

    Attributes:
        passage: 0-based number of the passage.
        start, end: Characters of the passage, half-open, never empty.
        score: Probability of this span among all spans of all passages and no span at all, 0 to 1.
    """

    passage: int
    start: int
    end: int
    score: float

    def __post_init__(self) -> None:
        if self.passage < 0 or not 0 <= self.start < self.end:
            raise ValueError(f"expected a passage and a range of characters in it, found {self}")


@dataclass(frozen=True, slots=True)
class SpanAnswer:
    """A reader's answer from passages.

    Attributes:
        spans: Best first, without overlap; empty if the passages are blank.
        kind: The kind of answer, if there is one.
        p_no_answer: Calibrated probability that the passages do not answer, 0 to 1; 1 if they are blank.
        p_yes: Probability of yes for a yes-or-no question, 0 to 1.
        candidates: The most probable spans, best first, which may overlap: what else the answer may be. Empty if the
            reader does not give them.
    """

    spans: tuple[AnswerSpan, ...]
    kind: SpanAnswerKind
    p_no_answer: float
    p_yes: float
    candidates: tuple[AnswerSpan, ...] = ()

    def __post_init__(self) -> None:
        values = {"p_no_answer": self.p_no_answer, "p_yes": self.p_yes}
        for name, value in values.items():
            if not 0 <= value <= 1:
                raise ValueError(f"expected {name} between 0 and 1, found {value}")
