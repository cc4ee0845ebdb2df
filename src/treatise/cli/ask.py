"""``treatise ask``: an answer with citations, from sources and a question."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.options import (
    LibraryOptions,
    RefineOptions,
    budget_option,
    ceiling_options,
    default_budget,
    document_option,
    library_options,
    model_options,
    opened_library,
    output_option,
    refine_option,
    reranker_option,
    with_refinement,
)
from treatise.cli.output import Line, Output, line
from treatise.cli.places import note_mark, place
from treatise.cli.progress import waiting_line
from treatise.cli.sources import STDIN, Outcomes, Sources, exists, folder_options, index_all_into
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
  treatise ask --in 3f2a "What was measured?"              one document
  treatise ask paper.pdf "Why?" --llm ollama --llm-model llama3.2

Each source is indexed once; later questions about it start from the index. Without --llm the answer quotes the best
sentences exactly. With --llm a model writes it from the same evidence, and its citations are checked.
""",
)
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.argument("question", metavar="QUESTION")
@document_option()
@folder_options
@budget_option
@model_options
@ceiling_options
@refine_option
@reranker_option
@library_options
@output_option
def ask(
    sources: Sources,
    question: str,
    *,
    documents: tuple[str, ...],
    budget: int | None,
    refinement: RefineOptions,
    output: Output,
    **options: Unpack[LibraryOptions],
) -> None:
    """Answer QUESTION from the SOURCEs, with citations.

    A SOURCE is a file, a folder, or - for standard input. Without a SOURCE the whole library is searched.
    """
    _refuse_missing_question(sources.names, question)
    with opened_library(**options) as library:
        library = with_refinement(library, refinement, default_goal="answer")
        outcomes = _indexed(library, sources, question)
        ids = [report.document for report in outcomes.results] + [library.document(one).id for one in documents]
        max_words = budget or library.recipe.selection.max_words or default_budget()
        with waiting_line(library.model):
            answer = library.ask(question, documents=ids or None, max_words=max_words)
        cited = {id_: library.document(id_) for id_ in {passage.document for passage in answer.evidence.passages}}
        answer = _with_indexing(answer, outcomes)
    output.show(answer_record(answer, cited), answer_lines(answer, cited))
    if outcomes.failures:
        sys.exit(1)


def answer_lines(answer: "Answer", documents: Mapping[str, "Document"]) -> Iterator[Line]:
    """Drafts, the direct answer, the answer with citation marks, citations (or the nearest passage), then notes."""
    yield from round_lines(answer)
    if answer.direct:
        yield line((answer.direct.text, "bold"))
        yield line()
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
    """A note with a full stop, unless it ends with a question mark."""
    return line((f"Note: {note}{'' if note.endswith('?') else '.'}", "yellow"))


def _conflict_lines(answer: "Answer") -> Iterator[Line]:
    """Each pair of contradicting citations, one below the other, with their numbers."""
    for pair in answer.conflicts:
        yield line()
        yield line(("Possible contradiction:", "bold yellow"))
        for number in pair:
            quote = " ".join(answer.citations[number].quote.split())
            yield line((f"[{number + 1}] ", "bold cyan"), f"“{quote}”", indent=4)


def round_lines(answer: "Answer") -> Iterator[Line]:
    """Each round of a refined answer: its draft, and the critic's remarks."""
    for number, draft in enumerate(answer.rounds, 1):
        unverified = f", {draft.n_unverified} not verified" if draft.n_unverified else ""
        verdict = ", the critic agrees" if draft.satisfied else ""
        yield line((f"Round {number}", "bold cyan"), (f"{unverified}{verdict}", "dim"))
        yield line((draft.text, "dim"), indent=2)
        for remark in draft.feedback:
            yield line((f"– {remark}", "yellow"), indent=2)
        yield line()


def _citation_lines(answer: "Answer", documents: Mapping[str, "Document"]) -> Iterator[Line]:
    """The place of each citation, with the quotation below it unless the answer already repeats it."""
    texts = tuple(statement.text for statement in answer.statements)
    for number, citation in enumerate(answer.citations, 1):
        where = place(documents[citation.document], citation.span)
        characters = f", characters {citation.span.start:,}–{citation.span.end:,}"
        yield line((f"[{number}] ", "bold cyan"), *where, (characters, "dim"))
        if not " ".join(citation.quote.split()).endswith(texts):  # a bullet before the quotation does not count
            yield line(f"“{citation.quote}”", indent=4)


def _nearest_lines(answer: "Answer", documents: Mapping[str, "Document"]) -> Iterator[Line]:
    """The best-scored passage, printed if no answer was found."""
    nearest = max(answer.evidence.passages, key=lambda passage: passage.score, default=None)
    if nearest is not None:
        yield line(("Nearest: ", "bold cyan"), *place(documents[nearest.document], nearest.span))
        text = " ".join(nearest.text.split())
        yield line(f"{note_mark(nearest)}{text}" if nearest.noted else f"“{text}”", indent=4)


def _refuse_missing_question(sources: tuple[str, ...], question: str) -> None:
    if not sources and (question == STDIN or exists(question)):
        raise click.UsageError(f'the question is missing: treatise ask {question} "What was measured?"')


def _indexed(library: "Library", sources: Sources, question: str) -> Outcomes["IndexReport"]:
    """Indexes the sources. A source named on the command line that cannot be read ends the command."""
    from treatise.pipeline.retrieve import check_question

    check_question(question)
    outcomes = index_all_into(library, sources)
    if any(not failure.source.folder for failure in outcomes.failures) or (sources.names and not outcomes.results):
        sys.exit(1)
    return outcomes


def _with_indexing(answer: "Answer", outcomes: Outcomes["IndexReport"]) -> "Answer":
    """The answer with a note per unreadable source, and the time spent indexing."""
    unread = [f"{failure.source.name} could not be read" for failure in outcomes.failures]
    index_s = sum(report.seconds for report in outcomes.results)
    usage = answer.usage.with_stage(Stage.INDEX, seconds=index_s)
    return replace(answer, notes=(*answer.notes, *unread), usage=usage)


def _marked(answer: "Answer") -> Iterator[str | tuple[str, str]]:
    """The statements, each followed by the numbers of its citations."""
    from treatise.core.answer import Support

    if not answer.statements:
        yield answer.text
    for i, statement in enumerate(answer.statements):
        yield (" " if i else "") + statement.text
        if marks := "".join(f"[{number + 1}]" for number in statement.citations):
            yield (f" {marks}", "bold cyan")
        if statement.support is Support.UNVERIFIED:
            yield (" [not verified]", "yellow")
