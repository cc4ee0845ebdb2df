"""Parts for PyTerrier (``pip install python-terrier``), without Java: a retriever and an indexer.

>>> import pandas
>>> import treatise
>>> from treatise.integrations.pyterrier import TreatiseIndexer, TreatiseRetriever
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = TreatiseIndexer(library).index([{"docno": "tea", "text": "Water boils at 100 degrees."}])
>>> retriever = TreatiseRetriever(library, items="documents")
>>> retriever.search("When does water boil?")[["qid", "docno", "rank"]].values.tolist()
[['1', 'tea', 0]]
>>> library.close()
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import pandas
import pyterrier

from treatise.core.errors import DataError
from treatise.integrations.passages import Record, check_number, passages
from treatise.pipeline.library import Library

ITEMS: Final = ("passages", "documents")
"""What a run ranks."""

_PLACE: Final = ("text", "document", "source", "start", "end", "page", "section")
_COLUMNS: Final = ("docno", "score", "rank", *_PLACE)


class TreatiseRetriever(pyterrier.Transformer):
    """From queries to ranked passages, or to the documents in which they stand.

    A passage's ``docno`` is ``document-start-end``, a document's the name under which it was indexed. ``score`` is the
    negative rank: passages are chosen together for a budget, and the order is what counts.

    Args:
        library: Holds the documents.
        items: ``"passages"`` or ``"documents"``.
        num_results: Most items per query; None for as many as ``max_words`` allows.
        max_words: Budget of all passages of a query, in words.
        where: Filter, such as ``"year >= 2020"``.
    """

    def __init__(
        self,
        library: Library,
        *,
        items: str = "passages",
        num_results: int | None = None,
        max_words: int = 300,
        where: str = "",
    ) -> None:
        super().__init__()
        if items not in ITEMS:
            raise DataError(f"items are one of {', '.join(ITEMS)}, not {items!r}")
        self._library, self._items, self._k = library, items, num_results
        self._max_words, self._where = max_words, where

    def transform(self, inp: pandas.DataFrame) -> pandas.DataFrame:
        """The results of every query; a result frame with the passages' texts and places.

        Raises:
            QuestionError: If a query is no text or empty.
        """
        pyterrier.validate.query_frame(inp, extra_columns=["query"])
        kept = [column for column in inp.columns if column not in _COLUMNS]
        rows = [
            {**{key: query[key] for key in kept}, **found}
            for query in inp.to_dict(orient="records")
            for found in self._results(query["query"])
        ]
        return pandas.DataFrame(rows, columns=[*kept, *_COLUMNS])

    def _results(self, query: str) -> Iterable[Record]:
        check_number(self._k)
        found = passages(
            self._library,
            query,
            k=self._k if self._items == "passages" else None,
            max_words=self._max_words,
            where=self._where,
        )
        best: dict[str, Record] = {}
        for one in found:
            best.setdefault(_docno(one, self._items), one)
        for rank, (docno, one) in enumerate(list(best.items())[: self._k]):
            yield {"docno": docno, "score": -float(rank), "rank": rank, **{key: one[key] for key in _PLACE}}


class TreatiseIndexer(pyterrier.Indexer):
    """Adds documents with ``docno`` and ``text`` to a library; a later one of the same name replaces the earlier."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library

    def index(self, iter: Iterable[Mapping[str, Any]], **_: Any) -> Library:  # noqa: A002  (PyTerrier's name)
        """The library with the documents.

        Raises:
            DataError: If a document has no text or no ``docno``.
        """
        for number, document in enumerate(iter, 1):
            docno, text = document.get("docno"), document.get("text")
            if not isinstance(docno, str) or not isinstance(text, str) or not docno:
                raise DataError(f"document {number}: expected the texts 'docno' and 'text', found {sorted(document)}")
            self._library.add(text, docno)
        return self._library


def _docno(record: Record, items: str) -> str:
    return str(record["source"]) if items == "documents" else f"{record['document']}-{record['start']}-{record['end']}"


__all__: Sequence[str] = ("ITEMS", "TreatiseIndexer", "TreatiseRetriever")
