"""Marks of reStructuredText that a page does not show: roles, targets, substitutions, lines of directives."""

import re
from dataclasses import dataclass, field
from typing import Final

_UNSHOWN_NAMES: Final = (
    "contents currentmodule default-role default-domain figure highlight image include index meta module raw role "
    "sectionauthor sectnum section-numbering tabularcolumns target-notes toctree"
)
UNSHOWN: Final = frozenset(_UNSHOWN_NAMES.split())
"""Directives of which a page shows neither the line nor the options; what stands in a figure is its caption."""
_CLOSED: Final = UNSHOWN - {"figure"}
_WITHOUT_ARGUMENT: Final = frozenset(
    ["class", "container", "cssclass", "figure", "grid", "grid-item", "grid-item-card", "only", "rst-class"]
)
_VERSIONS: Final = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}
LISTED: Final = frozenset(
    ("code", "code-block", "sourcecode", "parsed-literal", "math", "prompt", "doctest", "testcode")
)
"""Directives whose content is code."""
_TABLES: Final = frozenset(("table", "list-table", "csv-table"))
_DIRECTIVE: Final = re.compile(
    r"(?P<indent>[ \t]*)\.\.[ \t]+(?P<name>[a-zA-Z][\w.+:-]*?)[ \t]?::(?:[ \t]+(?P<argument>\S.*?))?[ \t]*$"
)
_TARGET: Final = re.compile(
    r"(?P<indent>[ \t]*)(?:\.\.[ \t]+_(?P<name>`[^`]+`|(?:[^:\\]|\\:|:(?!\s|$))+):|__)(?:[ \t]+(?P<url>\S.*?))?[ \t]*$"
)
_SUBSTITUTION: Final = re.compile(
    r"[ \t]*\.\.[ \t]+\|(?P<name>[^|\s](?:[^|]*[^|\s])?)\|[ \t]+(?P<kind>[\w-]+)::[ \t]*(?P<text>.*?)[ \t]*$"
)
_NOTE: Final = re.compile(r"(?P<indent>[ \t]*)\.\.[ \t]+(?=\[)")
_COMMENT: Final = re.compile(r"[ \t]*\.\.(?:[ \t]|$)")
_OPTION: Final = re.compile(r"[ \t]+:[a-zA-Z][\w-]*:(?:[ \t]|$)")
_WITHIN: Final = re.compile(
    r"(?P<literal>``)(?P<code>[^`\n]+(?:\n[^`\n]+)?)``(?!`)"
    r"|(?<![\w`:\\])(?P<role>:[a-zA-Z][\w.+:-]{0,40}:)?`(?P<text>(?:[^`\\\n]|\n(?!\s*\n))+?)`(?P<link>_{1,2}(?!\w))?"
    r"|(?<![\w`|\\])\|(?P<name>[^|\s](?:[^|\n]{0,60}[^|\s])?)\|(?:_{1,2}(?!\w))?(?![\w|])"
    r"|(?<=\])_(?!\w)"
    r"|(?<![\w`])(?P<word>[^\W_](?:[\w.-]{0,80}[^\W_])?)_{1,2}(?![\w`*])"
    r"|\\(?P<escaped>[\s*`|_\\])"
)
_TITLED: Final = re.compile(r"(?P<title>.*?\S)\s*<(?P<target>[^<>]+)>", re.DOTALL)
_PEP: Final = {":pep:": "PEP ", ":rfc:": "RFC "}
_FIELD: Final = re.compile(r"^(?P<indent>[ \t]*):(?P<name>[^\W\d][^:\n`]{0,40}):(?=[ \t]+\S)", re.MULTILINE)
_UNSHOWN_FIELD: Final = re.compile(r"^:(?:orphan|nosearch|tocdepth|nocomments|no-[\w-]+):.*\n?", re.MULTILINE)
_ITEM: Final = re.compile(r"^(?P<indent>[ \t]*)#\.(?=[ \t]+\S)", re.MULTILINE)
_LEADS: Final = re.compile(r"(?<=\S)::(?=\s*\Z)")
_LONE_LEAD: Final = re.compile(r"^[ \t]*::(?=\s*\Z)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Known:
    """What a source defines.

    Attributes:
        targets: Names of links, lower case.
        substitutions: Texts by the names that stand for them; empty for pictures.
    """

    targets: frozenset[str] = frozenset()
    substitutions: dict[str, str] = field(default_factory=dict)


def known_in(lines: list[str]) -> Known:
    """The names that lines of a source define."""
    targets: set[str] = set()
    substitutions: dict[str, str] = {}
    for line in lines:
        if ".." not in line:
            continue
        bare = line.rstrip("\r\n")
        if found := _TARGET.match(bare):
            targets.add((found["name"] or "").strip("`").lower())
        elif found := _SUBSTITUTION.match(bare):
            substitutions[found["name"]] = found["text"] if found["kind"] == "replace" else ""
    return Known(frozenset(targets), substitutions)


def shown_line(line: str) -> tuple[str, bool] | None:
    """What a page shows of a line that begins with two dots, and whether it shows the lines indented below.

    None if it is no such line, or the line of a table or of code, which are read elsewhere.
    """
    bare = line.rstrip("\r\n")
    end = line[len(bare) :]
    if found := _DIRECTIVE.match(bare):
        name = found["name"]
        if name in _TABLES or name in LISTED:
            return None
        argument = "" if name in UNSHOWN or name in _WITHOUT_ARGUMENT else found["argument"] or ""
        if name in _VERSIONS and argument:
            version, _, rest = argument.partition(" ")
            argument = f"{_VERSIONS[name]} {version}{': ' + rest if rest else ':'}"
        shown = f"{found['indent']}{argument}{end}" if argument else ""
        return shown, name not in _CLOSED
    if found := _TARGET.match(bare):
        name, url = (found["name"] or "").strip("`"), found["url"] or ""
        is_address = name and ("://" in url or "@" in url)
        return (f"{found['indent']}{name}: {url}{end}{end}" if is_address else ""), False
    if found := _NOTE.match(bare):
        return found["indent"] + line[found.end() :], True
    return ("", False) if _COMMENT.match(bare) else None


def is_code_line(line: str) -> bool:
    """Whether a line is that of a directive with code."""
    found = _DIRECTIVE.match(line.rstrip("\r\n"))
    return found is not None and found["name"] in LISTED


def is_option(line: str) -> bool:
    """Whether an indented line is an option of the directive above."""
    return _OPTION.match(line) is not None


def plain(text: str, known: Known) -> str:
    """Prose as a page shows it: the texts of links and roles, substitutions, names of fields."""
    shown = _FIELD.sub(r"\g<indent>\g<name>:", _UNSHOWN_FIELD.sub("", text))
    shown = _LEADS.sub(":", _LONE_LEAD.sub("", _ITEM.sub(r"\g<indent>-", shown)))
    return _WITHIN.sub(lambda found: _shown(found, known), shown)


def plain_in_place(text: str, known: Known) -> str:
    """The text of a table as a page shows it, padded so that columns stay where they are; as it is if one cannot."""

    def padded(found: re.Match[str]) -> str:
        shown = _shown(found, known)
        return found.group() if "\n" in found.group() else shown.ljust(len(found.group()))[: len(found.group())]

    return _WITHIN.sub(padded, text)


def _shown(found: re.Match[str], known: Known) -> str:
    if found["literal"]:
        return f"`{found['code']}`"
    if found["text"] is not None:
        return _of_role(found)
    if found["name"] is not None:
        return known.substitutions.get(found["name"], found.group())
    if found["word"] is not None:
        return found["word"] if found["word"].lower() in known.targets else found.group()
    if found["escaped"] is not None:
        return "" if found["escaped"].isspace() else found["escaped"]
    return ""


def _of_role(found: re.Match[str]) -> str:
    role, text = found["role"] or "", found["text"]
    if not role and not found["link"]:
        return found.group()
    if titled := _TITLED.fullmatch(text):
        return titled["title"]
    return _PEP.get(role, "") + (text.strip("<>") if found["link"] else text.lstrip("~!"))
