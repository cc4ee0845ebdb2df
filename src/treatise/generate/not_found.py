"""The "not found" answer: its confidence threshold and wording."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence

WEAK: Final = 0.3
"""Below this confidence the answer is "not found"; docs/log/retrieval.md measures both kinds of error."""

_WEAK_ELSEWHERE: Final = 0.45
"""The same for languages other than English, whose confidence is calibrated separately."""

NOT_FOUND: Final = "Not found in the document."
UNSURE: Final = "No sure answer in the document."
"""What was read may answer, and is named as ``Answer.nearest``; that it is not there would be saying too much."""


def is_weak(evidence: Evidence, documents: Sequence[Document]) -> bool:
    """Whether the evidence is too weak to answer from."""
    is_english = any(document.language.partition("-")[0] == "en" for document in documents)
    return evidence.confidence < (WEAK if is_english else _WEAK_ELSEWHERE)


def is_doubted(answer: Answer) -> bool:
    """Whether what was read may answer but is not sure to, so that no rule refused the question."""
    return answer.text in (UNSURE, of_several(UNSURE))


def doubted(evidence: Evidence, documents: Sequence[Document], confidence: float) -> Answer:
    """The refusal of a question that no passage is sure enough to answer."""
    several = len(documents) > 1
    note = f"no passage seems to answer this question (probability {confidence:.2f})"
    refused = refusal(evidence, several=several)
    if not is_weak(evidence, documents):
        refused = refusal_because(evidence, note, several=several)
    return replace(refused, text=of_several(UNSURE) if several else UNSURE)


def refusal_because(evidence: Evidence, reason: str, *, several: bool) -> Answer:
    """The refusal with another reason."""
    return replace(refusal(evidence, several=several), notes=(reason,))


def refusal(evidence: Evidence, *, several: bool) -> Answer:
    """The answer that nothing was found, with the weak evidence."""
    text = of_several(NOT_FOUND) if several else NOT_FOUND
    if evidence.confidence < _WEAK_ELSEWHERE:
        note = f"the best evidence has a confidence of {evidence.confidence:.2f}, too low to answer"
    else:
        note = "the evidence holds no whole sentence that says something; a larger budget of words may"
    return Answer(evidence.question, text, (), (), evidence, found=False, notes=(note,))


def of_several(text: str) -> str:
    """The wording for several documents."""
    return text.replace("document.", "documents.")
