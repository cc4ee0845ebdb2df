"""A chunk's tree by a language model: what is taken, what is mended, what is refused."""

import json
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plan.chunks import NS, make_chunk, make_tree
from treatise.core.document import Span
from treatise.core.errors import ModelReplyError
from treatise.core.ports import Reply
from treatise.llm.cache import MemoryCache
from treatise.llm.runner import LlmRunner
from treatise.plan import ModelChunkParser
from treatise.plan.alignment import align
from treatise.plan.codec import pack_tree, unpack_tree
from treatise.plan.trees import expected_reply, read_tree
from treatise.testing import ScriptedModel

TEXT = "The drug works, but only if it is taken early.\nIt was tested in Lima."
UNITS = ["The drug works,", "but only if it is taken early.", "It was tested in Lima."]
LOWER = {"first": 1, "right": 2, "last": 2, "nucleus": "left", "relation": "CONDITION"}
UPPER = {"first": 1, "right": 3, "last": 3, "nucleus": "left", "relation": "BACKGROUND"}


def _reply(units: list[str], joins: Sequence[object]) -> str:
    return json.dumps({"units": units, "joins": joins})


def _read(units: list[str], joins: Sequence[object], text: str = TEXT) -> list[tuple[int, int, int, str]]:
    tree = read_tree(Reply(_reply(units, joins), 0, 0), text)
    assert "".join("".join(text[u.start : u.end].split()) for u in tree.units) == "".join(text.split())
    return [(start, split, end, join.relation) for start, split, end, join in tree.tree.joins()]


def test_units_and_joins_become_one_tree_over_the_text() -> None:
    assert _read(UNITS, [UPPER, LOWER]) == [(0, 1, 2, "condition"), (0, 2, 3, "background")]


@pytest.mark.parametrize(
    "units",
    [
        ["The drug  works,\n", " but only if it is taken early.", "It was tested in Lima. "],
        ["the drug works,", "but only if it is taken early.", "it was tested in lima."],
        ["The drug works", "but only if it is taken early.", "It was tested in Lima"],
        ["The drug works,", "but only if it is taken early", "It was tested in Lima."],
    ],
)
def test_white_space_case_and_single_marks_are_put_back_to_the_letter(units: list[str]) -> None:
    tree = read_tree(Reply(_reply(units, [UPPER, LOWER]), 0, 0), TEXT)
    assert [TEXT[unit.start : unit.end] for unit in tree.units] == UNITS


@pytest.mark.parametrize(
    "units",
    [
        ["The medicine helps,", "but only when one takes it at once.", "Tests were done in Lima."],  # a paraphrase
        ["The drug works,", "It was tested in Lima."],  # a unit left out
        ["It was tested in Lima.", "The drug works,", "but only if it is taken early."],  # out of order
        [*UNITS, "Note that this is a summary of the passage."],  # a unit of its own
        ["The drug works,", "", "but only if it is taken early. It was tested in Lima."],
        [],
    ],
)
def test_units_that_are_not_the_text_cut_up_are_refused(units: list[str]) -> None:
    with pytest.raises(ModelReplyError, match="unit"):
        align(units, TEXT)


@pytest.mark.parametrize(
    ("joins", "reason"),
    [
        ([UPPER], "binary tree"),  # incomplete
        ([UPPER, UPPER], "same units"),
        ([LOWER, {**LOWER, "first": 2, "right": 3, "last": 3}], "binary tree"),  # crossing
        ([LOWER, {**UPPER, "right": 1}], "first < right"),  # a node that is its own part: a cycle
        ([LOWER, {**UPPER, "last": 9}], "<= 3"),  # a unit that is not there
        ([LOWER, {**UPPER, "relation": "VIBES"}], "no relation VIBES"),
        ([LOWER, {**UPPER, "nucleus": "neither"}], "neither"),
        ([LOWER, {"first": 1}], "is not first"),
        ([LOWER, "1-3"], "is not first"),
        ([LOWER, "1 2 3 left"], "is not first"),
        ([LOWER, "1 2 3 left VIBES"], "no relation VIBES"),
    ],
)
def test_joins_that_are_no_binary_tree_of_known_relations_are_refused(joins: list, reason: str) -> None:
    with pytest.raises(ModelReplyError, match=reason):
        _read(UNITS, joins)


def test_a_join_may_be_a_line_or_an_object() -> None:
    lines = [
        " ".join(str(join[key]) for key in ("first", "right", "last", "nucleus", "relation")) for join in (UPPER, LOWER)
    ]
    assert _read(UNITS, lines) == _read(UNITS, [UPPER, LOWER])
    assert _read(UNITS, [line.replace(" ", ", ") for line in lines]) == _read(UNITS, [UPPER, LOWER])


def test_what_a_expected_reply_says_is_a_tree_of_the_text_in_any_script() -> None:
    for chunk in (make_chunk(*UNITS), make_chunk("我们测量了温度,但是只在白天测量,结果见表一。", "这是第二句。")):
        tree = read_tree(Reply(expected_reply(chunk), 0, 0), chunk.text)
        assert len(tree.units) >= 2


def test_a_rejected_tree_is_asked_for_once_more_with_the_reason_and_then_given_up() -> None:
    chunk, good = make_chunk(*UNITS), _reply(UNITS, [UPPER, LOWER])
    mended = ScriptedModel([_reply(UNITS, [UPPER]), good])
    (tree,) = ModelChunkParser(LlmRunner(mended)).parse_chunks([chunk])
    assert tree is not None
    assert "binary tree" in mended.prompts[1][-1].content

    stubborn = ScriptedModel(["no", "no"])
    assert ModelChunkParser(LlmRunner(stubborn)).parse_chunks([chunk]) == [None]
    assert len(stubborn.prompts) == 2


def test_a_chunk_is_parsed_once_whatever_question_it_is_retrieved_for() -> None:
    cache, model = MemoryCache(), ScriptedModel([_reply(UNITS, [UPPER, LOWER])])
    chunk = make_chunk(*UNITS)
    trees = [ModelChunkParser(LlmRunner(model, cache=cache)).parse_chunks([chunk, chunk]) for _ in range(2)]
    assert len(model.prompts) == 1
    assert trees[0] == trees[1]


def test_blank_chunks_and_chunks_of_one_unit_need_no_joins() -> None:
    chunks = [make_chunk("   "), make_chunk("One.")]
    none, one = ModelChunkParser(LlmRunner(ScriptedModel([_reply(["One."], [])]))).parse_chunks(chunks)
    assert none is None
    assert one is not None
    assert one.units == (Span(0, 4),)


def test_a_passage_cannot_end_its_own_tag() -> None:
    model = ScriptedModel(["no", "no"])
    ModelChunkParser(LlmRunner(model)).parse_chunks([make_chunk("A </passage> B.")])
    assert model.prompts[0][1].content.count("</passage>") == 1


@given(st.text(st.characters(codec="utf-8"), min_size=1), st.lists(st.integers(0, 60)))
def test_any_cut_of_a_text_is_aligned_with_it(text: str, cuts: list[int]) -> None:
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    units = [text[a:b] for a, b in pairwise(edges) if text[a:b].strip()]
    if units:
        spans = align(units, text)
        assert [text[span.start : span.end] for span in spans] == [unit.strip() for unit in units]


def test_a_tree_comes_back_from_the_cache_as_it_was() -> None:
    chunk = make_chunk(*UNITS)
    tree = make_tree(chunk, (0, 1, 2, NS, "condition"), (0, 2, 3, NS, "background"))
    assert unpack_tree(pack_tree(tree)) == tree
