"""Words of orders to a language model in languages other than English: one table per language.

The tables are in ``injection_words.json``. Each entry is a regular expression of stems; what follows a stem is free.
The same rules are made from every table: an override names earlier orders, an answer is demanded word for word, a
reader is said to be a machine. Chinese and Japanese, which write no spaces, have rules of their own.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from treatise.core.patterns import lazy_pattern

_NEAR: Final = r"[^.!?:;\n]{0,40}?"
_QUOTE: Final = r"[\"“”„'‘«»‹「『]"
_START: Final = r"(?:^|[.!?:;,>\"“„«(\]\n—–-])[ \t]{0,9}(?:[\w]{1,12},? ){0,2}?"
"""Where an imperative stands: at the beginning of a clause, after at most two words."""


@dataclass(frozen=True, slots=True)
class OrderWords:
    """The words of one language with spaces between words.

    Attributes:
        stems: The first five letters of words without which no rule matches; looking for them is quick.
        override: Imperatives such as *ignore* and *forget*.
        earlier: What qualifies orders: *previous*, *above*, *all*, *your*.
        orders: *Instructions*, *prompts*, *rules*.
        answer: Imperatives such as *answer* and *say*, and *you must answer*.
        only: *Only*, *exactly*, *always*.
        you_are: *You are*, *act as*.
        now: *Now*, *from now on*.
        model: A machine that nobody takes for a person.
        assistant: A machine or a person.
        note: *Note*, *message*, *instruction*.
        to: *To*, *for*, with articles.
        if_you: *If you are a*.
        must: *Must*, *should*, and the verb of speech after it.
    """

    stems: str
    override: str
    earlier: str
    orders: str
    answer: str
    only: str
    you_are: str
    now: str
    model: str
    assistant: str
    note: str
    to: str
    if_you: str
    must: str

    @property
    def needed(self) -> str:
        """What every rule needs a match of: looking for it, and compiling it, takes a fraction of the rules' time."""
        return rf"\b(?:{self.override}|{self.answer}|{self.model}|{self.assistant})"

    @property
    def pattern(self) -> str:
        """The rules of this language."""
        earlier_orders = (
            rf"(?:\b(?:{self.earlier})\w*{_NEAR}\b(?:{self.orders})|\b(?:{self.orders})\w*{_NEAR}\b(?:{self.earlier}))"
        )
        return "|".join(
            (
                rf"{_START}\b(?:{self.override})\b{_NEAR}{earlier_orders}",
                rf"{_START}\b(?:{self.override})\b{_NEAR}\b(?:{self.orders})\w*[^.!?\n]{{0,20}}?\b(?:{self.answer})\b",
                rf"{_START}\b(?:{self.answer})\b{_NEAR}\b(?:{self.only})\b[^.!?\n]{{0,20}}?{_QUOTE}",
                rf"{_START}\b(?:{self.only})\b{_NEAR}\b(?:{self.answer})\b[^.!?\n]{{0,20}}?{_QUOTE}",
                rf"\b(?:{self.you_are})\b {_NEAR}\b(?:{self.model})\b",
                rf"\b(?:{self.you_are})\b (?:{self.now})\b{_NEAR}\b(?:{self.assistant})",
                rf"\b(?:{self.you_are})\b {_NEAR}\b(?:{self.assistant})\w*\b{_NEAR}\b(?:{self.must})",
                rf"\b(?:{self.note})\w* (?:{self.to}) {_NEAR}\b(?:{self.model})\b{_NEAR}[:,—–]",
                rf"\b(?:{self.if_you})\b {_NEAR}\b(?:{self.model})\b",
                rf"\b(?:{self.model})\b{_NEAR}\b(?:{self.must})\b[^.!?\n]{{0,30}}?(?:{_QUOTE}|\b(?:{self.only})\b)",
            )
        )


_STEM_LETTERS: Final = 5
_WORD: Final = re.compile(r"\w+")
_CJK: Final = lazy_pattern(r"[\u3040-\u30ff\u4e00-\u9fff]")
_FLAGS: Final = re.IGNORECASE | re.MULTILINE


def orders_elsewhere(text: str) -> list[re.Match[str]]:
    """The places where a text gives orders to a language model by the rules of these tables."""
    stems = {word[:_STEM_LETTERS] for word in _WORD.findall(text.lower())}
    near = [language for language, known in _stems().items() if not stems.isdisjoint(known)]
    rules = [_spaced(language) for language in near if _needed(language).search(text)]
    if not text.isascii() and _CJK.search(text):
        rules.append(_unspaced())
    return [found for rule in rules for found in rule.finditer(text)]


@cache
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return tables


@cache
def _stems() -> dict[str, frozenset[str]]:
    return {language: frozenset(table["stems"].split()) for language, table in _tables()["languages"].items()}


@cache
def _words(language: str) -> OrderWords:
    return OrderWords(**_tables()["languages"][language])


@cache
def _needed(language: str) -> re.Pattern[str]:
    return re.compile(_words(language).needed, _FLAGS)


@cache
def _spaced(language: str) -> re.Pattern[str]:
    """The rules of a language, compiled when a text first needs them."""
    return re.compile(_words(language).pattern, _FLAGS)


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile("|".join(_tables()["without_spaces"]), _FLAGS)
