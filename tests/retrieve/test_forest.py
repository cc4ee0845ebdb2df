"""Evidence that is foretold from the leaves of many documents, against a search of all their trees."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import make_document
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Selection
from treatise.embed.pooled import node_vectors
from treatise.recipes import recipe_named
from treatise.retrieve import build_lexicon, corpus, find_evidence, forest
from treatise.retrieve.corpus import Corpus, CorpusQuery
from treatise.retrieve.fusion import cosines, node_scores
from treatise.retrieve.outline import outline
from treatise.retrieve.segments import segment_of
from treatise.testing import HashingEncoder
from treatise.tree import balanced

RECIPE = recipe_named("treatise")
ENCODER = HashingEncoder(64)
WORDS = ["water", "boils", "kettle", "rain", "sea", "stone", "iron", "paper", "music", "glass", "wind", "salt"]


def pooled_documents(n: int, seed: int) -> list[IndexedDocument]:
    """Documents of several sections whose inner nodes are pooled; one sentence in five stands in several of them."""
    generator = np.random.default_rng(seed)
    shared = [" ".join(generator.choice(WORDS, 10)) for _ in range(6)]
    found = []
    for number in range(n):
        paragraphs = []
        for section in range(int(generator.integers(1, 4))):
            paragraphs.append([f"{generator.choice(WORDS)} {section}"])
            own = [" ".join(generator.choice(WORDS, int(generator.integers(3, 14)))) for _ in range(9)]
            kept = own[: int(generator.integers(1, 10))]
            paragraphs.append([str(generator.choice(shared)) if generator.random() < 0.2 else one for one in kept])
        document = make_document(paragraphs, source=f"{number}.txt", headings=tuple(range(0, len(paragraphs), 2)))
        units = tuple(span for group in document.readable_sentences() for span in group)
        texts = [document.quote(unit.start, unit.end) for unit in units]
        tree = balanced([len(paragraph) for paragraph in paragraphs])
        vectors = node_vectors(tree, ENCODER.encode(texts))
        found.append(IndexedDocument(document, units, tree, vectors, build_lexicon(texts)))
    return list({one.document.id: one for one in found}.values())


def question_of(data: st.DataObject) -> str:
    return " ".join(data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)))


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_the_documents_foretold_give_the_evidence_of_all(data: st.DataObject) -> None:
    documents = pooled_documents(30, data.draw(st.integers(0, 5)))
    question, max_words = question_of(data), data.draw(st.sampled_from([20, 60, 200]))
    limits = {"max_per_document": data.draw(st.sampled_from([0, 1])), "repeats": data.draw(st.booleans())}
    recipe = replace(RECIPE, selection=replace(RECIPE.selection, **limits))
    vector = ENCODER.encode_questions([question])[0]
    found = Corpus([segment_of(documents[:17]), segment_of(documents[17:])]).find(
        CorpusQuery(question, vector, recipe.scoring, n_documents=1, selection=recipe.selection, max_words=max_words)
    )
    some = [one for one in documents if one.document.id in found.documents]
    evidence, whole = (
        find_evidence(of, question, vector, recipe, max_words=max_words, corpus=found.statistics)
        for of in (some, documents)
    )
    expected, worst = {(one.document, one.span) for one in whole.passages}, min(one.score for one in whole.passages)
    as_good = [one for one in evidence.passages if (one.document, one.span) in expected or one.score >= worst - 0.05]
    assert len(as_good) >= len(whole.passages) - 1  # of two almost equal, either
    assert evidence.passages[0].score == pytest.approx(whole.passages[0].score, abs=0.05)


@pytest.mark.parametrize("question", ["water boils", "iron music paper", "sea"])
def test_the_scores_foretold_are_those_of_the_trees(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = pooled_documents(30, 9)
    seen: list[tuple[forest.Forest, np.ndarray]] = []
    contributors = forest.Forest.contributors

    def spy(self: forest.Forest, scores: np.ndarray, selection: Selection, max_words: int):
        seen.append((self, scores))
        return contributors(self, scores, selection, max_words)

    monkeypatch.setattr(forest.Forest, "contributors", spy)
    vector = ENCODER.encode_questions([question])[0]
    found = Corpus([segment_of(documents)]).find(
        CorpusQuery(question, vector, RECIPE.scoring, n_documents=1, selection=RECIPE.selection, max_words=60)
    )
    exact = node_scores(
        documents,
        [outline(one) for one in documents],
        [cosines(one, vector) for one in documents],
        question=question,
        scoring=RECIPE.scoring,
        corpus=found.statistics,
    )
    (trees, scores), by_size = seen[0], {}
    for one, of_nodes in zip(documents, exact, strict=True):
        by_size.setdefault((len(one.units), one.n_nodes), []).append(of_nodes)
    firsts = np.cumsum(trees.sizes) - trees.sizes
    for first, size in zip(firsts, trees.sizes, strict=True):  # the forest has its documents in another order
        inside = (trees.ranges[0] >= first) & (trees.ranges[1] <= first + size)
        same_shape = by_size[int(size), int(inside.sum())]
        assert min(np.abs(scores[inside] - of_nodes).max() for of_nodes in same_shape) < 0.05


def test_few_contributors_are_joined_by_the_next_best(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = pooled_documents(30, 2)
    vector = ENCODER.encode_questions(["water"])[0]
    index = Corpus([segment_of(documents)])
    for n_at_least in (3, 12):
        monkeypatch.setattr(corpus, "N_AT_LEAST", n_at_least)
        found = index.find(
            CorpusQuery("water", vector, RECIPE.scoring, n_documents=20, selection=RECIPE.selection, max_words=1)
        ).documents
        assert len(found) == n_at_least
        assert len(set(found)) == n_at_least


def test_nothing_is_foretold_of_vectors_that_are_no_means() -> None:
    documents = pooled_documents(30, 2)
    others = [
        replace(one, vectors=np.eye(one.n_nodes, 64, dtype=np.float16)[np.arange(one.n_nodes) % 64])
        for one in documents
    ]
    vector = ENCODER.encode_questions(["water"])[0]
    for of, n_found in ((documents, corpus.N_AT_LEAST), (others, 20)):
        found = Corpus([segment_of(of)]).find(
            CorpusQuery("water", vector, RECIPE.scoring, n_documents=20, selection=RECIPE.selection, max_words=1)
        )
        assert len(found.documents) == n_found
