"""Converts PNG, JPEG and TIFF files to blocks by OCR: each picture is a page."""

import io
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from treatise.core.errors import DamagedSourceError, EmptySourceError, SourceTooLargeError, UnsupportedSourceError
from treatise.core.installed import install_command
from treatise.ingest.limits import Limits
from treatise.ingest.ocr import can_read_pictures, picture_lines
from treatise.ingest.pdf import laid_out
from treatise.ingest.pdf_scans import ReadPages
from treatise.ingest.png import Pixels
from treatise.ingest.reading import Reading

_MAX_PIXELS: Final = 100_000_000
_SCALE: Final = 2.0  # pixels per point of the page that a picture is taken for


def read_pictures(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of the text in a picture, or in each picture of a TIFF file.

    Raises:
        DamagedSourceError: Truncated or malformed.
        EmptySourceError: There is no text in it.
        SourceTooLargeError: More pictures or pixels than the limits allow.
        UnsupportedSourceError: The extra ``ocr`` is not installed, whose imaging library opens pictures.
    """
    if not can_read_pictures() or find_spec("PIL") is None:
        raise UnsupportedSourceError(f"{name}: a picture; to read the text in it: {install_command('ocr')}")
    read = ReadPages()
    for number, pixels in enumerate(_pictures(data, name), start=1):
        if number > limits.max_scanned_pages:
            raise SourceTooLargeError(f"{name}: more than {limits.max_scanned_pages:,} pictures; split it")
        read.add(number, picture_lines(pixels), pixels.shape[0] / _SCALE, _SCALE)
    if not any(read.words.values()):
        raise EmptySourceError(f"{name}: a picture without text that can be read")
    blocks, page_starts, _ = laid_out(list(read.words.values()))
    return Reading(blocks, "picture", page_starts=page_starts, notes=tuple(read.notes()))


def _pictures(data: bytes, name: str) -> Iterator[Pixels]:
    from PIL import Image, ImageSequence, UnidentifiedImageError  # an extra

    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "TIFF")) as image:
            for frame in ImageSequence.Iterator(image):
                if frame.width * frame.height > _MAX_PIXELS:
                    raise SourceTooLargeError(f"{name}: {frame.width:,} × {frame.height:,} pixels; scale it down")
                yield _pixels(frame)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise DamagedSourceError(f"{name}: not a readable picture ({error}); save it again") from error


def _pixels(frame: Any) -> Pixels:
    """The picture as shown: turned as its metadata say, on white paper where it is transparent."""
    from PIL import Image, ImageOps

    upright = ImageOps.exif_transpose(frame).convert("RGBA")
    paper = Image.new("RGBA", upright.size, "white")
    return np.asarray(Image.alpha_composite(paper, upright).convert("RGB"))
