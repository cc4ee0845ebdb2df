"""A text with the places of its sentences and tokens: from a document, or from a CoNLL-U file."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from treatise.core.document import Document, Span
from treatise.core.errors import DataError
from treatise.core.scripts import UNSPACED_CHARACTER

_TOKEN: Final = re.compile(rf"{UNSPACED_CHARACTER}|(?:(?!{UNSPACED_CHARACTER})\w)+|[^\w\s]")
_COLUMNS: Final = 10


@dataclass(frozen=True, slots=True)
class TokenisedText:
    """A text, and the characters of its sentences and tokens.

    Attributes:
        name: Identifies the text in files.
        language: ISO 639-1 code.
        text: The text.
        paragraphs: The sentences of each paragraph, in text order.
        tokens: In text order; each sentence has at least one.

    Raises:
        DataError: If tokens overlap, leave their sentence, or a sentence has none.
    """

    name: str
    language: str
    text: str
    paragraphs: tuple[tuple[Span, ...], ...]
    tokens: tuple[Span, ...]

    def __post_init__(self) -> None:
        _ = self.tokens_of_sentences()

    @property
    def sentences(self) -> tuple[Span, ...]:
        """Every sentence, in order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph)

    def quote(self, span: Span) -> str:
        """The exact text of a span."""
        return self.text[span.start : span.end]

    def tokens_of_sentences(self) -> list[tuple[int, int]]:
        """The numbers of the tokens of each sentence, half-open."""
        found: list[tuple[int, int]] = []
        at = 0
        for sentence in self.sentences:
            first, edge = at, sentence.start
            while at < len(self.tokens) and self.tokens[at].start < sentence.end:
                _check_token(self, self.tokens[at], edge, sentence)
                edge = self.tokens[at].end
                at += 1
            if at == first:
                raise DataError(f"{self.name}: the sentence at {sentence.start} has no token")
            found.append((first, at))
        if at < len(self.tokens):
            raise DataError(f"{self.name}: the token at {self.tokens[at].start} is in no sentence")
        return found


def _check_token(text: TokenisedText, token: Span, edge: int, sentence: Span) -> None:
    if token.start < edge or token.end > sentence.end or not len(token):
        raise DataError(
            f"{text.name}: the token at {token.start} is empty, overlaps another one or leaves its sentence "
            f"[{sentence.start}, {sentence.end})"
        )


def split_tokens(text: str, sentences: Iterable[Span]) -> tuple[Span, ...]:
    """Words and punctuation marks of the sentences; single characters in scripts without spaces."""
    matches = (match for one in sentences for match in _TOKEN.finditer(text, one.start, one.end))
    return tuple(Span(*match.span()) for match in matches)


def tokenised_document(document: Document, name: str = "") -> TokenisedText:
    """The document's sentences, with tokens by :func:`split_tokens`. A sentence without any is left out."""
    paragraphs = (
        tuple(one for one in spans if _TOKEN.search(document.text, one.start, one.end))
        for spans in document.readable_sentences()
    )
    kept = tuple(spans for spans in paragraphs if spans)
    tokens = split_tokens(document.text, (one for spans in kept for one in spans))
    return TokenisedText(name or document.id, document.language, document.text, kept, tokens)


def read_conllu(lines: Iterable[str], source: str, language: str = "en") -> Iterator[TokenisedText]:
    """The documents of a CoNLL-U file: its syntactic words are the tokens, ``# newpar`` begins a paragraph.

    Sentences are spaced as ``# text`` says, or ``SpaceAfter=No`` if that has other words. Of a token of several
    words (``1-2``) the words count; empty nodes (``1.1``), tags and syntax are not kept.

    Raises:
        DataError: At the first line that is no comment and does not have ten columns.
    """
    reading = _Reading(source)
    for number, line in enumerate(lines, 1):
        row = line.rstrip("\r\n")
        if row.startswith("# newdoc") and reading.has_words:
            yield reading.finish(language)
            reading = _Reading(source)
        reading.take(row, f"{source}: line {number}")
    if reading.has_words:
        yield reading.finish(language)


@dataclass(slots=True)
class _Reading:
    """A document of a CoNLL-U file up to the current line."""

    name: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    tokens: list[Span] = field(default_factory=list)
    paragraphs: list[list[Span]] = field(default_factory=lambda: [[]])
    words: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    stated: str = ""
    glued_to: int = 0

    @property
    def has_words(self) -> bool:
        return bool(self.tokens or self.words)

    def take(self, row: str, where: str) -> None:
        if not row.strip():
            self._end_sentence()
        elif row.startswith("#"):
            self._comment(row)
        else:
            columns = row.split("\t")
            if len(columns) != _COLUMNS:
                raise DataError(f"{where}: expected {_COLUMNS} columns separated by tabs, found {len(columns)}")
            self._word(columns)

    def finish(self, language: str) -> TokenisedText:
        self._end_sentence()
        paragraphs = tuple(tuple(one) for one in self.paragraphs if one)
        return TokenisedText(self.name, language, "".join(self.pieces), paragraphs, tuple(self.tokens))

    def _comment(self, row: str) -> None:
        key, _, value = row.removeprefix("#").partition("=")
        if key.strip() in ("newdoc id", "newdoc_id"):
            self.name = value.strip()
        elif key.strip() in ("newpar", "newpar id") and self.paragraphs[-1]:
            self.paragraphs.append([])
        elif key.strip() == "text":
            self.stated = value.strip()

    def _word(self, columns: Sequence[str]) -> None:
        number, form, is_glued = columns[0], columns[1], "SpaceAfter=No" in columns[9].split("|")
        if "." in number:
            return
        if "-" in number:
            self.glued_to = int(number.partition("-")[2]) - (0 if is_glued else 1)
            return
        self.words.append(form)
        self.gaps.append("" if is_glued or int(number) <= self.glued_to else " ")

    def _end_sentence(self) -> None:
        """The words as ``# text`` spaces them, if it has all of them, else as ``SpaceAfter=No`` says."""
        if self.words:
            places = _places_in(self.stated, self.words)
            text = self.stated if places else "".join(map(str.__add__, self.words, self.gaps)).rstrip()
            places = places or _places_in(text, self.words)
            self.tokens += [Span(self.length + start, self.length + end) for start, end in places]
            self.paragraphs[-1].append(Span(self.length + places[0][0], self.length + places[-1][1]))
            self.pieces += [text, " "]
            self.length += len(text) + 1
        self.words, self.gaps, self.stated, self.glued_to = [], [], "", 0


def _places_in(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """The characters of each word, with nothing but white space between them; none if the text has other words."""
    places: list[tuple[int, int]] = []
    at = 0
    for word in words:
        start = text.find(word, at)
        if start < 0 or text[at:start].strip():
            return []
        at = start + len(word)
        places.append((start, at))
    return places
