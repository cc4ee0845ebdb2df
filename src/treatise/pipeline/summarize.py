"""Summarises an indexed document: retrieval scores, notes by language models and generation."""

from dataclasses import replace
from math import ceil
from typing import Final

import numpy as np

from treatise.core.answer import Answer
from treatise.core.document import Span
from treatise.core.evidence import Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.injection import order_note
from treatise.core.ports import LanguageModel, Progress
from treatise.core.usage import Stage
from treatise.generate.refined import Writer
from treatise.generate.salience import FOR_QUESTION, choose, salience
from treatise.generate.summarized import SummaryTask, summarize_by_extraction, summarize_by_model
from treatise.llm.runner import LlmRunner
from treatise.llm.window import window_of
from treatise.pipeline.condense import Condenser, stretches, unit_lengths, unit_text
from treatise.pipeline.query import Run
from treatise.retrieve import find_evidence, scores_of

_OVERHEAD_TOKENS: Final = 1_000  # of rules, tags, a critic's remarks and a chat template
_TOKENS_PER_WORD: Final = 2.5  # tokens of a reply: none may be truncated
_PROMPT_TOKENS_PER_WORD: Final = 1.5
_PASSAGE_WORDS: Final = 120  # of a passage, if the whole document fits into the window: citations are that narrow
_WORDS_READ_PER_WORD: Final = 6  # words retrieved for a summary on a question, per word of the summary
_MIN_WORDS_READ: Final = 900


def summarize_document(
    run: Run, indexed: IndexedDocument, question: str, max_words: int, progress: Progress | None = None
) -> Answer:
    """The summary of a document, or of what it says on a question; quoted if the run has no runner.

    Raises:
        EngineError: If an engine fails, the language model included; finished calls are kept.
    """
    with run.meter.time(Stage.SUMMARY):
        asked = _asked(run, indexed, question, max_words)
        if run.runner is None:
            answer = summarize_by_extraction(indexed, asked)
        else:
            answer = _written(run, run.runner, indexed, asked, progress)
    run.meter.add(answer.usage)
    orders = order_note([indexed.document.text])
    usage = replace(run.meter.usage, summary_words=len(answer.text.split()))
    evidence = replace(answer.evidence, documents={indexed.document.id: indexed.document})
    return replace(answer, notes=(*answer.notes, *filter(None, [orders])), evidence=evidence, usage=usage)


def _asked(run: Run, indexed: IndexedDocument, question: str, max_words: int) -> SummaryTask:
    """The question and length of a summary, with how well each unit answers the question."""
    if not question:
        return SummaryTask("", max_words)
    vector = run.engines.encoder.encode_questions([question])[0]
    evidence = find_evidence([indexed], question, vector, run.recipe, max_words=max_words)
    scores = scores_of(indexed, question, vector, run.recipe)
    return SummaryTask(question, max_words, scores[indexed.tree.leaf_nodes], evidence.confidence)


def _written(
    run: Run, runner: LlmRunner, indexed: IndexedDocument, asked: SummaryTask, progress: Progress | None
) -> Answer:
    """The language model's summary of a document of any length; every call fits the model's window.

    With a question, it is made from the most relevant sentences. Otherwise it is made from the document's text if that
    fits the window. If not, runs of text are condensed to notes, and notes to further notes, in waves, until the notes
    fit. The most salient sentences replace a note beyond the budget or with rejected replies.
    """
    room = _room(runner.model, asked.max_words)
    if asked.relevance is not None:
        parts = _relevant(indexed, asked, room)
    else:
        parts = _document(indexed, room) or Condenser(indexed, runner, progress).condense(room)
    writer = Writer(runner.model, run.engines.encoder, run.engines.judge, run.recipe.refinement)
    answer = summarize_by_model(indexed, asked, parts, writer)
    model = answer.usage.model(Stage.SUMMARY) + runner.spending.usage
    return replace(answer, usage=answer.usage.with_stage(Stage.SUMMARY, model=model))


def _room(model: LanguageModel, max_words: int) -> int:
    """Words of text that fit a prompt together with the summary and the turns of critic and reviser."""
    tokens = window_of(model) - _OVERHEAD_TOKENS - 2 * ceil(_TOKENS_PER_WORD * max_words)
    return max(100, int(tokens / _PROMPT_TOKENS_PER_WORD))


def _relevant(indexed: IndexedDocument, asked: SummaryTask, room: int) -> list[Passage]:
    """Sentences for a question, in text order."""
    scores = salience(indexed, FOR_QUESTION, asked.relevance)
    n = min(room, max(_MIN_WORDS_READ, _WORDS_READ_PER_WORD * asked.max_words))
    units = choose(indexed, scores, FOR_QUESTION, n) or [int(np.argmax(scores))]
    return [_passage(indexed, unit, unit + 1, group) for group, unit in enumerate(units)]


def _document(indexed: IndexedDocument, room: int) -> list[Passage]:
    """The whole text in passages; none if it does not fit."""
    if sum(unit_lengths(indexed)) > room:
        return []
    return [_passage(indexed, start, end, i) for i, (start, end) in enumerate(stretches(indexed, _PASSAGE_WORDS))]


def _passage(indexed: IndexedDocument, start: int, end: int, group: int) -> Passage:
    """Units as passages of the document; if there are several, ``noted`` has each span."""
    span = Span(indexed.units[start].start, indexed.units[end - 1].end)
    noted = tuple(indexed.units[start:end]) if end - start > 1 else ()
    return Passage(indexed.document.id, span, unit_text(indexed, start, end), 0.0, group, noted=noted)
