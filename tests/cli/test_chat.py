"""``treatise chat``: turns, their end, and what programs read."""

import json
from pathlib import Path


def test_a_question_refers_to_the_one_before(run, tea: Path) -> None:
    result = run("chat", tea, stdin="How warm is green tea water?\n\n  \nWhere are the leaves kept?\nWhy?\n")
    assert result.exit_code == 0, result.stderr
    assert "(Why are the leaves kept?)" in result.stdout
    assert "Keep the leaves in a tin." in result.stdout
    assert "    Keeping" in result.stdout


def test_json_has_one_line_per_turn(run, tea: Path, run_json) -> None:
    asked = run_json("ask", tea, "When does water boil?")
    result = run("chat", tea, "--json", stdin="When does water boil?\nAnd green tea?\n")
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["question"] for record in records] == ["When does water boil?", "And green tea?"]
    assert records[1]["resolved"] == "When does green tea boil?"
    assert set(records[0]) == {*asked, "resolved"}
    assert all(record["citations"] for record in records)


def test_quit_and_new_are_commands(run, tea: Path) -> None:
    lines = "When does water boil?\n/new\nAnd green tea?\n/quit\nWhere is tea kept?\n"
    records = [json.loads(line) for line in run("chat", tea, "--json", stdin=lines).stdout.splitlines()]
    assert [record["resolved"] for record in records] == ["When does water boil?", "And green tea?"]


def test_help_and_unknown_commands_are_no_questions(run, tea: Path) -> None:
    result = run("chat", tea, "--json", stdin="/help\n/?\n/hlep\n/\n/tmp/tea.md is what?\n")
    assert [json.loads(line)["question"] for line in result.stdout.splitlines()] == ["/tmp/tea.md is what?"]
    assert result.stderr.count("forget the questions so far") == 2
    assert "no command /hlep; there are /new, /quit and /help" in result.stderr
    assert result.exit_code == 0


def test_a_question_that_fails_does_not_end_the_others(run, tea: Path) -> None:
    result = run("chat", tea, "--json", stdin=f"{'word ' * 3000}\nWhen does water boil?\n")
    failed, answered = map(json.loads, result.stdout.splitlines())
    assert "3,000 words" in failed["error"]
    assert answered["found"]
    assert result.exit_code == 1


def test_no_question_is_no_error(run, tea: Path) -> None:
    assert run("chat", tea, stdin="").exit_code == 0


def test_standard_input_is_no_source(run) -> None:
    result = run("chat", "-", stdin="What is it?\n")
    assert result.exit_code == 2
    assert "name a file" in result.stderr


def test_a_source_that_cannot_be_read_ends_the_chat(run) -> None:
    assert run("chat", "gone.txt", stdin="What is it?\n").exit_code == 1


def test_a_question_in_another_encoding_is_read_as_far_as_possible(run, tea: Path) -> None:
    result = run("chat", tea, "--json", stdin="When does water boil, M\xfcller?\n".encode("latin-1"))
    assert json.loads(result.stdout)["question"] == "When does water boil, M\ufffdller?"
