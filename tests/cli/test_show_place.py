"""``treatise show --page``, ``--span`` and ``--text``."""

from pathlib import Path

import pytest

from tests.ingest.pdf_writer import Text, pdf

PAGES = [
    [Text(60, 700, "Green tea wants cooler water than black tea does."), Text(60, 660, "Boil the water once.")],
    [Text(60, 700, "Coffee is another matter, and it is roasted at 220 degrees.")],
]


@pytest.fixture
def manual(home: Path) -> Path:
    path = home / "manual.pdf"
    path.write_bytes(pdf(PAGES))
    return path


@pytest.fixture
def document(run_json, manual: Path) -> str:
    return run_json("index", manual)["documents"][0]["document"]


def offsets(run_json, document: str, page: int, text: str) -> str:
    record = run_json("show", document, "--page", page)
    start = record["start"] + record["text"].index(text)
    return f"{start}-{start + len(text)}"


def test_a_page_is_printed_with_its_number(run, run_json, document: str) -> None:
    assert "roasted at 220 degrees" in run("show", document, "--page", 2).stdout
    record = run_json("show", document, "--page", 2)
    assert (record["page"], record["pages"], record["png"], record["boxes"]) == (2, 2, None, [])
    assert record["text"].startswith("Coffee")


def test_offsets_are_explained_with_their_place_and_context(run, run_json, document: str) -> None:
    at = offsets(run_json, document, 1, "black tea")
    record = run_json("show", document, "--text", at)
    assert (record["quote"], record["page"]) == ("black tea", 1)
    assert record["before"].endswith("cooler water than ")
    lines = run("show", document, "--text", at).stdout.splitlines()
    assert "page 1" in lines[0]
    assert "    black tea" in lines


def test_offsets_within_words_show_whole_words_and_json_the_letters(run, run_json, home: Path) -> None:
    (home / "long.txt").write_text(f"{'Teapots ' * 60}hold boiling water. {'Kettles ' * 60}", encoding="utf-8")
    id_ = run_json("index", "long.txt")["documents"][0]["document"]
    start = 480 + len("hold boi")
    record = run_json("show", id_, "--text", f"{start}-{start + 7}")
    assert record["quote"] == "ling wa"
    assert set(f"{record['before']}ling wa{record['after']}".split()) == {
        *("Teapots", "hold", "boiling", "water.", "Kettles")
    }
    lines = run("show", id_, "--text", f"{start}-{start + 7}").stdout.splitlines()
    assert "    boiling water" in lines
    assert {"hol", "hold"} & set(lines[2].split()) == {"hold"}


def test_words_of_scripts_without_spaces_are_not_completed(run, run_json, home: Path) -> None:
    (home / "tea.txt").write_text("绿茶用七十度的水泡两分钟。", encoding="utf-8")
    id_ = run_json("index", "tea.txt")["documents"][0]["document"]
    assert "    七十度" in run("show", id_, "--text", "3-6").stdout.splitlines()


def test_a_citation_is_drawn_on_its_page(run_json, document: str, tmp_path: Path) -> None:
    out = tmp_path / "page.png"
    record = run_json("show", document, "--span", offsets(run_json, document, 2, "220 degrees"), "--png", out)
    (box,) = record["boxes"]
    assert (box["page"], record["page"], record["png"]) == (2, 2, str(out))
    assert box["y0"] < 842 - 700 < box["y1"]
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--page", "3"], "has pages 1 to 2, and no page 3"),
        (["--text", "5-99999"], "is beyond its end"),
        (["--text", "9-5"], "the smaller one first"),
        (["--text", "abc"], "two offsets, such as 12345-12399"),
        (["--text", f"1-{'9' * 5000}"], "two offsets, such as 12345-12399"),
        (["--png", "x.png"], "add --page N or --span"),
        (["--page", "1", "--png", "x.jpg"], "should end in .png"),
        (["--page", "1", "--tree"], "use one of them"),
        (["--page", "1", "--png", "/absent/x.png"], "cannot be written"),
    ],
)
def test_bad_places_are_refused_with_a_reason(run, document: str, options: list[str], message: str) -> None:
    result = run("show", document, *options)
    assert result.exit_code in (1, 2)
    assert message in result.stderr


def test_a_changed_source_is_not_drawn(run, document: str, manual: Path) -> None:
    manual.write_bytes(pdf([[Text(60, 700, "Quite another text.")]]))
    result = run("show", document, "--page", 1, "--png", "x.png")
    assert result.exit_code == 1
    assert f"has changed since it was indexed as {document}" in result.stderr
    manual.unlink()
    assert "no such file" in run("show", document, "--page", 1, "--png", "x.png").stderr


def test_a_text_without_pages_says_what_to_use_instead(run, run_json, tea: Path) -> None:
    document = run_json("index", tea)["documents"][0]["document"]
    assert "has no pages; print its text with: --text" in run("show", document, "--page", 1).stderr
