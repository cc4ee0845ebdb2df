"""Construction in two phases, and indexing many documents with notes."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.builders import make_document
from tests.enhance.models import SENTENCES, chain, condense, condensing
from treatise.core.document import Document
from treatise.core.errors import EngineUnavailableError, SourceNotFoundError
from treatise.core.note import Origin
from treatise.core.ports import Progress
from treatise.core.recipe import (
    Balanced,
    Discourse,
    EncodedNotes,
    Flat,
    Indexing,
    Notes,
    Recipe,
    Summaries,
    Tau,
    TokenChunks,
)
from treatise.core.tree import DiscourseTree
from treatise.llm.budget import Budget
from treatise.llm.runner import LlmRunner
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document, index_documents
from treatise.pipeline.index_drafts import draft_documents
from treatise.pipeline.library import Library
from treatise.pipeline.reports import IndexReport, Outcome
from treatise.pipeline.system import System
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder, ScriptedModel

LLM = Indexing(tree=Discourse(), notes=Notes(Summaries.LLM), node_vectors=EncodedNotes())
PARAGRAPHS = [SENTENCES[:3], SENTENCES[3:4], SENTENCES[4:9], ["A heading"], SENTENCES[9:11]]


class ChainParser:
    """Joins each text to all that follow it, and remembers what it was given."""

    name = "chain"

    def __init__(self) -> None:
        self.runs: list[list[str]] = []

    def parse(self, document: Document, progress: Progress | None = None) -> DiscourseTree:
        return chain(sum(map(len, document.readable_sentences())))

    def parse_runs(self, runs: Sequence[Sequence[str]], language: str) -> list[DiscourseTree]:
        self.runs += [list(run) for run in runs]
        return [chain(len(run)) for run in runs]


def test_the_second_phase_reads_the_texts_of_the_paragraphs_roots() -> None:
    parser = ChainParser()
    document = make_document(PARAGRAPHS, headings=(3,))
    (draft,) = draft_documents([document], LLM, parser=parser, runner=LlmRunner(condensing()))
    assert parser.runs[:5] == PARAGRAPHS
    roots = parser.runs[5]
    texts = [note.text for note in draft.notes]
    assert len(roots) == 5
    assert set(roots) <= set(texts)
    assert roots[1] == SENTENCES[3]  # a paragraph of one sentence stands for itself
    assert roots[3] == "A heading"


def test_no_inner_node_crosses_a_paragraph_but_those_over_whole_paragraphs() -> None:
    (draft,) = draft_documents([make_document(PARAGRAPHS)], LLM, parser=ChainParser(), runner=LlmRunner(condensing()))
    edges = set(np.cumsum([0, *map(len, PARAGRAPHS)]).tolist())
    paragraphs = list(pairwise(sorted(edges)))
    assert len(draft.tree.roots) == 1
    for start, end in draft.tree.ranges.tolist():
        within = any(a <= start and end <= b for a, b in paragraphs)
        assert within or {start, end} <= edges


def test_two_phases_write_each_note_once() -> None:
    model = condensing()
    runner = LlmRunner(model)
    (draft,) = draft_documents([make_document(PARAGRAPHS)], LLM, parser=ChainParser(), runner=runner)
    assert len(model.prompts) == draft.tree.n_units - 1
    assert runner.spending.n_reused == 0


@pytest.mark.parametrize(
    "paragraphs",
    [[["Only one."]], [SENTENCES[:6]], [["One."], ["Two."], ["Three."]], [["Heading"], [" "], SENTENCES[:2]]],
    ids=["one sentence", "one paragraph", "paragraphs of one sentence", "a heading and an empty paragraph"],
)
def test_small_and_odd_documents_have_one_root_and_a_note_per_node(paragraphs: list[list[str]]) -> None:
    indexed = index_document(
        make_document(paragraphs), LLM, encoder=HashingEncoder(), parser=ChainParser(), runner=LlmRunner(condensing())
    )
    assert len(indexed.tree.roots) == 1
    assert len(indexed.notes) == len(indexed.tree.nodes) == len(indexed.vectors)


def test_documents_together_give_the_same_bytes_as_one_by_one() -> None:
    documents = [make_document(PARAGRAPHS), make_document([SENTENCES[20:27], SENTENCES[30:33]])]
    options = {"encoder": HashingEncoder(), "parser": ChainParser(), "runner": LlmRunner(condensing())}
    together = index_documents(documents, LLM, **options)
    for one, document in zip(together, documents, strict=True):
        alone = index_document(document, LLM, **(options | {"runner": LlmRunner(condensing())}))
        assert alone.notes == one.notes
        assert np.array_equal(alone.vectors, one.vectors)


def test_an_encoded_node_has_the_vector_of_its_note() -> None:
    encoder = HashingEncoder()
    indexed = index_document(make_document(PARAGRAPHS), LLM, encoder=encoder, parser=ChainParser())
    root = indexed.notes[-1]
    assert root.origin is Origin.NUCLEUS
    assert np.allclose(indexed.vectors[-1], encoder.encode([root.text])[0], atol=1e-3)


def library(path: Path, model: ScriptedModel | None, budget: Budget | None = None, tau: int = 0) -> Library:
    indexing = replace(LLM, tree=Balanced(), notes=Notes(Summaries.LLM, Tau(tau)))
    engines = Engines(HashingEncoder(), model=model)
    return Library(SqliteStore(path), System(Recipe("X", indexing), engines, budget=budget or Budget()))


def write_sources(folder: Path, n: int = 3) -> list[tuple[Path, None]]:
    sources = [folder / f"{i}.txt" for i in range(n)]
    for i, source in enumerate(sources):
        paragraphs = (" ".join(SENTENCES[i + k : i + k + 4]) for k in range(0, 12, 4))
        source.write_text("\n\n".join(paragraphs))
    return [(source, None) for source in sources]


def test_an_unreadable_source_does_not_stop_the_others(tmp_path: Path) -> None:
    sources = [(tmp_path / "missing.txt", None), *write_sources(tmp_path, 2)]
    results = [result for _, result in library(tmp_path / "a.db", condensing()).index_all(sources)]
    assert isinstance(results[0], SourceNotFoundError)
    assert all(isinstance(result, IndexReport) for result in results[1:])


def test_updating_after_an_edit_reuses_all_but_one_paragraph_and_its_ancestors(tmp_path: Path) -> None:
    ((source, _),) = write_sources(tmp_path, 1)
    lib = library(tmp_path / "a.db", condensing())
    first = lib.index(source)
    text = source.read_text()
    source.write_text(text.replace(SENTENCES[11], "Something else is said at the very end of this text."))
    again = lib.index(source)
    assert (first.spending.n_calls, first.spending.n_reused) == (11, 0)
    assert again.spending.n_calls == 2 + 2
    assert again.spending.n_reused == 7
    assert again.notes == {"summary": 11}


def test_an_edit_cuts_chunks_as_a_first_reading_does(tmp_path: Path) -> None:
    ((source, _),) = write_sources(tmp_path, 1)
    recipe = Recipe("CHUNKS", Indexing(units=TokenChunks(24), tree=Flat()))
    edited, fresh = (
        Library(SqliteStore(tmp_path / name), System(recipe, Engines(HashingEncoder()))) for name in ("a.db", "b.db")
    )
    edited.index(source)
    source.write_text(source.read_text().replace(SENTENCES[11], "Something else is said at the very end of this text."))
    document = edited.index(source).document
    assert fresh.index(source).document == document
    again, first = (lib.store.get(document, lib.system.index_key) for lib in (edited, fresh))
    assert again is not None
    assert first is not None
    assert again.units == first.units
    assert len(again.units) > 1


def test_an_estimate_of_a_library_keeps_nothing(tmp_path: Path) -> None:
    model = condensing()
    lib = library(tmp_path / "a.db", model)
    document = make_document(PARAGRAPHS)
    assert lib.system.estimate([document])[1].n_calls == 11
    assert not model.prompts
    assert lib.documents() == []


@pytest.mark.parametrize("max_calls", [3, 6, 11, 100])
def test_tau_is_raised_until_so_many_calls_are_enough_and_no_further(tmp_path: Path, max_calls: int) -> None:
    lib = library(tmp_path / "a.db", condensing())
    document = make_document([SENTENCES[i : i + 4] for i in range(0, 40, 4)])
    fitted = lib.system.recipe_within([document], max_calls)
    tau = fitted.indexing.notes.tau.words
    lib = lib.with_recipe(fitted)
    assert lib.system.estimate([document])[1].n_calls <= max_calls
    if tau:
        notes = replace(fitted.indexing.notes, tau=Tau(tau - 1, at_most=2_000))
        lib = lib.with_recipe(replace(fitted, indexing=replace(fitted.indexing, notes=notes)))
        assert lib.system.estimate([document])[1].n_calls > max_calls


def test_calls_that_were_made_already_leave_the_fitted_tau_as_it_was(tmp_path: Path) -> None:
    lib = library(tmp_path / "a.db", condensing())
    ((source, _),) = write_sources(tmp_path, 1)
    document = lib.document(lib.index(source).document)
    fresh = library(tmp_path / "b.db", condensing()).system.recipe_within([document], 6)
    assert fresh != lib.recipe
    assert lib.system.recipe_within([document], 6) == fresh


def test_without_a_model_the_recipe_still_indexes_and_says_how(tmp_path: Path) -> None:
    ((source, _),) = write_sources(tmp_path, 1)
    report = library(tmp_path / "a.db", None).index(source)
    assert report.notes == {"nucleus": 11}


def test_a_question_writes_no_notes_and_retry_writes_the_missing_ones(tmp_path: Path) -> None:
    sources = write_sources(tmp_path, 1)
    library(tmp_path / "a.db", None).index(sources[0][0])
    model = condensing()
    lib = library(tmp_path / "a.db", model)
    assert lib.search("Which thing is told of?").passages
    assert not model.prompts
    ((_, report),) = lib.index_all(sources, retry=True)
    assert isinstance(report, IndexReport)
    assert report.notes == {"summary": 11}


def test_over_the_ceiling_indexing_ends_and_marks_what_it_left(tmp_path: Path) -> None:
    ((source, _),) = write_sources(tmp_path, 1)
    report = library(tmp_path / "a.db", condensing(), Budget(max_calls=5)).index(source)
    assert report.notes == {"over-budget": 6, "summary": 5}


def test_a_dead_server_leaves_the_store_without_the_document_and_the_next_run_goes_on(tmp_path: Path) -> None:
    ((source, _),) = write_sources(tmp_path, 1)
    calls = iter(range(5))

    def dying(conversation: object) -> str:
        if next(calls, None) is None:
            raise EngineUnavailableError("gone")
        return condense(conversation)  # type: ignore[arg-type]

    with pytest.raises(EngineUnavailableError, match="gone"):
        library(tmp_path / "a.db", ScriptedModel(dying)).index(source)
    lib = library(tmp_path / "a.db", condensing())
    assert lib.documents() == []
    report = lib.index(source)
    assert (report.spending.n_reused, report.spending.n_calls) == (5, 6)


KILLED = textwrap.dedent("""
    import sys, os
    from pathlib import Path
    from tests.enhance.models import condense
    from tests.pipeline.test_index import library, write_sources
    from treatise.testing import ScriptedModel

    folder, dies_after = Path(sys.argv[1]), int(sys.argv[2])
    n = 0

    def say(conversation):
        global n
        n += 1
        if n > dies_after:
            os.kill(os.getpid(), 9)
        return condense(conversation)

    lib = library(folder / "a.db", ScriptedModel(say))
    list(lib.index_all(write_sources(folder)))
    print(lib.spending.n_calls, lib.spending.n_reused)
""")


def run_killed(folder: Path, dies_after: int) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(["src", "."])}
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(folder), str(dies_after)], capture_output=True, text=True, env=environment
    )


@pytest.mark.slow
def test_killed_at_any_moment_a_rerun_repeats_no_finished_call_and_ends_with_the_same_notes(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    n_calls, _ = map(int, run_killed(whole, 10_000).stdout.split())
    for i in range(1, 4):
        assert run_killed(killed, 7).returncode == -signal.SIGKILL
        with SqliteStore(killed / "a.db") as store:
            assert store._connection.execute("SELECT count(*) FROM calls").fetchone() == (7 * i,)
    last = run_killed(killed, 10_000)
    assert list(map(int, last.stdout.split())) == [n_calls - 21, 21]
    assert contents(killed / "a.db") == contents(whole / "a.db")


@pytest.mark.slow
def test_two_processes_that_index_into_one_store_agree(tmp_path: Path) -> None:
    alone, shared = tmp_path / "alone", tmp_path / "shared"
    alone.mkdir()
    shared.mkdir()
    run_killed(alone, 10_000)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(["src", "."])}
    command = [sys.executable, "-c", KILLED, str(shared), "10000"]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) for _ in range(2)]
    deadline = time.monotonic() + 120
    assert [process.wait(deadline - time.monotonic()) for process in both] == [0, 0]
    assert contents(shared / "a.db") == contents(alone / "a.db")


def contents(path: Path) -> list[object]:
    """All indexes and calls, but for the time and the place of the sources."""
    with SqliteStore(path) as store:
        query = "SELECT tree, units, notes, index_key FROM indexes ORDER BY units, tree"
        indexes = store._connection.execute(query).fetchall()
        calls = store._connection.execute("SELECT * FROM calls ORDER BY key").fetchall()
        vectors = store._connection.execute("SELECT rows FROM vectors ORDER BY rows").fetchall()
    return [*indexes, *calls, *vectors]


def test_a_source_that_older_readers_read_is_read_again_even_if_a_question_indexed_its_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The bridge was built in 1902. It is long.", encoding="utf-8")
    with SqliteStore(tmp_path / "a.db") as store:
        library = Library(store, System(Recipe("r", Indexing(tree=Flat())), Engines(HashingEncoder(64))))
        with monkeypatch.context() as older:
            older.setattr("treatise.pipeline.system.READER_VERSION", 2)
            older.setattr("treatise.ingest.files._READ_BY", "")
            library.index(path)
        again = Library(store, library.system)
        again.search("When was the bridge built?")
        assert again.index(path).outcome is Outcome.UPDATED
        assert again.index(path).outcome is Outcome.UNCHANGED
