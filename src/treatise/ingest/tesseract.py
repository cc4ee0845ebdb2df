"""Reads the lines of pictures with the system's Tesseract, if it is installed."""

import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Final

from treatise.core.errors import SourceError
from treatise.ingest.png import Pixels, png

_TIMEOUT_S: Final = 300
_WORD: Final = "5"  # the level of a row that is a word
_COLUMNS: Final = 12
_NO_TEXT: Final = frozenset(("osd", "equ"))  # data that are no language
_DOTS_PER_INCH: Final = 144
_MAX_LANGUAGES: Final = 4

Row = list[str]


def has_tesseract() -> bool:
    """Whether the program and a language are installed."""
    return bool(_languages())


def tesseract_lines(pixels: Pixels) -> list[tuple[str, float, float, float, float, float]]:
    """The lines of a picture in reading order: text, left, top, right, bottom in pixels, confidence from 0 to 1.

    Raises:
        SourceError: The program failed or took more than five minutes.
    """
    options = ["-l", "+".join(_languages()), "--dpi", str(_DOTS_PER_INCH), "tsv"]
    try:
        command = ["tesseract", "stdin", "stdout", *options]
        done = subprocess.run(command, input=png(pixels), capture_output=True, timeout=_TIMEOUT_S, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise SourceError(
            f"tesseract could not read a page ({error}); see whether `tesseract --version` works"
        ) from error
    return list(lines_of_table(done.stdout.decode("utf-8", "replace")))


def lines_of_table(table: str) -> Iterator[tuple[str, float, float, float, float, float]]:
    """The lines of a table of words as Tesseract writes it."""
    rows = [row for line in table.splitlines() if len(row := line.split("\t", _COLUMNS - 1)) == _COLUMNS]
    words = [row for row in rows if row[0] == _WORD and row[-1].strip()]
    for _, group in groupby(words, key=lambda row: row[1:5]):
        yield _line(list(group))


def _line(words: list[Row]) -> tuple[str, float, float, float, float, float]:
    boxes = [[float(number) for number in row[6:10]] for row in words]
    left, top = min(x for x, *_ in boxes), min(y for _, y, *_ in boxes)
    right, bottom = max(x + width for x, _, width, _ in boxes), max(y + height for _, y, _, height in boxes)
    n_chars = sum(len(row[-1]) for row in words)
    confidence = sum(max(float(row[10]), 0) * len(row[-1]) for row in words) / (100 * n_chars)
    return " ".join(row[-1].strip() for row in words), left, top, right, bottom, confidence


@cache
def _languages() -> tuple[str, ...]:
    """The installed languages, English first; empty without the program."""
    program = shutil.which("tesseract")
    if program is None:
        return ()
    try:
        listed = subprocess.run([program, "--list-langs"], capture_output=True, timeout=_TIMEOUT_S, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    names = [name for name in listed.decode("utf-8", "replace").split("\n")[1:] if name and name not in _NO_TEXT]
    return tuple(sorted(names, key=lambda name: (name != "eng", name))[:_MAX_LANGUAGES])
