"""Texts and trees as JSON lines.

A text is ``{"id", "lang", "level", "paragraphs": [[unit, ...], ...]}``, a tree a list of ``{"start", "split", "end",
"nuclearity", "relation"}``, parents first; a node covers the units ``[start, end)`` and its children meet at ``split``.
A line of a treebank is a text with its tree and, at EDU level, ``sentence_of_unit``.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import TypeGuard, TypeVar

from treatise.core.errors import DataError, TreeError
from treatise.core.tree import DiscourseTree, Join, Nuclearity, build_tree
from treatise.parse.analysis import walk
from treatise.parse.nary import Branch

Item = TypeVar("Item")

_SURROGATE = re.compile("[\ud800-\udfff]")


class Level(StrEnum):
    """The kind of units."""

    SENTENCE = "sentence"
    EDU = "edu"


@dataclass(frozen=True, slots=True)
class Text:
    """A text split into units.

    Attributes:
        id: Identifies the text.
        lang: ISO 639-1 code.
        level: The kind of units.
        paragraphs: Texts of the units of each paragraph, in order.
    """

    id: str
    lang: str
    level: Level
    paragraphs: tuple[tuple[str, ...], ...]

    @property
    def units(self) -> tuple[str, ...]:
        """Every unit's text, in order."""
        return tuple(unit for paragraph in self.paragraphs for unit in paragraph)

    @property
    def edges(self) -> list[int]:
        """The first unit of each paragraph, and the number of units at the end."""
        return list(accumulate(map(len, self.paragraphs), initial=0))


@dataclass(frozen=True, slots=True)
class TreeRow:
    """A text with its tree: one line of a treebank.

    Attributes:
        text: The text.
        tree: Binary, over the text's units.
        sentence_of_unit: The sentence of each EDU, from 0; empty at sentence level or if unknown.
    """

    text: Text
    tree: DiscourseTree
    sentence_of_unit: tuple[int, ...] = ()


def read_text(line: str, where: str) -> Text:
    """The text of a JSON line; keys beyond the four are skipped.

    Args:
        line: The line.
        where: File and line number, for errors.

    Raises:
        DataError: If the line does not have the documented form or has no unit.
    """
    return _text(read_object(line, where), where)


def read_row(line: str, where: str) -> TreeRow:
    """The text and tree of a treebank's line.

    Raises:
        DataError: If the line does not have the documented form.
        TreeError: If its nodes do not form one binary tree over its units.
    """
    row = read_object(line, where)
    text = _text(row, where)
    n_units = len(text.units)
    sentences = row.get("sentence_of_unit", [])
    if not list_of(sentences, int) or len(sentences) not in (0, n_units):
        raise DataError(f"{where}: sentence_of_unit must number the sentence of each of the {n_units} units")
    try:
        tree = build_tree(n_units, _branches(row.get("tree"), where))
    except TreeError as error:
        raise TreeError(f"{where}: {text.id}: {error}") from None
    return TreeRow(text, tree, tuple(sentences))


def write_row(row: TreeRow) -> str:
    """The JSON line of a text with its tree, without a line break; :func:`read_row` returns the same row."""
    fields: dict[str, object] = {
        "id": row.text.id,
        "lang": row.text.lang,
        "level": row.text.level.value,
        "paragraphs": row.text.paragraphs,
        "tree": tree_nodes(row.tree),
    }
    if row.sentence_of_unit:
        fields["sentence_of_unit"] = row.sentence_of_unit
    return json_line(fields)


def write_tree(text: Text, tree: DiscourseTree, **more: str) -> str:
    """The JSON line ``{"id", "tree"}`` of a parsed text, with ``more`` keys, without a line break."""
    return json_line({"id": text.id, "tree": tree_nodes(tree), **more})


def tree_nodes(tree: DiscourseTree) -> list[dict[str, int | str]]:
    """The inner nodes of a binary tree, parents first: n - 1 of them over n units."""
    rows: list[dict[str, int | str]] = []
    for at, _, leaving in walk(tree):
        node = tree.nodes[at]
        if isinstance(node, Join) and not leaving:
            (start, end), split = tree.ranges[at].tolist(), int(tree.ranges[node.right, 0])
            rows.append(
                {
                    "start": start,
                    "split": split,
                    "end": end,
                    "nuclearity": node.nuclearity.value,
                    "relation": node.relation,
                }
            )
    return rows


def json_line(value: object) -> str:
    """One line of JSON, unescaped unless it contains a lone surrogate, which UTF-8 cannot encode."""
    line = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if _SURROGATE.search(line) else line


def numbered(lines: Iterable[str], source: str) -> Iterator[tuple[str, str]]:
    """``(line, where)`` of every line that is not blank; ``where`` names file and line for errors."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield line, f"{source}: line {number}"


def read_object(line: str, where: str) -> dict[str, object]:
    """The JSON object of a line.

    Raises:
        DataError: If the line is anything else.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON: {error}") from error
    if not isinstance(row, dict):
        raise DataError(f"{where}: expected a JSON object, found {type(row).__name__}")
    return row


def strings(row: Mapping[str, object], keys: Iterable[str], where: str) -> list[str]:
    """The values of these keys.

    Raises:
        DataError: If one is missing or not a string.
    """
    values: list[str] = []
    for key in keys:
        value = row.get(key)
        if not isinstance(value, str):
            raise DataError(f"{where}: {key!r} must be a string, found {value!r:.60}")
        values.append(value)
    return values


def list_of(value: object, kind: type[Item]) -> TypeGuard[list[Item]]:
    """Whether a JSON value is a list of items of this type."""
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _text(row: Mapping[str, object], where: str) -> Text:
    name, lang, level = strings(row, ("id", "lang", "level"), where)
    if level not in list(Level):
        raise DataError(f"{where}: level must be 'sentence' or 'edu', found {level!r:.60}")
    paragraphs = row.get("paragraphs")
    if not isinstance(paragraphs, list) or not all(list_of(paragraph, str) for paragraph in paragraphs):
        raise DataError(f"{where}: 'paragraphs' must be a list of lists of strings")
    if not any(paragraphs):
        raise DataError(f"{where}: {name} has no unit; a tree needs at least one")
    return Text(name, lang, Level(level), tuple(map(tuple, paragraphs)))


def _branches(nodes: object, where: str) -> Iterator[Branch]:
    if not isinstance(nodes, list):
        raise DataError(f"{where}: 'tree' must be a list of nodes")
    for i, node in enumerate(nodes):
        match node:
            case {"start": int(a), "split": int(b), "end": int(c), "nuclearity": str(nuclearity), "relation": str(r)}:
                if nuclearity not in list(Nuclearity):
                    raise DataError(f"{where}: node {i}: nuclearity must be NS, SN or NN, found {nuclearity!r:.60}")
                yield a, b, c, Nuclearity(nuclearity), r
            case _:
                raise DataError(f"{where}: node {i} needs whole start, split, end, and text nuclearity, relation")
