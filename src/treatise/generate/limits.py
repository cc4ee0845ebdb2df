"""The words that limit a number and that a reader leaves out: "nearly ten months", "at least 5"."""

from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.asked import Asked
from treatise.generate.fitting import can_answer

_WORDS: Final = (
    r"(?i:at least|at most|up to|(?:no|not) (?:more|less|fewer|later) than|nearly|almost|about|around|approximately|"
    r"roughly|over|under|(?:more|less|fewer) than|a (?:maximum|minimum) of)"
)
_BEFORE: Final = lazy_pattern(rf"\b{_WORDS} $")
_FIRST: Final = lazy_pattern(rf"{_WORDS} ")
_UNIT: Final = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?)"
_PART: Final = lazy_pattern(rf"(?i:(?P<part>(?:[\w-]+ ){{1,5}}?{_UNIT}) of (?:an?|the|his|her|its|their|my|our) )")
"""A length of time that is a part of another one: "ten months of a four year sentence"."""


def with_limits(question: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The span with the words before it that limit its number; if the question asks how long, without the whole of
    which it is a part.

    >>> text = "He had served nearly ten months of a four year sentence."
    >>> text[slice(*with_limits("How long had he been there?", text, 21, 46))]
    'nearly ten months'
    >>> text[slice(*with_limits("Which sentence was it?", text, 35, 55))]
    'a four year sentence'
    """
    limit = _FIRST.match(text, start, end)
    number = limit.end() if limit else start
    if not can_answer(Asked.NUMBER, text[number:end].partition(" ")[0]):
        return start, end
    before = _BEFORE.search(text, 0, start)
    part = _PART.match(text, number, end) if question.casefold().startswith(("how long", "for how long")) else None
    return before.start() if before else start, part.end("part") if part else end
