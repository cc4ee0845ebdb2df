"""Words broken at a line end are mended by the words of their document, the same on every route to a reader."""

from pathlib import Path

import pytest

from treatise import open_library
from treatise.core.document import Span
from treatise.core.quotation import rows_of
from treatise.ingest import read_bytes

PROVIDED = (
    "The result of a call is written to an application-provided buffer by the kernel when it has come to its end."
)
TEXT = """\
Buffers of the kernel, an account for those who write programs for it
=====================================================================

An application may be large. The memory is provided by the system, and the kernel is small and quick.

The result of a call is written to an application-
provided buffer by the kernel when it has come to its end.
"""
CODE = "The applica-\ntion is stopped, with all that it has begun, by this:\n\n    kill -\n    now\n"
QUOTED = TEXT.replace("\nThe result", "\n> The result").replace("\nprovided", "\n> provided")


@pytest.fixture(params=[TEXT, QUOTED], ids=["text", "quoted lines"])
def buffers(request, home: Path) -> Path:
    """Only the document's words tell that "application-provided" keeps its hyphen."""
    path = home / "buffers.md"
    path.write_text(request.param)
    return path


@pytest.mark.parametrize(
    "route",
    [
        ("ask", "Where is the result of a call written?"),
        ("ask", "What does the text say about the result?"),
        ("summarize",),
        ("show", "--tree"),
    ],
    ids=" ".join,
)
def test_a_broken_word_is_printed_the_same_by_every_command(run, buffers: Path, route: tuple[str, ...]) -> None:
    command, *rest = route
    run("index", buffers)
    result = run(command, buffers, *rest)
    assert PROVIDED in result.stdout
    assert "application- " not in result.stdout


def test_a_broken_word_is_whole_in_the_passages_of_a_search(run, buffers: Path) -> None:
    run("index", buffers)
    assert PROVIDED in run("search", "result of a call").stdout
    assert PROVIDED in run("show", buffers, "--graph", "Where is the result written?").stdout


@pytest.mark.parametrize("command", [("ask", "Where is the result of a call written?"), ("summarize",)], ids=" ".join)
def test_statements_in_json_have_the_broken_word_whole(run_json, buffers: Path, command: tuple[str, ...]) -> None:
    name, *rest = command
    record = run_json(name, buffers, *rest)
    assert PROVIDED in [one["text"] for one in record["statements"]]
    if record["direct"]:
        assert "an application-provided buffer" in record["direct"]["text"]


def test_a_notebook_shows_a_broken_word_as_the_command_does(buffers: Path, home: Path) -> None:
    with open_library(store=home / "library.db") as library:
        library.index(buffers)
        answer = library.ask("Where is the result of a call written?")
    assert PROVIDED in answer._repr_html_()
    assert PROVIDED.replace("-", r"\-") in answer._repr_markdown_()


def test_code_below_a_sentence_stays_to_the_letter_and_the_sentence_is_whole() -> None:
    document = read_bytes(f"# Halt\n\n{CODE}".encode(), name="halt.md")
    start = document.text.index("The applica-")
    rows = rows_of(document, Span(start, len(document.text.rstrip())))
    assert rows == ["The application is stopped, with all that it has begun, by this:", "  kill -", "  now"]
