"""Marks of AsciiDoc that a page does not show: attributes, conditions, comments, pictures, targets of links."""

import re
from dataclasses import dataclass
from typing import Final

_ATTRIBUTE: Final = re.compile(r":(?P<name>\w[\w-]*):[ \t]+(?P<value>\S.*?)[ \t]*(?:\\)?$")
_UNSHOWN: Final = re.compile(
    r":!?\w[\w-]*!?:(?:[ \t].*)?$|//(?!/).*$|\[\[[^\]]*\]\]$"
    r"|(?:ifdef|ifndef|ifeval|endif|include|toc|image|video|audio)::.*\[.*\]$"
    r"|\[(?!\^)(?!(?:quote|verse)\b)[\w#.%,=\"' :;/()-]*\]$"
)
_MAX_VALUE_CHARS: Final = 1_000  # values that refer to others may grow with each
_LABEL: Final = re.compile(r"\.(?P<label>[^\s.].*\n)")
_WITHIN: Final = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|footnote:[\w-]*\[(?P<note>[^\[\]]*)\]"
    r"|(?:link:|xref:|mailto:|(?=https?://))(?P<target>[^\s\[\]]{1,1000})\[(?P<text>(?:[^\[\]\\]|\\.)*)\]"
    r"|image:(?!:)[^\s\[\]]{1,1000}\[[^\[\]]*\]"
    r"|(?:kbd|btn|menu):(?P<menu>[^\s\[\]]{0,100})\[(?P<key>[^\[\]]*)\]"
    r"|<<(?P<id>[\w#/.:{][^<>,\n]*)(?:,\s*(?P<label>[^<>]+))?>>"
    r"|\[\[[\w-]+\]\]|\+{3}</?\w+>\+{3}"
    r"|(?<![\w\]])\[[.#%]?[a-zA-Z][\w.#% -]{0,100}\](?P<hash>\#{1,2})(?P<marked>[^#\n]{1,1000})(?P=hash)"
    r"|(?<![$\w{\\])(?P<url>\{(?P<base>[a-z][\w-]*)\}[\w/?#.%&=+~\\-]{0,1000})\[(?P<linked>(?:[^\[\]\\]|\\.)*)\]"
    r"|(?<![$\w{\\])\{(?P<name>[a-z][\w-]*)\}",
    re.DOTALL,
)
_REFERENCE: Final = re.compile(r"(?<![$\w{\\])\{([a-z][\w-]*)\}")
_ADDRESS: Final = re.compile(r"(?:https?|ftp|irc|mailto|file):|link:|\.{0,2}/")
_ADDRESS_NAME: Final = re.compile(r"(?:^|[-_])(?:ur[il]s?|links?|home|site|repo|docs?)(?:[-_]|$)")
_QUOTE: Final = re.compile(r"\[(?:quote|verse)(?:[#.%][\w#.%-]*)?(?:,[ \t]*(?P<source>[^\]]*?))?[ \t]*\][ \t]*$")
_NAMED: Final = re.compile(r"[ \t]*(?:attribution|citetitle|role|id|options|opts)[ \t]*=[ \t]*")
_QUOTED_PART: Final = re.compile(r"[ \t]*(\"[^\"]*\"|[^,\"]+)[ \t]*(?:,|$)")
_QUOTE_FENCE: Final = re.compile(r"(?:_{4,}|\"{2}|--|={4,}|\*{4,})[ \t]*$")
_LINE_BREAK: Final = re.compile(r"[ \t]\+[ \t]*$", re.MULTILINE)


def attributes_in(lines: list[str]) -> dict[str, str]:
    """The values of attributes by their names."""
    found = (_ATTRIBUTE.match(line.rstrip("\r\n")) for line in lines if line.startswith(":"))
    values: dict[str, str] = {}
    for one in found:
        if one:  # a value may refer to those above it
            values[one["name"]] = _resolved(one["value"], values)[:_MAX_VALUE_CHARS]
    return values


def _resolved(text: str, attributes: dict[str, str]) -> str:
    return _REFERENCE.sub(lambda name: attributes.get(name[1], name.group()), text)


def with_attributions(lines: list[str]) -> list[str]:
    """Lines of prose in which who is quoted stands below the quotation, as on a page.

    >>> with_attributions(["[quote, Ann, Her Book]\\n", "Tea.\\n", "\\n"])
    ['Tea.\\n', '\\n', '— Ann, Her Book\\n', '\\n']
    """
    shown_lines: list[str] = []
    quotation = _Quotation()
    for at, line in enumerate(lines):
        bare = line.rstrip()
        if not quotation.fence and (found := _QUOTE.match(bare)):
            after = lines[at + 1].rstrip() if at + 1 < len(lines) else ""
            quotation = _Quotation(_source(found["source"] or ""), after if _QUOTE_FENCE.match(after) else "", at)
        elif quotation.fence and at == quotation.at + 1:
            continue
        elif bare == quotation.fence and (bare or quotation.source):
            shown_lines += quotation.attribution()
            quotation = _Quotation()
        else:
            shown_lines.append(line)
    return shown_lines + (quotation.attribution() if quotation.source else [])


@dataclass(frozen=True, slots=True)
class _Quotation:
    """A quotation that has begun: whom it names, the line that ends it, and where its attributes stand."""

    source: str = ""
    fence: str = ""
    at: int = 0

    def attribution(self) -> list[str]:
        """The lines that end it."""
        return ["\n", f"— {self.source}\n", "\n"] if self.source else ["\n"]


def _source(text: str) -> str:
    """Whom a quotation names, and the work: "Ann, Her Book"."""
    parts = (part[1].strip(' \t"') for part in _QUOTED_PART.finditer(text) if not _NAMED.match(part[1]))
    return ", ".join(filter(None, parts))


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
    >>> shown("Go to {url}/a[the site] or {docs-url}[the manual], [.red]#at last#.", {"url": "https://x.org"})
    'Go to the site or the manual, at last.'
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
    if found["marked"]:
        return found["marked"]
    if found["url"]:
        return _link_by_attribute(found, attributes)
    return attributes.get(found["name"], found.group()) if found["name"] else ""


def _link_by_attribute(found: re.Match[str], attributes: dict[str, str]) -> str:
    """The words of a link whose address begins with an attribute; if that is unknown, its name must look like one."""
    url = _resolved(found["url"], attributes)
    is_unknown = found["base"] not in attributes
    if _ADDRESS.match(url) or (is_unknown and _ADDRESS_NAME.search(found["base"])):
        return found["linked"].split(",")[0].rstrip("^").strip('"') or url
    return f"{url}[{found['linked']}]"
