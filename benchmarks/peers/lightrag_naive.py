"""LightRAG without its graph: chunks of 1,200 tokens, the 20 nearest (mode ``naive``).

    python benchmarks/peers/lightrag_naive.py CORPUS OUT.jsonl

Needs ``lightrag-hku``. Chunk size, overlap and number of chunks are its defaults. Its graph of entities is what a
language model extracts from every chunk; here no model is asked, so the graph is empty and its modes ``local``,
``global``, ``hybrid`` and ``mix`` are not measured. Its tokenizer is downloaded when it is first used, so tokens are
four characters.
"""

import asyncio
import re
import tempfile

import numpy as np
from lightrag import LightRAG, QueryParam
from lightrag.utils import EmbeddingFunc, Tokenizer
from peer import Search, encode, run

PIECE = re.compile(r"\s*\S{1,4}|\s+")
LOOP = asyncio.new_event_loop()
"""LightRAG's objects of one process must share a loop."""


class Pieces:
    """Tokens of up to four characters, which can be joined again to the letter."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._pieces: list[str] = []

    def encode(self, content: str) -> list[int]:
        return [self._number(piece) for piece in PIECE.findall(content)]

    def decode(self, tokens: list[int]) -> str:
        return "".join(self._pieces[number] for number in tokens)

    def _number(self, piece: str) -> int:
        if piece not in self._numbers:
            self._numbers[piece] = len(self._pieces)
            self._pieces.append(piece)
        return self._numbers[piece]


async def embed(texts: list[str], **_: object) -> np.ndarray:
    return np.array(encode(texts), dtype=np.float32)


async def no_entities(*_: object, **__: object) -> str:
    return "<|COMPLETE|>"


def index(text: str) -> Search:
    folder = tempfile.TemporaryDirectory()
    dim = len(encode(["a"])[0])
    rag = LightRAG(
        working_dir=folder.name,
        tokenizer=Tokenizer("four characters", Pieces()),
        embedding_func=EmbeddingFunc(embedding_dim=dim, func=embed),
        llm_model_func=no_entities,
    )

    async def add() -> None:
        await rag.initialize_storages()
        await rag.ainsert(text)

    async def retrieve(question: str) -> list[str]:
        found = await rag.aquery_data(question, QueryParam(mode="naive", enable_rerank=False))
        return [one["content"] for one in found["data"]["chunks"]]

    LOOP.run_until_complete(add())

    def search(question: str, _keep: object = folder) -> list[str]:
        return LOOP.run_until_complete(retrieve(question))

    return search


if __name__ == "__main__":
    run(index)
