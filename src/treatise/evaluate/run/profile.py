"""DISRetrieval's tables 6 and 7 over a data set: which nodes each recipe's retrieval finds."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from treatise.core.errors import DataError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, Parser
from treatise.core.recipe import Recipe
from treatise.core.vectors import Floats
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.index import index_document
from treatise.retrieve import RetrievalProfile, anatomy, scores_of


@dataclass(frozen=True, slots=True)
class AnatomyRow:
    """The statistics of one recipe."""

    recipe: str
    anatomy: RetrievalProfile


def anatomies(  # noqa: PLR0913  (as in a run, most have defaults)
    dataset: str,
    data: Path,
    recipes: Sequence[Recipe],
    *,
    encoder: Encoder,
    parser: Parser | None = None,
    limit: int | None = None,
    top_k: int = 20,
    cache: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[AnatomyRow]:
    """One row a recipe, over all questions of the first ``limit`` documents. Notes are written without a model.

    Args:
        dataset: A name out of ``datasets.DATASETS``.
        data: The data set's file.
        recipes: Whose trees and scores.
        encoder, parser: As for ``evaluate.retrieval.run``.
        limit: Only the first so many documents.
        top_k: How many of the best nodes of a question are counted.
        cache: Where vectors are kept from run to run.
        progress: Called with documents done and all, recipe by recipe.

    Raises:
        DataError: Where the data set is unknown, its file is not in the documented form, or it has no question.
    """
    documents = [one for one in islice(dataset_named(dataset).load(data), limit) if one.questions]
    if not documents:
        raise DataError(f"{data}: expected questions, found none")
    remembering = RememberingParser(parser) if parser else None
    total = len(documents) * len(recipes)
    rows: list[AnatomyRow] = []
    with closing(CachedEncoder(encoder, cache)) as cached:

        def asked(recipe: Recipe) -> Iterator[tuple[IndexedDocument, Floats]]:
            for number, labelled in enumerate(documents, start=1):
                indexed = index_document(labelled.document, recipe.indexing, encoder=cached, parser=remembering)
                for question in labelled.questions:
                    vector = cached.encode_questions([question.text])[0]
                    yield indexed, scores_of(indexed, question.text, vector, recipe)
                if progress:
                    progress(len(rows) * len(documents) + number, total)

        for recipe in recipes:
            rows.append(AnatomyRow(recipe.slug, anatomy(list(asked(recipe)), top_k)))  # noqa: PERF401  (counted above)
    return rows
