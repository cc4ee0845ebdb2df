"""Lists that are all of a section, and answers that give their items."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import n_words
from treatise.generate.listed import plain_item
from treatise.generate.quoted import quoted_as

_ADDRESS: Final = re.compile(r"<?\b(?:https?://|www\.|mailto:)[^\s>]*>?|\S+@\S+")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_ITEMS: Final = range(1, 31)
_MAX_WORDS: Final = 200


def section_items(document: Document, at: int) -> list[Span]:
    """The items of the list that is all of a section; empty if it is not, or if the list is long."""
    items = [trim(document.text, one) for one in _paragraphs(document, at) if _is_named(document, one)]
    texts = [document.quote(one.start, one.end) for one in items]
    is_short = len(items) in _ITEMS and sum(map(n_words, texts)) <= _MAX_WORDS
    return items if is_short and not any(map(addresses_a_model, texts)) else []


def plain_items(document: Document, items: Sequence[Span]) -> list[str]:
    """The items without marks, markup and addresses."""
    return [_ADDRESS.sub("", plain_item(document.one_line(one.start, one.end))) for one in items]


def listed_answer(evidence: Evidence, document: Document, items: Sequence[Span], texts: Iterable[str]) -> Answer:
    """The texts of the items as the direct answer, and the items quoted. There must be at least one."""
    text = ", ".join(one.rstrip(" ,;") for one in texts)
    return quoted_as(evidence, document, items, text, SpanAnswerKind.LIST)


def _is_named(document: Document, item: Span) -> bool:
    """Whether an item has words besides addresses."""
    return bool(_LETTERS.search(_ADDRESS.sub("", document.quote(item.start, item.end))))


def _paragraphs(document: Document, at: int) -> Iterator[Span]:
    """The paragraphs of a section without its heading; none if one of them is no item of a list."""
    ends = [one.start for one in document.sections[at + 1 : at + 2]] or [len(document.text)]
    inside = [one for one in document.paragraphs if document.sections[at].start <= one.start < ends[0]]
    if all(one.kind is ParagraphKind.LIST for one in inside[1:]):
        yield from (Span(one.start, one.end) for one in inside[1:])
