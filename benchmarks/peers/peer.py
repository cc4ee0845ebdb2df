"""Shared code of the peers: reads documents and questions, writes passages, and provides Treatise's encoder."""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from treatise.compose import open_encoder
from treatise.core.ports import Encoder

Search = Callable[[str], Sequence[str]]
"""Maps a question to passages, best first."""


def run(index: Callable[[str], Search]) -> None:
    """Indexes each document of the folder with ``index(text)``, runs its questions, and writes the passages.

    The command line gives the folder and the file to write.
    """
    options = argparse.ArgumentParser()
    options.add_argument("corpus", type=Path)
    options.add_argument("out", type=Path)
    given = options.parse_args()
    questions = list(_lines(given.corpus / "questions.jsonl"))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with given.out.open("w", encoding="utf-8") as out:
        for document in _lines(given.corpus / "documents.jsonl"):
            search = index(document["text"])
            for question in questions:
                if question["document"] == document["id"]:
                    row = {"question_id": question["id"], "passages": list(search(question["text"]))}
                    out.write(json.dumps(row) + "\n")


def encode(texts: Sequence[str]) -> list[list[float]]:
    """One unit vector per text, by the encoder that ships with Treatise."""
    return [list(map(float, row)) for row in _encoder().encode(list(texts))]


@cache
def _encoder() -> Encoder:
    return open_encoder()


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
