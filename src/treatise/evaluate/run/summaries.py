"""Summaries measured: recipes and baselines × limits of words, by ROUGE against each question's reference summaries."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Span
from treatise.core.errors import DataError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, LanguageModel, Parser
from treatise.core.recipe import Indexing, Recipe
from treatise.evaluate.data.dataset import Dataset, LabelledDocument, Question, Retrieved
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.metrics.texts import rouge
from treatise.evaluate.report.summary import Summary, summarize
from treatise.evaluate.report.tables import write_tables
from treatise.evaluate.run.record import run_record
from treatise.evaluate.run.results import ResultFile, open_results, read_results
from treatise.evaluate.run.summarizers import BASELINES
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.llm.runner import LlmRunner
from treatise.pipeline.index import index_document
from treatise.pipeline.summarize import summarize_indexed

SEED: Final = 0
METRICS: Final = ("rougeL", "rouge1", "rouge2")
SUFFIX: Final = " summaries"
"""Of the data set's name in a record."""

_Cell = tuple[str, int, ResultFile]
"""A recipe's or baseline's slug, a limit of words, and where its summaries go."""


def run(  # noqa: PLR0913  (an experiment is these five things; the rest has defaults)
    dataset: str,
    data: Path,
    recipes: Sequence[Recipe],
    budgets: Sequence[int],
    out: Path,
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    model: LanguageModel | None = None,
    baselines: Sequence[str] = tuple(BASELINES),
    progress: Callable[[int, int], None] | None = None,
    limit: int | None = None,
    cache: Path | None = None,
) -> Summary:
    """Summarises every document of a data file on each of its questions, and scores the summaries.

    Writes ``OUT/<recipe>-<words>.jsonl`` (``question_id``, ``context``: the summary, ``spans``: what it cites) and
    ``OUT/summary.json``, ``.csv`` and ``.md``: ROUGE-L, -1 and -2, each the best over the references, with intervals
    and paired tests against the first baseline. A killed run goes on where it was.

    Args:
        dataset: One whose references are summaries: ``qmsum`` or ``squality``.
        data: The data set's file.
        recipes: Their indexes and scores are what summaries are made from. All baselines use the first one's sentences.
        budgets: Limits in whitespace words; whole sentences are kept to them.
        out: Made where it is missing.
        encoder, parser: As for ``evaluate.retrieval.run``.
        model: Writes the summaries; without one they are quoted.
        baselines: Names out of ``summarizers.BASELINES``; the first is what all else is compared with.
        progress: Called with the documents done and all of them.
        limit: Only the first so many documents.
        cache: A file where vectors are kept from run to run.

    Raises:
        DataError: Where the data set is unknown, its file is not in the documented form, or a baseline is unknown.
        MissingExtraError: Without ``treatise[eval]``.
        EngineError: Where the model fails; what was written stays.
    """
    rouge("", ["before anything is read: is it installed?"])
    if unknown := [name for name in baselines if name not in BASELINES]:
        raise DataError(f"no baseline is named {unknown[0]!r} (there are: {', '.join(BASELINES)})")
    chosen = by_summaries(dataset_named(dataset))
    documents = load_documents(chosen, data, limit)
    record = run_record(
        dataset=chosen.name,
        data=data,
        counts=(len(documents), sum(len(one.questions) for one in documents)),
        recipes=recipes,
        budgets=budgets,
        models=(encoder.name, parser.name if parser else "", model.name if model else ""),
        seed=SEED,
    )
    slugs = [*baselines, *(recipe.slug for recipe in recipes)]
    keys = {
        f"{slug}-{words}.jsonl": record.key(slug if slug in record.recipes else recipes[0].slug, words)
        for slug in slugs
        for words in budgets
    }
    files = open_results(out, keys, data=data, n_questions=record.n_questions)
    cells = [(slug, words, file) for (slug, words), file in zip(_pairs(slugs, budgets), files, strict=True)]
    with closing(CachedEncoder(encoder, cache)) as cached:
        makers = _makers(recipes, baselines, cached, model)
        _write_all(documents, cells, makers, partial(index_document, encoder=cached, parser=parser), progress)
    found = [(slug, words, read_results(file.path)) for slug, words, file in cells]
    rows = summarize(chosen, documents, found, baseline=slugs[0], seed=SEED)
    summary = Summary(record, tuple(rows))
    write_tables(summary, out)
    return summary


_Maker = tuple[Indexing, Callable[[IndexedDocument, Question, int], Retrieved]]
"""What it is made from, and how."""


def _makers(
    recipes: Sequence[Recipe], baselines: Sequence[str], encoder: Encoder, model: LanguageModel | None
) -> dict[str, _Maker]:
    writer = LlmRunner(model) if model else None

    def of_recipe(recipe: Recipe, indexed: IndexedDocument, question: Question, words: int) -> Retrieved:
        answer = summarize_indexed(indexed, question.text, recipe, encoder=encoder, max_words=words, writer=writer)
        return Retrieved(answer.text, _places(answer))

    def of_baseline(name: str, indexed: IndexedDocument, question: Question, words: int) -> Retrieved:
        return Retrieved(BASELINES[name](indexed, question.text, words), ())

    made: dict[str, _Maker] = {name: (recipes[0].indexing, partial(of_baseline, name)) for name in baselines}
    return made | {recipe.slug: (recipe.indexing, partial(of_recipe, recipe)) for recipe in recipes}


def _write_all(
    documents: Sequence[LabelledDocument],
    cells: Sequence[_Cell],
    makers: Mapping[str, _Maker],
    index: Callable[..., IndexedDocument],
    progress: Callable[[int, int], None] | None,
) -> None:
    n_before = 0
    for number, labelled in enumerate(documents, start=1):
        n_after = n_before + len(labelled.questions)
        made: dict[Indexing, IndexedDocument] = {}
        for slug, words, file in cells:
            indexing, make = makers[slug]
            for question in labelled.questions[max(0, file.n_done - n_before) :] if file.n_done < n_after else ():
                if indexing not in made:
                    made[indexing] = index(labelled.document, indexing)
                file.append([(question.id, make(made[indexing], question, words))])
        n_before = n_after
        if progress:
            progress(number, len(documents))
    for _, _, file in cells:
        file.finish()


def by_summaries(dataset: Dataset) -> Dataset:
    """The data set measured by the summaries of its documents, under a name of its own."""
    return replace(dataset, name=f"{dataset.name}{SUFFIX}", metrics=METRICS, measure=_measured)


def _measured(question: Question, retrieved: Retrieved) -> dict[str, float]:
    references = [reference.answer for reference in question.references]
    return {name: rouge(retrieved.context, references, name) for name in METRICS}


def _places(answer: Answer) -> tuple[Span, ...]:
    return tuple(citation.span for citation in answer.citations)


def _pairs(slugs: Sequence[str], budgets: Sequence[int]) -> Iterator[tuple[str, int]]:
    return ((slug, words) for slug in slugs for words in budgets)
