"""What a question asks of a table: an extreme, a count, a sum, an average, a difference, or the rows within a bound."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.tabular.bounds import Bound, Ends, bound_in, ends_in, without_zeros
from treatise.generate.tabular.languages import ALL, ENGLISH, LANGUAGES

_NUMERALS: Final = {
    word: n for language in LANGUAGES for n, word in enumerate(language.numerals.split("|"), start=1) if word
}
_ORDINALS: Final = {
    word: n for language in LANGUAGES for n, word in enumerate(language.ordinals.split("|"), start=2) if word
}
_SUPERLATIVE: Final = f"(?:{ALL.highest}|{ALL.lowest})"
_N: Final = rf"\d{{1,2}}|{'|'.join(word for word, n in _NUMERALS.items() if n > 1)}"

_HIGHEST: Final = lazy_pattern(rf"\b(?:{ALL.highest}|{ALL.top})\b", re.I)
_LOWEST: Final = lazy_pattern(rf"\b(?:{ALL.lowest}|{ALL.bottom})\b", re.I)
_RANKED: Final = lazy_pattern(rf"\b(?P<rank>{'|'.join(_ORDINALS)}|[2-5](?:nd|rd|th))[ -]{_SUPERLATIVE}\b", re.I)
_SEVERAL: Final = lazy_pattern(
    rf"\b(?:{ALL.top}|{ALL.bottom}|{_SUPERLATIVE})\s+(?P<after>{_N})\b|"
    rf"\b(?:{ALL.several})\s+(?P<before>{_N})\b(?=\s+[a-z])",
    re.I,
)
_NOT_EXTREME: Final = lazy_pattern(rf"\b(?:{ALL.not_extreme})", re.I)
_OPEN_EXTREME: Final = lazy_pattern(
    rf"\b(?:{ALL.which})\b.{{1,40}}\b(?:{ALL.verbs}) (?:(?:{ALL.articles}) )?(?:{ALL.open_extreme})\b", re.I
)
_COUNT: Final = lazy_pattern(rf"\b(?:{ALL.how_many}|{ALL.count_of})\b", re.I)
_HOW_MANY: Final = lazy_pattern(rf"\s*(?:{ALL.how_many})\b", re.I)
_RELATING: Final = lazy_pattern(rf"\b(?:{ALL.relating})\b", re.I)
_LISTED: Final = lazy_pattern(rf"\b(?:{ALL.listed})\b", re.I)
_TOTAL: Final = lazy_pattern(rf"\b(?:{ALL.total})\b", re.I)
_AVERAGE: Final = lazy_pattern(rf"\b(?:{ALL.average})\b", re.I)
_MEDIAN: Final = lazy_pattern(rf"\b(?:{ALL.median})\b", re.I)
_BARE_TOTAL: Final = lazy_pattern(rf"\b(?:{ALL.bare_total})\b", re.I)
_MORE_OR_FEWER: Final = lazy_pattern(
    rf"\b(?:{ALL.how_many}|{ALL.how_much}) (?:{ALL.more}|(?P<fewer>{ALL.fewer}))\b", re.I
)
_CHANGE: Final = lazy_pattern(
    rf"\b(?:(?:{ALL.how_much})|(?:{ALL.how_many}) [\w -]{{1,40}}?) (?:{ALL.did})\b.{{1,60}}?\b"
    rf"(?P<verb>(?P<rises>{ALL.rises})|{ALL.falls})\b(?=\s+(?:{ALL.from_}|{ALL.between})\b)",
    re.I,
)
"""How a change from one column to another is asked for."""
_PERCENT_CHANGE: Final = lazy_pattern(
    rf"\b(?:(?:{ALL.how_much}|{ALL.how_many}|{ALL.which}) )?(?P<percent>{ALL.percent})\s(?:{ALL.did})\b.{{1,80}}?\b"
    rf"(?P<verb>(?P<rises>{ALL.rises}|change)|{ALL.falls})\b(?= (?:.{{1,40}} )?(?:{ALL.from_}|{ALL.between})\b)|"
    rf"\b(?:{ALL.value_is}) (?P<noun>(?:{ALL.percent}) (?:(?P<growth>{ALL.changes}|rise|gain)|decline|drop|fall|loss))"
    rf"\b(?=.* (?:{ALL.from_}|{ALL.between})\b)",
    re.I,
)
"""The same in percent: "By how much percent did sales grow from …?", "the percentage change in sales from …"."""
_DECREASE: Final = lazy_pattern(rf"\b(?:{ALL.decreases})\b", re.I)
_IN_PERCENT: Final = lazy_pattern(rf"\b(?:in|as a) (?:{ALL.percent})", re.I)
DIFFERENCE: Final = lazy_pattern(rf"\b(?:{ALL.difference})\b", re.I)
_EXTREME_DIFFERENCE: Final = lazy_pattern(rf"\b{_SUPERLATIVE} (?:\w+ )?(?:{ALL.difference})s?\b", re.I)
_THING: Final = lazy_pattern(
    rf"\b(?:{ALL.which}|{ALL.how_many}|{ALL.count_of})\s+(?:{ALL.before_thing})(?P<thing>.+?)"
    rf"(?=\s+(?:{ALL.verbs}|{ALL.after_thing}|{_SUPERLATIVE})\b|['’]s?\s|[?.,;]|$)",
    re.I,
)
_THAN_ROW: Final = lazy_pattern(rf"\b(?:{ALL.comparative})\b.{{0,60}}\b(?:{ALL.than})\b", re.I)
_QUOTED: Final = lazy_pattern(r"\"[^\"]*\"|“[^”]*”")
_COMPARATIVE: Final = lazy_pattern(rf"\b(?:{ALL.more}|{ALL.fewer})\b", re.I)
_DIFFERENT: Final = lazy_pattern(rf"\b(?:{ALL.different})\b", re.I)
_VERB: Final = lazy_pattern(rf"(?:{ALL.verbs})\b", re.I)
_NOT: Final = lazy_pattern(rf"\b(?:{ALL.negation})\b", re.I)
_VALUE_ASKED: Final = lazy_pattern(rf"\s*(?:{ALL.the_value})\s+(?:\w+\s+)?{_SUPERLATIVE}\b", re.I)
_BEGINS_EXTREME: Final = lazy_pattern(rf"\s*(?:(?:{ALL.articles})\s+)?{_SUPERLATIVE}\b", re.I)
_ASKS: Final = lazy_pattern(rf"\b(?:{ALL.value})\b", re.I)
_ASKS_WHERE: Final = lazy_pattern(rf"\s*(?:{ALL.where})\b", re.I)
_COMPARES: Final = lazy_pattern(
    rf"\b(?:{ALL.more}|{ALL.fewer}|{ALL.compares})\b|\b(?:{ALL.beside})(?: \w+){{0,3}} \d", re.I
)
_SENTENCE: Final = lazy_pattern(rf"\b(?:{ALL.sentence})\b|^\W*(?:{ALL.opens_sentence})\b|['’]s (?:the|a|an)\b", re.I)
_WHO: Final = lazy_pattern(rf"\b(?:{ENGLISH.who})\b", re.I)


class Op(StrEnum):
    """What is to be done with a column."""

    HIGHEST = "highest"
    LOWEST = "lowest"
    COUNT = "count"
    WITHIN = "within"
    TOTAL = "sum"
    AVERAGE = "average"
    MEDIAN = "median"
    DIFFERENCE = "difference"
    CELL = "cell"


SUMMED: Final = (Op.TOTAL, Op.AVERAGE, Op.MEDIAN)
"""What is computed of all rows that have what the question names."""


@dataclass(frozen=True, slots=True)
class Computation:
    """What a question asks of a table.

    Attributes:
        op: What is to be done.
        spans: Places of the words that say so.
        thing: Place of the words that say what is asked for; ``(0, 0)`` if absent.
        n: Number of rows asked for.
        rank: Which of the extremes: 2 for the second highest.
        bound: The limit that the rows are to keep.
        ends: The range that they are to be in.
        is_negated: Whether the question leaves something out, which is not computed.
        wants_value: Whether the extreme itself is asked for and not its row.
        is_fewer: Whether a difference is asked for downwards.
        is_distinct: Whether different values are to be counted, and not rows.
        is_change: Whether a difference is from one column to another.
        is_percent: Whether it is to be in percent of the first.
    """

    op: Op
    spans: tuple[tuple[int, int], ...] = ()
    thing: tuple[int, int] = (0, 0)
    n: int = 1
    rank: int = 1
    bound: Bound | None = None
    ends: Ends | None = None
    is_negated: bool = False
    wants_value: bool = False
    is_fewer: bool = False
    is_distinct: bool = False
    is_change: bool = False
    is_percent: bool = False


def asked_of_table(question: str) -> Computation | None:
    """What a question asks of a table; None if it asks nothing.

    >>> asked = asked_of_table("Which three towns have the most inns?")
    >>> str(asked.op), asked.n, asked_of_table("How many towns have more than 5 inns?").bound
    ('highest', 3, Bound(sign='>', number=5.0, unit=''))
    """
    question = _QUOTED.sub(lambda match: " " * len(match[0]), question)  # a title asks nothing
    if found := _difference(question):
        return found
    ends = ends_in(question)
    found = _computation(without_range(question, ends))
    return replace(found, ends=ends) if found else None


def asked_of_range(question: str) -> Computation | None:
    """The list or count of rows within a range that a question may ask for; None if it asks otherwise.

    >>> asked = asked_of_range("How many bills are between 100 and 500 €?")
    >>> str(asked.op), asked_of_range("How many bills are unpaid?")
    ('count', None)
    """
    ends = ends_in(question)
    plain = without_range(question, ends)
    thing = asked_thing(plain)
    if ends and thing == (0, 0) and is_bare(question):
        thing = (0, ends.span[0])
    if ends is None or thing == (0, 0):
        return None
    counts = _COUNT.search(plain)
    spans = (*_listed(plain), *_relating(plain), *([counts.span()] if counts else ()))
    is_negated = _NOT.search(plain) is not None or _COMPARATIVE.search(plain) is not None
    return Computation(Op.COUNT if counts else Op.WITHIN, spans, thing, ends=ends, is_negated=is_negated)


def without_range(question: str, ends: Ends | None) -> str:
    """The question with its range blanked, at the same places."""
    first, last = ends.span if ends else (0, 0)
    return question[:first] + " " * (last - first) + question[last:]


def _difference(question: str) -> Computation | None:
    """The difference that a question asks for; None if it asks for none, or for the extreme of a column of them."""
    is_negated = _is_negated(question)
    noun = None if _EXTREME_DIFFERENCE.search(question) else DIFFERENCE.search(question)
    if match := _MORE_OR_FEWER.search(question) or noun:
        is_fewer = bool(match.groupdict().get("fewer"))
        return Computation(Op.DIFFERENCE, (match.span(),), is_negated=is_negated, is_fewer=is_fewer)
    return _change(question, is_negated)


def _change(question: str, is_negated: bool) -> Computation | None:
    """The change from one column or row to another that a question asks for; None if it asks for none."""
    percent, in_percent = _PERCENT_CHANGE.search(question), _IN_PERCENT.search(question)
    match = percent or _CHANGE.search(_IN_PERCENT.sub(lambda found: " " * len(found[0]), question))
    if match is None:
        return None
    said = [name for name in ("verb", "noun", "percent") if match.groupdict().get(name)]
    spans = tuple(match.span(name) for name in said) + ((in_percent.span(),) if in_percent else ())
    is_rise = bool(match["rises"] or match.groupdict().get("growth")) and not _DECREASE.search(match[0])
    is_percent = percent is not None or in_percent is not None
    return Computation(
        Op.DIFFERENCE, spans, is_negated=is_negated, is_fewer=is_rise, is_change=True, is_percent=is_percent
    )


def _is_negated(question: str) -> bool:
    return _NOT.search(without_zeros(question)) is not None


def _computation(question: str) -> Computation | None:
    """What a question without a range asks for."""
    thing = asked_thing(question)
    is_negated = _is_negated(question)
    bound, bound_spans = bound_in(question)
    is_summed = any(pattern.search(question) for pattern in (_TOTAL, _AVERAGE, _MEDIAN))
    if bound and bound.written and thing == (0, 0) and is_bare(question) and not is_summed:
        thing = (0, bound_spans[0][0])
    if found := _extreme(question, thing, bound is not None, is_negated):
        return found
    if _OPEN_EXTREME.search(question):
        return Computation(Op.HIGHEST, (), thing)
    if _THAN_ROW.search(question) and bound is None and thing != (0, 0):
        return Computation(Op.WITHIN, (), thing, is_negated=True)
    counts, listed = _COUNT.search(question), _listed(question)
    if bound and (thing != (0, 0) or (bound.written and _ASKS_WHERE.match(question))):
        op = Op.COUNT if counts else Op.WITHIN
        spans = (*bound_spans, *listed, *_relating(question), *([counts.span()] if counts else ()))
        return Computation(op, spans, thing, bound=bound, is_negated=is_negated)
    if counts and listed:
        different = _DIFFERENT.search(question)
        spans = (*listed, counts.span(), *([different.span()] if different else ()))
        return Computation(Op.COUNT, spans, thing, is_negated=is_negated, is_distinct=different is not None)
    for op, pattern in ((Op.TOTAL, _TOTAL), (Op.AVERAGE, _AVERAGE), (Op.MEDIAN, _MEDIAN)):
        if (found_words := [one.span() for one in pattern.finditer(question)]) and _asks_aggregate(question):
            is_compared = _COMPARATIVE.search(question) is not None
            return Computation(op, tuple(found_words), thing, is_negated=is_negated or is_compared)
    return None


def _asks_aggregate(question: str) -> bool:
    is_phrase = is_bare(question) and _BARE_TOTAL.search(question) is not None
    return is_phrase or _ASKS.search(question) is not None


def total_words(question: str) -> tuple[tuple[int, int], ...]:
    """Places of the words that ask for a total, and of those that ask how many there are."""
    totals = tuple(one.span() for one in _TOTAL.finditer(question))
    return (*totals, *_listed(question)) if totals else _listed(question)


def adds_up(text: str) -> bool:
    """Whether a text speaks of a sum: "the highest total revenue", and the head of a column of totals."""
    return _TOTAL.search(text) is not None


def speaks_of_average(text: str) -> bool:
    """Whether a text has a word for an average or a median."""
    return _AVERAGE.search(text) is not None or _MEDIAN.search(text) is not None


def count_of_rows(question: str) -> Computation | None:
    """The count that "How many invoices are unpaid?" may ask for; None if the question does not begin like that."""
    match = _HOW_MANY.match(question)
    thing = asked_thing(question)
    if match is None or thing == (0, 0):
        return None
    return Computation(Op.COUNT, (match.span(),), thing, is_negated=_NOT.search(question) is not None)


def compares(question: str) -> bool:
    """Whether a question compares rows, leaves some out, or asks for several things."""
    return _COMPARES.search(question) is not None


def asks_cell(question: str) -> bool:
    """Whether a question may ask for a cell: it is no yes-or-no question, and compares nothing."""
    return not (compares(question) or _WHO.search(question)) and (
        _ASKS.match(question.strip()) is not None or not question.strip().endswith("?") or is_bare(question)
    )


def is_bare(question: str) -> bool:
    """Whether a question is a phrase without a verb: "Population of Texas?"."""
    return _SENTENCE.search(question) is None


def asked_thing(question: str) -> tuple[int, int]:
    """Place of the words after "which" or "how many" that say what is asked for; ``(0, 0)`` if absent."""
    match = _THING.search(question)
    return match.span("thing") if match and not _VERB.match(match["thing"]) else (0, 0)


def _listed(question: str) -> tuple[tuple[int, int], ...]:
    return tuple(one.span() for one in _LISTED.finditer(question))


def _relating(question: str) -> tuple[tuple[int, int], ...]:
    return tuple(one.span() for one in _RELATING.finditer(question))


def _extreme(question: str, thing: tuple[int, int], is_bound: bool, is_negated: bool) -> Computation | None:
    plain = _NOT_EXTREME.sub(lambda match: " " * len(match[0]), question)
    highest, lowest = _HIGHEST.search(plain), _LOWEST.search(plain)
    is_phrase = is_bare(question) and _BEGINS_EXTREME.match(question) is not None
    if bool(highest) == bool(lowest) or not (is_phrase or _ASKS.search(question)):
        return None
    match = highest or lowest
    assert match is not None
    spans = [match.span()]
    n, rank = 1, 1
    if ranked := _RANKED.search(plain):
        word = ranked["rank"].casefold()
        rank = _ORDINALS.get(word) or int(word[0])
        spans.append(ranked.span())
    if several := _SEVERAL.search(plain):
        place = "after" if several["after"] else "before"
        word = several[place].casefold()
        n = _NUMERALS.get(word) or int(word)
        spans.append(several.span(place))
    wants_value = is_phrase or _VALUE_ASKED.match(question) is not None
    return Computation(
        Op.HIGHEST if highest else Op.LOWEST,
        tuple(spans),
        (0, 0) if wants_value else thing,
        n,
        rank,
        is_negated=is_negated or is_bound,
        wants_value=wants_value,
    )
