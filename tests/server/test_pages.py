"""Pictures of pages, boxes, the structure of a section, and the files of the page, over HTTP."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the server needs treatise[server]")

from tests.ingest.pdf_writer import Text, pdf
from treatise.parse.parser import DocumentParser, TransitionParser
from treatise.parse.scorer import NullScorer

PAGES = [
    [Text(60, 700, "Green tea wants cooler water than black tea does."), Text(60, 660, "Boil the water once.")],
    [Text(100, 500, "Coffee is another matter, and it is roasted at 220 degrees.", 12)],
]
COFFEE = "Coffee is another matter, and it is roasted at 220 degrees."


@pytest.fixture(scope="module")
def manual(shared: Any) -> Iterator[tuple[str, int, int]]:
    """Id of an uploaded PDF, and the offsets of a sentence on its second page."""
    job = shared.upload(manual_pdf=pdf(PAGES))
    document = job["files"][0]["document"]
    text = shared.client.get(f"/api/v1/documents/{document}/text").json()["text"]
    start = text.index(COFFEE)
    yield document, start, start + len(COFFEE)
    shared.client.delete(f"/api/v1/documents/{document}").raise_for_status()


def test_a_page_is_a_picture_and_its_highlight_changes_it(shared: Any, manual: tuple[str, int, int]) -> None:
    document, start, end = manual
    path = f"/api/v1/documents/{document}/pages/2.png"
    plain = shared.client.get(path)
    marked = shared.client.get(path, params={"start": start, "end": end})
    assert plain.headers["content-type"] == marked.headers["content-type"] == "image/png"
    assert plain.content.startswith(b"\x89PNG")
    assert plain.content[25] == 0, "a page of black text is grey"
    assert marked.content[25] == 2, "the highlight has a colour"
    assert "private" in plain.headers["cache-control"]


def test_boxes_say_where_a_span_stands(shared: Any, manual: tuple[str, int, int]) -> None:
    document, start, end = manual
    reply = shared.client.get(f"/api/v1/documents/{document}/boxes", params={"start": start, "end": end}).json()
    (box,) = reply["boxes"]
    assert box["page"] == 2
    assert box["x0"] == pytest.approx(100, abs=1)
    assert box["y0"] < 842 - 500 < box["y1"]
    assert reply["pages"] == [{"page": 2, "width": 595, "height": 842}]


@pytest.mark.parametrize(
    ("path", "status", "part"),
    [
        ("pages/3.png", 409, "has pages 1 to 2, and no page 3"),
        ("boxes?start=5&end=999999", 422, "offsets in ascending order"),
        ("boxes?start=9&end=5", 422, "offsets in ascending order"),
        ("pages/2.png?scale=99", 422, "scale"),
        ("structure?start=9999999", 422, "start should be below end"),
        ("structure?start=1&end=3", 422, "no paragraph begins within"),
    ],
)
def test_bad_places_are_problems_with_a_reason(
    shared: Any, manual: tuple[str, int, int], path: str, status: int, part: str
) -> None:
    reply = shared.client.get(f"/api/v1/documents/{manual[0]}/{path}")
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")
    assert part in reply.json()["detail"]
    assert "upload://" not in reply.text


def test_a_text_has_no_picture_and_the_problem_names_the_file_only(shared: Any, ids: dict[str, str]) -> None:
    reply = shared.client.get(f"/api/v1/documents/{ids['tea.md']}/pages/1.png")
    assert reply.status_code == 409
    assert reply.json()["detail"].startswith("tea.md: no PDF")


def test_the_structure_of_a_part_joins_its_sentences_in_offsets_of_the_document(start: Any) -> None:
    server = start(engines={"parser": DocumentParser(TransitionParser(NullScorer()))})
    document = server.index("tea.md", "# Tea\n\nBoil water. Wait.\n\n# Coffee\n\nGrind beans. Pour. Drink it soon.\n")
    text = server.client.get(f"/api/v1/documents/{document}/text").json()["text"]
    reply = server.client.get(f"/api/v1/documents/{document}/structure", params={"start": text.index("# Coffee")})
    found = reply.json()
    units = [text[unit["start"] : unit["end"]] for unit in found["units"]]
    assert [unit.strip("# \n") for unit in units] == ["Coffee", "Grind beans.", "Pour.", "Drink it soon."]
    assert len(found["tree"]) == len(units) - 1
    assert (found["tree"][-1]["start"], found["tree"][-1]["end"]) == (0, len(units))


def test_the_page_and_its_files_need_no_key_and_nothing_from_elsewhere(start: Any) -> None:
    server = start(require_key=True)
    page = server.client.get("/")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe" not in page.headers["content-security-policy"]
    assert not re.search(r"https?://|style=|<script>|\son\w+=", page.text)
    names = re.findall(r'"/static/([^"]+)"', page.text)
    assert "main.js" in names
    for name in names:
        text = _follow(server.client, name)
        assert "innerHTML" not in text
        assert not re.search(r"""["'(]https?://(?!www\.w3\.org/)""", text)


def _follow(client: Any, name: str, seen: set[str] | None = None) -> str:
    """The text of a file and of what it imports."""
    seen = seen if seen is not None else set()
    seen.add(name)
    reply = client.get(f"/static/{name}")
    assert reply.status_code == 200, name
    imports = [found for found in re.findall(r'from "\./([^"]+)"', reply.text) if found not in seen]
    return reply.text + "".join(_follow(client, one, seen) for one in imports)


def test_a_file_is_sent_once_and_no_other_file_is_sent(shared: Any) -> None:
    first = shared.client.get("/static/main.js")
    again = shared.client.get("/static/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("../app.py", "%2e%2e%2fapp.py", "..%2f..%2fapp.py", "absent.js", "__init__.py"):
        assert shared.client.get(f"/static/{name}").status_code == 404, name
