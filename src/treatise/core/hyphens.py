"""Words that plain text breaks at line ends."""

import re
from typing import Final

_BROKEN: Final = re.compile(r"[\u2010\u00ad][ \t]*\r?\n\s*(?=[^\W\d_])")
_LINE_END: Final = re.compile(r"(?<=[^\W\d_])-[ \t]*\r?\n\s*(?=([^\W\d_]+))")
_ENDINGS: Final = """
able al ally ance ances ate ated ation ations ed ence ences ency ent er ered ers es est ful ible ic ical ing ings ion
ions ism ist ity ive ize ized less ly ment ments ness ous sion sions tain ted ter tered ters ther tic tical tice ties ting
tion tional tions tive ture tures ty ual
"""
_IS_ENDING: Final = frozenset(_ENDINGS.split())


def unhyphenated(text: str) -> str:
    r"""The text with words whole that are broken at a line end: by U+2010 or a soft hyphen, which belong to no word, or
    by "-", which stays unless an ending follows.

    >>> unhyphenated("equiva\u2010\n   lent, Max-\nAge and wish-\ning")
    'equivalent, Max-Age and wishing'
    """
    if "\n" not in text:
        return text
    return _LINE_END.sub(lambda found: "" if found[1] in _IS_ENDING else "-", _BROKEN.sub("", text))
