"""The parts of a page, as files: markup, style and script."""

from functools import cache
from importlib.resources import files


@cache
def template(name: str) -> str:
    """The text of one of the files beside this one."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
