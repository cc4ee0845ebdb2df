"""``treatise parse``: documents and JSON lines to discourse trees."""

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from treatise.cli.explain import read_named
from treatise.cli.options import parser_options
from treatise.cli.output import show_json
from treatise.cli.sources import STDIN, Named, data_of, is_folder
from treatise.core.errors import DataError, TreeError

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.parse.by_language import Note
    from treatise.parse.parser import TextParser
    from treatise.parse.rows import Text
    from treatise.settings import Settings

_FORMATS = ("brackets", "json", "rs3", "rs4", "dis")


@click.command(
    short_help="Parse texts into discourse trees.",
    epilog="""\b
Examples:
  treatise parse paper.md                   the tree over its sentences
  treatise parse paper.md --units edu --format rs3 > paper.rs3
  treatise parse --input units.jsonl --output trees.jsonl
  treatise parse --segment --input texts.jsonl --output edus.jsonl

\b
Lines of units.jsonl:
  {"id", "lang", "level": "sentence"|"edu", "paragraphs": [["text", ...], ...]}
Lines of trees.jsonl, over units [start, end) with children meeting at split:
  {"id", "tree": [{"start", "split", "end", "nuclearity", "relation"}, ...]}
Lines of texts.jsonl and edus.jsonl, a list of EDUs for each sentence:
  {"id", "lang", "sentences": ["text", ...]}
  {"id", "edus": [["text", ...], ...]}

English has a model of its own; for other languages: pip install 'treatise[multilingual]'. Without it each unit is
joined to all that follow it, within paragraphs first, and rules cut sentences into EDUs.
""",
)
@click.argument("source", required=False)
@click.option("--units", type=click.Choice(["sentence", "edu"]), default="sentence", show_default=True)
@click.option("--format", "form", type=click.Choice(_FORMATS), default="brackets", show_default=True)
@click.option("--input", "input_", metavar="FILE", help="JSON lines to read; - for standard input.")
@click.option("--output", metavar="FILE", default="-", help="Where JSON lines go. Default: standard output.")
@click.option("--segment", is_flag=True, help="Cut sentences into elementary discourse units instead of parsing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: the tree, or the counts of --input.")
@parser_options
def parse(  # noqa: PLR0913  (click hands over each option as an argument)
    source: str | None,
    *,
    units: str,
    form: str,
    input_: str | None,
    output: str,
    segment: bool,
    as_json: bool,
    **models: Path | None,
) -> None:
    """Parse SOURCE, or the lines of --input, into discourse trees."""
    if (source is None) == (input_ is None):
        raise click.UsageError("give either a SOURCE or --input FILE")
    if source is not None:
        if is_folder(source):
            raise click.UsageError(f"{source} is a folder, and a tree is of one document: name one file")
        if segment:
            raise click.UsageError("--segment reads JSON lines: give them with --input FILE")
        if output != STDIN:
            raise click.UsageError("--output is for the lines of --input: a SOURCE's tree goes to standard output")
        click.echo(_tree_of(source, units, "json" if as_json else form, _settings(models)), nl=False)
    elif input_ is not None:
        if as_json and output == STDIN:
            raise click.UsageError("with --json the lines need a place of their own: --output FILE")
        if input_ != STDIN and Path(output).exists() and Path(output).samefile(input_):
            raise click.UsageError(f"{output} is the --input, and would be lost: name another file with --output")
        counts = _convert(input_, output, _settings(models), segment=segment)
        if as_json:
            show_json(counts)


def _settings(models: Mapping[str, Path | None]) -> "Settings":
    """The settings with the folders of the command line."""
    from treatise.settings import load_settings

    settings = load_settings()
    parser, segmenter = models["parser"] or settings.parser, models["segmenter"] or settings.segmenter
    return replace(settings, parser=str(parser), segmenter=str(segmenter))


def _tree_of(source: str, units: str, form: str, settings: "Settings") -> str:
    from treatise.parse.formats import Format, write_tree_file

    named = Named(source)
    document, _ = read_named(named, data_of(named))
    note = cache(_note)  # said once, by segmenter and parser together
    text = _text_of(document, units, settings, note)
    try:
        return write_tree_file(text, _parser(settings, note).parse_texts([text])[0], Format(form))
    except TreeError as error:
        raise TreeError(f"{source}: {error}; another --format may hold it") from error


def _note(lang: str) -> None:
    click.echo(
        f"no trained model here knows {lang!r}: units are joined to all that follow, and rules cut sentences. "
        "For other languages than English: pip install 'treatise[multilingual]'",
        err=True,
    )


def _text_of(document: "Document", units: str, settings: "Settings", note: "Note") -> "Text":
    from treatise.compose import open_segmenter
    from treatise.parse.parser import edu_text, sentence_text

    return edu_text(document, open_segmenter(settings, note=note)) if units == "edu" else sentence_text(document)


def _convert(source: str, target: str, settings: "Settings", *, segment: bool) -> dict[str, object]:
    """Writes a line for each line; what was written before an error stays."""
    from treatise.compose import open_segmenter
    from treatise.parse.jsonl import parse_rows, segment_rows

    started = time.monotonic()
    with _opened(source, "r") as lines, _opened(target, "w") as out:
        rows = (
            segment_rows(lines, open_segmenter(settings, note=_note), source)
            if segment
            else parse_rows(lines, _parser(settings, _note), source)
        )
        try:
            n_lines = _write_lines(rows, out)
        except UnicodeDecodeError as error:
            raise DataError(f"{source} is not UTF-8 ({error}): convert it with iconv") from error
    return {"lines": n_lines, "output": target, "seconds": round(time.monotonic() - started, 3)}


def _parser(settings: "Settings", note: "Note") -> "TextParser":
    from treatise.compose import open_text_parser

    return open_text_parser(settings, note=note)


def _write_lines(rows: Iterable[str], out: IO[str]) -> int:
    n_lines = 0
    for row in rows:
        out.write(row + "\n")
        n_lines += 1
    return n_lines


@contextmanager
def _opened(name: str, mode: str) -> Iterator[IO[Any]]:
    """A UTF-8 text file, or a standard stream for ``-``.

    Raises:
        DataError: Where it cannot be opened.
    """
    try:
        stream = click.open_file(name, mode, encoding="utf-8-sig" if mode == "r" else "utf-8")
    except OSError as error:
        raise DataError(f"{name} cannot be opened: {error.strerror}") from error
    with stream:
        yield stream
