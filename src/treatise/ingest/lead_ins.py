"""Joins sentences that end in a colon to what they introduce: a command, a formula, a short list."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from treatise.core.document import Paragraph, ParagraphKind, Span
from treatise.core.lists import items_after, leads_in
from treatise.ingest.listings import is_listing

_INDENTED: Final = (ParagraphKind.PROSE, ParagraphKind.VERSE)
_MAX_BLOCKS: Final = 8
_MAX_CODE_CHARS: Final = 600
_MAX_LIST_CHARS: Final = 300
_VALUED: Final = re.compile(r"\W*[^:\n]{2,60}: +[^\s:][^\n]*\s*")


def with_lead_ins(paragraphs: Sequence[Paragraph], text: str) -> tuple[Paragraph, ...]:
    """The paragraphs, with introduced blocks joined to the introducing sentence; they still tile the text.

    ``Install it as follows:`` and the command below it become one sentence; so do ``It needs:`` and a short list,
    unless each of its items or the lines of the code has a value ("Adults: $12"), which answers a question on its own.
    """
    joined: list[Paragraph] = []
    at = 0
    while at < len(paragraphs):
        lead = paragraphs[at]
        led = _led(paragraphs, at, text) if leads_in(text, lead) else []
        joined.append(_joined(lead, led) if led else lead)
        at += 1 + len(led)
    return tuple(joined)


def _led(paragraphs: Sequence[Paragraph], lead: int, text: str) -> list[Paragraph]:
    """The block of code, the indented block, or all items of the list, if they are short enough for one sentence."""
    first = lead + 1
    if first < len(paragraphs) and paragraphs[first].kind is ParagraphKind.CODE:
        is_listed = is_listing(text[paragraphs[first].start : paragraphs[first].end])
        return [] if is_listed else _short(paragraphs[first : first + 1], _MAX_CODE_CHARS)
    if paragraphs[lead].kind is ParagraphKind.LIST:
        return []  # nested items: the list would be split
    items = [paragraphs[at] for at in items_after(text, paragraphs, lead)]
    if len(items) > 1 and all(_VALUED.fullmatch(text, one.start, one.end) for one in items):
        return []
    return _short(items, _MAX_LIST_CHARS) if items else _short(_deeper(paragraphs, lead, text), _MAX_CODE_CHARS)


def _deeper(paragraphs: Sequence[Paragraph], lead: int, text: str) -> list[Paragraph]:
    """The paragraphs after ``lead`` whose every line is indented deeper: a notice or an example in plain text."""
    depth = _depth(text, paragraphs[lead])
    after = paragraphs[lead + 1 : lead + 1 + _MAX_BLOCKS]
    return list(takewhile(lambda one: one.kind in _INDENTED and _depth(text, one) > depth, after))


def _depth(text: str, paragraph: Paragraph) -> int:
    """Columns of the least indented line."""
    lines = text[paragraph.start : paragraph.end].expandtabs().splitlines()
    return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)


def _short(paragraphs: Sequence[Paragraph], limit: int) -> list[Paragraph]:
    return list(paragraphs) if paragraphs and paragraphs[-1].end - paragraphs[0].start <= limit else []


def _joined(lead: Paragraph, led: list[Paragraph]) -> Paragraph:
    last = Span(lead.sentences[-1].start, led[-1].end)
    return Paragraph(lead.start, led[-1].end, lead.kind, (*lead.sentences[:-1], last))
