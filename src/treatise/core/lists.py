"""Lists: the sentence that leads in, and the items that it introduces.

``Paragraph`` is that of ``core.document``; paragraphs are given by their number.
"""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from treatise.core.document import Paragraph, Span

MAX_LEAD_CHARS: Final = 400
_MARK: Final = re.compile(r"\s*(?:([-*+•‣◦▪·–—])|(\(?)(?:(\d{1,3})|[A-Za-z]|[ivxIVX]{1,5})([.)]))\s")
_TERM: Final = re.compile(r"(?:[-*+•]|\(?\w{1,3}[.)])\s+(?:\*\*|__|`)")
_ENDS: Final = (".", "!", "?", "。", "！", "？")
_COLONS: Final = (":", "：")
_LIST: Final = "list"
_SPEAKING: Final = ("prose", _LIST)
_MAX_ITEMS: Final = 60


def mark_shape(text: str) -> str:
    """The form of the mark before an item: ``"1."`` for any number with a stop; ``""`` if it has no mark.

    >>> mark_shape("(b) Convey it."), mark_shape("12. Amend it."), mark_shape("- Or not.")
    ('(a)', '1.', '-')
    """
    found = _MARK.match(text)
    if found is None:
        return ""
    return found[1] or f"{found[2]}{'1' if found[3] else 'a'}{found[4]}"


def leads_in(text: str, paragraph: "Paragraph") -> bool:
    """Whether a paragraph ends with a colon."""
    last = text[paragraph.sentences[-1].start : paragraph.end]
    return paragraph.kind in _SPEAKING and last.rstrip().endswith(_COLONS)


def lead_of(text: str, paragraphs: Sequence["Paragraph"], at: int) -> "Span | None":
    """The sentence that introduces an item, or the item that an inner one is below, if it is short; else None."""
    if paragraphs[at].kind != _LIST:
        return None
    shape, depth = _shape(text, paragraphs[at]), _depth(text, paragraphs[at])
    for before in reversed(paragraphs[max(0, at - _MAX_ITEMS) : at]):
        is_item = before.kind == _LIST
        is_above = is_item and _depth(text, before) < depth
        if is_above and not (leads_in(text, before) or _names_inner(text, before)):
            return None
        if is_above or (leads_in(text, before) and not (is_item and _shape(text, before) == shape)):
            lead = before.sentences[0] if is_above else before.sentences[-1]
            return lead if len(lead) <= MAX_LEAD_CHARS else None
        if not is_item:
            return None
    return None


def items_after(text: str, paragraphs: Sequence["Paragraph"], at: int) -> Iterator[int]:
    """The items that a paragraph introduces with a colon, those of inner lists among them, or those below an item."""
    inner = range(at + 1, min(at + 1 + _MAX_ITEMS, len(paragraphs)))
    if items_below := [*_below(text, paragraphs, at, inner)]:
        yield from items_below
        return
    if not leads_in(text, paragraphs[at]):
        return
    shape = _shape(text, paragraphs[at]) if paragraphs[at].kind == _LIST else None
    for item in inner:
        if paragraphs[item].kind != _LIST or _shape(text, paragraphs[item]) == shape:
            return
        yield item


def _below(text: str, paragraphs: Sequence["Paragraph"], at: int, inner: range) -> Iterator[int]:
    """The deeper items directly after an item."""
    if paragraphs[at].kind != _LIST:
        return
    depth = _depth(text, paragraphs[at])
    for item in inner:
        if paragraphs[item].kind != _LIST or _depth(text, paragraphs[item]) <= depth:
            return
        yield item


def _names_inner(text: str, item: "Paragraph") -> bool:
    """Whether an item says what the items below it are of: it is no sentence, or begins with a term that is marked."""
    words = text[item.start : item.end].strip()
    return not words.endswith(_ENDS) or _TERM.match(words) is not None


def _depth(text: str, paragraph: "Paragraph") -> int:
    """Columns before an item."""
    line = text[paragraph.start : min(paragraph.end, paragraph.start + MAX_LEAD_CHARS)].expandtabs()
    return len(line) - len(line.lstrip(" "))


def _shape(text: str, paragraph: "Paragraph") -> str:
    return mark_shape(text[paragraph.start : min(paragraph.end, paragraph.start + MAX_LEAD_CHARS)])
