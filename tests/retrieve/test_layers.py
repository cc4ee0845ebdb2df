"""Layers of a section tree, the way down from its roots, and what stands above a node."""

from dataclasses import replace

import numpy as np
import pytest

from tests.builders import make_document
from treatise.core.errors import RecipeError
from treatise.core.indexed import IndexedDocument
from treatise.core.note import Note, Origin
from treatise.core.recipe import (
    EncodedNotes,
    Indexing,
    Layer,
    Notes,
    Recipe,
    Scoring,
    Sections,
    Selection,
    Summaries,
    Take,
    WordsOf,
)
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import BALANCED, FLAT_SENTENCE, HTSIR
from treatise.retrieve.fusion import cosines, node_scores
from treatise.retrieve.layers import layers_of, nodes_of, traverse_top_down
from treatise.retrieve.outline import outline
from treatise.testing import HashingEncoder

SHORT = Sections(leaf_words=10, group_leaves=2, short_words=0)
INDEXING = Indexing(tree=SHORT, notes=Notes(Summaries.NUCLEUS), node_vectors=EncodedNotes())
SENTENCES = [f"Sentence {i} is on {kind}." for kind in ("tides", "bread") for i in range(8)]  # five words each
DOCUMENT = make_document([["Tides"], SENTENCES[:8], ["Bread"], SENTENCES[8:]], headings=(0, 2))
ENCODER = HashingEncoder(32)


@pytest.fixture(scope="module")
def indexed() -> IndexedDocument:
    return index_document(DOCUMENT, INDEXING, encoder=ENCODER)


def evidence(indexed: IndexedDocument, question: str, selection: Selection, **scoring: object):
    recipe = Recipe("X", INDEXING, Scoring(**scoring), selection)
    return retrieve([indexed], question, recipe, encoder=ENCODER, max_words=1_000)


def test_a_section_tree_has_four_layers(indexed: IndexedDocument) -> None:
    sizes = {layer: len(nodes_of(indexed.tree, [layer])) for layer in Layer}
    assert sizes[Layer.SENTENCE] == 18
    assert sizes[Layer.SECTION] == 2
    assert sizes[Layer.LEAF] > sizes[Layer.GROUP] > sizes[Layer.SECTION]
    assert sum(sizes.values()) == len(indexed.tree.nodes) == len(layers_of(indexed.tree))


@pytest.mark.parametrize("layers", [(Layer.LEAF,), (Layer.GROUP,), (Layer.SECTION,), (Layer.LEAF, Layer.SECTION)])
def test_only_the_layers_asked_for_are_ranked(indexed: IndexedDocument, layers: tuple[Layer, ...]) -> None:
    found = evidence(indexed, "on bread", Selection(layers=layers, leaf_top_k=0))
    groups: dict[int, list[int]] = {}
    starts = [unit.start for unit in indexed.units]
    for passage in found.passages:
        groups.setdefault(passage.group, []).append(starts.index(passage.span.start))
    expected = [set(indexed.units_under(node)) - {0, 9} for node in nodes_of(indexed.tree, layers)]
    assert all(any(set(units) <= node for node in expected) for units in groups.values())
    if len(layers) == 1:
        assert sorted(map(sorted, groups.values())) == sorted(map(sorted, expected))


def test_headings_are_no_evidence_whole_leaf_or_not(indexed: IndexedDocument) -> None:
    for take in Take:
        found = evidence(indexed, "Bread", Selection(take=take, layers=(Layer.LEAF, Layer.SECTION)))
        assert not {"Tides", "Bread"} & {passage.text for passage in found.passages}


def test_a_traversal_meets_the_best_of_each_layer_and_no_more(indexed: IndexedDocument) -> None:
    scores = np.zeros(len(indexed.tree.nodes), np.float32)
    scores[nodes_of(indexed.tree, [Layer.SECTION])[1]] = 1
    scores[nodes_of(indexed.tree, [Layer.LEAF])[0]] = 9  # in the other section, so never met
    (met,) = traverse_top_down([indexed], [scores], [np.arange(len(scores))], 1)
    layers = layers_of(indexed.tree)[met].tolist()
    assert layers == sorted(layers)
    assert len(met) == 4
    assert nodes_of(indexed.tree, [Layer.SECTION])[1] in met


def test_a_traversal_stays_in_the_best_section(indexed: IndexedDocument) -> None:
    found = evidence(indexed, "is on bread.", Selection(traverse=1, layers=(Layer.LEAF,), leaf_top_k=0))
    assert found.passages
    assert all("bread" in passage.text for passage in found.passages)


def test_a_traversal_wide_enough_is_the_collapsed_search(indexed: IndexedDocument) -> None:
    for selection in (Selection(), Selection(take=Take.NOTE, layers=(Layer.LEAF, Layer.GROUP))):
        collapsed = evidence(indexed, "Sentence 3 on bread", selection)
        assert evidence(indexed, "Sentence 3 on bread", replace(selection, traverse=1_000)) == collapsed


def test_a_node_gains_of_the_mean_above_it(indexed: IndexedDocument) -> None:
    vector = ENCODER.encode(["on bread"])[0]

    def scores(**weights: float) -> np.ndarray:
        nearness = [cosines(indexed, vector)]
        (found,) = node_scores([indexed], [outline(indexed)], nearness, question="", scoring=Scoring(**weights))
        return found

    plain, gained = scores(), scores(path=0.5)
    parents = indexed.tree.parents
    for node in range(len(plain)):
        above, up = [], parents[node]
        while up >= 0:
            above.append(plain[up])
            up = parents[up]
        assert gained[node] == pytest.approx(plain[node] + (0.5 * np.mean(above) if above else 0), abs=1e-4)


def test_bm25_may_count_the_words_of_notes(indexed: IndexedDocument) -> None:
    section = int(nodes_of(indexed.tree, [Layer.SECTION])[0])
    notes = list(indexed.notes)
    notes[section] = Note("A remark about whales.", Origin.SUMMARY, notes[section].units, "k")
    changed = replace(indexed, notes=tuple(notes))
    best = {}
    for words_of in WordsOf:
        scoring = Scoring(dense=0, bm25=1, words_of=words_of)
        none = [np.zeros(len(notes), np.float32)]
        (found,) = node_scores([changed], [outline(changed)], none, question="whales tides", scoring=scoring)
        best[words_of] = int(np.argmax(found))
    assert best[WordsOf.NOTE] == section
    assert best[WordsOf.LEAVES] != section


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: replace(BALANCED, selection=Selection(layers=(Layer.LEAF,))), "its tree is balanced"),
        (lambda: replace(FLAT_SENTENCE, selection=Selection(traverse=3)), "but has none"),
        (lambda: Selection(layers=(Layer.LEAF, Layer.LEAF)), "named once"),
        (lambda: Selection(traverse=-1), "or more"),
        (lambda: Selection(node_words=-1), "or more"),
        (lambda: Selection(max_share=0.0), "above 0 to 1"),
        (lambda: Scoring(path=-1.0), "not negative"),
    ],
)
def test_what_cannot_be_is_refused(make, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        make()


def test_the_options_of_sections_name_an_index() -> None:
    changed = Sections(leaf_words=50)
    assert replace(HTSIR.indexing, tree=changed).key("m") != HTSIR.indexing.key("m")
