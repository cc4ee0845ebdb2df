"""Documents to section trees (HTSIR): what becomes a section, what is summarised, and input that is hard to divide."""

from dataclasses import replace

import numpy as np
import pytest

from tests.builders import make_document
from tests.enhance.models import condensing
from tests.pipeline.test_index import ChainParser
from treatise.core.document import Document
from treatise.core.note import Origin
from treatise.core.recipe import (
    EncodedNotes,
    Indexing,
    Layer,
    LengthOf,
    Notes,
    Pooled,
    Sectioning,
    Sections,
    Summaries,
    Tau,
)
from treatise.enhance import Themes, words_per_section
from treatise.ingest import read_bytes
from treatise.llm.budget import Budget
from treatise.llm.estimate import DryRunRunner
from treatise.llm.runner import LlmRunner
from treatise.pipeline.index import index_document
from treatise.pipeline.index_drafts import draft_documents
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import HTSIR, HTSIR_OFFLINE
from treatise.retrieve.layers import nodes_of
from treatise.store.codec import pack_notes, unpack_notes
from treatise.testing import HashingEncoder, ScriptedModel
from treatise.tree import Cohesion

TAU = Tau(50, length_of=LengthOf.LEAVES)
INDEXING = Indexing(tree=Sections(), notes=Notes(Summaries.LLM, TAU), node_vectors=EncodedNotes())
TEN = "one two three four five six seven eight nine ten."


def read(markdown: str) -> Document:
    return read_bytes(markdown.encode(), name="test.md", format="markdown")


def indexed(document: Document, runner: LlmRunner | None = None, **sections: object):
    indexing = replace(INDEXING, tree=Sections(**sections))
    return index_document(document, indexing, encoder=HashingEncoder(16), runner=runner, parser=ChainParser())


def section_texts(one) -> list[str]:
    texts = []
    for node in nodes_of(one.tree, [Layer.SECTION]):
        start, end = one.tree.ranges[node]
        texts.append(one.document.quote(one.units[start].start, one.units[end - 1].end))
    return texts


def test_sections_are_those_of_the_headings_and_their_notes_are_written_from_their_text() -> None:
    methods = " ".join(f"Method {i} is {TEN}" for i in range(30))
    document = read(f"# Abstract\n\n{'We say ' + TEN}\n\n# Methods\n\n{methods}\n\n# End\n\nShort words only.\n")
    model = condensing()
    one = indexed(document, LlmRunner(model))
    assert [text.split()[1] for text in section_texts(one)] == ["Abstract", "Methods", "End"]
    origins = {one.notes[node].origin for node in nodes_of(one.tree, [Layer.LEAF])}
    assert origins == {Origin.WHOLE}
    abstract, of_methods, end = (one.notes[node] for node in nodes_of(one.tree, [Layer.SECTION]))
    assert (abstract.origin, of_methods.origin, end.origin) == (Origin.WHOLE, Origin.SUMMARY, Origin.WHOLE)
    shown = [prompt[1].content for prompt in model.prompts]
    assert any("Method 0 is" in text and "Method 29 is" in text for text in shown)  # Algorithm 1: of the text itself
    assert {one.notes[node].origin for node in nodes_of(one.tree, [Layer.GROUP])} == {Origin.SUMMARY}


def test_a_long_abstract_is_its_own_summary() -> None:
    document = read(f"# A Title\n\n## Abstract\n\n{TEN * 40}\n\n## Text\n\n{(TEN + ' ') * 40}\n")
    model = condensing()
    one = indexed(document, LlmRunner(model))
    first = next(node for node in nodes_of(one.tree, [Layer.SECTION]) if one.tree.ranges[node, 1] > 2)
    assert one.notes[first].origin is Origin.WHOLE
    assert one.notes[nodes_of(one.tree, [Layer.SECTION])[-1]].origin is Origin.SUMMARY


def test_a_section_too_long_for_the_window_is_summarised_from_the_notes_below() -> None:
    document = read("# All\n\n" + " ".join(f"Part {i} is {TEN}" for i in range(70)))
    note = f"A note: {TEN}"
    model = ScriptedModel(lambda conversation: note, context_tokens=900)
    one = indexed(document, LlmRunner(model), section_words=5_000)
    top = [prompt[1].content for prompt in model.prompts if note in prompt[1].content]
    assert len(top) == 1
    assert one.notes[-1].text == note


def test_whole_notes_survive_the_store() -> None:
    one = indexed(read(f"# A\n\n{TEN}\n\n# B\n\n{TEN}\n"))
    texts = [one.document.quote(unit.start, unit.end) for unit in one.units]
    assert unpack_notes(pack_notes(one.notes), texts) == one.notes


@pytest.mark.parametrize("sectioning", [Sectioning.COHESION, Sectioning.DISCOURSE, Sectioning.EVEN, Sectioning.LLM])
def test_a_text_without_headings_is_divided_by_theme(sectioning: Sectioning) -> None:
    themes = ["tide harbour ship sail mast", "oven bread flour dough yeast", "vote law minister tax court"]
    document = make_document([[f"The {theme} of line {i}." for i in range(60)] for theme in themes])
    one = indexed(document, section_words=480, sectioning=sectioning)
    n_words = [len(text.split()) for text in section_texts(one)]
    assert len(n_words) == 3
    assert sum(n_words) == 3 * 60 * 9
    if sectioning is not Sectioning.DISCOURSE:
        assert n_words == [540, 540, 540]


def test_the_model_names_the_beginnings_of_themes_in_one_call() -> None:
    document = make_document([["Words of the first kind."] * 30, ["Words of the second kind."] * 30])
    reply = '{"sections": [{"theme": "first", "first": 1}, {"theme": "second", "first": 31}]}'
    model = ScriptedModel(lambda _: reply)
    runner = LlmRunner(model)
    settings = replace(INDEXING, notes=Notes(), node_vectors=Pooled())
    settings = replace(settings, tree=Sections(section_words=100, sectioning=Sectioning.LLM))
    for _ in range(2):
        one = index_document(document, settings, encoder=HashingEncoder(16), runner=runner)
        assert [one.tree.ranges[root].tolist() for root in one.tree.roots] == [[0, 30], [30, 60]]
    assert len(model.prompts) == 1
    assert "ignore" not in model.prompts[0][1].content


@pytest.mark.parametrize(
    "reply",
    [
        "Certainly! Here are the sections.",
        "{}",
        '{"sections": []}',
        '{"sections": [{"theme": "a", "first": 9}, {"theme": "b", "first": 3}]}',
        '{"sections": [{"theme": "a", "first": 0}]}',
        '{"sections": [{"theme": "a", "first": 99}]}',
        '{"sections": [{"theme": "a", "first": true}]}',
    ],
)
def test_cohesion_divides_after_two_invalid_replies(reply: str) -> None:
    texts = [f"Line {i} of {'ships' if i < 10 else 'bread'}" for i in range(20)]
    vectors = HashingEncoder(16).encode(texts)
    runner = LlmRunner(ScriptedModel(lambda _: reply))
    assert Themes(runner, fallback=Cohesion()).starts(texts, vectors, 2) == Cohesion().starts(texts, vectors, 2)
    assert (runner.spending.n_calls, runner.spending.rejected.total()) == (2, 1)


def test_cohesion_divides_if_no_call_is_left() -> None:
    texts, vectors = ["a b", "c d", "e f"], HashingEncoder(16).encode(["a b", "c d", "e f"])
    runner = LlmRunner(ScriptedModel([]), budget=Budget(max_calls=0))
    assert Themes(runner, fallback=Cohesion()).starts(texts, vectors, 2) == Cohesion().starts(texts, vectors, 2)


def test_a_text_beyond_the_window_is_read_in_runs() -> None:
    texts = [f"Passage {i}: " + "word " * 50 for i in range(100)]
    model = ScriptedModel(lambda _: '{"sections": [{"theme": "a", "first": 1}, {"theme": "b", "first": 4}]}', 4_000)
    starts = Themes(LlmRunner(model), fallback=Cohesion()).starts(texts, HashingEncoder(8).encode(texts), 5)
    shown = [prompt[1].content.count("\n") + 1 for prompt in model.prompts]
    assert sum(shown) == 100
    assert len(shown) > 1
    assert len(starts) == 1 + len(shown)


def test_samples_suggest_the_length_of_a_section() -> None:
    model = ScriptedModel(lambda _: '{"sections": [{"theme": "a", "first": 1}, {"theme": "b", "first": 3}]}')
    themes = Themes(LlmRunner(model), fallback=Cohesion())
    assert words_per_section([["one two three"] * 4, ["one two three"] * 8], themes) == 9
    assert words_per_section([], themes, guess=700) == 700


def test_an_estimate_needs_no_vectors() -> None:
    document = make_document([[f"Line {i} tells of {TEN}" for i in range(100)]])
    runner = DryRunRunner(ScriptedModel([]))
    (draft,) = draft_documents([document], INDEXING, runner=runner)
    assert len(draft.tree.roots) == 1
    assert runner.spending.n_calls > 1


def test_an_estimate_counts_the_calls_for_themes() -> None:
    document = make_document([[f"Line {i} tells of {TEN}" for i in range(400)]])
    settings = replace(INDEXING, notes=Notes(), node_vectors=Pooled())
    settings = replace(settings, tree=Sections(sectioning=Sectioning.LLM))
    runner = DryRunRunner(ScriptedModel([]))
    (draft,) = draft_documents([document], settings, runner=runner)
    assert runner.spending.n_calls >= 1
    assert len(draft.tree.roots) > 1


# Input that is hard to divide


def assert_found(document: Document, question: str, **sections: object) -> None:
    """Both forms index it, and the evidence keeps to its budget and quotes the text."""
    for recipe in (HTSIR, HTSIR_OFFLINE):
        recipe = replace(recipe, indexing=replace(recipe.indexing, tree=Sections(**sections)))
        encoder = HashingEncoder(16)
        one = index_document(document, recipe.indexing, encoder=encoder)
        covered = [unit for root in one.tree.roots for unit in one.units_under(root)]
        assert covered == list(range(len(one.units)))
        found = retrieve([one], question, recipe, encoder=encoder, max_words=100)
        assert found.passages
        assert len(found.context.split()) <= 100
        assert all(document.quote(p.span.start, p.span.end) == p.text for p in found.passages)


def test_no_headings_at_all() -> None:
    assert_found(make_document([["Only one sentence."]]), "One?")
    assert_found(make_document([[f"Sentence {i} has {TEN}" for i in range(400)]]), "Sentence 17?")


def test_a_heading_per_sentence() -> None:
    text = "\n\n".join(f"## Heading {i}\n\nSentence {i} is about thing {i}." for i in range(300))
    document = read(text)
    one = indexed(document, LlmRunner(model := condensing()))
    assert len(one.tree.roots) == 300
    assert model.prompts == []  # nothing is long enough to be summarised
    assert_found(document, "What is sentence 17 about?")


def test_headings_that_skip_levels() -> None:
    document = read(
        f"# One\n\n{TEN}\n\n#### Deep\n\n{TEN}\n\n## Two\n\n{TEN}\n\n###### Deepest\n\n# Empty\n\n# Last\n\n{TEN}"
    )
    one = indexed(document)
    assert len(one.tree.roots) == 6
    assert_found(document, "one two?")


def test_a_section_of_thirty_thousand_words() -> None:
    text = " ".join(f"Sentence {i} of the {i % 7} kind tells {TEN}" for i in range(1_700))
    document = read(f"# Short\n\n{TEN}\n\n# Long\n\n{text}\n")
    one = indexed(document)
    n_words = [len(text.split()) for text in section_texts(one)[1:]]
    assert sum(n_words) > 28_000
    assert max(n_words) < 4_000
    assert min(n_words) >= 240
    assert_found(document, "What tells sentence 1234?")


def test_a_meeting_of_two_hundred_speakers() -> None:
    turns = [[f"Speaker {i % 200}: I think that {i} is {TEN}", "And so on."] for i in range(800)]
    document = make_document(turns)
    one = indexed(document)
    starts = {one.units[one.tree.ranges[root, 0]].start for root in one.tree.roots}
    assert starts <= {paragraph.start for paragraph in document.paragraphs}  # nobody is cut off in a turn
    assert len(starts) > 5
    assert_found(document, "What does speaker 77 think?")


def test_a_document_of_nothing_but_headings() -> None:
    assert_found(read("# One\n\n## Two\n\n## Three\n"), "Two?")


def test_equal_input_gives_equal_sections() -> None:
    document = make_document([[f"Sentence {i} has {TEN}" for i in range(400)]])
    one, other = indexed(document), indexed(document)
    assert one.tree == other.tree
    assert np.array_equal(one.vectors, other.vectors)


def test_leaves_cut_first_are_cut_by_no_theme_and_themes_begin_at_leaves() -> None:
    document = read("\n\n".join(" ".join([TEN] * 7) for _ in range(12)))
    settings = {"leaf_words": 40, "section_words": 200}
    by_theme, leaves_first = indexed(document, **settings), indexed(document, **settings, leaves_first=True)

    def leaves(one) -> list[tuple[int, int]]:
        return [tuple(one.tree.ranges[node].tolist()) for node in nodes_of(one.tree, [Layer.LEAF])]

    assert len(section_texts(leaves_first)) > 1
    assert leaves(leaves_first) == [(start, start + 4) for start in range(0, 84, 4)]
    assert leaves(by_theme) != leaves(leaves_first)
    assert " ".join(section_texts(leaves_first)).split() == " ".join(section_texts(by_theme)).split()
