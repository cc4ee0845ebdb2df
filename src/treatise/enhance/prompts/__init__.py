"""What language models are asked, as numbered files: a published one is never edited, a change is a new number."""

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str, version: int) -> str:
    """The text of ``<name>-<version>.txt`` in this folder."""
    return files(__name__).joinpath(f"{name}-{version}.txt").read_text(encoding="utf-8").strip()
