"""Retrieves evidence for a question: encoder, retrieval and second stage."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from random import Random
from typing import Final

from treatise.core.corpus import CorpusStatistics, OpeningCosines
from treatise.core.document import Document, Span, trim
from treatise.core.errors import QuestionError
from treatise.core.evidence import Evidence, Passage
from treatise.core.form import FormKind
from treatise.core.indexed import IndexedDocument
from treatise.core.plan import Plan
from treatise.core.ports import Encoder, Reranker
from treatise.core.recipe import Perturbation, PerturbationKind, PlanBy, Recipe, Sentences
from treatise.core.usage import Stage
from treatise.generate import asks_contents, asks_subject
from treatise.pipeline.query import Query, Run
from treatise.pipeline.question_language import other_language
from treatise.retrieve import find_evidence, for_language, in_words_of

MAX_QUESTION_WORDS: Final = 2_000
MAX_QUESTION_CHARS: Final = 40_000

MULTILINGUAL: Final = "multilingual"
"""How the name of the encoder of many languages begins."""


def retrieve(  # noqa: PLR0913  (engines and statistics of one question)
    indexed: Sequence[IndexedDocument],
    question: str,
    recipe: Recipe,
    *,
    encoder: Encoder,
    max_words: int,
    reranker: Reranker | None = None,
    corpus: CorpusStatistics | None = None,
    openings: OpeningCosines | None = None,
) -> Evidence:
    """The best passages of the documents for a question, within exactly ``max_words`` whitespace words.

    ``reranker`` runs the second stage, if the recipe has one. If it fails, the first stage's order is kept, with a
    note. With ``corpus``, the documents are candidates of a larger library; without, ``openings`` are theirs.

    Raises:
        QuestionError: If the question is blank or longer than ``MAX_QUESTION_WORDS``.
    """
    check_question(question)
    is_reworded = recipe.scoring.rewords and corpus is None
    wording = in_words_of(question, [one.document for one in indexed]) if is_reworded else question
    vector = encoder.encode_questions([wording])[0] if corpus is None else corpus.vector
    found = find_evidence(
        indexed,
        wording,
        vector,
        recipe,
        max_words=max_words,
        reranker=reranker,
        corpus=corpus,
        openings=openings,
    )
    found = replace(found, question=question)
    language = other_language(question, [one.document.language for one in indexed])
    if not language:
        return found
    return for_language(found, indexed, language, multilingual=encoder.name.startswith(MULTILINGUAL))


@dataclass(frozen=True, slots=True)
class Gathered:
    """The passages for a question.

    Attributes:
        evidence: The passages.
        plan: The plan that was made before retrieval, if any.
        notes: What failed on the way, for the user.
    """

    evidence: Evidence
    plan: Plan | None = None
    notes: tuple[str, ...] = ()


def asks_overview(run: Run, query: Query) -> bool:
    """Whether a summary answers the question: it asks what the only document is about, by a recipe over sentences.

    Messages and some letters state their subject.
    """
    is_plain = query.form.kind is FormKind.CITED and isinstance(run.recipe.indexing.units, Sentences)
    asks = is_plain and len(query.indexed) == 1 and asks_contents(query.question)
    return asks and not asks_subject(query.question, query.indexed[0].document)


def gather(run: Run, query: Query) -> Gathered:
    """The passages for a question, and the plan if one is made before retrieval (plan-and-retrieve)."""
    found = _gathered(run, query)
    return replace(found, evidence=found.evidence.citing(query.documents))


def _gathered(run: Run, query: Query) -> Gathered:
    if query.evidence is not None:
        return Gathered(query.evidence)
    if asks_overview(run, query):
        from treatise.generate.overview import overview_evidence

        return Gathered(overview_evidence(query.indexed[0], query.question, query.max_words))
    with run.meter.time(Stage.RETRIEVE):
        plan, queries, notes = _planned(run, query)
        found = [_retrieved(run, query, query.question)]
        for question in queries:
            of_query, note = _attempted(run, query, question)
            found.append(of_query)
            notes += note
        evidence = merged(found, run.recipe.selection.max_nodes) if len(found) > 1 else found[0]
        if perturbations := run.recipe.planning.perturbations:
            evidence = with_noise(evidence, query.indexed, perturbations)
        return Gathered(evidence, plan, tuple(notes))


def _planned(run: Run, query: Query) -> tuple[Plan | None, tuple[str, ...], list[str]]:
    """The plan made before retrieval and its queries, and a note if the model gave none."""
    if run.recipe.planning.plan is not PlanBy.BEFORE_RETRIEVAL or run.runner is None:
        return None, (), []
    from treatise.plan import plan_before_retrieval

    with run.meter.count(Stage.QUERIES):
        planned = plan_before_retrieval(query.question, run.runner)
    if planned is None:
        return None, (), ["the model gave no plan and queries that could be used: only the question was searched"]
    return *planned, []


def _attempted(run: Run, query: Query, question: str) -> tuple[Evidence, list[str]]:
    """The evidence of one of the model's queries, and notes if it failed in part or found nothing."""
    evidence = _retrieved(run, query, question)
    failed = [f"the query {question!r}: {note}" for note in evidence.notes]
    return evidence, failed if evidence.passages else [*failed, f"the query {question!r} found nothing"]


def _retrieved(run: Run, query: Query, question: str) -> Evidence:
    corpus = query.corpus if question == query.question else None
    return retrieve(
        query.indexed,
        question,
        run.recipe,
        encoder=run.engines.encoder,
        max_words=query.max_words,
        reranker=run.engines.reranker,
        corpus=corpus,
        openings=None if corpus else run.openings(question, query.indexed),
    )


def check_question(question: str) -> None:
    """Raises ``QuestionError`` if the question is no text, has no word, or is longer than the limits."""
    if not isinstance(question, str):
        raise QuestionError(f"a question is a text, not {type(question).__name__}")
    n_asked = len(question.split())
    if not n_asked:
        raise QuestionError('the question is empty: put it last, in quotes, for example "What was measured?"')
    if not any(map(str.isalnum, question)):
        raise QuestionError(f"the question {question.strip()[:40]!r} has no word to look for: ask in words")
    if n_asked > MAX_QUESTION_WORDS or len(question) > MAX_QUESTION_CHARS:
        size = f"{n_asked:,} words" if n_asked > MAX_QUESTION_WORDS else f"{len(question):,} characters"
        raise QuestionError(
            f"the question has {size}, at most {MAX_QUESTION_WORDS:,} words of {MAX_QUESTION_CHARS:,} characters "
            "are read: is it a document? Name a file as the source, and ask a short question last"
        )


def merged(found: Sequence[Evidence], max_passages: int) -> Evidence:
    """The evidence of several queries as evidence for the first: their best passages in turn, each once; 0 for all.

    Raises:
        ValueError: If there is no evidence.
    """
    passages: dict[tuple[str, int], Passage] = {}
    for of_rank in zip_longest(*(one.passages for one in found)):
        for passage in filter(None, of_rank):
            passages.setdefault((passage.document, passage.span.start), passage)
    kept = list(passages.values())[: max_passages or None]
    context = "\n\n".join(passage.text for passage in kept)
    best = max(one.confidence for one in found)
    return replace(found[0], passages=tuple(kept), context=context, confidence=best)


def whole_documents(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """Evidence that is the whole documents: each paragraph is a passage, in order."""
    passages = [
        Passage(document.id, span, document.quote(span.start, span.end), 0.0, group)
        for document in documents
        for group, paragraph in enumerate(document.paragraphs)
        if len(span := trim(document.text, Span(paragraph.start, paragraph.end)))
    ]
    return replace(evidence, passages=tuple(passages)).citing(documents)


def with_noise(
    evidence: Evidence, indexed: Sequence[IndexedDocument], perturbations: Sequence[Perturbation]
) -> Evidence:
    """The evidence with a share of its passages replaced by units that were not retrieved (the paper's figure 3c).

    Fewer are replaced if the documents have too few others. A passage's score stays with its rank.
    """
    from treatise.plan import sample_places

    for one in (one for one in perturbations if one.harm is PerturbationKind.NOISE_CHUNKS):
        random = Random(f"{one.seed} {one.harm} {evidence.question}")
        retrieved = {(passage.document, passage.span.start) for passage in evidence.passages}
        others = [
            (document, unit)
            for document in indexed
            for unit in document.units
            if (document.document.id, unit.start) not in retrieved
        ]
        places = sample_places(len(evidence.passages), one.share, random)
        drawn = random.sample(others, min(len(places), len(others)))
        passages = list(evidence.passages)
        for place, (document, unit) in zip(places, drawn, strict=False):
            text = document.document.quote(unit.start, unit.end)
            old = passages[place]
            passages[place] = Passage(document.document.id, unit, text, old.score, old.group)
        context = "\n\n".join(passage.text for passage in passages)
        evidence = replace(evidence, passages=tuple(passages), context=context)
    return evidence
