"""Tools for the OpenAI Agents SDK (``pip install openai-agents``): ask a library, and search it.

>>> import treatise
>>> from agents import Agent
>>> from treatise.integrations.openai_agents import treatise_tools
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> agent = Agent(name="reader", instructions="Answer from the documents.", tools=treatise_tools(library))
>>> [tool.name for tool in agent.tools]
['ask_documents', 'search_documents']
>>> library.close()
"""

from asyncio import to_thread
from collections.abc import Callable, Sequence
from typing import Any

from agents import FunctionTool, RunContextWrapper, default_tool_error_function, function_tool

from treatise.core.errors import TreatiseError
from treatise.integrations.tools import ASK, ASK_DESCRIPTION, SEARCH, SEARCH_DESCRIPTION, LibraryTools, Reply
from treatise.pipeline.library import Library


def treatise_tools(
    library: Library, *, max_words: int = 300, documents: Sequence[str] | None = None, where: str = ""
) -> list[FunctionTool]:
    """``ask_documents`` and ``search_documents``; the model receives texts, and the message of an error."""
    tools = LibraryTools(library, max_words, documents, where)
    return [_tool(ASK, ASK_DESCRIPTION, tools.ask), _tool(SEARCH, SEARCH_DESCRIPTION, tools.search)]


def _tool(name: str, description: str, reply: Callable[[str], Reply]) -> FunctionTool:
    async def run(question: str) -> str:
        return (await to_thread(reply, question)).text

    decorate = function_tool(
        name_override=name, description_override=description, failure_error_function=_error, use_docstring_info=False
    )
    made: FunctionTool = decorate(run)
    return made


def _error(context: RunContextWrapper[Any], error: Exception) -> str:
    """The message of our errors as it is; the SDK's own text for others."""
    return str(error) if isinstance(error, TreatiseError) else default_tool_error_function(context, error)
