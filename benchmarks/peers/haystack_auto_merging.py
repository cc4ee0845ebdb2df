"""Haystack: searches leaves of 100 words; a parent replaces its leaves if half of them are found.

    python benchmarks/peers/haystack_auto_merging.py CORPUS OUT.jsonl

Needs ``haystack-ai``. It has no default block sizes; threshold and number of leaves are its defaults. Its merged blocks
come last and without a score; since contexts are cut, each takes the rank of its best leaf here.
"""

from dataclasses import replace

from haystack import Document
from haystack.components.preprocessors import HierarchicalDocumentSplitter
from haystack.components.retrievers import AutoMergingRetriever, InMemoryEmbeddingRetriever
from haystack.document_stores.in_memory import InMemoryDocumentStore
from peer import Search, encode, run

BLOCK_SIZES = {400, 200, 100}


def index(text: str) -> Search:
    blocks = HierarchicalDocumentSplitter(block_sizes=BLOCK_SIZES).run([Document(content=text)])["documents"]
    leaves = [block for block in blocks if not block.meta["__children_ids"]]
    vectors = encode([leaf.content for leaf in leaves])
    leaf_store, parent_store = InMemoryDocumentStore(), InMemoryDocumentStore()
    leaf_store.write_documents([replace(leaf, embedding=row) for leaf, row in zip(leaves, vectors, strict=True)])
    parent_store.write_documents([block for block in blocks if block.meta["__children_ids"]])
    retriever, merger = InMemoryEmbeddingRetriever(leaf_store), AutoMergingRetriever(parent_store)

    def search(question: str) -> list[str]:
        found = retriever.run(query_embedding=encode([question])[0])["documents"]
        merged = [block.content for block in merger.run(documents=found)["documents"]]
        return sorted(merged, key=lambda text: min(i for i, leaf in enumerate(found) if leaf.content in text))

    return search


if __name__ == "__main__":
    run(index)
