"""Text that a reader of the page never sees: orders to a language model hide in it.

What an element says of itself is known, and the simple rules of style sheets: what these hide is left out only if it
gives orders to a language model, because scripts show much of it, such as tabs. What scripts or pictures hide is read.
"""

import re
from collections.abc import Mapping
from typing import Final

from treatise.core.plurals import counted

_HIDING: Final = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|color\s*:\s*transparent"
    r"|font-size\s*:\s*(?:0+(?:\.0*)?(?:px|pt|em|rem|%)?|0*1(?:\.0*)?(?:px|pt)|0*\.\d{1,9}(?:px|pt))\s*(?:[;!]|$))",
    re.IGNORECASE,
)
_WHITE: Final = re.compile(
    r"(?:^|;)\s*color\s*:\s*(?:white|\#fff(?:fff)?|rgba?\(\s*255\s*,\s*255\s*,\s*255\b[^)]{0,99}\))\s*(?:[;!]|$)",
    re.IGNORECASE,
)
_BRACE: Final = re.compile(r"[{}]")
_SIMPLE: Final = re.compile(r"\s*\w{0,20}([.#][\w-]{1,99})\s*")
_MAX_CSS_CHARS: Final = 2**20
_BACKGROUND: Final = re.compile(r"background|bgcolor|rel\s*=\s*[\"']?stylesheet|<style", re.IGNORECASE)


def has_background(page: str) -> bool:
    """Whether a page may show white text on another colour."""
    return _BACKGROUND.search(page) is not None


def is_hidden(attributes: Mapping[str, str | None], *, on_white: bool) -> bool:
    """Whether an element with these attributes hides itself; white text only on a page that is white throughout.

    >>> is_hidden({"style": "color:red; DISPLAY: none"}, on_white=False)
    True
    >>> is_hidden({"style": "font-size: 11px"}, on_white=True)
    False
    """
    if "hidden" in attributes or (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return True
    style = attributes.get("style")
    if not style:
        return on_white and (attributes.get("color") or "").strip().lower() in ("white", "#fff", "#ffffff")
    return _HIDING.search(style) is not None or (on_white and _WHITE.search(style) is not None)


def hiding_names(css: str) -> frozenset[str]:
    """The classes (``.name``) and ids (``#name``) that a style sheet hides by themselves in all media.

    >>> sorted(hiding_names(".a, p#b {display:none} .c .d {display:none} @media print {.e {display:none}}"))
    ['#b', '.a']
    """
    names: set[str] = set()
    preludes: list[str] = []
    start = 0
    for brace in _BRACE.finditer(css[:_MAX_CSS_CHARS]):
        part = css[start : brace.start()]
        start = brace.end()
        if brace.group() == "{":
            preludes.append(part.rpartition("*/")[2])
        elif preludes:
            selectors = preludes.pop()
            if not preludes and _HIDING.search(part):
                names |= {found[1] for one in selectors.split(",") if (found := _SIMPLE.fullmatch(one))}
    return frozenset(names)


def names_of(attributes: Mapping[str, str | None]) -> set[str]:
    """The classes and the id of an element, as ``hiding_names`` writes them."""
    classes = {f".{name}" for name in (attributes.get("class") or "").split()}
    return classes | ({f"#{attributes['id']}"} if attributes.get("id") else set())


def hidden_note(n_chars: int) -> str:
    """The note on hidden text that was left out; empty if there was none."""
    return f"left out {counted(n_chars, 'character')} of hidden text" if n_chars else ""
