import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from treatise.core.tree import Nuclearity, build_tree
from treatise.parse.rows import Level, Text
from treatise.retrieve.confidence import Signals

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def confidence(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("confidence_benchmark", FOLDER / "confidence.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def drawn_cases(module: ModuleType, n: int) -> list[object]:
    """Cases that have an answer with a chance that is logistic in two of the signals."""
    random = np.random.default_rng(0)
    cases = []
    for i in range(n):
        best, mean, stands_out, coverage = random.normal(size=4)
        has_answer = random.random() < 1 / (1 + math.exp(-(2 * best - coverage)))
        cases.append(
            module.Case(
                Signals(best, mean, stands_out, coverage), "answerable" if has_answer else "same set", "qasper", i
            )
        )
    return cases


def test_the_fit_finds_the_weights_that_the_cases_were_drawn_from(confidence):
    fitted = confidence.fit(drawn_cases(confidence, 8_000))
    found = (fitted.intercept, fitted.best, fitted.mean, fitted.stands_out, fitted.coverage)
    assert found == pytest.approx((0, 2, 0, 0, -1), abs=0.15)


def test_auc_is_the_share_of_pairs_in_the_right_order(confidence):
    positive, negative = np.array([0.9, 0.5, 0.4]), np.array([0.5, 0.1])
    pairs = [(p > n) + (p == n) / 2 for p in positive for n in negative]
    assert confidence.auc(positive, negative) == pytest.approx(sum(pairs) / len(pairs))


def test_long_texts_have_exactly_the_words_asked_for(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    monkeypatch.delenv("TREATISE_DATA", raising=False)
    from inputs import long_text

    for n_words in (7, 12_345):
        assert len(long_text(n_words).split()) == n_words


def test_nodes_over_other_edus_are_compared_by_their_place_in_the_text(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from segmenters import nodes

    gold = Text("a", "en", Level.EDU, (("It rained", "because it was warm."), ("Rivers rose.",)))
    cut = Text("a", "en", Level.EDU, (("It rained because", "it was warm."), ("Rivers", "rose.")))
    inner = [(0, 1, 2, Nuclearity.NS, "causal"), (0, 2, 3, Nuclearity.SN, "causal")]
    wanted = nodes(gold, build_tree(3, inner))
    found = nodes(cut, build_tree(4, [inner[0], (2, 3, 4, Nuclearity.NN, "joint"), (0, 2, 4, Nuclearity.NN, "joint")]))
    assert wanted.keys() & found.keys() == {(0, 25), (0, 36)}
    assert wanted[0, 25] == found[0, 25] == (Nuclearity.NS, "causal")
    assert wanted[0, 36] != found[0, 36]


@pytest.fixture
def segments(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER / "peers"))
    spec = importlib.util.spec_from_file_location("relevant_segments", FOLDER / "peers" / "relevant_segments.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_chunks_of_relevant_segments_keep_their_size_and_every_letter(segments):
    words = " ".join(f"word{i}" for i in range(400))
    text = f"Title\n\nOne.\n\n{words}\n\n{'x' * 2_000}\n\nLast\nlines."
    chunks = segments.split(text)
    assert all(end - start <= segments.CHUNK_CHARACTERS for start, end in chunks)
    assert "".join("".join(text[start:end].split()) for start, end in chunks) == "".join(text.split())


def test_the_best_segments_are_the_runs_of_greatest_sum(segments):
    gained = [-0.2, 0.5, -0.1, 0.4, -0.3, 0.6, -0.2]
    assert segments.best_segments(gained) == [(1, 4), (5, 6)]
    assert segments.best_segments([-0.1, -0.1]) == []


def test_names_of_programming_languages_keep_their_signs_in_training_files(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from training_reader_everyday import plain

    texts = ["## Programs in *C++* ##", "- [C#](c.md) and C++", "> 2. Now", "-5 degrees"]
    assert list(map(plain, texts)) == ["Programs in C++", "C# and C++", "Now", "-5 degrees"]
