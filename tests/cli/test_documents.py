"""``treatise search``, ``list``, ``show`` and ``remove``."""

from pathlib import Path

import pytest

from tests.engines.conftest import QUICK_RETRY, Answer, serve  # noqa: F401  (a fixture)
from treatise.ingest import read_document


def test_search_prints_passages_below_their_places(run, tea: Path, coffee: Path) -> None:
    run("index", tea, coffee)
    lines = run("search", "roasting coffee").stdout.splitlines()
    assert lines[0] == "coffee.txt"
    assert lines[1] == "  Coffee beans are roasted at 220 degrees."


def test_search_json_holds_places_and_the_context_for_a_reader(run_json, paper: Path, paper_store: Path) -> None:
    record = run_json("search", "early warning", "--budget", "50", "--store", paper_store)
    text = read_document(paper).text
    assert len(record["context"].split()) == 50
    for passage in record["evidence"]:
        assert text[passage["start"] : passage["end"]] == passage["text"]
        assert passage["section"]


def test_search_within_a_document_looks_nowhere_else(run_json, tea: Path, coffee: Path) -> None:
    first, _ = (one["document"] for one in run_json("index", tea, coffee)["documents"])
    record = run_json("search", "coffee", "--in", first[:5])
    assert {passage["document"] for passage in record["evidence"]} == {first}


def test_the_list_is_a_table_with_tabs_in_a_pipe(run, run_json, tea: Path, coffee: Path) -> None:
    reports = run_json("index", tea, coffee)["documents"]
    rows = [row.split("\t") for row in run("list").stdout.splitlines()]
    assert [row[0] for row in rows] == [report["document"] for report in reports]
    assert rows[0][1:] == ["39", str(tea), "Tea", "", ""]
    listed = run_json("list")["documents"]
    assert [document["title"] for document in listed] == [row[3] for row in rows]
    assert {"document", "title", "language", "sources", "words", "units", "indexed_at"} <= listed[0].keys()


def test_an_empty_list_is_an_empty_list(run, run_json) -> None:
    assert run("list").stdout == ""
    assert run_json("list") == {"documents": []}


def test_a_removed_document_is_gone_and_its_file_is_not(run, run_json, tea: Path, coffee: Path) -> None:
    first, second = (one["document"] for one in run_json("index", tea, coffee)["documents"])
    assert run_json("remove", first[:6])["removed"][0]["document"] == first
    assert [document["document"] for document in run_json("list")["documents"]] == [second]
    assert tea.exists()


@pytest.mark.parametrize("command", [["remove"], ["show"], ["search", "x", "--in"]])
def test_an_unknown_id_is_named(run, tea: Path, command: list[str]) -> None:
    run("index", tea)
    result = run(*command, "ffff")
    assert result.exit_code == 1
    assert "'ffff'" in result.stderr
    assert "treatise list" in result.stderr


def test_removing_one_known_and_one_unknown_removes_neither(run, run_json, tea: Path) -> None:
    (report,) = run_json("index", tea)["documents"]
    assert run("remove", report["document"], "ffff").exit_code == 1
    assert len(run_json("list")["documents"]) == 1


def test_show_prints_the_outline(run, run_json, tea: Path) -> None:
    (report,) = run_json("index", tea)["documents"]
    lines = run("show", report["document"][:6]).stdout.splitlines()
    assert lines[0] == "Tea"
    assert any(line.startswith("  Making") for line in lines)
    record = run_json("show", report["document"])
    assert [section["title"] for section in record["outline"]] == ["Tea", "Making", "Keeping"]


def test_show_prints_the_tree(run, run_json, tea: Path) -> None:
    (report,) = run_json("index", tea)["documents"]
    whole = run("show", report["document"], "--tree").stdout
    assert "Let it stand for two minutes." in whole
    assert "├─" in whole
    assert "└─" in whole
    upper = run("show", report["document"], "--tree", "--depth", "1").stdout
    assert "units" in upper
    assert len(upper.splitlines()) == 3


def test_the_tree_as_json_is_that_of_the_promises(run_json, tea: Path) -> None:
    (report,) = run_json("index", tea)["documents"]
    record = run_json("show", report["document"], "--tree")
    assert len(record["tree"]) == len(record["units"]) - 1
    assert record["tree"][0].keys() == {"start", "split", "end", "nuclearity", "relation"}
    text = read_document(tea).text
    assert (
        text[record["units"][-1]["start"] : record["units"][-1]["end"]] == "Light and air make tea stale within weeks."
    )


def test_a_tree_of_a_recipe_that_was_not_used_says_how_to_make_it(run, run_json, tea: Path) -> None:
    (report,) = run_json("index", tea)["documents"]
    result = run("show", report["document"], "--tree", "--recipe", "flat-chunk")
    assert result.exit_code == 1
    assert "treatise index" in result.stderr


@pytest.mark.parametrize(("name", "start"), [("TREE.SVG", "<svg"), ("Tree.Html", "<!")])
def test_the_ending_of_a_drawing_counts_in_any_case(
    run, run_json, tea: Path, home: Path, name: str, start: str
) -> None:
    (report,) = run_json("index", tea)["documents"]
    assert run("show", report["document"], "--tree", "--out", name).exit_code == 0
    assert (home / name).read_text(encoding="utf-8").lower().startswith(start)
    assert run("show", report["document"], "--graph", "When does water boil?", "--out", name).exit_code == 0
    assert (home / name).read_text(encoding="utf-8").lower().startswith(start)


def test_the_graph_of_a_question_names_passages_and_links(run, run_json, tea: Path, tmp_path: Path) -> None:
    (document,) = (one["document"] for one in run_json("index", tea)["documents"])
    out = tmp_path / "graph.html"
    record = run_json("show", document, "--graph", "How long is tea steeped?", "--out", out)
    assert record["passages"]
    assert all({link["source"], link["target"]} <= set(range(len(record["passages"]))) for link in record["links"])
    assert "How long is tea steeped?" in out.read_text("utf-8")
    printed = run("show", document, "--graph", "How long is tea steeped?").stdout
    assert "[1]" in printed
    assert ("only one passage" in printed) == (len(record["passages"]) == 1)


def test_a_graph_whose_model_fails_is_the_one_without_it_and_says_so(run, run_json, home: Path, serve) -> None:  # noqa: F811
    source = home / "a.txt"
    topics = ("tea", "coffee", "cocoa")
    source.write_text("\n\n".join(f"The {t} of day {i} is kept in jar {i}." for t in topics for i in range(40)))
    (document,) = (one["document"] for one in run_json("index", source)["documents"])
    local = run_json("show", document, "--graph", "Where is tea kept?")
    server = serve(lambda *_: Answer({"error": {"message": "oops"}}, 500, QUICK_RETRY))
    options = ("--graph", "Where is tea kept?", "--llm", server.url, "--llm-model", "m")
    record = run_json("show", document, *options)
    (note,) = record.pop("notes")
    assert len(local["passages"]) > 1
    assert "failed: m at" in note
    assert local.pop("notes") == []
    assert record == local
    assert f"Note: {note}." in run("show", document, *options).stdout


def test_a_tree_is_drawn_into_a_file(run, run_json, tea: Path, tmp_path: Path) -> None:
    (document,) = (one["document"] for one in run_json("index", tea)["documents"])
    for name in ("tree.svg", "tree.html"):
        run("show", document, "--tree", "--out", tmp_path / name)
        assert "Tea" in (tmp_path / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        (["--out", "tree.svg"], 2, "add --tree or --graph"),
        (["--tree", "--out", "tree.png"], 2, "should end in .html or .svg"),
        (["--tree", "--out", "/no/such/folder/tree.svg"], 1, "cannot be written"),
        (["--graph", "Why?", "--recipe", "flat-sentence"], 2, "builds no graph"),
        (["--graph", "Why?", "--tree"], 2, "use one of them"),
    ],
)
def test_what_cannot_be_drawn_is_refused(run, run_json, tea: Path, options: list[str], status: int, says: str) -> None:
    (document,) = (one["document"] for one in run_json("index", tea)["documents"])
    done = run("show", document, *options)
    assert done.exit_code == status
    assert says in done.stderr


def test_recipes_are_listed_with_what_they_are_made_of(run, run_json) -> None:
    listed = {row["name"]: row for row in run_json("list", "--recipes")["recipes"]}
    assert (listed["disretrieval"]["tree"], listed["disretrieval"]["notes"]) == ("discourse", "llm")
    assert listed["treatise-reranked"]["is_reranked"]
    rows = dict(row.split(maxsplit=1) for row in run("list", "--recipes").stdout.splitlines())
    assert rows["bm25"] == "units sentence, tree flat, scores bm25"
    assert "graph listwise" in rows["disco-rag"]
    assert len(rows) == len(listed)


def test_an_unknown_recipe_gets_the_nearest_names_and_where_all_are(run) -> None:
    said = run("search", "tea", "--recipe", "disretreival").stderr
    assert "did you mean disretrieval" in said
    assert "treatise list --recipes" in said
    assert len(said) < 300


def test_words_of_chinese_are_counted_without_spaces(run_json, home: Path) -> None:
    (home / "tea.txt").write_text("水在一百度时沸腾。绿茶需要较凉的水。请把茶叶放在罐子里保存。\n", encoding="utf-8")
    (report,) = run_json("index", "tea.txt")["documents"]
    (entry,) = run_json("list")["documents"]
    assert report["words"] == entry["words"] == run_json("show", entry["document"])["words"]
    assert 14 <= entry["words"] <= 18


def test_a_missing_store_is_named_and_not_created(run, home: Path) -> None:
    result = run("list", "--store", "none.db")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "none.db does not exist yet" in result.stderr
    assert not list(home.iterdir())


def test_authors_and_dates_of_files_are_listed_and_filtered_by(run, run_json, home: Path) -> None:
    page = home / "cups.md"
    page.write_text("---\ntitle: On Cups\nauthor: Ada Byron\ndate: 2021-03-04\n---\n\nA cup holds a pint of tea.\n")
    other = home / "pots.md"
    other.write_text("---\ntitle: On Pots\nauthor: Grace Hopper\ndate: 1999\n---\n\nA pot holds a quart of tea.\n")
    (report, _) = run_json("index", page, other)["documents"]
    found = run("list", "--where", "year >= 2020 and author contains Byron").stdout.splitlines()
    assert [row.split("\t")[3:] for row in found] == [["On Cups", "Ada Byron", "2021-03-04"]]
    asked = run_json("search", "How much does it hold?", "--where", "year < 2020")
    assert [one["author"] for one in asked["documents"]] == [["Grace Hopper"]]
    run("tag", report["document"], "--set", "author=Countess of Lovelace")
    assert run("list", "--where", "author contains Lovelace").stdout.count("\n") == 1


def test_a_document_may_be_named_by_its_file(run, run_json, tea: Path, coffee: Path) -> None:
    ids = {Path(one["source"]).name: one["document"] for one in run_json("index", tea, coffee)["documents"]}
    for name in (tea, tea.name, ids[tea.name][:6]):
        assert run_json("show", name)["document"] == ids[tea.name], name
    found = run_json("search", "What is made from beans?", "--in", coffee.name)
    assert {passage["document"] for passage in found["evidence"]} == {ids[coffee.name]}
    run_json("remove", tea.name)
    assert [entry["document"] for entry in run_json("list")["documents"]] == [ids[coffee.name]]


def test_a_name_that_two_files_share_is_refused(run, run_json, home: Path) -> None:
    files = home / "black" / "tea.txt", home / "green" / "tea.txt"
    for file in files:
        file.parent.mkdir()
        file.write_text(f"This tea is {file.parent.name}.")
    run_json("index", *files)
    result = run("show", "tea.txt")
    assert result.exit_code == 1
    assert "could be" in result.stderr
    assert "whole path" in result.stderr
    assert len({run_json("show", file)["document"] for file in files}) == 2
