"""Reads pages without text, as scanners make them, by OCR."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from treatise.core.plurals import counted
from treatise.ingest.ocr import PictureLine, confidence_of, picture_lines, words_of
from treatise.ingest.ongoing import SCANNED_PAGES, reported
from treatise.ingest.pdf_pictures import page_pixels
from treatise.ingest.pdf_words import Word

_SCALE: Final = 2.0  # pixels per point: 144 per inch
_LOW_CONFIDENCE: Final = 0.8
_MAX_NOTED: Final = 8


@dataclass(slots=True)
class ReadPages:
    """Pages read by OCR, by number.

    Attributes:
        words: Their words.
        confidences: The mean confidence of the lines of each page with text.
        n_unsure: Number of lines that may be misread, of each page that has any.
    """

    words: dict[int, list[Word]] = field(default_factory=dict)
    confidences: dict[int, float] = field(default_factory=dict)
    n_unsure: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, lines: Sequence[PictureLine], height: float, scale: float) -> None:
        """Adds the lines of a page of this height in points."""
        self.words[number] = words_of(lines, height, scale)
        if lines:
            self.confidences[number] = confidence_of(lines)
        if n_unsure := sum(line.confidence < _LOW_CONFIDENCE for line in lines):
            self.n_unsure[number] = n_unsure

    def notes(self) -> Iterator[str]:
        """How many pages were read, how surely, and which of them may have errors."""
        if not self.confidences:
            return
        mean = sum(self.confidences.values()) / len(self.confidences)
        n = len(self.confidences)
        yield f"read {counted(n, 'page')} without text by OCR, with {100 * mean:.0f} % confidence"
        if self.n_unsure:
            pages = ", ".join(map(str, list(self.n_unsure)[:_MAX_NOTED]))
            more = " …" if len(self.n_unsure) > _MAX_NOTED else ""
            yield f"may have misread {counted(sum(self.n_unsure.values()), 'line')} (page {pages}{more})"


def read_scans(data: bytes, numbers: Sequence[int], *, name: str) -> ReadPages:
    """The words of these pages of a PDF, 1-based. Each page is reported when it is done."""
    read = ReadPages()
    for number in reported(SCANNED_PAGES, numbers):
        pixels, height, scale = page_pixels(data, number, name=name, scale=_SCALE)
        read.add(number, picture_lines(pixels), height, scale)
    return read
