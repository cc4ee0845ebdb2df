"""Results as rows, and as tables of pandas and polars.

>>> import treatise
>>> from treatise.integrations.tables import rows
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> [(row["source"], row["quote"]) for row in rows(library.ask("When does water boil?"))]
[('tea.txt', 'Water boils at 100 degrees.')]
>>> [row["start"] for row in rows(library.search("When does water boil?", max_words=5))]
[0]
>>> library.close()
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from treatise.core.answer import Answer
from treatise.core.errors import DataError, MissingExtraError
from treatise.core.evidence import Evidence, Passage
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import Entry
from treatise.core.tree import Join
from treatise.parse.parsed import ParsedText
from treatise.records import citation_record, list_record

if TYPE_CHECKING:
    import pandas
    import polars

Result = Answer | Evidence | ParsedText | IndexedDocument | Sequence[Answer | Evidence | Entry]
"""What has rows."""

Row = dict[str, object]


def rows(result: Result) -> list[Row]:
    """A dictionary per row, the same keys in each.

    ==========================  ==========================================================================
    an answer                   its citations: ``question``, and the keys of ``ask --json``
    evidence                    its passages: ``question``, ``document``, ``start``, ``end``, ``text``, ...
    several of them             the rows of all
    ``library.documents()``     the keys of ``list --json``
    a parsed text or an index   the inner nodes of its tree: ``start``, ``end``, ``split``, ``relation``, ...
    ==========================  ==========================================================================

    Raises:
        DataError: If the result is something else.
    """
    match result:
        case Answer():
            return [{"question": result.question, **citation_record(one)} for one in result.citations]
        case Evidence():
            return [
                {"question": result.question, "rank": n, **_passage(one)} for n, one in enumerate(result.passages, 1)
            ]
        case ParsedText() | IndexedDocument():
            return [_node(*one) for one in result.tree.joins()]
        case list() | tuple():
            return list(_rows_of_all(result))
    raise DataError(f"expected answers, evidence, entries or a tree, found {type(result).__name__}")


def to_pandas(result: Result) -> "pandas.DataFrame":
    """:func:`rows` as a table of pandas.

    Raises:
        MissingExtraError: Without pandas.
        DataError: As :func:`rows`.
    """
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError("tables of pandas", "tables") from error
    return pandas.DataFrame(rows(result))


def to_polars(result: Result) -> "polars.DataFrame":
    """:func:`rows` as a table of polars.

    Raises:
        MissingExtraError: Without polars.
        DataError: As :func:`rows`.
    """
    try:
        import polars
    except ImportError as error:
        raise MissingExtraError("tables of polars", "polars") from error
    return polars.DataFrame(rows(result), infer_schema_length=None)


def _rows_of_all(results: Sequence[object]) -> Iterable[Row]:
    entries = [one for one in results if isinstance(one, Entry)]
    if entries and len(entries) == len(results):
        yield from _entries(entries)
        return
    for one in results:
        if not isinstance(one, (Answer, Evidence)):
            raise DataError(f"expected answers, evidence or entries of a library, found {type(one).__name__}")
        yield from rows(one)


def _entries(entries: list[Entry]) -> list[Row]:
    listed = list_record(entries)["documents"]
    return listed if isinstance(listed, list) else []


def _passage(passage: Passage) -> Row:
    return {
        "document": passage.document,
        "start": passage.span.start,
        "end": passage.span.end,
        "text": passage.text,
        "score": passage.score,
        "group": passage.group,
    }


def _node(start: int, split: int, end: int, join: Join) -> Row:
    nuclearity = str(join.nuclearity)
    return {"start": start, "split": split, "end": end, "nuclearity": nuclearity, "relation": join.relation}
