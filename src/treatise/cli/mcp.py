"""``treatise mcp``: the library as tools for an agent, over standard input and output."""

from typing import Unpack

import click

from treatise.cli.options import LibraryOptions, library_options, model_options, opened_library, reranker_option
from treatise.core.errors import MissingExtraError


@click.command(
    short_help="Serve the library to an agent (Model Context Protocol).",
    epilog="""\b
Examples:
  treatise mcp
  treatise mcp --store ~/reports.db

In an agent's settings (Claude Desktop, Cursor, VS Code, ...):
  {"mcpServers": {"treatise": {"command": "treatise", "args": ["mcp"]}}}

Tools: ask, search, summarize, list_documents, outline, read. All of them only read. Over HTTP the same tools are at
/mcp of treatise serve.
""",
)
@model_options
@reranker_option
@library_options
def mcp(**options: Unpack[LibraryOptions]) -> None:
    """Serve the library to an agent by the Model Context Protocol, on standard input and output.

    Needs the extra `server`.
    """
    try:
        from treatise.server.mcp import LocalHost, make_mcp_server
    except ModuleNotFoundError as error:
        raise MissingExtraError("treatise mcp", "server") from error
    with opened_library(**options) as library:
        make_mcp_server(LocalHost(library)).run("stdio")
