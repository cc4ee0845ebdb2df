"""Writing to standard output: JSON, coloured lines in a terminal, plain lines in a pipe."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treatise.core.printable import printable, printable_json
from treatise.settings import load_settings

if TYPE_CHECKING:
    from rich.console import Console


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


@dataclass(frozen=True, slots=True)
class Output:
    """The form in which a command prints its result.

    Attributes:
        as_json: One JSON object instead of lines.
        no_color: Plain lines even in a terminal.
        verbose: Lines with more detail.
    """

    as_json: bool
    no_color: bool
    verbose: bool = False

    def show(self, record: dict[str, object], lines: Iterable[Line]) -> None:
        """Writes the record as JSON, or the lines."""
        if self.as_json:
            show_json(record)
        else:
            show(lines, no_color=self.no_color, pages=True)


def show(lines: Iterable[Line], *, no_color: bool = False, pages: bool = False) -> None:
    """Writes lines: styled and wrapped in a terminal, otherwise plain, unless the settings force colours.

    With ``pages`` what is longer than the screen goes through the user's pager.
    """
    colour = "never" if no_color or "NO_COLOR" in os.environ else load_settings().colour
    if sys.stdout.isatty() or colour == "always":
        _show_in_terminal(lines, colour, pages=pages and sys.stdin.isatty() and sys.stdout.isatty())
    else:
        for each in lines:
            click.echo(" " * each.indent + "".join(printable(text) for text, _ in each.parts))


def show_json(value: dict[str, object]) -> None:
    """Writes one JSON object; characters outside the output's encoding are escaped."""
    click.echo(_json_text(value, indent=2))


def show_json_line(value: dict[str, object]) -> None:
    """Writes one JSON object on one line, at once: the reader may be waiting for it."""
    click.echo(_json_text(value, indent=None))
    sys.stdout.flush()


def _json_text(value: dict[str, object], indent: int | None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    return printable_json(text)


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
    """Writes a line to standard error; further lines are indented, so that no file name can forge a message."""
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)  # progress may be drawn in this line
    click.echo(printable(f"treatise: {message}").replace("\n", "\n  "), err=True)


def _show_in_terminal(lines: Iterable[Line], colour: str, *, pages: bool) -> None:
    from rich.console import Console

    console = Console(force_terminal=True, no_color=colour == "never", highlight=False)
    with console.capture() if pages else nullcontext() as captured:
        _print(lines, console)
    if captured is not None:
        _page(captured.get(), console.height)


def _print(lines: Iterable[Line], console: "Console") -> None:
    from rich.padding import Padding
    from rich.text import Text

    for each in lines:
        text = Text.assemble(*((printable(part), style) for part, style in each.parts))
        if each.cut:
            text.truncate(max(1, console.width - each.indent), overflow="ellipsis")
        console.print(Padding(text, (0, 0, 0, each.indent), expand=False) if each.parts else text)


def _page(text: str, height: int) -> None:
    """Writes a text, by the pager if it has more rows than the screen; ``PAGER=cat`` writes it as it is."""
    if text.count("\n") < height:
        click.echo(text, nl=False, color=True)
        return
    os.environ.setdefault("LESS", "FRX")  # keep colours, end at once if it fits, leave the text on the screen
    click.echo_via_pager(text, color=True)
