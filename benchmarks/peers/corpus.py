"""Writes a data set's documents and questions as JSON lines that any program can read.

    python benchmarks/peers/corpus.py DATASET DATA OUT [--limit 60]

OUT/documents.jsonl has ``{"id", "text"}``, OUT/questions.jsonl ``{"id", "document", "text"}``. Neither contains
answers.
"""

import argparse
import json
from itertools import islice
from pathlib import Path

from treatise.evaluate.data.registry import dataset_named


def main(dataset: str, data: Path, out: Path, limit: int | None) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with (
        (out / "documents.jsonl").open("w", encoding="utf-8") as documents,
        (out / "questions.jsonl").open("w", encoding="utf-8") as questions,
    ):
        for labelled in islice(dataset_named(dataset).load(data), limit):
            document = labelled.document
            documents.write(json.dumps({"id": document.id, "text": document.text}) + "\n")
            for question in labelled.questions:
                row = {"id": question.id, "document": document.id, "text": question.text}
                questions.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=int)
    main(**vars(parser.parse_args()))
