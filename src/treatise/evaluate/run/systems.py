"""The systems of a run: the same pipeline that users run, with cached vectors, trees and calls."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from treatise.compose import open_store
from treatise.core.document import Document
from treatise.core.errors import EngineError
from treatise.core.evidence import Evidence
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import CallCache
from treatise.core.recipe import Indexing, Recipe
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.llm.cache import MemoryCache
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.engines import Engines
from treatise.pipeline.openings import read_openings
from treatise.pipeline.system import System
from treatise.retrieve.reranking import NOT_RERANKED

CALLS_FILE: Final = "calls.db"
"""Cache file in the result folder for language model calls, chunk trees and openings of documents."""


@dataclass(frozen=True, slots=True)
class Systems:
    """The system of each recipe of a run, over shared engines and one cache of finished calls."""

    _by_slug: Mapping[str, System]
    _encoder: CachedEncoder
    _parsers: Sequence[RememberingParser]

    def __getitem__(self, slug: str) -> System:
        return self._by_slug[slug]

    def forget_document(self) -> None:
        """Frees the cached vectors and trees before the next document."""
        self._encoder.forget()
        for parser in self._parsers:
            parser.forget()


@contextmanager
def opened_systems(spec: RunSpec) -> Iterator[Systems]:
    """The systems of a run's recipes, closed at the end.

    Raises:
        DataError: If the file of vectors cannot be opened.
        StoreError: If the file of calls cannot be opened.
    """
    engines = spec.opened_engines()
    with ExitStack() as stack:
        encoder = stack.enter_context(closing(CachedEncoder(engines.encoder, spec.cache)))
        parser = RememberingParser(engines.parser) if engines.parser else None
        papers = {name: RememberingParser(one) for name, one in engines.papers_parsers.items()}
        caches = _opened_caches(spec, stack)
        shared = replace(engines, encoder=encoder, parser=parser, papers_parsers=papers)
        by_slug = {
            recipe.slug: System(without_missing_stages(recipe, shared), shared, caches[recipe.slug])
            for recipe in spec.recipes
        }
        yield Systems(by_slug, encoder, [*papers.values(), *([parser] if parser else [])])


def without_missing_stages(recipe: Recipe, engines: Engines) -> Recipe:
    """The recipe as these engines can run it; ``stand_ins`` names what is missing in the table."""
    return replace(recipe, reranking=recipe.reranking if engines.reranker else None)


def _opened_caches(spec: RunSpec, stack: ExitStack) -> dict[str, CallCache]:
    """The cache of calls of each recipe: one for all, unless each recipe's own cost is measured."""
    slugs = [recipe.slug for recipe in spec.recipes]
    if not spec.with_cost:
        return dict.fromkeys(slugs, _opened_calls(spec, spec.calls or spec.out / CALLS_FILE, stack))
    return {slug: _opened_calls(spec, spec.out / f"{slug}-{CALLS_FILE}", stack) for slug in slugs}


def _opened_calls(spec: RunSpec, path: Path, stack: ExitStack) -> CallCache:
    """The cache of calls and openings; in memory if there is neither a model nor an encoder of openings."""
    engines = spec.opened_engines()
    return MemoryCache() if engines.model is None and engines.openings is None else opened_calls(path, stack)


def opened_calls(path: Path, stack: ExitStack) -> CallCache:
    """The cache of calls in a file, which is created if absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return stack.enter_context(closing(open_store(path)))


@dataclass(slots=True)
class DocumentIndexes:
    """The documents of a question, indexed once for all recipes with the same indexing.

    Attributes:
        documents: The documents with at least one sentence.
    """

    documents: Sequence[Document]
    _indexes: dict[Indexing, list[IndexedDocument]] = field(default_factory=dict)

    @classmethod
    def readable(cls, documents: Sequence[Document]) -> "DocumentIndexes":
        """The indexes of the documents with at least one sentence."""
        return cls([document for document in documents if any(document.readable_sentences())])

    def by(self, system: System) -> list[IndexedDocument]:
        """The documents as indexed by this system, and their openings read if its prior compares them.

        Raises:
            EngineError: If an engine fails; finished calls are kept.
        """
        indexing = system.recipe.indexing
        if indexing not in self._indexes:
            self._indexes[indexing] = system.index(self.documents) if self.documents else []
        read_openings(self.documents, recipe=system.recipe, engines=system.engines, cache=system.cache)
        return self._indexes[indexing]


def check_reranked(question_id: str, evidence: Evidence) -> None:
    """Rejects evidence whose second stage failed: it would be that of another system.

    Raises:
        EngineError: If the reranker failed.
    """
    if failed := [note for note in evidence.notes if note.startswith(NOT_RERANKED)]:
        raise EngineError(f"question {question_id}: {'; '.join(failed)}")
