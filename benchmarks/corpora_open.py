"""Open retrieval on QASPER: every question is asked of all papers of the split as one library.

    python benchmarks/corpora_open.py LIBRARY.db PAPERS.jsonl[.gz] --questions 300 --budget 300 [--labelled]
        [--prior large]

LIBRARY comes from ``corpora_data.py qasper``. Paper recall is the share of questions whose paper is among those of the
evidence, or gives its first passage; evidence F1 is that of ``treatise eval retrieval``. Systems share encoder, index
and budget. ``routed`` takes the documents whose upper nodes (over an eighth of the document) are nearest to the
question, as many as there are candidates, and searches their trees. ``--labelled`` asks the 200 questions of
``open_questions.jsonl`` (those of ``--questions 200``) and gives figures by what their words say of their paper:
``identifies`` it, ``narrows`` it to a few, or ``any``. A large language model labelled them, and named the likeliest
paper, from the titles, abstracts and section names of all and by searching their texts. It had not seen the answers,
but said that it knew some of the set. ``guessed`` is the evidence from that paper alone. ``--prior large`` asks with
the openings of papers as a larger encoder reads them, read first if need be; without ``--labelled`` the row
``large prior`` stands beside ``two stages``.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from treatise.compose import open_library
from treatise.core.evidence import Evidence
from treatise.core.recipe import Scoring, Selection
from treatise.evaluate.data.dataset import Question, Retrieved
from treatise.evaluate.data.loaders.qasper import load_qasper
from treatise.evaluate.metrics.evidence import evidence_tokens
from treatise.pipeline.candidates import N_CANDIDATES
from treatise.pipeline.library import Library

LABELS: Final = Path(__file__).with_name("open_questions.jsonl")

Asked = tuple[Question, str]
Search = Callable[[str, str], Evidence]


def with_evidence(papers: Path) -> list[Asked]:
    """The questions that have evidence, with the id of their paper."""
    return [
        (question, one.document.id)
        for one in load_qasper(papers)
        for question in one.questions
        if any(reference.evidence for reference in question.references)
    ]


def by_label(path: Path, papers: Path, budget: int, prior: str) -> None:
    labels = {row["id"]: row for row in map(json.loads, LABELS.read_text(encoding="utf-8").splitlines())}
    ids = {one.document.title: one.document.id for one in load_qasper(papers)}
    library = with_openings(path, prior) if prior else open_library(store=path)

    def evidence_of(asked: list[Asked]) -> dict[str, np.ndarray]:
        return scored(lambda question, id_: library.search(question, documents=[id_], max_words=budget), asked)

    everything = [one for one in with_evidence(papers) if one[0].id in labels]
    for label in ("", "identifies", "narrows", "any"):
        asked = [one for one in everything if label in ("", labels[one[0].id]["sure"])]
        guesses = [(question, ids[labels[question.id]["paper"]]) for question, _ in asked]
        given, guessed = evidence_of(asked)["f1"], evidence_of(guesses)["f1"]
        found = scored(lambda question, _: library.search(question, max_words=budget), asked)
        is_right = np.array([guess == one for guess, one in zip(guesses, asked, strict=True)], dtype=float)
        values = {"paper given": given, **found, "guessed": guessed, "guess right": is_right}
        draws = np.random.default_rng(1).integers(0, len(asked), (2_000, len(asked)))
        samples = {name: row[draws].mean(axis=1) for name, row in values.items()}
        means = {name: row.mean() for name, row in values.items()}
        for name, of in (("share of F1", "f1"), ("share of F1, guessed", "guessed")):
            samples[name], means[name] = samples[of] / samples["paper given"], means[of] / means["paper given"]
        figures = {
            name: [round(100 * float(x), 1) for x in (means[name], *np.percentile(sample, [2.5, 97.5]))]
            for name, sample in samples.items()
        }
        print(json.dumps({"sure": label or "all", "n": len(asked), **figures}), flush=True)


def main(path: Path, papers: Path, n_questions: int, budget: int, prior: str) -> None:
    library = open_library(store=path)
    asked = with_evidence(papers)
    asked = [asked[int(i)] for i in np.random.default_rng(0).permutation(len(asked))[:n_questions]]
    whole = lambda question, _: library.search(question, max_words=budget)  # noqa: E731
    rows = {
        "paper given": scored(lambda question, id_: library.search(question, documents=[id_], max_words=budget), asked),
        "two stages": scored(whole, asked),
        "routed": scored(routed(library, budget), asked),
    }
    if prior:
        other = with_openings(path, prior)
        rows[f"{prior} prior"] = scored(lambda question, _: other.search(question, max_words=budget), asked)
    for name, scoring in (("dense", Scoring()), ("BM25", Scoring(dense=0, bm25=1)), ("hybrid", Scoring(bm25=0.3))):
        flat = library.with_recipe(replace(library.recipe, scoring=scoring, selection=Selection(expand=False)))
        rows[f"flat {name}"] = scored(lambda question, _, flat=flat: flat.search(question, max_words=budget), asked)
    generator = np.random.default_rng(1)
    draws = generator.integers(0, len(asked), (2_000, len(asked)))
    for name, row in rows.items():
        ours = rows["two stages"]
        figures = {}
        for key, values in row.items():
            low, high = np.percentile((values - ours[key])[draws].mean(axis=1), [2.5, 97.5])
            figures[key] = [round(100 * float(x), 1) for x in (values.mean(), low, high)]
        print(json.dumps({"system": name, "n": len(asked), **figures}), flush=True)


def with_openings(path: Path, prior: str) -> Library:
    """The library with this prior, all openings read."""
    library = open_library(store=path, prior=prior)
    library.read_openings()
    return library


def scored(search: Search, asked: list[Asked]) -> dict[str, np.ndarray]:
    """Per question: evidence F1 and recall, and whether the paper is found at all and first."""
    rows = []
    for question, id_ in asked:
        evidence = search(question.text, id_)
        found = [passage.document for passage in evidence.passages]
        tokens = evidence_tokens(question, Retrieved(context=evidence.context, spans=()))
        rows.append((tokens["f1"], tokens["recall"], id_ in found, found[:1] == [id_]))
    columns = np.array(rows, dtype=float).T
    return dict(zip(("f1", "recall", "paper", "paper first"), columns, strict=True))


def routed(library: Library, budget: int) -> Search:
    key = library.system.index_key
    ids = [*library.store.sizes(key)]
    upper, owner = [], []
    for number, id_ in enumerate(ids):
        one = library.store.get(id_, key)
        nodes = np.flatnonzero(one.sizes * 8 >= len(one.units))
        upper.append(one.vectors[nodes].astype(np.float32))
        owner += [number] * len(nodes)
    centroids, of = np.concatenate(upper), np.array(owner)

    def search(question: str, _: str) -> Evidence:
        corpus = library._indexer.candidates.choose(question).statistics
        best = np.full(len(ids), -1.0)
        np.maximum.at(best, of, centroids @ corpus.vector)
        chosen = sorted(np.argsort(-best)[:N_CANDIDATES].tolist())
        documents = [library._indexer.indexes.load(ids[number]) for number in chosen]
        return library.system.search(question, documents, max_words=budget, corpus=corpus)

    return search


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--questions", type=int, default=300, dest="n_questions")
    parser.add_argument("--budget", type=int, default=300)
    parser.add_argument("--labelled", action="store_true")
    parser.add_argument("--prior", default="", choices=["", "large"])
    given = parser.parse_args(sys.argv[1:])
    if given.labelled:
        by_label(given.library, given.papers, given.budget, given.prior)
    else:
        main(given.library, given.papers, given.n_questions, given.budget, given.prior)
