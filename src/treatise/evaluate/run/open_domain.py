"""All documents of a data set as one library, as users search one: the papers' open domain."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Final

from treatise.compose import open_store
from treatise.core.document import Document
from treatise.core.errors import DataError
from treatise.core.recipe import Recipe
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.run.gold import GOLD_EVIDENCE
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.systems import Systems
from treatise.pipeline.library import Library

CORPUS_FILE: Final = "corpus.db"
"""The store of the library in the result folder; a resumed run finds it complete or continues it."""


@contextmanager
def opened_corpus(
    spec: RunSpec, documents: Sequence[LabelledDocument], systems: Systems
) -> Iterator[dict[str, Library]]:
    """A library per recipe, by slug, over one store with the documents of all questions.

    Raises:
        DataError: If a recipe cannot be asked without the documents of its question.
        EngineError, StoreError: If a document cannot be indexed; finished ones are kept.
    """
    if GOLD_EVIDENCE in spec.recipes:
        raise DataError("gold evidence stands in the documents of a question: leave it out of an open-domain run")
    corpus = _corpus(documents)
    spec.out.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        store = stack.enter_context(closing(open_store(spec.out / CORPUS_FILE)))
        libraries = {}
        for recipe in spec.recipes:
            library = libraries[recipe.slug] = Library(store, systems[recipe.slug])
            _index(library, corpus, recipe)
            systems.forget_document()
        yield libraries


def with_all_documents(documents: Sequence[LabelledDocument]) -> Iterator[LabelledDocument]:
    """The questions with their own documents, followed by all others of the library, so that places can be named."""
    corpus = _corpus(documents)
    for labelled in documents:
        own = {one.id for one in labelled.documents}
        yield replace(labelled, others=(*labelled.others, *(one for id_, one in corpus.items() if id_ not in own)))


def _corpus(documents: Sequence[LabelledDocument]) -> dict[str, Document]:
    """The documents with at least one sentence, each content once, by id."""
    found = (one for labelled in documents for one in labelled.documents)
    return {one.id: one for one in found if any(one.readable_sentences())}


def _index(library: Library, corpus: dict[str, Document], recipe: Recipe) -> None:
    sources = [(name, name.encode()) for name in corpus]
    for name, result in library.index_all(sources, read=lambda data, _: corpus[data.decode()]):
        if isinstance(result, Exception):
            raise DataError(f"{recipe.slug}: document {name} could not be indexed: {result}") from result
