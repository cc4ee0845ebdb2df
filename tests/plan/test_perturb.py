"""PerturbationKind done on purpose: seeded, partial, and still a valid structure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plan.chunks import NS, SN, make_chunk, make_tree
from treatise.core.errors import RecipeError
from treatise.core.graph import Edge, Link, RhetoricalGraph
from treatise.core.plan import Part, Plan, Role, Step, Structure
from treatise.core.recipe import Perturbation, PerturbationKind
from treatise.plan import perturb

CHUNK = make_chunk("One is.", "Two is.", "Three is.", "Four is.")
TREE = make_tree(CHUNK, (0, 2, 4, NS, "elaboration"), (0, 1, 2, SN, "condition"), (2, 3, 4, NS, "cause"))
EDGES = (Edge(0, 1, Link.SUPPORTS), Edge(1, 0, Link.CONTRADICTS), Edge(1, 2, Link.CAUSES), Edge(2, 0, Link.PRECEDES))
PLAN = Plan("First. Second. Third.", tuple(Step(role, (Part(0, CHUNK.sentences[0]),)) for role in list(Role)[:3]))
WHOLE = Structure((TREE, None), RhetoricalGraph(3, EDGES), PLAN)


def _harmed(harm: PerturbationKind, share: float = 0.5, seed: int = 0, structure: Structure = WHOLE) -> Structure:
    return perturb(structure, [Perturbation(harm, share, seed)], "Why?")


@given(st.sampled_from(list(PerturbationKind)), st.floats(0.01, 1), st.integers(0, 5))
def test_any_harm_leaves_a_valid_structure_and_equal_seeds_give_equal_harm(
    harm: PerturbationKind, share: float, seed: int
) -> None:
    once, again = _harmed(harm, share, seed), _harmed(harm, share, seed)
    assert once == again
    assert len(once.trees) == 2


def test_relations_change_places() -> None:
    (tree, none) = _harmed(PerturbationKind.SHUFFLED_RELATIONS, 1.0, seed=1).trees
    assert tree is not None
    assert none is None
    relations = [join.relation for *_, join in tree.tree.joins()]
    assert relations != [join.relation for *_, join in TREE.tree.joins()]
    assert sorted(relations) == ["cause", "condition", "elaboration"]


def test_nuclei_are_flipped() -> None:
    (tree, _) = _harmed(PerturbationKind.FLIPPED_NUCLEI, 1.0).trees
    assert tree is not None
    assert [join.nuclearity for *_, join in tree.tree.joins()] == [NS, SN, SN]


def test_a_part_of_a_tree_loses_its_relation() -> None:
    (tree, _) = _harmed(PerturbationKind.REMOVED_SUBTREES, 0.3).trees
    assert tree is not None
    assert len(list(tree.tree.joins())) == 2
    assert tree.tree.n_units == 4


def test_edges_are_removed_flipped_and_replaced() -> None:
    removed, flipped, replaced = (
        _harmed(harm).graph
        for harm in (PerturbationKind.REMOVED_EDGES, PerturbationKind.FLIPPED_EDGES, PerturbationKind.REPLACED_LINKS)
    )
    assert removed is not None
    assert flipped is not None
    assert replaced is not None
    assert len(removed.edges) == 2
    assert set(flipped.edges) != set(EDGES)
    differing = [a.link != b.link for a, b in zip(EDGES, replaced.edges, strict=True)]
    assert sum(differing) == 2


def test_steps_are_shuffled_and_dropped_in_words_and_structure_alike() -> None:
    shuffled, dropped = _harmed(PerturbationKind.SHUFFLED_STEPS).plan, _harmed(PerturbationKind.DROPPED_STEPS).plan
    assert shuffled is not None
    assert dropped is not None
    assert shuffled.text != PLAN.text
    assert sorted(shuffled.text.split()) == sorted(PLAN.text.split())
    assert [step.role for step in shuffled.steps] != [step.role for step in PLAN.steps]
    assert len(dropped.steps) == len(dropped.text.split()) == 1


def test_nothing_is_harmed_where_there_is_nothing() -> None:
    for harm in PerturbationKind:
        assert _harmed(harm, structure=Structure()) == Structure()


@pytest.mark.parametrize("share", [0, -0.1, 1.1])
def test_a_share_is_above_0_and_at_most_1(share: float) -> None:
    with pytest.raises(RecipeError, match="share"):
        Perturbation(PerturbationKind.REMOVED_EDGES, share)
