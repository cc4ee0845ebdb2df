"""``treatise index`` and ``update``: what gets into the library, and what does not."""

import json
import sys
from pathlib import Path

import pytest

from treatise import open_library


def test_a_document_is_new_once_and_then_unchanged(run_json, tea: Path) -> None:
    (first,) = run_json("index", tea)["documents"]
    (second,) = run_json("index", tea)["documents"]
    assert (first["outcome"], second["outcome"]) == ("new", "unchanged")
    assert first["document"] == second["document"]
    assert first["words"] == 39


def test_a_folder_is_read_in_order_and_hidden_files_are_left_out(run_json, tea: Path, coffee: Path) -> None:
    (tea.parent / ".hidden.txt").write_text("Nobody sees this.")
    (tea.parent / "below").mkdir()
    (tea.parent / "below" / "z.txt").write_text("Cocoa is made from beans.")
    reports = run_json("index", tea.parent)["documents"]
    assert [Path(report["source"]).name for report in reports] == ["z.txt", "coffee.txt", "tea.md"]


def test_what_cannot_be_read_is_reported_and_the_rest_indexed(run, tea: Path) -> None:
    (tea.parent / "empty.txt").write_text("")
    (tea.parent / "broken.docx").write_bytes(b"PK\x03\x04 not a zip")
    result = run("index", tea.parent, "--json")
    record = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [Path(failure["source"]).name for failure in record["failed"]] == ["broken.docx", "empty.txt"]
    assert [Path(report["source"]).name for report in record["documents"]] == ["tea.md"]
    assert "2 of 3 sources could not be read" in result.stderr


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.txt", b""),
        ("blank.md", b" \n\t\n"),
        ("binary.txt", bytes(range(256)) * 40),
        ("broken.pdf", b"%PDF-1.7\n1 0 obj\n<<"),
        ("broken.epub", b"PK\x03\x04"),
    ],
)
def test_bad_input_is_named_and_leaves_the_library_alone(run, tea: Path, name: str, content: bytes) -> None:
    run("index", tea)
    before = run("list").stdout
    (tea.parent / name).write_bytes(content)
    result = run("index", name)
    assert result.exit_code == 1
    assert name in result.stderr
    assert "Traceback" not in result.stderr
    assert run("list").stdout == before


def test_a_missing_file_and_an_empty_folder_are_named_and_the_rest_indexed(run, tea: Path) -> None:
    (tea.parent / "hollow").mkdir()
    result = run("index", "gone.txt", "hollow", "x" * 5_000, tea)
    assert result.exit_code == 1
    for name in ("gone.txt", "hollow", "x" * 100):
        assert name in result.stderr
    assert "tea.md" in result.stdout


def test_explain_tells_what_was_understood(run, run_json, tea: Path) -> None:
    text = run("index", tea, "--explain").stdout
    assert "format      markdown" in text
    assert "    Making" in text
    (explained,) = run_json("index", tea, "--explain")["explained"]
    assert [section["title"] for section in explained["outline"]] == ["Tea", "Making", "Keeping"]


def test_explain_reads_standard_input_once(run_json) -> None:
    record = run_json("index", "-", "--explain", stdin="Water boils at 100 degrees.")
    assert record["explained"][0]["words"] == 5
    assert record["documents"][0]["outcome"] == "new"


def test_an_estimate_costs_and_keeps_nothing(run, run_json, paper: Path) -> None:
    record = run_json("index", paper, "--estimate")
    (estimate,) = record["estimates"]
    assert estimate["words"] == len(paper.read_text(encoding="utf-8").split())
    assert estimate["sentences"] > 100
    assert estimate["seconds"] > 0
    assert estimate["llm_calls"] == 0
    assert record["total"]["words"] == estimate["words"]
    assert run("list").stdout == ""


def test_an_update_replaces_what_has_changed(run, run_json, tea: Path, coffee: Path) -> None:
    run("index", tea, coffee)
    tea.write_text(tea.read_text(encoding="utf-8").replace("two minutes", "three minutes"), encoding="utf-8")
    reports = run_json("update")["documents"]
    assert {Path(report["source"]).name: report["outcome"] for report in reports} == {
        "tea.md": "updated",
        "coffee.txt": "unchanged",
    }
    assert len(run_json("list")["documents"]) == 2
    assert "three minutes" in run_json("search", "How long does it stand?")["context"]


def test_an_update_of_a_deleted_file_says_so(run, run_json, tea: Path) -> None:
    run("index", tea)
    (entry,) = run_json("list")["documents"]
    tea.unlink()
    result = run("update")
    assert result.exit_code == 1
    assert result.stderr.count("tea.md") == 1
    assert f"there is no such file; it is still indexed: treatise remove {entry['document']}" in result.stderr


def test_an_update_leaves_uploads_as_they_are_and_says_so(run, run_json, tea: Path, home: Path) -> None:
    run("index", tea)
    with open_library(store=next(home.rglob("treatise.db"))) as library:
        upload = library.index("upload://3f2a90bc/memo.txt", data=b"The memo is short.").document
    result = run("update")
    assert result.exit_code == 0, result.stderr
    assert "stay as they are: 1, such as upload://3f2a90bc/memo.txt" in result.stderr
    assert upload in {entry["document"] for entry in run_json("list")["documents"]}


def test_an_estimate_of_a_long_document_with_tables_at_its_end(run_json, home: Path) -> None:
    page = home / "long.html"
    table = "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>5</td></tr></table>"
    page.write_text(f"<h1>Prices</h1>{'<p>Tea is sold by the cup at the gate.</p>' * 300}{table}", encoding="utf-8")
    assert run_json("index", page, "--estimate")["total"]["seconds"] > 0


def test_explain_and_estimate_exclude_each_other(run, tea: Path) -> None:
    assert run("index", tea, "--explain", "--estimate").exit_code == 2


def test_another_recipe_makes_another_index_of_the_same_document(run_json, tea: Path) -> None:
    run_json("index", tea)
    run_json("index", tea, "--recipe", "flat-chunk")
    (document,) = run_json("list")["documents"]
    assert document["sources"] == [str(tea)]


def test_a_store_that_cannot_be_made_is_named(run, tea: Path) -> None:
    (tea.parent / "file").write_text("in the way")
    result = run("index", tea, "--store", tea.parent / "file" / "library.db")
    assert result.exit_code == 2
    assert f"the folder {tea.parent / 'file'} does not exist" in result.stderr


def test_what_is_no_store_is_named_and_left_as_it_was(run, tea: Path) -> None:
    result = run("index", tea, "--store", tea)
    assert result.exit_code == 1
    assert "tea.md" in result.stderr
    assert tea.read_text(encoding="utf-8").startswith("# Tea")


def test_a_store_of_a_newer_version_is_refused(run, tea: Path) -> None:
    import sqlite3

    run("index", tea, "--store", "library.db")
    with sqlite3.connect("library.db") as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    result = run("list", "--store", "library.db")
    assert result.exit_code == 1
    assert "upgrade Treatise" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file names")
def test_a_file_name_that_is_not_text_is_no_obstacle(run, home: Path) -> None:
    import os

    path = os.fsencode(home) + b"/\xff\xfe.txt"
    Path(os.fsdecode(path)).write_text("Water boils at 100 degrees.")
    assert run("index", home).exit_code == 0
    assert run("list").exit_code == 0
    assert run("list", "--json").exit_code == 0
    assert run("ask", home, "When does water boil?").exit_code == 0


def test_an_estimate_counts_the_calls_of_the_model_that_is_set(run_json, tea: Path, monkeypatch) -> None:
    monkeypatch.setenv("TREATISE_LLM", "http://127.0.0.1:9/v1")  # nothing listens there: an estimate asks nobody
    monkeypatch.setenv("TREATISE_LLM_MODEL", "any")
    record = run_json("index", tea, "--estimate", "--recipe", "disretrieval")
    assert record["estimates"][0]["llm_calls"] > 0


def test_what_a_folder_passes_over_is_said_in_one_line(run, tea: Path) -> None:
    (tea.parent / "photo.png").write_bytes(b"\x89PNG")
    (tea.parent / ".gitignore").write_text("*.txt\n")
    (tea.parent / "draft.txt").write_text("Not yet.")
    result = run("index", tea.parent)
    assert result.exit_code == 0
    assert "passed over 2 hidden, 1 ignored by .gitignore, 1 of other types" in result.stderr
    assert "draft" not in result.stdout


def test_folders_take_patterns(run_json, tea: Path) -> None:
    (tea.parent / "notes.log").write_text("Tea was drunk at five.")
    reports = run_json("index", tea.parent, "--include", "*.log")["documents"]
    assert [Path(report["source"]).name for report in reports] == ["notes.log"]


def test_the_formats_are_listed(run) -> None:
    assert "RTF                      .rtf" in run("index", "--formats").stdout
    for arguments in (("--formats", "--json"), ("--json", "--formats")):
        formats = json.loads(run("index", *arguments).stdout)["formats"]
        assert {"name": "rtf", "label": "RTF", "suffixes": [".rtf"]} in formats
