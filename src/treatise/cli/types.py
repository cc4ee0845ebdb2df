"""Types of values on the command line."""

import shlex
from pathlib import Path
from typing import Any, Final

import click

_NEED_A_LIBRARY: Final = frozenset({"export", "remove", "search", "show", "tag", "update"})
"""Commands that would otherwise create an empty library where the user mistyped the path of one."""


class StoreType(click.Path):
    """The path of a file in a folder that exists, or a URL, which stays a string."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See ``click.ParamType.convert``."""
        if "://" in str(value):
            return value
        if str(value).startswith(("postgres:", "postgresql:", "sqlite:")):
            self.fail("a URL has :// after its kind, such as postgresql://USER@HOST/DATABASE")
        folder = Path(value).expanduser().parent
        if not folder.is_dir():
            self.fail(f"the folder {folder} does not exist; create it first: mkdir -p {shlex.quote(str(folder))}")
        if ctx and ctx.command.name in _NEED_A_LIBRARY and not Path(value).expanduser().exists():
            self.fail(f"{value} does not exist yet: treatise index FILE --store {shlex.quote(str(value))}")
        return super().convert(value, param, ctx)


class ModelType(click.Path):
    """A model's name, or a folder as it was written: ``./large`` is a folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """A name whatever file is called like it, else a folder."""
        from treatise.settings import NAMED_MODELS

        return value if value in NAMED_MODELS else super().convert(value, param, ctx)
