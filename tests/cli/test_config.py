"""``treatise config`` and the errors of commands with ``--json``."""

import json
import stat
from pathlib import Path

import pytest

from treatise.server.config import SERVER_KEYS, load_server_config
from treatise.settings import SETTING_KEYS, load_settings


@pytest.fixture
def file(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings file of these tests, in a folder that does not exist yet."""
    path = home / "settings" / "mine.toml"
    monkeypatch.setenv("TREATISE_CONFIG", str(path))
    return path


def test_a_value_that_was_set_is_the_one_that_commands_read(run, file: Path) -> None:
    assert run("config", "path").stdout.strip() == str(file)
    assert run("config", "set", "budget", "400").exit_code == 0
    assert load_settings().budget == 400
    assert run("config", "get", "budget").stdout == "400\n"
    assert run("config", "unset", "budget").exit_code == 0
    assert load_settings().budget == 300


def test_settings_of_the_server_are_set_like_the_others(run, run_json, file: Path, home: Path, monkeypatch) -> None:
    assert run("config", "set", "server.port", "9000").exit_code == 0
    run("config", "set", "server.allowed_hosts", "a.example, b.example")
    run("config", "set", "server.state", "state")
    monkeypatch.setenv("TREATISE_SERVER_WORKERS", "2")
    config = load_server_config()
    assert (config.port, config.allowed_hosts, config.state) == (9000, ("a.example", "b.example"), str(home / "state"))
    assert run("config", "get", "server.allowed_hosts").stdout == "a.example, b.example\n"
    found = run_json("config", "get", "server")["settings"]
    assert list(found) == [f"server.{key}" for key in SERVER_KEYS]
    assert [found[f"server.{key}"]["origin"] for key in ("port", "workers", "host")] == [
        str(file),
        "TREATISE_SERVER_WORKERS",
        "default",
    ]
    for key in ("port", "allowed_hosts", "state"):
        run("config", "unset", f"server.{key}")
    assert file.read_text("utf-8") == ""


def test_config_alone_shows_the_settings_and_how_to_change_them(run, file: Path) -> None:
    run("config", "set", "budget", "400")
    result = run("config")
    assert (result.exit_code, result.stdout) == (0, run("config", "get").stdout)
    assert "treatise config set KEY VALUE" in result.stderr


def test_comments_of_the_file_stay(run, file: Path) -> None:
    file.parent.mkdir()
    file.write_text('# mine\nbudget = 200  # words\nllm = "ollama"\n', encoding="utf-8")
    run("config", "set", "budget", "500")
    assert file.read_text(encoding="utf-8") == '# mine\nbudget = 500  # words\nllm = "ollama"\n'


def test_only_its_owner_reads_the_file(run, file: Path) -> None:
    run("config", "set", "llm", "ollama")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("budgt", "3", "did you mean 'budget'"),
        ("budget", "many", "a whole number"),
        ("budget", "0", "above 0"),
        ("api_key", "secret", "keys stay out of files"),
        ("server.prot", "3", "did you mean 'port'"),
        ("server.port", "99999", "0 to 65535"),
        ("server", "3", "unknown key 'server'"),
    ],
)
def test_a_wrong_value_changes_nothing(run, file: Path, key: str, value: str, expected: str) -> None:
    result = run("config", "set", key, value)
    assert result.exit_code == 2
    assert expected in result.stderr
    assert not file.exists()


def test_a_relative_path_is_relative_to_the_working_directory(run, file: Path, home: Path, monkeypatch) -> None:
    monkeypatch.chdir(home)
    run("config", "set", "store", "mine.db")
    assert load_settings().store == home / "mine.db"


def test_every_setting_is_listed_with_its_origin(run_json, run, file: Path, monkeypatch) -> None:
    run("config", "set", "budget", "400")
    monkeypatch.setenv("TREATISE_LLM", "http://me:secret@host/v1")
    settings = run_json("config", "get")["settings"]
    assert tuple(settings) == (*SETTING_KEYS, *(f"server.{key}" for key in SERVER_KEYS))
    assert settings["budget"] == {"value": 400, "origin": str(file)}
    assert settings["llm"] == {"value": "http://***@host/v1", "origin": "TREATISE_LLM"}
    assert settings["recipe"]["origin"] == "default"
    assert "secret" not in run("config", "get").stdout


def test_a_damaged_file_is_named(run, file: Path) -> None:
    file.parent.mkdir()
    file.write_text("budget = = 3", encoding="utf-8")
    result = run("config", "set", "budget", "3")
    assert result.exit_code == 2
    assert str(file) in result.stderr
    assert file.read_text(encoding="utf-8") == "budget = = 3"


@pytest.mark.parametrize(
    ("arguments", "status", "kind"),
    [
        (["ask", "missing.txt", "Why?"], 1, "SourceNotFoundError"),
        (["summarize", "missing.txt"], 1, "SourceNotFoundError"),
        (["remove", "abc"], 1, "DocumentNotFoundError"),
        (["search", ""], 2, "QuestionError"),
        (["search", "Why?", "--recipe", "nope"], 2, "RecipeError"),
        (["list", "--bogus"], 2, "NoSuchOption"),
        (["list", "--store", "missing/folder.db"], 2, "BadParameter"),
    ],
)
def test_an_error_is_the_one_object_of_a_command_with_json(run, arguments, status: int, kind: str) -> None:
    result = run(*arguments, "--json")
    assert result.exit_code == status
    error = json.loads(result.stdout)["error"]
    assert error["type"] == kind
    assert error["message"] in result.stderr


def test_a_store_in_a_missing_folder_creates_nothing(run, tea: Path, home: Path) -> None:
    result = run("index", tea, "--store", home / "no" / "x.db")
    assert result.exit_code == 2
    assert "mkdir -p" in result.stderr
    assert not (home / "no").exists()
