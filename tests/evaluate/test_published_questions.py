"""The questions on published documents that the reader learns from: ``benchmarks/everyday/published*.jsonl.gz``."""

import gzip
import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
EVERYDAY = FOLDER / "everyday"
NAMES = ("published", "published-more")
FORBIDDEN = re.compile(r"(?i)\bSA\b|share.?alike|\bNC\b|non.?commercial|GPL|\bND\b")
TABLE_ROW = re.compile(r"\| (\S+) \| (\d+) \| ([^|]+) \|")


def documents(name: str) -> list[dict[str, Any]]:
    lines = gzip.decompress((EVERYDAY / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    return list(map(json.loads, lines))


def origin(source: str) -> str:
    """The repository, package or set that a source belongs to."""
    return "QMSum" if source.startswith("QMSum") else ":".join(source.split(":")[:2])


def in_table(name: str) -> Counter[tuple[str, str]]:
    """How many excerpts SOURCES.md says are of a source under a licence."""
    tables = re.split(r"\n## .*", (EVERYDAY / "SOURCES.md").read_text())
    return Counter({(row[1], row[3]): int(row[2]) for row in TABLE_ROW.finditer(tables[NAMES.index(name)])})


def test_the_training_script_reads_all_files_of_published_documents(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    from training_reader_everyday import PUBLISHED

    assert PUBLISHED == NAMES
    assert {path.name for path in EVERYDAY.glob("*.jsonl.gz")} == {f"{name}.jsonl.gz" for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_answers_stand_in_the_published_documents(name):
    for row in documents(name):
        for asked in row["questions"]:
            if asked["kind"] == "none":
                assert not asked.keys() & {"in", "a"}, asked
                continue
            assert asked["kind"] in ("span", "list", "yes", "no"), asked
            assert row["text"].count(asked["in"]) == 1, asked
            answers = [asked["a"]] if isinstance(asked["a"], str) else asked["a"]
            assert answers, asked
            assert all(answer in asked["in"] for answer in answers), asked


@pytest.mark.parametrize("name", NAMES)
def test_sources_of_published_documents_are_listed_with_licences_that_permit_reuse(name):
    rows = documents(name)
    assert {origin(row["source"]) for row in rows} <= {source for source, _ in in_table(name)}
    assert not [row["source"] for row in rows if FORBIDDEN.search(row["licence"])]


def test_the_table_counts_the_excerpts_of_the_further_published_documents():
    rows = documents("published-more")
    assert Counter((origin(row["source"]), row["licence"]) for row in rows) == in_table("published-more")


def test_dev_of_the_further_published_documents_is_chosen_by_their_source():
    rows = documents("published-more")
    assert [row["source"] for row in rows] == sorted(row["source"] for row in rows)
    for row in rows:
        digest = hashlib.sha1(row["source"].encode(), usedforsecurity=False).hexdigest()
        assert row.get("dev", False) is (int(digest, 16) % 10 == 0), row["source"]
