"""The turns of a conversation."""

from dataclasses import dataclass

from treatise.core.answer import Answer


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of a conversation and its answer.

    Attributes:
        question: As the user wrote it.
        resolved: The question that was answered: the same, or one that stands alone.
        answer: Its answer; ``answer.question`` is ``resolved``.
    """

    question: str
    resolved: str
    answer: Answer
