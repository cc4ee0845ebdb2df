"""Captions of tables in formats that do not mark them: the text directly above a table that names it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.reading import Block

_MAX_CHARS: Final = 300
_SHORT_CHARS: Final = 200
_NAMED: Final = re.compile(r"\W{0,6}(?:table|tab\.|tabelle|tableau|tabla|tabella|exhibit|表)\s*[\dA-Z]", re.IGNORECASE)
_UNIT: Final = re.compile(
    r"[\[(].{0,80}\b(?:in|of)\s+(?:\S+\s+){0,3}(?:thousand|million|billion|percent|%)", re.IGNORECASE
)
_LEAD_IN: Final = re.compile(
    r"\b(?:as follows|the following|following (?:table|list|summary|values)|below|tables?)\b|[:：]\s*\Z", re.IGNORECASE
)
_LAST_SENTENCE: Final = re.compile(r"(?:.*[.!?][\"”')]*\s+)?(?=[A-Z(\"“*_])(.+)", re.DOTALL)
_MARKS: Final = re.compile(r"[#*_\s]*")


def with_captions(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, with captions for tables that have none and do not continue another one."""
    return [_captioned(blocks, at) if _lacks_caption(block) else block for at, block in enumerate(blocks)]


def _lacks_caption(block: Block) -> bool:
    return block.table is not None and block.table.caption is None and not block.table.is_continued


def _captioned(blocks: Sequence[Block], at: int) -> Block:
    """The block with the caption above it, else with one below that begins with "Table 1"."""
    block = blocks[at]
    span = _above(blocks[:at][-1:]) or _below(block, blocks[at + 1 : at + 2])
    return replace(block, table=replace(block.table, caption=span)) if span and block.table else block


def _above(blocks: Sequence[Block]) -> tuple[int, int] | None:
    """The part of the block that names what follows it, relative to its end."""
    for block in blocks:
        body = block.text.rstrip()
        start = _name_start(body, block.kind)
        if start is not None and body[start:]:
            return start - len(block.text), len(body) - len(block.text)
    return None


def _name_start(body: str, kind: ParagraphKind) -> int | None:
    """Where the name of the table begins in the block above it; None if the block does not name it."""
    if kind in (ParagraphKind.TABLE, ParagraphKind.CODE):
        return None
    is_short = len(body) < _SHORT_CHARS
    if kind is ParagraphKind.HEADING or (is_short and (_NAMED.match(body) or _UNIT.match(body))):
        marks = _MARKS.match(body)
        return marks.end() if marks else 0
    last = _LAST_SENTENCE.fullmatch(body)
    start = last.start(1) if last else 0
    return start if len(body) - start <= _MAX_CHARS and _LEAD_IN.search(body, start) else None


def _below(block: Block, after: Sequence[Block]) -> tuple[int, int] | None:
    for caption in after:
        body = caption.text.rstrip()
        if caption.kind is ParagraphKind.PROSE and _NAMED.match(body):
            return len(block.text), len(block.text) + min(len(body), _MAX_CHARS)
    return None
