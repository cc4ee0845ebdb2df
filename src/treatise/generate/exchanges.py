"""What the speakers whom a question names say on its topic, anywhere in a conversation, or reply to others who do."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from treatise.claims.words import Text
from treatise.core.document import Document, Span, trim
from treatise.core.turns import asked_speakers, asks_of_speech, turns
from treatise.core.words import n_words

_SHARE: Final = 0.5
"""Of the topic's words, which a sentence must exceed."""
_MIN_WORDS: Final = 6  # of a sentence with its speaker's name
_NEAR: Final = 3  # turns after a question in which it is answered: a chair may speak between


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a conversation.

    Attributes:
        span: Its place.
        turn: The number of its turn.
        by_named: Whether a speaker says it whom the question names.
        asks: Whether it is a question.
        share: The share of the topic's words that it has.
    """

    span: Span
    turn: int
    by_named: bool
    asks: bool
    share: float


def exchanges(
    question: str, topic: frozenset[str], document: Document, *, max_words: int, max_sentences: int
) -> list[Span]:
    """Sentences in which named speakers say more than half of the topic's words, given as stems, in their order.

    Those with most words are taken first, at least one of any length. If there are none, sentences of other speakers
    are, each with what a named speaker says next: to a statement in the next turn, to a question in one of the next
    three. Empty if the question names no speaker.
    """
    chosen: list[Span] = []
    left = max_words
    for spans in _on_topic(list(_sentences(question, topic, document))):
        new = [one for one in spans if one not in chosen]
        left -= sum(n_words(document.quote(one.start, one.end)) for one in new)
        if chosen and (left < 0 or len(chosen) + len(new) > max_sentences):
            break
        chosen += new
    return sorted(chosen, key=lambda one: one.start)


def _on_topic(sentences: list[_Sentence]) -> list[list[Span]]:
    """The sentences of named speakers on the topic, else those of others with their replies; the best first."""
    on_topic = sorted((one for one in sentences if one.share > _SHARE), key=lambda one: -one.share)
    own = [[one.span] for one in on_topic if one.by_named and not one.asks]
    said: dict[int, _Sentence] = {}
    for one in sentences:
        if one.by_named and not one.asks:
            said.setdefault(one.turn, one)
    replies = ((one, _reply(one, said)) for one in on_topic if not one.by_named)
    return own or [[one.span, reply.span] for one, reply in replies if reply]


def _sentences(question: str, topic: frozenset[str], document: Document) -> Iterator[_Sentence]:
    """The sentences of a conversation that say something; none if the question names no speaker."""
    found = turns(document) if asks_of_speech(question) else []
    named = asked_speakers(question, {one.speaker for one in found}) if found else set()
    starts = [one.span.start for one in found]
    for span in (trim(document.text, one) for one in document.sentences() if named):
        at = bisect_right(starts, span.start) - 1
        text = document.quote(span.start, span.end)
        if at < 0 or span.start >= found[at].span.end or n_words(text) < _MIN_WORDS:
            continue
        speaker = found[at].speaker
        words = Text(text.removeprefix(f"{speaker}:")).content
        yield _Sentence(span, at, speaker in named, text.rstrip().endswith("?"), len(topic & words) / len(topic))


def _reply(one: _Sentence, said: dict[int, _Sentence]) -> _Sentence | None:
    """What a named speaker says in the turns after a sentence, of the first statements of named speakers by turn."""
    near = range(one.turn + 1, one.turn + 1 + (_NEAR if one.asks else 1))
    return next((said[turn] for turn in near if turn in said), None)
