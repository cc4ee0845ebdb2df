import base64
import gzip
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from evaluate.nasty import GOLD, write_nasty

from tests.evaluate.specs import make_spec
from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import Retrieved
from treatise.evaluate.report.collect import Results, collect
from treatise.evaluate.report.html import report_html
from treatise.evaluate.report.page import page, utf16_offsets
from treatise.evaluate.run.retrieval import run
from treatise.recipes import BALANCED, FLAT_SENTENCE

BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
TEMPLATES = Path(__file__).parents[2] / "src" / "treatise" / "evaluate" / "report" / "templates"


@pytest.fixture
def results(tmp_path: Path, encoder) -> Results:
    data = write_nasty(tmp_path)
    run(make_spec("qasper", data, [FLAT_SENTENCE, BALANCED], [15, 40], tmp_path / "out", encoder=encoder))
    return collect([tmp_path / "out"])


def unpacked(html: str, name: str) -> dict:
    text = re.search(rf'<script type="application/octet-stream" id="data-{name}">(.*?)</script>', html)[1]
    return json.loads(gzip.decompress(base64.b64decode(text)))


def in_javascript(text: str, start: int, end: int) -> str:
    """``text.slice(start, end)`` as JavaScript does it."""
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")


def test_highlights_are_exactly_the_spans_of_results_and_gold(results: Results) -> None:
    html = report_html(results)
    index, texts = unpacked(html, "index"), unpacked(html, "texts")
    labelled = [
        (number, one.document, question) for number, one in enumerate(results.documents) for question in one.questions
    ]
    assert [(one["id"], one["document"]) for one in index["questions"]] == [(q.id, n) for n, _, q in labelled]
    for cell, (recipe, budget, retrieved) in zip(index["cells"], results.cells, strict=True):
        assert (cell["recipe"], cell["budget"]) == (recipe, budget)
        for shown, (number, document, question) in zip(cell["retrieved"], labelled, strict=True):
            text = texts[str(number)]["text"]
            assert text == document.text
            pieces = [in_javascript(text, *pair) for pair in shown["spans"]]
            assert pieces == [document.text[s.start : s.end] for s in retrieved[question.id].spans]
            assert "\n\n".join(pieces) == retrieved[question.id].context
            assert "context" not in shown
    for one in index["questions"]:
        (reference,) = one["references"]
        text = texts[str(one["document"])]["text"]
        assert [in_javascript(text, *pair) for pair in reference["spans"]] == [GOLD]
        assert reference["lost"] == ["It stands nowhere."]


def test_a_context_that_is_not_its_spans_is_kept_as_it_was_given(results: Results) -> None:
    recipe, budget, retrieved = results.cells[0]
    results.cells[0] = (recipe, budget, {**retrieved, "q1": Retrieved("Other words.", retrieved["q1"].spans)})
    shown = unpacked(report_html(results), "index")["cells"][0]["retrieved"]
    assert shown[0]["context"] == "Other words."


def test_figures_are_those_of_the_summary(results: Results, tmp_path: Path) -> None:
    rows = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["rows"]
    index = unpacked(report_html(results), "index")
    assert index["baseline"] == "flat-sentence"
    for cell, row in zip(index["cells"], rows, strict=True):
        assert (cell["scores"], cell["differences"]) == (row["scores"], row["differences"])
        assert len(cell["values"]["f1"]) == len(index["questions"]) == 3
        assert sum(cell["values"]["f1"]) / 3 == pytest.approx(row["scores"]["f1"]["mean"], abs=0.01)


class Tags(HTMLParser):
    """Every tag of a page, and what it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "data")]


def test_text_cannot_break_the_page_and_nothing_is_loaded(results: Results) -> None:
    html = report_html(results)
    tags = Tags()
    tags.feed(html)
    assert tags.loads == []
    assert tags.tags.count("script") == html.count("</script>") == 3
    assert not {"img", "i", "b", "link"} & set(tags.tags)
    assert "alert(" not in html
    assert "innerHTML" not in html


def test_a_title_is_text() -> None:
    html = page("report", title="</title><script>1", data={}, fallback="<pre> & $style")
    assert "&lt;/title&gt;&lt;script&gt;1" in html
    assert "&lt;pre&gt; &amp; $style" in html


def test_equal_results_give_equal_bytes(results: Results) -> None:
    assert report_html(results) == report_html(results)


def test_only_the_documents_of_the_lowest_scores_can_be_kept(results: Results) -> None:
    found = {"q1": Retrieved(GOLD, ()), "q2": Retrieved(GOLD, ()), "q3": Retrieved("Another matter.", ())}
    results.cells[:] = [(recipe, budget, found) for recipe, budget, _ in results.cells]
    html = report_html(results, n_documents=1)
    assert set(unpacked(html, "texts")) == {"1"}
    index = unpacked(html, "index")
    assert len(index["questions"]) == 3
    assert [one is None for one in index["cells"][0]["retrieved"]] == [True, True, False]
    assert len(html) < len(report_html(results))


def test_the_baseline_can_be_named(results: Results) -> None:
    index = unpacked(report_html(results, baseline="balanced"), "index")
    assert [bool(cell["differences"]) for cell in index["cells"]] == [True, True, False, False]
    with pytest.raises(DataError, match="bm25"):
        report_html(results, baseline="bm25")


def test_offsets_are_counted_as_javascript_does() -> None:
    text = "a𝒳b😀"
    for start in range(5):
        for end in range(start, 5):
            assert in_javascript(text, *utf16_offsets(text, [start, end])) == text[start:end]


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_pieces_of_a_text_tile_it_and_carry_the_layers_that_cover_them() -> None:
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    call = "console.log(JSON.stringify(segments(0, 10, {found: [[2, 6], [8, 9]], gold: [[4, 9]]})))"
    done = subprocess.run(["node", "-e", f"{script}\n{call}"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [
        [0, 2, []],
        [2, 4, ["found"]],
        [4, 6, ["found", "gold"]],
        [6, 8, ["gold"]],
        [8, 9, ["found", "gold"]],
        [9, 10, []],
    ]


class Panel(HTMLParser):
    """The text of the element with id ``document``, whole, and what of it is found, gold and both."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.names: list[str] = []
        self.pieces: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if self.depth:
            self.depth += 1
            self.names.append(given.get("class") or "")
        elif given.get("id") == "document":
            self.depth = 1

    def handle_endtag(self, tag: str) -> None:
        if self.depth:
            self.depth -= 1
            self.names = self.names[:-1]

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.pieces.append((" ".join(self.names), data))

    def text(self, name: str = "") -> str:
        return "".join(piece for names, piece in self.pieces if not name or name in names.split())


@pytest.mark.slow
@pytest.mark.skipif(not BROWSER, reason="needs Chromium")
def test_a_browser_shows_the_document_to_the_letter_with_its_highlights(results: Results, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text(report_html(results), encoding="utf-8")
    url = f"{report.as_uri()}#/cell/balanced/40/f1/question/q3"
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=10000",
        f"--user-data-dir={tmp_path}/b",
    ]
    done = subprocess.run([BROWSER, *flags, "--dump-dom", url], capture_output=True, text=True, timeout=120, check=True)
    panel = Panel()
    panel.feed(done.stdout)
    document = results.documents[1].document
    assert panel.text() == document.text
    assert panel.text("gold") == GOLD
    (retrieved,) = [found for recipe, budget, found in results.cells if (recipe, budget) == ("balanced", 40)]
    spans = sorted((span.start, span.end) for span in retrieved["q3"].spans)
    assert panel.text("found") == "".join(document.text[start:end] for start, end in spans)


def test_results_of_several_folders_stand_side_by_side(tmp_path: Path, encoder) -> None:
    data = write_nasty(tmp_path)
    run(make_spec("qasper", data, [FLAT_SENTENCE], [15], tmp_path / "one", encoder=encoder))
    run(
        make_spec(
            "qasper", data, [FLAT_SENTENCE, BALANCED], [15], tmp_path / "two", encoder=encoder, baseline="balanced"
        )
    )
    both = collect([tmp_path / "one", tmp_path / "two"])
    assert [cell[0] for cell in both.cells] == ["flat-sentence (one)", "flat-sentence (two)", "balanced"]
    assert both.baseline == "flat-sentence (one)"
    assert collect([tmp_path / "two"]).baseline == "balanced"
    run(make_spec("qasper", data, [FLAT_SENTENCE], [15], tmp_path / "fewer", encoder=encoder, limit=1))
    with pytest.raises(DataError, match="only results on the same documents compare"):
        collect([tmp_path / "one", tmp_path / "fewer"])


def test_a_folder_without_results_and_another_data_file_are_named(results: Results, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"gone.*summary\.json"):
        collect([tmp_path / "gone"])
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match=r"other\.json is not the file"):
        collect([tmp_path / "out"], other)
    (tmp_path / "nasty.json").rename(tmp_path / "moved.json")
    with pytest.raises(DataError, match="--data"):
        collect([tmp_path / "out"])
    assert len(collect([tmp_path / "out"], tmp_path / "moved.json").documents) == 2
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    summary["record"]["schema"] = 0
    (tmp_path / "out" / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    with pytest.raises(DataError, match="another version"):
        collect([tmp_path / "out"], tmp_path / "moved.json")
