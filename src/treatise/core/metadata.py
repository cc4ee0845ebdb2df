"""Metadata of documents: the fields that filters compare, and the keys that users set."""

import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from treatise.core.errors import FilterError

if TYPE_CHECKING:
    from treatise.core.ports.store import Entry

Metadata = Mapping[str, tuple[str, ...]]
"""Values by key, in the order in which they were set; no key without a value."""

FIXED: Final = ("id", "path", "name", "size", "words", "units", "indexed", "modified")
"""Fields that the library knows itself; they cannot be set."""

USUAL: Final = ("title", "author", "date", "year", "language", "type", "tags", "collection")
"""Fields that a document may have without anybody setting them, and those that have options of their own."""

RESERVED: Final = frozenset(("and", "or", "not", "in", "contains", "startswith", "exists"))
"""Words of filters: a field with such a name could be compared with nothing."""

MAX_VALUES: Final = 1_000
MAX_VALUE_CHARACTERS: Final = 10_000

_KEY: Final = re.compile(r"[^\W\d][\w.-]{0,59}")
_ALIASES: Final = {"tag": "tags", "collections": "collection"}
_UNKEPT: Final = re.compile(r"[\x00\ud800-\udfff]")
"""NUL, which PostgreSQL does not keep, and lone surrogates, which UTF-8 does not know."""

_YEAR: Final = re.compile(r"\d{4}(?!\d)")


def checked_key(key: str) -> str:
    """The key in lower case.

    Raises:
        FilterError: If it is not a name, or of a field that cannot be set.
    """
    if not _KEY.fullmatch(key):
        raise FilterError(f"{key[:80]!r} is no key: expected a name such as project, of letters, digits, _, - and .")
    lower = _ALIASES.get(key.lower(), key.lower())
    if lower in FIXED:
        raise FilterError(f"{key!r} cannot be set, the library knows it itself: choose another key")
    return lower


def checked_values(key: str, values: str | float | Iterable[str | float]) -> tuple[str, ...]:
    """The values as texts, each once, in order.

    Raises:
        FilterError: If there are too many, one is blank, too long, or cannot be kept by every store, or if the key is a
            word of filters (one that was set by an earlier version can be removed).
    """
    if key.lower() in RESERVED:
        raise FilterError(f"{key!r} cannot be set, it is a word of filters: choose another key")
    several = [values] if isinstance(values, str | int | float) else list(values)
    if any(isinstance(value, float) and not math.isfinite(value) for value in several):
        raise FilterError(f"a value of {key!r} is no number: expected a finite one")
    texts = tuple(dict.fromkeys(str(value).strip() for value in several))
    if len(texts) > MAX_VALUES:
        raise FilterError(f"{key!r} has {len(texts):,} values, at most {MAX_VALUES:,} are kept")
    for text in texts:
        if not text or len(text) > MAX_VALUE_CHARACTERS:
            raise FilterError(
                f"a value of {key!r} has {len(text):,} characters: expected 1 to {MAX_VALUE_CHARACTERS:,}"
            )
        if _UNKEPT.search(text):
            raise FilterError(f"a value of {key!r} is {text[:80]!r}: expected a text in Unicode, without NUL")
    return texts


def fields_of(entry: "Entry") -> dict[str, tuple[str, ...]]:
    """Every field of a document, for filters; what the user set comes before what the source states."""
    fields: dict[str, tuple[str, ...]] = {
        "id": (entry.id,),
        "title": (entry.title,),
        "language": (entry.language,),
        "path": entry.sources,
        "name": tuple(PurePath(source).name for source in entry.sources),
        "type": tuple(dict.fromkeys(filter(None, map(_type, entry.sources)))),
        "size": (str(entry.n_bytes),),
        "words": (str(entry.n_words),),
        "units": (str(entry.n_units),),
        "indexed": (_day(entry.indexed_at),),
        "modified": (_day(entry.modified_ns / 1e9),) if entry.modified_ns else (),
        **entry.metadata,
    }
    if "year" not in fields and (found := _YEAR.match(next(iter(fields.get("date", ())), ""))):
        fields["year"] = (found.group(),)
    return fields


def known_keys(entries: Iterable["Entry"]) -> set[str]:
    """The fields that a filter over these documents may name."""
    return {*FIXED, *USUAL, *(key for entry in entries for key in entry.metadata)}


def _type(source: str) -> str:
    return PurePath(source).suffix.lstrip(".").lower()


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()
