"""A difference between a statement and a text."""

from dataclasses import dataclass

from treatise.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Difference:
    """Why a text does not support a statement.

    Attributes:
        rule: The rule that found it, such as ``"number"``.
        verdict: Contradicted, or not stated.
        reason: In one line, for readers.
    """

    rule: str
    verdict: Verdict
    reason: str


def contradiction(rule: str, said: str, found: str) -> Difference:
    """A difference between the words of the statement and those of the text."""
    return Difference(rule, Verdict.CONTRADICTED, f"the answer says “{said}”, the text “{found}”")


def absence(rule: str, said: str) -> Difference:
    """Words of the statement that the text does not have."""
    return Difference(rule, Verdict.NOT_STATED, f"“{said}” is not in the text")
