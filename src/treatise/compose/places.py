"""Locations of shipped models and servers."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from treatise.engines.openai_client import Endpoint
    from treatise.settings import Settings

MODELS: Final = Path(__file__).parent.parent / "models"
"""The folder of the models that ship with the package."""


def is_url(text: str) -> bool:
    """Whether a setting is the URL of a server, not a model or a folder."""
    return "://" in text


def endpoint(settings: "Settings", url: str, model: str) -> "Endpoint":
    """A server with the key and limits of the settings."""
    from treatise.engines.openai_client import Endpoint

    return Endpoint(url, model, settings.api_key, timeout_s=settings.timeout_s, concurrency=settings.concurrency)
