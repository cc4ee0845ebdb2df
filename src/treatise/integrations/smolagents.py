"""Tools for smolagents (``pip install smolagents``): ask a library, and search it.

>>> import treatise
>>> from treatise.integrations.smolagents import TreatiseAnswerTool
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> print(TreatiseAnswerTool(library)(question="When does water boil?").splitlines()[-1])
[1] tea.txt, : 'Water boils at 100 degrees.'
>>> library.close()
"""

from collections.abc import Sequence
from typing import Any, Final

from smolagents import Tool

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

Inputs = dict[str, dict[str, str | type | bool]]
"""The inputs of a tool, as smolagents describes them."""

_INPUTS: Final[Inputs] = {"question": {"type": "string", "description": QUESTION_DESCRIPTION}}


class _LibraryTool(Tool):
    """A tool of a library; agents get its text. An error ends the call, and the agent reads its message."""

    inputs: Inputs = _INPUTS
    output_type = "string"
    name = "unnamed"
    description = ""

    def __init__(
        self, library: Library, *, max_words: int = 300, documents: Sequence[str] | None = None, where: str = ""
    ) -> None:
        super().__init__()
        self._tools = LibraryTools(library, max_words, documents, where)

    def _reply(self, question: str) -> Reply:
        raise NotImplementedError

    def forward(self, question: str) -> Any:
        """The text of the reply."""
        return self._reply(question).text


class TreatiseAnswerTool(_LibraryTool):
    """Answers a question from a library, with citations."""

    name = ASK
    description = ASK_DESCRIPTION

    def _reply(self, question: str) -> Reply:
        return self._tools.ask(question)


class TreatiseSearchTool(_LibraryTool):
    """Finds passages of a library."""

    name = SEARCH
    description = SEARCH_DESCRIPTION

    def _reply(self, question: str) -> Reply:
        return self._tools.search(question)
