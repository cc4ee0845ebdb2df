"""Algorithm 1 against a plain reading of it, and the exact budget."""

import numpy as np
from builders import make_indexed
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.recipe import GroupOrder, Selection
from treatise.core.tree import Unit
from treatise.retrieve.outline import outline
from treatise.retrieve.selection import select as select_passages

SENTENCES = ["Aa bb cc.", "Dd ee.", "Ff gg hh ii.", "Jj.", "Kk ll.", "Mm nn oo."]


def select(indexed: list, scores: list, **options: object) -> list:
    return select_passages(indexed, [outline(one) for one in indexed], scores, **options)


def plain_algorithm_1(indexed, scores, *, top_k: int, by_rank: bool) -> list[int]:
    taken: list[int] = []
    for node in sorted(range(len(scores)), key=lambda i: -scores[i]):
        start, end = indexed.tree.ranges[node]
        if isinstance(indexed.tree.nodes[node], Unit):
            group = [int(start)]
        else:
            leaf_scores = scores[indexed.tree.leaf_nodes]
            group = sorted((u for u in range(start, end) if u not in taken), key=lambda u: -leaf_scores[u])
            group = group[:top_k] if top_k else group
            group = group if by_rank else sorted(group)
        taken += [unit for unit in group if unit not in taken]
    return taken


@given(st.data(), st.integers(0, 3), st.booleans())
def test_units_come_in_the_order_of_algorithm_1(data: st.DataObject, top_k: int, by_rank: bool) -> None:
    indexed = make_indexed([SENTENCES[:2], SENTENCES[2:5], SENTENCES[5:]])
    n = len(indexed.tree.nodes)
    scores = np.array(data.draw(st.permutations(range(n))), dtype=np.float32)
    order = GroupOrder.RANK if by_rank else GroupOrder.DOCUMENT
    passages = select([indexed], [scores], max_words=1000, selection=Selection(leaf_top_k=top_k, group_order=order))
    expected = plain_algorithm_1(indexed, scores, top_k=top_k, by_rank=by_rank)
    assert [passage.text for passage in passages] == [SENTENCES[unit] for unit in expected]


@given(st.integers(1, 20))
def test_the_budget_is_cut_exactly(max_words: int) -> None:
    indexed = make_indexed([SENTENCES])
    scores = np.arange(len(indexed.tree.nodes), dtype=np.float32)
    passages = select([indexed], [scores], max_words=max_words, selection=Selection())
    words = sum(len(passage.text.split()) for passage in passages)
    assert words == min(max_words, sum(len(s.split()) for s in SENTENCES))


def test_every_passage_is_the_documents_text_to_the_letter() -> None:
    indexed = make_indexed([SENTENCES])
    scores = np.arange(len(indexed.tree.nodes), dtype=np.float32)
    for passage in select([indexed], [scores], max_words=7, selection=Selection()):
        assert indexed.document.quote(passage.span.start, passage.span.end) == passage.text


def test_documents_share_one_ranking() -> None:
    one, other = make_indexed([["Low."]]), make_indexed([["High."]])
    passages = select([one, other], [np.array([0.1]), np.array([0.9])], max_words=1, selection=Selection())
    assert [passage.text for passage in passages] == ["High."]


def test_leaves_alone_are_ranked_where_nodes_are_not_expanded() -> None:
    indexed = make_indexed([SENTENCES[:2]])
    passages = select([indexed], [np.array([1, 2, 9])], max_words=99, selection=Selection(expand=False))
    assert [passage.text for passage in passages] == [SENTENCES[1], SENTENCES[0]]


def test_a_node_gives_its_best_leaves_up_to_so_many_words() -> None:
    indexed = make_indexed([SENTENCES])
    scores = np.append(np.arange(len(indexed.tree.nodes) - 1), 99).astype(np.float32)  # the root before all
    leaf_scores = scores[indexed.tree.leaf_nodes]
    by_rank = [SENTENCES[unit] for unit in np.argsort(-leaf_scores)]
    for limit in range(1, 20):
        passages = select([indexed], [scores], max_words=1000, selection=Selection(leaf_top_k=0, node_words=limit))
        of_root = [passage.text for passage in passages if passage.group == 0]
        n_fitting = max(n for n in range(1, 7) if n == 1 or sum(len(t.split()) for t in by_rank[:n]) <= limit)
        assert sorted(of_root) == sorted(by_rank[:n_fitting])
        assert len(passages) == len(SENTENCES)


def test_words_of_unspaced_scripts_are_counted_by_their_characters() -> None:
    indexed = make_indexed([["我们测量了温度。", "他们没有回答。", "结果见表。"]])
    scores = np.array([3, 2, 1, 0, 9], dtype=np.float32)  # the root before all
    passages = select([indexed], [scores], max_words=1000, selection=Selection(leaf_top_k=0, node_words=10))
    assert [passage.group for passage in passages] == [0, 0, 1]


def test_nodes_of_more_than_a_share_of_their_document_are_passed_over() -> None:
    long, short = make_indexed([SENTENCES[:2], SENTENCES[2:5], SENTENCES[5:]]), make_indexed([SENTENCES[:2]])
    sizes = [np.diff(one.tree.ranges, axis=1)[:, 0] for one in (long, short)]
    largest_first = [of_one.astype(np.float32) for of_one in sizes]
    passages = select([long, short], largest_first, max_words=1000, selection=Selection(max_share=0.5))
    groups: dict[int, list[str]] = {}
    for passage in passages:
        groups.setdefault(passage.group, []).append(passage.text)
    assert list(groups.values())[:2] == [SENTENCES[2:5], SENTENCES[:2]]  # of six; the root comes not first
    assert [[text] for text in SENTENCES[:2]] == list(groups.values())[-2:]  # of two, one by one


def test_subtrees_are_taken_whole_up_to_so_many_leaves() -> None:
    indexed = make_indexed([SENTENCES[:2], SENTENCES[2:5], SENTENCES[5:]])
    by_size = -np.diff(indexed.tree.ranges, axis=1)[:, 0].astype(np.float32)  # leaves first, unless told otherwise
    largest_first = select([indexed], [-by_size], max_words=1000, selection=Selection(leaf_top_k=0, max_leaves=3))
    assert [passage.text for passage in largest_first][:3] == SENTENCES[2:5]
    assert len({passage.group for passage in largest_first[:3]}) == 1
    assert sorted(passage.text for passage in largest_first) == sorted(SENTENCES)


def test_a_document_of_several_gives_at_most_so_many_passages() -> None:
    one, other = make_indexed([SENTENCES[:4]]), make_indexed([SENTENCES[4:]])
    scores = [np.arange(one.n_nodes) + 9.0, np.arange(other.n_nodes) + 0.0]
    passages = select([one, other], scores, max_words=1000, selection=Selection(max_per_document=2))
    assert [passage.document for passage in passages] == [one.document.id] * 2 + [other.document.id] * 2


def test_a_budget_of_characters_counts_those_of_scripts_without_spaces() -> None:
    indexed = make_indexed([["山水在东方，日月在天上。", "天下有 BERT 模型。"]])
    scores = [np.ones(indexed.n_nodes)]
    by_character = select([indexed], scores, max_words=4, selection=Selection(expand=False, count_characters=True))
    assert [passage.text for passage in by_character] == ["山水在东"]
    by_word = select([indexed], scores, max_words=2, selection=Selection(expand=False))
    assert [passage.text for passage in by_word] == ["山水在东方，日月在天上。", "天下有"]
