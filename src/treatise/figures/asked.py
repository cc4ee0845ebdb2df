"""What figure a question asks for: a line or measure, its years, and what is to be done with them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from treatise.core.patterns import lazy_pattern
from treatise.core.periods import Length, length_of
from treatise.figures.formula import Names, Operand, Token, parse_formula
from treatise.figures.lines import LINES, PER_SHARE
from treatise.figures.metrics import METRICS, Unit
from treatise.figures.narrowed import excludes, has_number, has_quotient, has_unit, is_narrowed, names_unit

_YEARS: Final = lazy_pattern(
    r"\b(?:FY|fiscal(?: year)?) ?['’]?((?:19|20)\d\d|\d\d)\b|(?<!\w)['’](\d\d)\b|(?<![\d.$])((?:19|20)\d\d)(?![\d%])",
    re.IGNORECASE,
)
_DEFINITION: Final = lazy_pattern(
    r"(?:^|(?<=[.?:] ))(?:Please )?(?:Define |Calculate |Compute )?(?P<name>[^.?:]{2,60}?)"
    r"(?: \([A-Z]{2,6}\))? (?:is|are)? ?(?:defined|calculated|computed)? ?as:? (?P<formula>.+?)(?=\.(?:\s|$)|$)",
    re.IGNORECASE,
)
_IT: Final = ("it", "this", "that")
_DEFINES: Final = lazy_pattern(r"\b(?:defined|calculated|computed) as\b|\bdefine\b.+\bas\b", re.IGNORECASE)
_SENTENCE: Final = lazy_pattern(r"(?<=[.?;])\s+(?=[A-Z\"“])|(?<=:)\s+(?=what|how|did|does|has)", re.ASCII)
_BRACKETS: Final = lazy_pattern(r"\([^()]*\)")
_STATEMENTS: Final = lazy_pattern(
    r"\b(?:consolidated )?(?:balance sheets?|"
    r"(?:income|cash ?flows?|earnings|p ?& ?l|profit (?:and|&) loss) statements?|"
    r"statements? of (?:\w+ )?(?:income|operations|earnings|cash ?flows?|financial (?:position|condition)))",
    re.IGNORECASE,
)
_SHARE: Final = lazy_pattern(r"\bas an? (?:%|percent(?:age)?|share|fraction|proportion) of\b", re.IGNORECASE)
_PART_OF: Final = lazy_pattern(r"\bwhat (?:%|percent(?:age)?|share|fraction|proportion) of\b", re.IGNORECASE)
_GROWTH: Final = lazy_pattern(
    r"\b(?:year[- ]over[- ]year|yoy|annual) (?:change|growth|increase)|\bgrowth(?: rate)?\b|"
    r"\bpercent(?:age)? (?:change|increase|decrease)|\bby what percent",
    re.IGNORECASE,
)
_CAGR: Final = lazy_pattern(r"\bcagr\b|\bcompound(?:ed)? annual growth(?: rate)?", re.IGNORECASE)
_CHANGE: Final = lazy_pattern(
    r"\bhow (?:much )?(?:has|have|did|do)\b.*\b(?:change|increase|decrease|grow|fall|rise|decline)d?\b|"
    r"\b(?:change|increase|decrease|fall|rise|decline|drop) (?:in|of)\b",
    re.IGNORECASE,
)
_AVERAGE: Final = lazy_pattern(r"\baverage\b", re.IGNORECASE)
_UP: Final = lazy_pattern(
    r"\b(?:grow|grew|growing|increase[sd]?|increasing|improv\w+|rise|rose|rising|expand\w*|higher)\b", re.I
)
_DOWN: Final = lazy_pattern(
    r"\b(?:decreas\w+|declin\w+|fall|fell|drop\w*|shrink\w*|lower|deteriorat\w+)\b", re.IGNORECASE
)
_LOSS: Final = lazy_pattern(r"\bloss(?:es)?\b", re.IGNORECASE)
_ANNUAL: Final = lazy_pattern(r"\b(?:average|annual(?:ly)?|yearly|yoy|per year|year[- ]over[- ]year)\b", re.IGNORECASE)
_SIGN: Final = lazy_pattern(r"\b(?P<positive>positive)\b|\bnegative\b", re.IGNORECASE)
_OPEN: Final = lazy_pattern(r"\b(?:what|how|which|who|why|when|where)\b", re.IGNORECASE)
_HOW_MUCH: Final = lazy_pattern(r"\W*(?:what (?:is|was|were|are)|how much)\b", re.IGNORECASE)
_SCALED: Final = lazy_pattern(
    r"\bin (?:US ?D(?:ollars)?|US\$|\$|dollars)? ?(?:in )?(thousand|million|billion)s?\b", re.IGNORECASE
)
_SCALES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_DECIMALS: Final = lazy_pattern(r"\b(one|two|three|\d) decimal", re.IGNORECASE)
_NUMERALS: Final = {"one": 1, "two": 2, "three": 3}
_WORD: Final = lazy_pattern(r"\d*[^\W\d_](?:[\w'’&-]*\w)?")
_GAP: Final = "\n"  # in the place of what is understood, so that words beside it do not run together
_POSSESSIVE: Final = lazy_pattern(r"['’]s?$")
_KNOWN_WORDS: Final = """
a abilities ability according account amount an and annual answer any are as at attributable average based basing be
been best between billion billions by cagr calculate calculated change changed clearly companies company company's
compound compute computed conclusions considering consolidated data decimal decline declined decrease decreased
details determine did do does dollar dollars drawing drop dropped during end ended ending fall fallen fell figure
find firm firm's fiscal following for from full fy generate generated give given grew grow growing grown growth had
has have higher how improve improved improving in increase increased information into is it items its judgment
judgments know last latest level line lower mainly many margin margins me mean million millions most much need
negative number of off on only or our out outlined over paid parent pay per percent percentage percents period
perspective place places plainly please positive primarily profile provide provided question rate ratio recent
recorded report reported reporting reports respond response rise risen rose round rounded say segment shareholders
show shown shrank shrink spend spent state stated stockholders taking tell terms that the their there this thousand
thousands to total unadjusted unit units us usd use used using utilizing value was were what what's whole with
within year year-end year-over-year years your yoy ytd
"""
_KNOWN: Final = frozenset(_KNOWN_WORDS.split())
"""Words that narrow no question."""


class Shape(StrEnum):
    """What is to be done with the values of the years."""

    VALUE = "value"
    GROWTH = "growth"
    CHANGE = "change"
    AVERAGE = "average"
    CAGR = "compound annual growth rate"
    RISES = "rises"
    FALLS = "falls"
    POSITIVE = "positive"
    NEGATIVE = "negative"


class _Mention(NamedTuple):
    """Where a text names a line or measure."""

    start: int
    end: int
    name: str


class _Parts(NamedTuple):
    """A question in parts."""

    plain: str
    others: list[str]
    defining: list[str]
    brackets: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A figure that a question asks for.

    Attributes:
        name: What it is called.
        formula: In infix order.
        unit: What it is measured in.
        shape: What to do with its values.
        years: As named, fiscal years of the report; empty for the latest.
        definitions: Formulas that the question gives, by name.
        scale: What money is to be counted in, 1e6 for millions; None if not said.
        decimals: Decimal places; None if not said.
        others: Runs of words that may narrow the question: names of the company, or of a part of it.
        brackets: What the question says in brackets, where a company's other name may stand.
        is_loss: Whether it is called a loss.
    """

    name: str
    formula: tuple[Token, ...]
    unit: Unit
    shape: Shape
    years: tuple[int, ...]
    definitions: Mapping[str, tuple[Token, ...]]
    scale: float | None
    decimals: int | None
    others: tuple[str, ...] = ()
    brackets: str = ""
    is_loss: bool = False


NAMES: Final[Names] = {
    **{name: line.words for name, line in LINES.items()},
    **{
        name: lazy_pattern(f"{metric.words.pattern}|{re.escape(name)}", re.IGNORECASE)
        for name, metric in METRICS.items()
    },
}
"""How questions and formulas name lines and measures."""


@lru_cache(maxsize=64)  # each document of a library is asked the same
def asked_figure(question: str, labels: tuple[str, ...] = ()) -> Asked | None:
    """The figure that a question asks for; None for all other questions.

    ``labels`` are further lines that only one report has, in lower case.

    >>> asked = asked_figure("What was Acme's operating margin in FY2019?")
    >>> asked.name, str(asked.unit), asked.years
    ('operating margin', 'percent', (2019,))
    >>> asked.others
    ('Acme',)
    """
    plain, others, defining, brackets = _parts(question)
    names = {**NAMES, **{label: _words_of(label) for label in labels if label not in NAMES}}
    found = _formula(plain, names)
    if found is None or length_of(plain) is Length.QUARTER or is_narrowed(others) or question.count("?") > 1:
        return None
    name, formula, unit = found
    definitions = _definitions(defining, name, names)
    years = _years(plain)
    shape = _shape(plain, years)
    if definitions is None or has_quotient(brackets) or _says_more(_beside(plain, names), shape, unit, years):
        return None
    if shape is Shape.AVERAGE:
        years = tuple(range(years[0], years[-1] + 1)) if years else years
    return Asked(
        name,
        definitions.get(name, formula),
        unit,
        shape,
        years,
        definitions,
        _scale(question),
        _decimals(question),
        _others(_beside(plain, names)),
        brackets,
        _LOSS.search(plain) is not None,
    )


def _parts(question: str) -> _Parts:
    """The sentence that asks, without statements and brackets, and what stands beside it."""
    sentences = _SENTENCE.split(question)
    defining = [one for one in sentences if _DEFINES.search(one)]
    others = [one for one in sentences if one not in defining]
    main = next((one for one in others if "?" in one), others[0] if others else "")
    plain = _STATEMENTS.sub(" ", _BRACKETS.sub(" ", main))
    return _Parts(plain, others, defining, " ".join(_BRACKETS.findall(main)))


def needs_more(question: str) -> bool:
    """Whether a question names a line, and needs a computation with it that is not known here.

    >>> needs_more("What was revenue excluding AWS in 2019?"), needs_more("What was adjusted net income in 2019?")
    (True, False)
    """
    plain, others, _, brackets = _parts(question)
    found = _formula(plain, NAMES)
    if found is None or not names_year(question) or length_of(plain) is Length.QUARTER:
        return False
    rest = _YEARS.sub(_GAP, _beside(plain, NAMES))
    if not _OPEN.search(plain):
        return has_number(rest)
    is_other = found[2] is Unit.MONEY and names_unit(rest)
    return bool(_HOW_MUCH.match(plain)) and (excludes(others) or has_quotient(brackets) or is_other)


def names_year(question: str) -> bool:
    """Whether a question names a year."""
    return _YEARS.search(question) is not None


def _says_more(beside: str, shape: Shape, unit: Unit, years: Sequence[int]) -> bool:
    """Whether a question has words that the computation would leave out: "by 50%", "cash ratio", "average growth"."""
    rest = _YEARS.sub(_GAP, beside)
    if has_number(rest):
        return True
    if shape is Shape.GROWTH:
        return _ANNUAL.search(rest) is not None and bool(years) and years[-1] - years[0] > 1
    if shape is Shape.AVERAGE:
        return _GROWTH.search(rest) is not None
    is_other = unit is Unit.MONEY and (names_unit(rest) or has_unit(rest))
    is_changed = _UP.search(rest) or _DOWN.search(rest) or _AVERAGE.search(rest)
    return shape is Shape.VALUE and bool(is_other or is_changed)


def _definitions(sentences: Sequence[str], asked: str, names: Names) -> dict[str, tuple[Token, ...]] | None:
    """The formulas that sentences define, by the measure; "it" is the one asked for. None if one is not understood."""
    found: dict[str, tuple[Token, ...]] = {}
    for sentence in sentences:
        defined = _DEFINITION.match(sentence)
        name = _defined_name(defined["name"], asked, names) if defined else None
        formula = parse_formula(defined["formula"], names) if defined else None
        if not name or not formula:
            return None
        found[name] = tuple(formula)
    return found


def _words_of(label: str) -> re.Pattern[str]:
    """Finds a label in a question, in the singular or plural."""
    words = (re.escape(word.removesuffix("s")) + "s?" for word in re.findall(r"[^\W_]+", label))
    return re.compile(r"[\W_]+".join(words), re.IGNORECASE)


def _defined_name(words: str, asked: str, names: Names) -> str | None:
    return asked if words.casefold() in _IT else _only(_mentions(words, names))


def _mentions(text: str, names: Names) -> list[_Mention]:
    """The lines and measures that a text names, in order; of those that overlap the longest."""
    found = [
        _Mention(match.start(), match.end(), name)
        for name, words in names.items()
        for match in re.finditer(rf"(?<!\w)(?:{words.pattern})(?!\w)", text, re.IGNORECASE)
    ]
    kept: list[_Mention] = []
    for one in sorted(found, key=lambda one: (one.start - one.end, one.name not in METRICS, one.name not in LINES)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept)


def _only(mentions: Iterable[_Mention]) -> str | None:
    """The name, if all mentions are of one."""
    names = {one.name for one in mentions}
    return names.pop() if len(names) == 1 else None


def _formula(plain: str, names: Names) -> tuple[str, tuple[Token, ...], Unit] | None:
    """The only line or measure of a question, or one as a share of another; its name and unit."""
    mentions = _mentions(plain, names)
    if share := _SHARE.search(plain):
        part = _only(one for one in mentions if one.end <= share.start())
        whole = _only(one for one in mentions if one.start >= share.end())
        return _share_of(part, whole)
    if _PART_OF.search(plain):
        return _share_of(_only(mentions[1:]), _only(mentions[:1]))
    name = _only(mentions)
    if name is None:
        return None
    unit = Unit.SHARE if PER_SHARE.search(name) else METRICS[name].unit if name in METRICS else Unit.MONEY
    return name, (Operand(name),), unit


def _share_of(part: str | None, whole: str | None) -> tuple[str, tuple[Token, ...], Unit] | None:
    if not part or not whole or part == whole:
        return None
    return f"{part} as a share of {whole}", (Operand(part), "/", Operand(whole)), Unit.PERCENT


def _others(beside: str) -> tuple[str, ...]:
    """The runs of words beside lines, measures and years that may narrow a question: "Netflix", "North America"."""
    runs: list[str] = []
    end = -1
    for match in _WORD.finditer(_YEARS.sub(_GAP, beside)):
        word = _POSSESSIVE.sub("", match[0])
        if word.casefold() in _KNOWN:
            continue
        if runs and match.start() == end + 1:
            runs[-1] += f" {word}"
        else:
            runs.append(word)
        end = match.end() if word == match[0] else -1
    return tuple(runs)


def _beside(plain: str, names: Names) -> str:
    """A question without the lines and measures that it names."""
    for one in _mentions(plain, names):
        plain = plain[: one.start] + _GAP * (one.end - one.start) + plain[one.end :]
    return plain


def _years(plain: str) -> tuple[int, ...]:
    found = (match[1] or match[2] or match[3] for match in _YEARS.finditer(plain))
    return tuple(sorted({int(year) if len(year) > 2 else 2000 + int(year) for year in found}))


def _shape(plain: str, years: Sequence[int]) -> Shape:
    """What to do with the values: first what the question says outright."""
    asks = _OPEN.search(plain) is None
    if asks and (sign := _SIGN.search(plain)):
        return Shape.POSITIVE if sign["positive"] else Shape.NEGATIVE
    if asks and (_UP.search(plain) or _DOWN.search(plain)):
        return Shape.RISES if _UP.search(plain) else Shape.FALLS
    if _CAGR.search(plain):
        return Shape.CAGR
    if _AVERAGE.search(plain) and len(years) > 1:
        return Shape.AVERAGE
    if _GROWTH.search(plain):
        return Shape.GROWTH
    return Shape.CHANGE if _CHANGE.search(plain) else Shape.VALUE


def _scale(question: str) -> float | None:
    found = _SCALED.search(question)
    return _SCALES[found[1].casefold()] if found else None


def _decimals(question: str) -> int | None:
    found = _DECIMALS.search(question)
    return (_NUMERALS.get(found[1].casefold()) or int(found[1])) if found else None
