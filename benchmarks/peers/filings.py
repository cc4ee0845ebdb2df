"""Pages of filings that other libraries retrieve, from the PDF as they read it.

    python benchmarks/peers/filings.py paper_qa|llama_index TREATISE_DATA/financebench OUT.jsonl [--only PART,PART]

Writes a line of the form of ``benchmarks/filings.py --out`` for every question, and prints the shares of questions
with a gold page. Passages are cut at the budget of words; a chunk over several pages counts for all of them.
``paper_qa``: its reader (``paper-qa-pypdf``), chunks and number of chunks by default. ``llama_index``: a document per
page as its ``PDFReader`` makes them, ``SentenceSplitter`` by default; more chunks than by default (10, not 2), to fill
the budget. Both with the encoder of Treatise.
"""

import argparse
import asyncio
import gzip
import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

BUDGETS = (300, 600, 1_000)
Found = Sequence[tuple[list[int], str]]
Search = Callable[[str], Found]


def paper_qa(path: Path) -> Search:
    from paper_qa import SETTINGS, Embedding
    from paperqa import Docs

    docs, embedding, loop = Docs(), Embedding(), asyncio.new_event_loop()
    added = docs.aadd(path, citation="filing", docname="filing", settings=SETTINGS, embedding_model=embedding)
    loop.run_until_complete(added)

    def search(question: str) -> Found:
        retrieved = docs.retrieve_texts(question, SETTINGS.answer.evidence_k, SETTINGS, embedding)
        return [(_numbers(one.name), one.text) for one in loop.run_until_complete(retrieved)]

    return search


def _numbers(name: str) -> list[int]:
    """The pages in a name such as ``filing pages 3-4``."""
    edges = [int(number) for number in re.findall(r"\d+", name.rpartition("pages")[2])]
    return list(range(edges[0], edges[-1] + 1)) if edges else []


def llama_index(path: Path) -> Search:
    import pypdf
    from llama_index.core import Document, VectorStoreIndex
    from llama_index_auto_merging import Embedding

    pages = enumerate(pypdf.PdfReader(path).pages, 1)
    documents = [Document(text=page.extract_text(), metadata={"page_label": number}) for number, page in pages]
    retriever = VectorStoreIndex.from_documents(documents, embed_model=Embedding()).as_retriever(similarity_top_k=10)

    def search(question: str) -> Found:
        return [([one.node.metadata["page_label"]], one.node.get_content()) for one in retriever.retrieve(question)]

    return search


def pages_within(found: Found, budget: int) -> list[int]:
    pages: dict[int, None] = {}
    for numbers, text in found:
        if budget <= 0:
            break
        pages |= dict.fromkeys(numbers)
        budget -= len(text.split())
    return list(pages)


def main(peer: str, folder: Path, out: Path, only: str) -> None:
    index = {"paper_qa": paper_qa, "llama_index": llama_index}[peer]
    rows: list[dict[str, object]] = []
    with out.open("w", encoding="utf-8") as file:
        for name, questions in _questions(folder, only.split(",")).items():
            started = time.process_time()
            search = index(folder / "pdfs" / f"{name}.pdf")
            index_s = time.process_time() - started
            for question in questions:
                found = search(str(question["question"]))
                of = {budget: pages_within(found, budget) for budget in BUDGETS}
                row = {"id": question["id"], "document": name, "gold": question["pages"], "found": of, "cpu_s": index_s}
                rows.append(row)
                file.write(json.dumps(row) + "\n")
                file.flush()
    print(json.dumps({"n": len(rows), **{budget: _share(rows, budget) for budget in BUDGETS}}))


def _questions(folder: Path, parts: Iterable[str]) -> dict[str, list[dict[str, object]]]:
    found = defaultdict(list)
    with gzip.open(folder / "questions.jsonl.gz", "rt", encoding="utf-8") as lines:
        for question in map(json.loads, lines):
            if any(part in question["document"] for part in parts):
                found[question["document"]].append(question)
    return dict(sorted(found.items()))


def _share(rows: Sequence[dict[str, object]], budget: int) -> float:
    return round(100 * sum(bool(set(row["gold"]) & set(row["found"][budget])) for row in rows) / len(rows), 1)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("peer", choices=["paper_qa", "llama_index"])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--only", default="")
    main(**vars(arguments.parse_args()))
