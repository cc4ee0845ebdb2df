"""Contradicting sources, cited side by side."""

from collections.abc import Sequence
from dataclasses import replace

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.plan import Part
from treatise.generate.citations import cite
from treatise.generate.planned import place


def add_conflicts(answer: Answer, documents: Sequence[Document], pairs: Sequence[tuple[Part, Part]]) -> Answer:
    """The answer with both places of each contradicting pair among its citations; a refusal is unchanged."""
    if not answer.found or not pairs:
        return answer
    by_id = {document.id: document for document in documents}
    citations = list(answer.citations)
    conflicts: list[tuple[int, int]] = []
    for pair in pairs:
        cited = [cite(*place(part, answer.evidence, by_id)) for part in pair]
        citations += [one for one in cited if one not in citations]
        conflicts.append((citations.index(cited[0]), citations.index(cited[1])))
    return replace(answer, citations=tuple(citations), conflicts=tuple(conflicts))
