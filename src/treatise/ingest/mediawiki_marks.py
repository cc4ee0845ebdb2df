"""Marks of MediaWiki that a page does not show: templates, comments, references, targets of links, emphasis, tags.

Marks are left out and nothing but white space is added, so that the words stand in the file in this order.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

PART: Final = "\ue002"
"""Alone in a line: something was left out here, which ends a paragraph."""
_HELD: Final = re.compile("\ue000(\\d{1,9})\ue001")
_PRIVATE: Final = re.compile("[\ue000-\ue002]")
_LEFT_OUT: Final = "references|gallery|timeline|imagemap|templatedata|templatestyles|hiero|score|graph|mapframe"
_MIN_NOTE_WORDS: Final = 4
_LISTINGS: Final = frozenset(("pre", "source", "syntaxhighlight"))
_LITERAL: Final = frozenset(("nowiki", "math", "chem", "code", "tt"))
_OPENING: Final = re.compile(
    rf"<!--|<(?P<name>ref|{_LEFT_OUT}|{'|'.join(sorted(_LISTINGS | _LITERAL))})\b[^<>]*>", re.IGNORECASE
)
_BRACES: Final = re.compile(r"\{{2,}|\}{2,}")
_FIRST_KEPT: Final = frozenset(
    ("abbr", "code", "em", "kbd", "mono", "nobold", "nobr", "nowrap", "sic", "small", "strong", "tt", "var", "val")
)
"""Templates that show their first argument."""
_LAST_KEPT: Final = frozenset(("lang", "transl", "transliteration", "color", "font color"))
_MEASURES: Final = frozenset(("convert", "cvt"))
_NO_PAGES: Final = r"(?:category|kategorie|catégorie|categoría|categoria|категория|分类|カテゴリ)"
_FILES: Final = r"(?:file|image|media|datei|bild|fichier|archivo|ficheiro|файл|ファイル)"
_LINK: Final = re.compile(r"\[\[(?P<target>[^\[\]|\n]{1,500})(?:\|(?P<rest>[^\[\]]{0,2000}))?\]\]")
_CATEGORY: Final = re.compile(rf"\s*(?:{_NO_PAGES}|[a-z]{{2,3}}(?:-[a-z]+)?)\s*:", re.IGNORECASE)
_FILE: Final = re.compile(rf"\s*{_FILES}\s*:", re.IGNORECASE)
_OPTION: Final = re.compile(
    r"\s*(?:thumb(?:nail)?|mini|frame(?:d|less)?|border|left|right|center|centre|none|upright(?:=.*)?|baseline|middle|top|"
    r"bottom|(?:x?\d+(?:x\d+)?)px|(?:alt|link|lang|page|class|start|end)=.*)?\s*",
    re.IGNORECASE,
)
_MAX_ROUNDS: Final = 4  # links within captions
_OUTER_LINK: Final = re.compile(
    r"\[(?P<url>(?:https?:|ftp:|mailto:|//)[^\s\[\]]{1,1000})(?:[ \t\r\n]+(?P<text>[^\[\]]{1,1000}))?\]"
)
_QUOTES: Final = re.compile(r"'{2,}")
_BREAK: Final = re.compile(
    r"</?(?:br|p|div|li|ul|ol|center|blockquote|dl|dd|dt|hr|section|poem)\b[^<>]*>", re.IGNORECASE
)
_TAG: Final = re.compile(
    r"</?(?:abbr|b|big|bdi|cite|code|del|em|font|i|img|includeonly|ins|kbd|mark|noinclude|nowiki|onlyinclude|q|s|samp|"
    r"small|span|strike|strong|sub|tt|u|var)\b[^<>]*>"
    r"|(?<!\w)<sup\b[^<>]*>|<sup\b[^<>]*>(?!\s*[-−+\dn])|(?<=[^\d<>n])</sup>"
    r"|__(?:NO|FORCE)?(?:TOC|EDITSECTION|INDEX|NEWSECTIONLINK|GALLERY|TITLECONVERT|CONTENTCONVERT)__",
    re.IGNORECASE,
)
_SPACES: Final = re.compile(r"&nbsp;|&thinsp;|&#160;|&ensp;|&emsp;|&#8239;")
_LONE: Final = re.compile(rf"^[ \t:*]*{PART}+[ \t{PART}]*(?P<end>\r?\n|\Z)", re.MULTILINE)


class Part(Enum):
    """What a part of a text is that is read apart from it."""

    LITERAL = auto()
    LISTING = auto()
    NOTE = auto()


Held = list[tuple[str, Part]]
"""Parts of a text by their numbers, which stand in it for them."""


def shown(text: str) -> tuple[str, Held]:
    """A text as a page shows it, and its parts that are literal, listings or notes; see ``released``."""
    held: Held = []
    plain = _without_templates("".join(_with_held(_PRIVATE.sub("", text), held)))
    for _ in range(_MAX_ROUNDS):
        linked = _LINK.sub(_of_link, plain)
        if linked == plain:
            break
        plain = linked
    plain = _OUTER_LINK.sub(lambda found: found["text"] or found["url"], plain)
    plain = _TAG.sub("", _BREAK.sub(" ", _QUOTES.sub("", plain)))
    plain = _LONE.sub(rf"{PART}\g<end>", _SPACES.sub(" ", plain))
    return re.sub(rf"{PART}(?!\r?$)", "", re.sub(rf"(?<=[^\n]){PART}", "", plain), flags=re.MULTILINE), held


def released(text: str, held: Held) -> str:
    """A text with the literal parts that it holds, without its notes."""
    return _HELD.sub(lambda found: "" if held[int(found[1])][1] is Part.NOTE else held[int(found[1])][0], text)


def notes_in(text: str, held: Held) -> list[str]:
    """The notes of a text."""
    numbers = (int(found[1]) for found in _HELD.finditer(text))
    return [held[number][0] for number in numbers if held[number][1] is Part.NOTE]


def listing_in(line: str, held: Held) -> str | None:
    """The listing that a line is, if it is nothing else."""
    found = _HELD.fullmatch(line.strip())
    text, part = held[int(found[1])] if found else ("", Part.NOTE)
    return text if part is Part.LISTING or (part is Part.LITERAL and "\n" in text) else None


def _with_held(text: str, held: Held) -> Iterator[str]:
    """The pieces of a text, in which numbers stand for literal parts, and comments and references are left out."""
    at = 0
    unclosed: set[str] = set()
    while found := _OPENING.search(text, at):
        yield text[at : found.start()]
        name = (found["name"] or "").lower()
        inner, at = _closed(text, found, name, unclosed)
        if inner is None:
            yield found.group()
        elif part := _part(inner, name):
            yield f"\ue000{len(held)}\ue001"
            held.append(part)
        else:
            yield "" if name in _LITERAL else PART
    yield text[at:]


def _part(inner: str, name: str) -> tuple[str, Part] | None:
    """A part that is read apart; None if a page does not show what is between these tags, or if nothing is."""
    if name in _LITERAL or name in _LISTINGS:
        return (inner, Part.LISTING if name in _LISTINGS else Part.LITERAL) if inner else None
    if name != "ref":
        return None
    text, held = shown(inner)
    note = " ".join(released(text.replace(PART, ""), held).split())
    return (note, Part.NOTE) if len(note.split()) >= _MIN_NOTE_WORDS else None


def _closed(text: str, found: re.Match[str], name: str, unclosed: set[str]) -> tuple[str | None, int]:
    """What is between a tag and the one that closes it, and the end of that; None if no such tag follows."""
    start = found.end()
    if not name:
        end = text.find("-->", start)
        return "", end + 3 if end >= 0 else len(text)
    if found.group().endswith("/>"):
        return "", start
    closing = None if name in unclosed else re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, start)
    if closing is None:
        unclosed.add(name)
        return None, start
    return text[start : closing.start()], closing.end()


def _without_templates(text: str) -> str:
    """The text without templates and parameters in braces; some show an argument."""
    pieces: list[str] = []
    end = 0
    for start, stop in _outermost(text):
        pieces += [text[end:start], _of_template(text[start:stop])]
        end = stop
    return "".join((*pieces, text[end:]))


def _outermost(text: str) -> Iterator[tuple[int, int]]:
    """Spans between braces that belong together, those within others left out."""
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    for found in _BRACES.finditer(text):
        n_pairs = len(found.group()) // 2
        if found.group()[0] == "{":
            opened += [found.start() + 2 * at for at in range(n_pairs)]
            continue
        for at in range(n_pairs):
            if not opened:
                break
            start = opened.pop()
            stop = found.end() if at == n_pairs - 1 else found.start() + 2 * (at + 1)
            while spans and spans[-1][0] >= start:
                spans.pop()
            spans.append((start, stop))
    yield from spans


def _of_template(text: str) -> str:
    name, *arguments = text.strip("{}").split("|")
    name = name.strip().lower()
    values = [value.strip() for value in arguments if "=" not in value]
    if not values or "{" in text.strip("{}"):
        return PART
    if name in _MEASURES:
        return " ".join(values[:2])
    if name in _FIRST_KEPT:
        return values[0]
    return values[-1] if name in _LAST_KEPT or name.startswith("lang-") else PART


def _of_link(found: re.Match[str]) -> str:
    target, rest = found["target"], found["rest"]
    if _FILE.match(target):
        parts = (rest or "").split("|")
        caption = parts[-1] if not _OPTION.fullmatch(parts[-1]) else ""
        is_block = found.start() == 0 or found.string[found.start() - 1] == "\n"
        return f"\n\n{caption}\n\n" if caption and is_block else PART
    if _CATEGORY.match(target) and not rest and not target.startswith(":"):
        return PART
    if _CATEGORY.match(target) and re.match(rf"\s*{_NO_PAGES}\s*:", target, re.IGNORECASE):
        return PART
    return rest.rsplit("|", 1)[-1] if rest and rest.strip() else target.lstrip(":#")
