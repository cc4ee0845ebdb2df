"""Reads the words in pictures of pages: with RapidOCR (extra ``ocr``, models in its wheel), else with Tesseract."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from statistics import median
from threading import Lock
from typing import Any, Final

from treatise.ingest.pdf_words import Word
from treatise.ingest.png import Pixels
from treatise.ingest.tesseract import has_tesseract, tesseract_lines

_BODY_HEIGHTS: Final = (0.8, 1.22)  # of the median; lines in between have the size of the body
_SIZE_OF_LINE: Final = 0.6  # font size per height of a box, which has a margin
_DESCENT: Final = 0.25  # of a box, below the baseline
_IN_USE: Final = Lock()


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line of text in a picture, in pixels from its top left corner.

    Attributes:
        confidence: That the text is right, 0 to 1.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float

    @property
    def height(self) -> float:
        """The height of its box."""
        return self.y1 - self.y0


def can_read_pictures() -> bool:
    """Whether the extra ``ocr`` or the program Tesseract is installed."""
    return _has_rapidocr() or has_tesseract()


def _has_rapidocr() -> bool:
    return find_spec("rapidocr") is not None


def picture_lines(pixels: Pixels) -> list[PictureLine]:
    """The lines of text in a picture, from the top; empty if there are none."""
    if not _has_rapidocr():
        return [PictureLine(*line) for line in tesseract_lines(pixels)]
    with _IN_USE:
        found = _engine()(pixels[:, :, ::-1])  # it expects blue first
    if found.txts is None:
        return []
    rows = zip(found.txts, found.boxes, found.scores, strict=True)
    lines = [_line(text, box, float(score)) for text, box, score in rows if text.strip()]
    return sorted(lines, key=lambda line: (line.y0, line.x0))


def words_of(lines: Sequence[PictureLine], height: float, scale: float) -> list[Word]:
    """The words of the lines on a page of this height in points, with ``scale`` pixels per point."""
    body = median(line.height for line in lines) if lines else 0.0
    return [word for line in lines for word in _words(line, _even(line.height, body), height, scale)]


def confidence_of(lines: Iterable[PictureLine]) -> float:
    """The mean confidence of the lines, by characters; 1 if there are none."""
    weighed = [(len(line.text), line.confidence) for line in lines]
    n_chars = sum(n for n, _ in weighed)
    return sum(n * confidence for n, confidence in weighed) / n_chars if n_chars else 1.0


@cache
def _engine() -> Any:
    from rapidocr import RapidOCR  # heavy, and an extra

    return RapidOCR(params={"Global.log_level": "error"})


def _line(text: str, box: Any, confidence: float) -> PictureLine:
    xs, ys = [float(corner[0]) for corner in box], [float(corner[1]) for corner in box]
    return PictureLine(" ".join(text.split()), min(xs), min(ys), max(xs), max(ys), confidence)


def _even(height: float, body: float) -> float:
    """The height of a line, without the noise by which lines of one font differ."""
    lower, upper = _BODY_HEIGHTS
    return body if lower * body <= height <= upper * body else height


def _words(line: PictureLine, size: float, height: float, scale: float) -> Iterator[Word]:
    """The words of a line, which share its width by their characters."""
    per_char = (line.x1 - line.x0) / max(1, len(line.text))
    baseline = height - (line.y1 - _DESCENT * line.height) / scale
    at = 0
    for text in line.text.split(" "):
        x0, x1 = (line.x0 + per_char * place for place in (at, at + len(text)))
        yield Word(text, x0 / scale, x1 / scale, baseline, round(size * _SIZE_OF_LINE / scale, 1), False, False)
        at += len(text) + 1
