"""Headings that open a numbered clause on its own line or run into its text, as contracts, licences and statutes do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.reading import Block

_HEAD: Final = re.compile(
    r"\s*(?:(?i:article|clause|section|§)\s*)?(\d{1,3})[.)]\s+"
    r"(?:([^\W\d_a-z][^\n.:;?!\"“”]{1,78})(?:\.(?:\s+|$)|\s*$)|([^\W\d_a-z][^\na-z.:;?!\"“”]{1,78})\n)"
)
_SMALL_WORD: Final = re.compile(r"[a-z]{1,4}|about|after|against|among|before|between|during|under|within|without")
_MAX_WORDS: Final = 10
_MIN_CHAIN: Final = 3
"""Clauses with numbers one after the other that bear each other out."""


@dataclass(frozen=True, slots=True)
class _Head:
    """What may be the head of a clause: which block it opens, its number, and its first characters of that block."""

    at: int
    number: int
    title: str
    length: int


def with_clause_headings(blocks: list[Block]) -> list[Block]:
    """The same text with the heads of numbered clauses as headings, below the heading that the first one stands under.

    A head is "8. Limitation of Liability." in title case or capitals, at the start of a paragraph that goes on with the
    clause, or alone before it; without the full stop only alone or as a line of capitals. Three with numbers in
    sequence are needed: a lone one may be anything.
    """
    heads = {head.at: head for head in _chained(list(_candidates(blocks)))}
    if not heads:
        return blocks
    first = min(heads)
    above = next((block.level for block in reversed(blocks[:first]) if block.level), 0)
    split = []
    for at, block in enumerate(blocks):
        split += _split(block, heads[at], above + 1) if at in heads else [block]
    return split


def _candidates(blocks: list[Block]) -> Iterator[_Head]:
    for at, block in enumerate(blocks):
        if block.kind not in (ParagraphKind.PROSE, ParagraphKind.LIST):
            continue
        match = _HEAD.match(block.text)
        if match and _is_title(match[2] or match[3]) and _has_text(match, at, blocks):
            title = " ".join(block.text[: match.end()].split()).rstrip(".")
            yield _Head(at, int(match[1]), title, match.end())


def _is_title(text: str) -> bool:
    """In title case or capitals, and no name with an initial, which a list of references has."""
    words = text.replace(",", " ").replace("/", " ").split()
    heavy = [word for word in words if not _SMALL_WORD.fullmatch(word)]
    return len(words) <= _MAX_WORDS and all(not word[:1].islower() and len(word) > 1 for word in heavy)


def _has_text(match: re.Match[str], at: int, blocks: list[Block]) -> bool:
    """The clause itself follows: in the block, or in the next one."""
    if match.end() < len(match.string):
        return len(match.string) - match.end() > match.end()
    return at + 1 < len(blocks) and not _HEAD.match(blocks[at + 1].text)


def _chained(candidates: list[_Head]) -> Iterator[_Head]:
    """Those in runs of consecutive numbers."""
    chain: list[_Head] = []
    for head in candidates:
        if chain and head.number != chain[-1].number + 1:
            if len(chain) >= _MIN_CHAIN:
                yield from chain
            chain = []
        chain.append(head)
    if len(chain) >= _MIN_CHAIN:
        yield from chain


def _split(block: Block, head: _Head, level: int) -> list[Block]:
    heading = Block(ParagraphKind.HEADING, block.text[: head.length], level, head.title)
    rest = block.text[head.length :]
    return [heading, replace(block, kind=ParagraphKind.PROSE, text=rest)] if rest else [heading]
