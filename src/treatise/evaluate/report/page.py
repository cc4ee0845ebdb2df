"""Builds a self-contained HTML file with style, script and data; it works offline."""

import base64
import gzip
import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

_TEMPLATES = files("treatise.evaluate.report") / "templates"


def page(name: str, *, title: str, data: Mapping[str, Any], fallback: str = "") -> str:
    """The page of ``templates/NAME.html`` with its style, its script, and data for it.

    Args:
        name: ``NAME.css`` and ``NAME.js`` follow the ``base`` ones.
        title: Plain text.
        data: Values by name, for ``unpack(name)`` in the script; each is packed separately and unpacked when needed.
        fallback: Plain text for readers without JavaScript.
    """
    return Template(_template(f"{name}.html")).substitute(
        title=escape(title),
        fallback=escape(fallback),
        style="\n".join(_template(f"{part}.css") for part in ("base", name)),
        script="\n".join(_template(f"{part}.js") for part in ("base", name)),
        data="\n".join(_script(key, value) for key, value in data.items()),
    )


def packed(value: Any) -> str:
    """Gzipped JSON in base64, which needs no HTML escaping. Deterministic."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("ascii"), mtime=0)).decode("ascii")


def utf16_offsets(text: str, offsets: Sequence[int]) -> list[int]:
    """Character offsets in UTF-16 units, as in JavaScript: characters outside the basic plane count as two.

    >>> utf16_offsets("a😀b", [1, 2, 3])
    [1, 3, 4]
    """
    wide = _wide(text)
    return [offset + bisect_left(wide, offset) for offset in offsets]


@lru_cache(maxsize=1)  # a document's questions are consecutive
def _wide(text: str) -> list[int]:
    """Offsets of characters outside the basic plane."""
    return [] if text.isascii() else [i for i, character in enumerate(text) if character > "\uffff"]


def _template(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _script(key: str, value: Any) -> str:
    return f'<script type="application/octet-stream" id="data-{escape(key)}">{packed(value)}</script>'
