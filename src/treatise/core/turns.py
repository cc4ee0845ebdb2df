"""Turns of a conversation: who says what, in transcripts, minutes and plays."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from treatise.core.document import Document, ParagraphKind, Span

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
_ABOUT: Final = re.compile(r"\b(?:about|concerning|regarding|that|when)\b", re.IGNORECASE)
"""What somebody speaks of follows."""
_SUBJECT: Final = re.compile(rf"\b(?:did|do|does) [^?,;]{{1,80}}? {_SAYING}\b", re.IGNORECASE)
"""Who speaks, if a question says so: "did the people think" of the Duke."""
_LEAST: Final = 3
"""Turns of a speaker."""
_CAPITALS: Final = 4
"""Letters of a name in capitals; "PhD" and "MP" are none."""
_SHARE: Final = 0.1
"""Of a conversation's paragraphs."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A paragraph that begins with its speaker's name and a colon, and prose after it up to the next name.

    Attributes:
        speaker: As the document has it, such as ``"Project Manager"``.
        span: The paragraphs.
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
    """Whether a question asks what somebody says or thinks; not who does."""
    return bool(_OF_SPEECH.search(question)) and not question.strip().casefold().startswith("who")


def asked_speakers(question: str, speakers: Collection[str]) -> set[str]:
    """The speakers that a question names: in full, by a word in capitals that no other speaker has, or by their role.

    Who is only spoken of, or to, is none of them.

    >>> sorted(asked_speakers("What did the industrial designer and C think?", ["Industrial Designer", "Professor C"]))
    ['Industrial Designer', 'Professor C']
    >>> asked_speakers("What did the professor say about Marketing?", ["Marketing", "Professor C"])
    {'Professor C'}
    >>> asked_speakers("What did the committee think of Professor C?", ["Professor C"])
    set()
    """
    if subject := _SUBJECT.search(question):
        return _named(subject[0], speakers)
    return _named(_ABOUT.split(question)[0], speakers) or _named(question, speakers)


def says(speaker: str) -> re.Pattern[str]:
    """Finds what is reported of a speaker: "Ann Lee said that …"."""
    names = "|".join(map(re.escape, _names(speaker)))
    return re.compile(rf"\b(?:{names})\b[^.?!]{{0,30}}\b(?:{_SAYING}\w*|said|thought|told)\b")


def _named(question: str, speakers: Collection[str]) -> set[str]:
    names = {speaker: _names(speaker) for speaker in {*speakers}}
    n_with = Counter(word for words in names.values() for word in {*words})
    asked = {*_WORD.findall(question)[1:]}
    plain = f" {' '.join(_WORD.findall(question)).casefold()} "
    roles = {*re.findall(rf" the (\w+) {_SAYING}\b", plain)}
    found = set()
    for speaker, words in names.items():
        own = {word for word in words if n_with[word] == 1 and word[0].isupper()}
        in_full = f" {' '.join(words).casefold()} " in plain
        by_role = not roles.isdisjoint(map(str.casefold, own))
        if own & asked or (len(words) > 1 and (in_full or by_role)):
            found.add(speaker)
    return found


def _names(speaker: str) -> list[str]:
    """The words of a speaker's name; "HAMLET" is Hamlet."""
    return [word.capitalize() if word.isupper() and len(word) >= _CAPITALS else word for word in _WORD.findall(speaker)]


def _labelled(document: Document) -> Iterator[Turn]:
    speaker, start, end = "", 0, 0
    for paragraph in document.paragraphs:
        label = _LABEL.match(document.text, paragraph.start, paragraph.end)
        if not label and speaker and paragraph.kind is ParagraphKind.PROSE:
            end = paragraph.end
            continue
        if speaker:
            yield Turn(speaker, Span(start, end))
        speaker = " ".join(label["speaker"].split()) if label else ""
        start, end = paragraph.start, paragraph.end
    if speaker:
        yield Turn(speaker, Span(start, end))
