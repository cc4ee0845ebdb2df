"""The open domain: every question is asked of all documents of a data set, as a library of users."""

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evaluate.scripted_engines import scripted_engines
from tests.evaluate.test_report import unpacked
from tests.pipeline.test_openings import QUESTION, WORDS, Knowing
from treatise.compose import open_store
from treatise.core.errors import DataError, EngineUnavailableError
from treatise.evaluate.data.registry import dataset_named, load_documents
from treatise.evaluate.metrics.ranking import rankings
from treatise.evaluate.report.collect import collect
from treatise.evaluate.report.html import report_html
from treatise.evaluate.run import generation, retrieval
from treatise.evaluate.run.gold import GOLD_EVIDENCE
from treatise.evaluate.run.open_domain import CORPUS_FILE, with_all_documents
from treatise.evaluate.run.results import read_results
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.systems import DocumentIndexes
from treatise.ingest import read_bytes
from treatise.pipeline.engines import Engines
from treatise.pipeline.openings import Openings
from treatise.pipeline.system import System
from treatise.recipes import DISCO_RAG, STANDARD_RAG, TREATISE
from treatise.testing import HashingEncoder, ScriptedModel

TOPICS = ("copper", "glass", "wool")


def write(folder: Path) -> Path:
    """ASQA's form: a question per topic, each with passages of its own."""
    dev = {
        topic: {
            "ambiguous_question": f"Where is {topic} made?",
            "qa_pairs": [
                {
                    "question": f"Where is {topic} made?",
                    "short_answers": ["Oslo"],
                    "context": f"The {topic} of Oslo is dear. It is made in Oslo.",
                    "wikipage": topic,
                }
            ],
            "annotations": [{"long_answer": "In Oslo.", "knowledge": []}],
        }
        for topic in TOPICS
    }
    path = folder / "ASQA.json"
    path.write_text(json.dumps({"train": {}, "dev": dev}))
    return path


def spec(folder: Path, engines: Engines, *, open_domain: bool) -> RunSpec:
    return RunSpec(
        dataset="asqa:dev",
        data=write(folder),
        out=folder / ("open" if open_domain else "closed"),
        engines=engines,
        recipes=[STANDARD_RAG, DISCO_RAG],
        budgets=[0],
        open_domain=open_domain,
    )


def prompts(engines: Engines) -> list[str]:
    assert isinstance(engines.model, ScriptedModel)
    return [prompt[-1].content for prompt in engines.model.prompts]


def test_a_question_of_the_open_domain_sees_passages_of_all_questions(tmp_path: Path) -> None:
    closed, opened = scripted_engines(), scripted_engines()
    generation.run(spec(tmp_path, closed, open_domain=False))
    generation.run(spec(tmp_path, opened, open_domain=True))
    asked = f"Where is {TOPICS[0]} made?"
    (of_own, *_), (of_all, *_) = ([one for one in prompts(engines) if asked in one] for engines in (closed, opened))
    assert [topic in of_own for topic in TOPICS] == [True, False, False]
    assert all(topic in of_all for topic in TOPICS)


def test_a_failing_model_ends_the_table_and_a_second_run_continues_without_repeating(tmp_path: Path) -> None:
    whole = scripted_engines()
    expected = generation.run(spec(tmp_path, whole, open_domain=True))
    n_calls = len(prompts(whole))
    second = tmp_path / "second"
    second.mkdir()
    engines = scripted_engines()
    say, sent = engines.model._say, []

    def failing(messages):
        if len(sent) == n_calls // 2:
            raise EngineUnavailableError("down")
        sent.append(messages)
        return say(messages)

    with pytest.raises(EngineUnavailableError):
        generation.run(spec(second, replace(engines, model=ScriptedModel(failing)), open_domain=True))
    assert (second / "open" / CORPUS_FILE).is_file()
    found = generation.run(spec(second, engines, open_domain=True))
    assert [row.scores for row in found.rows] == [row.scores for row in expected.rows]
    assert len(sent) + len(prompts(engines)) == n_calls


def test_gold_evidence_is_refused(tmp_path: Path) -> None:
    wrong = replace(spec(tmp_path, scripted_engines(), open_domain=True), recipes=[GOLD_EVIDENCE])
    with pytest.raises(DataError, match="leave it out of an open-domain run"):
        generation.run(wrong)


def text_on(word: str) -> str:
    return f"# {word}\n\nThe {word} of the town is mentioned. It is {len(word)} years.\n"


def write_own(folder: Path, texts: list[str]) -> Path:
    """A user's own data: one question, of the fourth text."""
    question = {"id": "q", "question": QUESTION, "spans": [[0, 4]]}
    rows = [
        {"document": text, "questions": [question] if n == WORDS.index("boat") else []} for n, text in enumerate(texts)
    ]
    path = folder / "own.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def engines_with(openings: Openings | None) -> Engines:
    return Engines(encoder=HashingEncoder(64, reads_context=True), openings=openings)


def knowing() -> Openings:
    return Openings("knowing", lambda: Knowing(96))


def own_spec(folder: Path, texts: list[str], openings: Openings | None = None) -> RunSpec:
    return RunSpec(
        dataset="spans",
        data=write_own(folder, texts),
        out=folder / "own",
        engines=engines_with(openings),
        recipes=[TREATISE],
        budgets=[9],
        open_domain=True,
    )


def test_retrieval_in_the_open_domain_with_the_large_prior_finds_the_document_that_it_tells(tmp_path: Path) -> None:
    texts = [text_on(word) for word in WORDS]
    result = tmp_path / "own" / "treatise-9.jsonl"
    usual = retrieval.run(own_spec(tmp_path, texts))
    assert read_results(result)["q"].documents[0] != 0
    large = retrieval.run(own_spec(tmp_path, texts, knowing()))  # no result of the usual prior is kept
    assert read_results(result)["q"].documents[0] == 0
    assert (usual.record.prior, large.record.prior) == ("", "knowing")
    assert large.record.open_domain


def test_answers_in_the_open_domain_come_also_from_documents_without_questions(tmp_path: Path) -> None:
    generation.run(own_spec(tmp_path, [text_on(word) for word in WORDS]))
    with closing(open_store(tmp_path / "own" / CORPUS_FILE)) as store:
        assert len(store.entries()) == len(WORDS)


def test_places_in_documents_of_other_questions_are_ranked_only_with_all_documents(tmp_path: Path) -> None:
    retrieval.run(given := own_spec(tmp_path, [text_on(word) for word in WORDS]))
    found = read_results(tmp_path / "own" / "treatise-9.jsonl")
    documents = load_documents(dataset_named("spans"), given.data, None)
    ranked = rankings(list(with_all_documents(documents)), found)["q"]
    assert ranked[0].partition(":")[0] in {one.document.id for one in documents if not one.questions}
    with pytest.raises(DataError, match="with --open-domain: score the runs"):
        rankings(documents, found)
    html = report_html(collect([given.out], given.data))
    (shown,) = unpacked(html, "index")["cells"][0]["retrieved"]
    assert (shown["spans"], shown["context"]) == ([], found["q"].context)  # none is of the question's own document


def test_a_passage_that_several_documents_have_is_no_failure(tmp_path: Path) -> None:
    texts = [f"# Text {n}\n\nThe harbour of the town is old and has a wall.\n" for n in range(len(WORDS))]
    (row,) = retrieval.run(own_spec(tmp_path, texts)).rows
    assert row.n_words == 9


def test_many_documents_of_one_question_are_told_apart_by_their_openings() -> None:
    system = System(TREATISE, engines_with(knowing()))
    documents = [read_bytes(text_on(word).encode(), name=f"{word}.md") for word in WORDS]
    indexed = DocumentIndexes.readable(documents).by(system)
    found = system.search(QUESTION, indexed).passages[0]
    assert found.document == documents[WORDS.index("boat")].id
