"""The few words that answer: an amount, a date or a length of time without the clause around it, an address whole."""

import re
from collections.abc import Callable
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.core.quotation import PAIRS
from treatise.core.scripts import UNSPACED
from treatise.core.words import n_words
from treatise.generate.addresses import EMAIL
from treatise.generate.asked import Asked
from treatise.generate.currencies import CODES
from treatise.generate.fitting import ANY_MONTH
from treatise.generate.limits import LIMITS, UNITS

_ALONE: Final = (Asked.CLOCK, Asked.FREQUENCY)
"""Forms whose words mean the same beside other numbers."""
_FEW: Final = 5  # words that are left as they are
_LONGEST: Final = 12  # words of what is taken out
_WORDS: Final = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|once|twice"
)
"""Numbers."""
_CURRENCY: Final = rf"(?:{CODES}|Rs\.?)"
_NUMBER: Final = (
    rf"(?:\b{_CURRENCY} ?(?=\d)|(?<![\w.,-])(?:[$€£¥₹]\s?)?)\d[\d.,]*(?<![.,])(?:(?:st|nd|rd|th)\b|\s?%)?|"
    rf"(?<![\w-])(?:{_WORDS})\b(?!-)"
)
_UNIT: Final = rf"(?:{UNITS}|quarters?)"
_CLOCK: Final = r"\d{1,2}[:.]\d\d(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?|noon|midnight"
_DATE: Final = (
    rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {ANY_MONTH}\b\.?,?(?: \d{{4}})?|"
    rf"\b{ANY_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\b{ANY_MONTH} \d{{4}}|\b\d{{4}}-\d\d-\d\d\b"
)
_TIME: Final = rf"(?:{_DATE})(?:,? (?:at )?(?:{_CLOCK}))?|(?:{_CLOCK})(?:,? (?:on )?(?:{_DATE}))?"
_PERIOD: Final = rf"(?:{_NUMBER})(?: \(\d+\))?[ -](?:(?:calendar|business|working|full) )?{_UNIT}\b"
_EVERY: Final = (
    rf"(?:once|twice|(?:{_NUMBER}) times) (?:an?|per|each|every) (?:(?:calendar|business|working) )?{_UNIT}\b|"
    rf"\bevery (?:(?:other|second|third|{_NUMBER}) )?(?:(?:calendar|business|working) )?(?:{_UNIT}|\w+day)\b|"
    rf"\beach (?:{_UNIT}|\w+day|{ANY_MONTH})\b|"
    r"\b(?:(?:once|twice) )?(?:hourly|daily|nightly|weekly|fortnightly|bi-?weekly|monthly|bi-?monthly|quarterly|"
    r"annually|bi-?annually|yearly)\b"
)
_WHAT: Final = {
    Asked.FREQUENCY: lazy_pattern(_EVERY, re.IGNORECASE),
    Asked.PRICE: lazy_pattern(_NUMBER, re.IGNORECASE),
    Asked.NUMBER: lazy_pattern(_NUMBER, re.IGNORECASE),
    Asked.DATE: lazy_pattern(rf"{_TIME}|{_PERIOD}", re.IGNORECASE),
    Asked.CLOCK: lazy_pattern(_CLOCK, re.IGNORECASE),
    Asked.DURATION: lazy_pattern(_PERIOD, re.IGNORECASE),
}
_MONEY: Final = lazy_pattern(rf"[$€£¥₹]\s?\d[\d.,]*(?<![.,])|\d[\d.,]*(?<![.,])\s?(?:[€£$]|{CODES}\b|euros?\b)")
_OF_ANOTHER: Final = lazy_pattern(r" (?:and|und|et|y) (?:(?!and |und |et |y )[^\d,;.]{2,} )?[A-ZÀ-Þ][^\d]* (?=[\d$€£])")
"""What is said after an amount of somebody else's: "and Kohlmann GmbH 8.400 €"."""
_COSTS: Final = lazy_pattern(r"(?:\b(?:costs?|is|are|for)|,) $", re.IGNORECASE)
_PER: Final = lazy_pattern(r"(?: (?:per|an?|for the|for an?|each) \w+)?(?=\W*$)")
_WHOLE: Final = lazy_pattern(rf"{_TIME}|{_EVERY}", re.IGNORECASE)
"""What nothing that follows limits."""
_WORD: Final = lazy_pattern(r"[^\W\d_]+")
_STEM: Final = 3  # letters at least that words share
_TURNS: Final = (("beg", "start", "commenc", "open"), ("end", "finish", "clos", "conclud", "expir", "terminat"))
"""Beginnings of words for a beginning, and for an end."""
_SMALL_WORDS: Final = "the when where what that this does did was are how many much for its and"
_SMALL: Final = frozenset(_SMALL_WORDS.split())
_BEFORE: Final = lazy_pattern(
    rf"(?:\b(?:{LIMITS}|at|within|by|on|in|between|from|until|till|before|after|since|for|a total of|every)\s+"
    r"(?:the\s+)?)+$",
    re.IGNORECASE,
)
_ANY_NUMBER: Final = lazy_pattern(
    rf"(?<![A-Za-z\d])\d|\b(?:{_WORDS}|hundred|thousand|million|half|quarter)\b", re.IGNORECASE
)
_SHIFTS: Final = lazy_pattern(
    rf"\b(?:{UNITS}|weekends?|\w+day|late|early|mid|end|beginning|start|starting|all but|except)"
    r"(?: (?:of|in|the|before|after|until|on))*\s*$|[-–—]\s*$|\b(?:to|or|and|than)\s*$",
    re.IGNORECASE,
)
"""What before an amount or date changes it: "a week before 30 June", "the Monday after 1 May"."""
_TURN_ON: Final = lazy_pattern(r"\b(?:beginning|starting|commencing|ending)\s*$", re.IGNORECASE)
"""What changes no day: "beginning on 1 May"."""
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
_DENIES: Final = lazy_pattern(
    r"\b(?:no(?!\.)|not|never|nobody|none|nor|without|unless|except)\b|n['’]t\b", re.IGNORECASE
)
_DANGLING: Final = lazy_pattern(r"(?: (?:after|before|of|from|until|than|the|a|is|are|was|were|used))+$", re.IGNORECASE)
_END: Final = lazy_pattern(
    r"[,;:()]|\.(?:\s|$)|\s(?:and|but|or|which|that|who|if|unless|provided|payable|less|plus|in|at|for|to|by|from|"
    r"with|on|between)\b",
    re.IGNORECASE,
)
_UNBROKEN: Final = lazy_pattern(
    rf"{_CLOCK}|{EMAIL}|(?:https?://|www\.)[^\s<>()]*[^\s<>().,;:]|"
    rf"\+\d[\d\s().-]*\d|(?<![^\s(\"'`])[~.]?/(?:[\w.~<>{{}}$*-]+/)+[\w.~<>{{}}$*-]*(?<!\.)|(?:[$€£¥₹]|\b{_CURRENCY})\s?\d[\d.,]*\d"
)
_LED: Final = lazy_pattern(r"(?<![^\s(\"'“‘`])(?:--?|#!|[.$@~]|(?:~|\.{1,2})?/)$")
_LEADS_TO: Final = lazy_pattern(r"(?![A-Z][a-z])[\w/]")
"""What marks belong to that a span may have left out: "--no-ff", "#!/bin/sh", ".profile", "-5"; a hyphen before a
capitalised word is a bullet.
"""
_FENCE: Final = lazy_pattern(r"(?:^|(?<=\s))(?:`{3,}|~{3,})[^\s`~]*\s+")
"""What opens a block of code, with the name of its language."""
_AROUND: Final = (('"', '"'), *PAIRS)
"""Marks of quotation and brackets, of which a span may have left out one half."""
_COUNTS: Final = lazy_pattern(rf" (?:(?:calendar|business|working|full) )?{_UNIT}\b", re.IGNORECASE)
"""The unit of time that a number before it counts: "30" of "30 days"."""
_ADDRESS: Final = lazy_pattern(EMAIL)
_TOTAL: Final = lazy_pattern(r"\d[\d,.]* [^,;\d]*, (?P<part>\d[\d,.]*)")
_OUT_OF: Final = lazy_pattern(r"\b(?:of|among|from)(?: the| all)? $", re.IGNORECASE)
_WHO: Final = lazy_pattern(r"who(?:['’]s| is| are| was| were)\b", re.IGNORECASE)
_PRESENTS: Final = lazy_pattern(r"(?:I['’]m|I am|[Mm]y name(?: is|['’]s)) (?=[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3}$)")
"""What people say before their names."""
_ASKS_WHO: Final = lazy_pattern(r"who\b", re.IGNORECASE)
_BY: Final = lazy_pattern(r"by (?=\S)")


def unbroken(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with all of an address, phone number or amount that it has a part of, with the marks before an option or
    a path, the unit of time that a number counts, and beside it the bracket or mark of quotation that it has half of;
    of a block of code without the line that opens it.

    >>> text = "Write to office@example.org, or call +49 30 1234."
    >>> [text[slice(*unbroken(text, *part))] for part in ((9, 23), (38, 48))]
    ['office@example.org', '+49 30 1234']
    >>> text = "Use --no-ff, begin with #!/bin/sh, and own half (50%)."
    >>> [text[slice(*unbroken(text, *part))] for part in ((6, 11), (26, 33), (43, 52))]
    ['--no-ff', '#!/bin/sh', 'half (50%)']
    >>> text = "It is cured within 30 days of notice."
    >>> text[slice(*unbroken(text, 19, 21))]
    '30 days'
    >>> text = 'It was done by the "policy" plugin within [7] days.'
    >>> text[slice(*unbroken(text, 20, 34))], text[slice(*unbroken(text, 43, 50))]
    ('"policy" plugin', '[7] days')
    >>> text = "Reset it: ```sh alarm off"
    >>> text[slice(*unbroken(text, 13, 25))]
    'alarm off'
    >>> text = "It is in /home/<user>/.config/tea/ and in /etc."
    >>> text[slice(*unbroken(text, 9, 15))]
    '/home/<user>/.config/tea/'
    >>> text = "Es heißt „Haus am See“ und gibt {name: value} zurück."
    >>> text[slice(*unbroken(text, 10, 22))], text[slice(*unbroken(text, 32, 44))]
    ('„Haus am See“', '{name: value}')
    """
    for fence in _FENCE.finditer(text, 0, end):
        start = fence.end() if fence.start() <= start < fence.end() < end else start
    for whole in _UNBROKEN.finditer(text):
        if whole.start() < end and start < whole.end():
            start, end = min(start, whole.start()), max(end, whole.end())
    if (marks := _LED.search(text[:start])) and _LEADS_TO.match(text, start):
        start = marks.start()
    if text[end - 1 : end].isdigit() and (unit := _COUNTS.match(text, end)):
        end = unit.end()
    for opening, closing in _AROUND:
        n_open, n_closed = text.count(opening, start, end), text.count(closing, start, end)
        is_half = n_open % 2 == 1 if opening == closing else n_open != n_closed
        if is_half and n_closed >= n_open and text[:start].endswith(opening):
            start -= 1
        elif is_half and n_open >= n_closed and text.startswith(closing, end):
            end += 1
    return start, end


def part_of_total(form: Asked, text: str, start: int, end: int) -> tuple[int, int]:
    """Of a number and the total before it, the number alone if a number is asked for; else the span as it is.

    >>> text = "Of 161 drivers who came, 26 left."
    >>> text[slice(*part_of_total(Asked.NUMBER, text, 3, 27))]
    '26'
    """
    found = _TOTAL.fullmatch(text, start, end) if form is Asked.NUMBER else None
    return (found.start("part"), end) if found and _OUT_OF.search(text, 0, start) else (start, end)


def denies(text: str) -> bool:
    """Whether a text denies what follows it."""
    return bool(_DENIES.search(text))


def brief(form: Asked, question: str, text: str) -> str:
    """The amount, date or length of time in a text that answers, with the words that limit it, or the address; else
    the text as it is.

    Of several dates, the one after words of the question; of several amounts none, since what they count may follow.
    Nothing is taken out of a denial ("not more than twice"), or if the question asks for a condition ("When may …").

    >>> brief(Asked.NUMBER, "How much is it?", "The rent is up to £1,450 per month, payable in advance.")
    'up to £1,450 per month'
    >>> brief(Asked.DATE, "When?", "It is returned within ten days after the end of the tenancy, less any deductions.")
    'within ten days after the end of the tenancy'
    >>> brief(Asked.DATE, "When does it end?", "It begins on 1 July 2024 and ends on 30 June 2026.")
    'on 30 June 2026'
    >>> brief(Asked.DATE, "When does it start?", "It is for a term of six months beginning on 1 March 2024.")
    'on 1 March 2024'
    >>> brief(Asked.FREQUENCY, "How often?", "one pair of glasses for up to SEK 2500 every 3 years")
    'every 3 years'
    >>> brief(Asked.CLOCK, "At what time is it?", "The next meeting is on 2 April 2025 at 10:30 in room B12.")
    'at 10:30'
    >>> brief(Asked.EMAIL, "To which address?", "<bugs@example.org> which forwards messages to Jo")
    'bugs@example.org'
    >>> brief(Asked.ANYTHING, "Who is the chair?", "I'm Jen Cole"), brief(Asked.ANYTHING, "Who did it?", "by Ann Lee")
    ('Jen Cole', 'Ann Lee')
    """
    if _WHO.match(question):
        text = _PRESENTS.sub("", text)
    if _ASKS_WHO.match(question):
        text = _BY.sub("", text, count=1) if text.startswith("by ") else text
    if form is Asked.EMAIL:
        addresses = _ADDRESS.findall(text)
        return str(addresses[0]) if len(addresses) == 1 and not denies(text) else text
    pattern = _WHAT.get(form)
    is_few = form not in _ALONE and n_words(text) <= _FEW
    if form is Asked.PRICE and (first := first_amount(text)):
        return first
    if pattern is None or is_few or _CONDITION.search(question) or UNSPACED.search(text):
        return text
    matches = list(pattern.finditer(text))
    of_several = len(matches) > 1 and form in (Asked.DATE, Asked.CLOCK)
    found = _after_words_of(question, text, matches) if of_several else matches[0] if len(matches) == 1 else None
    if found is None:
        return text
    start, end = _limits(text, found)
    kept = _DANGLING.sub("", text[start:end].strip())
    is_chosen = of_several or form in _ALONE
    return kept if n_words(kept) <= _LONGEST and _is_safe(text, start, end, is_chosen=is_chosen) else text


def first_amount(text: str) -> str:
    """The amount of money with which a text begins, if others are said of something else after "and"; or the only one
    beside other numbers. Else empty.

    >>> first_amount("9.120 € und Kohlmann GmbH 8.400 €"), first_amount("40 spaces and costs £3 for the day")
    ('9.120 €', '£3 for the day')
    >>> first_amount("£5 and £6 on Sundays"), first_amount("between £5 and £6"), first_amount("up to 40 at £3 each")
    ('', '', '')
    """
    amounts = list(_MONEY.finditer(text))
    if len(amounts) > 1 and amounts[0].start() == 0 and _OF_ANOTHER.match(text, amounts[0].end()):
        return amounts[0][0]
    rest = _PER.match(text, amounts[0].end()) if len(amounts) == 1 else None
    is_cost = rest is not None and _COSTS.search(text, 0, amounts[0].start())
    return f"{amounts[0][0]}{rest[0]}" if rest and is_cost else ""


def _limits(text: str, found: re.Match[str]) -> tuple[int, int]:
    """The place of an amount or date with the words that limit it ("up to", "per month"); nothing follows a date."""
    before, after = _BEFORE.search(text, 0, found.start()), _END.search(text, found.end())
    end = after.start() if after else len(text)
    return before.start() if before else found.start(), found.end() if _WHOLE.fullmatch(found[0]) else end


def _is_safe(text: str, start: int, end: int, *, is_chosen: bool) -> bool:
    """Whether a part means alone what it means in the text; ``is_chosen`` if other dates in it do not count."""
    before, after = text[:start], text[end:]
    has_other = _SUPERSEDED.search(text) if is_chosen else _ANY_NUMBER.search(f"{before} {after}")
    shifts = _SHIFTS.search(before) and not (_TURN_ON.search(before) and text.startswith("on ", start))
    return not (has_other or shifts or _GOES_ON.match(after) or denies(before))


def _after_words_of(question: str, text: str, found: list[re.Match[str]]) -> re.Match[str] | None:
    """The only match between which and the one before it are words of the question; None if there is none such.

    If the question asks when something begins or ends, words for that count before all others.
    """
    words = (word for word in _WORD.findall(question.casefold()) if len(word) >= _STEM and word not in _SMALL)
    asked = tuple(word[: max(_STEM, len(word) - 2)] for word in words)
    starts = [0, *(one.end() for one in found)]
    between = [_WORD.findall(text[start : one.start()].casefold()) for start, one in zip(starts, found, strict=False)]
    said = _WORD.findall(question.casefold())
    turns = next((stems for stems in _TURNS if any(map(_starts(stems), said))), ())
    for stems in (turns, asked):
        named = [one for one, words in zip(found, between, strict=True) if any(map(_starts(stems), words))]
        if len(named) == 1:
            return named[0]
    return None


def _starts(stems: tuple[str, ...]) -> Callable[[str], bool]:
    return lambda word: bool(stems) and word.startswith(stems)
