"""Reads JSON files, optionally gzipped, and their fields, with errors that state the location and the problem."""

import csv
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeVar

from treatise.core.errors import DataError

_GZIP: Final = b"\x1f\x8b"
_NAMES: Final[dict[type, str]] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}

_T = TypeVar("_T")


class Fields:
    """A JSON object of a data file, with its location.

    Args:
        value: The object.
        file: The file's path, for messages.
        place: Line, id or path of fields, for messages.

    Raises:
        DataError: Here if ``value`` is not an object, and from every method if a field is missing or of
            another type.
    """

    def __init__(self, value: object, file: str, place: str) -> None:
        self.file = file
        self.where: str = f"{file}: {place}"
        self._place = place
        self._value = _checked(value, dict, self.where)

    def __contains__(self, key: str) -> bool:
        return key in self._value

    def __iter__(self) -> Iterator[str]:
        return iter(self._value)

    def at(self, place: str) -> "Fields":
        """The same object with a better location: its id, once known."""
        return Fields(self._value, self.file, place)

    def error(self, message: str) -> DataError:
        """An error about this object, to be raised."""
        return DataError(f"{self.where}: {message}")

    def value(self, key: str) -> object:
        """A required field of any type."""
        return self._get(key, object)

    def text(self, key: str) -> str:
        """A required string."""
        return self._get(key, str)

    def text_or_empty(self, key: str) -> str:
        """A string; empty if the field is null or missing."""
        return "" if self._value.get(key) is None else self._get(key, str)

    def whole(self, key: str) -> int:
        """A whole number, optionally in quotes."""
        value = self._value.get(key)
        return int(value) if isinstance(value, str) and value.strip().isdecimal() else self._get(key, int)

    def flag(self, key: str) -> bool:
        """A boolean; false if the field is null or missing."""
        return self._value.get(key) is not None and self._get(key, bool)

    def object(self, key: str) -> "Fields":
        """A required object."""
        return Fields(self._get(key, dict), self.file, f"{self._place}, {key}")

    def objects(self, key: str) -> list["Fields"]:
        """A list of objects."""
        return [Fields(item, self.file, f"{self._place}, {key}[{i}]") for i, item in enumerate(self._get(key, list))]

    def texts(self, key: str) -> list[str]:
        """A list of strings."""
        return [_checked(item, str, f"{self.where}, {key}[{i}]") for i, item in enumerate(self._get(key, list))]

    def lists(self, key: str) -> list[list[Any]]:
        """A list of lists of any type."""
        return [_checked(item, list, f"{self.where}, {key}[{i}]") for i, item in enumerate(self._get(key, list))]

    def pairs(self, key: str) -> list[tuple[int, int]]:
        """A list of pairs of whole numbers, optionally in quotes."""
        return [_pair(item, f"{self.where}, {key}[{i}]") for i, item in enumerate(self._get(key, list))]

    def _get(self, key: str, kind: type[_T]) -> _T:
        if key not in self._value:
            raise DataError(f"{self.where}: the field {key!r} is missing; it has {sorted(self._value)}")
        return _checked(self._value[key], kind, f"{self.where}, {key}")


def read_records(path: Path) -> Iterator[Fields]:
    """The objects of a JSON-lines file, or of a JSON file with one object or a list; optionally gzipped.

    Raises:
        DataError: If the file cannot be read, or is not JSON.
    """
    text = read_text(path)
    first, _, rest = text.partition("\n")
    if rest.strip() and _is_json(first):
        for number, line in enumerate(text.split("\n"), start=1):
            if line.strip():
                yield Fields(_parsed(line, f"{path}: line {number}"), str(path), f"line {number}")
        return
    whole = _parsed(text, str(path))
    if isinstance(whole, list) and any(isinstance(item, dict) for item in whole):
        for number, item in enumerate(whole, start=1):
            yield Fields(item, str(path), f"item {number}")
    else:
        yield Fields(whole, str(path), "the file")


def read_table(path: Path) -> Iterator[Fields]:
    """The rows of a CSV file with a header, optionally gzipped; for other files see :func:`read_records`."""
    if ".csv" not in path.suffixes:
        yield from read_records(path)
        return
    table = csv.DictReader(read_text(path).splitlines(keepends=True))
    try:
        for row in table:
            yield Fields(row, str(path), f"line {table.line_num}")
    except csv.Error as error:
        raise DataError(f"{path}: line {table.line_num}: expected CSV ({error})") from error


def read_text(path: Path) -> str:
    """The file's text, decompressed if gzipped."""
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content.startswith(_GZIP) else content).decode("utf-8-sig")
    except FileNotFoundError as error:
        raise DataError(f"{path}: there is no such file") from error
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} could not be read: {error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8: {error.reason} at byte {error.start}") from error


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise DataError(f"{where}: expected JSON, found {text[:60]!r} ({error})") from error


def _checked(value: object, kind: type[_T], where: str) -> _T:
    # bool is a subclass of int in Python.
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        found = json.dumps(value, ensure_ascii=False)[:60]
        raise DataError(f"{where}: expected {_NAMES[kind]}, found {found}")
    return value


def _pair(value: object, where: str) -> tuple[int, int]:
    numbers = _checked(value, list, where)
    if len(numbers) != 2 or not all(str(n).isdecimal() for n in numbers):
        raise DataError(f"{where}: expected [start, end], two whole numbers, found {json.dumps(value)[:60]}")
    return int(numbers[0]), int(numbers[1])
