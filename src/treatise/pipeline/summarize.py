"""An indexed document to its summary: here generation, notes of language models and retrieval's scores meet."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import Final

import numpy as np

from treatise.core.answer import Answer
from treatise.core.document import Span
from treatise.core.evidence import Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.injection import order_note
from treatise.core.note import Note, Origin, fallback_reason, note_key
from treatise.core.ports import Encoder, Progress
from treatise.core.recipe import Recipe, Refinement
from treatise.core.tree import DiscourseTree, children
from treatise.core.usage import Stage
from treatise.core.words import joined, n_words
from treatise.enhance import NotePrompts
from treatise.generate import Asked, summarize_by_extraction, summarize_by_model
from treatise.generate.salience import FOR_DOCUMENT, FOR_QUESTION, choose, salience
from treatise.llm.runner import LlmRunner
from treatise.llm.window import window_of
from treatise.pipeline.run import Run
from treatise.retrieve import find_evidence, scores_of

PROMPT_VERSION: Final = 1

_OVERHEAD_TOKENS: Final = 1_000  # of rules, tags, a critic's remarks and a chat template
_TOKENS_A_WORD: Final = 2.5  # of what a model writes: no reply may be cut off
_PROMPT_TOKENS_A_WORD: Final = 1.5
_PART_WORDS: Final = 1_500  # of the document that one call condenses, where the window allows
_PASSAGE_WORDS: Final = 120  # of a passage, where the document itself fits into the window: so narrow are its citations
_NOTE_WORDS: Final = 150
_GROUP: Final = 8  # notes that one call condenses
_WORDS_READ_A_WORD: Final = 6  # retrieved for a summary on a question, for each word of it
_MIN_WORDS_READ: Final = 900


def summarize_indexed(  # noqa: PLR0913  (a seam of the pipeline)
    indexed: IndexedDocument,
    question: str,
    recipe: Recipe,
    *,
    encoder: Encoder,
    max_words: int,
    writer: LlmRunner | None = None,
    progress: Progress | None = None,
) -> Answer:
    """The summary of an indexed document: of all of it where the question is empty, quoted where there is no writer.

    Raises:
        EngineUnavailableError, ModelReplyError: As ``written_summary``.
    """
    asked = _asked(indexed, question, max_words, recipe, encoder)
    if writer is None:
        return summarize_by_extraction(indexed, asked)
    return written_summary(
        indexed, asked, writer=writer, encoder=encoder, refinement=recipe.refinement, progress=progress
    )


def summarize_document(
    run: Run, indexed: IndexedDocument, question: str, max_words: int, progress: Progress | None = None
) -> Answer:
    """The summary of a document in a run, with a note if its text gives orders to a model; see ``summarize_indexed``.

    Raises:
        EngineError: If an engine fails, the language model included.
    """
    with run.meter.time(Stage.SUMMARY):
        answer = summarize_indexed(
            indexed,
            question,
            run.recipe,
            encoder=run.engines.encoder,
            max_words=max_words,
            writer=run.runner,
            progress=progress,
        )
    run.meter.add(answer.usage)
    orders = order_note([indexed.document.text])
    usage = replace(run.meter.usage, summary_words=len(answer.text.split()))
    return replace(answer, notes=(*answer.notes, *filter(None, [orders])), usage=usage)


def written_summary(
    indexed: IndexedDocument,
    asked: Asked,
    *,
    writer: LlmRunner,
    encoder: Encoder,
    refinement: Refinement | None = None,
    progress: Progress | None = None,
) -> Answer:
    """The language model's summary of a document of any length, no call beyond the model's window.

    On a question: from the sentences most relevant to it. Of the document: from its text where that fits into the
    window; else bottom-up through the tree: stretches are condensed to notes, notes to notes on several, wave by wave
    and out of the cache where an earlier run was there, until those that are left fit. What the budget does not allow,
    or no reply fits, is stood for by its most salient sentences.

    Raises:
        EngineUnavailableError: Where the model could not be reached; finished calls are kept.
        ModelReplyError: Where it did not write the summary.
    """
    room = _room(writer, asked.max_words)
    if asked.relevance is not None:
        parts = _relevant(indexed, asked, room)
    else:
        parts = _document(indexed, room) or _condensed(indexed, writer, room, progress)
    answer = summarize_by_model(indexed, asked, parts, encoder=encoder, model=writer.model, refinement=refinement)
    usage = answer.usage.with_stage(Stage.SUMMARY, model=answer.usage.model(Stage.SUMMARY) + writer.spending.usage)
    return replace(answer, usage=usage)


def _asked(indexed: IndexedDocument, question: str, max_words: int, recipe: Recipe, encoder: Encoder) -> Asked:
    """What a summary is to be, with how well each unit answers the question."""
    if not question:
        return Asked("", max_words)
    vector = encoder.encode_questions([question])[0]
    evidence = find_evidence([indexed], question, vector, recipe, max_words=max_words)
    scores = scores_of(indexed, question, vector, recipe)
    return Asked(question, max_words, scores[indexed.tree.leaf_nodes], evidence.confidence)


def _room(writer: LlmRunner, max_words: int) -> int:
    """Words of text that fit into a prompt beside the summary, its critic's and its reviser's turns."""
    tokens = window_of(writer.model) - _OVERHEAD_TOKENS - 2 * ceil(_TOKENS_A_WORD * max_words)
    return max(100, int(tokens / _PROMPT_TOKENS_A_WORD))


def _relevant(indexed: IndexedDocument, asked: Asked, room: int) -> list[Passage]:
    """Sentences for a question, in text order."""
    scores = salience(indexed, FOR_QUESTION, asked.relevance)
    n = min(room, max(_MIN_WORDS_READ, _WORDS_READ_A_WORD * asked.max_words))
    units = choose(indexed, scores, FOR_QUESTION, n) or [int(np.argmax(scores))]
    return [_passage(indexed, unit, unit + 1, group) for group, unit in enumerate(units)]


def _document(indexed: IndexedDocument, room: int) -> list[Passage]:
    """The whole text in passages; none where it does not fit."""
    if sum(_lengths(indexed)) > room:
        return []
    return [_passage(indexed, start, end, i) for i, (start, end) in enumerate(stretches(indexed, _PASSAGE_WORDS))]


def _condensed(indexed: IndexedDocument, writer: LlmRunner, room: int, progress: Progress | None) -> list[Passage]:
    """Notes on the whole text, in order, that fit together."""
    lengths = _lengths(indexed)
    asking = NotePrompts(writer.model, _NOTE_WORDS, PROMPT_VERSION)
    ranges = list(stretches(indexed, min(_PART_WORDS, room)))
    texts = [_text(indexed, start, end) for start, end in ranges]
    below = [Note(text, Origin.LEAF, range(*at), note_key(text)) for text, at in zip(texts, ranges, strict=True)]
    notes = _written([[note] for note in below], indexed, lengths, asking, writer, progress)
    while sum(n_words(note.text) for note in notes) > room and len(notes) > 1:
        size = max(2, min(_GROUP, room // _NOTE_WORDS))
        groups = [notes[at : at + size] for at in range(0, len(notes), size)]
        notes = _written(groups, indexed, lengths, asking, writer, progress)
    return [_noted(indexed, note, group) for group, note in enumerate(notes)]


def _written(
    groups: Sequence[Sequence[Note]],
    indexed: IndexedDocument,
    lengths: Sequence[int],
    asking: NotePrompts,
    writer: LlmRunner,
    progress: Progress | None,
) -> list[Note]:
    """A note on each group, all asked for in one wave; its most salient sentences where the model gives none."""
    jobs = [asking.join(group) for group in groups]
    outcomes = writer.run(jobs, progress)
    lacking = any(not (finished and finished.texts) for finished in outcomes.values())
    scores = salience(indexed, FOR_DOCUMENT) if lacking else np.zeros(0)
    made = []
    for group, job in zip(groups, jobs, strict=True):
        units = range(group[0].units[0], group[-1].units[-1] + 1)
        finished = outcomes.get(job.key)
        if finished and finished.texts:
            made.append(Note(finished.texts[0], Origin.SUMMARY, units, job.key))
            continue
        text = joined(_text(indexed, unit, unit + 1) for unit in _best(scores, lengths, units))
        origin, rejection_reason = fallback_reason(finished)
        made.append(Note(text, origin, units, note_key(origin, text), rejection_reason))
    return made


def _best(scores: np.ndarray, lengths: Sequence[int], units: range) -> list[int]:
    """The most salient of these units, in text order, up to the length of a note; the first one stays whole."""
    kept: list[int] = []
    left = _NOTE_WORDS
    for unit in sorted(units, key=lambda unit: -scores[unit]):
        if kept and lengths[unit] > left:
            break
        kept.append(unit)
        left -= lengths[unit]
    return sorted(kept)


def stretches(indexed: IndexedDocument, max_words: int) -> Iterator[tuple[int, int]]:
    """Half-open runs of units that tile the document, each of at most so many words, or one unit.

    Runs end where subtrees do: the largest subtrees that fit, and neighbours together as long as they fit.
    """
    ends = np.concatenate([[0], np.cumsum(_lengths(indexed))])
    start = end = 0
    for first, last in _subtrees(indexed.tree, ends, max_words):
        if end > start and ends[last] - ends[start] > max_words:
            yield start, end
            start = first
        end = last
    if end > start:
        yield start, end


def _subtrees(tree: DiscourseTree, ends: np.ndarray, max_words: int) -> Iterator[tuple[int, int]]:
    """Unit ranges of the largest subtrees of at most so many words, or one unit; in text order."""
    waiting = list(reversed(tree.roots))
    while waiting:
        node = waiting.pop()
        first, last = tree.ranges[node].tolist()
        below = children(tree.nodes[node])
        if ends[last] - ends[first] <= max_words or not below:
            yield first, last
        else:
            waiting += reversed(below)


def _noted(indexed: IndexedDocument, note: Note, group: int) -> Passage:
    spans = tuple(indexed.units[unit] for unit in note.units)
    return Passage(indexed.document.id, spans[0], note.text, 0.0, group, noted=spans)


def _passage(indexed: IndexedDocument, start: int, end: int, group: int) -> Passage:
    """Units as they stand in the document; the units are named where there are several."""
    span = Span(indexed.units[start].start, indexed.units[end - 1].end)
    noted = tuple(indexed.units[start:end]) if end - start > 1 else ()
    return Passage(indexed.document.id, span, indexed.document.quote(span.start, span.end), 0.0, group, noted=noted)


def _text(indexed: IndexedDocument, start: int, end: int) -> str:
    return indexed.document.quote(indexed.units[start].start, indexed.units[end - 1].end)


def _lengths(indexed: IndexedDocument) -> list[int]:
    return [n_words(indexed.document.quote(unit.start, unit.end)) for unit in indexed.units]
