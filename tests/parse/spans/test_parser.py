"""The span parser on a small random network: laws that hold for any weights."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treatise.core.errors import DataError, TreeError
from treatise.core.tree import RELATIONS
from treatise.core.vectors import Floats
from treatise.parse.rows import Level, Text
from treatise.parse.spans.decode import crossing_spans
from treatise.parse.spans.ensemble import SpanEnsemble
from treatise.parse.spans.model import ParserConfig, SpanModel
from treatise.parse.spans.parser import Pool, SpanParser
from treatise.parse.spans.places import N_PLACES, edges
from treatise.parse.spans.tokens import Tokenised, token_run, windows

CONFIG = ParserConfig(name="random", hidden=6, unit=5, context=4, span=7, label=8, bilinear=3, window=12)


class LetterReader:
    """One token a word, its vector made of its letters, and of nothing around it."""

    name = "letters"
    start_id, end_id, unknown_id, spaced = 1, 2, 3, False

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        found = []
        for text in texts:
            ids, offsets, at = [], [], 0
            for word in text.split():
                at = text.index(word, at)
                ids.append(10 + sum(map(ord, word)) % 1000)
                offsets.append((at, at + len(word)))
                at += len(word)
            found.append(Tokenised(ids, offsets))
        return found

    def read(self, rows: Iterable[list[int]]) -> Iterator[Floats]:
        for row in rows:
            yield np.stack([np.sin(np.arange(6) * token).astype(np.float32) for token in row])


def random_model(seed: int = 0, config: ParserConfig = CONFIG) -> SpanModel:
    random = np.random.default_rng(seed)
    width = CONFIG.unit + 2 * CONFIG.context
    n_labels = 3 + len(RELATIONS) + 3 * len(RELATIONS)
    shapes = {
        "units.pool": (CONFIG.unit, 3 * CONFIG.hidden),
        "span_edge": (2 * CONFIG.span, 2 * width),
        "span_out": (2, CONFIG.span),
        "bilinear": (4 * CONFIG.bilinear, 2 * width),
        "label_edge": (3 * CONFIG.label, 2 * width),
        "label_hidden": (CONFIG.label, CONFIG.label),
        "label_out": (n_labels, CONFIG.label),
        "segment.0": (4, 2 * CONFIG.hidden),
        "segment.3": (1, 4),
    }
    weights = {f"{name}.weight": random.normal(size=shape) for name, shape in shapes.items()}
    weights |= {f"{name}.bias": random.normal(size=shape[0]) for name, shape in shapes.items()}
    weights |= {
        "units.flags.weight": random.normal(size=(CONFIG.unit, 6)),
        "span_mean.weight": random.normal(size=(CONFIG.span, width)),
        "label_mean.weight": random.normal(size=(2 * CONFIG.label, width)),
        "span_table.weight": random.normal(size=(N_PLACES, CONFIG.span)),
        "label_table.weight": random.normal(size=(3 * N_PLACES, CONFIG.label)),
    }
    for suffix in ("l0", "l0_reverse"):
        gates = 4 * CONFIG.context
        weights[f"units.context.weight_ih_{suffix}"] = random.normal(size=(gates, CONFIG.unit))
        weights[f"units.context.weight_hh_{suffix}"] = random.normal(size=(gates, CONFIG.context))
        weights[f"units.context.bias_ih_{suffix}"] = random.normal(size=gates)
        weights[f"units.context.bias_hh_{suffix}"] = random.normal(size=gates)
    return SpanModel(config, weights)


PARSER = SpanParser(random_model(), LetterReader())
SENTENCES = st.lists(st.sampled_from(["a b.", "c", "d e f", "g,", "[1]", ""]), min_size=0, max_size=6)


@settings(max_examples=30, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=5), st.sampled_from(list(Level)))
def test_every_text_gets_one_binary_tree_over_its_units(paragraphs: list[list[str]], level: Level) -> None:
    text = Text("t", "en", level, tuple(map(tuple, paragraphs)))
    if not text.units:
        with pytest.raises(TreeError, match="t: a tree needs at least one unit"):
            PARSER.parse_texts([text])
        return
    (tree,) = PARSER.parse_texts([text])
    assert tree.n_units == len(text.units)
    assert len(list(tree.joins())) == len(text.units) - 1
    assert all(join.relation in RELATIONS for *_, join in tree.joins())


def test_a_texts_tree_does_not_depend_on_the_texts_beside_it() -> None:
    one = Text("1", "en", Level.SENTENCE, (("a b.", "c d.", "e."), ("f.",)))
    other = Text("2", "en", Level.EDU, (("x", "y z.", "w"),))
    assert PARSER.parse_texts([one, other]) == PARSER.parse_texts([one]) + PARSER.parse_texts([other])


def test_a_text_longer_than_a_chart_is_parsed_in_blocks() -> None:
    paragraphs = tuple(tuple(f"w{i}{j} x." for j in range(5)) for i in range(200))
    (tree,) = PARSER.parse_texts([Text("long", "en", Level.SENTENCE, paragraphs)])
    assert tree.n_units == 1000
    assert tree.roots == [len(tree.nodes) - 1]


def test_reading_a_block_ahead_changes_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    paragraphs = tuple(tuple(f"w{i}{j} x." for j in range(3 + i % 7)) for i in range(150))
    text = Text("long", "en", Level.SENTENCE, paragraphs)
    ahead = PARSER.parse_texts([text])
    monkeypatch.setattr("treatise.parse.spans.decode._one_ahead", map)
    assert PARSER.parse_texts([text]) == ahead


def test_a_tree_does_not_depend_on_how_many_windows_are_pooled_together(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = tuple(" ".join(f"w{i}{j}" for j in range(40 + i)) for i in range(30))  # windows hold twelve words
    text = Text("t", "en", Level.SENTENCE, (sentences,))
    trees = []
    for n_windows in (1, 2, 100):
        monkeypatch.setattr("treatise.parse.spans.parser._WINDOWS_TOGETHER", n_windows)
        trees += PARSER.parse_texts([text])
    assert trees == trees[:1] * 3


def test_fifty_thousand_units_in_one_paragraph_are_parsed() -> None:
    units = tuple(f"w{i}." for i in range(50_000))
    (tree,) = PARSER.parse_texts([Text("long", "en", Level.EDU, (units,))])
    assert tree.n_units == 50_000


def test_a_unit_of_fifty_thousand_words_is_read_whole() -> None:
    long = "word " * 50_000
    (tree,) = PARSER.parse_texts([Text("long", "en", Level.SENTENCE, ((long, "b c."), (), ("d",)))])
    assert tree.n_units == 3
    assert "".join("".join(PARSER.segment([long], "en")[0]).split()) == "".join(long.split())


@settings(deadline=None)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=12), st.data())
def test_units_are_pooled_alike_however_windows_cut_them(lengths: list[int], data: st.DataObject) -> None:
    n_tokens = sum(lengths)
    vectors = np.random.default_rng(n_tokens).normal(size=(n_tokens, CONFIG.hidden)).astype(np.float32)
    begins = np.zeros(n_tokens, dtype=bool)
    begins[np.cumsum([0, *lengths[:-1]])] = True
    cuts = data.draw(st.lists(st.integers(1, max(1, n_tokens - 1)), max_size=5).map(lambda cuts: sorted({0, *cuts})))
    cuts = [cut for cut in cuts if cut < n_tokens]
    pool = Pool(random_model())
    for start, end in pairwise([*cuts, n_tokens]):
        pool.add(vectors[start:end], begins[start:end])
    parts = np.split(vectors, np.cumsum(lengths)[:-1])
    wanted = random_model().pooled(*map(np.stack, zip(*[(p.mean(0), p[0], p[-1]) for p in parts], strict=True)))
    assert np.allclose(np.concatenate(list(pool.parts())), wanted, atol=1e-4)


def test_a_span_crosses_where_it_cuts_one_paragraph_and_touches_another() -> None:
    crossing = crossing_spans(np.array([True, False, True, False, True]))
    assert {(i, j) for i, j in np.argwhere(crossing).tolist() if i < j} == {(0, 3), (1, 3), (1, 4)}


def test_an_ensemble_of_one_parser_or_of_equal_ones_is_that_parser() -> None:
    texts = [
        Text("long", "en", Level.SENTENCE, tuple(tuple(f"w{i}{j} x." for j in range(3 + i % 7)) for i in range(90))),
        Text("one", "en", Level.EDU, (("a b.",),)),
        Text("short", "en", Level.EDU, (("a b.", "c", "d e f"), ("g,",))),
    ]
    for parsers in ([PARSER], [PARSER, PARSER]):
        assert SpanEnsemble(parsers).parse_texts(texts) == PARSER.parse_texts(texts)


def test_an_ensemble_weighs_its_parsers_alike_in_any_order() -> None:
    text = Text("t", "en", Level.SENTENCE, tuple(tuple(f"w{i}{j} and x." for j in range(5)) for i in range(4)))
    other = SpanParser(random_model(config=replace(CONFIG, name="other"), seed=1), LetterReader())
    both = SpanEnsemble([PARSER, other])
    assert both.name == f"{PARSER.name}+{other.name}"
    assert both.parse_texts([text]) == SpanEnsemble([other, PARSER]).parse_texts([text])
    assert both.parse_texts([text]) not in (PARSER.parse_texts([text]), other.parse_texts([text]))


def test_an_ensemble_names_a_text_without_a_unit() -> None:
    with pytest.raises(TreeError, match="empty: a tree needs at least one unit"):
        SpanEnsemble([PARSER]).parse_texts([Text("empty", "en", Level.EDU, ())])


def test_sentences_are_read_by_the_edus_in_them_too() -> None:
    text = Text("t", "en", Level.SENTENCE, tuple(tuple(f"w{i}{j} and x{i} z." for j in range(4)) for i in range(3)))
    config = replace(CONFIG, two_levels=False)
    one = SpanParser(random_model(config=config), LetterReader())
    assert PARSER.parse_texts([text]) != one.parse_texts([text])


@settings(deadline=None)
@given(st.lists(st.text(alphabet="ab ,.\u3000中文", max_size=30), max_size=4))
def test_edus_joined_are_the_sentence(sentences: list[str]) -> None:
    for sentence, edus in zip(sentences, PARSER.segment(sentences, "en"), strict=True):
        assert "".join("".join(edus).split()) == "".join(sentence.split())
        assert all(edu.strip() == edu for edu in edus)
        assert all(edus) or not sentence.strip()


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=4), min_size=1, max_size=5), st.integers(4, 40))
def test_windows_tile_the_tokens_and_break_as_little_as_they_can(lengths: list[list[int]], size: int) -> None:
    sentences = np.cumsum([0, *(n for paragraph in lengths for n in paragraph)])
    paragraphs = np.cumsum([0, *map(sum, lengths)])
    spans = windows(paragraphs, sentences, size)
    assert [start for start, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] == sentences[-1]
    assert all(end - start <= size for start, end in spans)
    if max(n for paragraph in lengths for n in paragraph) < size // 2:
        assert {start for start, _ in spans} <= set(sentences.tolist())


def test_sentence_edges_of_edus_are_told_from_punctuation() -> None:
    of_paragraphs, of_sentences = edges([["He said", "it works.", "[1]", "And so on."], ["End"]], Level.EDU)
    assert of_paragraphs.tolist() == [True, False, False, False, True, True]
    assert of_sentences.tolist() == [True, False, False, True, True, True]


def test_units_without_a_known_token_still_have_one() -> None:
    run = token_run(LetterReader(), ["", "a b"])
    assert run.units.tolist() == [0, 1, 3]
    assert run.ids[0] == LetterReader.unknown_id


def test_no_token_of_a_text_without_spaces_crosses_a_mark_or_the_end_of_a_relative_clause() -> None:
    edus = ["有", "能力的", "人说：", "“好，", "（2010年）", "再见。”"]
    whole, apart = token_run(LetterReader(), ["".join(edus[1:])]), token_run(LetterReader(), edus[1:])
    assert whole.ids.tolist() == apart.ids.tolist()
    starts = {len("".join(edus[1:at])) for at in range(1, len(edus))}
    assert starts <= {int(place) for place in whole.characters[whole.begins_word]}


def test_weights_of_another_version_are_refused() -> None:
    weights = {"span_table.weight": np.zeros((3, 7)), "label_table.weight": np.zeros((9, 8))}
    with pytest.raises(KeyError, match="span_table"):
        SpanModel(CONFIG, weights)


def test_a_window_without_room_is_refused() -> None:
    with pytest.raises(DataError, match="found a size of 0"):
        windows(np.array([0, 2]), np.array([0, 2]), 0)
