"""Summaries: quoted by salience, or written by a model from numbered parts and checked."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, Span
from treatise.core.errors import ModelReplyError
from treatise.core.evidence import Evidence, Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.plurals import counted
from treatise.core.ports import ClaimJudge, Encoder
from treatise.core.quotation import statement_of
from treatise.core.standalone import ends_as_sentence
from treatise.core.usage import Stage, Usage
from treatise.core.vectors import Floats
from treatise.core.words import joined, n_words
from treatise.generate.about import title_place
from treatise.generate.check import Checker
from treatise.generate.citations import MAX_CITED, cite
from treatise.generate.cited import notes_on
from treatise.generate.not_found import WEAK
from treatise.generate.prompted import prompt
from treatise.generate.refined import DraftPrompt, Writer
from treatise.generate.reply import WrittenSentence, clean_reply, joined_sentences, written_sentences
from treatise.generate.salience import FOR_DOCUMENT, FOR_QUESTION, first_words, salience
from treatise.generate.selection import Selection
from treatise.llm.prompts import prompt as prompt_file
from treatise.llm.request import Request, conversation, plain_text, request_key

PROMPT_VERSION: Final = 1

_TOKENS_PER_WORD: Final = 2.5
_NO_SENTENCES: Final = "the document has no sentences to summarise: its first lines are quoted"
_TITLE_SHARE: Final = 0.25  # of a summary
_TITLE_OF_LINE: Final = 0.5


@dataclass(frozen=True, slots=True)
class SummaryTask:
    """The subject and length of a summary.

    Attributes:
        question: Its subject; empty for the whole document.
        max_words: Length limit.
        relevance: How well each unit answers the question, shape ``(n_units,)``; None without a question.
        confidence: Probability that the document contains an answer; 1 without a question.
        notes: Notes of the first stage of retrieval.
        n_units: Only sentences before this one are quoted; all by default.
    """

    question: str
    max_words: int
    relevance: Floats | None = None
    confidence: float = 1.0
    notes: tuple[str, ...] = ()
    n_units: int = sys.maxsize

    @property
    def warnings(self) -> tuple[str, ...]:
        """The notes, with a warning if the document seems to say little on the question."""
        doubt = f"the document may hold little on this question: confidence {self.confidence:.2f}, below {WEAK}"
        return (*self.notes, doubt) if self.confidence < WEAK else self.notes


def summarize_by_extraction(indexed: IndexedDocument, task: SummaryTask) -> Answer:
    """Sentences quoted verbatim and cited: first the one that says what the document is, else its title, then the most
    salient of its parts in the order of the document; of a licence or a meeting first what readers look for.

    Statements of a transcript begin with their speaker's name and have no marks such as "{vocalsound}"; their
    citations are verbatim. If no sentence fits the limit, the best one is truncated.
    """
    document, selection = indexed.document, selection_for(indexed, task)
    title = _title(selection)
    if title:
        selection.max_words -= n_words(document.quote(title.start, title.end))
    units = selection.run()
    found = [(indexed.units[unit], selection.quotable.shown(unit), float(selection.scores[unit])) for unit in units]
    if not found:
        best = int(np.argmax(selection.scores))
        span = first_words(document, indexed.units[best], selection.max_words)
        found = [(span, statement_of(document, span), float(selection.scores[best]))]
    if title:
        found.insert(0, (title, statement_of(document, title), 0.0))
    passages = tuple(
        Passage(document.id, span, document.quote(span.start, span.end), score, group)
        for group, (span, _, score) in enumerate(found)
    )
    citations = tuple(cite(document, span) for span, _, _ in found)
    statements = tuple(Statement(text, (i,), Support.QUOTED) for i, (_, text, _) in enumerate(found))
    has_prose = any(selection.quotable.stands(unit) for unit in units)
    notes = task.warnings if has_prose else (*task.warnings, _NO_SENTENCES)
    text = joined([*([f"{statements[0].text}."] if title else []), *(one.text for one in statements[bool(title) :])])
    return Answer(task.question, text, statements, citations, _evidence(task, passages), found=True, notes=notes)


def selection_for(indexed: IndexedDocument, task: SummaryTask) -> Selection:
    """The selection of the sentences of a summary."""
    weights = FOR_DOCUMENT if task.relevance is None else FOR_QUESTION
    return Selection(indexed, salience(indexed, weights, task.relevance), weights, task.max_words, task.n_units)


def _title(selection: Selection) -> Span | None:
    """Where the text has its title, if no sentence says what the document is, and there is room for more."""
    quotable, opening = selection.quotable, selection.opening
    if not selection.weights.opens or quotable.is_transcript or (opening is not None and selection.purpose(opening)):
        return None
    document = selection.indexed.document
    place = title_place(document)
    if not place or ends_as_sentence(document.title) or not _is_line(document, place):
        return None
    return place if n_words(document.quote(place.start, place.end)) <= _TITLE_SHARE * selection.max_words else None


def _is_line(document: Document, span: Span) -> bool:
    """Whether a span is most of the paragraph, or of its lines, that it stands in."""
    paragraph = document.paragraph_at(span.start)
    start = max(paragraph.start, document.text.rfind("\n", 0, span.start) + 1)
    end = min(max(paragraph.end, span.end), (document.text + "\n").index("\n", span.end))
    return len(span) >= _TITLE_OF_LINE * len(document.text[start:end].strip())


def summarize_by_model(indexed: IndexedDocument, task: SummaryTask, parts: Sequence[Passage], writer: Writer) -> Answer:
    """The model's summary of the parts in text order: passages, or notes on runs of text.

    Each sentence is checked against the nearest sentences of the document within the parts that it cites, never against
    a note, and cites those. Sentences beyond the word limit are dropped.

    Raises:
        EngineUnavailableError: If the model cannot be reached.
        ModelReplyError: If its reply is empty, or without a sentence.
    """
    evidence = _evidence(task, tuple(parts))
    max_tokens = round(_TOKENS_PER_WORD * task.max_words) + 64
    about = f"Summarise what the passages say on this: {task.question}" if task.question else "Summarise the document."
    rules = prompt_file("treatise.generate", "summary", PROMPT_VERSION).format(max_words=task.max_words)
    messages = conversation(rules, prompt(replace(evidence, question=about)))
    runner = writer.runner()
    key = request_key("summary", writer.model, messages, max_tokens)
    (written,) = runner.ask(Request(key, messages, max_tokens, plain_text))

    def read(text: str) -> Answer:
        return _checked(text, indexed, evidence, writer.encoder, writer.judge)

    answer = writer.answer(written, DraftPrompt(messages, max_tokens, read), runner)
    if not answer.text:
        raise ModelReplyError(f"{writer.model.name} replied without a sentence: try another model", "empty")
    usage = Usage().with_stage(Stage.SUMMARY, model=runner.spending.usage)
    return replace(answer, notes=(*task.warnings, *answer.notes), usage=usage)


def _evidence(task: SummaryTask, passages: tuple[Passage, ...]) -> Evidence:
    context = "\n\n".join(passage.text for passage in passages)
    return Evidence(task.question, passages, context, task.max_words, task.confidence)


def _checked(
    written: str, indexed: IndexedDocument, evidence: Evidence, encoder: Encoder, judge: ClaimJudge | None
) -> Answer:
    written = clean_reply(written)
    sentences, n_dropped = _within(written_sentences(written, n_passages=len(evidence.passages)), evidence.max_words)
    nearest = _nearest(sentences, indexed, evidence, encoder)
    document = indexed.document
    found = [
        _checker(document, spans, encoder, judge).check(
            sentence.text, [document.self_contained(span.start, span.end) for span in spans]
        )
        for sentence, spans in zip(sentences, nearest, strict=True)
    ]
    places = list(dict.fromkeys(span for spans in nearest for span in spans))
    statements = tuple(
        Statement(one.text, tuple(map(places.index, spans)), of_one.support, "", of_one.verdict, of_one.reason)
        for one, spans, of_one in zip(sentences, nearest, found, strict=True)
    )
    notes = list(notes_on(found))
    if n_dropped:
        dropped = counted(n_dropped, "sentence", "was", "were")
        notes.append(f"the model wrote more than {evidence.max_words} words: {dropped} left out")
    return Answer(
        question=evidence.question,
        text=joined_sentences(sentences),
        statements=statements,
        citations=tuple(cite(document, span) for span in places),
        evidence=evidence,
        found=True,
        notes=tuple(notes),
    )


def _checker(document: Document, spans: Sequence[Span], encoder: Encoder, judge: ClaimJudge | None) -> Checker:
    """Knows the names in the paragraphs of the places."""
    is_english = document.language.partition("-")[0] == "en"
    paragraphs = dict.fromkeys((one.start, one.end) for one in (document.paragraph_at(span.start) for span in spans))
    known = "\n".join([document.title or "", *(document.text[start:end] for start, end in paragraphs)])
    return Checker(encoder, judge if is_english else None, known, is_english=is_english)


def _within(sentences: list[WrittenSentence], max_words: int) -> tuple[list[WrittenSentence], int]:
    """The first sentences within the limit, at least one, and the number dropped."""
    total = 0
    for i, sentence in enumerate(sentences):
        total += n_words(sentence.text)
        if total > max_words and i:
            return sentences[:i], len(sentences) - i
    return sentences, 0


def _nearest(
    sentences: Sequence[WrittenSentence], indexed: IndexedDocument, evidence: Evidence, encoder: Encoder
) -> list[list[Span]]:
    """For each text, the document's sentences nearest to it within its cited passages, in text order."""
    leaves = indexed.vectors[indexed.tree.leaf_nodes].astype(np.float32, copy=False)
    starts = np.array([unit.start for unit in indexed.units])
    found: list[list[Span]] = []
    for vector, sentence in zip(encoder.encode([one.text for one in sentences]), sentences, strict=True):
        spans = [
            span for i in sentence.passages for span in (evidence.passages[i].noted or (evidence.passages[i].span,))
        ]
        units = np.unique(np.searchsorted(starts, [span.start for span in spans]))
        best = units[np.argsort(-(leaves[units] @ vector), kind="stable")[:MAX_CITED]] if len(units) else units
        found.append([indexed.units[unit] for unit in np.sort(best)])
    return found
