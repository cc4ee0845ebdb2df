"""Tokens of a reader's texts, with a vocabulary in which a space belongs to the token after it."""

from collections.abc import Iterator, Sequence

from treatise.engines.reader_tokens import reader_tokens
from treatise.parse.spans.tokens import Tokenised


class Pieces:
    """Tokens of two characters each."""

    name = "pieces"
    start_id, end_id, unknown_id = 0, 1, 2

    def __init__(self, *, spaced: bool) -> None:
        self.spaced = spaced

    def tokenise(self, texts: Sequence[str]) -> list[Tokenised]:
        places = [[(i, min(i + 2, len(text))) for i in range(0, len(text), 2)] for text in texts]
        return [Tokenised(list(range(len(one))), one) for one in places]

    def read(self, rows: object) -> Iterator[None]:
        raise NotImplementedError


def test_offsets_are_of_the_text_itself_without_the_space_before_it() -> None:
    (found,) = reader_tokens(Pieces(spaced=True), ["abc d"])  # type: ignore[arg-type]
    assert ["abc d"[a:b] for a, b in found.offsets] == ["a", "bc", "d"]


def test_no_token_crosses_a_mark_of_a_script_without_spaces() -> None:
    text = "东京，大阪。"
    (found,) = reader_tokens(Pieces(spaced=True), [text])  # type: ignore[arg-type]
    assert [text[a:b] for a, b in found.offsets] == ["东京", "，", "大阪", "。"]


def test_other_vocabularies_are_as_their_tokenizer_says() -> None:
    (found,) = reader_tokens(Pieces(spaced=False), ["abc d"])  # type: ignore[arg-type]
    assert list(found.offsets) == [(0, 2), (2, 4), (4, 5)]
