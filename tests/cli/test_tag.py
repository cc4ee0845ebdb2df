"""``treatise tag``, ``--where``, ``export`` and ``import``."""

import os
import sqlite3
from pathlib import Path

import pytest


@pytest.fixture
def ids(run_json, tea: Path, coffee: Path) -> list[str]:
    return [report["document"] for report in run_json("index", tea, coffee)["documents"]]


def _listed(run_json, *arguments: object) -> list[str]:
    return [document["document"] for document in run_json("list", *arguments)["documents"]]


def test_tags_and_keys_are_set_listed_and_removed(run, run_json, ids: list[str]) -> None:
    run("tag", ids[0], "--add", "hot", "--add", "drink", "--set", "Year=1999", "--set", "place=a", "--set", "place=b")
    (document,) = run_json("list", "--where", "tag = hot")["documents"]
    assert document["metadata"] == {"place": ["a", "b"], "tags": ["hot", "drink"], "year": ["1999"]}
    run("tag", ids[0], "--drop", "hot", "--unset", "place")
    assert run_json("tag", ids[0])["documents"][0]["metadata"] == {"tags": ["drink"], "year": ["1999"]}


def test_a_filter_chooses_documents_in_every_command(run, run_json, ids: list[str]) -> None:
    run("tag", ids[1], "--set", "year=2021", "--collection", "drinks")
    where = ("--where", "year >= 2020 and collection = drinks and type = txt")
    assert _listed(run_json, *where) == [ids[1]]
    assert {one["document"] for one in run_json("search", "boil", *where)["evidence"]} == {ids[1]}
    assert {one["document"] for one in run_json("ask", "How hot?", *where)["evidence"]} == {ids[1]}
    assert run_json("summarize", *where)["summary"]
    assert [one["document"] for one in run_json("remove", *where)["removed"]] == [ids[1]]
    assert _listed(run_json) == [ids[0]]


@pytest.mark.parametrize("where", ["year >=", "x = 1; DROP TABLE documents", "' OR 1=1 --", "colour = red"])
@pytest.mark.parametrize("command", [["list"], ["ask", "How hot?"], ["search", "tea"], ["remove"]])
def test_what_is_no_filter_is_wrong_usage_and_changes_nothing(
    run, run_json, ids: list[str], where: str, command: list[str]
) -> None:
    result = run(*command, "--where", where)
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert _listed(run_json) == ids


def test_a_filter_that_no_document_satisfies_says_so(run, ids: list[str]) -> None:
    result = run("ask", "How hot?", "--where", "words > 1000000")
    assert result.exit_code == 1
    assert "no document of 2 satisfies 'words > 1000000'" in result.stderr


@pytest.mark.parametrize(
    "arguments", [["--set", "size=1"], ["--set", "a b=1"], ["--set", "nothing"], ["--set", "x="], ["--add", " "]]
)
def test_keys_that_cannot_be_set_are_refused(run, run_json, ids: list[str], arguments: list[str]) -> None:
    assert run("tag", ids[0], *arguments).exit_code == 2
    assert run_json("list")["documents"][0]["metadata"] == {}


def test_what_was_set_stays_when_the_file_changes(run, run_json, ids: list[str], tea: Path) -> None:
    run("tag", ids[0], "--add", "kept")
    tea.write_text(tea.read_text() + "\nAdd milk.\n")
    run("update", tea)
    (changed,) = _listed(run_json, "--where", "tag = kept")
    assert changed not in ids


def test_index_tags_what_it_reads(run, run_json, tea: Path) -> None:
    run("index", tea, "--tag", "a", "--collection", "c")
    run("index", tea, "--tag", "b")
    assert run_json("list")["documents"][0]["metadata"] == {"collection": ["c"], "tags": ["a", "b"]}


def test_a_library_moves_in_one_file(run, run_json, ids: list[str], tmp_path: Path) -> None:
    run("tag", ids[1], "--add", "moved")
    question = run_json("ask", "How are beans roasted?")
    moved, other = tmp_path / "moved.treatise", tmp_path / "other.db"
    assert run_json("export", moved) == {"file": str(moved), "documents": 2, "known": 0}
    if os.name == "posix":
        assert moved.stat().st_mode & 0o777 == 0o600, "only its owner reads it, as the library"
    assert run_json("import", moved, "--store", other) == {"file": str(moved), "documents": 2, "known": 0}
    assert run_json("import", moved, "--store", other)["known"] == 2
    assert _listed(run_json, "--store", other) == ids
    assert _listed(run_json, "--store", other, "--where", "tag = moved") == [ids[1]]
    answer = run_json("ask", "How are beans roasted?", "--store", other)
    assert (answer["answer"], answer["evidence"]) == (question["answer"], question["evidence"])


def test_a_part_of_a_library_moves(run, run_json, ids: list[str], tmp_path: Path) -> None:
    part, other = tmp_path / "part.treatise", tmp_path / "other.db"
    assert run_json("export", part, "--where", f"id = {ids[1]!r}")["documents"] == 1
    run("import", part, "--store", other)
    assert _listed(run_json, "--store", other) == [ids[1]]


def test_a_part_that_is_empty_is_not_written(run, ids: list[str], tmp_path: Path) -> None:
    result = run("export", tmp_path / "part.treatise", "--where", "words > 1000000")
    assert result.exit_code == 1
    assert "no document of 2 satisfies" in result.stderr
    assert not (tmp_path / "part.treatise").exists()


def test_a_key_without_its_option_is_told_how_to_write_it(run, ids: list[str]) -> None:
    result = run("tag", ids[0], "year=2021")
    assert result.exit_code == 2
    assert "--set year=2021" in result.stderr


def test_an_import_of_a_damaged_file_leaves_the_library_as_it_was(
    run, run_json, ids: list[str], tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.treatise", tmp_path / "bad.treatise"
    run("export", good)
    whole = good.read_bytes()
    sqlite3.connect(tmp_path / "foreign.db").execute("CREATE TABLE t (x)").connection.close()
    contents = (b"no library", whole[: len(whole) // 2], (tmp_path / "foreign.db").read_bytes(), b"")
    for content in contents:
        bad.write_bytes(content)
        result = run("import", bad)
        assert result.exit_code == 1, result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert _listed(run_json) == ids
    assert run("export", good).exit_code == 1  # it exists
    assert good.read_bytes() == whole


def test_a_key_that_no_filter_could_name_is_refused(run, ids: list[str]) -> None:
    for word in ("not", "AND", "contains"):
        result = run("tag", ids[0], "--set", f"{word}=1")
        assert result.exit_code == 2
        assert f"{word.lower()!r} cannot be set, it is a word of filters" in result.stderr
        assert run("tag", ids[0], "--unset", word).exit_code == 0


def test_a_title_that_is_set_is_the_one_that_is_listed_and_asked_for(run, run_json, ids: list[str]) -> None:
    run("tag", ids[0], "--set", "title=The Leaf Handbook\nof 1906")
    assert run_json("list")["documents"][0]["title"] == "The Leaf Handbook\nof 1906"
    assert run("list").stdout.splitlines()[0].split("\t")[3].startswith("The Leaf Handbook")
    assert "  The Leaf Handbook" in run("tag", ids[0]).stdout.splitlines()[0]
    run("tag", ids[0], "--set", "title=The Leaf Handbook")
    asked = run_json("ask", "What does The Leaf Handbook say?")
    assert {one["document"] for one in asked["evidence"]} == {ids[0]}


def test_a_filter_that_no_document_satisfies_is_said_where_something_was_to_be_changed(run, ids: list[str]) -> None:
    for command in (("remove",), ("tag", "--add", "x")):
        result = run(*command, "--where", "words > 1000000")
        assert (result.exit_code, result.stdout) == (0, "")
        assert "no document satisfies 'words > 1000000': nothing was done" in result.stderr


def test_a_library_is_not_exported_into_a_file_with_the_name_of_a_dash(
    run, ids: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("export", "-")
    assert result.exit_code == 2
    assert "name a new file" in result.stderr
    assert not (tmp_path / "-").exists()
