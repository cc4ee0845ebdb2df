"""Prompts as numbered files: a published file is never edited; a change gets a new number."""

from functools import cache
from importlib.resources import files


@cache
def prompt(package: str, name: str, version: int) -> str:
    """The text of ``prompts/<name>-<version>.txt`` of a package, stripped of whitespace."""
    return files(package).joinpath("prompts", f"{name}-{version}.txt").read_text(encoding="utf-8").strip()
