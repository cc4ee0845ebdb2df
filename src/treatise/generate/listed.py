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
_LINE_MARK: Final = lazy_pattern(r"(?<=\S)\s(?:[-•*–]|\d{1,2}[.)])(?:\s(?=\w)|$)")
_LINE_NUMBER: Final = lazy_pattern(r"\s?(\d+)")
"""The number that marks an item."""
_REMARK: Final = lazy_pattern(r"\s\([^()]*\)\W*$")
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
_PLURAL: Final = r"(?:(?!is\b|was\b|does\b|has\b|this\b|its\b|his\b)\w+(?<![su'i])s|people|men|women|children)"
_SEVERAL: Final = lazy_pattern(
    rf"^(?:(?:for|in|on|to|with|by|from|at) )?(?:(?:which|what) "
    r"(?:(?:other|kinds? of|sorts? of|types? of|two|three|four) )?"
    rf"(?:(?!is\b|are\b|was\b|were\b|does\b|has\b|of\b)[\w-]+ ){{0,2}}?{_PLURAL} "
    r"(?:are|were|do|did|have|had|can|could|may|might|must|should|shall|will|would)\b|"
    rf"which (?!takes|comes|goes|gives|makes|means|applies|needs|happens){_PLURAL} "
    r"(?!(?:is|was|has|does|of|number|code|page|\w+[^su\W]s)\b)\w)",
    re.IGNORECASE,
)
"""A question for several things: a noun in the plural, and no verb in the singular after it."""
_ASKS_TO_DO: Final = lazy_pattern(
    r"^what (?:all )?(?:must|should|shall|do|does|can|may|will) (?:I|we|you|one|they|(?:an?|the) \w+|\w+s) "
    r"(?!think|mean|call)(?!.*\b(?:first|next|last|then|before|after)\b)\w",
    re.IGNORECASE,
)
_ASKS_WHAT_IS_DONE: Final = lazy_pattern(
    r"^what(?:['’]s| else is| is| are) (?:(?!the\b|an?\b|my\b|our\b|your\b)\w+ )?"
    r"(?:allowed|available|covered|excluded|expected|forbidden|included|"
    r"necessary|needed|offered|permitted|prohibited|provided|required)\b",
    re.IGNORECASE,
)
_SMALL: Final = lazy_pattern(
    r"\b(?:which|what|there|that|this|these|those|should|would|could|does|have|been|were|with|from|your|their|must|"
    r"will|when|where|they|them|into|kinds?|sorts?|types?|things?)\b",
    re.IGNORECASE,
)
"""Words of a question that say nothing of what it asks for."""
_OF_HEADING: Final = 0.5  # share of the question's words that the heading of a list has which nothing else introduces


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
    if not asks_several(question):
        return None
    found = (_around(question, passage, documents[passage.document]) for passage in ranked[:_TRIED])
    return next(filter(None, found), None)


def listing_of_item(question: str, passage: Passage, document: Document) -> Listing | None:
    """The whole list of a passage that is an item of it, if the question is what somebody must, should or may do, or
    what is required, included, permitted or the like.
    """
    asked_for = question.strip()
    if not (_ASKS_TO_DO.match(asked_for) or _ASKS_WHAT_IS_DONE.match(asked_for)):
        return None
    return _around(_SMALL.sub(" ", asked_for), passage, document)


def asks_several(question: str) -> bool:
    """Whether a question asks for several things, as a list has them.

    >>> asks_several("Which files must I keep?"), asks_several("Which laws ban it?"), asks_several("Which class is it?")
    (True, True, False)
    >>> asks_several("Which option sets it?"), asks_several("Which bus goes there?"), asks_several("Which news is it?")
    (False, False, False)
    """
    return asked(question) is Asked.LIST or _SEVERAL.match(question.strip()) is not None


def listing_cut(question: str, passage: Passage, document: Document, words: str) -> Listing | None:
    """The whole list of a paragraph of which an answer in ``words`` has several items with the marks between them."""
    if asked(question) is not Asked.LIST or not _INNER_MARK.search(words):
        return None
    return _around(question, passage, document, is_chosen=True)


def item_named(question: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Of a span over several items of a list on one line, the item that alone has words of the question that its
    introduction lacks, without a remark in brackets; else the span without the marks of items at its ends.

    >>> text = "These people hold keys: - Ann Bell (front door) - Carlo Diaz (yard) - Eve Frost (office)"
    >>> text[slice(*item_named("Who holds the key of the yard?", text, 26, 60))]
    'Carlo Diaz'
    >>> text[slice(*item_named("Who holds keys?", text, 26, 60))]
    'Ann Bell (front door) - Carlo Diaz'
    >>> text = "Lakes: 1. Mjøsa, 365 km² 2. Tyri, 139 km² 3. Krøderen, 42 km²"
    >>> [text[slice(*item_named("How large is Tyri?", text, *part))] for part in ((17, 27), (7, 15))]
    ['Tyri, 139 km²', 'Mjøsa']
    """
    marks = _line_marks(text)
    if len(marks) < _ITEMS[0] or not any(start < last and first < end for first, last in marks):
        return start, end
    before = text[: marks[0][0]].casefold()
    items = zip((last for _, last in marks), [*(first for first, _ in marks[1:]), len(text)], strict=True)
    wanted = [piece for piece in pieces(question.casefold()) if piece not in before]
    named = [item for item in items if any(piece in text[slice(*item)].casefold() for piece in wanted)]
    if len(named) == 1 and any(start < first < end for first, _ in marks):
        first, last = named[0]
        remark = _REMARK.search(text, first, last)
        return first, remark.start() if remark else last
    start = next((last for first, last in marks if first <= start < last < end), start)
    return start, next((first for first, last in marks if start < first < end <= last), end)


def introduced_item(text: str, start: int, end: int) -> str:
    """The item of a list on one line that a span is in, after the introduction of the list; empty if the text is none,
    or if the span is not within one item.

    >>> text = "These are forbidden: * fires * dogs without a lead * music"
    >>> introduced_item(text, 31, 35), introduced_item(text, 0, 19), introduced_item(text, 23, 35)
    ('These are forbidden: dogs without a lead', '', '')
    """
    marks = _line_marks(text)
    if len(marks) < _ITEMS[0] or not text[: marks[0][0]].rstrip().endswith(_COLONS):
        return ""
    items = zip((last for _, last in marks), [*(first for first, _ in marks[1:]), len(text)], strict=True)
    own = next((text[first:last] for first, last in items if first <= start and end <= last), "")
    return f"{text[: marks[0][0]].rstrip()} {own.strip()}" if own else ""


def _line_marks(text: str) -> list[tuple[int, int]]:
    """The marks of a list whose items are on one line; numbers count if they rise by one from 1."""
    marks = list(_LINE_MARK.finditer(text))
    numbers = [int(found[1]) for mark in marks if (found := _LINE_NUMBER.match(mark[0]))]
    is_list = not numbers or (len(numbers) == len(marks) and numbers == [*range(1, len(numbers) + 1)])
    return [mark.span() for mark in marks] if is_list else []


def list_below(passage: Passage, document: Document) -> Listing | None:
    """The list that a passage introduces, whatever is asked."""
    return _around("", passage, document, is_chosen=True)


def _around(question: str, passage: Passage, document: Document, *, is_chosen: bool = False) -> Listing | None:
    at = _introduction(document, bisect_right(document.paragraphs, passage.span.start, key=lambda one: one.start) - 1)
    before = document.paragraphs[at]
    is_item = before.kind is ParagraphKind.LIST
    within = [] if is_item else [*_ITEM.finditer(document.text, before.start, before.end)]
    if within:  # a short list is a part of its paragraph
        first = within[0].start()
        introduction, spans = document.text[before.start : first], [_with_items(document, before, first)]
        terms = [in_few_words(item[1]) for item in within]
    else:
        introduction = document.text[before.start : before.end]
        items = _inner(document, at) or [trim(document.text, one.sentences[0]) for one in _items(document, at + 1)]
        spans = [trim(document.text, before.sentences[-1]), *items]
        terms = [in_few_words(document.one_line(item.start, item.end)) for item in items]
    wanted = {*pieces(question.casefold())}
    has_term = any({*pieces(term.casefold())} & wanted for term in _valued(document, spans, terms))
    is_long = has_term or len(terms) not in _ITEMS or sum(map(n_words, terms)) > _MAX_WORDS
    is_asked_for = (
        introduction.rstrip().endswith(_COLONS)
        if is_chosen
        else _introduces(question, introduction, is_item=is_item) or _is_all_below(question, document, before, terms)
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


def _with_items(document: Document, paragraph: Paragraph, first: int) -> Span:
    """The end of a paragraph that has a list, from the sentence on that introduces its ``first`` item."""
    start = max((one.start for one in paragraph.sentences if one.start < first), default=paragraph.start)
    return trim(document.text, Span(start, paragraph.end))


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


def _is_all_below(question: str, document: Document, before: Paragraph, terms: Sequence[str]) -> bool:
    """Whether a list is the only one of its section, whose heading and items together have the question's words."""
    wanted = {*pieces(_SMALL.sub(" ", question.casefold()))}
    section = document.section_at(before.start)
    title = section.title.casefold()
    of_heading = {piece for piece in wanted if piece in title}
    items = " ".join(terms).casefold()
    inside = [one for one in document.paragraphs if document.section_at(one.start) == section]
    kinds = [one.kind is ParagraphKind.LIST for one in inside]
    n_lists = sum(here and not prior for prior, here in pairwise([False, *kinds]))
    is_named = bool(wanted) and len(of_heading) >= _OF_HEADING * len(wanted)
    return n_lists == 1 and is_named and all(piece in items for piece in wanted - of_heading)


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
