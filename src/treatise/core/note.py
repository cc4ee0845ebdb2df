"""Notes: the text of a node. One a node, in a column beside the tree."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Origin(StrEnum):
    """How a note came about."""

    LEAF = "leaf"  # the unit's own text
    WHOLE = "whole"  # the units below, one after another: the node is a passage of the document
    MERGED = "merged"  # the notes of the children, one after another
    NUCLEUS = "nucleus"  # the most nuclear sentences below
    SUMMARY = "summary"  # written by a language model
    OVER_BUDGET = "over-budget"  # nucleus text where a call would have passed the user's ceiling
    REJECTED = "rejected"  # nucleus text where the model's replies did not fit what was asked


EXTRACTS = frozenset({Origin.LEAF, Origin.WHOLE, Origin.NUCLEUS, Origin.OVER_BUDGET, Origin.REJECTED})
"""Origins whose text is that of their units, to the letter."""


PASSAGES = frozenset({Origin.LEAF, Origin.WHOLE})
"""Origins whose text is all that the node covers."""


@dataclass(frozen=True, slots=True)
class Note:
    """The text of one node.

    Attributes:
        text: What is encoded, and shown to a language model that writes the note above.
        origin: How it came about.
        units: Numbers of the units that it was made from, ascending: of an extract those that it quotes, of a merged
            note or a summary all that the node covers. They map it to exact spans of the document.
        key: Hash of what it was made from: the keys of the notes below, or the text, and who wrote it. Equal keys
            mean equal notes, in any document.
        rejection_reason: Of a rejected note, in what the model's last reply did not fit; else empty.
    """

    text: str
    origin: Origin
    units: Sequence[int]
    key: str
    rejection_reason: str = ""


def note_key(*parts: str) -> str:
    """Sixteen hexadecimal digits of a hash over the parts, unequal for unequal parts."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The result of one request to a language model; kept, so that no request is paid for twice.

    Attributes:
        texts: The texts kept of the reply, in order; none if no reply was accepted.
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
