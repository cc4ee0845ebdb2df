"""Notes: the text of each node, in a column parallel to the tree."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """How a note was made."""

    LEAF = "leaf"  # the unit's own text
    WHOLE = "whole"  # the text of the units below: the node is a passage of the document
    MERGED = "merged"  # the notes of the children, concatenated
    NUCLEUS = "nucleus"  # the most nuclear sentences below
    SUMMARY = "summary"  # written by a language model
    OVER_BUDGET = "over-budget"  # nucleus text, because a call would have exceeded the user's budget
    REJECTED = "rejected"  # nucleus text, because the model's replies were invalid


EXTRACTS = frozenset({Origin.LEAF, Origin.WHOLE, Origin.NUCLEUS, Origin.OVER_BUDGET, Origin.REJECTED})
"""Origins whose text is exactly that of their units."""


PASSAGES = frozenset({Origin.LEAF, Origin.WHOLE})
"""Origins whose text is everything that the node covers."""


@dataclass(frozen=True, slots=True)
class Note:
    """The text of one node.

    Attributes:
        text: The text that is encoded, and the input for the note of the parent.
        origin: How it was made.
        units: Its source units, ascending: for an extract the quoted ones, for a merged note or a summary all that the
            node covers. They map the note to exact spans of the document.
        key: Hash of its inputs: the keys of the notes below, or the text, and the model. Equal keys mean equal notes
            in any document.
        rejection_reason: Why the model's last reply was rejected; empty for notes of other origins.
    """

    text: str
    origin: Origin
    units: Sequence[int]
    key: str
    rejection_reason: str = ""


def note_key(*parts: str) -> str:
    """Sixteen hexadecimal digits of a hash over the parts, different for different parts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The result of one request to a language model; cached, so that no request is repeated.

    Attributes:
        texts: The texts of the reply, in order; empty if no reply was accepted.
        prompt_tokens, completion_tokens: Tokens of all attempts together.
        rejection_reason: Why the last reply was rejected; empty if one was accepted.
    """

    texts: tuple[str, ...]
    prompt_tokens: int
    completion_tokens: int
    rejection_reason: str = ""


def fallback_reason(outcome: CallOutcome | None) -> tuple[Origin, str]:
    """Origin and rejection reason of an extract that replaces an unwritten note; None means over budget."""
    return (Origin.OVER_BUDGET, "") if outcome is None else (Origin.REJECTED, outcome.rejection_reason)
