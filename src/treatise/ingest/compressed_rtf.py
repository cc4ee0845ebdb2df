"""Unpacks the compressed RTF of Outlook messages: [MS-OXRTFCP], a dictionary of 4,096 bytes with runs of up to 17."""

import struct
from typing import Final

from treatise.core.errors import DamagedSourceError

_HEADER: Final = struct.Struct("<II4sI")
_COMPRESSED, _PLAIN = b"LZFu", b"MELA"
_WINDOW: Final = 4096
_KNOWN: Final = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""The dictionary's first bytes, fixed by the format."""


def unpacked_rtf(data: bytes, name: str) -> bytes:
    """The RTF in a stream; it ends where the stream breaks off. At most 8 times as long as the stream.

    Raises:
        DamagedSourceError: Not such a stream.
    """
    if len(data) < _HEADER.size or data[8:12] not in (_COMPRESSED, _PLAIN):
        raise DamagedSourceError(f"{name}: its text is no compressed RTF; save the message again")
    _, n_unpacked, form, _ = _HEADER.unpack_from(data)
    if form == _PLAIN:
        return data[_HEADER.size : _HEADER.size + n_unpacked]
    found = bytearray(_KNOWN)
    at = _HEADER.size
    while at < len(data):
        flags = data[at]
        at += 1
        for bit in range(8):
            step = _unpack(data, at, found, is_run=bool(flags >> bit & 1))
            if not step:
                return bytes(found[len(_KNOWN) :])
            at += step
    return bytes(found[len(_KNOWN) :])


def _unpack(data: bytes, at: int, found: bytearray, *, is_run: bool) -> int:
    """Appends a byte or a run of earlier bytes; the number of bytes used, 0 at the end."""
    if at + is_run >= len(data):
        return 0
    if not is_run:
        found.append(data[at])
        return 1
    place, length = divmod(data[at] << 8 | data[at + 1], 16)
    back = (len(found) - place) % _WINDOW
    if not back:
        return 0
    for _ in range(length + 2):
        found.append(found[-back] if back <= len(found) else 0x20)
    return 2
