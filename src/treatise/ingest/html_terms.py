"""Definition lists of web pages: a term with a short value is a row of a table, other terms begin their description."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.ingest.reading import Block
from treatise.ingest.tables import Grid, plain_rows, table_block

TERM_TAGS: Final = ("dl", "dt", "dd")
_NO_TERM: Final = (-1, -1)
_MAX_TERMS: Final = 4  # with one description
_MAX_TERM_CHARS: Final = 120
_MAX_VALUE_CHARS: Final = 200
_NEXT_SENTENCE: Final = re.compile(r"[.!?][\"'”’)]*\s+[\"'“‘(]*[A-Z\d]")
_SENTENCE_ENDS: Final = (".", "?", "!", ";")


@dataclass(frozen=True, slots=True)
class Entry:
    """Numbers of blocks: terms are ``[term, start)``, their description is ``[start, end)``."""

    term: int
    start: int
    end: int


@dataclass(slots=True)
class Terms:
    """Notes which blocks of a page are terms, and which are their descriptions.

    Attributes:
        entries: Terms with the first description of each; inner lists come before the outer one.
        terms: Numbers of the first blocks of terms.
    """

    entries: list[Entry] = field(default_factory=list)
    terms: set[int] = field(default_factory=set)
    _pending: tuple[int, int] = _NO_TERM
    _open: list[tuple[int, int]] = field(default_factory=list)

    def enter(self, tag: str, at: int) -> None:
        """Begins a list, a term or a description with block number ``at``."""
        if tag == "dt":
            self.terms.add(at)
            self._pending = self._pending if self._pending[1] == at else (at, at)
            return
        if tag == "dd":
            term, end = self._pending
            self._open.append((term if term < end == at else -1, at))
        self._pending = _NO_TERM

    def leave(self, tag: str, at: int) -> None:
        """Ends a list, a term or a description before block number ``at``."""
        if tag == "dt":
            self._pending = self._pending[0], at
            return
        self._pending = _NO_TERM
        if tag == "dd" and self._open:
            term, start = self._open.pop()
            if 0 <= term < start < at:
                self.entries.append(Entry(term, start, at))


def with_definitions(blocks: Sequence[Block], terms: Terms) -> list[Block]:
    """The blocks, with short definitions as rows of tables, and terms joined to the paragraphs that describe them.

    A table after other definitions has the heading above the list as its caption.
    """
    writer = _Writer()
    entries = {entry.term: entry for entry in terms.entries}
    at = end_of_list = 0
    while at < len(blocks):
        entry = entries.get(at)
        end_of_list = max(end_of_list, entry.end if entry else at)
        term = _term(blocks[entry.term : entry.start]) if entry and entry.start not in terms.terms else ""
        if entry and term and _is_value(blocks[entry.start : entry.end]):
            writer.rows.append((term, blocks[entry.start].text))
            at = entry.end
        elif entry and term and blocks[entry.start].kind is ParagraphKind.PROSE:
            writer.add(Block(ParagraphKind.PROSE, f"{term.rstrip(':')}: {blocks[entry.start].text}"), in_list=True)
            at = entry.start + 1
        else:
            writer.add(blocks[at], in_list=at < end_of_list)
            at += 1
    writer.close_table()
    return writer.blocks


def _term(blocks: Sequence[Block]) -> str:
    """The terms on one line; empty if one is not short, is a sentence, or the number of a footnote."""
    terms = [" ".join(block.text.split()) for block in blocks]
    are_plain = len(terms) <= _MAX_TERMS and all(block.kind is ParagraphKind.PROSE for block in blocks)
    return ", ".join(terms) if are_plain and all(map(_is_label, terms)) else ""


def _is_label(term: str) -> bool:
    return len(term) <= _MAX_TERM_CHARS and not term.endswith(_SENTENCE_ENDS) and any(map(str.isalpha, term))


def _is_value(description: Sequence[Block]) -> bool:
    """Whether a description is one short paragraph of one sentence."""
    text = description[0].text.strip()
    is_short = len(description) == 1 and len(text) <= _MAX_VALUE_CHARS
    return is_short and description[0].kind is ParagraphKind.PROSE and not _NEXT_SENTENCE.search(text)


@dataclass(slots=True)
class _Writer:
    """Collects blocks, and the rows of the table that is open.

    ``heading`` is the place of the last heading if only definitions stand between it and the end.
    """

    blocks: list[Block] = field(default_factory=list)
    rows: list[tuple[str, str]] = field(default_factory=list)
    _n_chars: int = 0
    _heading: tuple[int, int] | None = None

    def add(self, block: Block, *, in_list: bool) -> None:
        """Adds a block that is no row."""
        self.close_table()
        if block.level:
            self._heading = self._n_chars, self._n_chars + len(block.text.rstrip())
        elif not in_list:
            self._heading = None
        self._append(block)

    def close_table(self) -> None:
        """Adds the rows as a table."""
        if block := table_block(Grid(plain_rows(self.rows)), self._caption()):
            self._append(block)
        self.rows = []

    def _caption(self) -> tuple[int, int] | None:
        """The heading relative to the end of the text; None if the last block may name the table itself."""
        last = self.blocks[-1] if self.blocks else None
        if self._heading is None or last is None or last.level or last.text.rstrip().endswith(":"):
            return None
        return self._heading[0] - self._n_chars, self._heading[1] - self._n_chars

    def _append(self, block: Block) -> None:
        self.blocks.append(block)
        self._n_chars += len(block.text)
