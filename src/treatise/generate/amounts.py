"""The amount of money that a question names by a superlative, where a reader took another or several."""

from typing import Final

from treatise.core.patterns import lazy_pattern
from treatise.generate.asked import Asked
from treatise.generate.currencies import CODES

_AMOUNT: Final = lazy_pattern(
    rf"(?:[$€£¥₹]\s?\d[\d.,]*(?<![.,])|\d[\d.,]*(?<![.,])\s?(?:[€£$%]|(?:{CODES}|euros?|dollars?|pounds|per ?cent)\b))"
    r"(?: (?:per|an?|each|every) \w+)?"
)
_CLAUSE: Final = lazy_pattern(r"[;:]|[.!?]\s|, (?:and|but|or|while|the)\b|,\s")
_EXTREME: Final = lazy_pattern(r"\b\w{2,}est\b(?<!interest)(?<!request)(?<!rest)|\b(?:first|second|third|last)\b")
_FORMS: Final = (Asked.PRICE, Asked.NUMBER, Asked.ANYTHING)


def amount_named(form: Asked, question: str, text: str, start: int, end: int) -> tuple[int, int]:
    """Of several amounts in a sentence, the one that alone has the question's superlative before it in its clause, if
    the span has another one; else the span.

    >>> text = "The cheapest room costs 40 EUR, the largest one 95 EUR."
    >>> text[slice(*amount_named(Asked.PRICE, "What does the largest room cost?", text, 24, 54))]
    '95 EUR'
    >>> text[slice(*amount_named(Asked.PRICE, "What does the largest room cost?", text, 24, 30))]
    '95 EUR'
    >>> text[slice(*amount_named(Asked.PRICE, "What do rooms cost?", text, 24, 54))]
    '40 EUR, the largest one 95 EUR'
    """
    extremes = _EXTREME.findall(question.casefold()) if form in _FORMS else []
    amounts = list(_AMOUNT.finditer(text)) if extremes else []
    taken = [one for one in amounts if one.start() < end and start < one.end()]
    befores = (text[_clause_start(text, one.start()) : one.start()].casefold() for one in amounts)
    named = [one for one, before in zip(amounts, befores, strict=True) if any(word in before for word in extremes)]
    return named[0].span() if len(named) == 1 and taken and taken != named else (start, end)


def _clause_start(text: str, at: int) -> int:
    return max((found.end() for found in _CLAUSE.finditer(text, 0, at)), default=0)
