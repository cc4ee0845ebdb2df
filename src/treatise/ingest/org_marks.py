"""Marks of Org that a page does not show: targets of links, emphasis, macros, settings, comments, drawers.

Marks are left out and nothing is added, so that the words stand in the file in this order.
"""

import re
from typing import Final

_UNSHOWN: Final = re.compile(
    r"[ \t]*(?:#\+[\w-]+(?:\[[^\]\n]*\])?:.*|#(?:[ \t].*)?|CLOCK:[ \t].*|-{5,}[ \t]*)$", re.IGNORECASE
)
_DRAWER: Final = re.compile(r"[ \t]*:(?!END:)[\w-]+:[ \t]*$", re.IGNORECASE)
_DRAWER_END: Final = re.compile(r"[ \t]*:END:[ \t]*$", re.IGNORECASE)
_PICTURE: Final = r"[^\[\]\n]{1,500}\.(?:png|jpe?g|gif|svg|webp)"
_BEFORE: Final = r"(?<![^\s\-–—({'\"\[*/_])"
_AFTER: Final = r"(?![^\s\-–—.,;:!?')}\"\[\]*/_\\])"


def _marked(mark: str, name: str, others: str = "") -> str:
    """A pattern of what is between two marks, with at most three more of them within it: a bound on time.

    It begins with none of ``others``; if there are none, it may begin with the mark: ``~~/notes~`` is a path as code.
    """
    run = rf"(?:[^{mark}\n]|\n(?!\s*\n)){{0,400}}+"
    begin = "" if others else f"[{mark}]?+"
    within = rf"(?P<{name}>{begin}(?=[^\s{mark}{others}]){run}(?:[{mark}]{run}){{0,3}}?)"
    return rf"{_BEFORE}[{mark}]{within}(?<=\S)[{mark}]{_AFTER}"


_WITHIN: Final = re.compile(
    rf"{_marked('=', 'verbatim')}|{_marked('~', 'code')}"
    rf"|\[\[{_PICTURE}\](?:\[{_PICTURE}\])?\]|\[\[[^\[\]\n]{{1,1000}}\]\[{_PICTURE}\]\]"
    r"|\[\[(?P<target>[^\[\]]{1,1000})\](?:\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\]){1,1000})\])?\]"
    r"|<<<(?P<radio>[^<>\n]{1,200})>>>|<<[^<>\n]{1,200}>>"
    r"|\{\{\{(?P<macro>[\w-]{1,100})\((?P<argument>(?:[^{}\n]|\n(?!\s*\n)){1,400})\)\}\}\}"
    r"|\{\{\{[^{}\n]{1,400}\}\}\}|@@[\w-]+:[^@]{0,400}@@|\[cite(?:/[\w/-]+)?:[^\[\]\n]{1,400}\]"
    r"|\[fn:(?P<note>[\w-]+)\]|\[fn:[\w-]*:[ \t]?(?P<said>[^\[\]]{1,1000})\]"
    r"|<(?P<date>\d{4}-\d\d-\d\d[^<>\n]{0,60})>"
    rf"|{_marked('*', 'bold', '/_')}|{_marked('/', 'italic', '*_')}|{_marked('_', 'underlined', '*/')}"
)
_LINE_BREAK: Final = re.compile(r"\\\\[ \t]*$", re.MULTILINE)
_SCHEME: Final = re.compile(r"(?:file:|id:|\./|[#*](?=\w))")
_PATHS: Final = "bin boot dev etc home lib media mnt opt proc root run srv sys tmp usr var"
_FOLDERS: Final = frozenset(_PATHS.split())
"""Names between slashes that are paths and not in italics."""
_SHOWN_MACROS: Final = "abbr acronym cite code command dfn emph env file kbd key option samp strong var verb"
_WORDS: Final = frozenset(_SHOWN_MACROS.split())
"""Macros that show their argument, as Org's own manual uses them."""
_TODO: Final = re.compile(
    r"(?P<state>(?:TODO|DONE|NEXT|WAITING|WAIT|HOLD|STARTED|SOMEDAY|CANCELLED|CANCELED)[ \t]+)?"
    r"(?P<priority>\[#[A-Z0-9]\][ \t]+)?"
)
_TAGS: Final = re.compile(r"(?<![ \t])[ \t]+:[\w@#%:]+:$")


def is_unshown(line: str) -> bool:
    """Whether a page shows nothing of a line outside of code: a comment, a setting or a rule.

    >>> is_unshown("#+STARTUP: indent"), is_unshown("# A comment"), is_unshown("#1 is the best")
    (True, True, False)
    """
    return _UNSHOWN.match(line.rstrip("\r\n")) is not None


def begins_drawer(line: str) -> bool:
    """Whether a line has the name of a drawer, such as ``:PROPERTIES:``."""
    return _DRAWER.match(line.rstrip("\r\n")) is not None


def ends_drawer(line: str) -> bool:
    """Whether a line ends a drawer."""
    return _DRAWER_END.match(line.rstrip("\r\n")) is not None


def heading_parts(text: str) -> tuple[str, str]:
    """The state of a heading with the space behind it, and its title without priority and tags.

    >>> heading_parts("TODO [#A] Buy *tea*  :shop:")
    ('TODO ', 'Buy tea')
    """
    found = _TODO.match(text)
    state, start = (found["state"] or "", found.end()) if found else ("", 0)
    return state, shown(_TAGS.sub("", text[start:].rstrip()))


def shown(text: str) -> str:
    """Prose as a page shows it.

    >>> shown("See [[https://x.org][the *site*]], =a*b*=, /etc/ and /this/[fn:1] on <2024-03-04 Mon>.")
    'See the site, a*b*, /etc/ and this[1] on 2024-03-04 Mon.'
    """
    return _LINE_BREAK.sub("", _WITHIN.sub(_shown, text))


def _shown(found: re.Match[str]) -> str:
    if literal := found["verbatim"] or found["code"]:
        return literal
    if found["target"] is not None:
        return shown(found["text"]) if found["text"] else _SCHEME.sub("", found["target"], count=1)
    if italic := found["italic"]:
        return found.group() if "/" in italic or italic in _FOLDERS else shown(italic)
    if body := found["bold"] or found["underlined"]:
        return shown(body)
    if found["macro"]:
        return found["argument"].replace("\\,", ",") if found["macro"].lower() in _WORDS else ""
    if found["note"] is not None:
        return f"[{found['note']}]"
    if found["said"] is not None:
        return f"[{shown(found['said'])}]"
    return found["radio"] or found["date"] or ""
