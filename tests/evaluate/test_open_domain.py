"""The open domain: every question is asked of all documents of a data set, as a library of users."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.evaluate.scripted_engines import scripted_engines
from treatise.core.errors import DataError, EngineUnavailableError
from treatise.evaluate.run import generation
from treatise.evaluate.run.gold import GOLD_EVIDENCE
from treatise.evaluate.run.open_domain import CORPUS_FILE
from treatise.evaluate.run.spec import RunSpec
from treatise.pipeline.engines import Engines
from treatise.recipes import DISCO_RAG, STANDARD_RAG
from treatise.testing import ScriptedModel

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
