"""Compares indexes for the first stage over a library: of vectors, and of words.

    python benchmarks/corpora_indexes.py vectors LARGE.db QUESTIONS.jsonl[.gz] --rows 100000
    python benchmarks/corpora_indexes.py words LIBRARY.db QUESTIONS.jsonl[.gz]

Ours is compared with faiss-cpu, usearch, bm25s and tantivy, as far as they are installed, and with SQLite FTS5, on the
leaves of a library made by ``corpora_data.py``. Times are processor milliseconds on one thread; recall@100 is against
exact cosines of the same vectors, and for words against our BM25.
"""

import json
import sqlite3
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.metadata import distribution
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from treatise.compose import open_library
from treatise.evaluate.data.loaders.qasper import load_qasper
from treatise.retrieve.corpus import Corpus
from treatise.retrieve.lexical import terms
from treatise.retrieve.row_words import RowWords
from treatise.retrieve.rows import Rows
from treatise.retrieve.segments import merge, segment_of

N_BEST = 100
Search = Callable[[Any], Iterable[int]]


def seconds(act: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    result = act()
    return result, time.process_time() - started


def report(name: str, build_s: float, search: Search, queries: list[Any], exact: list[set[int]], n_bytes: int) -> None:
    found, times = [], []
    for query in queries:
        result, took = seconds(lambda query=query: set(map(int, search(query))))
        found.append(result)
        times.append(1e3 * took)
    recall = np.mean([len(one & best) / max(1, len(best)) for one, best in zip(found, exact, strict=True)])
    row = {"index": name, "build_s": build_s, "ms": median(times), "max_ms": max(times), "recall": float(recall)}
    shown = {key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()}
    print(json.dumps({**shown, "mb": round(n_bytes / 1e6, 1)}), flush=True)


def questions_of(path: Path, n: int) -> list[str]:
    texts = [question.text for one in load_qasper(path) for question in one.questions]
    return [texts[int(i)] for i in np.random.default_rng(0).permutation(len(texts))[:n]]


def loaded(path: Path, n_rows: int):
    """Documents of the library with at least this many leaves together, and the library."""
    library = open_library(store=path)
    documents, n = [], 0
    for id_ in library.store.sizes(library.system.index_key):
        documents.append(library.store.get(id_, library.system.index_key))
        n += len(documents[-1].units)
        if n >= n_rows:
            break
    return library, documents


def vectors(path: Path, questions: Path, n_rows: int) -> None:
    library, documents = loaded(path, n_rows)
    asked = library.system.engines.encoder.encode_questions(questions_of(questions, 50))
    rows = np.concatenate([one.vectors[one.tree.leaf_nodes] for one in documents]).astype(np.float32)
    print(json.dumps({"rows": len(rows), "questions": len(asked)}), flush=True)
    exact = [set(np.argpartition(-(rows @ query), N_BEST)[:N_BEST].tolist()) for query in asked]
    report(
        "numpy float32, exact", 0.0, lambda q: np.argpartition(-(rows @ q), N_BEST)[:N_BEST], asked, exact, rows.nbytes
    )
    segment, build_s = seconds(lambda: merge([segment_of(documents)], [np.ones(len(documents), dtype=bool)]))
    index = Rows([segment])

    def ours(query: np.ndarray) -> np.ndarray:
        near = index.near(query, None, len(index)).rows
        return near[np.argpartition(-index.cosines(near, query), N_BEST)[:N_BEST]]

    report("ours, codes then int8", build_s, ours, asked, exact, segment.vectors.nbytes + segment.codes.nbytes)
    with suppress(ImportError):
        of_faiss(rows, asked, exact)
    with suppress(ImportError):
        of_usearch(rows, asked, exact)


def of_faiss(rows: np.ndarray, asked: np.ndarray, exact: list[set[int]]) -> None:
    import faiss

    faiss.omp_set_num_threads(1)
    for recipe, probes in (("SQ8", 0), ("IVF1024,SQ8", 32), ("IVF1024,SQ8", 64), ("HNSW32,SQ8", 128)):
        index = faiss.index_factory(rows.shape[1], recipe, faiss.METRIC_INNER_PRODUCT)
        _, build_s = seconds(lambda index=index: (index.train(rows[:50_000]), index.add(rows)))
        if "IVF" in recipe:
            index.nprobe = probes
        if "HNSW" in recipe:
            index.hnsw.efSearch = probes
        size = len(faiss.serialize_index(index))
        search = lambda q, index=index: index.search(q[None], N_BEST)[1][0]  # noqa: E731
        report(f"faiss {recipe} {probes or ''}", build_s, search, asked, exact, size)
    report_size("faiss-cpu")


def of_usearch(rows: np.ndarray, asked: np.ndarray, exact: list[set[int]]) -> None:
    from usearch.index import Index

    index = Index(ndim=rows.shape[1], metric="cos", dtype="i8", expansion_search=128)
    _, build_s = seconds(lambda: index.add(np.arange(len(rows)), rows, threads=1))
    size = int(index.memory_usage)
    report("usearch HNSW i8 128", build_s, lambda q: index.search(q, N_BEST, threads=1).keys, asked, exact, size)
    report("usearch i8, exact", 0.0, lambda q: index.search(q, N_BEST, exact=True, threads=1).keys, asked, exact, size)
    report_size("usearch")


def report_size(name: str) -> None:
    files = distribution(name).files or []
    n_bytes = sum(Path(file.locate()).stat().st_size for file in files if Path(file.locate()).exists())
    print(json.dumps({"package": name, "installed_mb": round(n_bytes / 1e6, 1)}), flush=True)


def words(path: Path, questions: Path, n_rows: int) -> None:
    _, documents = loaded(path, n_rows)
    texts = [one.document.quote(unit.start, unit.end) for one in documents for unit in one.units]
    asked = questions_of(questions, 100)
    print(json.dumps({"rows": len(texts), "questions": len(asked)}), flush=True)
    corpus, build_s = seconds(lambda: Corpus([segment_of(documents)]))
    segment = corpus._segments[0]
    size = sum(getattr(segment, name).nbytes for name in ("terms", "term_starts", "rows", "counts", "lengths"))

    def ours(question: str) -> np.ndarray:
        found = RowWords.of(corpus._rows, question, corpus._whole, corpus._languages)
        rows = np.flatnonzero(found.scores)
        return rows[np.argsort(-found.scores[rows], kind="stable")[:N_BEST]]

    exact = [set(ours(question).tolist()) for question in asked]
    report("ours, postings of the library's lexicons", build_s, ours, asked, exact, size)
    tokens, took = seconds(lambda: [terms(text) for text in texts])
    print(json.dumps({"tokens of all texts, s": round(took, 2)}), flush=True)
    of_fts5(tokens, asked, exact)
    with suppress(ImportError):
        of_bm25s(tokens, asked, exact)
    with suppress(ImportError):
        of_tantivy(tokens, asked, exact)


def of_fts5(tokens: list[list[str]], asked: list[str], exact: list[set[int]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "fts.db"
        connection = sqlite3.connect(path)
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='', tokenize='unicode61')")
        rows = ((i, " ".join(one)) for i, one in enumerate(tokens))
        _, build_s = seconds(
            lambda: (connection.executemany("INSERT INTO t (rowid, text) VALUES (?, ?)", rows), connection.commit())
        )

        def search(question: str) -> list[int]:
            query = " OR ".join(f'"{term}"' for term in sorted(set(terms(question))))
            sql = f"SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT {N_BEST}"
            return [row for (row,) in connection.execute(sql, (query,))] if query else []

        report("SQLite FTS5", build_s, search, asked, exact, path.stat().st_size)


def of_bm25s(tokens: list[list[str]], asked: list[str], exact: list[set[int]]) -> None:
    import bm25s

    index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    _, build_s = seconds(lambda: index.index(tokens, show_progress=False))
    size = sum(array.nbytes for array in index.scores.values() if hasattr(array, "nbytes"))

    def search(question: str) -> np.ndarray:
        wanted = sorted(set(terms(question)))
        return index.retrieve([wanted], k=N_BEST, show_progress=False).documents[0] if wanted else np.zeros(0)

    report("bm25s", build_s, search, asked, exact, size)
    report_size("bm25s")


def of_tantivy(tokens: list[list[str]], asked: list[str], exact: list[set[int]]) -> None:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="whitespace")
    builder.add_unsigned_field("row", stored=True)
    schema = builder.build()
    with TemporaryDirectory() as folder:
        index = tantivy.Index(schema, path=folder)

        def build() -> None:
            writer = index.writer(num_threads=1)
            for row, one in enumerate(tokens):
                writer.add_document(tantivy.Document(text=[" ".join(one)], row=row))
            writer.commit()
            writer.wait_merging_threads()

        _, build_s = seconds(build)
        index.reload()
        searcher = index.searcher()

        def search(question: str) -> list[int]:
            parts = [tantivy.Query.term_query(schema, "text", term) for term in sorted(set(terms(question)))]
            query = tantivy.Query.boolean_query([(tantivy.Occur.Should, part) for part in parts])
            return [searcher.doc(at)["row"][0] for _, at in searcher.search(query, N_BEST).hits]

        size = sum(file.stat().st_size for file in Path(folder).iterdir())
        report("tantivy", build_s, search, asked, exact, size)
    report_size("tantivy")


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["vectors", "words"])
    parser.add_argument("library", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    given = parser.parse_args(sys.argv[1:])
    (vectors if given.what == "vectors" else words)(given.library, given.questions, given.rows)
