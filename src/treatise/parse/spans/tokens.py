"""Units to tokens, and the windows in which an encoder reads them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from treatise.core.vectors import Floats
from treatise.parse.spans.places import Edges

_EDGES: Final = re.compile(r"(?<=[的，。；：、？！）》”’」』】…)\],;:!?])|(?=[（《“‘「『【(\[])")
"""Where texts without spaces are cut before they become pieces: 15 % of Chinese EDUs began inside one."""


@dataclass(frozen=True, slots=True)
class Tokenised:
    """One text's tokens.

    Attributes:
        ids: Token ids without special tokens; empty only for a text without anything that the model knows.
        offsets: Half-open characters of the text that each token stands for.
    """

    ids: list[int]
    offsets: list[tuple[int, int]]


class TokenReader(Protocol):
    """An encoder by its tokens.

    Attributes:
        name: Identifies the weights.
        start_id, end_id, unknown_id: Special tokens: before a window, after a paragraph or window, for the unreadable.
        spaced: Whether a space before a text is part of its first token (sentence-piece vocabularies).
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    @property
    def start_id(self) -> int:
        """See the attributes above."""
        ...

    @property
    def end_id(self) -> int:
        """See the attributes above."""
        ...

    @property
    def unknown_id(self) -> int:
        """See the attributes above."""
        ...

    @property
    def spaced(self) -> bool:
        """See the attributes above."""
        ...

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        """The tokens of each text, in order."""
        ...

    def read(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        """The token vectors of each row of ids, special tokens included, in order. Shape ``(len(row), dim)``.

        Raises:
            EngineError: Where the model failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class TokenRun:
    """All tokens of a text.

    Attributes:
        ids: Shape ``(n_tokens,)``.
        units: Where each unit begins, and the number of tokens at the end. Shape ``(n_units + 1,)``, ascending.
        begins_word: Whether an EDU can begin there: after white space, or in a script without. Shape ``(n_tokens,)``.
        characters: The token's first character within its unit. Shape ``(n_tokens,)``.
    """

    ids: npt.NDArray[np.int64]
    units: npt.NDArray[np.int64]
    begins_word: npt.NDArray[np.bool_]
    characters: npt.NDArray[np.int64]


def token_run(reader: TokenReader, units: Sequence[str]) -> TokenRun:
    """The tokens of the units, one unit after the other, so that they do not depend on where the text was cut.

    In a script without spaces a piece could still cross an edge, so none goes over a mark or the end of a relative
    clause.
    """
    parts = [_parts(unit, spaced=reader.spaced) for unit in units]
    tokenised = iter(reader.tokenise([part for of_unit in parts for part in of_unit]))
    ids: list[int] = []
    fenceposts, characters, begins_word = [0], [], []
    for unit, of_unit in zip(units, parts, strict=True):
        at = len(unit) - sum(map(len, of_unit))  # -1 where a space was put before
        found: list[tuple[int, int]] = []
        for part in of_unit:
            tokens = next(tokenised)
            found += [(token, max(0, at + start)) for token, (start, _) in zip(tokens.ids, tokens.offsets, strict=True)]
            at += len(part)
        for token, place in found or [(reader.unknown_id, 0)]:
            ids.append(token)
            characters.append(place)
            begins_word.append(_can_begin(unit, place))
        fenceposts.append(len(ids))
    return TokenRun(
        np.array(ids, dtype=np.int64),
        np.array(fenceposts, dtype=np.int64),
        np.array(begins_word, dtype=bool),
        np.array(characters, dtype=np.int64),
    )


def _parts(unit: str, *, spaced: bool) -> list[str]:
    """What of a unit is tokenised by itself; joined they are the unit, with a space before it where words have one."""
    if any(map(is_cjk, unit)):
        return [part for part in _EDGES.split(unit) if part]
    return [f" {unit}" if spaced else unit]


def _can_begin(unit: str, place: int) -> bool:
    if place == 0 or unit[place].isspace():
        return True
    return unit[place - 1].isspace() or is_cjk(unit[place]) or is_cjk(unit[place - 1])


def is_cjk(character: str) -> bool:
    """Whether a character is of a script that puts no space between words, or of its punctuation."""
    return 0x2E80 <= ord(character) <= 0x9FFF or 0xF900 <= ord(character) <= 0xFFEF


def window_vectors(
    reader: TokenReader, run: TokenRun, of_paragraphs: Edges, of_sentences: Edges, size: int
) -> Iterator[tuple[int, int, Floats]]:
    """``(start, end, vectors)`` of each window of tokens, in order; every token is read once.

    A row is the start token, the window's tokens with the end token after each paragraph, and an end token.
    """
    paragraphs, sentences = run.units[of_paragraphs], run.units[of_sentences]
    ends = {int(end) for end in paragraphs[1:]}
    spans = windows(paragraphs, sentences, size)
    rows, kept = [], []
    for start, end in spans:
        row, places = [reader.start_id], []
        for at in range(start, end):
            places.append(len(row))
            row.append(int(run.ids[at]))
            if at + 1 in ends:
                row.append(reader.end_id)
        rows.append(row if row[-1] == reader.end_id else [*row, reader.end_id])
        kept.append(places)
    for (start, end), places, vectors in zip(spans, kept, reader.read(rows), strict=True):
        yield start, end, vectors[places]


def windows(paragraphs: npt.NDArray[np.int64], sentences: npt.NDArray[np.int64], size: int) -> list[tuple[int, int]]:
    """Token ranges to read together: whole paragraphs while they fit, else whole sentences, else hard cuts.

    A paragraph that would have to be broken goes into a window of its own where the one at hand is half full.
    ``paragraphs`` and ``sentences`` are first tokens, and the number of tokens at the end; ``size`` counts tokens
    without special ones, but for one after each paragraph.
    """
    at_paragraph = {int(start) for start in paragraphs}
    paragraph_end = paragraphs[np.searchsorted(paragraphs, sentences[:-1], side="right")]
    spans: list[tuple[int, int]] = []
    first = used = 0
    for start, end, until in zip(sentences[:-1].tolist(), sentences[1:].tolist(), paragraph_end.tolist(), strict=True):
        need = end - start + (end in at_paragraph)
        breaks_paragraph = start in at_paragraph and used > size // 2 and used + until - start + 1 > size
        if used and (used + need > size or breaks_paragraph):
            spans.append((first, start))
            first, used = start, 0
        while end - first > size:  # one sentence longer than a window
            spans.append((first, first + size))
            first += size
            used, need = 0, end - first
        used += need
    if first < int(sentences[-1]):
        spans.append((first, int(sentences[-1])))
    return spans
