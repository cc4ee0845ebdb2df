"""Writes small TrueType fonts for tests, whose glyphs are boxes as high and as deep as the letters they stand for."""

import struct
import unicodedata

EM = 1000
_LOW = "acemnorsuvwxzıæœ"
_DEEP = "gpqyj"
_HIGH = "'\"*“”‘’°"
_FLAT = "-–—"


def box_of(character: str) -> tuple[int, int, int, int]:
    """Left, bottom, right and top of a character's ink."""
    base = unicodedata.normalize("NFD", character)
    right = width_of(character) - 50
    if not character.strip("\0 \xa0"):
        return 0, 0, 0, 0
    if len(base) == 2 and base[0].isalpha():
        below = unicodedata.combining(base[1]) != 230
        return 50, -200 if below else 0, right, (500 if base[0].islower() else 700) + (0 if below else 200)
    if character in _HIGH:
        return 50, 500, right, 700
    if character in _FLAT:
        return 50, 250, right, 300
    if character in ".…":
        return 50, 0, right, 100
    if character in ",‚„":
        return 50, -100, right, 100
    if character in "()[]{}":
        return 50, -150, right, 750
    if character in "«»‹›":
        return 50, 100, right, 450
    if character in _LOW:
        return 50, 0, right, 500
    return 50, -200 if character in _DEEP else 0, right, 500 if character in _DEEP else 700


def width_of(character: str) -> int:
    """An advance width that differs from letter to letter, but not by accent."""
    return 300 + 16 * (ord(unicodedata.normalize("NFD", character)[0]) % 29)


def font(glyphs: str, used: str | None = None, stated: str = "") -> bytes:
    """A font whose glyphs have these characters in order; those not ``used`` have no outline, as in a subset.

    ``stated`` are the characters of its map to Unicode, by glyph; without any it has no map.
    """
    shapes = [_outline(box_of(c) if used is None or c in used else (0, 0, 0, 0)) for c in glyphs]
    starts = [sum(map(len, shapes[:at])) for at in range(len(shapes) + 1)]
    tables = {
        b"glyf": b"".join(shapes) or b"\0",
        b"head": struct.pack(">4I2H2Q4h2H3h", 0x10000, 0, 0, 0x5F0F3CF5, 0, EM, 0, 0, 0, -200, EM, 900, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">I3hH3h3h5hH", 0x10000, 800, -200, 0, EM, 0, 0, 0, 1, 0, 0, *[0] * 5, len(glyphs)),
        b"hmtx": b"".join(struct.pack(">Hh", width_of(c), 50) for c in glyphs),
        b"loca": struct.pack(f">{len(starts)}I", *starts),
        b"maxp": struct.pack(">IH13H", 0x10000, len(glyphs), 8, 2, 0, 0, 1, *[0] * 8),
    }
    if stated:
        tables[b"cmap"] = _unicode_map(stated)
    return _file(tables)


def _outline(box: tuple[int, int, int, int]) -> bytes:
    if not any(box):
        return b""
    left, bottom, right, top = box
    xs, ys = (left, 0, right - left, 0), (bottom, top - bottom, 0, bottom - top)
    return struct.pack(">h4hHH4B8h", 1, *box, 3, 0, *[1] * 4, *xs, *ys) + b"\0\0"


def _unicode_map(glyphs: str) -> bytes:
    groups = sorted((ord(c), at) for at, c in enumerate(glyphs) if c != "\0")
    body = b"".join(struct.pack(">3I", code, code, at) for code, at in groups)
    return struct.pack(">2H2HI", 0, 1, 3, 10, 12) + struct.pack(">2H3I", 12, 0, 16 + len(body), 0, len(groups)) + body


def _file(tables: dict[bytes, bytes]) -> bytes:
    directory, body = b"", b""
    at = 12 + 16 * len(tables)
    for tag, data in sorted(tables.items()):
        directory += struct.pack(">4s3I", tag, 0, at + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    return struct.pack(">I4H", 0x10000, len(tables), 0, 0, 0) + directory + body
