"""A text with its units and the discourse tree over them."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from treatise.core.document import Span
from treatise.core.errors import TreeError
from treatise.core.notebook import tree_html
from treatise.core.tree import DiscourseTree
from treatise.parse.analysis import Analysis
from treatise.parse.parser import TextParser
from treatise.parse.rows import Level, Text
from treatise.parse.segment import Segmenter
from treatise.parse.tokenised import TokenisedText


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text with its discourse tree.

    Attributes:
        source: The text, its sentences and tokens.
        level: The kind of units.
        paragraphs: The characters of the units of each paragraph; each unit begins and ends with a token.
        tree: Binary, over all units.

    Raises:
        TreeError: If the tree has another number of units.
    """

    source: TokenisedText
    level: Level
    paragraphs: tuple[tuple[Span, ...], ...]
    tree: DiscourseTree

    def __post_init__(self) -> None:
        Analysis(self.units, self.tree)

    @property
    def spans(self) -> tuple[Span, ...]:
        """The characters of every unit, in order."""
        return tuple(span for paragraph in self.paragraphs for span in paragraph)

    @property
    def units(self) -> tuple[str, ...]:
        """The text of every unit, in order."""
        return tuple(self.source.quote(span) for span in self.spans)

    @property
    def text(self) -> Text:
        """The units as the parser reads them."""
        return _text(self.source, self.level, self.paragraphs)

    def write(self, form: str) -> str:
        """The content of a file: ``brackets``, ``json``, ``rs3``, ``rs4``, ``dis``, ``rels``, ``tok`` or ``conllu``.

        Raises:
            TreeError: If the format is unknown, or cannot hold a relation or a character.
        """
        from treatise.parse.disrpt import WRITERS
        from treatise.parse.formats import Format, write_tree_file

        if form in WRITERS:
            return WRITERS[form](self)
        if form not in set(Format):
            raise TreeError(f"there is no tree format named {form!r}: choose from {', '.join([*Format, *WRITERS])}")
        return write_tree_file(self.text, self.tree, Format(form))

    def _repr_html_(self) -> str:
        units = self.units
        return tree_html(self.tree, lambda unit: units[unit])


def parse_tokenised(source: TokenisedText, parser: TextParser, segmenter: Segmenter | None = None) -> ParsedText:
    """The tree over the sentences, or over the EDUs that a segmenter finds in them; an EDU begins with a token.

    Raises:
        TreeError: If there is no sentence.
        EngineError: If a model failed.
    """
    if not source.sentences:
        raise TreeError(f"{source.name}: there is no sentence to parse")
    level = Level.EDU if segmenter else Level.SENTENCE
    paragraphs = _edus(source, segmenter) if segmenter else source.paragraphs
    (tree,) = parser.parse_texts([_text(source, level, paragraphs)])
    return ParsedText(source, level, paragraphs, tree)


def _text(source: TokenisedText, level: Level, paragraphs: Sequence[Sequence[Span]]) -> Text:
    texts = tuple(tuple(source.quote(span) for span in spans) for spans in paragraphs)
    return Text(source.name, source.language, level, texts)


def _edus(source: TokenisedText, segmenter: Segmenter) -> tuple[tuple[Span, ...], ...]:
    sentences = source.sentences
    segmented = segmenter.segment([source.quote(one) for one in sentences], source.language)
    tokens = source.tokens_of_sentences()
    found = iter(
        list(_places(source, sentence, edus, source.tokens[first:last]))
        for sentence, edus, (first, last) in zip(sentences, segmented, tokens, strict=True)
    )
    return tuple(tuple(span for _ in paragraph for span in next(found)) for paragraph in source.paragraphs)


def _places(source: TokenisedText, sentence: Span, edus: Sequence[str], tokens: Sequence[Span]) -> Iterator[Span]:
    """The EDUs of a sentence: each begins with the token that contains its first character, or the next one."""
    at = sentence.start
    firsts = [0]
    for edu in edus:
        start = source.text.index(edu, at, sentence.end)
        at = start + len(edu)
        firsts.append(bisect_left(tokens, start + 1, key=lambda token: token.end))
    cuts = sorted({*firsts, len(tokens)})
    for first, last in pairwise(cuts):
        yield Span(tokens[first].start, tokens[last - 1].end)
