"""The commands over a library in PostgreSQL."""

from pathlib import Path

import pytest

from tests.servers import free_port, new_library, psql


def test_every_command_that_takes_a_library_takes_one_in_postgres(
    run, run_json, tea: Path, coffee: Path, postgres: str, home: Path
) -> None:
    url, other = new_library(postgres), new_library(postgres)
    here = ("--store", url)
    assert run_json("list", *here) == {"documents": []}
    indexed = [one["document"] for one in run_json("index", tea, coffee, "--tag", "drinks", *here)["documents"]]
    assert [one["outcome"] for one in run_json("index", tea, *here)["documents"]] == ["unchanged"]
    assert "220" in run_json("ask", "How hot are coffee beans roasted?", *here)["answer"]
    run_json("tag", indexed[0], "--collection", "leaves", "--set", "year=2020", *here)
    found = run_json("list", "--where", "collection = leaves and year >= 2019", *here)["documents"]
    assert [one["document"] for one in found] == [indexed[0]]
    assert "Making" in run("show", indexed[0], *here).stdout
    tea.write_text(tea.read_text() + "\nTea is old.\n")
    assert [one["outcome"] for one in run_json("update", *here)["documents"]] == ["updated", "unchanged"]

    assert run_json("export", home / "part.treatise", "--where", "collection = leaves", *here)["documents"] == 1
    assert run_json("export", home / "all.treatise", *here)["documents"] == 2
    assert run_json("import", home / "part.treatise", "--store", other)["documents"] == 1
    assert run_json("import", home / "all.treatise", "--store", other)["known"] == 1
    moved = run_json("migrate", url, home / "moved.db")
    assert (moved["documents"], moved["known"]) == (2, 0)
    assert run_json("migrate", home / "moved.db", other)["known"] == 2
    listed = [run_json("list", "--store", store)["documents"] for store in (url, home / "moved.db")]
    assert listed[0] == listed[1]
    asked = [run_json("ask", "Where are leaves kept?", "--store", store) for store in (url, home / "moved.db")]
    assert len({str((one["answer"], one["citations"])) for one in asked}) == 1

    doctor = run("doctor", "--verify", *here)
    assert "PostgreSQL 18" in doctor.stdout
    assert "2 documents with all indexes, as written" in doctor.stdout
    assert run_json("remove", indexed[1], *here)["removed"][0]["document"] == indexed[1]
    assert len(run_json("list", *here)["documents"]) == 1


@pytest.mark.parametrize("command", [["list"], ["ask", "Why?"], ["doctor"]])
def test_a_password_is_never_printed(run, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREATISE_STORE", f"postgresql://me:hun/ter2@127.0.0.1:{free_port()}/texts?password=hunter2")
    bad = run(*command)
    monkeypatch.setenv("TREATISE_STORE", f"postgresql://me:hunter2@127.0.0.1:{free_port()}/texts?password=hunter2")
    gone = run(*command)
    settings = run("config")
    for result in (bad, gone, settings):
        assert "ter2" not in result.stdout + result.stderr
        assert "Traceback" not in result.stderr
    assert "cannot be reached" in gone.stdout + gone.stderr


def test_an_import_of_a_damaged_file_changes_nothing(run, tea: Path, postgres: str, home: Path) -> None:
    url = new_library(postgres)
    run("index", tea, "--store", home / "a.db")
    run("export", home / "a.treatise", "--store", home / "a.db")
    whole = (home / "a.treatise").read_bytes()
    (home / "a.treatise").write_bytes(whole[: len(whole) // 2])
    result = run("import", home / "a.treatise", "--store", url)
    assert (result.exit_code, "damaged" in result.stderr) == (1, True)
    assert run("list", "--store", url).stdout == ""


def test_a_damaged_library_is_found_by_doctor(run, tea: Path, postgres: str) -> None:
    url = new_library(postgres)
    run("index", tea, "--store", url)
    psql(url, f"UPDATE {url.rpartition('schema=')[2]}.indexes SET crc = 1")
    result = run("doctor", "--verify", "--store", url)
    assert "differs from its checksum" in result.stdout
