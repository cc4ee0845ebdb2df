"""Headings that run into their text ("11.5 Termination for Convenience. MMT may …"): what follows them is read."""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Passage

_WORD: Final = re.compile(r"[^\W\d_][\w'’-]*")
_LETTER: Final = re.compile(r"^\W*[a-z][.)]\s+")
"""The mark of an item."""
_MOST_WORDS: Final = 10
_SMALL_WORDS: Final = (
    *("a", "an", "and", "as", "at", "by", "for", "from", "in", "nor"),
    *("of", "on", "or", "the", "to", "under", "upon", "with"),
)
_SPEAKS: Final = (":", "?", "!")  # who speaks, and what is said
_LONG: Final = 4  # letters of its longest word at least
_RUNNING: Final = (ParagraphKind.PROSE, ParagraphKind.LIST)


def is_run_in_heading(text: str) -> bool:
    """Whether a sentence is a heading in title case or capitals that ends with a stop.

    >>> is_run_in_heading("2.3 Non-Compete Covenant."), is_run_in_heading("MMT may terminate.")
    (True, False)
    >>> is_run_in_heading("l. Zombie Dollar."), is_run_in_heading("(b) Dues are paid.")
    (True, False)
    """
    words = [word for word in _WORD.findall(_LETTER.sub("", text, count=1)) if word not in _SMALL_WORDS]
    is_short = 0 < len(words) <= _MOST_WORDS and text.endswith(".") and not any(mark in text for mark in _SPEAKS)
    return is_short and len(max(words, key=len)) >= _LONG and all(word[0].isupper() for word in words)


def after_headings(passages: Sequence[Passage], documents: Mapping[str, Document]) -> list[Passage]:
    """The passages, with the sentence after it in the place of each run-in heading."""
    found = [_below(one, documents[one.document]) for one in passages]
    best: dict[tuple[str, Span], Passage] = {}
    for one in found:
        known = best.get((one.document, one.span))
        best[one.document, one.span] = one if known is None or one.score > known.score else known
    return list(best.values())


def _below(passage: Passage, document: Document) -> Passage:
    """The sentence after a run-in heading, which may stand alone in its paragraph; other passages as they are."""
    if not is_run_in_heading(passage.text):
        return passage
    at = bisect_right(document.paragraphs, passage.span.start, key=lambda one: one.start) - 1
    near = document.paragraphs[at : at + 2]
    if near[-1].kind not in _RUNNING or len(near[0].sentences) > 1:
        near = near[:1]
    after = (trim(document.text, one) for paragraph in near for one in paragraph.sentences)
    span = next((one for one in after if len(one) and one.start >= passage.span.end), None)
    return replace(passage, span=span, text=document.quote(span.start, span.end)) if span else passage
