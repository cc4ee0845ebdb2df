"""Detects the encoding of a text file and decodes it."""

import codecs
import re
from dataclasses import dataclass

from treatise.core.errors import DamagedSourceError, UnsupportedSourceError
from treatise.ingest.formats import suffix_list
from treatise.ingest.language import detect_language

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: the UTF-32 mark begins with the same two bytes
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE_BYTES = 64 * 1024
_NON_TEXT = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_NON_TEXT_SHARE = 0.02

_NEAR_CP1252 = frozenset(
    {"cp1250", "cp1254", "cp1257", "iso8859_2", "iso8859_9", "iso8859_10", "iso8859_13", "mac_latin2"}
)
_WESTERN = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "ca", "sv", "da", "no", "fi"})
"""Short accented texts fit several encodings; the ASCII words around the accents indicate the language."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text without its byte order mark, and its encoding."""

    text: str
    encoding: str


def decode(data: bytes, name: str, *, declared: str = "") -> Decoded:
    """The text of a file: by its byte order mark, then UTF-8, then as `declared`, then by statistics.

    Raises:
        DamagedSourceError: Malformed UTF-8 or UTF-16, or text with null bytes.
        UnsupportedSourceError: Binary data.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _strictly(data[len(mark) :], encoding, name)
    if b"\0" in data[:_SAMPLE_BYTES] and (wide := _wide_encoding(data)):
        return _strictly(data, wide, name)
    _refuse_binary(data, name)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError as error:
        return _decode_legacy(data, name, declared, error)


def _strictly(data: bytes, encoding: str, name: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError as error:
        raise DamagedSourceError(
            f"{name}: not valid {encoding} at byte {error.start:,}: the file is truncated or mixes encodings; "
            f"save it again as UTF-8, or drop the broken bytes with: iconv -c -f {encoding} -t utf-8 FILE > NEW"
        ) from error


def _wide_encoding(data: bytes) -> str:
    """UTF-16 without a mark, if every other byte is mostly null; else ``""``."""
    sample = data[: _SAMPLE_BYTES // 2 * 2]
    half = len(sample) // 2
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    if len(data) % 2 == 0 and odd > 0.6 * half and even < 0.02 * half:
        return "utf-16-le"
    if len(data) % 2 == 0 and even > 0.6 * half and odd < 0.02 * half:
        return "utf-16-be"
    return ""


def _refuse_binary(data: bytes, name: str) -> None:
    sample = data[:_SAMPLE_BYTES]
    n_strange = len(_NON_TEXT.findall(sample))
    if n_strange > max(2, _MAX_NON_TEXT_SHARE * len(sample)):
        raise UnsupportedSourceError(
            f"{name}: binary data, not text ({n_strange:,} control characters in the first {len(sample):,} bytes); "
            f"Treatise reads {suffix_list()}: convert the file to one of these"
        )
    if (at := data.find(b"\0")) >= 0:
        raise DamagedSourceError(
            f"{name}: a null byte at byte {at:,} of a text file; remove them with: tr -d '\\000' < FILE > NEW"
        )


def _decode_legacy(data: bytes, name: str, declared: str, error: UnicodeDecodeError) -> Decoded:
    if _is_broken_utf8(data):
        raise DamagedSourceError(
            f"{name}: not valid UTF-8 at byte {error.start:,}, though most of it is: the file is truncated or mixes "
            "encodings; save it again as UTF-8, or drop the broken bytes with: iconv -c -f utf-8 -t utf-8 FILE > NEW"
        ) from error
    for encoding in (declared, _guessed_encoding(data)):
        if encoding:
            try:
                return Decoded(data.decode(encoding), encoding)
            except (UnicodeDecodeError, LookupError):
                continue
    raise UnsupportedSourceError(
        f"{name}: neither UTF-8 nor any encoding that we can tell; save it as UTF-8, for example with: "
        "iconv -f ENCODING -t utf-8 FILE > NEW"
    ) from error


def _is_broken_utf8(data: bytes) -> bool:
    """Whether most non-ASCII bytes form UTF-8 characters; in legacy encodings they hardly ever do."""
    text = data[: _SAMPLE_BYTES * 16].decode("utf-8", "surrogateescape")
    n_broken = len(re.findall("[\udc80-\udcff]", text))
    n_wide = len(re.findall("[^\x00-\x7f]", text)) - n_broken
    return n_wide > n_broken


def _guessed_encoding(data: bytes) -> str:
    from charset_normalizer import from_bytes  # heavy and seldom needed

    # charset-normalizer scores every line; in a large ASCII file few lines are informative
    lines = [line for line in data[: 64 * _SAMPLE_BYTES].splitlines(keepends=True) if not line.isascii()]
    sample = b"".join(lines)[:_SAMPLE_BYTES] or data[:_SAMPLE_BYTES]

    best = from_bytes(sample).best()
    if best and best.encoding in _NEAR_CP1252 and _language_of(data) in _WESTERN:
        return "cp1252"
    return best.encoding if best else ""


def _language_of(data: bytes) -> str:
    return detect_language(data[:_SAMPLE_BYTES].decode("cp1252", "replace"))
