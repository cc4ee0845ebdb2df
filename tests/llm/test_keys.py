"""Keys of finished calls in users' stores: the same request keeps its key, or it is paid for again."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from tests.plan.chunks import make_chunk
from treatise.core.graph import Chunk
from treatise.core.note import Note, Origin, note_key
from treatise.core.plan import Structure
from treatise.core.recipe import Format, GraphBy, Notes, Summaries
from treatise.enhance import ClusterRequest, NoteRequest, Themes, write_cluster_notes, write_notes
from treatise.llm.cache import MemoryCache
from treatise.llm.runner import LlmRunner
from treatise.plan import CachedChunkParser, CachedRelator, ModelChunkParser, ModelPlanner, ModelRelator
from treatise.plan.planners import plan_before_retrieval
from treatise.testing import ScriptedModel
from treatise.tree import balanced, bisection

TEXTS = ["The bridge was built in 1902.", "It was closed for repairs.", "People crossed by boat.", "It opened again."]
CHUNKS: Sequence[Chunk] = [make_chunk(*TEXTS[:2]), make_chunk(*TEXTS[2:])]
WORDS = [one.text for one in CHUNKS]


class _Halves:
    name = "halves"

    def starts(self, texts: Sequence[str], vectors: object, n_sections: int, language: str = "en") -> list[int]:
        return [0]


def notes(recipe: Notes) -> Callable[[LlmRunner], object]:
    return lambda runner: write_notes([NoteRequest(bisection(2), TEXTS[:2])], recipe, runner)


def batch(runner: LlmRunner) -> object:
    recipe = Notes(Summaries.LLM, max_words=20, batch_words=60)
    return write_notes([NoteRequest(balanced([2, 2]), TEXTS)], recipe, runner)


def cluster(runner: LlmRunner) -> object:
    members = [Note(text, Origin.LEAF, (i,), note_key(Origin.LEAF, text)) for i, text in enumerate(TEXTS[:2])]
    return write_cluster_notes([ClusterRequest(members, (0, 1), (0, 1))], TEXTS, Notes(max_words=20), runner)


def themes(runner: LlmRunner) -> object:
    sectioner = Themes(runner, fallback=_Halves())
    return sectioner.starts(TEXTS, np.zeros((4, 1), dtype=np.float32), 2)


KINDS: dict[str, tuple[Callable[[LlmRunner], object], str]] = {
    "join": (notes(Notes(Summaries.LLM, max_words=20)), "789d2e0d8b6370e1"),
    "rewrite": (notes(Notes(Summaries.HYBRID, max_words=20, rewrite_words=1)), "17bab155bd89793c"),
    "batch": (batch, "201f277c74a13a56"),
    "cluster": (cluster, "d332e255e5d76ec4"),
    "themes": (themes, "668b30c0b4a925d6"),
    "tree": (lambda runner: ModelChunkParser(runner).parse_chunks(CHUNKS[:1]), "e97342f5cccfb95c"),
    "listwise": (lambda runner: ModelRelator(runner, GraphBy.LISTWISE).relate(WORDS), "96f8c4a6fcfc226f"),
    "sparse": (lambda runner: ModelRelator(runner, GraphBy.SPARSE).relate(WORDS), "d44f92700f4c5a6d"),
    "markers": (lambda runner: ModelRelator(runner, GraphBy.MARKERS).relate(WORDS), "4e8a77dbd18362d3"),
    "plan": (lambda runner: ModelPlanner(runner, Format.FULL_1).plan("When?", CHUNKS, Structure()), "90205682837914e7"),
    "plan of digests": (
        lambda runner: ModelPlanner(runner, Format.COMPACT_1, digest_words=5).plan("When?", CHUNKS, Structure()),
        "60604b078e111ec1",
    ),
    "queries": (lambda runner: plan_before_retrieval("When was it built?", runner), "a4a3c562a3542e7e"),
}


class _Recording(MemoryCache):
    """Remembers which keys were looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[str] = []

    def finished(self, keys: Sequence[str]) -> dict:
        self.keys += keys
        return super().finished(keys)


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_keeps_the_key_that_users_stores_hold(kind: str) -> None:
    make, key = KINDS[kind]
    cache = _Recording()
    make(LlmRunner(ScriptedModel(lambda _: "?"), cache=cache))
    assert cache.keys[0] == key


def test_trees_and_edges_keep_their_keys() -> None:
    runner, cache = LlmRunner(ScriptedModel(lambda _: "?")), _Recording()
    CachedChunkParser(ModelChunkParser(runner), cache).parse_chunks(CHUNKS[:1])
    CachedRelator(ModelRelator(runner, GraphBy.LISTWISE), cache).relate(WORDS)
    assert cache.keys == ["ea3af916e721f1be", "3a15ad9dc40e01ad", "8952ee0da1e1fdab"]
