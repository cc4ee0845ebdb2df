"""From a file to a highlighted citation, in the browser."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from tests.ingest.pdf_writer import Text, pdf
from tests.server.browser.conftest import FOUND, FOUND_AT, FOUND_PAGE, LONG_PAGES, ask

pytestmark = pytest.mark.slow

HELVETICA_EM = {
    **dict.fromkeys("0123456789abdeghnopqu", 0.556),
    **dict.fromkeys("ilj", 0.222),
    **dict.fromkeys("t .,f", 0.278),
    **dict.fromkeys("ckvxyzs", 0.5),
    **dict.fromkeys("TZ", 0.611),
    **dict.fromkeys("KV", 0.667),
    "r": 0.333,
    "m": 0.833,
    "w": 0.722,
    "O": 0.778,
    "M": 0.833,
}
YELLOW = (255, 226, 89)
PAGE_WIDTH, PAGE_HEIGHT = 595, 842


def yellow_box(page: Any) -> tuple[float, ...]:
    """The box of the highlighted pixels on the picture of the page, in points."""
    image = pytest.importorskip("PIL.Image", reason="reading screenshots needs pillow")
    pixels = np.asarray(image.open(BytesIO(page.locator(".paper").screenshot())).convert("RGB")).astype(int)
    ys, xs = np.nonzero((abs(pixels - YELLOW) < 12).all(axis=2))
    scale = pixels.shape[1] / PAGE_WIDTH
    return tuple(float(edge) / scale for edge in (xs.min(), ys.min(), xs.max() + 1, ys.max() + 1))


def expected_box(text: Text) -> tuple[float, ...]:
    """Where a line was written, from its lower left corner and the widths of Helvetica."""
    width = sum(HELVETICA_EM[character] for character in text.text) * text.size
    baseline = PAGE_HEIGHT - text.y
    return text.x, baseline - 0.9 * text.size, text.x + width, baseline + 0.25 * text.size


def assert_same_place(found: tuple[float, ...], expected: tuple[float, ...]) -> None:
    assert found == pytest.approx(expected, abs=4), f"highlighted at {found}, written at {expected}"


def test_from_a_file_to_a_highlighted_citation_in_five_clicks(open_page: Any, tmp_path: Any) -> None:
    written = Text(100, 500, "The zeppelin hangar of Kalmar was closed in 1931.", 14)
    path = tmp_path / "hangar.pdf"
    others = [Text(60, 780, "Hangars", 16, "bold"), Text(60, 740, "Nothing here is about ships.")]
    path.write_bytes(pdf([[*others, written]]))
    page = open_page()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files(path)
    page.locator("#documents", has_text="Hangars").wait_for()
    page.locator("#question:focus").wait_for()
    page.keyboard.type("When was the zeppelin hangar of Kalmar closed?")
    page.keyboard.press("Enter")
    page.locator(".quote .place").first.click()
    page.locator(".mark").first.wait_for()
    assert page.evaluate("window.clicks") <= 5
    assert_same_place(yellow_box(page), expected_box(written))
    assert "Hangars" in page.locator("#viewer-title").inner_text()


def test_a_citation_deep_in_a_long_pdf_is_shown_on_its_page(open_page: Any) -> None:
    page = open_page()
    turn = ask(page, "Who tuned the harpsichord in the library?")
    turn.locator(".quote .place").first.click()
    page.locator(".mark").wait_for()
    assert page.get_by_label("Page number").input_value() == str(FOUND_PAGE)
    assert_same_place(yellow_box(page), expected_box(FOUND_AT))
    page.locator("#content").press("ArrowRight")
    page.get_by_alt_text(f"Picture of page {FOUND_PAGE + 1} of").wait_for()
    page.locator(".mark").wait_for(state="detached")
    page.get_by_label("Page number").fill(str(LONG_PAGES))
    page.get_by_label("Page number").press("Enter")
    page.get_by_alt_text(f"Picture of page {LONG_PAGES} of").wait_for()
    page.locator("#next:disabled").wait_for()
    page.locator("[data-tab=text]").click()
    assert page.locator(".run mark").inner_text().strip() == FOUND


def test_on_a_phone_the_cited_lines_fill_the_width(open_page: Any) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    turn = ask(page, "Who tuned the harpsichord in the library?")
    turn.locator(".quote .place").first.click()
    page.locator(".mark").wait_for()
    assert_fills_the_width(page)


def test_on_a_phone_a_citation_over_two_lines_is_seen_whole(open_page: Any, server: Any) -> None:
    first = Text(80, 500, "Few people have written about airships of that time. The zeppelin of Malmo", 12)
    second = Text(80, 486, "was painted green in 1928.", 12)  # it ends before the sentence begins above
    server.upload({"zeppelin.pdf": pdf([[Text(60, 780, "Zeppelins", 16, "bold"), first, second]])})
    page = open_page(viewport={"width": 390, "height": 844})
    turn = ask(page, "When was the zeppelin of Malmo painted green?")
    turn.locator(".quote .place").first.click()
    page.locator(".mark").nth(1).wait_for()
    assert_fills_the_width(page)


def assert_fills_the_width(page: Any) -> None:
    """All marks are in view, and together they are as wide as most of it."""
    marks = [one.bounding_box() for one in page.locator(".mark").all()]
    left, right = min(one["x"] for one in marks), max(one["x"] + one["width"] for one in marks)
    shown = page.locator("#content").bounding_box()
    assert right - left > 0.7 * shown["width"]
    assert shown["x"] <= left
    assert right <= shown["x"] + shown["width"]


def test_a_citation_in_a_text_is_marked_to_the_letter(open_page: Any) -> None:
    page = open_page()
    turn = ask(page, "At how many degrees are coffee beans roasted?")
    quote = turn.locator(".quote blockquote").first.inner_text()
    turn.locator(".quote .place").first.click()
    mark = page.locator(".run mark")
    mark.wait_for()
    assert mark.inner_text().strip() == quote.strip()
    assert "220 degrees" in quote
    assert mark.evaluate("e => { const r = e.getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight; }")
    assert page.locator(".outline [aria-current]").inner_text() == "Coffee"
    assert page.locator(".run .heading").inner_text().endswith("Coffee")


def test_characters_beyond_the_basic_plane_do_not_move_the_mark(open_page: Any, server: Any) -> None:
    text = (
        "# 🎉 Lanterns 🏮🏮\n\n𝔉𝔦𝔯𝔢 𝔞𝔫𝔡 𝔩𝔦𝔤𝔥𝔱 🎇🎇🎇. The lantern festival of Orust begins at nine. It ends at ten.\n"
    )
    server.upload({"lanterns.md": text.encode()})
    page = open_page()
    turn = ask(page, "When does the lantern festival of Orust begin?")
    quote = turn.locator(".quote blockquote").first.inner_text()
    turn.locator(".quote .place").first.click()
    page.locator(".run mark").wait_for()
    assert page.locator(".run mark").inner_text().strip() == quote.strip()
    assert "begins at nine" in quote


def test_the_back_button_closes_the_document_and_the_focus_returns(open_page: Any) -> None:
    page = open_page()
    turn = ask(page, "Where are the leaves kept?")
    turn.locator(".quote .place").first.focus()
    page.keyboard.press("Enter")
    page.locator(".run mark").wait_for()
    page.go_back()
    page.locator("#viewer").wait_for(state="hidden")
    page.locator(".place:focus").wait_for()
