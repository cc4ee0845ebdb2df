"""Documents of a server that speaks S3: a real SeaweedFS, and the command line in processes of its own."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers import ObjectServer, object_server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[ObjectServer]:
    with object_server() as server:
        yield server


@pytest.fixture
def texts(server: ObjectServer) -> Any:
    """The bucket ``texts`` of the server, with two documents."""
    import fsspec

    user = server.environment
    storage = fsspec.filesystem(
        "s3",
        key=user["AWS_ACCESS_KEY_ID"],
        secret=user["AWS_SECRET_ACCESS_KEY"],
        endpoint_url=user["AWS_ENDPOINT_URL"],
        skip_instance_cache=True,
    )
    if not storage.exists("texts"):
        storage.mkdir("texts")
    storage.pipe_file("texts/reports/a.txt", b"The bridge was built in 1950.")
    storage.pipe_file("texts/reports/b.txt", b"The harbour has nine boats.")
    return storage


def treatise(server: ObjectServer, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.run(
        [sys.executable, "-m", "treatise", *map(str, arguments)],
        env=os.environ | server.environment | environment | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


def outcomes(result: subprocess.CompletedProcess[str]) -> list[str]:
    return [report["outcome"] for report in json.loads(result.stdout)["documents"]]


@pytest.mark.parametrize("how", [(), ("--ray", "local:1")])
def test_a_folder_is_indexed_and_read_again_if_changed(
    server: ObjectServer, texts: Any, tmp_path: Path, how: tuple[str, ...]
) -> None:
    if how:
        pytest.importorskip("ray", reason="needs the extra ray")
    command = ("index", "s3://texts/reports/", "--store", tmp_path / "library.db", "--json", *how)
    assert outcomes(treatise(server, *command)) == ["new", "new"]
    texts.pipe_file("texts/reports/b.txt", b"The harbour has ten boats.")
    assert outcomes(treatise(server, *command)) == ["unchanged", "updated"]


def test_a_missing_bucket_and_a_wrong_key_are_named(server: ObjectServer, texts: Any, tmp_path: Path) -> None:
    store = tmp_path / "library.db"
    missing = treatise(server, "index", "s3://nowhere/a.txt", "--store", store)
    assert (missing.returncode, "s3://nowhere/a.txt: there is no such object" in missing.stderr) == (1, True), (
        missing.stderr
    )
    wrong = treatise(server, "index", "s3://texts/reports/", "--store", store, AWS_SECRET_ACCESS_KEY="wrong")
    assert (wrong.returncode, "s3://texts/reports/ cannot be read (PermissionError" in wrong.stderr) == (1, True)
    assert "wrong" not in wrong.stderr


def test_a_server_that_goes_away_leaves_what_was_indexed_and_is_met_again(
    server: ObjectServer, texts: Any, tmp_path: Path
) -> None:
    store, listed = tmp_path / "library.db", tmp_path / "list.jsonl"
    listed.write_text('"s3://texts/reports/a.txt"\n"s3://texts/reports/b.txt"\n', encoding="utf-8")
    assert outcomes(treatise(server, "index", "s3://texts/reports/a.txt", "--store", store, "--json")) == ["new"]
    server.stop()
    try:
        gone = treatise(server, "index", "s3://texts/reports/b.txt", "--store", store)
        assert (gone.returncode, "s3://texts/reports/b.txt cannot be read" in gone.stderr) == (1, True)
        assert "Traceback" not in gone.stderr
        assert json.loads(treatise(server, "list", "--store", store, "--json").stdout)["documents"]
    finally:
        server.start()
    again = treatise(server, "index", "--sources-from", listed, "--store", store, "--json")
    assert outcomes(again) == ["unchanged", "new"]
