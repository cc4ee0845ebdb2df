"""Rules for questions about what the documents never mention: another year, quarter, name, version, place in an order,
path or unit.

Each rule returns the reason in one line, or None. They read the whole text of the documents, not the evidence, and are
silent in doubt: a name counts as mentioned under its last word, its abbreviation, or an inflected form. A rule looks at
the question first: reading the documents takes a tenth of a second for a few hundred pages.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from treatise.core.document import Document
from treatise.core.patterns import lazy_pattern
from treatise.core.periods import MONTHS
from treatise.core.scripts import UNSPACED
from treatise.generate.codes import codes, unknown_code
from treatise.generate.identifiers import unknown_identifier
from treatise.generate.names import other_role, unknown_name
from treatise.generate.ordinals import unknown_ordinal
from treatise.generate.texts import Texts, read_texts

_YEAR: Final = lazy_pattern(r"(?<![\w.,/§#$€£¥-])(1[5-9]\d\d|20\d\d)(?![\w/]|[.,-]\d)")
_COUNTED: Final = lazy_pattern(r"\s+(?!(?:was|is|has|does)\b)(?:[a-z]{2,}s|[kMGT]i?B|k?m|kg)\b")  # 1500 bytes, 2000 m
_OF_TIME: Final = lazy_pattern(r"\b(?:in|since|during|fiscal|FY|year|until|before|after|by)\s+$", re.IGNORECASE)
_YEAR_IN_TEXT: Final = lazy_pattern(r"(?<![\d.,])(1[5-9]\d\d|20\d\d)(?!\d|[.,]\d)")
_RANGE: Final = lazy_pattern(r"(?<!\d)(\d{4})\s*(?:to|until|till|through|and|[-–—])\s*(\d{4})(?!\d)")
_AS_NUMBER: Final = lazy_pattern(r"\b(?:rfc|iso|ieee|port|section|article|version|no\.?|number)\s*$", re.IGNORECASE)
_MONTH_NUMBERS: Final = {month: number for number, month in enumerate(MONTHS.split("|"), 1)}
_MONTH_AND_YEAR: Final = lazy_pattern(rf"\b({MONTHS})(?: \d\d?(?:st|nd|rd|th)?)?,? (?:of )?(\d{{4}})\b")
_ORDINALS: Final = {"1": "first", "2": "second", "3": "third", "4": "fourth"}
_QUARTER: Final = lazy_pattern(r"\b(?:Q([1-4])|(first|second|third|fourth)(?:[ -]fiscal)?[ -]quarter)\b", re.IGNORECASE)

_EMPTY_WORDS: Final = """
what who whom whose when where which why how is are was were be do does did has have had can could will would shall
should may might must a an the this that these those it its he she they we you i and or not no of in on at to for from
by with about so there here then
"""
_EMPTY: Final = frozenset(_EMPTY_WORDS.split())

_PERIODS: Final = {
    r"seconds?|sec|s\b|sekunden?|secondes?|segundos?": r"\b[kMG]?bps\b|\bHz\b",
    r"minutes?|min\b|minuten?|minutos?": r"\brpm\b",
    r"hours?|h\b|stunden?|heures?|horas?": r"\bhourly\b|stündlich",
    r"days?|tage?|jours?|días?": r"\bdaily\b|täglich|quotidien|diari[oa]",
    r"weeks?|wochen?|semaines?|semanas?": r"\bweekly\b|wöchentlich|hebdomadaire|semanal",
    r"months?|monate?|mois|meses|mes\b": r"\bmonthly\b|monatlich|mensuel|mensual",
    r"years?|jahre?|ans?\b|année|años?": r"\bannual|\byearly\b|\bp\.\s?a\.|jährlich|annuel|anual",
}
_RATE: Final = lazy_pattern(rf"\b(?:per|pro|par|por) ({'|'.join(_PERIODS)})", re.IGNORECASE)

_MAX_CHARACTERS: Final = 5_000_000  # of all documents; more are not searched

_CURRENCIES: Final = {
    "dollars": r"\$|\bdollars?\b|\b[UC]SD\b",
    "euros": r"€|\beuros?\b|\bEUR\b",
    "pounds": r"£|\bpounds sterling\b|\bGBP\b",
    "yen": r"¥|\byen\b|\bJPY\b",
    "yuan": r"\byuan\b|\brenminbi\b|\bRMB\b|\bCNY\b",
    "francs": r"\bfrancs?\b|\bCHF\b",
    "rupees": r"₹|\brupees?\b|\bINR\b",
}
"""How currencies are written. Lengths and temperatures are no reason to refuse: miles answer for kilometres."""


def mismatch(question: str, documents: Sequence[Document]) -> str | None:
    """Why the documents cannot answer the question, or None if no rule says so.

    Units are compared in English only.
    """
    if sum(len(document.text) for document in documents) > _MAX_CHARACTERS:
        return None
    languages = {document.language.partition("-")[0] for document in documents}
    rules: list[Callable[[str, Texts], str | None]] = [*_RULES]
    if languages == {"en"}:
        rules += [other_unit, lambda question, _: other_role(question, documents)]
    if len(languages) == 1:
        rules.append(partial(unknown_name, language=languages.pop()))
    if says_nothing(question):
        return "the question names nothing that could be looked for"
    texts = read_texts(documents)
    subject = "the document" if len(documents) == 1 else "the documents"
    reason = next(filter(None, (rule(question, texts) for rule in rules)), None)
    return reason and _in_number(f"{subject} {reason}", len(documents))


def other_year(question: str, texts: Texts) -> str | None:
    """A year that the documents neither mention nor cover by a range."""
    asked = _years(question)
    known = {int(year) for year in _YEAR_IN_TEXT.findall(texts.text)} if asked else set()
    missing = next((year for year in asked if year not in known and not _is_covered(year, texts.text)), None)
    if missing is None:
        return None
    if known and not min(known) <= missing <= max(known) and len(known) > 1:
        return f"speaks of {min(known)} to {max(known)}, not of {missing}"
    return f"does not speak of {missing}"


def other_month(question: str, texts: Texts) -> str | None:
    """A month of a year that the documents mention without it, if they name the months of years at all."""
    asked = _MONTH_AND_YEAR.findall(question)
    known = set(_MONTH_AND_YEAR.findall(texts.text)) if asked else set()
    unknown = (pair for pair in asked if pair not in known)
    missing = next(((month, year) for month, year in unknown if not _is_dated(month, year, texts.text)), None)
    return f"does not speak of {' '.join(missing)}" if known and missing else None


def other_quarter(question: str, texts: Texts) -> str | None:
    """A quarter of a year, if the documents speak of other quarters only."""
    asked = _quarters(question)
    known = _quarters(texts.text) if asked else []
    missing = next((quarter for quarter in asked if quarter not in known), None)
    return f"does not speak of a {missing} quarter" if known and missing else None


def other_unit(question: str, texts: Texts) -> str | None:
    """A currency that does not occur, if another one does."""
    asked = _currencies(question)
    known = _currencies(texts.text) if asked else []
    missing = next((name for name in asked if name not in known), None)
    return f"gives {' and '.join(known)}, not {missing}" if known and missing else None


def other_identifier(question: str, texts: Texts) -> str | None:
    """A version, release, section or the like ("Debian 13", "release 77") that only others of its sort stand for."""
    missing = unknown_identifier(question, texts.text)
    return f"does not speak of {missing}" if missing else None


def other_ordinal(question: str, texts: Texts) -> str | None:
    """The second or a later one, or the next one, of which the documents do not speak."""
    missing = unknown_ordinal(question, texts.text)
    return f"does not speak of {missing}" if missing else None


def other_code(question: str, texts: Texts) -> str | None:
    """A path, option or other name in code that does not occur."""
    missing = unknown_code(question, texts.text)
    return f"never mentions {missing}" if missing else None


def other_rate(question: str, texts: Texts) -> str | None:
    """A rate ("per second"), if the documents give nothing by that time."""
    found = _RATE.search(question)
    ways = found and next(way for way in _PERIODS if re.search(rf"\b(?:{way})", found[1], re.IGNORECASE))
    each = rf"\b(?:per|an?|each|every|pro|je|jede[rns]?|par|por|al|à l['’]|chaque|cada) ?(?:{ways})|/ ?(?:{ways})"
    adverb = ways and _PERIODS[ways]
    is_given = not ways or re.search(f"{each}|{adverb}", texts.text, re.IGNORECASE)
    return None if is_given or not found else f"gives nothing {found[0]}"


def says_nothing(question: str) -> bool:
    """Whether a question has only words such as "what", "is" and "the", or single letters that are no options.

    >>> says_nothing("x"), says_nothing("What is the?"), says_nothing("What is C++?"), says_nothing("税率？")
    (True, True, False, False)
    >>> says_nothing("What does -q do?")
    False
    """
    if codes(question):
        return False
    words = re.findall(r"[\w+#]+", question.casefold())
    is_unspaced = bool(UNSPACED.search(question))
    return not is_unspaced and all(word in _EMPTY or (len(word) == 1 and not word.isdigit()) for word in words)


_RULES: Final = (
    other_year, other_month, other_quarter, other_identifier, other_ordinal, other_code, other_rate,
)  # fmt: skip


def _years(question: str) -> list[int]:
    """The years that a question names, without numbers of things ("1500 bytes") and of documents ("RFC 1918")."""

    def is_year(found: re.Match[str]) -> bool:
        before = question[: found.start()]
        is_count = _COUNTED.match(question, found.end()) and not _OF_TIME.search(before)
        return not is_count and not _AS_NUMBER.search(before)

    return [int(found[1]) for found in _YEAR.finditer(question) if is_year(found)]


def _is_covered(year: int, text: str) -> bool:
    """Whether the text has it in a range (2018-2020) or decade (1990s), shortened (2018/19, FY19), or as 1,500."""
    within = any(int(a) <= year <= int(b) for a, b in _RANGE.findall(text))
    short = rf"(?:\d{{4}}\s?[/–-]|\bFY\s?|['’]){year % 100:02d}\b"
    return within or bool(re.search(rf"{short}|\b{year // 10}0['’]?s\b|\b{year // 1000}[.,]{year % 1000:03d}\b", text))


def _is_dated(month: str, year: str, text: str) -> bool:
    """Whether the text has the month near the year, abbreviated, as a number (2020-05) or in a range of months."""
    number, short = _MONTH_NUMBERS[month], rf"\b(?:{month}|{month[:3]}|{month[:4]})\b"
    near = rf"{short}.{{0,40}}?\b{year}\b|\b{year}\b.{{0,40}}?{short}"
    dated = rf"\b{year}[-/.]0?{number}\b|\b0?{number}[-/.](?:\d\d?[-/.])?{year}\b"
    ranges = re.findall(rf"\b({MONTHS})\s*(?:to|until|till|through|[-–—])\s*({MONTHS}),? {year}\b", text)
    within = any(_MONTH_NUMBERS[first] <= number <= _MONTH_NUMBERS[last] for first, last in ranges)
    return within or bool(re.search(f"{near}|{dated}", text, re.DOTALL))


def _currencies(text: str) -> list[str]:
    return [name for name, pattern in _CURRENCIES.items() if re.search(pattern, text, re.IGNORECASE)]


def _quarters(text: str) -> list[str]:
    return [_ORDINALS.get(m[1] or "", m[2] or "").lower() for m in _QUARTER.finditer(text)]


def _in_number(sentence: str, n_documents: int) -> str:
    """The sentence with its verb in the plural for several documents."""
    if n_documents == 1:
        return sentence
    verbs = {"speaks": "speak", "does not": "do not", "gives": "give", "never mentions": "never mention"}
    singular = next(verb for verb in verbs if f"documents {verb}" in sentence)
    return sentence.replace(singular, verbs[singular], 1)
