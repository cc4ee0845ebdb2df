"""Which nodes of the trees retrieval finds (DISRetrieval, tables 6 and 7), over a data set."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Final

from treatise.core.errors import DataError
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Encoder, Parser
from treatise.core.recipe import Recipe
from treatise.core.vectors import Floats
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.index import index_document
from treatise.retrieve import RetrievalProfile, anatomy, scores_of

TOP_K: Final = 20


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """The statistics of one recipe."""

    recipe: str
    profile: RetrievalProfile


def run(spec: RunSpec) -> list[ProfileRow]:
    """Profiles every recipe, and writes ``OUT/summary.json`` and ``OUT/summary.md``. Budgets are ignored."""
    rows = profile_nodes(spec)
    found = [{"recipe": row.recipe, **asdict(row.profile)} for row in rows]
    spec.out.mkdir(parents=True, exist_ok=True)
    write_whole(spec.out / "summary.json", json.dumps({"anatomies": found}, indent=1) + "\n")
    lines = [f"- {key}: {value}\n" for row in found for key, value in row.items()]
    write_whole(spec.out / "summary.md", "".join(lines))
    return rows


def profile_nodes(spec: RunSpec, *, top_k: int = TOP_K) -> list[ProfileRow]:
    """One row per recipe, over all questions of the documents; ``top_k`` nodes are counted per question.

    Notes are written without a model.

    Raises:
        DataError: If the data set is unknown, or its file is malformed or has no question.
    """
    engines = spec.opened_engines()
    documents = [one for one in islice(dataset_named(spec.dataset).load(spec.data), spec.limit) if one.questions]
    if not documents:
        raise DataError(f"{spec.data}: expected questions, found none")
    parser = RememberingParser(engines.parser) if engines.parser else None
    total = len(documents) * len(spec.recipes)
    rows = []
    with closing(CachedEncoder(engines.encoder, spec.cache)) as encoder:
        for n_before, recipe in enumerate(spec.recipes):
            scored = []
            for number, labelled in enumerate(documents, start=1):
                scored += list(_scored(labelled, recipe, encoder, parser))
                spec.report(n_before * len(documents) + number, total)
            rows.append(ProfileRow(recipe.slug, anatomy(scored, top_k)))
    return rows


def _scored(
    labelled: LabelledDocument, recipe: Recipe, encoder: Encoder, parser: Parser | None
) -> Iterator[tuple[IndexedDocument, Floats]]:
    """The indexed document with its nodes' scores, for each question."""
    indexed = index_document(labelled.document, recipe.indexing, encoder=encoder, parser=parser)
    for question in labelled.questions:
        vector = encoder.encode_questions([question.text])[0]
        yield indexed, scores_of(indexed, question.text, vector, recipe)
