"""Makes a QASPER file of the questions whose highlighted sentences are known, to be scored as in the papers' tables.

    python benchmarks/qasper_highlighted.py PAPERS.json[l][.gz] HIGHLIGHTED.json[.gz] OUT.json

PAPERS is QASPER in any form that ``treatise eval`` reads; HIGHLIGHTED is ``{question id: {"highlighted_evidence":
[text, …]}}``. OUT is in the official form: the papers with these questions, each with one answer whose evidence these
sentences are.
"""

import json
import sys
from pathlib import Path
from typing import Any

from treatise.evaluate.data.loaders.fields import read_text


def main(papers: Path, highlighted: Path, out: Path) -> None:
    marked = json.loads(read_text(highlighted))
    official = {name: with_highlights(paper, marked) for name, paper in by_id(read_text(papers)).items()}
    kept = {name: paper for name, paper in official.items() if paper["qas"]}
    out.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")


def by_id(text: str) -> dict[str, dict[str, Any]]:
    try:
        papers: dict[str, dict[str, Any]] = json.loads(text)
    except ValueError:
        return {paper["id"]: paper for paper in map(json.loads, text.strip().split("\n"))}
    return papers


def with_highlights(paper: dict[str, Any], marked: dict[str, Any]) -> dict[str, Any]:
    qas = [{**qa, "answers": [answer(qa, marked)]} for qa in paper["qas"] if qa["question_id"] in marked]
    return {**paper, "qas": qas}


def answer(qa: dict[str, Any], marked: dict[str, Any]) -> dict[str, Any]:
    first = qa["answers"][0]["answer"]
    evidence = marked[qa["question_id"]]["highlighted_evidence"]
    return {"answer": {**first, "unanswerable": False, "highlighted_evidence": evidence}}


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
