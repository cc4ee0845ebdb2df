"""The text of roff: escapes become characters, and lines of the macros of mdoc(7) become words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

_NAMED: Final = {
    "co": "©", "rg": "®", "tm": "™", "bu": "•", "em": "—", "en": "–", "hy": "-", "lq": "“", "rq": "”", "oq": "‘",
    "cq": "’", "aq": "'", "dq": '"', "ga": "`", "ha": "^", "ti": "~", "rs": "\\", "sl": "/", "ba": "|", "br": "|",
    "at": "@", "sh": "#", "Do": "$", "mu": "×", "di": "÷", "+-": "±", "<=": "≤", ">=": "≥", "!=": "≠", "==": "≡",
    "->": "→", "<-": "←", "ua": "↑", "da": "↓", "12": "½", "14": "¼", "34": "¾", "de": "°", "mc": "µ", "Po": "£",
    "Eu": "€", "ct": "¢", "sc": "§", "pc": "·", "dg": "†", "ss": "ß", ":a": "ä", ":o": "ö", ":u": "ü", ":A": "Ä",
    ":O": "Ö", ":U": "Ü", "'e": "é", "'a": "á", "'i": "í", "'o": "ó", "'u": "ú", "`e": "è", "`a": "à", ",c": "ç",
    "~n": "ñ", "Fo": "«", "Fc": "»", "if": "∞", "pl": "+", "mi": "−", "eq": "=", "aa": "´", "lB": "[", "rB": "]",
    "lC": "{", "rC": "}", "la": "⟨", "ra": "⟩", "/o": "ø", "oa": "å", "oA": "Å", "AE": "Æ", "ae": "æ", "fi": "fi",
}  # fmt: skip
_STRINGS: Final = {"R": "®", "Tm": "™", "lq": "“", "rq": "”", "(lq": "“", "Aq": "'", "Gt": ">", "Lt": "<"}
_ESCAPE: Final = re.compile(
    r"""\\(?:
    (?P<comment>["#].*)
    |[fFmMgkYV](?:\[[^\]]{0,80}\]|\(..|.)|s(?:[+-]?\d{1,2}|\[[^\]]{0,80}\]|\([+-]?\d\d|[+-]?'[^']{0,80}')
    |[hvwDLlbBANoRxXZ]'[^']{0,200}'|n[+-]?(?:\[[^\]]{0,80}\]|\(..|.)
    |\*(?:\[(?P<string>[^\]]{0,80})\]|\((?P<string2>..)|(?P<string1>.))
    |\[(?P<name>[^\]]{0,80})\]|\((?P<name2>..)|C'(?P<name3>[^']{0,80})'
    |(?P<sign>.)
    )""",
    re.VERBOSE,
)
_SIGNS: Final = {
    "-": "-",
    "e": "\\",
    "E": "\\",
    "\\": "\\",
    "'": "´",
    "`": "`",
    " ": " ",
    "~": " ",
    "0": " ",
    ".": ".",
    "t": "\t",
}
_UNICODE: Final = re.compile(r"u([0-9A-Fa-f]{4,6})(?:_[0-9A-Fa-f]+)*")
_ARGUMENT: Final = re.compile(r'"((?:[^"]|"")*)"?|((?:\\.|[^\s\\])+)')
_PUNCTUATION: Final = frozenset(".,:;)]?!")
_MAX_WORDS: Final = 500
_MAX_DEPTH: Final = 50
"""Words, and macros within each other, of a line whose macros are run; a longer one is no manual's."""
_OPENING: Final = frozenset("([")

_ENCLOSED: Final = {
    "Op": ("[", "]"), "Dq": ("“", "”"), "Qq": ('"', '"'), "Sq": ("‘", "’"), "Ql": ("‘", "’"), "Pq": ("(", ")"),
    "Bq": ("[", "]"), "Brq": ("{", "}"), "Aq": ("<", ">"), "An": ("", ""),
}  # fmt: skip
_OPEN: Final = {"Oo": "[", "Do": "“", "Qo": '"', "So": "‘", "Po": "(", "Bo": "[", "Bro": "{", "Ao": "<"}
_CLOSE: Final = {"Oc": "]", "Dc": "”", "Qc": '"', "Sc": "’", "Pc": ")", "Bc": "]", "Brc": "}", "Ac": ">"}
_PLAIN_NAMES: Final = (
    "Ar Cm Ic Li Em Sy Ev Va Vt Fa Ft Fn Pa Ad Er Dv No Sx Tn Mt Ms Cd Bx At Ux Lk Lb In St Nx Fx Ox Dx Rv Ex Xc Xo "
    "Fo Fc Bsx Es En"
)
_PLAIN: Final = frozenset(_PLAIN_NAMES.split())
_MACROS: Final = _PLAIN | _ENCLOSED.keys() | _OPEN.keys() | _CLOSE.keys() | {"Fl", "Nm", "Xr", "Ns", "Pf", "Ap", "Sm"}


def unescaped(text: str) -> str:
    """The text with its escapes replaced.

    >>> unescaped(r"\\fB\\-a\\fR, \\(lqall\\(rq\\& \\[u2014] end")
    '-a, “all” — end'
    """
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(match: re.Match[str]) -> str:
    if match["sign"] is not None:
        return _SIGNS.get(match["sign"], "")
    name = next((one for one in (match["name"], match["name2"], match["name3"]) if one is not None), None)
    if name is not None:
        code = _UNICODE.fullmatch(name)
        return chr(min(int(code[1], 16), 0x10FFFF)) if code else _NAMED.get(name, "")
    string = match["string"] or match["string2"] or match["string1"]
    return _STRINGS.get(string, "") if string else ""


def arguments(line: str) -> list[str]:
    """The arguments of a macro, with their escapes; quotes keep words together.

    >>> arguments('TH "My Tool" 1')
    ['TH', 'My Tool', '1']
    """
    return [one[1].replace('""', '"') if one[1] is not None else one[2] for one in _ARGUMENT.finditer(line)]


@dataclass(slots=True)
class MdocWords:
    """Makes words of lines of mdoc, whose macros may be called within a line.

    Attributes:
        name: The name of the page, for ``.Nm`` without one.
        is_spaced: Whether words have spaces between them.
    """

    name: str = ""
    is_spaced: bool = True
    _parts: list[str] = field(default_factory=list)
    _is_glued: bool = False

    def line(self, words: Sequence[str]) -> str:
        """The words of a line with the macros in it."""
        if len(words) > _MAX_WORDS or sum(word in _ENCLOSED for word in words) > _MAX_DEPTH:
            return " ".join(map(unescaped, words))
        self._parts, self._is_glued = [], False
        self._run(list(words))
        return "".join(self._parts).strip()

    def _add(self, text: str) -> None:
        text = unescaped(text)
        is_glued = self._is_glued or not self.is_spaced or (text in _PUNCTUATION)
        if self._parts and not is_glued and text:
            self._parts.append(" ")
        self._parts.append(text)
        self._is_glued = text in _OPENING

    def _run(self, words: list[str]) -> None:
        while words:
            word = words.pop(0)
            if word in _MACROS:
                self._macro(word, words)
            else:
                self._add(word)

    def _macro(self, macro: str, words: list[str]) -> None:
        if macro in _ENCLOSED:
            self._enclosed(macro, words)
        elif macro in _OPEN or macro in _CLOSE:
            if macro in _CLOSE:
                self._is_glued = True
            self._add(_OPEN.get(macro) or _CLOSE[macro])
            self._is_glued = macro in _OPEN
        elif macro == "Fl":
            self._flags(_taken(words))
        elif macro == "Nm":
            named = _taken(words)
            self.name = self.name or " ".join(named)
            self._add(" ".join(named) or self.name)
        elif macro == "Xr":
            page = _taken(words)
            self._add(f"{page[0]}({page[1]})" if len(page) > 1 else "".join(page))
            for more in page[2:]:
                self._add(more)
        elif macro in ("Ns", "Pf", "Ap"):
            self._glue(macro, words)
        elif macro == "Sm":
            self.is_spaced = (words.pop(0) if words else "on") != "off"
        elif macro == "Ar" and not _next_is_text(words):
            self._add("file ...")
        else:
            for one in _taken(words):
                self._add(one)

    def _glue(self, macro: str, words: list[str]) -> None:
        if macro == "Pf" and words:
            self._add(words.pop(0))
        if macro == "Ap":
            self._is_glued = True
            self._add("'")
        self._is_glued = True

    def _flags(self, names: Sequence[str]) -> None:
        for name in names or [""]:
            self._add(name if name in _PUNCTUATION or name in ("|", "[", "]", "(", ")") else f"-{name}")
        self._is_glued = not names

    def _enclosed(self, macro: str, words: list[str]) -> None:
        """What is left of the line within signs; punctuation at its end is outside."""
        left, right = _ENCLOSED[macro]
        after: list[str] = []
        while words and words[-1] in _PUNCTUATION and len(words) > 1:
            after.insert(0, words.pop())
        if left:
            self._add(left)
            self._is_glued = True
        self._run(words)
        self._is_glued = True
        if right:
            self._add(right)
        self._is_glued = False
        for one in after:
            self._add(one)
        words.clear()


def _next_is_text(words: Sequence[str]) -> bool:
    return bool(words) and words[0] not in _MACROS and words[0] not in _PUNCTUATION


def _taken(words: list[str]) -> list[str]:
    """The words up to the next macro, taken from the list."""
    n = next((at for at, word in enumerate(words) if word in _MACROS), len(words))
    taken, words[:] = words[:n], words[n:]
    return taken
