"""Writes our own questions over tables for `treatise train table-reader`.

    python benchmarks/training_tables.py DATA/tables/own.jsonl [--weight 5]

Each line has a question, its table and the answers; a question counts as often as one of WikiTableQuestions, times the
weight.
"""

import argparse
import json
from pathlib import Path

HERE = Path(__file__).parent / "table_questions"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--weight", type=float, default=5)
    options = parser.parse_args()
    tables = {row["name"]: row["table"] for row in read("train-tables.jsonl")}
    with options.out.open("w", encoding="utf-8") as out:
        for row in read("train.jsonl"):
            line = {"question": row["question"], "table": tables[row["name"]], "answers": row["answers"]}
            print(json.dumps({**line, "weight": options.weight}, ensure_ascii=False), file=out)


def read(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
