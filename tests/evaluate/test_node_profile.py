"""The statistics of DISRetrieval's tables 6 and 7, over a data set."""

import json
from pathlib import Path

import pytest

from tests.evaluate.specs import make_spec
from treatise.core.errors import DataError
from treatise.evaluate.run.node_profile import profile_nodes
from treatise.recipes import BALANCED, FLAT_SENTENCE, RANDOM
from treatise.testing import HashingEncoder


def write(path: Path, n_questions: int) -> Path:
    row = {"question": "What does the pot hold?", "options": ["salt", "tea"], "gold_label": 2}
    article = "\n\n".join(f"The pot of room {i} holds tea. It is hot. Room {i} is cold." for i in range(6))
    path.write_text(json.dumps({"article_id": "a", "article": article, "questions": [row] * n_questions}))
    return path


def test_a_flat_recipe_finds_leaves_alone_and_trees_do_not(tmp_path: Path) -> None:
    data, recipes = write(tmp_path / "a.json", 2), [FLAT_SENTENCE, BALANCED, RANDOM]
    spec = make_spec("quality", data, recipes, (), tmp_path, encoder=HashingEncoder(16))
    flat, balanced, shuffled = (row.profile for row in profile_nodes(spec, top_k=12))
    assert (flat.inner_share, flat.depth, flat.leaves_per_node) == (0, 0, 0)
    assert balanced.n_questions == 2
    assert 0 < balanced.inner_share < 1
    assert balanced.depth >= 2
    assert sum(balanced.relations_all.values()) == pytest.approx(1)
    assert shuffled.sentence_words == balanced.sentence_words > 3
    assert sum(balanced.depths.values()) == pytest.approx(1)
    assert sum(depth * share for depth, share in balanced.depths.items()) == pytest.approx(balanced.depth)
    assert list(balanced.depths) == sorted(balanced.depths)
    assert balanced.sentence_lengths == {"0-4": pytest.approx(2 / 3), "5-9": pytest.approx(1 / 3)}
    assert flat.depths == {}


def test_a_file_without_questions_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a\.json: expected questions"):
        profile_nodes(
            make_spec("quality", write(tmp_path / "a.json", 0), [BALANCED], (), tmp_path, encoder=HashingEncoder(16))
        )
