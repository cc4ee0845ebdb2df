"""``treatise search``: passages for a question, without an answer."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Unpack

import click

from treatise.cli.answers import note_line
from treatise.cli.named import named_document
from treatise.cli.options import (
    Choice,
    LibraryOptions,
    budget_option,
    choice_options,
    default_budget,
    library_options,
    model_options,
    opened_library,
    output_option,
    reranker_option,
)
from treatise.cli.output import Line, Output, line
from treatise.cli.places import note_mark, passage_text, place
from treatise.cli.sources import index_again
from treatise.records import search_record

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.core.evidence import Evidence


@click.command(
    short_help="Find passages, without an answer.",
    epilog="""\b
Examples:
  treatise search "early warning"                 the whole library
  treatise search "early warning" --in 3f2a       one document
  treatise search "early warning" --budget 100    at most 100 words
  treatise search "early warning" --where "tag = draft"
  treatise search "early warning" --json | jq -r .context
""",
)
@click.argument("question", metavar="QUESTION")
@choice_options()
@budget_option
@model_options
@reranker_option
@library_options
@output_option
def search(
    question: str,
    *,
    choice: Choice,
    budget: int | None,
    output: Output,
    **options: Unpack[LibraryOptions],
) -> None:
    """Print the passages of the library that best answer QUESTION, best first."""
    with opened_library(**options) as library:
        ids = [named_document(library.store, one).id for one in choice.documents]
        max_words = budget or default_budget()
        index_again(library, ids or None, choice.where)
        evidence = library.search(question, documents=ids or None, where=choice.where, max_words=max_words)
    found = evidence.documents
    output.show(search_record(evidence, found), _evidence_lines(evidence, found))


def _evidence_lines(evidence: "Evidence", documents: Mapping[str, "Document"]) -> Iterator[Line]:
    """Each passage below its place; consecutive passages from one place share its line."""
    before: list[str | tuple[str, str]] = []
    for passage in evidence.passages:
        here = list(place(documents[passage.document], passage.span))
        if here != before:
            if before:
                yield line()
            yield line(*here)
        yield line((note_mark(passage), "dim"), passage_text(documents[passage.document], passage), indent=2)
        before = here
    if evidence.notes:
        yield line()
    for note in evidence.notes:
        yield note_line(note)
