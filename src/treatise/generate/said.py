"""Evidence for a question of what somebody said: the turns of the speakers whom it names."""

from collections.abc import Sequence
from dataclasses import replace

from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.turns import asked_speakers, asks_of_speech, turns


def said_by_named(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """The evidence with only the turns of the speakers whom the question names, in the documents where they speak.

    It is unchanged if the question does not ask what they say or think, or if no passage is of such a turn.
    """
    spoken = {}
    for document in documents if asks_of_speech(evidence.question) else ():
        found = turns(document)
        if asked := asked_speakers(evidence.question, [one.speaker for one in found]):
            spoken[document.id] = [one.span for one in found if one.speaker in asked]
    kept = tuple(
        one
        for one in evidence.passages
        if any(span.start <= one.span.start < span.end for span in spoken.get(one.document, ()))
    )
    if not kept:
        return evidence
    return replace(evidence, passages=kept, context="\n\n".join(one.text for one in kept))
