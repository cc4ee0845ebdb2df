"""Keys and values of the front matter of a Markdown file: the part of YAML that people write there."""

import re
from typing import Final

from treatise.core.errors import FilterError
from treatise.core.metadata import Metadata, checked_key, checked_values

FRONT_MATTER: Final = re.compile(r"---[ \t]*\r?\n(?:.*\r?\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")

_FIELD: Final = re.compile(r"^(\w[\w.-]*):(?:[ \t]+(.*))?$((?:\n(?:[ \t]+|-[ \t]).*|\n[ \t]*$)*)", re.MULTILINE)
_ITEM: Final = re.compile(r"^[ \t]*-[ \t]+(.*)$", re.MULTILINE)
_PART: Final = re.compile(r"""[ \t]*("[^"]*"|'[^']*'|[^,]*)[ \t]*(?:,|$)""")
_COMMENT: Final = re.compile(r"^#.*|[ \t]+#.*")
_BLOCK_SIGNS: Final = ("", "|", ">", "|-", ">-", "|+", ">+")


def front_fields(head: str) -> Metadata:
    """The values of each key at the top level, as they are written, without quotation marks.

    A list may be written in brackets or with one item per line, a text after its key or indented below it. Nested
    tables, keys that filters cannot name, and fields that the library knows itself are left out.

    >>> front_fields("---\\ntags: [tea, 'a, b']\\nsteps:\\n - dry # first\\n - sort\\n---\\n")
    {'tags': ('tea', 'a, b'), 'steps': ('dry', 'sort')}
    """
    fields: dict[str, tuple[str, ...]] = {}
    for key, text, below in _FIELD.findall("\n".join(head.splitlines())):
        try:
            fields.setdefault(checked_key(key), checked_values(key, _values(text.strip(), below)))
        except FilterError:
            continue
    return {key: values for key, values in fields.items() if values}


def _values(text: str, below: str) -> list[str]:
    if text.startswith("["):
        inside = " ".join([text, *below.split()]).removeprefix("[").rsplit("]", 1)[0]
        return _written(_PART.findall(inside))
    if text not in _BLOCK_SIGNS:
        return _written([" ".join([text, *below.split()]) if below.strip() else text])
    if items := _ITEM.findall(below):
        return _written(items)
    return _written([" ".join(below.split())]) if text or ":" not in below else []


def _written(values: list[str]) -> list[str]:
    """The values that are not empty, without comments and quotation marks."""
    plain = (_unquoted(value.strip()) for value in values)
    return [value for value in plain if value]


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] in "\"'" and (end := value.find(value[0], 1)) > 0:
        return value[1:end].strip()
    return _COMMENT.sub("", value, count=1).strip()
