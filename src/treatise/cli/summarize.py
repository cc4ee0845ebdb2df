"""``treatise summarize``: a document, or what it says on a question, within a number of words."""

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
    choice_options,
    library_options,
    model_options,
    opened_library,
    refine_option,
    with_refinement,
)
from treatise.cli.output import Output
from treatise.cli.progress import waiting_line
from treatise.cli.sources import Sources, exit_without_result, index_again, index_all_into, is_file, is_folder
from treatise.core.usage import Stage
from treatise.core.words import n_words
from treatise.records import summary_record

if TYPE_CHECKING:
    from treatise.pipeline.library import Library

_PART = 3
"""A summary has one word in so many of a short document."""
_LEAST_WORDS = 40


@click.command(
    short_help="Summarize a document, or what it says on a question.",
    epilog="""\b
Examples:
  treatise summarize report.pdf
  treatise summarize report.pdf --words 100
  treatise summarize meeting.txt "What did they decide on the budget?"
  treatise summarize --in 3f2a "Who objected?"                   a document of the library
  treatise summarize book.epub --llm ollama --llm-model llama3.2
  treatise summarize meeting.txt --llm ollama --goal meeting     critique and revision
  curl -s https://example.org | treatise summarize - --json | jq -r .summary

Without --llm the summary quotes sentences: first the one that says what the document is, then, in its order, those most
central to its parts and discourse structure or, with a question, those that answer it. With --llm a model writes it, a
long document part by part; every sentence is checked against the document and cited.
""",
)
@click.argument("source", metavar="[SOURCE]", default="")
@click.argument("question", metavar="[QUESTION]", default="")
@choice_options(multiple=False)
@click.option(
    "--words",
    type=click.IntRange(min=1),
    metavar="N",
    help="Maximum words. Default: 200, or a third of a short document.",
)
@model_options
@refine_option
@library_options
@answer_output_option
def summarize(
    source: str,
    question: str,
    *,
    choice: Choice,
    words: int | None,
    refinement: RefineOptions,
    output: Output,
    **options: Unpack[LibraryOptions],
) -> None:
    """Summarize SOURCE in at most N words, with citations: all of it, or what it says on QUESTION.

    SOURCE is a file, or - for standard input. Omit it with --in ID or --where FILTER.
    """
    from treatise.pipeline.retrieve import check_question

    if choice.where and (choice.documents or is_file(source)):
        raise click.UsageError("a summary covers one document: name it with --where, with --in, or by its file")
    if choice.where or choice.documents:
        source, question = _question_alone(source, question)
    elif not source:
        raise click.UsageError("name a SOURCE, or a document of the library: --in ID")
    elif is_folder(source):
        raise click.UsageError(f"{source} is a folder; a summary covers one document: name one file")
    if question.strip():
        check_question(question)
    options["recipe"] = options.get("recipe") or "summary"
    with opened_library(**options) as library:
        library = with_refinement(library, refinement, default_goal="summary")
        id_, index_s = (_chosen(library, choice), 0.0) if not source else _indexed(library, source, output)
        index_again(library, [id_])
        with waiting_line(library.model):
            words = words or _default_words(library, id_, question.strip())
            summary = library.summarize(question=question.strip(), document=id_, max_words=words)
    index_s += summary.usage.seconds(Stage.INDEX)
    summary = replace(summary, usage=summary.usage.with_stage(Stage.INDEX, seconds=index_s))
    documents = summary.evidence.documents
    lines = answer_lines(summary, documents, AnswerStyle(verbose=output.verbose, with_source=False, as_prose=True))
    output.show(summary_record(summary, documents), lines)


def _default_words(library: "Library", id_: str, question: str) -> int:
    """Words of a summary: not most of a letter. What a document says on a question may be most of it."""
    from treatise.pipeline.system import DEFAULT_SUMMARY_WORDS

    n_of_part = DEFAULT_SUMMARY_WORDS if question else n_words(library.document(id_).text) // _PART
    return min(DEFAULT_SUMMARY_WORDS, max(_LEAST_WORDS, n_of_part))


def _question_alone(first: str, second: str) -> tuple[str, str]:
    """Source (empty) and question, from the two arguments beside ``--in ID``."""
    if second or is_file(first):
        raise click.UsageError(f"a summary covers one document: name {first} or --in, not both")
    return "", first


def _chosen(library: "Library", choice: Choice) -> str:
    """The id of the document named by ``--in``, or of the only one that satisfies the filter."""
    if choice.documents:
        return named_document(library.store, choice.documents[0]).id
    entries = library.documents(choice.where)
    if len(entries) != 1:
        ids = ", ".join(entry.id for entry in entries[:3])
        raise click.UsageError(
            f"a summary covers one document, and {len(entries):,} satisfy {choice.where!r}{f': {ids}' if ids else ''}"
        )
    return entries[0].id


def _indexed(library: "Library", source: str, output: Output) -> tuple[str, float]:
    """Id of the source's document, and seconds to index it. An unreadable source ends the command."""
    outcomes = index_all_into(library, Sources((source,)))
    if outcomes.failures:
        exit_without_result(outcomes, output)
    (report,) = outcomes.results
    return report.document, report.seconds
