"""Retrieves passages for the questions of a data set: the span reader's input in use.

    TREATISE_DATA=DATA/qa python benchmarks/training_reader_passages.py --set qasper --split train --out FILE

The default recipe at 300 words. Each line is a question with its passages, best first, their positions in the document,
the references (with the marked texts, and in ``parts`` QASPER's separate extractive spans), and the answer that quotes
the best sentences. Documents already in FILE are skipped, so a stopped run resumes.
"""

import argparse
import gzip
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from inputs import data_file

from treatise.compose import open_encoder
from treatise.core.ports import Encoder
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.data.registry import dataset_named
from treatise.generate.extracted import answer_by_extraction
from treatise.pipeline.index import index_document
from treatise.pipeline.retrieve import retrieve
from treatise.recipes import TREATISE

MAX_WORDS = 300


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", required=True)
    parser.add_argument("--split", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--documents", type=int, help="at most so many")
    options = parser.parse_args()
    file = data_file(options.set, options.split)
    done = (
        {json.loads(line)["document"] for line in options.out.open(encoding="utf-8")} if options.out.exists() else set()
    )
    parts = marked_parts(file) if options.set == "qasper" else {}
    encoder = open_encoder()
    with options.out.open("a", encoding="utf-8") as out:
        for labelled in islice(dataset_named(options.set).load(file), options.documents):
            if labelled.document.id not in done:
                out.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows(labelled, encoder, parts)))
                out.flush()


def rows(
    labelled: LabelledDocument, encoder: Encoder, parts: Mapping[str, list[list[str]]]
) -> Iterator[dict[str, Any]]:
    document = labelled.document
    indexed = index_document(document, TREATISE.indexing, encoder=encoder)
    for question in labelled.questions:
        evidence = retrieve([indexed], question.text, TREATISE, encoder=encoder, max_words=MAX_WORDS)
        quoted = answer_by_extraction(evidence, [document])
        of_parts = parts.get(question.id, [[]] * len(question.references))
        yield {
            "document": document.id,
            "id": question.id,
            "question": question.text,
            "passages": [passage.text for passage in evidence.passages],
            "places": [[passage.span.start, passage.span.end] for passage in evidence.passages],
            "confidence": evidence.confidence,
            "quoted": [statement.text for statement in quoted.statements],
            "references": [
                {
                    "answer": r.answer,
                    "kind": str(r.kind),
                    "spans": [[s.start, s.end] for s in r.spans],
                    "texts": [document.quote(s.start, s.end) for s in r.spans],
                    "parts": marked,
                }
                for r, marked in zip(question.references, of_parts, strict=True)
            ],
        }


def marked_parts(file: Path) -> dict[str, list[list[str]]]:
    """QASPER's extractive spans of each annotator, by question."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        papers = list(map(json.loads, lines))
    asked = [qa for paper in papers for qa in paper["qas"]]
    return {
        qa["question_id"]: [a.get("answer", a).get("extractive_spans") or [] for a in qa["answers"]] for qa in asked
    }


if __name__ == "__main__":
    main()
