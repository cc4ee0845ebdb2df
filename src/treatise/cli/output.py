"""Writing to standard output: JSON, coloured lines in a terminal, plain lines in a pipe."""

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from treatise.settings import load_settings

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters and lone surrogates, which a document may contain and a terminal must not receive."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output. A terminal wraps it and keeps the indent.

    Attributes:
        parts: Text and style, in order; a style is one of ``rich``'s, such as ``"bold"`` or ``"dim cyan"``.
        indent: Columns before each row.
        cut: Whether a terminal truncates it instead of wrapping it.
    """

    parts: tuple[tuple[str, str], ...] = ()
    indent: int = 0
    cut: bool = False


def line(*parts: str | tuple[str, str], indent: int = 0, cut: bool = False) -> Line:
    """A line from texts and ``(text, style)`` pairs."""
    return Line(tuple(part if isinstance(part, tuple) else (part, "") for part in parts), indent, cut)


def counted(n: int, noun: str) -> str:
    """A number and its noun: ``1 call``, ``2,000 calls``."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


@dataclass(frozen=True, slots=True)
class Output:
    """The form in which a command prints its result.

    Attributes:
        as_json: One JSON object instead of lines.
        no_color: Plain lines even in a terminal.
    """

    as_json: bool
    no_color: bool

    def show(self, record: dict[str, object], lines: Iterable[Line]) -> None:
        """Writes the record as JSON, or the lines."""
        if self.as_json:
            show_json(record)
        else:
            show(lines, no_color=self.no_color)


def show(lines: Iterable[Line], *, no_color: bool = False) -> None:
    """Writes lines: styled and wrapped in a terminal, otherwise plain, unless the settings force colours."""
    colour = "never" if no_color or "NO_COLOR" in os.environ else load_settings().colour
    if sys.stdout.isatty() or colour == "always":
        _show_in_terminal(lines, colour)
    else:
        for each in lines:
            click.echo(" " * each.indent + "".join(_printable(text) for text, _ in each.parts))


def show_json(value: dict[str, object]) -> None:
    """Writes one JSON object; characters outside the output's encoding are escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    click.echo(text)


def show_figures(figures: Mapping[str, float], path: Path, *, as_json: bool) -> None:
    """Prints the figures of a run, and the path that it wrote."""
    if as_json:
        show_json({"output": str(path), **figures})
        return
    width = max(map(len, figures), default=0)
    for name, value in figures.items():
        click.echo(f"{name:{width}}  {value}")
    click.echo(f"written to {path}", file=sys.stderr)


def warn(message: str) -> None:
    """Writes a line to standard error."""
    click.echo(_printable(f"treatise: {message}"), err=True)


def _show_in_terminal(lines: Iterable[Line], colour: str) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(force_terminal=True, no_color=colour == "never", highlight=False)
    for each in lines:
        text = Text.assemble(*((_printable(part), style) for part, style in each.parts))
        if each.cut:
            text.truncate(max(1, console.width - each.indent), overflow="ellipsis")
        console.print(Padding(text, (0, 0, 0, each.indent), expand=False) if each.parts else text)


def _printable(text: str) -> str:
    return _CONTROL.sub("�", text)
