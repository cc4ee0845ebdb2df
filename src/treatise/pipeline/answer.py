"""Answers a query: retrieval, structure and generation."""

from collections.abc import Sequence
from dataclasses import replace

from treatise.core.answer import Answer
from treatise.core.document import Document
from treatise.core.evidence import Evidence
from treatise.core.form import FormKind
from treatise.core.injection import order_note
from treatise.core.ports import LanguageModel
from treatise.core.recipe import PlanBy, ReaderText, Sentences
from treatise.core.usage import Stage
from treatise.generate import (
    FormPrompt,
    PlanInstructions,
    add_conflicts,
    answer_by_extraction,
    answer_by_model,
    answer_by_plan,
    answer_by_reading,
    answer_in_form,
)
from treatise.ingest.language import language_note
from treatise.pipeline.query import Query, Run
from treatise.pipeline.retrieve import gather, whole_documents
from treatise.pipeline.structure import EvidenceStructure, Structurer, chunks_of
from treatise.retrieve import in_sentences


def answer_query(run: Run, query: Query) -> Answer:
    """The answer by the run's model in the query's form, or a quoted one without a model.

    Raises:
        EngineError: If an engine fails, the language model included.
    """
    evidence, made = structure_query(run, query)
    with run.meter.time(Stage.ANSWER):
        answer = _generated(run, query, evidence, made)
        answer = add_conflicts(answer, query.documents, made.structure.conflicts)
    run.meter.add(answer.usage)
    run.meter.note_lengths(evidence_words=len(evidence.context.split()), structure_tokens=made.rendered.tokens)
    notes = (*evidence.notes, *answer.notes, *made.notes, *_warnings(run, query, evidence))
    return replace(answer, notes=notes, usage=run.meter.usage)


def structure_query(run: Run, query: Query) -> tuple[Evidence, EvidenceStructure]:
    """The passages for a query, and the recipe's structure over them; each passage is a chunk."""
    evidence, plan = gather(run, query)
    chunks = chunks_of(evidence.passages, query.documents)
    return evidence, Structurer(run).structure(query.question, chunks, plan)


def _generated(run: Run, query: Query, evidence: Evidence, made: EvidenceStructure) -> Answer:
    if run.runner is None:
        return _quoted(run, query, evidence, made)
    answer = _written(run, run.runner.model, query, evidence, made)
    return replace(answer, evidence=evidence)


def _written(run: Run, model: LanguageModel, query: Query, evidence: Evidence, made: EvidenceStructure) -> Answer:
    """The model's answer, as cited sentences or in the form of a data set."""
    encoder, recipe, documents = run.engines.encoder, run.recipe, query.documents
    guidance = PlanInstructions(made.rendered.text, recipe.planning.plan is PlanBy.WITH_ANSWER)
    if query.form.kind is not FormKind.CITED:
        asked = FormPrompt(query.question, query.form, guidance)
        return answer_in_form(asked, evidence, documents, encoder=encoder, model=model, recipe=recipe)
    if recipe.reader_text is ReaderText.DOCUMENT:
        evidence = whole_documents(evidence, documents)
    return answer_by_model(evidence, documents, encoder=encoder, model=model, recipe=recipe, guidance=guidance)


def _quoted(run: Run, query: Query, evidence: Evidence, made: EvidenceStructure) -> Answer:
    """Sentences quoted from the evidence, in the order of the plan if there is one; the same in every form."""
    documents, plan = query.documents, made.structure.plan
    is_of_chunks = not isinstance(run.recipe.indexing.units, Sentences)
    by_sentence = in_sentences(evidence, query.indexed, run.engines.encoder) if is_of_chunks else evidence
    evidence = replace(evidence, confidence=by_sentence.confidence)
    if plan:
        answer = answer_by_plan(evidence, documents, plan)
    elif run.engines.reader and _is_english(documents):
        answer = answer_by_reading(by_sentence, documents, run.engines.reader)
    else:
        answer = answer_by_extraction(by_sentence, documents)
    return replace(answer, evidence=evidence)


def _warnings(run: Run, query: Query, evidence: Evidence) -> tuple[str, ...]:
    """Warnings about orders to a model in the text, and about a question in another language than the documents."""
    found = {passage.document for passage in evidence.passages}
    languages = {document.language for document in query.documents if document.id in found}
    language = language_note(query.question, languages)
    is_whole = run.runner is not None and run.recipe.reader_text is not ReaderText.EVIDENCE
    orders = order_note(one.text for one in (query.documents if is_whole else evidence.passages))
    return tuple(filter(None, (orders, language)))


def _is_english(documents: Sequence[Document]) -> bool:
    """Whether all documents are in English, the reader's language."""
    return all(document.language.partition("-")[0] == "en" for document in documents)
