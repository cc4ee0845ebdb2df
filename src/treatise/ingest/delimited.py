"""Converts CSV and TSV files to a table."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Final

from treatise.core.errors import DamagedSourceError
from treatise.core.hyphens import SUSPENDING
from treatise.ingest.encoding import decode
from treatise.ingest.grids import SourceCell
from treatise.ingest.limits import Limits
from treatise.ingest.ongoing import report
from treatise.ingest.reading import Reading
from treatise.ingest.sheets import CellCounter, write_sheet
from treatise.ingest.writer import BlockWriter

_WORD: Final = re.compile(r"[^\W\d_]+")
_BROKEN: Final = re.compile(rf"(?P<left>\b[^\W\d_]{{3,}})- (?P<right>(?!{SUSPENDING})[a-zà-ÿ]{{3,}}\b)")
_SAMPLE_CHARS: Final = 16_384
_DELIMITERS: Final = ",;\t|"
_MAX_FIELD_CHARS: Final = 2**20


def read_delimited(data: bytes, name: str, limits: Limits) -> Reading:
    """Rows of a CSV or TSV file; the delimiter is detected from the first lines.

    Raises:
        DamagedSourceError: A quoted field is unterminated, or a field is over a megabyte.
        SourceTooLargeError: There are more cells than the limits allow.
    """
    decoded = decode(data, name)
    writer = BlockWriter(name, limits)
    write_sheet(writer, "", _rows(decoded.text, name, limits))
    return Reading(writer.blocks, "csv", decoded.encoding)


def _rows(text: str, name: str, limits: Limits) -> Iterator[list[SourceCell]]:
    counter = CellCounter(name, limits)
    text = _BROKEN.sub(_Rejoiner(text), text)
    csv.field_size_limit(_MAX_FIELD_CHARS)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text[:_SAMPLE_CHARS]), strict=False)
    n_lines = text.count("\n") or text.count("\r")
    try:
        for row in reader:
            report("read lines", min(reader.line_num, n_lines), n_lines)
            counter.add(len(row))
            yield [SourceCell(text) for text in row]
    except csv.Error as error:
        raise DamagedSourceError(f"{name}: not a readable CSV file ({error}); export it again") from error


class _Rejoiner:
    """Writes a word in one piece that a line of the source broke at a hyphen ("application- provided").

    The hyphen stays unless the file has the word without it.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._words: frozenset[str] | None = None  # counted when a broken word is found: most files have none

    def __call__(self, match: re.Match[str]) -> str:
        if self._words is None:
            self._words = frozenset(_WORD.findall(self._text.casefold()))
        left, right = match["left"], match["right"]
        return f"{left}{right}" if f"{left}{right}".casefold() in self._words else f"{left}-{right}"


def _delimiter(sample: str) -> str:
    """The character that splits most lines into the same number of cells; a comma if none does."""
    lines = [line for line in sample.splitlines() if line.strip()][:20]

    def score(sign: str) -> tuple[int, int]:
        counts = [line.count(sign) for line in lines]
        typical = max(set(counts), key=counts.count) if counts else 0
        return (counts.count(typical) if typical else 0, typical)

    return max(_DELIMITERS, key=score)
