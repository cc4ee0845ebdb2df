"""Turns of a conversation: who says what, in transcripts, minutes and plays."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from treatise.core.document import Document, Span

_LABEL: Final = re.compile(
    r"(?:[-*•]\s+)?(?:\[?\d[\d:.]+\]?\s*)?\**"
    r"(?P<speaker>(?=[^\W\d_a-z])(?:[^:：.!?\n*]|(?<=\b[A-Z])\.|(?<=\b(?:Mr|Ms|Dr|St))\.|(?<=\b(?:Mrs|Hon))\.|(?<=\bProf)\.){1,80}?)\**[:：]\**\s*(?=\S)"
)
_WORD: Final = re.compile(r"\w+")
_SAYING: Final = (
    r"(?:add|agree|ask|believe|comment|disagree|explain|express|feel|intend|mean|mention|object|plan|point|prefer|present|"
    r"propose|recommend|report|respond|say|suggest|tell|think|want|worry)"
)
"""What a speaker does in a question: "what did the professor suggest"."""
_OF_SPEECH: Final = re.compile(
    rf"\b(?:{_SAYING}s?|said|thought|told|opinions?|views?|attitude|idea|argument|according to|\w+ed by)\b",
    re.IGNORECASE,
)
_LEAST: Final = 3
"""Turns of a speaker."""
_SHARE: Final = 0.1
"""Of a conversation's paragraphs."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A paragraph that begins with its speaker's name and a colon.

    Attributes:
        speaker: As the document has it, such as ``"Project Manager"``.
        span: The paragraph.
    """

    speaker: str
    span: Span


def turns(document: Document) -> list[Turn]:
    """The turns of a conversation in order; empty if the document is none.

    In a conversation two speakers or more have several turns each, and these are some share of its paragraphs.
    """
    found = [*_labelled(document)]
    n_turns = Counter(one.speaker for one in found)
    several = [one for one in found if n_turns[one.speaker] >= _LEAST]
    is_conversation = len({one.speaker for one in several}) > 1 and len(several) >= _SHARE * len(document.paragraphs)
    return several if is_conversation else []


def asks_of_speech(question: str) -> bool:
    """Whether a question asks what somebody says or thinks."""
    return bool(_OF_SPEECH.search(question))


def asked_speakers(question: str, speakers: Sequence[str]) -> set[str]:
    """The speakers that a question names: in full, by a word in capitals that no other speaker has, or by their role.

    >>> sorted(asked_speakers("What did the industrial designer and C think?", ["Industrial Designer", "Professor C"]))
    ['Industrial Designer', 'Professor C']
    >>> asked_speakers("What did the professor say about marketing?", ["Marketing", "Professor C"])
    {'Professor C'}
    """
    n_with = Counter(word for speaker in {*speakers} for word in {*_WORD.findall(speaker)})
    asked = {*_WORD.findall(question)[1:]}
    plain = f" {' '.join(_WORD.findall(question)).casefold()} "
    found = set()
    for speaker in {*speakers}:
        words = _WORD.findall(speaker)
        own = [word for word in words if n_with[word] == 1 and word[0].isupper()]
        in_full = len(words) > 1 and f" {' '.join(words).casefold()} " in plain
        by_role = any(re.search(rf" the {re.escape(word.casefold())} {_SAYING}\b", plain) for word in own)
        if in_full or by_role or not asked.isdisjoint(own):
            found.add(speaker)
    return found


def _labelled(document: Document) -> Iterator[Turn]:
    for paragraph in document.paragraphs:
        if label := _LABEL.match(document.text, paragraph.start, paragraph.end):
            yield Turn(" ".join(label["speaker"].split()), Span(paragraph.start, paragraph.end))
