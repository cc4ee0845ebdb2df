"""``treatise summarize``: a document, or what it says on a question, in so many words."""

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.ask import answer_lines
from treatise.cli.options import (
    LibraryOptions,
    document_option,
    library_options,
    model_options,
    opened_library,
    output_options,
    refine_options,
    with_refinement,
)
from treatise.cli.output import show, show_json
from treatise.cli.progress import waiting_line
from treatise.cli.sources import exit_for, index_all_into, is_file, is_folder
from treatise.core.usage import Stage
from treatise.records import summary_record

if TYPE_CHECKING:
    from treatise.pipeline.library import Library


@click.command(
    short_help="Summarize a document, or what it says on a question.",
    epilog="""\b
Examples:
  treatise summarize report.pdf
  treatise summarize report.pdf --words 100
  treatise summarize meeting.txt "What did they decide on the budget?"
  treatise summarize --in 3f2a "Who objected?"                   a document of the library
  treatise summarize book.epub --llm ollama --llm-model llama3.2
  treatise summarize meeting.txt --llm ollama --goal meeting     criticised and revised
  curl -s https://example.org | treatise summarize - --json | jq -r .summary

Without --llm the summary quotes: the sentences that carry the text by its discourse structure, or with a question those
that bear on it, in the order of the document. With it a model writes, a long document part by part; every sentence is
held against the document, and says where it stands.
""",
)
@click.argument("source", metavar="[SOURCE]", default="")
@click.argument("question", metavar="[QUESTION]", default="")
@document_option(multiple=False)
@click.option("--words", type=click.IntRange(min=1), metavar="N", default=200, show_default=True, help="Words at most.")
@model_options
@refine_options
@library_options
@output_options
def summarize(  # noqa: PLR0913  (click hands over each option as an argument)
    source: str,
    question: str,
    *,
    document: str | None,
    words: int,
    refine: bool,
    goal: str | None,
    rounds: int | None,
    as_json: bool,
    no_color: bool,
    **options: Unpack[LibraryOptions],
) -> None:
    """Summarize SOURCE in at most N words, with citations: all of it, or what it says on QUESTION.

    SOURCE is a file, or - for standard input; it is left out with --in ID.
    """
    from treatise.pipeline.retrieve import check_question

    if document is not None:
        source, question = _question_alone(source, question)
    elif not source:
        raise click.UsageError("name a SOURCE, or a document of the library: --in ID")
    elif is_folder(source):
        raise click.UsageError(f"{source} is a folder, and a summary is of one document: name one file")
    if question.strip():
        check_question(question)
    options["recipe"] = options.get("recipe") or "summary"
    with opened_library(**options) as library:
        library = with_refinement(library, refine=refine, goal=goal, rounds=rounds, usual_goal="summary")
        id_, index_s = _indexed(library, source) if document is None else (library.document(document).id, 0.0)
        with waiting_line(library.model):
            summary = library.summarize(question=question.strip(), document=id_, max_words=words)
        documents = {id_: library.document(id_)}
    index_s += summary.usage.seconds(Stage.INDEX)
    summary = replace(summary, usage=summary.usage.with_stage(Stage.INDEX, seconds=index_s))
    if as_json:
        show_json(summary_record(summary, documents))
    else:
        show(answer_lines(summary, documents), no_color=no_color)


def _question_alone(first: str, second: str) -> tuple[str, str]:
    """No source, and the question, of the two texts that stand beside ``--in ID``."""
    if second or is_file(first):
        raise click.UsageError(f"a summary is of one document: name {first} or --in, not both")
    return "", first


def _indexed(library: "Library", source: str) -> tuple[str, float]:
    """The id of a source's document, and the seconds that it took to read; one that cannot be read ends the command."""
    outcomes = index_all_into(library, [source])
    exit_for(outcomes)
    (report,) = outcomes.results
    return report.document, report.seconds
