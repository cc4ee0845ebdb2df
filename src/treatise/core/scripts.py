"""Scripts by their character ranges, and which of them have no spaces between words."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern

HAN: Final = "\u3400-\u9fff\uf900-\ufaff"
HAN_RARE: Final = "\U00020000-\U0003ffff"
KANA: Final = "\u3040-\u30ff"
THAI: Final = "\u0e00-\u0e7f"
LAO: Final = "\u0e80-\u0eff"
BURMESE: Final = "\u1000-\u109f"
KHMER: Final = "\u1780-\u17ff"
CJK_MARKS: Final = "\u3000-\u303f\uff00-\uffef"
"""Punctuation and wide forms of Chinese and Japanese."""

UNSPACED_CHARACTER: Final = f"[{THAI}{LAO}{BURMESE}{KHMER}{KANA}{HAN}{HAN_RARE}]"
"""Pattern of one character of a script without spaces between words."""

UNSPACED: Final = lazy_pattern(f"{UNSPACED_CHARACTER}+")
"""Runs of scripts without spaces between words."""

ENDS_UNSPACED: Final = lazy_pattern(f"(?:{UNSPACED_CHARACTER}|[{CJK_MARKS}])$")
"""The end of a text that needs no space after it."""

CJK: Final = lazy_pattern(f"[{KANA}{HAN}{CJK_MARKS}]")
"""A character of Chinese or Japanese, punctuation included."""

UNSPACED_LANGUAGES: Final = ("zh", "ja")
"""Languages of treebanks in which units are joined without a space."""

CJK_BLOCKS: Final = ((0x2E80, 0x9FFF), (0xF900, 0xFFEF))
"""Code points at which a unit of the trained parsers can begin anywhere; the models were trained with these."""


def class_of(*ranges: str) -> re.Pattern[str]:
    """The pattern of one character of these ranges."""
    return lazy_pattern(f"[{''.join(ranges)}]")
