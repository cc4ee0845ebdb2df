"""The library beside the answers: its rows, uploads of several files, and jobs of before."""

import json
from typing import Any

import pytest

from tests.server.browser.conftest import ask

pytestmark = pytest.mark.slow

JOB = {"job": "0" * 16, "error": None, "recipe": "", "collection": "", "attempts": 1, "version": 2}
NO_FILE = {"document": None, "error": None}
HALFWAY = {
    **JOB,
    "status": "running",
    "files": [
        {"name": "one.txt", "status": "done", "document": "1", "error": None},
        {"name": "two.txt", "status": "running", **NO_FILE},
        {"name": "three.txt", "status": "queued", **NO_FILE},
    ],
    "progress": {"file": "two.txt", "stage": "read", "done": 1, "total": 2},
}


def follow(page: Any, job: dict[str, Any]) -> None:
    """Makes a job of this state the one that the page follows."""
    page.route("**/jobs/*/events", lambda route: route.fulfill(body=f"event: job\ndata: {json.dumps(job)}\n\n"))
    page.route(f"**/jobs/{job['job']}", lambda route: route.fulfill(json=job))


def test_an_upload_of_several_files_says_which_one_is_read(open_page: Any) -> None:
    page = open_page()
    follow(page, HALFWAY)
    page.route("**/api/v1/documents", lambda route: route.fulfill(status=202, json=HALFWAY))
    page.set_input_files(
        "#files",
        [{"name": f"{name}.txt", "mimeType": "text/plain", "buffer": b"x"} for name in ("one", "two", "three")],
    )
    page.locator(".upload", has_text="two.txt").wait_for()
    page.locator(".upload", has_text="Reading 2 of 3").wait_for()


def test_each_file_of_an_upload_is_in_the_library_as_soon_as_it_is_read(open_page: Any, server: Any) -> None:
    page = open_page()
    follow(page, HALFWAY)
    page.route("**/api/v1/documents", lambda route: route.fulfill(status=202, json=HALFWAY))
    server.upload({"semaphore.txt": b"The semaphore of Kullen was built in 1815, and nobody reads it now.\n"})
    page.set_input_files("#files", [{"name": "one.txt", "mimeType": "text/plain", "buffer": b"x"}])
    page.locator("#documents [title='semaphore.txt']").wait_for()
    page.locator(".upload progress").first.wait_for()


def test_a_job_of_before_the_page_was_opened_is_shown(open_page: Any) -> None:
    page = open_page()
    follow(page, HALFWAY)
    page.route("**/api/v1/jobs?*", lambda route: route.fulfill(json={"jobs": [{**HALFWAY, "status": "queued"}]}))
    page.reload()
    page.locator(".upload", has_text="Reading 2 of 3").wait_for()


def test_documents_with_one_title_are_told_apart_by_their_files(open_page: Any, server: Any) -> None:
    texts = {f"minutes-{n}.md": f"# Minutes\n\nMeeting {n} of the harbour board.\n".encode() for n in (1, 2)}
    server.upload(texts)
    page = open_page()
    rows = page.locator("#documents li", has=page.get_by_text("Minutes", exact=True))
    rows.nth(1).wait_for()
    assert rows.locator(".file").all_inner_texts() == list(texts)


def test_a_key_that_may_only_read_is_offered_no_uploads(open_page: Any) -> None:
    page = open_page()
    page.get_by_role("button", name="Remove Tea").wait_for(state="attached")
    page.route("**/api/v1/me", lambda route: route.fulfill(json={**route.fetch().json(), "scope": "read"}))
    page.reload()
    page.locator("#documents li").first.wait_for()
    assert page.get_by_role("button", name="Choose files").count() == 0
    assert page.get_by_role("button", name="Remove Tea").count() == 0


def test_quotations_after_the_first_wait_behind_a_direct_answer(open_page: Any, server: Any) -> None:
    question = "At how many degrees are coffee beans roasted?"
    answer = server.client.post("/api/v1/ask", json={"question": question}).json()
    assert answer["direct"]["text"] in answer["citations"][0]["quote"]
    answer |= {"citations": answer["citations"][:1] * 5, "statements": answer["statements"][:1] * 5}
    page = open_page()
    page.route("**/ask/stream", lambda route: route.fulfill(body=f"event: answer\ndata: {json.dumps(answer)}\n\n"))
    turn = ask(page, question)
    quotes = turn.locator(".quotes .quote")
    assert [quotes.nth(n).is_visible() for n in range(5)] == [True, True, False, False, False]
    turn.get_by_text("3 more sentences").click()
    assert quotes.nth(4).is_visible()
    assert quotes.nth(4).locator(".number").inner_text() == "5"
