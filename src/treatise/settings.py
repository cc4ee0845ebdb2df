"""What a user may set: a TOML file, then the environment, then the command line; each later one wins.

Read once, at the rim. The file is the one named on the command line, or by ``TREATISE_CONFIG``, or ``config.toml`` in
the platform's folder for settings; the variable of a key is ``TREATISE_`` and the key in upper case.
"""

import os
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import platformdirs

from treatise.core.errors import SettingsError

PREFIX: Final = "TREATISE_"

_NOT_KEYS: Final = frozenset(
    {"TREATISE_CONFIG", "TREATISE_API_KEY", "TREATISE_DATA", "TREATISE_TEST_VENV", "TREATISE_TEST_TRAIN"}
)
"""Variables with our prefix that are no settings: the file's place, the usual key, the folder of training and test
data, and those of ``scripts/test``."""

_COLOURS: Final = ("auto", "always", "never")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default.

    Attributes:
        store: The file that holds documents and indexes; None for the platform's usual place.
        recipe: Which system, by its name on the command line.
        budget: Evidence for a question, in whitespace-separated words.
        encoder: ``treatise-en`` (built in), ``multilingual`` (an extra), the URL of an OpenAI-compatible server with
            ``/embeddings``, or the folder of a model.
        encoder_model: The model's name at that URL; empty where the server has only one.
        question_encoder: Another encoder for questions alone, of the same vector space (DPR): a folder or a URL; empty
            where one encoder reads both.
        question_encoder_model: The model's name at that URL.
        passage_prefix, question_prefix: What the encoder wants before a passage and before a question, such as
            ``"passage: "`` and ``"query: "``.
        reranker: What reads the best passages once more, with the question: a name (``reranker-en`` where it ships,
            ``late-interaction``, ``listwise`` for the language model), the URL of a server with ``/rerank``, or the
            folder of a cross-encoder. Empty for the recipe's own way.
        reranker_model: The model's name at that URL; empty where the server has only one.
        llm: The URL of an OpenAI-compatible server, a name, or a GGUF file; empty to answer without a language model.
        llm_model: The model's name at that URL; empty where the server has only one.
        api_key_env: The environment variable that holds the key for those URLs.
        api_key: Its value, empty where it is not set. Never read from a file, never shown.
        llm_window: The language model's window in tokens; 0 where unknown.
        max_calls, max_cost: Ceilings of what indexing may ask of the language model, in requests and at the prices
            below; below 0 for none. What they do not allow gets text without a model.
        prompt_price, completion_price: What a million tokens cost, in any currency; 0 where unknown.
        prices: The same by model, for those whose price is not set above: name, prompt, completion. In the file a
            table ``[prices]`` with lines such as ``"llama3.2" = [0.1, 0.4]``.
        requests_per_minute, tokens_per_minute: What the language model's server allows; 0 for any rate.
        concurrency: Requests to a URL at the same time.
        timeout_s: How long one request to a URL may take.
        threads: Processor threads for the encoder.
        colour: ``auto``, ``always`` or ``never``.

    Raises:
        SettingsError: Where a value is out of its range.
    """

    store: Path | None = None
    recipe: str = "treatise"
    budget: int = 300
    encoder: str = "treatise-en"
    encoder_model: str = ""
    question_encoder: str = ""
    question_encoder_model: str = ""
    passage_prefix: str = ""
    question_prefix: str = ""
    reranker: str = ""
    reranker_model: str = ""
    llm: str = ""
    llm_model: str = ""
    api_key_env: str = "TREATISE_API_KEY"
    api_key: str = ""
    llm_window: int = 0
    max_calls: int = -1
    max_cost: float = -1.0
    prompt_price: float = 0.0
    completion_price: float = 0.0
    prices: tuple[tuple[str, float, float], ...] = ()
    requests_per_minute: float = 0.0
    tokens_per_minute: float = 0.0
    concurrency: int = 4
    timeout_s: float = 120.0
    threads: int = 2
    colour: str = "auto"

    def __post_init__(self) -> None:
        for key in ("budget", "concurrency", "timeout_s", "threads"):
            if not getattr(self, key) > 0:  # refuses NaN as well
                raise SettingsError(f"{key} must be above 0, not {getattr(self, key)}")
        for key in ("llm_window", "prompt_price", "completion_price", "requests_per_minute", "tokens_per_minute"):
            if not getattr(self, key) >= 0:
                raise SettingsError(f"{key} must not be below 0, not {getattr(self, key)}")
        if self.colour not in _COLOURS:
            raise SettingsError(f"colour is one of {', '.join(_COLOURS)}, not {self.colour!r}")

    def __repr__(self) -> str:
        """All but the key, with passwords in URLs masked: fit for logs."""
        shown = ((key, _masked(getattr(self, key))) for key in _KEYS)
        return f"Settings({', '.join(f'{key}={value!r}' for key, value in shown)})"


_TYPES: Final = {key.name: Path if key.name == "store" else type(key.default) for key in fields(Settings)}
_KEYS: Final = tuple(key for key in _TYPES if key != "api_key")
"""What a file or a variable may set."""

_TYPE_NAMES: Final = {
    **{str: "a text", int: "a whole number", float: "a number", Path: "a path"},
    tuple: 'a table of the settings file with lines such as "llama3.2" = [0.1, 0.4]',
}


def load_settings(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of file and environment.

    Args:
        path: The settings file, which must be there; None for ``TREATISE_CONFIG`` or the usual place, which need not.
        environment: Variables; those without our prefix are left alone.

    Raises:
        SettingsError: Naming the file or variable, the key, and the known key that comes nearest.
    """
    settings = _with(Settings(), _from_file(path, environment))
    settings = _with(settings, _from_environment(environment, settings.api_key_env))
    return replace(settings, api_key=environment.get(settings.api_key_env, ""))


def settings_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the settings file lies unless the command line names another."""
    named = environment.get("TREATISE_CONFIG")
    return Path(named) if named else platformdirs.user_config_path("treatise", appauthor=False) / "config.toml"


def _with(settings: Settings, found: Iterable[tuple[str, str, Any]]) -> Settings:
    """The settings with each ``(origin, key, value)`` in its place."""
    for origin, key, value in found:
        try:
            settings = replace(settings, **{key: value})
        except SettingsError as error:
            raise SettingsError(f"{origin}: {error}") from error
    return settings


def _from_file(path: Path | None, environment: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    """Origin, key and value of each line; a relative path begins at the file's folder."""
    file = path or settings_path(environment)
    if path is None and not environment.get("TREATISE_CONFIG") and not file.exists():
        return
    for key, value in _parsed(file).items():
        typed = _typed(str(file), key, value)
        yield str(file), key, file.parent / typed if isinstance(typed, Path) else typed


def _parsed(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not TOML: {error}") from error


def _from_environment(environment: Mapping[str, str], api_key_env: str) -> Iterator[tuple[str, str, Any]]:
    """Origin, key and value of each variable that is ours and does not hold the key."""
    holds_key = environment.get(f"{PREFIX}API_KEY_ENV", api_key_env)
    for name in sorted(environment):
        if name.startswith(PREFIX) and name not in _NOT_KEYS and name != holds_key:
            key = name.removeprefix(PREFIX).lower()
            text = environment[name]
            yield name, key, _typed(name, key, _number(text) if _TYPES.get(key) in (int, float) else text)


def _number(text: str) -> int | float | str:
    """A variable's text as a number; as it is where it is none."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _typed(origin: str, key: str, value: object) -> object:
    """The value as its key's type."""
    if key not in _KEYS:
        raise SettingsError(f"{origin}: unknown key {key!r}; {_advice(key)}")
    wanted = _TYPES[key]
    if wanted is float and type(value) is int:
        return float(value)
    if wanted is Path and isinstance(value, str):
        return Path(value).expanduser()
    if wanted is tuple and isinstance(value, dict) and all(map(_is_pair_of_prices, value.values())):
        return tuple((model, float(prompt), float(completion)) for model, (prompt, completion) in value.items())
    if type(value) is not wanted:
        raise SettingsError(f"{origin}: {key} must be {_TYPE_NAMES[wanted]}, not {value!r}")
    return value


def _is_pair_of_prices(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(price, int | float) and not isinstance(price, bool) and price >= 0 for price in value)
    )


def _advice(key: str) -> str:
    if key == "api_key":
        return "keys stay out of files: put it into the variable that api_key_env names"
    near = get_close_matches(key, _KEYS, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known keys are {', '.join(_KEYS)}"


def _masked(value: object) -> object:
    """The value without user name and password, where it is a URL that holds them."""
    return re.sub(r"//[^/]*@", "//***@", value) if isinstance(value, str) else value
