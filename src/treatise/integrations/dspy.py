"""Parts for DSPy (``pip install dspy``): a retriever, and tools for its agents.

>>> import treatise
>>> from treatise.integrations.dspy import TreatiseRetriever
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> TreatiseRetriever(library, k=1)("When does water boil?").passages
['Water boils at 100 degrees.']
>>> library.close()
"""

from collections.abc import Callable, Sequence
from typing import Any, Self

import dspy

from treatise.integrations.passages import passages
from treatise.integrations.tools import (
    ASK,
    ASK_DESCRIPTION,
    QUESTION_DESCRIPTION,
    SEARCH,
    SEARCH_DESCRIPTION,
    LibraryTools,
    Reply,
)
from treatise.pipeline.library import Library


class TreatiseRetriever(dspy.Retrieve):
    """The passages of a library: ``passages`` has their texts, ``records`` their places and scores.

    Copies of a program share the library; what a program saves is ``k`` alone.

    Args:
        library: Holds the documents.
        k: Most passages per question.
        max_words: Budget of all passages together, in words.
        documents: Ids of the documents to search; None for all.
        where: Filter, such as ``"year >= 2020"``.
    """

    def __init__(
        self,
        library: Library,
        k: int = 3,
        *,
        max_words: int = 300,
        documents: Sequence[str] | None = None,
        where: str = "",
    ) -> None:
        super().__init__(k=k)
        self._library = library
        self._of: dict[str, Any] = {"max_words": max_words, "documents": documents, "where": where}

    def forward(self, query: str, k: int | None = None, **_: Any) -> dspy.Prediction:
        """The passages, best first.

        Raises:
            QuestionError: If the query is no text or empty, or ``k`` is below 1.
        """
        found = passages(self._library, query, k=self.k if k is None else k, **self._of)
        return dspy.Prediction(passages=[one["text"] for one in found], records=found)

    def dump_state(self, json_mode: bool = True) -> dict[str, int]:  # noqa: ARG002  (DSPy's signature)
        """What a saved program keeps."""
        return {"k": self.k}

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy = type(self)(self._library, self.k, **self._of)
        memo[id(self)] = copy
        return copy


def treatise_tools(
    library: Library, *, max_words: int = 300, documents: Sequence[str] | None = None, where: str = ""
) -> list[dspy.Tool]:
    """``ask_documents`` and ``search_documents``, for ``dspy.ReAct``."""
    tools = LibraryTools(library, max_words, documents, where)
    return [_tool(ASK, ASK_DESCRIPTION, tools.ask), _tool(SEARCH, SEARCH_DESCRIPTION, tools.search)]


def _tool(name: str, description: str, reply: Callable[[str], Reply]) -> dspy.Tool:
    def run(question: str) -> str:
        return reply(question).text

    return dspy.Tool(run, name=name, desc=description, arg_desc={"question": QUESTION_DESCRIPTION})
