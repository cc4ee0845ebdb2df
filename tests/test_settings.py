"""Settings from file and environment."""

from dataclasses import replace
from pathlib import Path

import pytest

from treatise.core.errors import SettingsError
from treatise.settings import Settings, load_settings, masked_setting, settings_path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_without_file_and_environment_all_is_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert load_settings(environment={}) == Settings()


def test_the_environment_wins_over_the_file(file: Path) -> None:
    file.write_text('budget = 100\nrecipe = "flat-sentence"\ntimeout_s = 5\n')
    settings = load_settings(file, {"TREATISE_BUDGET": "400", "HOME": "/"})
    assert settings == Settings(budget=400, recipe="flat-sentence", timeout_s=5.0)
    assert isinstance(settings.timeout_s, float)


def test_the_file_may_be_named_by_a_variable(file: Path) -> None:
    file.write_text("threads = 4")
    environment = {"TREATISE_CONFIG": str(file)}
    assert settings_path(environment) == file
    assert load_settings(environment=environment).threads == 4


def test_a_relative_store_lies_beside_the_file_and_a_tilde_is_home(file: Path) -> None:
    file.write_text('store = "my.db"')
    assert load_settings(file, {}).store == file.parent / "my.db"
    file.write_text('store = "~/my.db"')
    assert load_settings(file, {}).store == Path.home() / "my.db"


@pytest.mark.parametrize("named", ["path", "variable"])
def test_a_file_that_is_named_must_be_there(file: Path, named: str) -> None:
    with pytest.raises(SettingsError, match=r"config\.toml cannot be read: No such file"):
        load_settings(file if named == "path" else None, {"TREATISE_CONFIG": str(file)})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('reciep = "x"', r"config\.toml: unknown key 'reciep'; did you mean 'recipe'\?"),
        ('decoder = "a.gguf"', "unknown key 'decoder'; the parser over SmolLM2 was replaced by 'large'; remove this"),
        ("zzz = 1", "unknown key 'zzz'; known keys are store, recipe, budget"),
        ('budget = "many"', r"config\.toml: budget must be a whole number, not 'many'"),
        ("budget = true", "budget must be a whole number, not True"),
        ("budget = 0", r"config\.toml: budget must be above 0, not 0"),
        ("timeout_s = nan", "timeout_s must be above 0, not nan"),
        ('colour = "red"', "colour is one of auto, always, never, not 'red'"),
        ("store = 3", "store must be a path, not 3"),
        ("[llm]\nurl = 'x'", "llm must be a text"),
        ('api_key = "sk-1"', "unknown key 'api_key'; keys stay out of files"),
        ("budget 3", r"config\.toml is not TOML"),
    ],
)
def test_a_bad_line_names_file_key_and_remedy(file: Path, content: str, message: str) -> None:
    file.write_text(content)
    with pytest.raises(SettingsError, match=message):
        load_settings(file, {})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("TREATISE_STOER", "x", "TREATISE_STOER: unknown key 'stoer'; did you mean 'store'?"),
        ("TREATISE_THREADS", "two", "TREATISE_THREADS: threads must be a whole number, not 'two'"),
        ("TREATISE_THREADS", "2.5", "TREATISE_THREADS: threads must be a whole number, not 2.5"),
        ("TREATISE_THREADS", "-1", "TREATISE_THREADS: threads must be above 0"),
    ],
)
def test_a_bad_variable_is_named(file: Path, name: str, value: str, message: str) -> None:
    file.touch()
    with pytest.raises(SettingsError) as raised:
        load_settings(file, {name: value})
    assert message in str(raised.value)


def test_a_text_that_looks_like_a_number_stays_a_text(file: Path) -> None:
    file.touch()
    assert load_settings(file, {"TREATISE_LLM_MODEL": "7"}).llm_model == "7"


def test_the_key_is_read_from_the_variable_that_the_settings_name(file: Path) -> None:
    file.write_text('api_key_env = "TREATISE_MY_KEY"')
    environment = {"TREATISE_MY_KEY": "sk-mine", "TREATISE_API_KEY": "sk-other", "OPENAI_API_KEY": "sk-third"}
    assert load_settings(file, environment).api_key == "sk-mine"
    environment["TREATISE_API_KEY_ENV"] = "OPENAI_API_KEY"
    environment.pop("TREATISE_MY_KEY")
    assert load_settings(file, environment).api_key == "sk-third"


def test_another_vendors_key_is_not_taken_unasked(file: Path) -> None:
    file.touch()
    assert load_settings(file, {"OPENAI_API_KEY": "sk-third"}).api_key == ""


def test_secrets_are_not_shown() -> None:
    shown = repr(replace(Settings(), api_key="sk-secret", llm="https://me:pass-word@host:8000/v1"))
    assert "sk-secret" not in shown
    assert "pass-word" not in shown
    assert "https://***@host:8000/v1" in shown


def test_prices_are_a_table_by_model(file: Path) -> None:
    file.write_text('[prices]\n"llama3.2" = [0.1, 0.4]\nbig = [2, 6]\n')
    assert load_settings(file, {}).prices == (("llama3.2", 0.1, 0.4), ("big", 2.0, 6.0))


@pytest.mark.parametrize("content", ["prices = 3", "[prices]\na = 1", "[prices]\na = [1]", "[prices]\na = [1, -2]"])
def test_prices_that_are_none_are_refused(file: Path, content: str) -> None:
    file.write_text(content)
    with pytest.raises(SettingsError, match="prices must be a table"):
        load_settings(file, {})
    with pytest.raises(SettingsError, match="prices must be a table"):
        load_settings(environment={"TREATISE_PRICES": "cheap"})


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:a/b@h/d?password=x&sslmode=require", "postgresql://***@h/d?password=***&sslmode=require"),
        ("postgres://me@h/d", "postgres://***@h/d"),
        ("https://me:key@h/v1?a=b@c", "https://***@h/v1?a=b@c"),
    ],
)
def test_user_and_password_of_a_url_are_masked(url: str, shown: str) -> None:
    assert masked_setting(url) == shown


@pytest.mark.parametrize("content", ["a = " + "[" * 100_000, "budget = " + "9" * 5_000])
def test_a_settings_file_made_to_crash_the_parser_is_refused_by_name(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.toml").write_text(content)
    with pytest.raises(SettingsError, match=r"config\.toml is not TOML"):
        load_settings(tmp_path / "config.toml", {})
