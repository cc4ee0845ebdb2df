"""Filters over documents' fields, such as ``year >= 2020 and type = 'report'``.

::

    filter     = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation   = "not" negation | "(" filter ")" | comparison
    comparison = key ("=" | "!=" | "<" | "<=" | ">" | ">=" | "contains" | "startswith") value
               | key ["not"] "in" "(" value {"," value} ")"
               | key "exists"
    value      = number | date | word | 'text' | "text"

Text is compared without regard to case. A number compares as a number, with values that are numbers and with the years
of dates; dates (``2020-05``, ``2020-05-31``) compare as text. A field with several values satisfies a comparison if one
value does. A comparison with a missing field is false, except ``!=`` and ``not in``.
"""

import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Protocol

from treatise.core.errors import FilterError
from treatise.core.metadata import RESERVED

Fields = Mapping[str, tuple[str, ...]]
"""The values of each field of a document."""

MAX_CHARACTERS: Final = 4_000
MAX_DEPTH: Final = 30

_TOKEN: Final = re.compile(
    r"""\s*(?:
        (?P<text>'(?:[^']|'')*'|"(?:[^"]|"")*")
      | (?P<date>\d{4}-\d\d(?:-\d\d)?(?![\w.-]))
      | (?P<number>[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.-]))
      | (?P<word>[^\W\d][\w.-]*)
      | (?P<sign><=|>=|!=|<>|==|=|<|>|\(|\)|,)
      | (?P<end>$)
    )""",
    re.VERBOSE,
)
_DATE: Final = re.compile(r"([0-9]{4})-(?:0[1-9]|1[0-2])(?:-[0-3][0-9])?\Z")
_EXAMPLE: Final = "Example: year >= 2020 and type = 'report'"
_ALIASES: Final = {"tag": "tags", "collections": "collection", "==": "=", "<>": "!="}
_VALUES: Final = ("text", "date", "number", "word")
_ORDER: Final[Mapping[str, Callable[[Any, Any], bool]]] = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Filter(Protocol):
    """A condition on the fields of a document."""

    @property
    def keys(self) -> frozenset[str]:
        """The fields that it names."""
        ...

    def holds(self, fields: Fields) -> bool:
        """Whether a document with these fields satisfies it."""
        ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """One field compared with values: true if a value of the field agrees with one of them."""

    key: str
    sign: str
    values: tuple[str | float, ...] = ()

    @property
    def keys(self) -> frozenset[str]:
        """See ``Filter.keys``."""
        return frozenset((self.key,))

    def holds(self, fields: Fields) -> bool:
        """See ``Filter.holds``."""
        found = fields.get(self.key, ())
        if self.sign == "exists":
            return bool(found)
        return any(_agrees(one, self.sign, value) for one in found for value in self.values)


@dataclass(frozen=True, slots=True)
class Negation:
    """True if the condition is false."""

    condition: Filter

    @property
    def keys(self) -> frozenset[str]:
        """See ``Filter.keys``."""
        return self.condition.keys

    def holds(self, fields: Fields) -> bool:
        """See ``Filter.holds``."""
        return not self.condition.holds(fields)


@dataclass(frozen=True, slots=True)
class Combination:
    """All conditions, or any of them."""

    conditions: tuple[Filter, ...]
    needs_all: bool

    @property
    def keys(self) -> frozenset[str]:
        """See ``Filter.keys``."""
        return frozenset().union(*(one.keys for one in self.conditions))

    def holds(self, fields: Fields) -> bool:
        """See ``Filter.holds``."""
        return (all if self.needs_all else any)(one.holds(fields) for one in self.conditions)


def parse_filter(text: str) -> Filter:
    """The filter that a text describes.

    >>> parse_filter("year >= 2020 and type = report").holds({"year": ("2021",), "type": ("Report",)})
    True

    Raises:
        FilterError: Says where the text stops to be a filter, and what was expected there.
    """
    if len(text) > MAX_CHARACTERS:
        raise FilterError(f"the filter has {len(text):,} characters, at most {MAX_CHARACTERS:,} are read")
    parser = _Parser(text)
    found = parser.alternatives(0)
    parser.expect_end()
    return found


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


class _Parser:
    """Reads tokens from left to right; ``depth`` counts open parentheses and negations."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_tokens(text))
        self._next = 0

    def alternatives(self, depth: int) -> Filter:
        return self._joined("or", self._conjunction, depth)

    def expect_end(self) -> None:
        if self._peek.kind != "end":
            raise self._failure("and, or, or the end")

    def _conjunction(self, depth: int) -> Filter:
        return self._joined("and", self._negation, depth)

    def _joined(self, word: str, part: Callable[[int], Filter], depth: int) -> Filter:
        parts = [part(depth)]
        while self._take(word):
            parts.append(part(depth))
        return parts[0] if len(parts) == 1 else Combination(tuple(parts), word == "and")

    def _negation(self, depth: int) -> Filter:
        if depth > MAX_DEPTH:
            raise FilterError(f"the filter {_shown(self._text)} is nested more than {MAX_DEPTH} deep: simplify it")
        if self._take("not"):
            return Negation(self._negation(depth + 1))
        if self._take("("):
            found = self.alternatives(depth + 1)
            self._expect(")")
            return found
        return self._comparison()

    def _comparison(self) -> Filter:
        key = self._key()
        if self._take("exists"):
            return Comparison(key, "exists")
        if self._take("not"):
            self._expect("in")
            return Negation(Comparison(key, "=", self._list()))
        if self._take("in"):
            return Comparison(key, "=", self._list())
        if self._take("!="):
            return Negation(Comparison(key, "=", (self._value(),)))
        return Comparison(key, self._sign(), (self._value(),))

    def _sign(self) -> str:
        for sign in (*_ORDER, "contains", "startswith"):
            if self._take(sign):
                return sign
        raise self._failure("=, !=, <, <=, >, >=, in, not in, contains, startswith or exists")

    def _key(self) -> str:
        token = self._peek
        if token.kind != "word" or token.text.lower() in RESERVED:
            raise self._failure("the name of a field, such as year")
        self._next += 1
        return _ALIASES.get(token.text.lower(), token.text.lower())

    def _list(self) -> tuple[str | float, ...]:
        self._expect("(")
        values = [self._value()]
        while self._take(","):
            values.append(self._value())
        self._expect(")")
        return tuple(values)

    def _value(self) -> str | float:
        token = self._peek
        if token.kind not in _VALUES or (token.kind == "word" and token.text.lower() in RESERVED):
            raise self._failure("a value, such as 2020 or 'report'")
        self._next += 1
        if token.kind == "number":
            return float(token.text)
        quote = token.text[0]
        return token.text[1:-1].replace(quote * 2, quote) if token.kind == "text" else token.text

    @property
    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, wanted: str) -> bool:
        token = self._peek
        text = token.text.lower()
        if token.kind not in ("word", "sign") or _ALIASES.get(text, text) != wanted:
            return False
        self._next += 1
        return True

    def _expect(self, wanted: str) -> None:
        if not self._take(wanted):
            raise self._failure(wanted)

    def _failure(self, expected: str) -> FilterError:
        token = self._peek
        if token.kind == "end":
            finding = f"is not complete; expected next: {expected}"
        else:
            finding = f"is not valid at character {token.at + 1}: expected {expected}, found {token.text[:40]}"
        return FilterError(f"the filter {_shown(self._text)} {finding}. {_EXAMPLE}")


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while True:
        found = _TOKEN.match(text, at)
        if found is None:
            raise _unreadable(text, len(text) - len(text[at:].lstrip()))
        kind = found.lastgroup or "end"
        yield _Token(kind, found.group(kind), found.start(kind))
        if kind == "end":
            return
        at = found.end()


def _unreadable(text: str, start: int) -> FilterError:
    """The error for a text that is no field, sign or value from ``start`` on."""
    run = next(found for found in re.finditer(r"\S+", text) if found.end() > start)
    where = f"the filter {_shown(text)} is not valid at character {start + 1}"
    if text[start] in "'\"" and run.start() == start:
        return FilterError(f"{where}: the text that begins there has no second {text[start]}. {_EXAMPLE}")
    value = run.group().lstrip("=<>!(").strip("“”„‘’«»").replace("'", "''")[:60]
    advice = f"write a value with other signs than letters, digits, . and - in quotes: '{value}'"
    return FilterError(f"{where}: {advice}. {_EXAMPLE}")


def _agrees(found: str, sign: str, value: str | float) -> bool:
    if isinstance(value, float) and sign in _ORDER:
        with suppress(ValueError):
            return _ORDER[sign](float(_DATE.sub(r"\1", found)), value)
        return False
    own, wanted = found.casefold(), _text(value).casefold()
    if sign == "contains":
        return wanted in own
    if sign == "startswith":
        return own.startswith(wanted)
    return _ORDER[sign](own, wanted)


def _text(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:79]}…")


def check_keys(condition: Filter, known: Collection[str]) -> None:
    """Raises ``FilterError`` if the filter names a field that no document has: such a filter is a typing mistake."""
    if unknown := sorted(condition.keys - set(known)):
        near = get_close_matches(unknown[0], known, n=1)
        meant = f"did you mean {near[0]}? The" if near else "the"
        raise FilterError(f"no document has a field {unknown[0]!r}: {meant} fields are {', '.join(sorted(known))}")
