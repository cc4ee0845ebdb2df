"""``treatise parse``: the formats, the JSON lines of PROMISES, and what is refused."""

import json
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree

import pytest

from treatise.compose import MULTILINGUAL_PACKAGES

UNITS = {"id": "a", "lang": "en", "level": "edu", "paragraphs": [["Water boils", "when it is hot."], ["Wait."]]}


def _lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("units", ["sentence", "edu"])
def test_json_holds_the_units_and_one_node_less(run_json, tea: Path, units: str) -> None:
    row = run_json("parse", tea, "--units", units)
    n_units = sum(map(len, row["paragraphs"]))
    assert row["level"] == units
    assert len(row["tree"]) == n_units - 1
    assert "Let it stand for two minutes." in " ".join(unit for part in row["paragraphs"] for unit in part)


@pytest.mark.parametrize("form", ["brackets", "rs3", "rs4", "dis"])
def test_every_format_holds_every_sentence(run, tea: Path, form: str) -> None:
    result = run("parse", tea, "--format", form)
    assert result.exit_code == 0
    assert "Let it stand for two minutes." in result.stdout
    if form.startswith("rs"):
        assert ElementTree.fromstring(result.stdout).tag == "rst"


def test_files_of_the_shared_task_hold_every_token(run, tea: Path) -> None:
    rows = {}
    for form in ("tok", "conllu", "rels"):
        result = run("parse", tea, "--format", form, "--units", "edu")
        assert result.exit_code == 0
        rows[form] = [line.split("\t") for line in result.stdout.splitlines() if line and not line.startswith("#")]
    assert {len(row) for row in rows["tok"] + rows["conllu"]} == {10}
    assert [row[1] for row in rows["tok"]] == [row[1] for row in rows["conllu"]]
    n_units = sum("Seg=B-seg" in row[9] for row in rows["tok"])
    assert {len(row) for row in rows["rels"]} == {15}
    assert 0 < len(rows["rels"]) - 1 <= n_units - 1


def test_lines_of_units_become_lines_of_trees(run, run_json, home: Path) -> None:
    source = _lines(home / "units.jsonl", UNITS, UNITS | {"id": "b", "paragraphs": [["One."]]})
    assert run_json("parse", "--input", source, "--output", "trees.jsonl")["lines"] == 2
    first, second = map(json.loads, (home / "trees.jsonl").read_text(encoding="utf-8").splitlines())
    assert first["id"] == "a"
    assert {(node["start"], node["split"], node["end"]) for node in first["tree"]} == {(0, 1, 2), (0, 2, 3)}
    assert first["tree"][0].keys() == {"start", "split", "end", "nuclearity", "relation"}
    assert second == {"id": "b", "tree": []}
    piped = run("parse", "--input", "-", stdin=source.read_bytes())
    assert piped.stdout == (home / "trees.jsonl").read_text(encoding="utf-8")


def test_a_byte_order_mark_is_no_part_of_the_first_line(run_json, home: Path) -> None:
    source = home / "units.jsonl"
    source.write_text(json.dumps(UNITS) + "\r\n", encoding="utf-8-sig")
    assert run_json("parse", "--input", source, "--output", "trees.jsonl")["lines"] == 1


def test_a_language_that_no_model_knows_is_named_once(run, home: Path) -> None:
    unknown = UNITS | {"lang": "xx"}
    result = run("parse", "--input", _lines(home / "units.jsonl", unknown, unknown, UNITS))
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3
    if not all(map(find_spec, MULTILINGUAL_PACKAGES)):
        assert result.stderr.count("no installed model supports 'xx'") == 1


def test_sentences_are_cut_without_loss(run, home: Path) -> None:
    sentence = "Water boils because it is hot, although the kettle is small."
    source = _lines(home / "texts.jsonl", {"id": "a", "lang": "en", "sentences": [sentence]})
    result = run("parse", "--segment", "--input", source, "--output", "edus.jsonl")
    assert result.exit_code == 0
    (edus,) = json.loads((home / "edus.jsonl").read_text(encoding="utf-8"))["edus"]
    assert len(edus) == 3
    assert " ".join(edus) == sentence


def test_a_broken_line_is_named(run, home: Path) -> None:
    (home / "units.jsonl").write_text(json.dumps(UNITS) + "\n{oops\n", encoding="utf-8")
    result = run("parse", "--input", "units.jsonl", "--output", "trees.jsonl")
    assert result.exit_code == 1
    assert "units.jsonl: line 2" in result.stderr


def test_lines_that_are_not_utf_8_are_named(run, home: Path) -> None:
    (home / "units.jsonl").write_bytes(b'{"id": "\xff"}\n')
    result = run("parse", "--input", "units.jsonl")
    assert result.exit_code == 1
    assert "units.jsonl is not UTF-8" in result.stderr


def test_a_file_that_is_not_there_is_named(run, tea: Path) -> None:
    for arguments in (["gone.md"], ["--input", "gone.jsonl"], ["--input", str(tea), "--output", "no/such/folder"]):
        result = run("parse", *arguments)
        assert result.exit_code == 1
        assert arguments[-1] in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["tea.md", "--input", "x"],
        ["tea.md", "--segment"],
        ["tea.md", "--format", "xml"],
        ["--input", "x", "--json"],
    ],
)
def test_options_that_do_not_fit_are_wrong_usage(run, tea: Path, arguments: list[str]) -> None:
    assert run("parse", *arguments).exit_code == 2


@pytest.mark.parametrize("same", ["units.jsonl", "./units.jsonl"])
def test_the_input_is_not_overwritten_by_its_output(run, home: Path, same: str) -> None:
    source = _lines(home / "units.jsonl", UNITS)
    before = source.read_bytes()
    result = run("parse", "--input", "units.jsonl", "--output", same)
    assert result.exit_code == 2
    assert "would be overwritten" in result.stderr
    assert source.read_bytes() == before


def test_what_a_source_has_no_use_for_is_refused(run, tea: Path, home: Path) -> None:
    result = run("parse", tea, "--output", "tree.txt")
    assert result.exit_code == 2
    assert "--output is for the lines of --input" in result.stderr
    assert not (home / "tree.txt").exists()
    result = run("parse", home)
    assert result.exit_code == 2
    assert "is a folder" in result.stderr


def test_a_language_is_named_once_for_segmenter_and_parser(run, home: Path) -> None:
    (home / "zh.md").write_text("# 茶\n\n茶叶产于中国。因为便于运输,所以卖到边疆。\n", encoding="utf-8")
    result = run("parse", "zh.md", "--units", "edu")
    assert result.exit_code == 0
    if not all(map(find_spec, MULTILINGUAL_PACKAGES)):
        assert result.stderr.count("no installed model supports 'zh'") == 1


def test_a_format_that_cannot_hold_the_text_names_the_source(run, home: Path) -> None:
    (home / "bell.txt").write_text("A bell\x07 rang. It was late.", encoding="utf-8")
    result = run("parse", "bell.txt", "--format", "rs4")
    assert result.exit_code == 1
    assert "bell.txt: unit 1" in result.stderr
    assert "another --format" in result.stderr
