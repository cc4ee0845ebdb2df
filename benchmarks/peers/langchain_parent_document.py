"""LangChain: searches chunks of 400 characters and returns the enclosing chunks of 2,000.

    python benchmarks/peers/langchain_parent_document.py CORPUS OUT.jsonl

Needs ``langchain-classic``. Sizes are those of its documentation, the number of chunks is its default.
"""

from langchain_classic.retrievers import ParentDocumentRetriever
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.stores import InMemoryStore
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import RecursiveCharacterTextSplitter
from peer import Search, encode, run


class Shipped(Embeddings):
    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return encode(texts)

    def embed_query(self, text: str) -> list[float]:
        return encode([text])[0]


def index(text: str) -> Search:
    retriever = ParentDocumentRetriever(
        vectorstore=InMemoryVectorStore(Shipped()),
        docstore=InMemoryStore(),
        child_splitter=RecursiveCharacterTextSplitter(chunk_size=400),
        parent_splitter=RecursiveCharacterTextSplitter(chunk_size=2000),
    )
    retriever.add_documents([Document(text)])

    def search(question: str) -> list[str]:
        return [found.page_content for found in retriever.invoke(question)]

    return search


if __name__ == "__main__":
    run(index)
