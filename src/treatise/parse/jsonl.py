"""The JSON lines of ``treatise parse --input --output`` and ``--segment``: one output line per input line."""

from collections.abc import Iterable, Iterator

from treatise.core.errors import DataError, TreeError
from treatise.core.tree import DiscourseTree
from treatise.parse.formats import Format, write_tree_file
from treatise.parse.parser import TextParser
from treatise.parse.rows import Text, json_line, list_of, numbered, read_object, read_text, strings, write_tree
from treatise.parse.segment import Segmenter


def parse_rows(
    lines: Iterable[str], parser: TextParser, source: str = "-", form: Format | None = None
) -> Iterator[str]:
    """``{"id", "tree"}`` for every ``{"id", "lang", "level", "paragraphs"}``, in order, one at a time.

    A text of n units gives n - 1 nodes, parents first. Blank lines are skipped; an output line has no line break.

    Args:
        lines: The input.
        parser: Builds the trees.
        source: The input's name, for errors.
        form: Adds the tree in this format, as ``"formatted"``; JSON adds nothing.

    Raises:
        DataError: At the first line, named by number, that does not have the documented form or has no unit.
        TreeError: At the first line, named by number and id, with a character or a relation that the format forbids.
        EngineError: If the parser's model failed.
    """
    for line, where in numbered(lines, source):
        text = read_text(line, where)
        tree = parser.parse_texts([text])[0]
        if form is None or form is Format.JSON:
            yield write_tree(text, tree)
        else:
            yield write_tree(text, tree, formatted=_formatted(text, tree, form, where))


def _formatted(text: Text, tree: DiscourseTree, form: Format, where: str) -> str:
    try:
        return write_tree_file(text, tree, form)
    except TreeError as error:
        raise TreeError(f"{where}: {text.id!r}: {error}; try another --format") from error


def segment_rows(lines: Iterable[str], segmenter: Segmenter, source: str = "-") -> Iterator[str]:
    """``{"id", "edus": [[edu, ...] per sentence]}`` for every ``{"id", "lang", "sentences"}``, in order.

    Args:
        lines: The input.
        segmenter: Finds the EDUs.
        source: The input's name, for errors.

    Raises:
        DataError: At the first line, named by number, that does not have the documented form.
        EngineError: If the segmenter's model failed.
    """
    for line, where in numbered(lines, source):
        row = read_object(line, where)
        name, lang = strings(row, ("id", "lang"), where)
        sentences = row.get("sentences")
        if not list_of(sentences, str):
            raise DataError(f"{where}: 'sentences' must be a list of strings")
        edus = segmenter.segment(sentences, lang)
        yield json_line({"id": name, "edus": edus})
