"""Documents over HTTP: upload, list, text, pages, tree, removal."""

from typing import Any

import pytest

from treatise.server import schemas
from treatise.server.trees import tree_within


def test_an_uploaded_file_is_a_document_with_its_name_and_nothing_of_the_server(
    shared: Any, ids: dict[str, str]
) -> None:
    reply = shared.client.get("/api/v1/documents")
    assert set(ids) == {"tea.md", "coffee.txt"}
    assert "upload://" not in reply.text
    assert str(shared.services.state.folder) not in reply.text
    schemas.DocumentList.model_validate(reply.json())


def test_pages_of_the_list_are_the_list(shared: Any, ids: dict[str, str]) -> None:
    first = shared.client.get("/api/v1/documents", params={"limit": 1}).json()
    second = shared.client.get("/api/v1/documents", params={"limit": 1, "after": first["next"]}).json()
    assert [*first["documents"], *second["documents"]] == shared.client.get("/api/v1/documents").json()["documents"]
    assert (first["total"], second["next"]) == (2, None)


@pytest.mark.parametrize(("query", "n"), [({"title": "TEA"}, 1), ({"title": "nothing"}, 0), ({"language": "en"}, 2)])
def test_the_list_is_narrowed(shared: Any, query: dict[str, str], n: int) -> None:
    assert len(shared.client.get("/api/v1/documents", params=query).json()["documents"]) == n


def test_parts_of_the_text_join_to_the_text(shared: Any, ids: dict[str, str]) -> None:
    path = f"/api/v1/documents/{ids['tea.md']}/text"
    whole = shared.client.get(path).json()
    parts = [shared.client.get(path, params={"start": at, "end": at + 7}).json() for at in range(0, whole["total"], 7)]
    assert "".join(part["text"] for part in parts) == whole["text"]
    assert len(whole["text"]) == whole["total"]


def test_a_prefix_of_an_id_is_enough_if_only_one_document_has_it(shared: Any, ids: dict[str, str]) -> None:
    outline = shared.client.get(f"/api/v1/documents/{ids['tea.md'][:11]}").json()
    assert [section["title"] for section in outline["outline"]] == ["Tea", "Making", "Keeping"]
    schemas.Outline.model_validate(outline)


def test_the_tree_within_a_section_is_the_part_of_the_whole_tree(shared: Any, ids: dict[str, str]) -> None:
    path = f"/api/v1/documents/{ids['tea.md']}/tree"
    whole = shared.client.get(path).json()
    outline = shared.client.get(f"/api/v1/documents/{ids['tea.md']}").json()["outline"]
    part = shared.client.get(path, params={"start": outline[1]["start"], "end": outline[2]["start"]}).json()
    first, n = part["first_unit"], len(part["units"])
    assert part["units"] == whole["units"][first : first + n]
    assert 0 < n < len(whole["units"])
    inside = [one for one in whole["tree"] if first <= one["start"] and one["end"] <= first + n]
    assert part["tree"] == [{**one, **{k: one[k] - first for k in ("start", "split", "end")}} for one in inside]
    schemas.TreeReply.model_validate(part)


def test_a_span_without_units_has_an_empty_tree() -> None:
    from treatise.testing import sample_indexed

    record = tree_within(sample_indexed(), 0, 0)
    assert (record["units"], record["tree"]) == ([], [])


def test_a_removed_document_and_its_file_are_gone(start: Any) -> None:
    server = start()
    job = server.upload(tea_md="Tea is served at 70 degrees.")
    document = job["files"][0]["document"]
    files = list((server.services.state.folder / "files").iterdir())
    assert len(files) == 1
    removed = server.client.delete(f"/api/v1/documents/{document}").json()
    assert removed["removed"][0]["document"] == document
    assert not files[0].exists()
    assert server.client.get(f"/api/v1/documents/{document}").status_code == 404
    answer = server.client.post("/api/v1/ask", json={"question": "How hot is tea?"})
    assert answer.status_code == 422, "an empty library has nothing to ask"


def test_two_files_of_one_name_are_two_documents(start: Any) -> None:
    server = start()
    server.upload(notes_txt="Tea is served at 70 degrees.")
    server.upload(notes_txt="Coffee is served at 90 degrees.")
    again = server.upload(notes_txt="Coffee is served at 90 degrees.")
    assert again["files"][0]["outcome"] == "unchanged"
    assert server.client.get("/api/v1/documents").json()["total"] == 2


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/v1/documents/ffffffffffff", 404),
        ("/api/v1/documents/nothex", 422),
        ("/api/v1/documents/ffffffffffff/text", 404),
        ("/api/v1/documents?after=ffffffffffff", 422),
        ("/api/v1/documents?limit=0", 422),
        ("/api/v1/nothing", 404),
        ("/api/v1/jobs/0123456789abcdef", 404),
    ],
)
def test_what_is_absent_or_wrong_is_a_problem_that_says_so(shared: Any, path: str, status: int) -> None:
    reply = shared.client.get(path)
    assert reply.status_code == status
    assert reply.headers["content-type"] == "application/problem+json"
    problem = schemas.Problem.model_validate(reply.json())
    assert problem.detail
    assert problem.request_id == reply.headers["x-request-id"]
