"""Disco-RAG's cost relative to standard RAG: tokens of all calls per question, by number of chunks (table 8).

    python benchmarks/disco_cost.py --data qasper-dev.jsonl.gz --questions 20

Real chunks, retrieved for real questions over all papers; a scripted model with replies of realistic length: a line for
every ordered pair in the listwise form, ``--related`` lines per chunk in the sparse one, plans of 80 words, answers of
120. Tokens are counted by the encoder's tokenizer. Parsing trees during indexing is not counted, as in the paper; their
tokens in prompts are.
"""

import argparse
import json
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from treatise.compose import open_chunk_parser, open_encoder
from treatise.core.indexed import IndexedDocument
from treatise.core.ports import ChunkParser, Encoder, Message, Reply, TokenCounter
from treatise.core.recipe import PlanBy, Recipe, TreesBy
from treatise.core.usage import Stage
from treatise.evaluate.data.registry import dataset_named
from treatise.llm.cache import MemoryCache
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_documents
from treatise.pipeline.system import System
from treatise.plan import CachedChunkParser, all_pairs
from treatise.recipes import DISCO_RAG, DISCO_RAG_LOCAL, DISCO_RAG_PLANNED, DISCO_RAG_SPARSE, STANDARD_RAG, with_chunks
from treatise.store import SqliteStore

FULL = replace(DISCO_RAG, name="DISCO_RAG", planning=replace(DISCO_RAG.planning, trees=TreesBy.PARSER))
SPARSE_PLANNED = replace(
    DISCO_RAG_SPARSE,
    name="DISCO_RAG_SPARSE_PLANNED",
    planning=replace(DISCO_RAG_SPARSE.planning, plan=PlanBy.LLM),
)
RECIPES = (STANDARD_RAG, FULL, SPARSE_PLANNED, DISCO_RAG_SPARSE, DISCO_RAG_PLANNED, DISCO_RAG_LOCAL)
PLAN = " ".join(["plan"] * 80)
ANSWER = " ".join(["The passages say so, under the condition that they name. [1]"] * 12)


@dataclass(frozen=True)
class Cost:
    """Means over questions: tokens of all calls, of the graph reply, and of structure in the answer prompt."""

    tokens: float
    graph: float
    structure: float
    seconds: float


class MeteredModel:
    """A scripted model whose tokens are counted by a real tokenizer."""

    name = "metered"
    context_tokens = 0

    def __init__(self, counter: TokenCounter, related: float) -> None:
        self._counter = counter
        self._related = related
        self.graph_tokens = 0

    def chat(
        self,
        conversations: Sequence[Sequence[Message]],
        *,
        max_tokens: int,  # noqa: ARG002
        schema: dict[str, object] | None = None,  # noqa: ARG002
    ) -> Iterator[tuple[int, Reply | Exception]]:
        for index, messages in enumerate(conversations):
            text = self._said(messages)
            prompt, completion = self._counter.n_tokens(["\n".join(m.content for m in messages), text])
            if text.startswith('{"pairs"'):
                self.graph_tokens = completion
            yield index, Reply(text, prompt, completion)

    def _said(self, messages: Sequence[Message]) -> str:
        system = messages[0].content
        n = len(re.findall(r"^(?:<passage number|\[\d+\] )", messages[1].content, re.MULTILINE))
        if "You plan an answer" in system:
            return json.dumps({"plan": PLAN})
        if "what passages do for each other" not in system:
            return ANSWER
        pairs = all_pairs(n)
        if "leave all other pairs out" in system:
            lines = [f"{i + 1} ELABORATES {j + 1}" for i, j in pairs[:: max(1, (n - 1) // 2)]]
            return json.dumps({"pairs": lines[: round(self._related * n)]})
        return json.dumps(
            {"pairs": [f"{i + 1} {'UNRELATED' if (i + j) % 5 else 'ELABORATES'} {j + 1}" for i, j in pairs]}
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--dataset", default="qasper")
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--documents", type=int, default=8)
    arguments.add_argument("--questions", type=int, default=20)
    arguments.add_argument("--related", type=float, default=2.0, help="related pairs a chunk")
    arguments.add_argument("--top-k", default="10,20,30,50")
    arguments.add_argument(
        "--recipes", default=",".join(recipe.slug for recipe in RECIPES), help="the first is standard"
    )
    given = arguments.parse_args()
    recipes = [recipe for recipe in RECIPES if recipe.slug in given.recipes.split(",")]
    labelled = list(islice(dataset_named(given.dataset).load(given.data), given.documents))
    questions = [question.text for one in labelled for question in one.questions][: given.questions]
    encoder = open_encoder()
    documents = [document for one in labelled for document in one.documents]
    indexed = index_documents(documents, STANDARD_RAG.indexing, encoder=encoder)
    print(f"{len(documents)} documents, {sum(len(one.units) for one in indexed)} chunks, {len(questions)} questions")
    print("| top-k | recipe | tokens | times standard | of the graph's reply | of structure in the prompt | seconds |")
    print("|--:|---|--:|--:|--:|--:|--:|")
    parser = CachedChunkParser(open_chunk_parser(), MemoryCache())
    for top_k in map(int, given.top_k.split(",")):
        costs = [
            _cost(with_chunks(recipe, top_k=top_k), questions, indexed, encoder, parser, given.related)
            for recipe in recipes
        ]
        for recipe, cost in zip(recipes, costs, strict=True):
            print(
                f"| {top_k} | {recipe.slug} | {cost.tokens:,.0f} | {cost.tokens / costs[0].tokens:.2f} "
                f"| {cost.graph:,.0f} | {cost.structure:,.0f} | {cost.seconds:.2f} |",
                flush=True,
            )


def _cost(
    recipe: Recipe,
    questions: Sequence[str],
    indexed: Sequence[IndexedDocument],
    encoder: Encoder,
    parser: ChunkParser,
    related: float,
) -> Cost:
    """Means over the questions; calls are not reused between questions."""
    costs = []
    for question in questions:
        model = MeteredModel(encoder, related)
        with TemporaryDirectory() as folder, closing(SqliteStore(Path(folder) / "store.db")) as store:
            system = System(recipe, Engines(encoder, model=model, chunk_parser=parser), cache=store)
            started = time.monotonic()
            usage = system.answer(question, indexed, fallback=False).usage
            seconds = time.monotonic() - started - usage.seconds(Stage.TREES)
        structure = sum(usage.structure_tokens.values())
        total = usage.total_model
        costs.append((total.prompt_tokens + total.completion_tokens, model.graph_tokens, structure, seconds))
    return Cost(*map(statistics.mean, zip(*costs, strict=True)))


if __name__ == "__main__":
    main()
