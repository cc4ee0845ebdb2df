"""Answers and summaries from evidence, every sentence cited: quoted, or written by a model and checked.

Here is what quotes an answer. Summaries (``summarized``, ``overview``) and what a model writes (``prompted``,
``forms``) are imported where they are made.
"""

from treatise.generate.about import about_evidence, answer_about, asks_contents
from treatise.generate.asked import defined_term, defines
from treatise.generate.attendance import answer_attendance
from treatise.generate.beside import beside_identifiers, with_ordinal
from treatise.generate.compared import answer_by_comparison
from treatise.generate.computed import answer_figure
from treatise.generate.conditions import answer_conditions
from treatise.generate.conflicts import add_conflicts, add_disputes
from treatise.generate.direct import answer_by_reading
from treatise.generate.extracted import answer_by_extraction
from treatise.generate.faq import answer_from_faq
from treatise.generate.findings import answer_findings
from treatise.generate.headed import answer_under_heading
from treatise.generate.introduced import with_introduction
from treatise.generate.labelled import labelled_rows
from treatise.generate.letters import answer_letter, asks_subject
from treatise.generate.mismatch import mismatch
from treatise.generate.motions import answer_motion
from treatise.generate.not_found import is_doubted, refusal_because
from treatise.generate.offices import answer_office, answer_signed
from treatise.generate.parties import answer_parties, answer_party
from treatise.generate.planned import answer_by_plan
from treatise.generate.release_notes import answer_release_notes
from treatise.generate.reworded import rewordings
from treatise.generate.row_answer import of_period
from treatise.generate.said import said_by_named
from treatise.generate.section_text import answer_section
from treatise.generate.short import shortened
from treatise.generate.tabular import answer_from_tables
from treatise.generate.termed import led_by_terms
from treatise.generate.timetable import answer_by_timetable
from treatise.generate.under import under_named_headings

__all__ = [
    "about_evidence",
    "add_conflicts",
    "add_disputes",
    "answer_about",
    "answer_attendance",
    "answer_by_comparison",
    "answer_by_extraction",
    "answer_by_plan",
    "answer_by_reading",
    "answer_by_timetable",
    "answer_conditions",
    "answer_figure",
    "answer_findings",
    "answer_from_faq",
    "answer_from_tables",
    "answer_letter",
    "answer_motion",
    "answer_office",
    "answer_parties",
    "answer_party",
    "answer_release_notes",
    "answer_section",
    "answer_signed",
    "answer_under_heading",
    "asks_contents",
    "asks_subject",
    "beside_identifiers",
    "defined_term",
    "defines",
    "is_doubted",
    "labelled_rows",
    "led_by_terms",
    "mismatch",
    "of_period",
    "refusal_because",
    "rewordings",
    "said_by_named",
    "shortened",
    "under_named_headings",
    "with_introduction",
    "with_ordinal",
]
