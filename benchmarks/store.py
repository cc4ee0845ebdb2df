"""Store speed: documents and nodes written per second, and the time to fetch an index.

    python benchmarks/store.py [--documents 200] [--paragraphs 50] [--path FILE]

A paragraph has six sentences, so 50 paragraphs make a paper of about 600 nodes; vectors are 384 wide.
"""

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from treatise.core.indexed import IndexedDocument
from treatise.store import SqliteStore
from treatise.testing import sample_indexed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--paragraphs", type=int, default=50)
    parser.add_argument("--path", type=Path, help="default: a temporary folder")
    options = parser.parse_args()
    samples = [
        sample_indexed(seed, n_paragraphs=options.paragraphs, n_sentences=6, dim=384)
        for seed in range(options.documents)
    ]
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(measured(options.path or Path(folder) / "store.db", samples), indent=2))


def measured(path: Path, samples: list[IndexedDocument]) -> dict[str, float]:
    n_nodes = sum(len(sample.tree.nodes) for sample in samples)
    with SqliteStore(path) as store:
        started = time.perf_counter()
        for sample in samples:
            store.put(sample, index_key="k", state=None)
        put_s = time.perf_counter() - started
        fetches_s = [fetch_s(store, sample.document.id) for sample in samples]
    return {
        "n_documents": len(samples),
        "n_nodes": n_nodes,
        "documents_per_s": round(len(samples) / put_s, 1),
        "nodes_per_s": round(n_nodes / put_s),
        "fetch_median_ms": round(1e3 * statistics.median(fetches_s), 3),
        "fetch_max_ms": round(1e3 * max(fetches_s), 3),
        "file_mb": round(path.stat().st_size / 1e6, 2),
        "vectors_mb": round(sum(sample.vectors.nbytes for sample in samples) / 1e6, 2),
    }


def fetch_s(store: SqliteStore, document_id: str) -> float:
    started = time.perf_counter()
    store.get(document_id, "k")
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
