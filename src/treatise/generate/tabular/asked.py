"""What a question asks of a table: an extreme, a count, a sum, an average, a difference, or the rows within a bound."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.currencies import CODES, SIGNS
from treatise.generate.tabular.degrees import FEWER, MAXIMA, MINIMA, MORE
from treatise.generate.tabular.numbers import read_values

_NUMERALS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")
_N: Final = rf"(?P<n>\d{{1,2}}|{'|'.join(_NUMERALS[1:])})"

_HIGHEST: Final = lazy_pattern(rf"\b(?:{MAXIMA}|top)\b", re.I)
_LOWEST: Final = lazy_pattern(rf"\b(?:{MINIMA}|bottom|least expensive)\b", re.I)
_RANKED: Final = lazy_pattern(
    rf"\b(?P<rank>{'|'.join(_ORDINALS[1:])}|[2-5](?:nd|rd|th))[ -](?:{MAXIMA}|{MINIMA})\b", re.I
)
_SEVERAL: Final = lazy_pattern(
    rf"\b(?:top|bottom|{MAXIMA}|{MINIMA})\s+{_N}\b|"
    rf"\b(?:which|what|the|name|list)\s+{_N.replace('<n>', '<m>')}\b(?=\s+[a-z])",
    re.I,
)
_AS_OTHERWISE: Final = lazy_pattern(
    r"\bat (?:the )?(?:most|least)\b|\bmost (?:recent|of|common|frequent|popular|often|likely)\w*|"
    r"\bleast (?:recent|common|popular)|\bfor the most part\b|\balmost\b",
    re.I,
)
_OTHER_EXTREME: Final = lazy_pattern(
    r"\b(?:which|what)\b.{1,40}\b(?:is|are|was|were|has|have|had|did) (?:the )?"
    r"(?:best|worst|safest|richest|poorest|fastest|slowest|strongest|weakest|hottest|coldest|busiest)\b",
    re.I,
)
_MONTHS: Final = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_BOUND: Final = lazy_pattern(
    rf"\b(?:(?P<above>{MORE}) than|(?P<over>over|above|exceeding)|"
    rf"(?P<least>at least|no (?:less|fewer) than)|(?P<below>{FEWER}) than|"
    r"(?P<under>under|below)|(?P<most>at most|no more than|up to)|(?P<exactly>exactly))\s+"
    rf"(?P<before>[{SIGNS}]|(?:{CODES})(?=[ \d]))?\s?(?P<number>\d[\d.,]*(?<![.,]))(?!\d)(?!\s+(?:{_MONTHS}))"
    rf"\s*(?P<after>(?P<percent>%|percent\b|per cent\b)|[{SIGNS}]|(?:{CODES})\b)?",
    re.I,
)
_ZERO: Final = lazy_pattern(
    r"\b(?:no|zero|without(?: any)?|did(?: not|n['’]t) (?:have|suffer|record|report)(?: any)?)\b"
    r"(?! (?:more|less|fewer|longer|later|earlier))",
    re.I,
)
_COUNT: Final = lazy_pattern(r"\bhow many\b|\bnumber of\b", re.I)
_TABLE: Final = "(?:list|table|sheet|file|data ?set|data|csv|spreadsheet|workbook)"
_HOW_MANY: Final = lazy_pattern(r"\s*how many\b", re.I)
_LISTED: Final = lazy_pattern(
    r"\b(?:are|were|is) (?:there|listed|named|included|covered|shown|given|recorded)\b|"
    rf"\b(?:are |is |were )?(?:listed |there |included |shown )?(?:in|on) (?:the|this|that) (?:\w+ )?{_TABLE}\b|"
    rf"\bdoes (?:the|this) {_TABLE} (?:list|have|contain|include|cover|name|show)\b",
    re.I,
)
_TOTAL: Final = lazy_pattern(
    r"\b(?:in total|total(?: number| amount| sum)?(?: of)?|sum(?: of| total)?(?: of)?|altogether|in all|combined|"
    r"overall|summe|insgesamt|gesamt(?:summe|betrag|zahl|wert)?)\b",
    re.I,
)
_BARE_TOTAL: Final = lazy_pattern(
    r"\b(?:total|sum|summe|gesamt\w*|average|mean|median|durchschnitt|mittelwert)\b", re.I
)
"""What asks for a sum or an average in a phrase without a verb: "combined ticket" and "overall length" are names."""
_AVERAGE: Final = lazy_pattern(
    r"\b(?:(?:average|mean|on average)\b(?: (?:number|amount|value))?(?: of)?|(?:im )?durchschnitt(?:lich\w*)?|"
    r"mittelwert)\b",
    re.I,
)
_MEDIAN: Final = lazy_pattern(r"\bmedian\b", re.I)
_MORE_OR_FEWER: Final = lazy_pattern(rf"\bhow (?:many|much) (?:{MORE}|(?P<fewer>{FEWER}))\b", re.I)
_CHANGE: Final = lazy_pattern(
    r"\bhow (?:much|many [\w -]{1,40}?) (?:did|has|have)\b.{1,60}?\b"
    r"(?P<verb>(?P<rises>gr[eo]wn?|rise|risen|increased?|gain(?:ed)?|changed?)|"
    r"fall(?:en)?|lose|lost|drop(?:ped)?|decreased?|declined?|shrink)\b(?= (?:from|between)\b)",
    re.I,
)
"""How a change from one column to another is asked for."""
_DIFFERENCE: Final = lazy_pattern(r"\bdifference\b", re.I)
_EXTREME_DIFFERENCE: Final = lazy_pattern(rf"\b(?:{MAXIMA}|{MINIMA}) (?:\w+ )?differences?\b", re.I)
_THING: Final = lazy_pattern(
    r"\b(?:which|what|whose|name(?: an?| the)?|list(?: all)?(?: the)?|how many|number of|welche[mnrs]?|wie ?viele)\s+"
    r"(?:of the\s+|(?:is|are|was|were) the\s+)?(?:names? of (?:the |an? )?)?(?P<thing>.+?)"
    r"(?=\s+(?:is|are|was|were|has|have|had|did|do|does|with|without|that|which|who|of|in|from|for|by|on|there|listed|"
    rf"ist|sind|hat|haben|hatten?|war|waren|gibt|{MAXIMA}|{MINIMA}|drinks?|got|gets?|received?)\b|['’]s?\s|[?.,;]|$)",
    re.I,
)
_THAN_ROW: Final = lazy_pattern(r"\b(?:more|less|\w+er)\b.{0,60}\bthan\b", re.I)
_QUOTED: Final = lazy_pattern(r"\"[^\"]*\"|“[^”]*”")
_COMPARATIVE: Final = lazy_pattern(rf"\b(?:{MORE}|{FEWER})\b", re.I)
_DIFFERENT: Final = lazy_pattern(r"\b(?:different|distinct|unique)\b", re.I)
_VERB: Final = lazy_pattern(r"(?:is|are|was|were|has|have|had|did|do|does|ist|sind|hat|haben|waren)\b", re.I)
_NOT: Final = lazy_pattern(
    r"\b(?:not|never|neither|nor|except|excluding|excludes?|besides|apart from|other than|unless|if|per|each|every|"
    r"same|both|either)\b|n['’]t\b",
    re.I,
)
_VALUE_ASKED: Final = lazy_pattern(
    r"\s*(?:(?:what|how (?:long|tall|high|big|large|heavy|deep|wide|many|much))(?:\s+(?:is|was|are|were)|['’]s)\s+the|"
    r"(?:was|welche[rs]?|wie (?:hoch|groß|lang|schwer|tief|breit|teuer|viele?))\s+(?:ist|sind|war|waren|beträgt)\s+"
    r"(?:der|die|das)|(?:give|tell|show)\s+(?:me\s+)?the|(?:nenne?|zeige?)\s+(?:mir\s+)?(?:den|die|das))\s+"
    rf"(?:\w+\s+)?(?:{MAXIMA}|{MINIMA})\b",
    re.I,
)
_ASKS: Final = lazy_pattern(
    r"\b(?:what|which|how (?:many|much|long|tall|big|large|old|high)|who|when|where|give|tell|show)\b", re.I
)
_ASKS_ELSEWHERE: Final = lazy_pattern(
    r"(?:was (?:ist|sind|war|waren|kostet|kosten|wiegt|beträgt)|wie|wer|wo|wann|welche[mnrs]?|nenne?|zeige?|"
    r"combien|quel(?:le)?s?|cu[aá]nt[oa]s?|cu[aá]l(?:es)?|qu[eé]|quant[aeio]|qual[ei]?)\b",
    re.I,
)
"""How questions for a value begin in other languages."""

_COMPARES: Final = lazy_pattern(
    rf"\b(?:{MORE}|{FEWER}|better|than|or|not|same|(?-i:others?)|before|after|above|below|next|"
    r"previous|between|beyond|besides|except|without|both|all|last|first|same|combined|together|"
    r"mehr|weniger|als|oder|nicht|ohne|außer|zwischen|beide[nrs]?|höher|niedriger|teurer|billiger|größer|kleiner|"
    r"oberhalb|unterhalb|moins|más|menos|più|meno)\b|\b(?:over|under|über|unter)(?: \w+){0,3} \d|n['’]t\b",
    re.I,
)
"""Words by which a question asks for more than a cell."""
_SENTENCE: Final = lazy_pattern(
    r"\b(?:is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|(?-i:will)|would|shall|should|(?-i:may)|might|must|how|what|"
    r"which|who|whom|whose|where|when|why|give|tell|show|list|name|find|"
    r"wie(?:viele?)?|wer|wann|warum|welche[mnrs]?|combien|quel(?:le)?s?|cu[aá]nt[oa]s?|cu[aá]l(?:es)?|quant[aeio])\b|"
    r"^\W*(?:will|may|ist|sind|hat|haben|war|waren|kann|können|gibt|est|sont|es|son|è|sono)\b|"
    r"['’]s (?:the|a|an)\b",
    re.I,
)
"""Words of sentences: verbs, and what questions begin with, in other languages too."""
_WHO: Final = lazy_pattern(r"\bwho(?:se)?\b", re.I)


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


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit of the values.

    Attributes:
        sign: ``">"``, ``">="``, ``"<"``, ``"<="`` or ``"="``.
        number: The limit.
        unit: ``"%"``, or a currency's sign or code; empty if not said.
        written: The number as the question has it; empty for "no" and "without".
    """

    sign: str
    number: float
    unit: str = ""
    written: str = field(default="", repr=False, compare=False)

    def holds(self, value: float) -> bool:
        """Whether a value is within it."""
        return {
            ">": value > self.number,
            ">=": value >= self.number,
            "<": value < self.number,
            "<=": value <= self.number,
            "=": value == self.number,
        }[self.sign]


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
        is_negated: Whether the question leaves something out, which is not computed.
        wants_value: Whether the extreme itself is asked for and not its row.
        is_fewer: Whether a difference is asked for downwards.
        is_distinct: Whether different values are to be counted, and not rows.
        is_change: Whether a difference is from one column to another.
    """

    op: Op
    spans: tuple[tuple[int, int], ...] = ()
    thing: tuple[int, int] = (0, 0)
    n: int = 1
    rank: int = 1
    bound: Bound | None = None
    is_negated: bool = False
    wants_value: bool = False
    is_fewer: bool = False
    is_distinct: bool = False
    is_change: bool = False


def asked_of_table(question: str) -> Computation | None:
    """What a question asks of a table; None if it asks nothing.

    >>> asked = asked_of_table("Which three towns have the most inns?")
    >>> str(asked.op), asked.n, asked_of_table("How many towns have more than 5 inns?").bound
    ('highest', 3, Bound(sign='>', number=5.0, unit=''))
    """
    question = _QUOTED.sub(lambda match: " " * len(match[0]), question)  # a title asks nothing
    thing = asked_thing(question)
    is_negated = _NOT.search(_ZERO.sub(" ", question)) is not None
    bound, bound_spans = _bound(question)
    if (match := _MORE_OR_FEWER.search(question)) or (match := _difference(question)):
        is_fewer = bool(match.groupdict().get("fewer"))
        return Computation(Op.DIFFERENCE, (match.span(),), is_negated=is_negated, is_fewer=is_fewer)
    if match := _CHANGE.search(question):
        is_rise = match["rises"] is not None
        return Computation(
            Op.DIFFERENCE, (match.span("verb"),), is_negated=is_negated, is_fewer=is_rise, is_change=True
        )
    if found := _extreme(question, thing, bound is not None, is_negated):
        return found
    if _OTHER_EXTREME.search(question):
        return Computation(Op.HIGHEST, (), thing)
    if _THAN_ROW.search(question) and bound is None and thing != (0, 0):
        return Computation(Op.WITHIN, (), thing, is_negated=True)
    counts = _COUNT.search(question)
    if bound and thing != (0, 0):
        op = Op.COUNT if counts else Op.WITHIN
        return Computation(op, (*bound_spans, *_listed(question)), thing, bound=bound, is_negated=is_negated)
    listed = _listed(question)
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
    return is_phrase or _ASKS.search(question) is not None or _ASKS_ELSEWHERE.match(question.strip()) is not None


def _difference(question: str) -> re.Match[str] | None:
    """The word that asks for a difference; None for the extreme of a column of differences."""
    return None if _EXTREME_DIFFERENCE.search(question) else _DIFFERENCE.search(question)


def adds_up(text: str) -> bool:
    """Whether a text speaks of a sum: "the highest total revenue", and the head of a column of totals."""
    return _TOTAL.search(text) is not None


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
        _asks_value(question) or not question.strip().endswith("?") or is_bare(question)
    )


def _asks_value(question: str) -> bool:
    return _ASKS.match(question.strip()) is not None or _ASKS_ELSEWHERE.match(question.strip()) is not None


def is_bare(question: str) -> bool:
    """Whether a question is a phrase without a verb: "Population of Texas?"."""
    return _SENTENCE.search(question) is None


def asked_thing(question: str) -> tuple[int, int]:
    """Place of the words after "which" or "how many" that say what is asked for; ``(0, 0)`` if absent."""
    match = _THING.search(question)
    return match.span("thing") if match and not _VERB.match(match["thing"]) else (0, 0)


def _listed(question: str) -> tuple[tuple[int, int], ...]:
    return tuple(one.span() for one in _LISTED.finditer(question))


def _extreme(question: str, thing: tuple[int, int], is_bound: bool, is_negated: bool) -> Computation | None:
    plain = _AS_OTHERWISE.sub(lambda match: " " * len(match[0]), question)
    highest, lowest = _HIGHEST.search(plain), _LOWEST.search(plain)
    if bool(highest) == bool(lowest) or not (_ASKS.search(question) or _ASKS_ELSEWHERE.match(question.strip())):
        return None
    match = highest or lowest
    assert match is not None
    spans = [match.span()]
    n, rank = 1, 1
    if ranked := _RANKED.search(plain):
        word = ranked["rank"].casefold()
        rank = _ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[0])
        spans.append(ranked.span())
    if several := _SEVERAL.search(plain):
        word = (several["n"] or several["m"]).casefold()
        n = _NUMERALS.index(word) + 1 if word in _NUMERALS else int(word)
        spans.append(several.span("n" if several["n"] else "m"))
    wants_value = _VALUE_ASKED.match(question) is not None
    return Computation(
        Op.HIGHEST if highest else Op.LOWEST,
        tuple(spans),
        (0, 0) if wants_value else thing,
        n,
        rank,
        is_negated=is_negated or is_bound,
        wants_value=wants_value,
    )


def _bound(question: str) -> tuple[Bound | None, tuple[tuple[int, int], ...]]:
    """The only limit that a question names, and its place."""
    found = list(_BOUND.finditer(question))
    zeros = [one for one in _ZERO.finditer(question) if not any(b.start() <= one.start() < b.end() for b in found)]
    if len(found) + len(zeros) != 1:
        return None, ()
    if zeros:
        return Bound("=", 0.0), ((zeros[0].start(), zeros[0].start() + len(zeros[0][0].split()[0])), *_at_all(question))
    match = found[0]
    sign = next(
        sign
        for sign, names in (
            (">", "above over"),
            (">=", "least"),
            ("<", "below under"),
            ("<=", "most"),
            ("=", "exactly"),
        )
        if any(match[name] for name in names.split())
    )
    number = read_values({0: match["number"]}).by_row.get(0)
    if number is None:
        return None, ()
    unit = "%" if match["percent"] else (match["before"] or match["after"] or "")
    return Bound(sign, number, unit, match["number"]), (match.span(),)


def _at_all(question: str) -> tuple[tuple[int, int], ...]:
    return tuple(one.span() for one in re.finditer(r"\bat all\b", question, re.I))
