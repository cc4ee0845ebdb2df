"""The few words that answer: an amount, a date or a length of time without the clause around it, an address whole."""

import re
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.scripts import UNSPACED
from treatise.core.words import n_words
from treatise.generate.asked import Asked

_FEW: Final = 5  # words that are left as they are
_LONGEST: Final = 12  # words of what is taken out
_NUMBER: Final = (
    r"(?<![\w.,-])(?:[$€£¥]\s?)?\d[\d.,]*(?<![.,])(?:(?:st|nd|rd|th)\b|\s?%)?|"
    r"(?<![\w-])(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|eighteen|twenty|thirty|forty|fifty|"
    r"sixty|ninety|twice|once)\b(?!-)"
)
_UNIT: Final = r"(?:second|minute|hour|day|week|month|quarter|year)s?"
_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)"
)
_CLOCK: Final = r"\d{1,2}[:.]\d\d(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?|noon|midnight"
_DATE: Final = (
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\b\.?,?(?: \d{{4}})?|"
    rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\b{_MONTH} \d{{4}}|\b\d{{4}}-\d\d-\d\d\b"
)
_TIME: Final = rf"(?:{_DATE})(?:,? (?:at )?(?:{_CLOCK}))?|(?:{_CLOCK})(?:,? (?:on )?(?:{_DATE}))?"
_PERIOD: Final = rf"(?:{_NUMBER})(?: \(\d+\))?[ -](?:(?:calendar|business|working|full) )?{_UNIT}\b"
_WHAT: Final = {
    Asked.NUMBER: lazy_pattern(_NUMBER, re.IGNORECASE),
    Asked.DATE: lazy_pattern(rf"{_TIME}|{_PERIOD}", re.IGNORECASE),
    Asked.CLOCK: lazy_pattern(_CLOCK, re.IGNORECASE),
    Asked.DURATION: lazy_pattern(_PERIOD, re.IGNORECASE),
}
_WHOLE_DATE: Final = lazy_pattern(_TIME, re.IGNORECASE)
_WORD: Final = lazy_pattern(r"[^\W\d_]+")
_STEM: Final = 3  # letters at least that words share
_SMALL: Final = frozenset(
    ("the", "whe", "does", "did", "was", "are", "how", "man", "muc", "for", "wha", "tha", "its", "and")
)
_BEFORE: Final = lazy_pattern(
    r"(?:\b(?:at least|at most|at|up to|(?:no|not) (?:more|less|fewer) than|no later than|within|by|on|in|about|around|"
    r"approximately|nearly|almost|over|under|(?:more|less|fewer) than|between|from|until|till|before|after|since|for|"
    r"a total of|a (?:maximum|minimum) of|every)\s+(?:the\s+)?)+$",
    re.IGNORECASE,
)
_ANY_NUMBER: Final = lazy_pattern(
    r"(?<![A-Za-z])\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|half|quarter|once|twice)\b",
    re.IGNORECASE,
)
_SHIFTS: Final = lazy_pattern(
    r"\b(?:seconds?|minutes?|hours?|days?|nights?|weeks?|weekends?|months?|years?|\w+day|late|early|mid|end|beginning|start|starting|"
    r"all but|except)(?: (?:of|in|the|before|after|until|on))*\s*$|[-–—]\s*$|\b(?:to|or|and|than)\s*$",
    re.IGNORECASE,
)
"""What before an amount or date changes it: "a week before 30 June", "the Monday after 1 May"."""
_GOES_ON: Final = lazy_pattern(
    r"[\s(]*(?:(?:or|and) (?:more|less|fewer|later|earlier|above|below|over|under|older|younger|before|after)|plus|"
    r"minus|less|per|each|for each|a (?:day|week|month|year)|before|after|of the|and a half)\b",
    re.IGNORECASE,
)
_SUPERSEDED: Final = lazy_pattern(
    r"\b(?:but|however|instead|extended|postponed|moved|changed|now|half past|quarter (?:past|to)|starting)\b",
    re.IGNORECASE,
)
_CONDITION: Final = lazy_pattern(r"^when (?:can|could|may|might|must|shall|should|would)\b", re.IGNORECASE)
_DENIES: Final = lazy_pattern(r"\b(?:no|not|never|nobody|none|nor|without|unless|except)\b|n['’]t\b", re.IGNORECASE)
_DANGLING: Final = lazy_pattern(r"(?: (?:after|before|of|from|until|than|the|a|is|are|was|were|used))+$", re.IGNORECASE)
_END: Final = lazy_pattern(
    r"[,;:()]|\.(?:\s|$)|\s(?:and|but|or|which|that|who|if|unless|provided|payable|less|plus|in|at|for|to|by|from|"
    r"with|on|between)\b",
    re.IGNORECASE,
)


_UNBROKEN: Final = lazy_pattern(
    r"\d{1,2}[:.]\d\d(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.m\.|"
    r"[^\s<>()]+@[^\s<>()]*[^\s<>().,;:]|(?:https?://|www\.)[^\s<>()]*[^\s<>().,;:]|\+\d[\d\s().-]*\d|[$€£¥]\s?\d[\d.,]*\d"
)


def unbroken(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with all of an address, phone number or amount that it has a part of.

    >>> text = "Write to office@example.org, or call +49 30 1234."
    >>> [text[slice(*unbroken(text, *part))] for part in ((9, 23), (38, 48))]
    ['office@example.org', '+49 30 1234']
    """
    for whole in _UNBROKEN.finditer(text):
        if whole.start() < end and start < whole.end():
            start, end = min(start, whole.start()), max(end, whole.end())
    return start, end


def denies(text: str) -> bool:
    """Whether a text denies what follows it."""
    return bool(_DENIES.search(text))


def brief(form: Asked, question: str, text: str) -> str:
    """The amount, date or length of time in a text that answers, with the words that limit it; else the text as it is.

    Of several dates, the one after words of the question; of several amounts none, since what they count may follow.
    Nothing is taken out of a denial ("not more than twice"), or if the question asks for a condition ("When may …").

    >>> brief(Asked.NUMBER, "How much is it?", "The rent is up to £1,450 per month, payable in advance.")
    'up to £1,450 per month'
    >>> brief(Asked.DATE, "When?", "It is returned within ten days after the end of the tenancy, less any deductions.")
    'within ten days after the end of the tenancy'
    >>> brief(Asked.DATE, "When does it end?", "It begins on 1 July 2024 and ends on 30 June 2026.")
    'on 30 June 2026'
    >>> brief(Asked.CLOCK, "At what time is it?", "The next meeting is on 2 April 2025 at 10:30 in room B12.")
    'at 10:30'
    """
    pattern = _WHAT.get(form)
    if (
        pattern is None
        or _CONDITION.search(question)
        or n_words(text) <= (0 if form is Asked.CLOCK else _FEW)
        or UNSPACED.search(text)
    ):
        return text
    matches = list(pattern.finditer(text))
    found = matches[0] if len(matches) == 1 else None
    if form in (Asked.DATE, Asked.CLOCK) and len(matches) > 1:
        found = _after_words_of(question, text, matches)
    if found is None:
        return text
    before = _BEFORE.search(text, 0, found.start())
    start = before.start() if before else found.start()
    after = _END.search(text, found.end())
    end = after.start() if after else len(text)
    if _WHOLE_DATE.fullmatch(found[0]):
        end = found.end()
    kept = _DANGLING.sub("", text[start:end].strip())
    is_chosen = len(matches) > 1 or form is Asked.CLOCK
    others = "" if is_chosen else f"{text[:start]} {text[end:]}"
    is_unsafe = (
        _ANY_NUMBER.search(others)
        or _SHIFTS.search(text[:start])
        or _GOES_ON.match(text[end:])
        or _DENIES.search(text, 0, start)
        or (is_chosen and _SUPERSEDED.search(text))
    )
    return text if is_unsafe or n_words(kept) > _LONGEST else kept


def _after_words_of(question: str, text: str, found: list[re.Match[str]]) -> re.Match[str] | None:
    """The only match between which and the one before it are words of the question; None if there is none such."""
    asked = {word[: max(_STEM, len(word) - 2)] for word in _WORD.findall(question.casefold()) if len(word) >= _STEM}
    starts = [0, *(one.end() for one in found)]
    between = [_WORD.findall(text[start : one.start()].casefold()) for start, one in zip(starts, found, strict=False)]
    named = [
        one
        for one, words in zip(found, between, strict=True)
        if any(word.startswith(stem) for word in words for stem in asked - _SMALL)
    ]
    return named[0] if len(named) == 1 else None
