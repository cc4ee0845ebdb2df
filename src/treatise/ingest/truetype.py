"""Reads what a TrueType font program states about its glyphs: their boxes, widths and characters."""

import struct
from collections.abc import Iterable, Iterator
from typing import Final

MACINTOSH: Final = ("\0\0\0" + bytes([*range(0x20, 0x7F), *range(0x80, 0x100)]).decode("mac-roman")).replace(
    "€", "¤"
) + "ŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ"
"""The standard Macintosh glyph set by glyph number (format 1 of the table ``post``); NUL if it is no character."""

Outline = tuple[float, float, float, float]
"""Left, bottom, right and top of a glyph, in ems above the baseline."""

_SIGNATURES: Final = (b"\0\1\0\0", b"true")
_STANDARD_ORDER: Final = 0x10000  # formats of the table "post"
_NAMED: Final = 0x20000
_N_CODES: Final = 0x10000
_NO_OUTLINE: Final = (0.0, 0.0, 0.0, 0.0)


class TrueType:
    """A TrueType font program.

    Raises:
        ValueError: It is no TrueType font, or damaged.
    """

    def __init__(self, data: bytes) -> None:
        if data[:4] not in _SIGNATURES:
            raise ValueError("not a TrueType font program")
        self._data = data
        try:
            self._tables = dict(self._directory())
            self._em, self._is_long = self._head()
            self.n_glyphs = self._number("maxp", 4)
            self._n_widths = self._number("hhea", 34)
        except (struct.error, KeyError) as error:
            raise ValueError("a damaged TrueType font program") from error

    def width(self, glyph: int) -> float:
        """The advance width of a glyph, in ems; 0 if not stated."""
        at = 4 * min(glyph, self._n_widths - 1)
        return self._number("hmtx", at) / self._em if at >= 0 and self._has("hmtx", at + 2) else 0.0

    def outline(self, glyph: int) -> Outline | None:
        """The box of a glyph; all zero for a blank, None if it has no such glyph."""
        size = 4 if self._is_long else 2
        if not 0 <= glyph < self.n_glyphs or not self._has("loca", size * (glyph + 2)):
            return None
        start, end = self._unpack("loca", size * glyph, ">2I" if self._is_long else ">2H")
        if not self._is_long:
            start, end = 2 * start, 2 * end
        if end <= start or not self._has("glyf", start + 10):
            return _NO_OUTLINE
        left, bottom, right, top = self._unpack("glyf", start + 2, ">4h")
        return left / self._em, bottom / self._em, right / self._em, top / self._em

    def characters(self) -> dict[int, str]:
        """Characters by glyph as the tables ``cmap`` and ``post`` state them; empty if neither does."""
        found: dict[int, str] = {}
        try:
            for code, glyph in self._mapped():
                if glyph and _is_character(code):
                    found.setdefault(glyph, chr(code))
            return found or dict(self._named())
        except struct.error:
            return found

    def _directory(self) -> Iterator[tuple[str, tuple[int, int]]]:
        (n_tables,) = struct.unpack_from(">H", self._data, 4)
        for at in range(n_tables):
            tag, _, start, length = struct.unpack_from(">4s3I", self._data, 12 + 16 * at)
            yield tag.decode("latin-1"), (start, min(length, max(0, len(self._data) - start)))

    def _head(self) -> tuple[int, bool]:
        return self._number("head", 18) or 1, self._number("head", 50) == 1

    def _has(self, table: str, n_bytes: int) -> bool:
        return table in self._tables and n_bytes <= self._tables[table][1]

    def _unpack(self, table: str, at: int, form: str) -> tuple[int, ...]:
        return struct.unpack_from(form, self._data, self._tables[table][0] + at)

    def _number(self, table: str, at: int) -> int:
        return self._unpack(table, at, ">H")[0]

    def _mapped(self) -> Iterator[tuple[int, int]]:
        """Codes and glyphs of the first Unicode subtable of ``cmap``."""
        if not self._has("cmap", 4):
            return
        for at in range(self._number("cmap", 2)):
            platform, encoding, start = self._unpack("cmap", 4 + 8 * at, ">HHI")
            if platform == 0 or (platform == 3 and encoding in (1, 10)):
                form = self._number("cmap", start)
                if form in (4, 12):
                    yield from self._by_segments(start) if form == 4 else self._by_groups(start)
                    return

    def _by_segments(self, start: int) -> Iterator[tuple[int, int]]:
        n = self._number("cmap", start + 6) // 2
        ends = self._unpack("cmap", start + 14, f">{n}H")
        firsts = self._unpack("cmap", start + 16 + 2 * n, f">{n}H")
        deltas = self._unpack("cmap", start + 16 + 4 * n, f">{n}H")
        offsets = self._unpack("cmap", start + 16 + 6 * n, f">{n}H")
        left = _N_CODES
        for at, (first, end, delta, offset) in enumerate(zip(firsts, ends, deltas, offsets, strict=True)):
            for code in range(first, min(end + 1, first + left)):
                glyph = code
                if offset:
                    glyph = self._number("cmap", start + 16 + 6 * n + 2 * at + offset + 2 * (code - first))
                yield code, (glyph + delta) % _N_CODES if glyph or not offset else 0
            left -= max(0, end + 1 - first)
            if left <= 0:
                return

    def _by_groups(self, start: int) -> Iterator[tuple[int, int]]:
        (n,) = self._unpack("cmap", start + 12, ">I")
        left = _N_CODES
        for at in range(min(n, _N_CODES)):
            first, end, glyph = self._unpack("cmap", start + 16 + 12 * at, ">3I")
            for step in range(min(end + 1 - first, left)):
                yield first + step, glyph + step
            left -= max(0, end + 1 - first)
            if left <= 0:
                return

    def _named(self) -> Iterator[tuple[int, str]]:
        """Glyphs and characters by the names of ``post`` that are in the standard set."""
        form = self._unpack("post", 0, ">I")[0] if self._has("post", 4) else 0
        names: Iterable[int] = ()
        if form == _STANDARD_ORDER:
            names = range(min(self.n_glyphs, len(MACINTOSH)))
        elif form == _NAMED:
            names = self._unpack("post", 34, f">{self._number('post', 32)}H")
        for glyph, name in enumerate(names):
            if name < len(MACINTOSH) and MACINTOSH[name] != "\0":
                yield glyph, MACINTOSH[name]


def _is_character(code: int) -> bool:
    """Whether a code is a character that means the same everywhere."""
    is_control, is_half, is_private = code < 0x20, 0xD800 <= code < 0xE000, 0xE000 <= code < 0xF900
    return not (is_control or is_half or is_private) and code < 0x110000 and code not in (0xFFFE, 0xFFFF)
