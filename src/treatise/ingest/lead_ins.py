"""Joins sentences that end in a colon to what they introduce: a command, a formula, a short list."""

from collections.abc import Sequence
from typing import Final

from treatise.core.document import Paragraph, ParagraphKind, Span

_COLONS: Final = (":", "：")
_SPEAKING: Final = (ParagraphKind.PROSE, ParagraphKind.LIST)
_MAX_CODE_CHARS: Final = 600
_MAX_LIST_CHARS: Final = 300


def with_lead_ins(paragraphs: Sequence[Paragraph], text: str) -> tuple[Paragraph, ...]:
    """The paragraphs, with introduced blocks joined to the introducing sentence; they still tile the text.

    ``Install it as follows:`` and the command below it become one sentence; so do ``It needs:`` and a short list.
    """
    joined: list[Paragraph] = []
    at = 0
    while at < len(paragraphs):
        lead = paragraphs[at]
        led = _led(paragraphs, at + 1, lead.kind) if _leads(lead, text) else []
        joined.append(_joined(lead, led) if led else lead)
        at += 1 + len(led)
    return tuple(joined)


def _leads(paragraph: Paragraph, text: str) -> bool:
    last = text[paragraph.sentences[-1].start : paragraph.end]
    return paragraph.kind in _SPEAKING and last.rstrip().endswith(_COLONS)


def _led(paragraphs: Sequence[Paragraph], at: int, lead_kind: ParagraphKind) -> list[Paragraph]:
    """The block of code, or all items of the list, if they are short enough for one sentence."""
    if at < len(paragraphs) and paragraphs[at].kind is ParagraphKind.CODE:
        code = paragraphs[at]
        return [code] if code.end - code.start <= _MAX_CODE_CHARS else []
    if lead_kind is ParagraphKind.LIST:
        return []  # nested items: the list would be split
    end = at
    while end < len(paragraphs) and paragraphs[end].kind is ParagraphKind.LIST:
        end += 1
        if paragraphs[end - 1].end - paragraphs[at].start > _MAX_LIST_CHARS:
            return []
    return list(paragraphs[at:end])


def _joined(lead: Paragraph, led: list[Paragraph]) -> Paragraph:
    last = Span(lead.sentences[-1].start, led[-1].end)
    return Paragraph(lead.start, led[-1].end, lead.kind, (*lead.sentences[:-1], last))
