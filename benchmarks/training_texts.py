"""Builds the texts for distilling the parser's encoder from the train splits of data sets.

    TREATISE_DATA=FOLDER python benchmarks/training_texts.py --out data/texts [--words 1800000]

Lines in the format of ``treatise parse --input``, one document per line: half of the words from papers, a quarter each
from meetings and stories, documents drawn at random. Every fortieth goes to the dev file.
"""

import argparse
import gzip
import json
import random
from pathlib import Path

from inputs import data_file

from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.data.registry import dataset_named

SHARES = {"qasper": 0.5, "qmsum": 0.25, "fairytaleqa": 0.25}
EVERY_DEV = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--words", type=int, default=1_800_000)
    options = parser.parse_args()
    lines: dict[str, list[str]] = {"train": [], "dev": []}
    for name, share in SHARES.items():
        for number, line in enumerate(drawn(name, int(options.words * share))):
            lines["dev" if number % EVERY_DEV == EVERY_DEV - 1 else "train"].append(line)
    options.out.mkdir(parents=True, exist_ok=True)
    for part, written in lines.items():
        content = gzip.compress("".join(written).encode(), mtime=0)  # deterministic: same data, same bytes
        (options.out / f"{part}.jsonl.gz").write_bytes(content)
    print(json.dumps({part: len(written) for part, written in lines.items()}))


def drawn(name: str, n_words: int) -> list[str]:
    """Lines of documents in random order, up to the word count."""
    documents = list(dataset_named(name).load(data_file(name, "train")))
    found: list[str] = []
    for labelled in random.Random(1).sample(documents, len(documents)):
        paragraphs = paragraphs_of(labelled)
        n_words -= sum(len(sentence.split()) for paragraph in paragraphs for sentence in paragraph)
        row = {"id": labelled.document.id, "lang": "en", "level": "sentence", "paragraphs": paragraphs}
        found.append(json.dumps(row, ensure_ascii=False) + "\n")
        if n_words <= 0:
            break
    return found


def paragraphs_of(labelled: LabelledDocument) -> list[list[str]]:
    document = labelled.document
    groups = [group for group in document.readable_sentences() if group]
    return [[document.quote(span.start, span.end) for span in group] for group in groups]


if __name__ == "__main__":
    main()
