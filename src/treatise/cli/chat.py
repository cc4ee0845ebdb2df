"""``treatise chat``: questions one after the other, each read with those before."""

import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Unpack

import click

from treatise.cli.answers import AnswerStyle, answer_lines
from treatise.cli.named import named_document
from treatise.cli.options import (
    LibraryOptions,
    answer_output_option,
    budget_option,
    document_option,
    library_options,
    model_options,
    opened_library,
    reader_option,
    reranker_option,
)
from treatise.cli.output import Output, line, show, show_json_line, warn
from treatise.cli.progress import waiting_line
from treatise.cli.sources import STDIN, Sources, exit_for, folder_options, index_again, index_all_into
from treatise.core.errors import TreatiseError
from treatise.core.lines import bounded_lines
from treatise.records import turn_record

if TYPE_CHECKING:
    from treatise.core.conversation import Turn
    from treatise.pipeline.conversation import Conversation
    from treatise.pipeline.library import Library

_QUIT: Final = ("/quit", "/exit", "/q")
_NEW: Final = "/new"
_COMMAND: Final = re.compile(r"/[a-z?]*", re.IGNORECASE)
_HELP: Final = """/new   forget the questions so far
/quit  end the conversation, like the end of the input
/help  print these lines
Every other line is a question."""
_PROMPT: Final = "> "


@click.command(
    short_help="Ask one question after the other.",
    epilog="""\b
Examples:
  treatise chat paper.pdf
  treatise chat                                            the whole library
  treatise chat --in 3f2a --llm ollama --llm-model llama3.2
  printf 'Who founded Debian?\\nWhen?\\n' | treatise chat history.pdf --json

A question may refer to the one before: "it", "he", "there", "and in 2019?", "why?". What it was understood as is
printed above the answer. /new forgets the questions so far; /quit or the end of the input ends the conversation; /help
lists these commands. With --json each turn is one line.
""",
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@document_option()
@folder_options
@click.option(
    "--turns", type=click.IntRange(min=1), default=6, show_default=True, metavar="N", help="Turns that are remembered."
)
@budget_option
@model_options
@reranker_option
@reader_option
@library_options
@answer_output_option
def chat(
    sources: Sources,
    *,
    documents: tuple[str, ...],
    turns: int,
    budget: int | None,
    output: Output,
    **options: Unpack[LibraryOptions],
) -> None:
    """Answer questions from standard input, one per line, from the SOURCEs or the whole library."""
    from treatise.pipeline.conversation import Conversation

    if STDIN in sources.names:
        raise click.UsageError("the questions come from standard input, so a source cannot: name a file")
    with opened_library(**options) as library:
        ids = _ids(library, sources, documents)
        index_again(library, ids or None)
        conversation = Conversation(library, ids, max_turns=turns, max_words=budget or 0)
        n_failed = sum(not answered for answered in _answered(conversation, output))
    if n_failed and not sys.stdin.isatty():
        sys.exit(1)


def _ids(library: "Library", sources: Sources, documents: tuple[str, ...]) -> tuple[str, ...]:
    outcomes = index_all_into(library, sources)
    if sources.names and not outcomes.results:
        exit_for(outcomes)
    named = [named_document(library.store, one).id for one in documents]
    return tuple(dict.fromkeys([*(report.document for report in outcomes.results), *named]))


def _answered(conversation: "Conversation", output: Output) -> Iterator[bool]:
    """Answers each question of standard input; False for a question that failed, which does not end the others."""
    for question in _questions():
        if _COMMAND.fullmatch(question):
            conversation = _commanded(conversation, question)
            continue
        try:
            with waiting_line(conversation.library.model):
                conversation = conversation.ask(question)
        except TreatiseError as error:
            _show_error(question, error, output)
            yield False
            continue
        except KeyboardInterrupt:
            if not sys.stdin.isatty():
                raise
            warn("interrupted; ask again, or /quit")
            continue
        _show(conversation, conversation.turns[-1], output)
        yield True


def _commanded(conversation: "Conversation", command: str) -> "Conversation":
    """The conversation after a command other than ``/quit``; what it says goes to standard error."""
    if command.casefold() == _NEW:
        return replace(conversation, turns=())
    is_help = command.casefold() in ("/help", "/?")
    click.echo(_HELP if is_help else f"treatise: no command {command}; there are /new, /quit and /help", err=True)
    return conversation


def _questions() -> Iterator[str]:
    """The lines of standard input up to its end or ``/quit``; blank lines are skipped."""
    with suppress(AttributeError):  # a replaced stream may not have it
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    is_terminal, lines = sys.stdin.isatty(), bounded_lines(sys.stdin, "standard input")
    if is_terminal:
        import readline  # noqa: F401  (lines can be edited and recalled)

        click.echo("Ask a question, or /help.", err=True)
    while True:
        try:
            text = input(_PROMPT) if is_terminal else next(lines)
        except (EOFError, StopIteration):
            if is_terminal:
                click.echo()
            return
        if (question := text.strip()).casefold() in _QUIT:
            return
        if question:
            yield question


def _show(conversation: "Conversation", turn: "Turn", output: Output) -> None:
    documents = turn.answer.evidence.documents
    if output.as_json:
        show_json_line(turn_record(turn, documents))
        return
    style = AnswerStyle(verbose=output.verbose, with_source=len(conversation.documents) != 1)
    understood = [line((f"({turn.resolved})", "dim"))] if turn.resolved != turn.question else []
    show([*understood, *answer_lines(turn.answer, documents, style), line()], no_color=output.no_color)


def _show_error(question: str, error: TreatiseError, output: Output) -> None:
    if output.as_json:
        show_json_line({"question": question, "error": str(error)})
    else:
        warn(f"error: {error}")
