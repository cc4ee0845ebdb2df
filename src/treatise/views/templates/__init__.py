"""Template files: markup, style and script."""

from functools import cache
from importlib.resources import files


@cache
def template(name: str) -> str:
    """The text of a template file."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
