"""The systems of a run: the same pipeline that users run, with cached vectors, trees and calls."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from treatise.compose import open_store
from treatise.core.document import Document
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import CallCache
from treatise.core.recipe import Indexing
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.vector_cache import CachedEncoder
from treatise.llm.cache import MemoryCache
from treatise.parse.remembering import RememberingParser
from treatise.pipeline.system import System

CALLS_FILE: Final = "calls.db"
"""Cache file in the result folder for language model calls and chunk trees."""


@dataclass(frozen=True, slots=True)
class Systems:
    """The system of each recipe of a run, over shared engines and one cache of finished calls."""

    _by_slug: Mapping[str, System]
    _encoder: CachedEncoder
    _parser: RememberingParser | None

    def __getitem__(self, slug: str) -> System:
        return self._by_slug[slug]

    def forget_document(self) -> None:
        """Frees the cached vectors and trees before the next document."""
        self._encoder.forget()
        if self._parser:
            self._parser.forget()


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
        cache = _opened_calls(spec, stack)
        shared = replace(engines, encoder=encoder, parser=parser)
        yield Systems({recipe.slug: System(recipe, shared, cache) for recipe in spec.recipes}, encoder, parser)


def _opened_calls(spec: RunSpec, stack: ExitStack) -> CallCache:
    """The cache of calls; in memory if there is no model."""
    if spec.opened_engines().model is None:
        return MemoryCache()
    path = spec.calls or spec.out / CALLS_FILE
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
        """The documents as indexed by this system.

        Raises:
            EngineError: If an engine fails; finished calls are kept.
        """
        indexing = system.recipe.indexing
        if indexing not in self._indexes:
            self._indexes[indexing] = system.index(self.documents) if self.documents else []
        return self._indexes[indexing]
