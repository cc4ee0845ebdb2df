"""Tokens of the texts that a reader of passages reads, with the characters that they cover."""

from collections.abc import Iterator, Sequence

from treatise.parse.spans.tokens import Tokenised, TokenReader, text_parts
from treatise.read import Tokens


def reader_tokens(encoder: TokenReader, texts: Sequence[str]) -> list[Tokens]:
    """The tokens of each text.

    With a sentence-piece vocabulary, a text is tokenised as after a space, and no token of a script without spaces
    crosses a punctuation mark: an answer may begin or end there.
    """
    if not encoder.spaced:
        return [Tokens(one.ids, one.offsets) for one in encoder.tokenise(texts)]
    parts = [text_parts(text, spaced=True) for text in texts]
    found = iter(encoder.tokenise([part for of_text in parts for part in of_text]))
    return [_joined(text, of_text, found) for text, of_text in zip(texts, parts, strict=True)]


def _joined(text: str, parts: Sequence[str], found: Iterator[Tokenised]) -> Tokens:
    """The tokens of a text's parts, without the blanks that they begin with."""
    ids: list[int] = []
    offsets: list[tuple[int, int]] = []
    at = len(text) - sum(map(len, parts))  # -1 if a space was put before
    for part in parts:
        tokens = next(found)
        ids += tokens.ids
        offsets += [_without_blank(text, max(0, at + start), at + end) for start, end in tokens.offsets]
        at += len(part)
    return Tokens(ids, offsets)


def _without_blank(text: str, start: int, end: int) -> tuple[int, int]:
    while start + 1 < end and text[start].isspace():
        start += 1
    return start, max(start, end)
