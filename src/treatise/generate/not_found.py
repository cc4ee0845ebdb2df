"""The "not found" answer: its confidence threshold and wording."""

from typing import Final

from treatise.core.answer import Answer
from treatise.core.evidence import Evidence

WEAK: Final = 0.3
"""Below this confidence the answer is "not found"; docs/log/retrieval.md measures both kinds of error."""

NOT_FOUND: Final = "Not found in the document."


def refusal(evidence: Evidence, *, several: bool) -> Answer:
    """The answer that nothing was found, with the weak evidence."""
    text = "Not found in the documents." if several else NOT_FOUND
    if evidence.confidence < WEAK:
        note = f"the best evidence has a confidence of {evidence.confidence:.2f}, below {WEAK}; `search` shows it"
    else:
        note = "the evidence holds no whole sentence that says something; a larger budget of words may"
    return Answer(evidence.question, text, (), (), evidence, found=False, notes=(note,))
