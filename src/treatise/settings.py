"""Settings from a TOML file, then the environment, then the command line; later ones win.

They are read once. The file is the one named on the command line, or by ``TREATISE_CONFIG``, or ``config.toml`` in the
platform's folder for settings. The variable of a key is ``TREATISE_`` and the key in upper case.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import platformdirs

from treatise.core.errors import SettingsError
from treatise.core.toml_file import read_toml

PREFIX: Final = "TREATISE_"
SERVER_PREFIX: Final = "TREATISE_SERVER_"
"""Prefix of the variables of ``treatise serve``, which reads them itself, like the table ``[server]`` of the file."""

_NOT_KEYS: Final = frozenset(
    {
        "TREATISE_CONFIG",
        "TREATISE_API_KEY",
        "TREATISE_DATA",
        "TREATISE_TEST_VENV",
        "TREATISE_TEST_RAY",
        "TREATISE_TEST_TRAIN",
        "TREATISE_SERVE_WORKER",
        "TREATISE_TEST_FUZZ",
    }
)
"""Variables with our prefix that are not settings: the path of the file, the default key, the folder of training and
test data, and those of ``scripts/test``.
"""

_SERVER: Final = re.compile(r"postgres(ql)?://")

_COLOURS: Final = ("auto", "always", "never")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting with its default.

    Attributes:
        store: The store of documents and indexes: a file's path, ``sqlite:///path`` or ``postgresql://…``; None for the
            platform's default location.
        recipe: The system, by its name on the command line.
        budget: Evidence for a question, in whitespace-separated words.
        encoder: ``treatise-en`` (built in), ``multilingual`` (an extra), the URL of an OpenAI-compatible server with
            ``/embeddings``, or the folder of a model.
        encoder_model: The model's name at that URL; empty if the server has only one.
        question_encoder: A separate encoder for questions, of the same vector space (DPR): a folder or a URL; empty if
            one encoder reads both.
        question_encoder_model: The model's name at that URL.
        passage_prefix, question_prefix: The prefixes that the encoder expects, such as ``"passage: "`` and
            ``"query: "``.
        reranker: The second stage of retrieval: a name (``reranker-en`` if it ships, ``late-interaction``,
            ``listwise`` for the language model), the URL of a server with ``/rerank``, or the folder of a
            cross-encoder. Empty for the recipe's own choice.
        reranker_model: The model's name at that URL; empty if the server has only one.
        reader: The trained reader that finds direct answers: ``reader-en``, ``large`` (an extra; slower, finds more),
            a reader's folder, or ``none`` to quote sentences only; empty for ``reader-en``.
        prior: What tells the documents of a library apart beside their words: ``large`` (an extra) for the openings of
            English documents as a larger encoder reads them; empty for the means of their first leaves.
        parser: The folder of a trained parser; empty for those that ship. More accurate on English, and slower, are
            ``large`` (the extra of that name) and ``ensemble``, the large or the usual one and the multilingual one
            together. ``transition-children`` and ``transition-leaves`` are those of DISRetrieval (English).
        segmenter: The folder of a trained segmenter, or of a parser that segments; empty for those that ship;
            ``large`` as for the parser.
        llm: The URL of an OpenAI-compatible server, a name, or a GGUF file; empty to answer without a language model.
        llm_model: The model's name at that URL; empty if the server has only one.
        api_key_env: The environment variable with the API key for those URLs.
        api_key: Its value; empty if not set. Never read from a file, never printed.
        llm_window: The language model's window in tokens; 0 if unknown.
        max_calls, max_cost: Ceilings of the language model's calls while indexing, in requests and at the prices below;
            below 0 for none. Beyond them, notes are made without a model.
        prompt_price, completion_price: The price per million tokens, in any currency; 0 if unknown.
        prices: The same by model, if the price is not set above: name, prompt, completion. In the file a table
            ``[prices]`` with lines such as ``"llama3.2" = [0.1, 0.4]``.
        requests_per_minute, tokens_per_minute: The rate limits of the language model's server; 0 for none.
        concurrency: Concurrent requests to a URL.
        timeout_s: The time limit of a request to a URL.
        threads: Processor threads for the encoder.
        colour: ``auto``, ``always`` or ``never``.

    Raises:
        SettingsError: If a value is out of its range.
    """

    store: Path | str | None = None
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
    reader: str = ""
    prior: str = ""
    parser: str = ""
    segmenter: str = ""
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
        """Everything but the key, with passwords in URLs masked: safe for logs."""
        shown = ((key, masked_setting(getattr(self, key))) for key in SETTING_KEYS)
        return f"Settings({', '.join(f'{key}={value!r}' for key, value in shown)})"


_TYPES: Final = {key.name: Path if key.name == "store" else type(key.default) for key in fields(Settings)}
SETTING_KEYS: Final = tuple(key for key in _TYPES if key != "api_key")
"""The keys that a file or a variable may set."""

ENSEMBLE: Final = "ensemble"
"""As ``parser``: an English and the multilingual parser together, for English texts."""
LARGE: Final = "large"
"""As ``parser``, ``segmenter``, ``reader`` or ``prior``: the one over a larger encoder, for English texts."""
TRANSITION: Final = ("transition-children", "transition-leaves")
"""As ``parser``: those of DISRetrieval."""

FOLDER_KEYS: Final = ("parser", "segmenter")
"""Settings that are paths, unless their value is one of :data:`NAMED_MODELS`."""
NAMED_MODELS: Final = (ENSEMBLE, LARGE, *TRANSITION)

_REMOVED: Final = {"decoder": "the parser over SmolLM2 was replaced by 'large'"}
"""Keys of earlier versions, and why they are gone."""

_TYPE_NAMES: Final = {
    **{str: "a text", int: "a whole number", float: "a number", Path: "a path"},
    tuple: 'a table of the settings file with lines such as "llama3.2" = [0.1, 0.4]',
}


def load_settings(path: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of file and environment.

    Args:
        path: The settings file, which must exist; None for ``TREATISE_CONFIG`` or the default path, which may be
            missing.
        environment: Variables; those without our prefix are ignored.

    Raises:
        SettingsError: Naming the file or variable, the key, and the most similar known key.
    """
    settings = _with(Settings(), _from_file(path, environment))
    settings = _with(settings, _from_environment(environment, settings.api_key_env))
    return replace(settings, api_key=environment.get(settings.api_key_env, ""))


def settings_path(environment: Mapping[str, str] = os.environ) -> Path:
    """The path of the settings file unless the command line names another."""
    named = environment.get("TREATISE_CONFIG")
    return Path(named) if named else platformdirs.user_config_path("treatise", appauthor=False) / "config.toml"


def setting_origins() -> dict[str, str]:
    """The file or the variable that sets each key; keys with their default value are absent.

    Raises:
        SettingsError: As ``load_settings``.
    """
    key_env = load_settings().api_key_env
    found = (*_from_file(None, os.environ), *_from_environment(os.environ, key_env))
    return {key: origin for origin, key, _ in found}


def parsed_setting(key: str, text: str) -> object:
    """The value that a text gives a key.

    Raises:
        SettingsError: If the key is unknown, or the text is not a value of its type and range.
    """
    value = _value(key, key, text)
    _with(Settings(), [(key, key, value)])
    return value


def _with(settings: Settings, found: Iterable[tuple[str, str, Any]]) -> Settings:
    """The settings with each ``(origin, key, value)`` replaced."""
    for origin, key, value in found:
        try:
            settings = replace(settings, **{key: value})
        except SettingsError as error:
            raise SettingsError(f"{origin}: {error}") from error
    return settings


def _from_file(path: Path | None, environment: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    """Origin, key and value of each line; relative paths are relative to the file's folder."""
    file = path or settings_path(environment)
    if path is None and not environment.get("TREATISE_CONFIG") and not file.exists():
        return
    for key, value in read_toml(file).items():
        if key == "server":
            continue
        typed = _typed(str(file), key, value)
        yield str(file), key, _beside(file, key, typed)


def _beside(file: Path, key: str, value: object) -> object:
    """A path relative to the folder of its settings file."""
    if key in FOLDER_KEYS and value and value not in NAMED_MODELS:
        return str(file.parent / Path(str(value)).expanduser())
    return file.parent / value if isinstance(value, Path) else value


def _from_environment(environment: Mapping[str, str], api_key_env: str) -> Iterator[tuple[str, str, Any]]:
    """Origin, key and value of each of our variables, except the API key's."""
    holds_key = environment.get(f"{PREFIX}API_KEY_ENV", api_key_env)
    for name in sorted(environment):
        is_ours = name.startswith(PREFIX) and not name.startswith(SERVER_PREFIX)
        if is_ours and name not in _NOT_KEYS and name != holds_key:
            key = name.removeprefix(PREFIX).lower()
            text = environment[name]
            yield name, key, _value(name, key, text)


def _value(origin: str, key: str, text: str) -> object:
    return _typed(origin, key, _number(text) if _TYPES.get(key) in (int, float) else text)


def _number(text: str) -> int | float | str:
    """A variable's value as a number, if it is one."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def _typed(origin: str, key: str, value: object) -> object:
    """The value as its key's type."""
    if key not in SETTING_KEYS:
        raise SettingsError(f"{origin}: unknown key {key!r}; {_advice(key)}")
    wanted = _TYPES[key]
    if wanted is float and type(value) is int:
        return float(value)
    if wanted is Path and isinstance(value, str):
        return value if "://" in value else Path(value).expanduser()
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
    if key in _REMOVED:
        return f"{_REMOVED[key]}; remove this setting"
    near = get_close_matches(key, SETTING_KEYS, n=1)
    return f"did you mean {near[0]!r}?" if near else f"known keys are {', '.join(SETTING_KEYS)}"


def masked_setting(value: object) -> object:
    """The value without the user name and password of a URL."""
    if not isinstance(value, str):
        return value
    masked = re.sub(r"//.*@", "//***@", value) if _SERVER.match(value) else re.sub(r"//[^/]*@", "//***@", value)
    return re.sub(r"(?i)([?&](?:ssl)?password=)[^&]*", r"\1***", masked)
