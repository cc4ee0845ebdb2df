"""Segmentation of sentences into elementary discourse units: the protocol, and rules for use without a model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol


class Segmenter(Protocol):
    """A segmenter of sentences into EDUs.

    Attributes:
        name: Identifies model and settings: the same name on the same sentence gives the same EDUs.
    """

    @property
    def name(self) -> str:
        """See the attributes above."""
        ...

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """The EDUs of each sentence, in order, at least one each.

        Except for whitespace, the concatenated EDUs are the sentence. None is empty, but a blank sentence gives one
        empty EDU. An unknown language is not an error.

        Raises:
            EngineError: If a model failed.
        """
        ...


@dataclass(frozen=True, slots=True)
class Connectives:
    """Words of a language that begin an EDU.

    Attributes:
        anywhere: In any position except the start of a sentence.
        after_comma: Only after a comma.
    """

    anywhere: frozenset[str]
    after_comma: frozenset[str]


def _connectives(anywhere: str, after_comma: str) -> Connectives:
    return Connectives(frozenset(anywhere.split()), frozenset(after_comma.split()))


CONNECTIVES: Final[Mapping[str, Connectives]] = {
    "en": _connectives(
        "although based because but despite if that that's unless until using when whenever where whereas whether "
        "which while who whose without",
        "after and as before even he i including is it it's nor one rather she since so such the then there they "
        "though to was we with yet you",
    ),
    "de": _connectives(
        "dass weil wenn obwohl während nachdem bevor damit falls sodass sobald",
        "aber als da das dem den denen der deren dessen die doch ob sondern um und was welche welcher wer wie wo",
    ),
    "ru": _connectives(
        "если когда который которая которое которые потому чтобы хотя поскольку",
        "а в где где для и из как когда которого которой котором которую которых кто куда на но однако о по с "
        "так то что",
    ),
    "fa": _connectives("که اگر چون زیرا وقتی هنگامی اما ولی تا", "و یا"),
}
"""Connectives, conjunctions and relative pronouns by language; other languages are split at punctuation only."""

_NONE: Final = Connectives(frozenset(), frozenset())
_WORD = re.compile(r"[^\s,;:()\[\]—–]+")
_AFTER = re.compile(r"""(?:[;:](?=\s)|[；：，]|\s[—–-]+(?=\s)|[)\]）]+[,.;:!?]*(?=\s))["'”’」]*""")
_BEFORE = re.compile(r"(?<=\s)[(\[]|（|——")


class RuleSegmenter:
    """Splits at brackets, colons, semicolons and dashes, and before connectives.

    Attributes:
        name: A constant.
    """

    name = "rules-1"

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """The EDUs of each sentence; see :class:`Segmenter`."""
        connectives = CONNECTIVES.get(lang, _NONE)
        return [_cut(sentence, _boundaries(sentence, connectives)) for sentence in sentences]


def _boundaries(sentence: str, connectives: Connectives) -> set[int]:
    marks = {match.end() for match in _AFTER.finditer(sentence)} | {m.start() for m in _BEFORE.finditer(sentence)}
    end = 0
    for word in _WORD.finditer(sentence):
        lower = word[0].lower()
        follows_comma = "," in sentence[end : word.start()]
        if lower in connectives.anywhere or (follows_comma and lower in connectives.after_comma):
            marks.add(word.start())
        end = word.end()
    return marks


def _cut(sentence: str, boundaries: set[int]) -> list[str]:
    """The pieces between the boundaries; one without a letter or digit is joined to the previous piece."""
    pieces: list[str] = []
    start = 0
    for end in (*sorted(boundaries), len(sentence)):
        piece = sentence[start:end]
        if any(map(str.isalnum, piece)) or not pieces:
            pieces.append(piece)
        else:
            pieces[-1] += piece
        start = end
    if len(pieces) > 1 and not any(map(str.isalnum, pieces[0])):
        pieces[:2] = [pieces[0] + pieces[1]]
    return [piece.strip() for piece in pieces]
