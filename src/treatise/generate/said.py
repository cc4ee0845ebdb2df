"""Evidence for a question of what somebody said: the turns of the speakers whom it names, and reports of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from re import Pattern

from treatise.core.document import Document, Span
from treatise.core.evidence import Evidence, Passage
from treatise.core.turns import asked_speakers, asks_of_speech, says, turns


def said_by_named(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence with only the turns of the speakers whom the question names, and sentences that report them.

    It is unchanged if the question does not ask what they say or think, or if no passage is such a one.
    """
    kept = passages_by_named(evidence, documents)
    return replace(evidence, passages=kept, context="\n\n".join(one.text for one in kept)) if kept else evidence


def passages_by_named(evidence: Evidence, documents: Sequence[Document]) -> tuple[Passage, ...]:
    """The passages in turns of the speakers whom the question names, and those that report them."""
    if not asks_of_speech(evidence.question):
        return ()
    speech = {one.id: found for one in documents if (found := _speech(evidence.question, one))}
    return tuple(one for one in evidence.passages if one.document in speech and speech[one.document].has(one))


@dataclass(frozen=True, slots=True)
class _Speech:
    """What speakers say in a document: their turns, and what finds reports of them."""

    spans: list[Span]
    reports: list[Pattern[str]]

    def has(self, passage: Passage) -> bool:
        is_spoken = any(span.start <= passage.span.start < span.end for span in self.spans)
        return is_spoken or any(report.search(passage.text) for report in self.reports)


def _speech(question: str, document: Document) -> _Speech | None:
    """What the speakers say whom the question names; None if it names none."""
    found = turns(document)
    asked = asked_speakers(question, {one.speaker for one in found})
    return _Speech([one.span for one in found if one.speaker in asked], [*map(says, asked)]) if asked else None
