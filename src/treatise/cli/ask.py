"""``treatise ask``: sources and a question to an answer with citations."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.options import (
    LibraryOptions,
    budget_option,
    ceiling_options,
    default_budget,
    document_option,
    library_options,
    model_options,
    opened_library,
    output_options,
    refine_options,
    reranker_option,
    with_refinement,
)
from treatise.cli.output import Line, line, show, show_json
from treatise.cli.places import note_mark, place
from treatise.cli.progress import waiting_line
from treatise.cli.sources import STDIN, Outcomes, exists, index_all_into
from treatise.core.usage import Stage
from treatise.records import answer_record

if TYPE_CHECKING:
    from treatise.core.answer import Answer
    from treatise.core.document import Document
    from treatise.pipeline.library import Library
    from treatise.pipeline.reports import IndexReport


@click.command(
    short_help="Answer a question from documents.",
    epilog="""\b
Examples:
  treatise ask paper.pdf "What was measured?"
  treatise ask contract.docx annex.docx "When does it end?"
  treatise ask reports/ "Which report mentions delays?"    all files below
  curl -s https://example.org | treatise ask - "Who wrote it?"
  treatise ask "What was measured?"                        the whole library
  treatise ask --in 3f2a "What was measured?"              one document of it
  treatise ask paper.pdf "Why?" --llm ollama --llm-model llama3.2

A source is read once: the second question about it is answered at once. Without --llm the answer quotes the sentences
that answer best, to the letter. With it a model writes from the same evidence, and its citations are checked.
""",
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.argument("question", metavar="QUESTION")
@document_option()
@budget_option
@model_options
@ceiling_options
@refine_options
@reranker_option
@library_options
@output_options
def ask(  # noqa: PLR0913  (click hands over each option as an argument)
    sources: tuple[str, ...],
    question: str,
    *,
    documents: tuple[str, ...],
    budget: int | None,
    refine: bool,
    goal: str | None,
    rounds: int | None,
    as_json: bool,
    no_color: bool,
    **options: Unpack[LibraryOptions],
) -> None:
    """Answer QUESTION from the SOURCEs, with citations.

    A SOURCE is a file, a folder, or - for standard input. Without one the whole library is asked.
    """
    _refuse_missing_question(sources, question)
    with opened_library(**options) as library:
        library = with_refinement(library, refine=refine, goal=goal, rounds=rounds, usual_goal="answer")
        outcomes = _indexed(library, sources, question)
        ids = [report.document for report in outcomes.results] + [library.document(one).id for one in documents]
        max_words = budget or library.recipe.selection.max_words or default_budget()
        with waiting_line(library.model):
            answer = library.ask(question, documents=ids or None, max_words=max_words)
        cited = {id_: library.document(id_) for id_ in {passage.document for passage in answer.evidence.passages}}
        answer = _with_what_the_command_knows(answer, outcomes)
    if as_json:
        show_json(answer_record(answer, cited))
    else:
        show(answer_lines(answer, cited), no_color=no_color)
    if outcomes.failures:
        sys.exit(1)


def answer_lines(answer: "Answer", documents: Mapping[str, "Document"]) -> Iterator[Line]:
    """Earlier drafts, the answer with its marks, each citation's place (or the nearest passage), then notes."""
    yield from round_lines(answer)
    yield line(*_marked(answer))
    if answer.citations or not answer.found:
        yield line()
    if answer.found:
        yield from _citation_lines(answer, documents)
    else:
        yield from _nearest_lines(answer, documents)
    yield from _conflict_lines(answer)
    if answer.notes:
        yield line()
    for note in answer.notes:
        yield note_line(note)


def note_line(note: str) -> Line:
    """A note as a sentence: one that ends in a question gets no full stop."""
    return line((f"Note: {note}{'' if note.endswith('?') else '.'}", "yellow"))


def _conflict_lines(answer: "Answer") -> Iterator[Line]:
    """Each pair of places that contradict each other, one below the other, with the numbers of where they stand."""
    for pair in answer.conflicts:
        yield line()
        yield line(("Contradiction, it seems:", "bold yellow"))
        for number in pair:
            quote = " ".join(answer.citations[number].quote.split())
            yield line((f"[{number + 1}] ", "bold cyan"), f"“{quote}”", indent=4)


def round_lines(answer: "Answer") -> Iterator[Line]:
    """Each round of a refined answer: its draft, and what was to change."""
    for number, made in enumerate(answer.rounds, 1):
        unverified = f", {made.n_unverified} not verified" if made.n_unverified else ""
        verdict = ", the critic agrees" if made.satisfied else ""
        yield line((f"Round {number}", "bold cyan"), (f"{unverified}{verdict}", "dim"))
        yield line((made.text, "dim"), indent=2)
        for remark in made.feedback:
            yield line((f"– {remark}", "yellow"), indent=2)
        yield line()


def _citation_lines(answer: "Answer", documents: Mapping[str, "Document"]) -> Iterator[Line]:
    """A quote is printed below its place only where the answer does not consist of it already."""
    said = tuple(statement.text for statement in answer.statements)
    for number, citation in enumerate(answer.citations, 1):
        where = place(documents[citation.document], citation.span)
        characters = f", characters {citation.span.start:,}–{citation.span.end:,}"
        yield line((f"[{number}] ", "bold cyan"), *where, (characters, "dim"))
        if not " ".join(citation.quote.split()).endswith(said):  # a bullet before it is not repeated
            yield line(f"“{citation.quote}”", indent=4)


def _nearest_lines(answer: "Answer", documents: Mapping[str, "Document"]) -> Iterator[Line]:
    """What came nearest to an answer that was not found, for the asker to judge."""
    nearest = max(answer.evidence.passages, key=lambda passage: passage.score, default=None)
    if nearest is not None:
        yield line(("Nearest: ", "bold cyan"), *place(documents[nearest.document], nearest.span))
        text = " ".join(nearest.text.split())
        yield line(f"{note_mark(nearest)}{text}" if nearest.noted else f"“{text}”", indent=4)


def _refuse_missing_question(sources: tuple[str, ...], question: str) -> None:
    if not sources and (question == STDIN or exists(question)):
        raise click.UsageError(f'the question is missing: treatise ask {question} "What was measured?"')


def _indexed(library: "Library", sources: Sequence[str], question: str) -> Outcomes["IndexReport"]:
    """The sources in the library. One that the user named and that cannot be read ends the command."""
    from treatise.pipeline.retrieve import check_question

    check_question(question)
    outcomes = index_all_into(library, sources)
    if any(not failure.source.folder for failure in outcomes.failures) or (sources and not outcomes.results):
        sys.exit(1)
    return outcomes


def _with_what_the_command_knows(answer: "Answer", outcomes: Outcomes["IndexReport"]) -> "Answer":
    unread = [f"{failure.source.name} could not be read" for failure in outcomes.failures]
    index_s = sum(report.seconds for report in outcomes.results)
    usage = answer.usage.with_stage(Stage.INDEX, seconds=index_s)
    return replace(answer, notes=(*answer.notes, *unread), usage=usage)


def _marked(answer: "Answer") -> Iterator[str | tuple[str, str]]:
    """The statements, each with the numbers of its citations."""
    from treatise.core.answer import Support

    if not answer.statements:
        yield answer.text
    for i, statement in enumerate(answer.statements):
        yield (" " if i else "") + statement.text
        if marks := "".join(f"[{number + 1}]" for number in statement.citations):
            yield (f" {marks}", "bold cyan")
        if statement.support is Support.UNVERIFIED:
            yield (" [not verified]", "yellow")
