"""Words that plain text breaks at line ends with a hyphen of its own sign, as manual pages do."""

import re
from typing import Final

_BROKEN: Final = re.compile(r"[\u2010\u00ad][ \t]*\r?\n\s*(?=[^\W\d_])")


def unhyphenated(text: str) -> str:
    r"""The text with words whole that are broken at a line end by U+2010 or a soft hyphen; "-" may belong to a word.

    >>> unhyphenated("equiva\u2010\n   lent, well-\nknown")
    'equivalent, well-\nknown'
    """
    return _BROKEN.sub("", text) if "\u2010" in text or "\u00ad" in text else text
