"""Questions in the browser: follow-ups, structure, relations, stopping, and what goes wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.browser.conftest import ask, expect
from tests.server.browser.cutting_proxy import cutting_proxy

pytestmark = pytest.mark.slow


def test_follow_up_questions_stay_in_one_thread_until_a_new_one_begins(open_page: Any) -> None:
    page = open_page()
    ask(page, "At how many degrees are coffee beans roasted?")
    second = ask(page, "How long do they keep?")
    assert "month" in second.inner_text()
    understood = second.locator(".resolved").inner_text()
    assert understood.startswith("Understood as:")
    assert "offee" in understood
    expect(page.locator(".turn")).to_have_count(2)
    page.get_by_role("button", name="New question").click()
    expect(page.locator(".turn")).to_have_count(0)
    page.get_by_placeholder("Ask a question about your documents").wait_for()


def test_only_selected_documents_are_asked(open_page: Any) -> None:
    page = open_page()
    page.get_by_label("Ask only Tea").check()
    page.get_by_text("Searches 1 selected document").wait_for()
    turn = ask(page, "At how many degrees are the beans roasted?")
    sources = turn.locator(".place .source").all_text_contents()
    assert set(sources) <= {"tea.md"}
    page.get_by_role("button", name="Search all").click()
    expect(page.get_by_label("Ask only Tea")).not_to_be_checked()


def test_a_filter_narrows_the_search_and_a_wrong_one_says_why(open_page: Any, server: Any) -> None:
    found = server.client.get("/api/v1/documents", params={"title": "coffee"}).json()["documents"]
    server.client.patch(f"/api/v1/documents/{found[0]['document']}", json={"set": {"shelf": "7"}}).raise_for_status()
    page = open_page()
    page.locator(".options summary").click()
    page.get_by_label("Filter", exact=True).fill("shelf = 7")
    page.keyboard.press("Escape")
    turn = ask(page, "How long do they keep?")
    assert set(turn.locator(".place .source").all_text_contents()) == {"coffee.md"}
    page.locator(".scope", has_text="shelf = 7").wait_for()
    page.locator(".options summary").click()
    page.get_by_label("Filter", exact=True).fill("shelf >")
    page.keyboard.press("Escape")
    assert "shelf >" in ask(page, "How long do they keep?").get_by_role("alert").inner_text()


def test_the_structure_of_a_section_is_named_in_words_and_folds(open_page: Any) -> None:
    page = open_page()
    turn = ask(page, "Why does green tea want cooler water?")
    turn.locator(".quote .place").first.click()
    page.locator("[data-tab=tree]").click()
    page.locator(".nodes .unit").first.wait_for()
    assert page.locator(".unit.cited").count() == 1
    units = page.locator(".nodes .unit").all_text_contents()
    assert units[0].endswith("Making")
    assert any("70 degrees" in unit for unit in units)
    labels = set(page.locator(".nodes .relation").all_text_contents())
    assert labels
    assert not any(label.startswith("r.") for label in labels), "every relation has a name"
    page.locator(".nodes summary").first.focus()
    page.keyboard.press("Enter")
    page.locator(".nodes .unit").first.wait_for(state="hidden")


def test_equal_parts_of_a_section_are_one_list(open_page: Any, server: Any) -> None:
    roster = "".join(f"Keeper number {n} kept the lighthouse of Ven for {n} years.\n\n" for n in range(2, 12))
    server.upload({"keepers.md": f"# Keepers\n\n{roster}".encode()})
    page = open_page()
    turn = ask(page, "How long did keeper number 7 keep the lighthouse of Ven?")
    turn.locator(".quote .place").first.click()
    page.locator("[data-tab=tree]").click()
    page.locator(".nodes .unit").first.wait_for()
    nested = """e => { const name = d => d.querySelector(':scope > summary .relation').textContent;
        return [...e.querySelectorAll('details:not(.uneven) > div > details:not(.uneven)')]
            .filter(d => name(d) === name(d.parentElement.parentElement)).length; }"""
    assert page.locator(".nodes").evaluate(nested) == 0
    assert page.locator(".nodes .unit").count() >= 10


def test_the_limit_of_a_key_is_said_as_such(open_page: Any) -> None:
    page = open_page()
    problem = {"type": "urn:treatise:problem:limit", "detail": "this key allows 100 tokens per day: try again in 9 s"}
    page.route("**/ask/stream", lambda route: route.fulfill(status=429, body=json.dumps(problem)))
    assert "100 tokens per day" in ask(page, "When does water boil?").get_by_role("alert").inner_text()


def test_without_a_language_model_none_is_offered(open_page: Any) -> None:
    page = open_page()
    page.get_by_text("Nothing leaves this computer.").wait_for()
    page.locator(".options summary").click()
    assert page.get_by_text("Let the language model write the answer").count() == 0
    page.route("**/recipes", lambda route: route.fulfill(json={**route.fetch().json(), "has_model": True}))
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.get_by_text("Nothing leaves this computer.").count() == 0
    page.locator(".options summary").click()
    page.get_by_text("Let the language model write the answer").wait_for()


def test_passages_that_contradict_each_other_are_joined_in_red(open_page: Any) -> None:
    page = open_page()
    for name in ("lease", "amendment"):  # their passages alone are indexed by the recipe of the graph
        page.locator("#documents li", has=page.locator(f"[title='{name}.txt']")).get_by_role("checkbox").check()
    turn = ask(page, "When does the lease of the Harbour Street office end?")
    turn.get_by_role("button", name="How the passages relate").click()
    conflict = turn.locator(".links .conflict").first
    conflict.wait_for()
    assert "contradicts" in conflict.inner_text()
    turn.locator(".arc.conflict .line").first.wait_for(state="attached")  # drawn once the cards have their sizes
    assert conflict.evaluate("e => getComputedStyle(e).color") == "rgb(164, 38, 44)"


def test_a_running_question_can_be_stopped(open_page: Any) -> None:
    page = open_page()
    page.route("**/ask/stream", lambda _: None)  # the server takes its time
    page.fill("#question", "When does water boil?")
    page.press("#question", "Enter")
    page.get_by_role("button", name="Stop").click()
    page.locator(".trouble", has_text="Stopped. The answer is not complete.").wait_for()
    page.unroute("**/ask/stream")
    page.get_by_role("button", name="Ask again").click()
    page.locator(".turn[aria-busy=false] .quote").first.wait_for()


def test_an_answer_cut_off_by_the_network_is_not_taken_for_whole(open_page: Any) -> None:
    page = open_page()
    evidence = {"question": "q", "confidence": 0.9, "notes": [], "context": "", "evidence": []}
    statement = {"index": 0, "text": "Water boils at 100 degrees.", "support": "supported", "role": "", "citations": []}
    parts = [("evidence", evidence), ("statement", statement)]
    body = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in parts)
    page.route("**/ask/stream", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    turn = ask(page, "When does water boil?")
    assert "Water boils at 100 degrees." in turn.inner_text()
    assert "The connection was lost." in turn.get_by_role("alert").inner_text()
    page.unroute("**/ask/stream")
    page.route("**/ask/stream", lambda route: route.abort("connectionrefused"))
    turn = ask(page, "When does water boil?")
    assert "The server cannot be reached." in turn.get_by_role("alert").inner_text()


def test_a_connection_that_breaks_in_mid_stream_is_said_and_the_question_can_be_asked_again(
    open_page: Any, server: Any
) -> None:
    with cutting_proxy(server.client.base_url.port) as proxy:
        page = open_page(proxy.url)
        proxy.cut_at = b"event: statement"
        turn = ask(page, "When does water boil?")
        assert proxy.n_cut == 1
        assert "The connection was lost." in turn.get_by_role("alert").inner_text()
        proxy.cut_at = b""
        turn.get_by_role("button", name="Ask again").click()
        page.locator(".turn[aria-busy=false] .quote").first.wait_for()
        expect(page.locator(".turn").last.get_by_role("alert")).to_have_count(0)


def test_a_wrong_key_is_refused_in_words_and_the_right_one_opens_the_library(open_page: Any, guarded: Any) -> None:
    running, secret = guarded
    page = open_page(running.url, ready=False)
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    page.get_by_label("Key", exact=True).fill("tr-nobody-000")
    dialog.get_by_role("button").click()
    dialog.get_by_text("The server does not accept this key.").wait_for()
    page.get_by_label("Key", exact=True).fill(secret)
    dialog.get_by_role("button").click()
    page.get_by_text("No documents yet").wait_for()
    assert secret not in page.evaluate("JSON.stringify(localStorage)")


def test_after_a_key_is_refused_during_a_question_the_next_one_can_be_asked(open_page: Any, guarded: Any) -> None:
    running, secret = guarded
    page = open_page(running.url, ready=False)
    page.get_by_label("Key", exact=True).fill(secret)
    page.get_by_role("dialog").get_by_role("button").click()
    page.get_by_text("No documents yet").wait_for()
    page.route("**/api/v1/conversations", lambda route: route.fulfill(status=401, body="{}"))
    page.locator("#question").fill("When does water boil?")
    page.locator("#question").press("Enter")
    page.get_by_label("Key", exact=True).fill(secret)
    page.get_by_role("dialog").get_by_role("button").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.locator("#ask:not(.stop)").wait_for()


def test_a_file_dropped_on_the_page_is_read(open_page: Any) -> None:
    page = open_page()
    text = "The ferry to Vinga leaves the pier at half past six.\n"
    files = page.evaluate_handle(
        "text => { const all = new DataTransfer(); all.items.add(new File([text], 'ferry.txt')); return all; }", text
    )
    for event in ("dragenter", "dragover", "drop"):
        page.dispatch_event("#talk", event, {"dataTransfer": files})
    page.locator("#documents [title='ferry.txt']").wait_for()
    page.locator("#question:focus").wait_for()


def test_an_upload_can_be_cancelled(open_page: Any) -> None:
    page = open_page()
    page.route("**/jobs/*/events", lambda _: None)  # reading takes its time
    with page.expect_response("**/api/v1/documents"):
        page.set_input_files("#files", {"name": "long.txt", "mimeType": "text/plain", "buffer": b"Nothing at all.\n"})
    page.locator(".upload progress").wait_for()
    with page.expect_request(lambda request: request.method == "DELETE" and "/api/v1/jobs/" in request.url):
        page.locator(".upload").get_by_role("button", name="Cancel").click()
    page.locator(".upload", has_text="Cancelled").wait_for()


def test_a_file_that_cannot_be_read_says_why(open_page: Any, tmp_path: Path) -> None:
    path = tmp_path / "broken.pdf"
    path.write_bytes(b"%PDF-1.4\nnothing more")
    page = open_page()
    page.set_input_files("#files", path)
    error = page.locator(".upload .error")
    error.wait_for()
    assert "truncated" in error.inner_text()


@pytest.mark.parametrize(
    ("button", "name", "part"), [("Markdown", "answer.md", "[^1]"), ("References", "answer.bib", "title = {Tea}")]
)
def test_an_answer_is_saved_with_its_citations(open_page: Any, button: str, name: str, part: str) -> None:
    page = open_page()
    turn = ask(page, "When does water boil?")
    turn.locator(".export summary").click()
    with page.expect_download() as download:
        turn.get_by_role("button", name=button).click()
    assert download.value.suggested_filename == name
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert part in text
    assert "Water boils at 100 degrees" in text
    assert "tea.md" in text


def test_a_document_is_removed_only_after_a_question(open_page: Any, server: Any) -> None:
    server.upload({"gone.txt": b"A short text about nothing that matters to anybody, it is said.\n"})
    page = open_page()
    remove = page.get_by_role("button", name="Remove gone", exact=True)
    remove.click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").wait_for(state="detached")
    remove.click()
    page.get_by_role("dialog").get_by_role("button", name="Remove", exact=True).click()
    remove.wait_for(state="detached")
