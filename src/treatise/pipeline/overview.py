"""What a document is about: its summary, as evidence and as an answer."""

from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, Citation, DirectAnswer, Statement, Support
from treatise.core.evidence import Evidence
from treatise.core.form import FormKind
from treatise.core.recipe import Sentences
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import joined
from treatise.generate import SummaryTask, asks_contents, summarize_by_extraction
from treatise.generate.about import title_place
from treatise.generate.citations import as_statement, cite
from treatise.generate.purpose import purpose
from treatise.pipeline.query import Query, Run

_WORDS: Final = 60


def asks_overview(run: Run, query: Query) -> bool:
    """Whether a summary answers the question: it asks what the only document is about, by a recipe over sentences."""
    is_plain = query.form.kind is FormKind.CITED and isinstance(run.recipe.indexing.units, Sentences)
    return is_plain and len(query.indexed) == 1 and asks_contents(query.question)


def overview_evidence(query: Query) -> Evidence:
    """The most salient sentences of the document, within the words of the query."""
    summary = summarize_by_extraction(query.indexed[0], SummaryTask("", query.max_words))
    return replace(summary.evidence, question=query.question)


def overview(query: Query, evidence: Evidence) -> Answer:
    """A short summary of the document; the direct answer is its first sentence, or the title if that says more."""
    (indexed,) = query.indexed
    summary = summarize_by_extraction(indexed, SummaryTask("", min(_WORDS, query.max_words)))
    place = title_place(indexed.document)
    if place and not purpose(summary.statements[0].text, indexed.document.title):
        summary = _after(cite(indexed.document, place), summary)
    direct = DirectAnswer(summary.statements[0].text, str(SpanAnswerKind.SENTENCE), evidence.confidence, (0,))
    return replace(summary, question=query.question, evidence=evidence, direct=direct)


def _after(title: Citation, summary: Answer) -> Answer:
    """The summary with the title of its document before it."""
    first = Statement(as_statement(title.quote), (0,), Support.QUOTED)
    others = [replace(one, citations=tuple(i + 1 for i in one.citations)) for one in summary.statements]
    statements = (first, *others)
    text = joined([one.text for one in statements])
    return replace(summary, text=text, statements=statements, citations=(title, *summary.citations))
