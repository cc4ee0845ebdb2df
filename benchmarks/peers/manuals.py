"""Pages of manuals that other libraries retrieve for known-item questions.

    python benchmarks/peers/manuals.py llama_index|haystack FOLDER OUT.jsonl [--manual git] [--chunks 10]

FOLDER comes from ``benchmarks/manuals_data.py``. A document is a page as Treatise reads it (of a PDF: the text between
two page breaks), with its title as metadata. Both libraries have our encoder, search by vectors and by BM25, and join
the two rankings by reciprocal rank. Pages are ranked by their best chunk among ``--chunks``; no budget of words cuts
them. ``llama_index``: ``SentenceSplitter`` by default (1,024 tokens, 20 shared). ``haystack``: ``DocumentSplitter`` by
default (200 words). Writes a line per question, which ``known_items.py --peer OUT.jsonl`` compares.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from treatise.compose import open_encoder, open_library

QUESTIONS: Final = Path(__file__).parents[1] / "manuals"

Page = tuple[str, str, str]
"""Name, title and text."""

Search = Callable[[str], Sequence[str]]
"""Maps a question to the names of pages, those of the best chunk first."""


def llama_index(pages: Sequence[Page], n_chunks: int) -> Search:
    from llama_index.core import Document, VectorStoreIndex
    from llama_index.core.llms import MockLLM
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.core.retrievers import QueryFusionRetriever
    from llama_index.retrievers.bm25 import BM25Retriever
    from llama_index_auto_merging import Embedding

    class Asking(Embedding):
        def _get_query_embedding(self, query: str) -> list[float]:
            return encode_question(query)

    documents = [Document(text=text, metadata={"title": title, "name": name}) for name, title, text in pages]
    for one in documents:
        one.excluded_embed_metadata_keys = ["name"]
    nodes = SentenceSplitter().get_nodes_from_documents(documents)
    dense = VectorStoreIndex(nodes, embed_model=Asking()).as_retriever(similarity_top_k=n_chunks)
    words = BM25Retriever.from_defaults(nodes=nodes, similarity_top_k=n_chunks)
    fusion = QueryFusionRetriever(
        [dense, words], llm=MockLLM(), num_queries=1, mode="reciprocal_rerank", similarity_top_k=n_chunks
    )
    return lambda question: [found.node.metadata["name"] for found in fusion.retrieve(question)]


def haystack(pages: Sequence[Page], n_chunks: int) -> Search:
    from haystack import Document
    from haystack.components.joiners import DocumentJoiner
    from haystack.components.preprocessors import DocumentSplitter
    from haystack.components.retrievers.in_memory import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    from peer import encode

    documents = [Document(content=text, meta={"title": title, "name": name}) for name, title, text in pages if text]
    chunks = DocumentSplitter(split_by="word").run(documents)["documents"]
    vectors = encode([f"{one.meta['title']}\n{one.content}" for one in chunks])
    store = InMemoryDocumentStore(embedding_similarity_function="cosine")
    store.write_documents(
        [
            Document(id=one.id, content=one.content, meta=one.meta, embedding=vector)
            for one, vector in zip(chunks, vectors, strict=True)
        ]
    )
    dense = InMemoryEmbeddingRetriever(store, top_k=n_chunks)
    words = InMemoryBM25Retriever(store, top_k=n_chunks)
    joiner = DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=n_chunks)

    def search(question: str) -> list[str]:
        found = [words.run(query=question), dense.run(query_embedding=encode_question(question))]
        joined = joiner.run(documents=[one["documents"] for one in found])["documents"]
        return [one.meta["name"] for one in joined]

    return search


def encode_question(question: str) -> list[float]:
    return [float(value) for value in open_encoder().encode_questions([question])[0]]


def pages_of(library: Path) -> Iterator[Page]:
    with open_library(store=library) as opened:
        for entry in opened.documents():
            document = opened.document(entry.id)
            title = document.title or ""
            if not document.page_starts:
                yield Path(document.source).stem, title, document.text
            bounds = [*document.page_starts, len(document.text)]
            for number, (start, end) in enumerate(pairwise(bounds), 1):
                yield str(number), title, document.text[start:end]


def main(peer: str, folder: Path, out: Path, manuals: Sequence[str], n_chunks: int) -> None:
    index = {"llama_index": llama_index, "haystack": haystack}[peer]
    with out.open("a", encoding="utf-8") as file:
        for manual in manuals:
            search = index(list(pages_of(folder / f"{manual}.db")), n_chunks)
            for half in ("dev", "held"):
                for line in (QUESTIONS / f"{half}.jsonl").read_text().splitlines():
                    if (asked := json.loads(line))["manual"] == manual:
                        found = [*dict.fromkeys(search(asked["question"]))]
                        row = {"manual": manual, "half": half, "question": asked["question"], "found": found}
                        file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=["llama_index", "haystack"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--manual", action="append", default=[])
    parser.add_argument("--chunks", type=int, default=10)
    given = parser.parse_args()
    main(given.peer, given.folder, given.out, given.manual or ["git", "handbook", "reference"], given.chunks)
