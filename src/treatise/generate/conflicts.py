"""Contradicting sources, cited side by side."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from treatise.claims import dispute
from treatise.core.answer import Answer, Citation
from treatise.core.document import Document, ParagraphKind
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern
from treatise.core.plan import Part
from treatise.generate.citations import cite
from treatise.generate.fitting import TIME
from treatise.generate.planned import place

MAX_DISPUTES: Final = 5
"""Most contradictions that are shown beside an answer."""

_TIMED: Final = lazy_pattern(rf"[\s*•+-]{{0,9}}{TIME}", re.IGNORECASE)
"""How an entry of a timetable begins."""


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


def add_disputes(answer: Answer, documents: Sequence[Document]) -> Answer:
    """The answer with each passage of its evidence that says otherwise than a quotation, cited beside it.

    For English documents, whose sentences differ in one word; see :func:`treatise.claims.dispute`. At most
    ``MAX_DISPUTES`` are cited; rows of tables and entries of a timetable differ by their labels, and dispute nothing.
    """
    by_id = {document.id: document for document in documents}
    if not answer.found or answer.conflicts or not all(one.language.startswith("en") for one in documents):
        return answer
    citations = list(answer.citations)
    conflicts: list[tuple[int, int]] = []
    for i, cited in enumerate(answer.citations):
        if _is_entry(by_id[cited.document], cited.span.start):
            continue
        for other in _disputing(cited, answer, by_id):
            citations += [other] if other not in citations else []
            pair = i, citations.index(other)
            conflicts += [pair] if pair[::-1] not in conflicts else []
            if len(conflicts) == MAX_DISPUTES:
                return replace(answer, citations=tuple(citations), conflicts=tuple(conflicts))
    return replace(answer, citations=tuple(citations), conflicts=tuple(conflicts))


def _is_entry(document: Document, start: int) -> bool:
    """Whether a row of a table or an entry of a timetable ("09:30 Coffee") begins there."""
    is_row = document.paragraph_at(start).kind is ParagraphKind.TABLE
    return is_row or bool(_TIMED.match(document.text, start))


def _disputing(cited: Citation, answer: Answer, documents: Mapping[str, Document]) -> Iterator[Citation]:
    """Citations of the passages that contradict a quotation; orders to a model contradict nothing."""
    for passage in answer.evidence.passages:
        if (
            passage.noted
            or _is_entry(documents[passage.document], passage.span.start)
            or addresses_a_model(passage.text)
            or addresses_a_model(cited.quote)
        ):
            continue
        if dispute(cited.quote, passage.text):
            yield cite(documents[passage.document], passage.span)
