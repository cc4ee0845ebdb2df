"""Sweeps over the fields of a recipe: l, r, k, layers, or any other (HTSIR, figure 3 and tables 8 and 9).

>>> from treatise.recipes import HTSIR
>>> [one.name for one in varied(HTSIR, [read_axis(HTSIR, "leaf_words=50,100")])]
['HTSIR_leaf_words_50', 'HTSIR_leaf_words_100']
"""

import csv
import io
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from itertools import product
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from treatise.core.errors import RecipeError
from treatise.core.recipe import FlatIndexing, Indexing, Recipe
from treatise.evaluate.report.summary import Row

_NOT_VARIED: Final = ("name", "indexing.notes.refinement.")
"""Beginnings of paths; the refinement of notes would make the names of the answer's ambiguous."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A recipe field and the values to try.

    Attributes:
        path: Field names from the recipe to the field, such as ``("indexing", "sections", "leaf_words")``.
        texts: The values as written; members of a tuple are joined by ``+``.
        values: The parsed values.
    """

    path: tuple[str, ...]
    texts: tuple[str, ...]
    values: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The field's own name."""
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class Point:
    """One recipe of a sweep.

    Attributes:
        recipe: The recipe, with a unique name.
        texts: Its value on each axis, in axis order.
    """

    recipe: Recipe
    texts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The recipe's."""
        return self.recipe.name


def read_axis(recipe: Recipe, text: str) -> Axis:
    """Parses an axis ``field=value,value,...``.

    The field is a dotted path, such as ``indexing.sections.leaf_words``, or any unambiguous end of it.

    Raises:
        RecipeError: If no field or several fields have that name, or a value is not of its type.
    """
    name, equals, listed = text.partition("=")
    texts = tuple(part.strip() for part in listed.split(","))
    if not equals or not all(texts) or len(set(texts)) < len(texts):
        raise RecipeError(f"{text!r} is no axis: write FIELD=VALUE,VALUE,... with different values")
    path, kind = _field(recipe, name.strip())
    return Axis(path, texts, tuple(_value(kind, ".".join(path), one) for one in texts))


def varied(recipe: Recipe, axes: Sequence[Axis]) -> list[Point]:
    """Every combination of the values, the last axis varying fastest.

    Raises:
        RecipeError: If a combination is impossible.
    """
    points = []
    for chosen in product(*(zip(axis.texts, axis.values, strict=True) for axis in axes)):
        one = recipe
        for axis, (_, value) in zip(axes, chosen, strict=True):
            one = _replaced(one, axis.path, value)
        texts = tuple(text for text, _ in chosen)
        suffix = "".join(f"_{axis.name}_{text}" for axis, text in zip(axes, texts, strict=True))
        points.append(Point(replace(one, name=f"{recipe.name}{suffix}"), texts))
    return points


def as_markdown(axes: Sequence[Axis], points: Sequence[Point], rows: Sequence[Row]) -> str:
    """One row per combination and budget: its values, then each metric with its interval; the best in bold."""
    metrics = list(rows[0].scores)
    head = [*(axis.name for axis in axes), "words", *metrics]
    best = {
        (budget, name): max(row.scores[name].mean for row in rows if row.budget == budget)
        for budget in {row.budget for row in rows}
        for name in metrics
    }

    def cell(row: Row, name: str) -> str:
        score = row.scores[name]
        mean = f"{score.mean:.2f}"
        if score.mean == best[row.budget, name]:
            mean = f"**{mean}**"
        return f"{mean} [{score.low:.2f}, {score.high:.2f}]"

    body = [
        [*point.texts, str(row.budget), *(cell(row, name) for name in metrics)] for point, row in _paired(points, rows)
    ]
    rule = ["---"] * len(axes) + ["--:"] + ["---"] * len(metrics)
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, rule, *body])


def as_csv(axes: Sequence[Axis], points: Sequence[Point], rows: Sequence[Row]) -> str:
    """The rows with one line per metric, for spreadsheets and plots."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*(axis.name for axis in axes), "words", "metric", "n", "mean", "low", "high"])
    for point, row in _paired(points, rows):
        for name, score in row.scores.items():
            table.writerow([*point.texts, row.budget, name, score.n, score.mean, score.low, score.high])
    return text.getvalue()


def _paired(points: Sequence[Point], rows: Sequence[Row]) -> Iterator[tuple[Point, Row]]:
    by_slug = {point.recipe.slug: point for point in points}
    return ((by_slug[row.recipe], row) for row in rows)


def _field(recipe: Recipe, name: str) -> tuple[tuple[str, ...], Any]:
    """The path and type of the only field whose path has this end."""
    fields_of = {".".join(path): (path, kind) for path, kind in _all_fields(type(recipe))}
    known = {path: found for path, found in fields_of.items() if not path.startswith(_NOT_VARIED)}
    found = [known[path] for path in known if path == name or path.endswith(f".{name}")]
    if name in known:
        return known[name]
    if len(found) > 1:
        paths = ", ".join(".".join(path) for path, _ in found)
        raise RecipeError(f"several fields of a recipe are named {name!r}: write one of {paths}")
    if not found:
        ends = {path.rsplit(".", 1)[-1]: path for path in known}
        near = get_close_matches(name.rsplit(".", 1)[-1], ends, n=1)
        hint = f"; did you mean {ends[near[0]]}?" if near else ""
        raise RecipeError(f"no field of a recipe is named {name!r}{hint} (there are: {', '.join(known)})")
    return found[0]


def _all_fields(kind: type) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All fields with values that can be parsed from text, with path and type; includes nested fields."""
    if kind is Indexing:
        kind = FlatIndexing
    hints = get_type_hints(kind)
    for one in fields(kind):
        of_field = hints[one.name]
        inner = next((part for part in _members(of_field) if is_dataclass(part)), None)
        if isinstance(inner, type):
            yield from (((one.name, *path), below) for path, below in _all_fields(inner))
        elif all(_is_simple(part) for part in _members(of_field)):
            yield (one.name,), of_field


def _is_simple(kind: Any) -> bool:
    if get_origin(kind) is tuple:
        return _is_simple(get_args(kind)[0]) and get_args(kind)[1:] == (...,)
    return isinstance(kind, type) and issubclass(kind, str | int | float | types.NoneType)


def _members(kind: Any) -> tuple[Any, ...]:
    """The members of a union; the type itself if it is not a union."""
    return get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)


def _replaced(value: Any, path: Sequence[str], new: Any) -> Any:
    """A copy of the value with the field at the path replaced."""
    if not path:
        return new
    if isinstance(value, Indexing):
        return Indexing.from_flat(_replaced(value.flat(), path, new))
    inner = getattr(value, path[0])
    if inner is None and len(path) > 1:
        raise RecipeError(f"the recipe has no {path[0]}, whose {path[1]} could be varied")
    return replace(value, **{path[0]: _replaced(inner, path[1:], new)})


def _value(kind: Any, path: str, text: str) -> Any:
    """Parses the text as a value of the type; ``none`` for None if allowed, and ``all`` for an empty tuple."""
    members = _members(kind)
    if types.NoneType in members and text == "none":
        return None
    member = next(part for part in members if part is not types.NoneType)
    if get_origin(member) is tuple:
        return () if text == "all" else tuple(_value(get_args(member)[0], path, part) for part in text.split("+"))
    try:
        return _TRUTH[text] if member is bool else member(text)
    except (ValueError, KeyError) as error:
        wanted = ", ".join(member) if issubclass(member, StrEnum) else _NAMES[member]
        raise RecipeError(f"{path} cannot be {text!r}, expected {wanted}") from error


_TRUTH: Final = {"true": True, "false": False}
_NAMES: Final[dict[Any, str]] = {int: "a whole number", float: "a number", bool: "true or false"}
