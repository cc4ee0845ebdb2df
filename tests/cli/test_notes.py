"""Notes on the command line: written by a model behind a URL, under a ceiling, estimated, reused, shown."""

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.engines.conftest import QUICK_RETRY, Answer, Respond, Server, serve  # noqa: F401  (a fixture)
from tests.enhance.models import condense
from treatise.core.ports import Message
from treatise.core.words import n_tokens

Serve = Callable[[Respond], Server]

TOPICS = ("tea", "coffee", "cocoa", "water", "bread", "salt")


def said(request: dict[str, Any]) -> Answer:
    """A model that halves what it is given, and counts tokens as we do."""
    messages = [Message(turn["role"], turn["content"]) for turn in request["messages"]]
    text = condense(messages)
    usage = {"prompt_tokens": sum(n_tokens(one.content) for one in messages), "completion_tokens": n_tokens(text)}
    return Answer({"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage})


@pytest.fixture
def server(serve: Serve) -> Server:  # noqa: F811
    return serve(lambda _, request: said(request))


@pytest.fixture
def model(server: Server) -> list[str]:
    """Options that name it, and a recipe whose notes it writes."""
    return ["--llm", server.url, "--llm-model", "m", "--recipe", "bisection"]


def write(path: Path, topics: tuple[str, ...] = TOPICS, n: int = 4) -> Path:
    paragraphs = [
        " ".join(
            f"The {topic} of day {i} was kept in jar number {i} on the {topic} shelf of the house." for i in range(n)
        )
        for topic in topics
    ]
    path.write_text("\n\n".join(paragraphs), encoding="utf-8")
    return path


def test_notes_and_calls_are_told(run, run_json, home: Path, model: list[str]) -> None:
    source = write(home / "a.txt")
    text = run("index", source, *model).stdout
    assert "notes: 23 written by the model" in text
    assert "model: 23 calls, 0 reused" in text
    record = run_json("index", write(home / "b.txt", TOPICS[:2]), *model)
    (report,) = record["documents"]
    assert report["notes"] == {"summary": 7}
    assert record["spending"]["calls"] + record["spending"]["reused"] == 7


def test_an_estimate_is_within_15_percent_of_what_then_happens(run_json, home: Path, model: list[str]) -> None:
    (home / "config.toml").write_text("[prices]\nm = [2.0, 6.0]\n")
    sources = [write(home / "a.txt"), write(home / "b.txt", ("ink", "paper", "chalk"), 7)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREATISE_CONFIG", str(home / "config.toml"))
        expected = run_json("index", *sources, *model, "--estimate")["total"]
        happened = run_json("index", *sources, *model)["spending"]
    assert expected["llm_calls"] == happened["calls"] == 23 + 20
    for name in ("prompt_tokens", "completion_tokens", "cost"):
        assert expected[name] == pytest.approx(happened[name], rel=0.15)


@pytest.mark.slow
def test_the_paper_is_estimated_within_15_percent_too(run_json, paper: Path, model: list[str], server: Server) -> None:
    for recipe in ("bisection", "bisection-tau-60", "disretrieval-hybrid", "disretrieval-thrifty"):
        options = [*model[:-1], recipe, "--store", f"{recipe}.db"]
        expected = run_json("index", paper, *options, "--estimate")["total"]
        assert not [path for path, _ in server.requests if "models" in path]
        happened = run_json("index", paper, *options)["spending"]
        for name, of_calls in (("llm_calls", "calls"), ("prompt_tokens",) * 2, ("completion_tokens",) * 2):
            assert expected[name] == pytest.approx(happened[of_calls], rel=0.15), (recipe, name)


REFUSED = {
    "empty": "",
    "cut off": "The tea of day 1 was kept",
    "a refusal": "I'm sorry, I can't help.",
    "too long": "The tea of that day. " * 200,
    "not about the text": "Certainly!",
    "in another script": "这些罐子在房子的架子上放着。",
    "an echo of the request": "<part> The tea of day 1 was kept. </part>",
}


def refusing(reply: str) -> Respond:
    """A model whose every reply is this one and is paid for in full, with thoughts as long as they may be."""

    finish = "length" if reply == REFUSED["cut off"] else "stop"

    def respond(_: str, request: dict[str, Any]) -> Answer:
        prompt_tokens = sum(n_tokens(turn["content"]) for turn in request["messages"])
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": request["max_tokens"]}
        return Answer({"choices": [{"message": {"content": reply}, "finish_reason": finish}], "usage": usage})

    return respond


@pytest.mark.parametrize(("rejection_reason", "reply"), REFUSED.items(), ids=REFUSED)
def test_why_replies_were_refused_is_told_at_the_end_and_beside_each_node(
    run,
    run_json,
    home: Path,
    serve: Serve,  # noqa: F811
    rejection_reason: str,
    reply: str,
) -> None:
    options = ["--llm", serve(refusing(reply)).url, "--llm-model", "m", "--recipe", "bisection"]
    source = write(home / "a.txt", TOPICS[:1])
    lines = run("index", source, *options).stdout.splitlines()
    assert lines[-2].endswith(f"notes: 3 quoted, reply invalid (3 {rejection_reason}); index --retry tries again")
    assert f"6 calls, 0 reused, 6 with an invalid reply, 3 given up (3 {rejection_reason}); " in lines[-1]
    document = lines[0].split()[0]
    shown = run("show", document, "--tree", *options).stdout
    assert shown.count(f"[quoted, reply invalid: {rejection_reason}]") == 3
    notes = run_json("show", document, "--tree", *options)["notes"]
    assert [(one["origin"], one["misfit"]) for one in notes] == [("rejected", rejection_reason)] * 3
    again = run_json("index", source, *options, "--retry")
    assert again["documents"][0]["misfits"] == {rejection_reason: 3}
    assert again["spending"]["rejected_by"] == {rejection_reason: 3}


def test_a_ceiling_is_beside_each_node_too(run, run_json, home: Path, model: list[str]) -> None:
    (report,) = run_json("index", write(home / "a.txt", TOPICS[:1]), *model, "--max-calls", 2)["documents"]
    shown = run("show", report["document"], "--tree", "--depth", 1, *model).stdout
    assert "[quoted, over budget]" in shown.splitlines()[0]
    notes = run_json("show", report["document"], "--tree", *model)["notes"]
    assert [(one["start"], one["end"], one["origin"]) for one in notes] == [
        (0, 2, "summary"),
        (2, 4, "summary"),
        (0, 4, "over-budget"),
    ]


@pytest.mark.parametrize("recipe", ["bisection", "disretrieval-thrifty", "disretrieval-hybrid", "disco-rag"])
@pytest.mark.parametrize("max_calls", [0, 1, 5, 12])
def test_no_ceiling_of_calls_is_passed_by_a_model_whose_every_reply_is_refused(
    run_json,
    home: Path,
    serve: Serve,  # noqa: F811
    recipe: str,
    max_calls: int,
) -> None:
    server = serve(refusing("Certainly!"))
    options = ["--llm", server.url, "--llm-model", "m", "--recipe", recipe, "--max-calls", max_calls]
    spending = run_json("index", write(home / "a.txt", TOPICS[:3], 12), *options)["spending"]
    assert len(server.requests) == spending["calls"] <= max_calls
    assert spending["calls"] or not max_calls


@pytest.mark.parametrize("reply", ["", "Certainly!", "<think>What is asked?"])
@pytest.mark.parametrize(
    ("recipe", "max_cost"), [("bisection", 0.002), ("disretrieval-thrifty", 0.02), ("disco-rag", 0.02)]
)
def test_no_ceiling_of_cost_is_passed_by_a_model_whose_every_reply_is_refused(
    run_json,
    home: Path,
    serve: Serve,  # noqa: F811
    recipe: str,
    max_cost: float,
    reply: str,
) -> None:
    (home / "config.toml").write_text("[prices]\nm = [1.0, 5.0]\n")
    bills: list[float] = []

    def respond(path: str, request: dict[str, Any]) -> Answer:
        answer = refusing(reply)(path, request)
        usage = answer.body["usage"]
        bills.append((usage["prompt_tokens"] + 5.0 * usage["completion_tokens"]) / 1e6)
        return answer

    options = ["--llm", serve(respond).url, "--llm-model", "m", "--recipe", recipe, "--max-cost", max_cost]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREATISE_CONFIG", str(home / "config.toml"))
        spending = run_json("index", write(home / "a.txt", n=12), *options)["spending"]
    assert 0 < sum(bills) <= max_cost
    assert spending["cost"] == pytest.approx(sum(bills))
    assert spending["over_budget"] > 0


def test_a_server_that_fails_while_notes_are_written_stops_the_command_and_the_next_one_goes_on(
    run,
    run_json,
    home: Path,
    serve: Serve,  # noqa: F811
) -> None:
    source = write(home / "a.txt", TOPICS[:1])
    down = Answer({"error": {"message": "oops"}}, status=500, headers=QUICK_RETRY)
    server = serve(lambda _, request: down if "day 2" in json.dumps(request) else said(request))
    options = ["--llm", server.url, "--llm-model", "m", "--recipe", "bisection"]
    for command in (["index", source], ["ask", source, "Where is the tea?"]):
        result = run(*command, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"treatise: error: m at {server.url} answered 500: ")
        assert "oops" in result.stderr
        assert result.stderr.count("\n") == 1
        assert run("list").stdout == ""
    server.respond = lambda _, request: said(request)
    spending = run_json("index", source, *options)["spending"]
    assert (spending["calls"], spending["reused"]) == (2, 1)


def test_an_estimate_says_what_it_cannot_know(run, home: Path, model: list[str]) -> None:
    source = write(home / "a.txt", TOPICS[:1])
    assert "not counted: repeated calls after invalid replies" in run("index", source, *model, "--estimate").stdout
    assert "not counted" not in run("index", source, "--estimate").stdout


def test_a_ceiling_is_hard_and_what_it_left_out_is_written_later(
    run, run_json, home: Path, model: list[str], server: Server
) -> None:
    source = write(home / "a.txt")
    record = run_json("index", source, *model, "--max-calls", 10)
    assert len(server.requests) == record["spending"]["calls"] == 10
    assert record["documents"][0]["notes"] == {"over-budget": 13, "summary": 10}
    assert run_json("index", source, *model)["documents"][0]["outcome"] == "unchanged"
    again = run_json("index", source, *model, "--retry")
    assert again["documents"][0]["notes"] == {"summary": 23}
    assert again["spending"]["reused"] >= 8
    assert "quoted, over budget" in run("index", write(home / "b.txt", n=3), *model, "--max-calls", 0).stdout


def test_a_reply_that_did_not_fit_is_asked_for_again_on_demand(run_json, home: Path, serve: Serve) -> None:  # noqa: F811
    server = serve(lambda _, request: said(request))
    options = ["--llm", server.url, "--llm-model", "m", "--recipe", "bisection"]
    healthy, server.respond = (
        server.respond,
        lambda _, request: Answer(
            {"choices": [{"message": {"content": "I'm sorry, I can't help."}, "finish_reason": "stop"}]}
        ),
    )
    source = write(home / "a.txt", TOPICS[:1])
    assert run_json("index", source, *options)["documents"][0]["notes"] == {"rejected": 3}
    server.respond = healthy
    assert run_json("index", source, *options)["spending"]["calls"] == 0
    assert run_json("index", source, *options, "--retry")["documents"][0]["notes"] == {"summary": 3}


def test_a_ceiling_of_cost_takes_the_price_of_the_model_that_is_named(run, run_json, home: Path, model) -> None:
    source = write(home / "a.txt")
    assert "[prices]" in run("index", source, *model, "--max-cost", 1).stderr
    (home / "config.toml").write_text("[prices]\nm = [1000.0, 1000.0]\nother = [1, 1]\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREATISE_CONFIG", str(home / "config.toml"))
        spending = run_json("index", source, *model, "--max-cost", 2)["spending"]
    assert 0 < spending["cost"] <= 2
    assert spending["over_budget"] > 0


def test_an_edit_of_one_paragraph_redoes_its_nodes_and_what_is_above_them(run, run_json, home: Path, model) -> None:
    source = write(home / "a.txt", TOPICS[:4])
    run("index", source, *model)
    text = source.read_text()
    source.write_text(text.replace("jar number 2 on the water shelf", "a blue bowl on the water shelf"))
    record = run_json("update", *model)
    (report,) = record["documents"]
    assert report["outcome"] == "updated"
    assert report["notes"] == {"summary": 15}
    assert record["spending"]["calls"] == 2 + 2
    assert report["notes_kept"] == 15 - 4
    source.write_text(text)
    told = run("update", *model).stdout
    assert "notes: 15 written by the model; 11 of 15 unchanged" in told
    assert "model: 0 calls, 15 reused" in told
    source.write_text(text.replace("jar number 1 on the tea shelf", "a red bowl on the tea shelf"))
    assert "model: 4 calls, 11 reused" in run("update", *model).stdout


def n_calls_kept(store: str = "killed.db") -> int:
    with closing(sqlite3.connect(store)) as connection:
        (n,) = connection.execute("SELECT count(*) FROM calls").fetchone()
    return int(n)


@pytest.mark.slow
def test_killed_while_requests_are_in_flight_it_repeats_no_finished_call_and_ends_with_the_same_index(
    run_json,
    home: Path,
    serve: Serve,  # noqa: F811
) -> None:
    source = write(home / "a.txt")
    server = serve(lambda _, request: said(request))
    options = ["--llm", server.url, "--llm-model", "m", "--recipe", "bisection"]
    index = [sys.executable, "-m", "treatise", "index", source, *options, "--store"]
    whole = run_json("index", source, *options, "--store", "whole.db")["spending"]["calls"]
    process: subprocess.Popen[bytes] | None = None
    n_kept = 0

    def killing(number: int, request: dict[str, Any]) -> Answer:
        """Answers the first five, and kills when one of these is kept."""
        while number >= 5 and process is not None and process.poll() is None:
            if n_calls_kept() > n_kept:
                process.kill()
            time.sleep(0.01)
        return said(request)

    for _ in range(2):
        numbers = count()
        server.respond = lambda _, request, numbers=numbers: killing(next(numbers), request)
        process = subprocess.Popen([*index, "killed.db"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert process.wait(60) == -signal.SIGKILL
        assert n_kept < n_calls_kept() < n_kept + 6
        n_kept = n_calls_kept()
    server.respond, n_before = lambda _, request: said(request), len(server.requests)
    spending = run_json("index", source, *options, "--store", "killed.db")["spending"]
    assert (spending["calls"], spending["reused"]) == (whole - n_kept, n_kept)
    assert len(server.requests) - n_before == whole - n_kept
    query = "SELECT index_key, units, tree, relations, notes, rows FROM indexes JOIN vectors USING (number)"
    found = []
    for name in ("whole.db", "killed.db"):
        with closing(sqlite3.connect(name)) as connection:
            found.append(connection.execute(query).fetchall())
    assert found[0] == found[1] != []


def test_calls_go_out_in_waves_over_all_documents(run, home: Path, model: list[str], server: Server) -> None:
    sources = [write(home / "a.txt", TOPICS[:2]), write(home / "b.txt", ("ink", "paper"))]
    run("index", *sources, *model)
    first_wave = json.dumps([request for _, request in server.requests[:8]])
    assert all(word in first_wave for word in ("tea", "coffee", "ink", "paper"))


def test_the_same_model_at_another_address_is_paid_for_once(run_json, home: Path, serve: Serve) -> None:  # noqa: F811
    source = write(home / "a.txt", TOPICS[:1])
    records = []
    for recipe in ("bisection", "bisection-tau-1"):
        server = serve(lambda _, request: said(request))
        options = ["--llm", server.url, "--llm-model", "m", "--recipe", recipe]
        records.append(run_json("index", source, *options)["spending"])
    assert [(one["calls"], one["reused"]) for one in records] == [(3, 0), (0, 3)]


def test_tau_is_raised_to_a_number_of_calls_and_named_for_questions(run, run_json, home: Path, model, server) -> None:
    source = write(home / "a.txt")
    result = run("index", source, *model, "--fit-calls", 6)
    assert result.exit_code == 0, result.stderr
    assert 0 < len(server.requests) <= 6
    recipe = result.stderr.strip().rsplit(" ", 1)[1]
    assert recipe.startswith("bisection-tau-")
    asked = len(server.requests)
    assert run("search", "Where is the salt?", "--budget", 30, *model[:-1], recipe).exit_code == 0
    assert len(server.requests) == asked


def test_a_passage_that_is_a_note_is_shown_as_one(run, run_json, home: Path, model: list[str]) -> None:
    source = write(home / "a.txt", TOPICS[:2])
    options = [*model[:-1], "disretrieval-summary-text"]
    run("index", source, *options)
    record = run_json("search", "the tea of all days", "--budget", 200, *options)
    noted = [passage for passage in record["evidence"] if passage["noted"]]
    assert noted
    text = source.read_text()
    assert all(text[start:end].startswith("The ") for passage in noted for start, end in passage["noted"])
    assert "[note on " in run("search", "the tea of all days", "--budget", 200, *options).stdout


def test_the_anatomy_of_a_stored_index_is_told(run, run_json, home: Path, model: list[str]) -> None:
    (report,) = run_json("index", write(home / "a.txt"), *model)["documents"]
    record = run_json("show", report["document"], "--anatomy", "Where is the salt?", *model)
    assert record["n_questions"] == 1
    assert 0 <= record["inner_share"] <= 1
    assert record["depth"] >= 2
    shown = run("show", report["document"], "--anatomy", "The salt?", *model).stdout
    assert "of the nodes, depth" in shown
    assert ": 1 question, " in shown


def test_a_list_makes_no_store(run, home: Path) -> None:
    assert run("list", "--store", "new.db").exit_code == 0
    assert not (home / "new.db").exists()
