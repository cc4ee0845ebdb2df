"""The rules that answer a question before a reader is asked, and those that narrow what it reads, each in its place."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.patterns import lazy_pattern
from treatise.generate.abbreviations import answer_abbreviation
from treatise.generate.about import about_evidence
from treatise.generate.attendance import answer_attendance
from treatise.generate.beside import beside_identifiers, with_ordinal
from treatise.generate.computed import answer_figure
from treatise.generate.conditions import answer_conditions
from treatise.generate.faq import answer_from_faq
from treatise.generate.headed import answer_under_heading
from treatise.generate.introduced import with_introduction
from treatise.generate.labelled import labelled_rows
from treatise.generate.row_answer import of_period
from treatise.generate.said import said_by_named
from treatise.generate.termed import led_by_terms
from treatise.generate.timetable import answer_by_timetable
from treatise.generate.under import under_named_headings

_BEGINS_ENGLISH: Final = lazy_pattern(
    r"\W*(?:when|who|whose|what|which|where|why|how|is|are|were|do|does|did|can|could|should|may|must|will|has|have)\b",
    re.IGNORECASE,
)
_OF_DOCUMENTS: Final = (
    answer_abbreviation,
    answer_figure,
    answer_attendance,
    answer_under_heading,
    answer_by_timetable,
    answer_conditions,
)
_NARROWING: Final = (
    about_evidence,
    said_by_named,
    with_ordinal,
    beside_identifiers,
    under_named_headings,
    labelled_rows,
    led_by_terms,
    of_period,
    with_introduction,
)


def answer_by_rules(evidence: Evidence, indexed: Sequence[IndexedDocument]) -> Answer | None:
    """The answer of the first rule that knows one; some rules answer only of a document that is asked alone."""
    return next(filter(None, _answers(evidence, indexed)), None)


def narrowed(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """What the question is about, of the evidence."""
    for narrow in _NARROWING:
        evidence = narrow(evidence, documents)
    return evidence


def _answers(evidence: Evidence, indexed: Sequence[IndexedDocument]) -> Iterator[Answer | None]:
    documents = [one.document for one in indexed]
    yield from (rule(evidence, documents) for rule in _OF_DOCUMENTS)
    if len(indexed) == 1:
        yield from _of_one_document(evidence, indexed[0])
    yield answer_from_faq(evidence, documents)
    if _may_be_in_table(evidence, documents):
        yield from _by_tables(evidence, documents)


def _of_one_document(evidence: Evidence, indexed: IndexedDocument) -> Iterator[Answer | None]:
    """Rules for a document that is asked alone; a question to a library needs none of their code."""
    from treatise.generate.decided import answer_decided
    from treatise.generate.findings import answer_findings
    from treatise.generate.letters import answer_letter
    from treatise.generate.motions import answer_motion
    from treatise.generate.offices import answer_office, answer_signed
    from treatise.generate.parties import answer_parties, answer_party
    from treatise.generate.release_notes import answer_release_notes
    from treatise.generate.section_text import answer_section

    yield answer_findings(evidence, indexed)
    for rule in (
        answer_letter,
        answer_parties,
        answer_party,
        answer_release_notes,
        answer_section,
        answer_office,
        answer_signed,
        answer_motion,
        answer_decided,
    ):
        yield rule(evidence, indexed.document)
    yield from _of_lists(evidence, indexed.document)


def _of_lists(evidence: Evidence, document: Document) -> Iterator[Answer | None]:
    """Rules for items, dated items and fields; most documents and questions need none of their code."""
    if document.tables:
        from treatise.generate.items import answer_from_items

        yield answer_from_items(evidence, document)
    if ":" in document.text and not _BEGINS_ENGLISH.match(evidence.question):
        from treatise.generate.fields import answer_from_fields

        yield answer_from_fields(evidence, document)
    if any(map(str.isdigit, evidence.question)):
        from treatise.generate.dated_items import answer_from_dated_items

        yield answer_from_dated_items(evidence, document)


def _may_be_in_table(evidence: Evidence, documents: Sequence[Document]) -> bool:
    """Whether the best passage is of a document with tables."""
    best = max(evidence.passages, key=lambda one: one.score, default=None)
    return best is not None and any(one.id == best.document and one.tables for one in documents)


def _by_tables(evidence: Evidence, documents: Sequence[Document]) -> Iterator[Answer | None]:
    """Rules that answer from a table in which the best passage is; most questions need none of their code."""
    from treatise.generate.compared import answer_by_comparison
    from treatise.generate.legends import answer_by_legend
    from treatise.generate.tabular import answer_from_tables

    yield answer_by_legend(evidence, documents)
    yield answer_from_tables(evidence, documents)
    yield answer_by_comparison(evidence, documents)
