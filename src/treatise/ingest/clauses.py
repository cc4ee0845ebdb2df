"""Numbered clause headings in contracts, licences and statutes, on their own line or run into the clause."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.assemble import heading_title
from treatise.ingest.reading import Block

_HEAD: Final = re.compile(
    r"\s*+(?P<word>(?i:article|clause|section|sec\.|art\.|§)?)\s*+"
    r"(?P<number>\d{1,3}(?=[.)]\s)|\d{1,3}(?:\.\d{1,3}){1,3})(?P<mark>[.)]?)\s+"
    r"(?:(?P<title>[^\W\d_a-z][^\n.:;?!\"“”]{1,78})(?:\.(?:\s*(?:—|–|--)\s*|\s+(?![\sa-zß-ÿа-я])|$)|\s*$)"
    r"|(?P<capitals>[^\W\d_a-z][^\na-z.:;?!\"“”]{1,78})\n)"
)
_SMALL_WORD: Final = re.compile(
    r"an?|and|as|at|but|by|for|from|in|into|nor|of|off|on|onto|or|out|over|per|the|to|under|up|upon|via|with|about|after|"
    r"against|among|before|between|during|through|within|without|et|ou|[dl]es?|la|del|el|los|las|und|der|die|das|zu[mr]?"
)
_ABBREVIATION: Final = re.compile(r"(?:.*\s)?(?:Dr|Mrs?|Ms|Prof|St|v|vs|Inc|Corp|Ltd|Bros|Jr|Sr|No|Fig|Gen|Capt|Col)")
_REFERENCES: Final = re.compile(
    r"[\d.\s]*(?:references|bibliography|literature|literatur|works cited|footnotes|endnotes|参考文献)\s*",
    re.IGNORECASE,
)
_MAX_WORDS: Final = 10
_MIN_CHAIN: Final = 3
"""Minimum number of clause headings with consecutive numbers."""


@dataclass(frozen=True, slots=True)
class _Head:
    """A candidate clause heading.

    Attributes:
        at: Index of the block that it opens.
        level: One below its parent heading.
        form: The number's style and its leading components; headings of one form support each other.
        number: The last component of the clause number: 2 for 4.2.
        title: The heading on one line.
        length: Its length in characters of the block.
    """

    at: int
    level: int
    form: tuple[str, str, str]
    number: int
    title: str
    length: int


def with_clause_headings(blocks: list[Block]) -> list[Block]:
    """The blocks with numbered clause headings marked, one level below the heading above the first of them.

    A clause heading is "8. Limitation of Liability." in title case or capitals, at the start of a paragraph
    or on its own line; without the full stop only on its own line or in capitals. At least three with
    consecutive numbers are required. Bibliography entries do not count.
    """
    heads: dict[int, tuple[_Head, int]] = {}
    for chain in _chains(_candidates(blocks)):
        heads |= {head.at: (head, chain[0].level) for head in chain}
    split = []
    for at, block in enumerate(blocks):
        split += _split(block, *heads[at]) if at in heads else [block]
    return split


def _candidates(blocks: list[Block]) -> Iterator[_Head]:
    heading, level = "", 0
    for at, block in enumerate(blocks):
        if block.kind is ParagraphKind.HEADING:
            heading, level = heading_title(block), block.level
        if block.kind not in (ParagraphKind.PROSE, ParagraphKind.LIST) or _REFERENCES.fullmatch(heading):
            continue
        match = _HEAD.match(block.text)
        if match and _is_title(match["title"] or match["capitals"], match["word"]) and _has_text(match, at, blocks):
            title = " ".join(block.text[: match.end()].split()).rstrip(".—–- ")
            outer, _, number = match["number"].rpartition(".")
            depth = level + 1 + match["number"].count(".")
            yield _Head(at, depth, (match["word"].lower(), match["mark"], outer), int(number), title, match.end())


def _is_title(text: str, word: str) -> bool:
    """Whether the text is in title case or capitals and not a personal name, as in lists of people or works.

    Any case is accepted after a word such as "Section".
    """
    words = text.replace(",", " ").replace("/", " ").split()
    heavy = [word for word in words if not _SMALL_WORD.fullmatch(word)]
    in_case = word != "" or all(not one[:1].islower() and len(one) > 1 for one in heavy)
    return in_case and len(words) <= _MAX_WORDS and not _ABBREVIATION.fullmatch(text)


def _has_text(match: re.Match[str], at: int, blocks: list[Block]) -> bool:
    """Whether the clause's text follows, in this block or the next."""
    if match.end() < len(match.string):
        return len(match.string) - match.end() > match.end()
    after = _HEAD.match(blocks[at + 1].text) if at + 1 < len(blocks) else None
    is_deeper = after is not None and after["number"].count(".") > match["number"].count(".")
    return at + 1 < len(blocks) and (after is None or is_deeper)


def _chains(candidates: Iterable[_Head]) -> Iterator[list[_Head]]:
    """Runs of consecutive numbers of one form; other forms may come between, such as (1) and (2) below 3."""
    open_chains: dict[tuple[str, str, str], list[_Head]] = {}
    done: list[list[_Head]] = []
    for head in candidates:
        chain = open_chains.get(head.form)
        if chain and head.number == chain[-1].number + 1:
            chain.append(head)
        else:
            open_chains[head.form] = [head]
            done.append(open_chains[head.form])
    return (chain for chain in done if len(chain) >= _MIN_CHAIN)


def _split(block: Block, head: _Head, level: int) -> list[Block]:
    heading = Block(ParagraphKind.HEADING, block.text[: head.length], level, head.title)
    rest = block.text[head.length :]
    return [heading, replace(block, kind=ParagraphKind.PROSE, text=rest)] if rest else [heading]
