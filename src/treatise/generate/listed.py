"""Lists: the items that follow the sentence that introduces them, as the answer to a question for several things."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.evidence import Passage
from treatise.core.injection import addresses_a_model
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import UNSPACED
from treatise.core.words import n_words
from treatise.generate.asked import Asked, asked

_TRIED: Final = 3  # best passages that may introduce or belong to the list
_ITEMS: Final = range(2, 13)
_MAX_WORDS: Final = 60  # of the items, shortened to their terms
_LONG_ITEM: Final = 8  # words from which an item is shortened to its first clause
_SHARED: Final = 0.4  # share of the question's words that the introduction of a list has
_MARK: Final = lazy_pattern(r"^\s*(?:[-•*–·‣]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])\s")
_ITEM: Final = lazy_pattern(r"^[ \t]*(?:[-•*–·‣]|\(?(?:\d{1,2}|[a-zA-Z])[.)])[ \t]+(.+)$", re.MULTILINE)
_INNER_MARK: Final = lazy_pattern(r"\S\s+[•‣▪]\s+\S")
_COLONS: Final = (":", "：")
_STEPS: Final = lazy_pattern(
    r"[.!?]\s+(?:to do (?:so|this|that|it)|do the following|(?:please )?follow these \w+|proceed as follows)\W*$",
    re.IGNORECASE,
)
"""A sentence that introduces the steps of a task, and not what the sentences before it speak of."""
_ASKS_STEPS: Final = lazy_pattern(
    r"\b(?:how|steps?|procedure|instructions?|tasks?|what (?:do|must|should|shall|can) (?:i|we|you|one))\b",
    re.IGNORECASE,
)
_TERM: Final = lazy_pattern(r"^(.{2,60}?)(?:\s*[:：]\s|：| [–—-] |（| \()")
_CLAUSE: Final = lazy_pattern(r"[,;，；。.](?:\s|$)|[，；。]")
_STRONG: Final = lazy_pattern(r"(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|\*\*")
_WORD: Final = lazy_pattern(r"\w+")
_SHORT_WORD: Final = 3


@dataclass(frozen=True, slots=True)
class Listing:
    """A list and the sentence that introduces it.

    Attributes:
        passages: The introduction, then the items.
        text: The items in a few words each.
    """

    passages: list[Passage]
    text: str


def listing(question: str, ranked: Sequence[Passage], documents: dict[str, Document]) -> Listing | None:
    """The list that the best passages introduce, or that they are items of; None if the question asks for no list."""
    if asked(question) is not Asked.LIST:
        return None
    found = (_around(question, passage, documents[passage.document]) for passage in ranked[:_TRIED])
    return next(filter(None, found), None)


def listing_cut(question: str, passage: Passage, document: Document, words: str) -> Listing | None:
    """The whole list of a paragraph of which an answer in ``words`` has several items with the marks between them."""
    if asked(question) is not Asked.LIST or not _INNER_MARK.search(words):
        return None
    return _around(question, passage, document, is_chosen=True)


def list_below(passage: Passage, document: Document) -> Listing | None:
    """The list that a passage introduces, whatever is asked."""
    return _around("", passage, document, is_chosen=True)


def _around(question: str, passage: Passage, document: Document, *, is_chosen: bool = False) -> Listing | None:
    at = _introduction(document, bisect_right(document.paragraphs, passage.span.start, key=lambda one: one.start) - 1)
    before = document.paragraphs[at]
    is_item = before.kind is ParagraphKind.LIST
    within = [] if is_item else _ITEM.findall(document.text, before.start, before.end)
    if within:  # a short list is a part of its paragraph
        introduction, spans = document.text[before.start : before.end].partition("\n")[0], [_whole(document, before)]
        terms = [in_few_words(item) for item in within]
    else:
        introduction = document.text[before.start : before.end]
        items = _inner(document, at) or [trim(document.text, one.sentences[0]) for one in _items(document, at + 1)]
        spans = [trim(document.text, before.sentences[-1]), *items]
        terms = [in_few_words(document.one_line(item.start, item.end)) for item in items]
    wanted = {*pieces(question.casefold())}
    has_term = any({*pieces(term.casefold())} & wanted for term in _valued(document, spans, terms))
    is_long = has_term or len(terms) not in _ITEMS or sum(map(n_words, terms)) > _MAX_WORDS
    is_asked_for = (
        introduction.rstrip().endswith(_COLONS) if is_chosen else _introduces(question, introduction, is_item=is_item)
    )
    if is_long or not is_asked_for:
        return None
    made = [
        Passage(document.id, span, document.quote(span.start, span.end), passage.score, passage.group) for span in spans
    ]
    return None if any(addresses_a_model(one.text) for one in made) else Listing(made, ", ".join(terms))


def _valued(document: Document, spans: Sequence[Span], terms: Sequence[str]) -> Iterator[str]:
    """The terms of items with a value: "Chairs: Ann and Bo" answers on its own."""
    items = spans[len(spans) - len(terms) :]
    texts = (plain_item(document.one_line(one.start, one.end)) for one in items)
    yield from (term for term, text in zip(terms, texts, strict=False) if text.startswith(f"{term}:"))


def _whole(document: Document, paragraph: Paragraph) -> Span:
    """The whole paragraph without white space at its ends."""
    return trim(document.text, Span(paragraph.start, paragraph.end))


def _items(document: Document, first: int) -> Iterator[Paragraph]:
    """The paragraphs of the list from that paragraph on that begin with a mark."""
    for paragraph in document.paragraphs[first:]:
        if paragraph.kind is not ParagraphKind.LIST:
            return
        if _MARK.match(document.text[paragraph.start : paragraph.end]):
            yield paragraph


def _introduction(document: Document, at: int) -> int:
    """The number of the paragraph that may introduce a list: an item with items below it, else what it follows."""
    if _inner(document, at):
        return at
    while at > 0 and document.paragraphs[at].kind is ParagraphKind.LIST:
        lead = document.lead_in(_start(document, at))
        at = bisect_right(document.paragraphs, lead.start, key=lambda one: one.start) - 1 if lead else at - 1
        if _inner(document, at):
            return at
    return at


def _inner(document: Document, at: int) -> list[Span]:
    """The items below an item, each its first sentence."""
    is_item = document.paragraphs[at].kind is ParagraphKind.LIST
    return document.items_after(_start(document, at)) if is_item else []


def _start(document: Document, at: int) -> int:
    """Where the words of a paragraph begin."""
    return trim(document.text, Span(document.paragraphs[at].start, document.paragraphs[at].end)).start


def _introduces(question: str, text: str, *, is_item: bool) -> bool:
    """Whether a paragraph announces something, as an item with items below it does, and has enough of the question's
    words.
    """
    wanted = set(pieces(question.casefold()))
    folded = text.casefold()
    n_shared = sum(piece in folded for piece in wanted)
    is_of_steps = _STEPS.search(text) and not _ASKS_STEPS.search(question)
    return (is_item or text.rstrip().endswith(_COLONS)) and not is_of_steps and n_shared >= _SHARED * len(wanted)


def pieces(question: str) -> Iterator[str]:
    """The longer words without their endings; in scripts without spaces, pairs of characters."""
    for word in _WORD.findall(question):
        if UNSPACED.search(word):
            yield from (a + b for a, b in pairwise(word))
        elif len(word) > _SHORT_WORD:
            yield word[: max(_SHORT_WORD, len(word) - 2)]


def plain_item(item: str) -> str:
    """An item of a list on one line, without its mark and markup."""
    return _STRONG.sub("", without_markup(_MARK.sub("", " ".join(item.split()), count=1)))


def in_few_words(item: str) -> str:
    """An item of a list in a few words: its term, or all of it if it is short, or its first clause."""
    text = plain_item(item)
    if found := _TERM.match(text):
        return found[1].strip()
    clause = text if n_words(text) <= _LONG_ITEM else _CLAUSE.split(text, maxsplit=1)[0]
    return clause.rstrip(" .;,。；，").removesuffix(" and").removesuffix(" or").rstrip(" ;,")
