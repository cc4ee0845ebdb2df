"""Marks of AsciiDoc that a page does not show: attributes, conditions, comments, pictures, targets of links."""

import re
from typing import Final

_ATTRIBUTE: Final = re.compile(r":(?P<name>\w[\w-]*):[ \t]+(?P<value>\S.*?)[ \t]*(?:\\)?$")
_UNSHOWN: Final = re.compile(
    r":!?\w[\w-]*!?:(?:[ \t].*)?$|//(?!/).*$|\[\[[^\]]*\]\]$"
    r"|(?:ifdef|ifndef|ifeval|endif|include|toc|image|video|audio)::.*\[.*\]$"
    r"|\[(?!\^)(?!(?:quote|verse)\b)[\w#.%,=\"' :;/()-]*\]$"
)
_LABEL: Final = re.compile(r"\.(?P<label>[^\s.].*\n)")
_WITHIN: Final = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|footnote:[\w-]*\[(?P<note>[^\[\]]*)\]"
    r"|(?:link:|xref:|mailto:|(?=https?://))(?P<target>[^\s\[\]]{1,1000})\[(?P<text>(?:[^\[\]\\]|\\.)*)\]"
    r"|image:(?!:)[^\s\[\]]{1,1000}\[[^\[\]]*\]"
    r"|(?:kbd|btn|menu):(?P<menu>[^\s\[\]]{0,100})\[(?P<key>[^\[\]]*)\]"
    r"|<<(?P<id>[\w#/.:{][^<>,\n]*)(?:,\s*(?P<label>[^<>]+))?>>"
    r"|\[\[[\w-]+\]\]|\+{3}</?\w+>\+{3}"
    r"|(?<![$\w{\\])\{(?P<name>[a-z][\w-]*)\}",
    re.DOTALL,
)
_LINE_BREAK: Final = re.compile(r"[ \t]\+[ \t]*$", re.MULTILINE)


def attributes_in(lines: list[str]) -> dict[str, str]:
    """The values of attributes by their names."""
    found = (_ATTRIBUTE.match(line.rstrip("\r\n")) for line in lines if line.startswith(":"))
    return {one["name"]: one["value"] for one in found if one}


def is_unshown(line: str) -> bool:
    """Whether a page shows nothing of a line outside of code.

    >>> is_unshown(":toc: left"), is_unshown("image::a.png[A cup]"), is_unshown("[NOTE]"), is_unshown("[1] A note.")
    (True, True, True, False)
    """
    return _UNSHOWN.match(line.rstrip("\r\n").rstrip()) is not None


def shown(text: str, attributes: dict[str, str]) -> str:
    """Prose as a page shows it.

    >>> shown("See <<a-b>> or link:x.html[the site], {v}, {unknown}.", {"v": "2.0"})
    'See a b or the site, 2.0, {unknown}.'
    >>> shown("It is a << b, c >> d.", {})
    'It is a << b, c >> d.'
    """
    plain = _LINE_BREAK.sub("", _WITHIN.sub(lambda found: _shown(found, attributes), text))
    return f"{label['label']}\n{plain[label.end() :]}" if (label := _LABEL.match(plain)) else plain


def _shown(found: re.Match[str], attributes: dict[str, str]) -> str:
    if found["code"]:
        return found.group()
    if found["note"] is not None:
        return f" ({' '.join(found['note'].split())})"
    if found["target"]:
        return found["text"].split(",")[0].rstrip("^").strip('"') or found["target"]
    if found["key"] is not None:
        return " > ".join(filter(None, (found["menu"], found["key"])))
    if found["id"]:
        return found["label"] or found["id"].replace("-", " ").replace("_", " ")
    return attributes.get(found["name"], found.group()) if found["name"] else ""
