"""The tokens of RTF: control words and signs, destinations that are left out, code pages."""

import re
from typing import Final

TOKEN: Final = re.compile(
    rb"\\(?:'(?P<hex>[0-9a-fA-F]{2})|(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|(?P<sign>[^a-zA-Z]))"
    rb"|(?P<brace>[{}])|(?P<end>[\r\n]+)|(?P<text>[^\\{}\r\n]+)"
)
_DESTINATIONS: Final = (
    "fonttbl colortbl filetbl listtable listoverridetable rsidtbl pict object header headerl headerr headerf footer "
    "footerl footerr footerf themedata colorschememapping datastore xmlnstbl latentstyles fldinst bkmkstart bkmkend "
    "pntxta pntxtb generator operator company keywords subject doccomm comment annotation nonshppict "
    "shprslt category manager hlinkbase revtbl pgptbl pnseclvl sp"
)
SKIPPED: Final = frozenset(_DESTINATIONS.split())
"""Control words of destinations whose text is no part of the document."""

SIGNS: Final = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "~": "\xa0", "_": "-", "{": "{", "}": "}",
    "\\": "\\",
}  # fmt: skip
CODE_PAGES: Final = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
"""Windows code pages by the character set of a font."""


def known_encoding(encoding: str) -> str:
    """The encoding, or that of Western Windows if Python does not know it."""
    try:
        "".encode(encoding)
    except LookupError:
        return "cp1252"
    return encoding
