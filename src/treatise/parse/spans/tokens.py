"""Units to tokens, and the windows in which an encoder reads them."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from treatise.core.errors import DataError
from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import CJK_BLOCKS
from treatise.core.vectors import Floats
from treatise.parse.spans.places import Edges

_UNITS_AT_ONCE: Final = 1_024  # tokenised together: what tokenizers say of a text takes many times its space
_LAST_BLANK: Final = 0x3000
_IS_BLANK: Final = np.array([chr(code).isspace() for code in range(_LAST_BLANK + 2)])
"""Of each character up to the one after the last blank, which stands for all that follow."""
_HAS_CJK: Final = lazy_pattern("[" + "".join(f"{chr(low)}-{chr(high)}" for low, high in CJK_BLOCKS) + "]")
_EDGES: Final = lazy_pattern(r"(?<=[的，。；：、？！）》”’」』】…)\],;:!?])|(?=[（《“‘「『【(\[])")
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

        Those of a row do not depend on the rows beside it.

        Raises:
            EngineError: If the model failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class TokenRun:
    """All tokens of a text.

    Attributes:
        ids: Shape ``(n_tokens,)``.
        units: Where each unit begins, and the number of tokens at the end. Shape ``(n_units + 1,)``, ascending.
        begins_word: Whether an EDU can begin there: after whitespace, or in a script without. Shape ``(n_tokens,)``.
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
    ids, characters, fenceposts = array("q"), array("q"), array("q", [0])
    begins_word = []
    for first in range(0, len(units), _UNITS_AT_ONCE):
        some = units[first : first + _UNITS_AT_ONCE]
        parts = [text_parts(unit, spaced=reader.spaced) for unit in some]
        tokenised = iter(reader.tokenise([part for of_unit in parts for part in of_unit]))
        places: list[list[int]] = []
        for unit, of_unit in zip(some, parts, strict=True):
            placed = _placed(unit, of_unit, tokenised) or [(reader.unknown_id, 0)]
            ids.extend([token for token, _ in placed])
            places.append([place for _, place in placed])
            characters.extend(places[-1])
            fenceposts.append(len(ids))
        begins_word.append(_can_begin(some, places))
    return TokenRun(
        np.array(ids, dtype=np.int64),
        np.array(fenceposts, dtype=np.int64),
        np.concatenate(begins_word),
        np.array(characters, dtype=np.int64),
    )


def text_parts(unit: str, *, spaced: bool) -> list[str]:
    """What of a unit is tokenised by itself; joined they are the unit, with a space before it where words have one."""
    if not unit.isascii() and _HAS_CJK.search(unit):
        return [part for part in _EDGES.split(unit) if part]
    return [f" {unit}" if spaced else unit]


def _placed(unit: str, parts: list[str], tokenised: Iterator[Tokenised]) -> list[tuple[int, int]]:
    """Tokens of the unit with the character that each begins at."""
    at = len(unit) - sum(map(len, parts))  # -1 if a space was put before
    placed: list[tuple[int, int]] = []
    for part in parts:
        found = next(tokenised)
        placed += [(token, max(0, at + start)) for token, (start, _) in zip(found.ids, found.offsets, strict=True)]
        at += len(part)
    return placed


def _can_begin(units: Sequence[str], places: Sequence[Sequence[int]]) -> npt.NDArray[np.bool_]:
    """Whether an EDU can begin at these characters of each unit, one unit after the other."""
    codes = np.frombuffer(("".join(units) + "\0").encode("utf-32-le", "surrogatepass"), np.uint32)
    edge = _IS_BLANK[np.minimum(codes, _LAST_BLANK + 1)]
    for low, high in CJK_BLOCKS:
        edge |= (codes >= low) & (codes <= high)
    first = np.cumsum([0, *map(len, units[:-1])])
    place = np.concatenate(places)
    at = place + np.repeat(first, [len(of_unit) for of_unit in places])
    begins: npt.NDArray[np.bool_] = (place == 0) | edge[at - 1] | edge[at]
    return begins


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens of a text that are read together: in a row that begins with the start token, with the end token after each
    paragraph and at the end.

    Attributes:
        start, end: Which tokens, half-open.
        breaks: How many of them are before each end of a paragraph.
    """

    start: int
    end: int
    breaks: npt.NDArray[np.int64]

    def row(self, reader: TokenReader, run: TokenRun) -> list[int]:
        """What is read."""
        row = [reader.start_id, *np.insert(run.ids[self.start : self.end], self.breaks, reader.end_id).tolist()]
        return row if row[-1] == reader.end_id else [*row, reader.end_id]

    def of_tokens(self, vectors: Floats) -> Floats:
        """The rows of the tokens among those of a row."""
        tokens = np.arange(self.end - self.start)
        rows: Floats = vectors[1 + tokens + np.searchsorted(self.breaks, tokens, side="right")]
        return rows


def text_windows(run: TokenRun, of_paragraphs: Edges, of_sentences: Edges, size: int) -> list[Window]:
    """The windows of a text in order; every token is in one."""
    paragraphs, sentences = run.units[of_paragraphs], run.units[of_sentences]
    ends = paragraphs[1:]
    ends = ends[np.diff(ends, prepend=-1) > 0]  # each once; np.unique would import numpy.ma: 7 ms
    found = []
    for start, end in windows(paragraphs, sentences, size):
        low, high = np.searchsorted(ends, (start, end), side="right")
        found.append(Window(start, end, ends[low:high] - start))
    return found


def window_vectors(
    reader: TokenReader, run: TokenRun, of_paragraphs: Edges, of_sentences: Edges, size: int
) -> Iterator[tuple[int, int, Floats]]:
    """``(start, end, vectors)`` of each window of tokens, in order; every token is read once."""
    found = text_windows(run, of_paragraphs, of_sentences, size)
    for window, vectors in zip(found, reader.read(one.row(reader, run) for one in found), strict=True):
        yield window.start, window.end, window.of_tokens(vectors)


def windows(paragraphs: npt.NDArray[np.int64], sentences: npt.NDArray[np.int64], size: int) -> list[tuple[int, int]]:
    """Token ranges to read together: whole paragraphs while they fit, else whole sentences, else hard cuts.

    A paragraph that would have to be broken goes into a window of its own where the one at hand is half full.
    ``paragraphs`` and ``sentences`` are first tokens, and the number of tokens at the end; ``size`` counts tokens
    without special ones, but for one after each paragraph.

    Raises:
        DataError: If ``size`` leaves no room for a token.
    """
    if size < 1:
        raise DataError(f"a window must hold a token, found a size of {size}: look at 'window' in the model's settings")
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
