"""Language models by URL, name or file, and the budget of their calls."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from treatise.compose.places import endpoint, is_url
from treatise.core.errors import EngineError, SettingsError
from treatise.settings import Settings, load_settings

if TYPE_CHECKING:
    from treatise.core.ports import LanguageModel
    from treatise.llm.budget import Budget

SERVERS: Final = {
    "llama.cpp": "http://localhost:8080/v1",
    "lm-studio": "http://localhost:1234/v1",
    "ollama": "http://localhost:11434/v1",
    "openai": "https://api.openai.com/v1",
    "vllm": "http://localhost:8000/v1",
}
"""Default URLs of the servers that ``--llm`` knows by name."""

_FILE_WINDOW: Final = 4_096
"""Default window of a GGUF model, in tokens."""


def open_language_model(name: str, model: str | None = None, settings: Settings | None = None) -> "LanguageModel":
    """The language model with that URL, name or file; ``model`` selects one of a server's models.

    Raises:
        SettingsError: If it is none of these.
        MissingExtraError: If it needs an optional dependency.
    """
    settings = settings or load_settings()
    settings = replace(settings, llm=name, llm_model=settings.llm_model if model is None else model)
    if name.endswith(".gguf"):
        from treatise.engines.llama import LlamaChat

        window = settings.llm_window or _FILE_WINDOW
        return LlamaChat(Path(name), context_tokens=window, threads=settings.threads)
    return _server(name, settings)


def _server(name: str, settings: Settings) -> "LanguageModel":
    from treatise.engines.openai_chat import OpenAIChat
    from treatise.engines.pacing import RateLimit

    url = name if is_url(name) else SERVERS.get(name)
    if url is None:
        raise SettingsError(
            f"no language model is named {name!r}: give the URL of an OpenAI-compatible server, such as "
            f"{SERVERS['ollama']}, a file that ends in .gguf, or one of the names {', '.join(SERVERS)}"
        )
    limit = RateLimit(settings.requests_per_minute, settings.tokens_per_minute)
    server = endpoint(settings, url, settings.llm_model)
    try:
        return OpenAIChat(server, settings.llm_window, limit)
    except EngineError as error:  # the only model of a server is found by asking it
        from treatise.engines.unavailable import UnavailableChat

        return UnavailableChat(f"openai-chat {server}", error)


def open_budget(settings: Settings) -> "Budget":
    """The ceilings and prices in the settings."""
    from treatise.llm.budget import Budget, Price

    table = {model: (prompt, completion) for model, prompt, completion in settings.prices}
    prices = settings.prompt_price, settings.completion_price
    if not any(prices):
        prices = table.get(settings.llm_model or settings.llm, prices)
    return Budget(
        max_calls=settings.max_calls if settings.max_calls >= 0 else None,
        max_cost=settings.max_cost if settings.max_cost >= 0 else None,
        price=Price(*prices) if any(prices) or (settings.llm_model or settings.llm) in table else None,
    )
