"""``treatise ask``: an answer with citations, from sources and a question."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.answers import AnswerStyle, answer_lines
from treatise.cli.named import named_document
from treatise.cli.options import (
    Choice,
    LibraryOptions,
    RefineOptions,
    answer_output_option,
    budget_option,
    ceiling_options,
    choice_options,
    default_budget,
    library_options,
    model_options,
    opened_library,
    reader_option,
    refine_option,
    reranker_option,
    with_refinement,
)
from treatise.cli.output import Output
from treatise.cli.progress import waiting_line
from treatise.cli.sources import (
    STDIN,
    Outcomes,
    Sources,
    exists,
    exit_without_result,
    folder_options,
    index_again,
    index_all_into,
    is_object,
    is_web,
)
from treatise.core.scripts import UNSPACED
from treatise.core.usage import Stage
from treatise.records import answer_record

if TYPE_CHECKING:
    from treatise.core.answer import Answer
    from treatise.pipeline.library import Library
    from treatise.pipeline.reports import IndexReport


@click.command(
    short_help="Answer a question from documents.",
    epilog="""\b
Examples:
  treatise ask paper.pdf "What was measured?"
  treatise ask contract.docx annex.docx "When does it end?"
  treatise ask reports/ "Which report mentions delays?"    all files below
  treatise ask https://example.org/report.pdf "Who wrote it?"    fetched once, nothing else
  treatise ask "What was measured?"                        the whole library
  treatise ask --in 3f2a "What was measured?"              one document
  treatise ask "What was measured?" --where "year >= 2020 and type = 'pdf'"
  treatise ask paper.pdf "Why?" --llm ollama --llm-model llama3.2

Each source is indexed once; later questions about it start from the index. Without --llm the answer quotes the best
sentences exactly. With --llm a model writes it from the same evidence, and its citations are checked.
""",
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.argument("question", metavar="QUESTION")
@choice_options()
@folder_options
@budget_option
@model_options
@ceiling_options
@refine_option
@reranker_option
@reader_option
@library_options
@answer_output_option
def ask(
    sources: Sources,
    question: str,
    *,
    choice: Choice,
    budget: int | None,
    refinement: RefineOptions,
    output: Output,
    **options: Unpack[LibraryOptions],
) -> None:
    """Answer QUESTION from the SOURCEs, with citations.

    A SOURCE is a file, a folder, a web address, or - for standard input. Without a SOURCE the library is searched.
    """
    _refuse_missing_question(sources.names, question.strip())
    with opened_library(answers=True, **options) as library:
        library = with_refinement(library, refinement, default_goal="answer")
        outcomes = _indexed(library, sources, question, output)
        ids = [report.document for report in outcomes.results] + [
            named_document(library.store, one).id for one in choice.documents
        ]
        max_words = budget or library.recipe.selection.max_words or default_budget()
        index_again(library, ids or None, choice.where)
        with waiting_line(library.model):
            answer = library.ask(question, documents=ids or None, where=choice.where, max_words=max_words)
        answer = _with_indexing(answer, outcomes)
    cited = answer.evidence.documents
    lines = answer_lines(answer, cited, AnswerStyle(verbose=output.verbose, with_source=len(ids) != 1))
    output.show(answer_record(answer, cited), lines)
    if outcomes.failures:
        sys.exit(1)


def _refuse_missing_question(sources: tuple[str, ...], question: str) -> None:
    if not sources and (question == STDIN or exists(question)):
        raise click.UsageError(f'the question is missing: treatise ask {question} "What was measured?"')
    if not sources and _looks_like_file(question):
        raise click.UsageError(f"{question}: there is no such file, and a question is missing after it")
    if sources and exists(question) and _is_question(sources[0]):
        raise click.UsageError(
            f"{sources[0]:.200}: there is no such file; the question comes last: "
            f'treatise ask {question} "What was measured?"'
        )
    if len(question) == 1 and question.isalnum() and not UNSPACED.match(question):
        raise click.UsageError(f'the question {question!r} is too short: ask in words, such as "What was measured?"')


def _is_question(source: str) -> bool:
    """Whether an argument in the place of a source is a question: several words, and no source."""
    names_nothing = not (exists(source) or is_web(source) or is_object(source))
    return names_nothing and len(source.split()) > 1


def _looks_like_file(question: str) -> bool:
    """Whether a single argument is the name of a file or folder rather than a question."""
    from treatise.ingest.formats import FORMATS

    suffixes = tuple(suffix for row in FORMATS.values() for suffix in row.suffixes)
    is_one_word = len(question.split()) == 1 and not question.endswith("?")
    return is_one_word and (question.casefold().endswith(suffixes) or question.startswith(("./", "../", "/", "~")))


def _indexed(library: "Library", sources: Sources, question: str, output: Output) -> Outcomes["IndexReport"]:
    """Indexes the sources. A source named on the command line that cannot be read ends the command."""
    from treatise.pipeline.retrieve import check_question

    check_question(question)
    outcomes = index_all_into(library, sources)
    if any(not failure.source.folder for failure in outcomes.failures) or (sources.names and not outcomes.results):
        exit_without_result(outcomes, output)
    return outcomes


def _with_indexing(answer: "Answer", outcomes: Outcomes["IndexReport"]) -> "Answer":
    """The answer with a note per unreadable source, and the time spent indexing."""
    unread = [f"{failure.source.name} could not be read" for failure in outcomes.failures]
    index_s = sum(report.seconds for report in outcomes.results)
    usage = answer.usage.with_stage(Stage.INDEX, seconds=index_s)
    return replace(answer, notes=(*answer.notes, *unread), usage=usage)
