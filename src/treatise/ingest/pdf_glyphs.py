"""Characters of a PDF's fonts that have no usable map: pdfium returns the numbers of their glyphs instead."""

import ctypes
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import pypdfium2.raw as pdfium_c

from treatise.ingest.glyph_order import characters_of, decoded
from treatise.ingest.language import is_prose
from treatise.ingest.pdf_objects import address_of
from treatise.ingest.truetype import TrueType

_SUBSET: Final = re.compile(r"[A-Z]{6}\+")
_FAMILY: Final = re.compile(r"(?:PS)?(?:MT)?$")
_HEIGHT_ERROR: Final = 0.03  # in ems; pdfium rounds boxes
_MIN_SAME: Final = 0.9
_MAX_SLOPE: Final = 0.01
_MAX_FONT_BYTES: Final = 64 << 20

_Key = tuple[str, int]


@dataclass(slots=True)
class GlyphReader:
    """Decodes numbers of glyphs, and keeps the characters of each font of a document."""

    _programs: dict[_Key, TrueType | None] = field(default_factory=dict)
    _characters: dict[tuple[_Key, bool], dict[int, str]] = field(default_factory=dict)
    _families: set[str] = field(default_factory=set)

    def has_program(self, font: Any) -> bool:
        """Whether a font is an embedded TrueType font."""
        return self._program(font) is not None

    def text(self, raw: object, codes: str) -> str:
        """A page's text with numbers of glyphs decoded, as far as their fonts tell.

        Args:
            raw: pdfium's text page.
            codes: What pdfium returns, one character per index; the text that is returned is as long.
        """
        characters = list(codes)
        fonts = _unmapped(raw, len(codes))
        for font, glyphs in fonts:
            self._learn(raw, font, glyphs, codes)
        for font, glyphs in fonts:
            table = self._learn(raw, font, glyphs, codes)  # another font of its family may have been decoded since
            if 2 * sum(glyph in table for glyph in glyphs.values()) > len(glyphs):
                for at, character in zip(glyphs, decoded(glyphs.values(), table), strict=True):
                    characters[at] = character
        return "".join(characters)

    def _learn(self, raw: object, font: Any, glyphs: dict[int, int], codes: str) -> dict[int, str]:
        """The characters of a font's glyphs; empty if unknown, or if what pdfium returns makes sense."""
        program = self._program(font)
        if program is None or not _are_drawn(raw, program, glyphs) or is_prose(_picked(codes, glyphs).split()):
            return {}
        family = _family(font)
        is_expected = family in self._families
        key = _key(font), is_expected
        if key not in self._characters:
            self._characters[key] = characters_of(program, is_expected=is_expected)
        if self._characters[key]:
            self._families.add(family)
        return self._characters[key]

    def _program(self, font: Any) -> TrueType | None:
        key = _key(font)
        if key not in self._programs:
            try:
                self._programs[key] = TrueType(_font_data(font, key[1]))
            except ValueError:
                self._programs[key] = None
        return self._programs[key]


def is_unmapped(raw: object, index: int) -> bool:
    """Whether a character has no Unicode value, so that pdfium returns its code."""
    return bool(pdfium_c.FPDFText_HasUnicodeMapError(raw, index) == 1)


def font_of(raw: object, index: int) -> Any:
    """The font of a character; None if pdfium has added the character."""
    text_object = pdfium_c.FPDFText_GetTextObject(raw, index)
    return (pdfium_c.FPDFTextObj_GetFont(text_object) or None) if text_object else None


def font_name(font: Any) -> str:
    """The PostScript name of a font."""
    buffer = ctypes.create_string_buffer(128)
    pdfium_c.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    return buffer.value.decode("utf-8", "replace")


def _unmapped(raw: object, n_chars: int) -> list[tuple[Any, dict[int, int]]]:
    """Fonts, each with the codes of its characters that have no Unicode value, by index."""
    fonts: dict[int, Any] = {}
    codes: dict[int, dict[int, int]] = defaultdict(dict)
    for at in range(n_chars):
        if is_unmapped(raw, at) and (font := font_of(raw, at)):
            handle = address_of(font)
            fonts.setdefault(handle, font)
            codes[handle][at] = pdfium_c.FPDFText_GetUnicode(raw, at)
    return [(fonts[handle], found) for handle, found in codes.items()]


def _picked(codes: str, indices: Iterable[int]) -> str:
    """The characters at these indices, with a space where any are left out."""
    last, picked = -1, []
    for at in indices:
        picked += [codes[at]] if at == last + 1 else [" ", codes[at]]
        last = at
    return "".join(picked)


def _key(font: Any) -> _Key:
    """The name and size of an embedded font, which tell it from the others of a document; size 0 if not embedded."""
    size = ctypes.c_size_t()
    is_embedded = pdfium_c.FPDFFont_GetIsEmbedded(font) == 1
    known = is_embedded and pdfium_c.FPDFFont_GetFontData(font, None, 0, size)
    return font_name(font), size.value if known else 0


def _font_data(font: Any, size: int) -> bytes:
    """The bytes of an embedded font; empty if there are too many."""
    if not 0 < size <= _MAX_FONT_BYTES:
        return b""
    data = (ctypes.c_uint8 * size)()
    pdfium_c.FPDFFont_GetFontData(font, data, size, ctypes.c_size_t())
    return bytes(data)


def _are_drawn(raw: object, program: TrueType, glyphs: dict[int, int]) -> bool:
    """Whether codes are numbers of glyphs: each is drawn as high as the font program draws that glyph.

    Args:
        raw: pdfium's text page.
        program: The font.
        glyphs: Codes by index.
    """
    places = {code: at for at, code in glyphs.items()}
    compared = [
        abs(drawn - (outline[3] - outline[1])) <= _HEIGHT_ERROR
        for code, at in places.items()
        if (drawn := _height(raw, at)) and (outline := program.outline(code)) and any(outline)
    ]
    return bool(compared) and sum(compared) >= _MIN_SAME * len(compared)


def _height(raw: object, index: int) -> float:
    """The height of a character's ink, in ems; 0 if it is not upright."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    matrix = pdfium_c.FS_MATRIX()
    pdfium_c.FPDFText_GetCharBox(raw, index, left, right, bottom, top)
    pdfium_c.FPDFText_GetMatrix(raw, index, matrix)
    size = abs(matrix.d) * pdfium_c.FPDFText_GetFontSize(raw, index)
    is_upright = abs(matrix.b) < _MAX_SLOPE * abs(matrix.a)
    return (top.value - bottom.value) / size if size and is_upright else 0.0


def _family(font: Any) -> str:
    """The name of a font's family.

    "ArialMT" and "ABCDEF+Arial-BoldMT" are both of "Arial".
    """
    name = _SUBSET.sub("", font_name(font)).split("-")[0].split(",")[0]
    return _FAMILY.sub("", name)
