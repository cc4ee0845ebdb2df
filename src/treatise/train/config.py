"""Recipes as TOML files: each table becomes one frozen dataclass, and an unknown key is an error."""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from treatise.core.errors import DataError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """The files of a recipe; paths are below the data folder.

    Attributes:
        train: Training data.
        dev: Development data, from other documents than ``train``.
        licence: Licence of models trained on them.
        sources: Attributions: one line each on the model card.
    """

    train: tuple[str, ...]
    dev: tuple[str, ...]
    licence: str = ""
    sources: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """All files."""
        return (*self.train, *self.dev)


def read_recipe(path: Path, kind: type[T]) -> T:
    """The recipe in a file.

    Args:
        path: The file.
        kind: A dataclass whose fields are numbers, texts, flags, tuples of texts, or such dataclasses.

    Raises:
        DataError: If the file cannot be read, or has a missing or unknown key, or a value of another type.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path} is not TOML: {error}") from error
    return _build(kind, table, str(path))


def _build(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    wanted: dict[str, Field[Any]] = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for key in table.keys() - wanted.keys():
        near = get_close_matches(key, wanted, n=1)
        raise DataError(f"{where}: unknown key {key!r}; " + (f"did you mean {near[0]!r}?" if near else "remove it"))
    for name, field in wanted.items():
        if name not in table and field.default is MISSING and field.default_factory is MISSING:
            raise DataError(f"{where}: the key {name!r} is missing")
    types = get_type_hints(kind)
    return kind(**{key: _value(types[key], value, f"{where}: {key}") for key, value in table.items()})


def _value(kind: Any, value: Any, where: str) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, dict):
            raise DataError(f"{where}: expected a table, found {value!r:.60}")
        return _build(kind, value, where)
    if get_origin(kind) is tuple:
        (item, _) = get_args(kind)
        if not isinstance(value, list):
            raise DataError(f"{where}: expected a list, found {value!r:.60}")
        return tuple(_value(item, part, where) for part in value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise DataError(f"{where}: expected {kind.__name__}, found {value!r:.60}")
    return value
