"""The revision of a draft answer."""

from dataclasses import dataclass
from typing import Final

from treatise.core.errors import RecipeError

GOALS: Final = {
    "answer": "It answers the whole question, with the conditions, numbers and contradictions that the text states, "
    "and says nothing beside it.",
    "summary": "It holds what matters most, each matter once, in the order of the text: who did or claims what, why, "
    "and with which result.",
    "meeting": "It gives the opinion of each participant who spoke to the matter, by name, and every important "
    "detail: proposals, reasons, numbers, decisions, and what was left open.",
}
"""Goals by name; HTSIR refines summaries of meetings with the last one."""


@dataclass(frozen=True, slots=True)
class Refinement:
    """A critic compares the draft with a goal, and the draft is revised, until the critic is satisfied.

    Attributes:
        goal: The criterion of a good draft, in plain words: one of ``GOALS`` or any other text.
        max_rounds: Maximum revisions.
        max_calls: Maximum requests to the language model, including the first draft.
    """

    goal: str = GOALS["answer"]
    max_rounds: int = 3
    max_calls: int = 8

    def __post_init__(self) -> None:
        if not self.goal.strip() or self.max_rounds < 1 or self.max_calls < 1:
            raise RecipeError("refinement needs a goal, and at least one round and one call")
