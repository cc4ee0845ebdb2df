"""paper-qa: chunks of 5,000 characters, 10 of them by maximal marginal relevance.

    python benchmarks/peers/paper_qa.py CORPUS OUT.jsonl

Needs ``paper-qa``. Chunk size, overlap and ``evidence_k`` are its defaults. Its next step, in which a language model
summarises and rates each chunk, is left out: what is measured is what its model would read.
"""

import asyncio
import tempfile
from pathlib import Path

from paperqa import Docs, Settings
from paperqa.llms import EmbeddingModel
from peer import Search, encode, run

SETTINGS = Settings()
SETTINGS.parsing.use_doc_details = False
SETTINGS.parsing.multimodal = False


class Embedding(EmbeddingModel):
    name: str = "treatise-en"

    async def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return encode(texts)


def index(text: str) -> Search:
    docs, embedding = Docs(), Embedding()

    async def add() -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "document.txt"
            path.write_text(text, encoding="utf-8")
            await docs.aadd(path, citation="document", docname="document", settings=SETTINGS, embedding_model=embedding)

    async def retrieve(question: str) -> list[str]:
        found = await docs.retrieve_texts(
            question, k=SETTINGS.answer.evidence_k, settings=SETTINGS, embedding_model=embedding
        )
        return [one.text for one in found]

    asyncio.run(add())
    return lambda question: asyncio.run(retrieve(question))


if __name__ == "__main__":
    run(index)
