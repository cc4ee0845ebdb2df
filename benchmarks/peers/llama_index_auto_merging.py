"""LlamaIndex: searches leaves of 128 tokens; a parent replaces its leaves if most of them are found.

    python benchmarks/peers/llama_index_auto_merging.py CORPUS OUT.jsonl

Needs ``llama-index-core``. Chunk sizes and threshold are its defaults, the number of leaves that of its documentation.
"""

from collections.abc import Sequence

from llama_index.core import Document, StorageContext, VectorStoreIndex
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.node_parser import HierarchicalNodeParser, get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.storage.docstore import SimpleDocumentStore
from peer import Search, encode, run

TOP_K = 6


class Embedding(BaseEmbedding):
    def _get_query_embedding(self, query: str) -> list[float]:
        return encode([query])[0]

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return encode([query])[0]

    def _get_text_embedding(self, text: str) -> list[float]:
        return encode([text])[0]

    def _get_text_embeddings(self, texts: Sequence[str]) -> list[list[float]]:
        return encode(texts)


def index(text: str) -> Search:
    nodes = HierarchicalNodeParser.from_defaults().get_nodes_from_documents([Document(text=text)])
    store = SimpleDocumentStore()
    store.add_documents(nodes)
    storage = StorageContext.from_defaults(docstore=store)
    leaves = VectorStoreIndex(get_leaf_nodes(nodes), storage_context=storage, embed_model=Embedding())
    retriever = AutoMergingRetriever(leaves.as_retriever(similarity_top_k=TOP_K), storage)

    def search(question: str) -> list[str]:
        return [found.node.get_content() for found in retriever.retrieve(question)]

    return search


if __name__ == "__main__":
    run(index)
