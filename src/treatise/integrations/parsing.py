"""Discourse trees of texts, and of the ``Doc`` objects of spaCy and Stanza, with their sentences and tokens.

>>> from treatise import parse_text
>>> parsed = parse_text("Keep the lid on if the water boils. It saves gas.")
>>> parsed.units
('Keep the lid on', 'if the water boils.', 'It saves gas.')
>>> parsed.write("tok").splitlines()[5].split("\\t")[1::8]
['if', 'Seg=B-seg']
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from treatise.compose import open_segmenter, open_text_parser
from treatise.core.document import Span
from treatise.core.errors import DataError, SourceError
from treatise.core.printable import encodable
from treatise.ingest import read_bytes
from treatise.parse.parsed import ParsedText, parse_tokenised
from treatise.parse.parser import TextParser
from treatise.parse.segment import Segmenter
from treatise.parse.tokenised import TokenisedText, tokenised_document

_BLANK_LINE: Final = re.compile(r"\n\s*\n")


def parse_text(
    source: object,
    *,
    units: str = "edu",
    language: str = "",
    parser: TextParser | None = None,
    segmenter: Segmenter | None = None,
) -> ParsedText:
    """The discourse tree of a text.

    Args:
        source: A text, a ``TokenisedText``, a ``Doc`` of spaCy or a ``Document`` of Stanza. Theirs keep their tokens,
            and their sentences if they have any.
        units: ``"edu"`` or ``"sentence"``.
        language: ISO 639-1 code; empty for that of the object, or the one that the text appears to be in.
        parser, segmenter: For many texts, open them once: ``treatise.compose.open_text_parser`` and ``open_segmenter``.

    Raises:
        DataError: If the source is something else, or ``units`` is neither of the two.
        SourceError: If there is no text.
        EngineError: If a model failed.
    """
    if units not in ("edu", "sentence"):
        raise DataError(f"units are 'edu' or 'sentence', not {units!r}")
    text = tokenised(source, language)
    chosen = (segmenter or open_segmenter()) if units == "edu" else None
    return parse_tokenised(text, parser or open_text_parser(), chosen)


def tokenised(source: object, language: str = "") -> TokenisedText:
    """The text, sentences and tokens of a source; see :func:`parse_text`."""
    if isinstance(source, TokenisedText):
        return replace(source, language=language) if language else source
    if isinstance(source, str):
        return tokenised_document(_document(source, language), "text")
    if hasattr(source, "has_annotation") and hasattr(source, "sents"):
        return _of_spacy(source, language)
    if hasattr(source, "sentences") and hasattr(source, "num_tokens"):
        return _of_stanza(source, language)
    raise DataError(f"expected a text, a Doc of spaCy or a Document of Stanza, found {type(source).__name__}")


def _document(text: str, language: str) -> Any:
    if not text.strip():
        raise SourceError("there is no text to parse")
    return read_bytes(encodable(text).encode(), name="text.txt", language=language or None)


def _of_spacy(doc: Any, language: str) -> TokenisedText:
    if not doc.text.strip():
        raise SourceError("the Doc has no text to parse")
    tokens = tuple(Span(one.idx, one.idx + len(one.text)) for one in doc if one.text.strip())
    code = language or doc.lang_ or "en"
    if not doc.has_annotation("SENT_START"):
        return _with_our_sentences(doc.text, code, tokens)
    sentences = (Span(one.start_char, one.end_char) for one in doc.sents)
    return _arranged(doc.text, code, sentences, tokens)


def _of_stanza(document: Any, language: str) -> TokenisedText:
    found = [token for sentence in document.sentences for token in sentence.tokens]
    if not found:
        raise SourceError("the Document has no token to parse")
    code = language or getattr(document, "lang", None) or "en"
    if document.text is None or any(token.start_char is None for token in found):
        return _without_places(document, code)
    tokens = tuple(Span(token.start_char, token.end_char) for token in found)
    sentences = (Span(one.tokens[0].start_char, one.tokens[-1].end_char) for one in document.sentences)
    return _arranged(document.text, code, sentences, tokens)


def _without_places(document: Any, language: str) -> TokenisedText:
    """A Document that was made without its text: a space between any two tokens."""
    pieces: list[str] = []
    tokens: list[Span] = []
    sentences: list[Span] = []
    at = 0
    for sentence in document.sentences:
        start = at
        for token in sentence.tokens:
            pieces.append(token.text)
            tokens.append(Span(at, at + len(token.text)))
            at += len(token.text) + 1
        sentences.append(Span(start, at - 1))
    return TokenisedText("text", language, " ".join(pieces), (tuple(sentences),), tuple(tokens))


def _with_our_sentences(text: str, language: str, tokens: Sequence[Span]) -> TokenisedText:
    """Sentences of the text as Treatise finds them, each from its first token to its last."""
    document = _document(text, language)
    if document.text != text:
        raise DataError(
            "the text has line ends or characters that a reader replaces: add a sentencizer to the pipeline"
        )
    starts = [span.start for spans in document.readable_sentences() for span in spans]
    return _arranged(text, language, list(_from_starts(starts, tokens)), tokens)


def _from_starts(starts: Sequence[int], tokens: Sequence[Span]) -> Iterator[Span]:
    edges = [*starts[1:], tokens[-1].end + 1]
    at = 0
    for edge in edges:
        first = at
        while at < len(tokens) and tokens[at].start < edge:
            at += 1
        if at > first:
            yield Span(tokens[first].start, tokens[at - 1].end)


def _arranged(text: str, language: str, sentences: Iterable[Span], tokens: Sequence[Span]) -> TokenisedText:
    """Sentences in paragraphs, which blank lines separate; sentences of whitespace are left out."""
    paragraphs: list[list[Span]] = [[]]
    edge = 0
    for sentence in (one for one in sentences if text[one.start : one.end].strip()):
        if paragraphs[-1] and _BLANK_LINE.search(text, edge, _first_letter(text, sentence)):
            paragraphs.append([])
        paragraphs[-1].append(sentence)
        edge = _last_letter(text, sentence)
    return TokenisedText("text", language, text, tuple(map(tuple, paragraphs)), tuple(tokens))


def _first_letter(text: str, span: Span) -> int:
    body = text[span.start : span.end]
    return span.start + len(body) - len(body.lstrip())


def _last_letter(text: str, span: Span) -> int:
    return span.start + len(text[span.start : span.end].rstrip())
