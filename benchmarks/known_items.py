"""Known-item questions on manuals: at which rank does the page come that has the answer?

    python benchmarks/known_items.py FOLDER [--half dev] [--manual git] [--words 1000] [--misses] [--peer OUT.jsonl]
        [--prior large]

FOLDER comes from ``manuals_data.py``. The questions are those of ``benchmarks/manuals``: ``dev`` is for looking,
``held`` is only scored. A page is a file, or a page of the PDF. Systems rank pages by their first passage within
``--words`` words; a page that does not appear counts 0. BM25 over pages ranks them all, by our own terms. All share
encoder and index. ``--peer`` adds the pages that ``peers/manuals.py`` has written for the same manuals;
``--prior large`` adds the product with the openings of documents as a larger encoder reads them, read first if need be.
"""

import json
import sys
from argparse import ArgumentParser
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from treatise.compose import open_library
from treatise.core.document import Document
from treatise.core.recipe import Scoring, Selection
from treatise.pipeline.library import Library
from treatise.retrieve.lexical import K1, B, terms

HERE: Final = Path(__file__).parent / "manuals"
FLAT: Final = {
    "dense, flat": Scoring(),
    "BM25, flat": Scoring(dense=0, bm25=1),
    "hybrid, flat": Scoring(bm25=0.3),
}

Asked = dict[str, Any]
Rank = Callable[[str], Sequence[str]]


def main(  # noqa: PLR0913  (one argument per option)
    folder: Path, half: str, manuals: list[str], max_words: int, peers: list[Path], *, prior: str, misses: bool
) -> None:
    asked = [json.loads(line) for line in (HERE / f"{half}.jsonl").read_text().splitlines()]
    found: dict[str, list[float]] = {}
    for manual in manuals or dict.fromkeys(one["manual"] for one in asked):
        here = [one for one in asked if one["manual"] == manual]
        with open_library(store=folder / f"{manual}.db") as library, ExitStack() as opened:
            systems = ranked(library, max_words) | {peer.stem: written(peer, manual) for peer in peers}
            if prior:
                other = opened.enter_context(open_library(store=folder / f"{manual}.db", prior=prior))
                other.read_openings()
                systems[f"{prior} prior"] = by_search(other, max_words)
            for name, rank in systems.items():
                rows = [reciprocal_rank(rank(one["question"]), one["pages"]) for one in here]
                found.setdefault(name, []).extend(rows)
                show(manual, name, rows, [])
                if misses and name == "treatise":
                    for one, row in zip(here, rows, strict=True):
                        if row < 1:
                            print(f"  {row:.2f} {one['question']} {one['pages']}: {rank(one['question'])[:4]}")
    for name, rows in found.items():
        show("all", name, rows, found["treatise"])


def show(manual: str, name: str, rows: list[float], ours: list[float]) -> None:
    values = np.array(rows)
    figures = {"MRR": round(float(values.mean()), 3), "first": round(float((values == 1).mean()), 3)}
    if ours:
        draws = np.random.default_rng(0).integers(0, len(rows), (2_000, len(rows)))
        figures["interval"] = np.percentile(values[draws].mean(axis=1), [2.5, 97.5]).round(3).tolist()
        against = (np.array(ours) - values)[draws].mean(axis=1)
        figures["treatise leads by"] = np.percentile(against, [2.5, 97.5]).round(3).tolist()
    print(json.dumps({"manual": manual, "system": name, "n": len(rows), **figures}), flush=True)


def reciprocal_rank(pages: Sequence[str], gold: Sequence[str]) -> float:
    return next((1 / rank for rank, page in enumerate(pages, 1) if page in gold), 0.0)


def ranked(library: Library, max_words: int) -> dict[str, Rank]:
    by = partial(by_search, max_words=max_words)
    flat = Selection(expand=False)
    scoring = replace(library.recipe.scoring, opening=0, whole=0)
    return {
        "treatise": by(library),
        "without prior": by(library.with_recipe(replace(library.recipe, scoring=scoring))),
        **{
            name: by(library.with_recipe(replace(library.recipe, scoring=scoring, selection=flat)))
            for name, scoring in FLAT.items()
        },
        "BM25 over pages": bm25_of_pages([library.document(entry.id) for entry in library.documents()]),
    }


def by_search(library: Library, max_words: int) -> Rank:
    documents = {entry.id: library.document(entry.id) for entry in library.documents()}

    def rank(question: str) -> Sequence[str]:
        passages = library.search(question, max_words=max_words).passages
        return [*dict.fromkeys(page_at(documents[one.document], one.span.start) for one in passages)]

    return rank


def written(peer: Path, manual: str) -> Rank:
    """The ranking of another library, from its file.

    Raises:
        KeyError: At a question that the file lacks.
    """
    rows = map(json.loads, peer.read_text().splitlines())
    found = {row["question"]: row["found"] for row in rows if row["manual"] == manual}
    return found.__getitem__


def page_at(document: Document, offset: int) -> str:
    """The number of the page, or the name of the file."""
    if document.page_starts:
        return str(bisect_right(document.page_starts, offset))
    return Path(document.source).stem


def bm25_of_pages(documents: Sequence[Document]) -> Rank:
    names, counts = [], []
    for document in documents:
        bounds = [*(document.page_starts or (0,)), len(document.text)]
        for start, end in pairwise(bounds):
            names.append(page_at(document, start))
            counts.append(Counter(terms(document.text[start:end], document.language)))
    lengths = np.array([count.total() for count in counts], dtype=float)
    norm = K1 * (1 - B + B * lengths / lengths.mean())

    def rank(question: str) -> Sequence[str]:
        scores = np.zeros(len(names))
        for term in set(terms(question)):
            tf = np.array([count[term] for count in counts], dtype=float)
            n_with = (tf > 0).sum()
            scores += np.log1p((len(names) - n_with + 0.5) / (n_with + 0.5)) * tf * (K1 + 1) / (tf + norm)
        return [names[i] for i in np.argsort(-scores, kind="stable")]

    return rank


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=["dev", "held"], default="dev")
    parser.add_argument("--manual", action="append", default=[])
    parser.add_argument("--words", type=int, default=1_000)
    parser.add_argument("--peer", action="append", default=[], type=Path)
    parser.add_argument("--prior", default="", choices=["", "large"])
    parser.add_argument("--misses", action="store_true", help="print the questions whose page is not first")
    given = parser.parse_args(sys.argv[1:])
    main(given.folder, given.half, given.manual, given.words, given.peer, prior=given.prior, misses=given.misses)
