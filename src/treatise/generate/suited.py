"""How well texts suit a question by their form, and what in them says nothing."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.claims import turned_around
from treatise.generate.asked import Asked, asked, can_answer, defined_term, defines

_DEFINES: Final = 3.0
_UNSUITED: Final = -2.0
"""What is added to the retrieval score, which counts standard deviations; docs/log/answers.md has the trials."""

_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD: Final = re.compile(r"[^\W_]+")
_MARKS: Final = re.compile(r"\{[a-z_]{2,}\}|\[(?:noise|laughter|inaudible|crosstalk|pause)\]")
_FILLER_WORDS: Final = """
um uh uhm hm hmm mm mmm mhm ah oh er eh okay ok kay yeah yep right well so and but
"""
_FILLERS: Final = frozenset(_FILLER_WORDS.split())
_LINKS: Final = frozenset(("so", "and", "but", "right", "well"))
_PAIRS: Final = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("„", "“"), ("（", "）"), ("「", "」"), ("《", "》"))
_SPEAKER: Final = re.compile(r"^[A-Z][\w .'-]{1,40}: ")


def suitability(question: str, texts: Sequence[str]) -> list[float]:
    """For each text, what to add to its retrieval score.

    A definition gains if the question asks for one; a text without a number or time loses if the question needs one,
    and one without the numbers in the question if another text has them ("kettle number 63"). So does a text about the
    opposite ("begins" for "ends").
    """
    form, term = asked(question), defined_term(question)
    numbers = set(_NUMBER.findall(question))
    has_numbers = [numbers <= set(_NUMBER.findall(text)) for text in texts]
    lacks = [any(has_numbers) and not one for one in has_numbers]
    turned = [form is not Asked.YES_NO and turned_around(question, text) for text in texts]
    return [
        _form(text, form, term) + _UNSUITED * (lack + turn)
        for text, lack, turn in zip(texts, lacks, turned, strict=True)
    ]


def without_marks(text: str) -> str:
    """The text without the marks of transcripts, such as "{vocalsound}"."""
    return " ".join(_MARKS.sub(" ", text).split()) if "{" in text or "[" in text else text


def tidied(text: str) -> str:
    """The words of an answer without fillers at its beginning and marks at its ends.

    >>> tidied("um I like dogs ,"), tidied("(May 4th, 2013")
    ('I like dogs', 'May 4th, 2013')
    """
    words = text.split()
    while len(words) > 1 and words[0].casefold().strip(".,-'") in _FILLERS - _LINKS:
        words.pop(0)
    kept = " ".join(words).strip(" ,;:，；：、-–—")
    for opening, closing in _PAIRS:
        if kept.count(opening) > kept.count(closing) and kept.startswith(opening):
            kept = kept[1:]
        elif kept.count(closing) > kept.count(opening) and kept.endswith(closing):
            kept = kept[:-1]
    return kept.removesuffix(" .").strip() or text


def says_something(text: str) -> bool:
    """Whether a turn of a conversation has a word besides "um", "okay" and the like; True for other texts."""
    words = _WORD.findall(_SPEAKER.sub("", without_marks(text)).casefold())
    return any(word not in _FILLERS for word in words)


def _form(text: str, form: Asked, term: str) -> float:
    if term:
        return _DEFINES if defines(term, text) else 0.0
    return 0.0 if can_answer(form, text) else _UNSUITED
