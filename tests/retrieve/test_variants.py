"""The paper's ablations, and what a reader is given."""

import re
from dataclasses import replace

import pytest

from tests.builders import make_document
from tests.enhance.models import SENTENCES, condensing
from treatise.core.errors import RecipeError
from treatise.core.recipe import (
    Balanced,
    Discourse,
    EncodedNotes,
    Indexing,
    Notes,
    ReaderText,
    Recipe,
    Selection,
    Summaries,
    Take,
)
from treatise.llm.runner import LlmRunner
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import RECIPES, VARIANTS
from treatise.retrieve import marked
from treatise.testing import HashingEncoder

INDEXING = Indexing(tree=Balanced(), notes=Notes(Summaries.LLM), node_vectors=EncodedNotes())
QUESTION = "What does sentence number 7 tell of thing 7?"
DOCUMENT = make_document([SENTENCES[:5], SENTENCES[5:10]])


def evidence(selection: Selection, *, max_words: int = 60, writer: LlmRunner | None = None, **changes: object):
    recipe = replace(Recipe("X", INDEXING, selection=selection), **changes)
    writer = writer or LlmRunner(condensing())
    encoder = HashingEncoder()
    indexed = index_document(DOCUMENT, INDEXING, encoder=encoder, runner=writer)
    return retrieve([indexed], QUESTION, recipe, encoder=encoder, max_words=max_words)


def test_summary_text_is_given_as_a_note_and_says_where_it_comes_from() -> None:
    found = evidence(Selection(take=Take.NOTE))
    notes = [passage for passage in found.passages if passage.noted]
    assert notes
    for passage in notes:
        assert passage.span == passage.noted[0]
        assert all(DOCUMENT.quote(span.start, span.end) in SENTENCES for span in passage.noted)
    assert len(found.context.split()) <= 60


def test_extracts_are_quoted_unit_by_unit_even_where_notes_are_taken() -> None:
    recipe = Recipe("X", replace(INDEXING, notes=Notes(Summaries.NUCLEUS)), selection=Selection(take=Take.NOTE))
    encoder = HashingEncoder()
    indexed = index_document(DOCUMENT, recipe.indexing, encoder=encoder)
    found = retrieve([indexed], QUESTION, recipe, encoder=encoder, max_words=200)
    assert all(DOCUMENT.quote(p.span.start, p.span.end) == p.text and not p.noted for p in found.passages)


def test_no_more_nodes_than_asked_are_looked_at() -> None:
    assert len(evidence(Selection(expand=False, max_nodes=3), max_words=1_000).passages) == 3


def test_the_full_document_with_marks_is_the_document_but_for_the_marks() -> None:
    found = evidence(Selection(), reader_text=ReaderText.MARKED_DOCUMENT)
    assert found.context.count("[EVIDENCE]") == found.context.count("[/EVIDENCE]") > 0
    assert re.sub(r"\[/?EVIDENCE\]", "", found.context) == DOCUMENT.text
    inside = "".join(re.findall(r"\[EVIDENCE\](.*?)\[/EVIDENCE\]", found.context, re.DOTALL))
    assert all(passage.text in inside for passage in found.passages)


def test_the_full_document_is_the_full_document() -> None:
    assert evidence(Selection(), reader_text=ReaderText.DOCUMENT).context == DOCUMENT.text


def test_nothing_to_mark_leaves_the_text() -> None:
    assert marked(DOCUMENT, []) == DOCUMENT.text


def test_notes_cannot_be_taken_where_there_are_none() -> None:
    with pytest.raises(RecipeError, match="notes"):
        Recipe("X", Indexing(), selection=Selection(take=Take.NOTE))


def test_variants_share_one_index_and_all_names_differ() -> None:
    of_trees = [variant for variant in VARIANTS if isinstance(variant.indexing.tree, Discourse)]
    assert len({variant.indexing.key("m") for variant in of_trees}) == 1
    assert len(RECIPES) == len({recipe.name for recipe in RECIPES.values()})
