"""Tools for Pydantic AI (``pip install pydantic-ai-slim``): ask a library, and search it.

>>> import treatise
>>> from pydantic_ai import Agent
>>> from pydantic_ai.models.test import TestModel
>>> from treatise.integrations.pydantic_ai import treatise_tools
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> agent = Agent(TestModel(), tools=treatise_tools(library))
>>> [tool.name for tool in treatise_tools(library)]
['ask_documents', 'search_documents']
>>> library.close()
"""

from asyncio import to_thread
from collections.abc import Callable, Sequence
from typing import Any

from pydantic_ai import ModelRetry, Tool, ToolReturn

from treatise.core.errors import FilterError, QuestionError
from treatise.integrations.tools import ASK, ASK_DESCRIPTION, SEARCH, SEARCH_DESCRIPTION, LibraryTools, Reply
from treatise.pipeline.library import Library


def treatise_tools(
    library: Library, *, max_words: int = 300, documents: Sequence[str] | None = None, where: str = ""
) -> list[Tool[Any]]:
    """``ask_documents`` and ``search_documents``; the metadata of a reply is the record of ``ask --json``.

    A question that cannot be read is returned to the model to try again; other errors end the run.
    """
    tools = LibraryTools(library, max_words, documents, where)

    async def ask_documents(question: str) -> ToolReturn[str]:
        return await _reply(tools.ask, question)

    async def search_documents(question: str) -> ToolReturn[str]:
        return await _reply(tools.search, question)

    return [
        Tool(ask_documents, name=ASK, description=ASK_DESCRIPTION),
        Tool(search_documents, name=SEARCH, description=SEARCH_DESCRIPTION),
    ]


async def _reply(tool: Callable[[str], Reply], question: str) -> ToolReturn[str]:
    try:
        reply = await to_thread(tool, question)
    except (QuestionError, FilterError) as error:
        raise ModelRetry(str(error)) from error
    return ToolReturn(return_value=reply.text, metadata=reply.record)
