"""The reason after a sentence that only says again what the question asks about: "Remove the lid. It leaked."."""

from typing import Final

from treatise.claims.words import Text
from treatise.core.document import Document, trim
from treatise.core.evidence import Passage
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern

_CAUSE: Final = lazy_pattern(r"\b(?:because|since|due|owing|as|so|thus|therefore|to|for|reasons?|cause[sd]?)\b")
_NEW: Final = 1  # content words at most that the sentence adds to the question
_LEAST: Final = 3  # content words of a reason


def reason_after(passage: Passage, document: Document, question: str) -> Passage | None:
    """The next sentence of its paragraph, if a passage gives no reason but repeats the question "why …?"."""
    if _CAUSE.search(passage.text) or not _repeats(passage.text, question):
        return None
    sentences = (trim(document.text, one) for one in document.paragraph_at(passage.span.start).sentences)
    after = next((one for one in sentences if one.start >= passage.span.end and len(one)), None)
    text = document.quote(after.start, after.end) if after else ""
    is_reason = len(Text(text).content - Text(question).content) >= _LEAST and not text.endswith("?")
    if after is None or not is_reason or addresses_a_model(text):
        return None
    return Passage(document.id, after, text, passage.score, passage.group)


def _repeats(text: str, question: str) -> bool:
    content = Text(text).content
    return bool(content & Text(question).content) and len(content - Text(question).content) <= _NEW
