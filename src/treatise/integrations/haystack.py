"""Components for Haystack (``pip install haystack-ai``): a retriever and an answerer, serialisable in a pipeline.

>>> import treatise
>>> from treatise.integrations.haystack import TreatiseRetriever
>>> store = getfixture("tmp_path") / "library.db"
>>> with treatise.open_library(store=store) as library:
...     _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> TreatiseRetriever(store=str(store), top_k=1).run(query="When does water boil?")["documents"][0].content
'Water boils at 100 degrees.'
"""

from asyncio import to_thread
from typing import Any

from haystack import Document, GeneratedAnswer, component, default_from_dict, default_to_dict

from treatise.compose import open_library
from treatise.integrations.passages import Record, answer, metadata, passages
from treatise.pipeline.library import Library


class _Opened:
    """A library that a component opens when it first needs it; what names it can be serialised."""

    def __init__(self, store: str | None, recipe: str | None) -> None:
        self._named = {"store": store, "recipe": recipe}
        self._library: Library | None = None

    @property
    def library(self) -> Library:
        if self._library is None:
            self._library = open_library(store=self._named["store"], recipe=self._named["recipe"])
        return self._library

    def close(self) -> None:
        """Releases the store."""
        if self._library is not None:
            self._library.close()
            self._library = None


@component
class TreatiseRetriever:
    """The passages of a library; ``meta`` has document, source, page, section and offsets.

    Args:
        store: The library: the path of a file or a URL; None for the one in the settings.
        recipe: How to retrieve; None for the one in the settings.
        top_k: Most passages per question; None for as many as ``max_words`` allows.
        max_words: Budget of all passages together, in words.
        where: Filter, such as ``"year >= 2020"``.
    """

    def __init__(
        self,
        store: str | None = None,
        recipe: str | None = None,
        top_k: int | None = None,
        max_words: int = 300,
        where: str = "",
    ) -> None:
        self._init = {"store": store, "recipe": recipe, "top_k": top_k, "max_words": max_words, "where": where}
        self._top_k, self._max_words, self._where = top_k, max_words, where
        self._opened = _Opened(store, recipe)

    def warm_up(self) -> None:
        """Opens the library and loads its models."""
        _ = self._opened.library

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None, where: str | None = None) -> dict[str, list[Document]]:
        """The passages, best first; the arguments replace those of the component."""
        found = passages(
            self._opened.library,
            query,
            k=self._top_k if top_k is None else top_k,
            max_words=self._max_words,
            where=self._where if where is None else where,
        )
        return {"documents": [_document(one) for one in found]}

    @component.output_types(documents=list[Document])
    async def run_async(
        self, query: str, top_k: int | None = None, where: str | None = None
    ) -> dict[str, list[Document]]:
        """As ``run``, in a thread."""
        return await to_thread(self.run, query, top_k, where)

    def close(self) -> None:
        """Releases the store."""
        self._opened.close()

    def to_dict(self) -> dict[str, Any]:
        """For a pipeline's YAML."""
        return default_to_dict(self, **self._init)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TreatiseRetriever":
        """From a pipeline's YAML."""
        made: TreatiseRetriever = default_from_dict(cls, data)
        return made


@component
class TreatiseAnswerer:
    """Answers of a library; ``meta`` is the record of ``ask --json``.

    Args:
        store: The library: the path of a file or a URL; None for the one in the settings.
        recipe: How to answer; None for the one in the settings.
        max_words: Budget of the evidence in words; 0 for the recipe's own.
        where: Filter, such as ``"year >= 2020"``.
    """

    def __init__(
        self, store: str | None = None, recipe: str | None = None, max_words: int = 0, where: str = ""
    ) -> None:
        self._init = {"store": store, "recipe": recipe, "max_words": max_words, "where": where}
        self._max_words, self._where = max_words, where
        self._opened = _Opened(store, recipe)

    def warm_up(self) -> None:
        """Opens the library and loads its models."""
        _ = self._opened.library

    @component.output_types(answers=list[GeneratedAnswer])
    def run(self, query: str) -> dict[str, list[GeneratedAnswer]]:
        """One answer; it has no documents if the library does not answer the question."""
        found, record = answer(self._opened.library, query, max_words=self._max_words, where=self._where)
        evidence: list[Record] = record["evidence"] if found.found else []
        documents = [_document(one) for one in evidence]
        return {"answers": [GeneratedAnswer(data=found.text, query=query, documents=documents, meta=record)]}

    @component.output_types(answers=list[GeneratedAnswer])
    async def run_async(self, query: str) -> dict[str, list[GeneratedAnswer]]:
        """As ``run``, in a thread."""
        return await to_thread(self.run, query)

    def close(self) -> None:
        """Releases the store."""
        self._opened.close()

    def to_dict(self) -> dict[str, Any]:
        """For a pipeline's YAML."""
        return default_to_dict(self, **self._init)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "TreatiseAnswerer":
        """From a pipeline's YAML."""
        made: TreatiseAnswerer = default_from_dict(cls, data)
        return made


def _document(record: Record) -> Document:
    id_ = f"{record['document']}-{record['start']}-{record['end']}"
    return Document(id=id_, content=record["text"], meta=metadata(record), score=record["score"])
