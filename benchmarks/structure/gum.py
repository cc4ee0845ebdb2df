"""GUM documents as their annotators read them: trees, dependencies, entities, coreference, and five human summaries."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Final

from treatise.core.document import Document, Paragraph, ParagraphKind, Section, Span
from treatise.core.tree import DiscourseTree
from treatise.parse.parseval import genre
from treatise.parse.rows import Text
from treatise.parse.rs3 import read_rs3
from treatise.parse.treebank import Conversion, read_gum

_BRACKETS: Final = re.compile(r"\((?P<opened>\d+)-(?P<fields>[^()]*)(?P<single>\))?|(?P<closed>\d+)\)")
_SUMMARY: Final = re.compile(r"# meta::summary\d+ = (?:\([^)]*\) )?(.*)")
_KINDS: Final = {"head": ParagraphKind.HEADING, "item": ParagraphKind.LIST, "list": ParagraphKind.LIST}


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a sentence.

    Attributes:
        form, lemma, upos, relation: As in the treebank's dependency tree.
        head: The token that it depends on, counted from 0 in the document; itself for the root of a sentence.
        sentence, edu: The sentence and the EDU that it stands in, counted from 0.
    """

    form: str
    lemma: str
    upos: str
    relation: str
    head: int
    sentence: int
    edu: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of an entity.

    Attributes:
        entity: Its number: coreferent mentions share it.
        start, end: Its tokens, half-open.
        n_summaries: How many of the five summaries mention the entity.
        is_pronoun: Whether its head is a pronoun or a demonstrative.
        sentence: The sentence that it stands in.
    """

    entity: int
    start: int
    end: int
    n_summaries: int
    is_pronoun: bool
    sentence: int


@dataclass(frozen=True)
class Annotated:
    """A document with its annotations.

    Attributes:
        name: Its name in the treebank.
        conversion: Its gold trees over EDUs and over sentences.
        fine: The tree over EDUs with the treebank's own relations, such as ``adversative-concession``.
        document: Its text, with gold sentences and paragraphs.
        tokens, mentions: In text order.
        summaries: One sentence by each of five people.
    """

    name: str
    conversion: Conversion
    fine: DiscourseTree
    document: Document
    tokens: tuple[Token, ...]
    mentions: tuple[Mention, ...]
    summaries: tuple[str, ...]

    @property
    def genre(self) -> str:
        """Its genre, such as ``academic``."""
        return genre(self.name)

    @property
    def gold(self) -> DiscourseTree:
        """The gold tree over EDUs, with coarse relations."""
        return self.conversion.edus.tree

    @property
    def edus(self) -> Text:
        """The EDUs in paragraphs."""
        return self.conversion.edus.text

    @property
    def sentences(self) -> Text:
        """The sentences in paragraphs."""
        if self.conversion.sentences is None:
            raise ValueError(f"{self.name}: the treebank marks no sentences")
        return self.conversion.sentences.text

    @property
    def sentence_of_edu(self) -> tuple[int, ...]:
        """The sentence of each EDU."""
        return self.conversion.edus.sentence_of_unit

    @cached_property
    def paragraph_of_sentence(self) -> list[int]:
        """The paragraph of each sentence."""
        return [at for at, paragraph in enumerate(self.sentences.paragraphs) for _ in paragraph]

    @cached_property
    def is_heading(self) -> list[bool]:
        """Whether each sentence is a heading."""
        kinds = [paragraph.kind for paragraph in self.document.paragraphs]
        return [kinds[at] is ParagraphKind.HEADING for at in self.paragraph_of_sentence]

    @cached_property
    def words_of_sentence(self) -> list[int]:
        """Number of whitespace words of each sentence."""
        return [len(sentence.split()) for sentence in self.sentences.units]


def read(folder: Path) -> Iterator[Annotated]:
    """The documents of a folder with ``rs4/`` and ``conllu/``, by name."""
    for conversion in read_gum(folder):
        name = conversion.edus.text.id
        lines = (folder / "conllu" / f"{name}.conllu").read_text("utf-8").splitlines()
        fine = read_rs3((folder / "rs4" / f"{name}.rs4").read_bytes(), name).tree
        tokens = tuple(_tokens(lines))
        yield Annotated(
            name,
            conversion,
            fine,
            _document(name, conversion, lines),
            tokens,
            tuple(_mentions(lines, tokens)),
            tuple(match[1] for line in lines if (match := _SUMMARY.match(line))),
        )


def _rows(lines: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The sentence and the fields of each token; empty tokens and ranges are skipped."""
    sentence = -1
    for line in lines:
        sentence += line.startswith("# text = ")
        fields = line.split("\t")
        if len(fields) == 10 and fields[0].isdecimal():
            yield sentence, fields


def _tokens(lines: Sequence[str]) -> Iterator[Token]:
    edu, n_before = -1, 0
    for sentence, group in groupby(_rows(lines), key=lambda row: row[0]):
        rows = [fields for _, fields in group]
        for i, fields in enumerate(rows):
            edu += "Discourse=" in fields[9]
            head = n_before + (int(fields[6]) - 1 if int(fields[6]) else i)
            yield Token(fields[1], fields[2].lower(), fields[3], fields[7].split(":")[0], head, sentence, edu)
        n_before += len(rows)


def _mentions(lines: Sequence[str], tokens: Sequence[Token]) -> Iterator[Mention]:
    found = sorted(_brackets(lines), key=lambda one: (one[1], -one[2]))
    for entity, start, end, n_summaries in found:
        heads = [i for i in range(start, end) if not start <= tokens[i].head < end or tokens[i].head == i]
        is_pronoun = bool(heads) and tokens[heads[0]].upos == "PRON"
        is_pronoun = is_pronoun or (end - start == 1 and tokens[start].upos == "DET")
        yield Mention(entity, start, end, n_summaries, is_pronoun, tokens[start].sentence)


def _brackets(lines: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Entity, first token, token after the last one, and the number of summaries, of each mention."""
    opened: dict[int, list[tuple[int, int]]] = {}
    for at, (_, fields) in enumerate(_rows(lines)):
        notes = dict(part.partition("=")[::2] for part in fields[9].split("|"))
        for match in _BRACKETS.finditer(notes.get("Entity", "")):
            if match["opened"]:
                n_summaries = match["fields"].split("-")[2].count("s")
                opened.setdefault(int(match["opened"]), []).append((at, n_summaries))
            if match["single"] or match["closed"]:
                entity = int(match["opened"] or match["closed"])
                start, n_summaries = opened[entity].pop()
                yield entity, start, at + 1, n_summaries


def _document(name: str, conversion: Conversion, lines: Sequence[str]) -> Document:
    """The text with gold sentences and paragraphs; headings as the treebank marks them."""
    sentences = conversion.sentences
    assert sentences is not None
    blocks = _blocks(lines)
    paragraphs: list[Paragraph] = []
    sections: list[Section] = []
    text = ""
    for units in sentences.text.paragraphs:
        start, spans = len(text), []
        kind = _KINDS.get(blocks[sum(len(paragraph.sentences) for paragraph in paragraphs)], ParagraphKind.PROSE)
        for i, unit in enumerate(units):
            spans.append(Span(len(text), len(text) + len(unit) + 1))
            text += unit + ("\n" if i + 1 == len(units) else " ")
        paragraphs.append(Paragraph(start, len(text), kind, tuple(spans)))
        if kind is ParagraphKind.HEADING:
            sections.append(Section(" ".join(units), 1, start))
    if not sections or sections[0].start:
        sections.insert(0, Section("", 0, 0))
    return Document(name, name, "en", text, tuple(sections), tuple(paragraphs))


def _blocks(lines: Sequence[str]) -> list[str]:
    """The kind of block that each sentence stands in, such as ``head`` or ``p``."""
    found, block = [], "p"
    for line in lines:
        if line.startswith("# newpar"):
            block = line.removeprefix("# newpar_block = ").split()[0] if "_block" in line else "p"
        elif line.startswith("# text = "):
            found.append(block)
    return found
