"""The encoder that ships."""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from treatise.core.document import Span
from treatise.core.errors import EngineUnavailableError
from treatise.core.vectors import Floats
from treatise.engines.onnx_encoder import OnnxEncoder


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(Path(str(files("treatise") / "models" / "treatise-en")))


def test_a_paraphrase_is_nearer_than_another_topic(encoder: OnnxEncoder) -> None:
    same, paraphrase, other = encoder.encode(["A cat sat on the mat.", "A kitten rested on a rug.", "Taxes rose."])
    assert same @ paraphrase > same @ other + 0.3


def test_a_vector_does_not_depend_on_its_neighbours_in_the_batch(encoder: OnnxEncoder) -> None:
    texts = ["Short.", "A much longer sentence, with many more words in it than the other one has.", "Mid length here."]
    together, alone = encoder.encode(texts), np.concatenate([encoder.encode([text]) for text in texts])
    assert (together * alone).sum(axis=1) == pytest.approx(1, abs=1e-3)


def test_a_text_longer_than_the_window_is_read_to_its_end(encoder: OnnxEncoder) -> None:
    filler = "The weather was fine that day and nothing happened. " * 60
    ending = "Quantum chromodynamics describes quarks and gluons. " * 60
    with_ending, without = encoder.encode([filler + ending, filler + filler])
    (question,) = encoder.encode(["Which theory describes quarks?"])
    assert with_ending @ question > without @ question + 0.1


def test_equal_texts_are_encoded_once_and_empty_ones_are_zero(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode(["same", "", "same"])
    assert np.array_equal(vectors[0], vectors[2])
    assert not vectors[1].any()
    assert encoder.encode([]).shape == (0, encoder.dim)


def test_a_span_is_read_in_its_context(encoder: OnnxEncoder) -> None:
    text = "The bank raised its rates. It was steep and muddy."
    spans = [[Span(0, 26), Span(27, 50)]]
    money = encoder.encode_in_context([text], spans)[1]
    river = encoder.encode_in_context(
        ["The bank of the river rose. It was steep and muddy."], [[Span(0, 27), Span(28, 51)]]
    )[1]
    (question,) = encoder.encode(["river"])
    assert river @ question > money @ question


def test_windows_end_at_spans_and_long_spans_are_read_whole(encoder: OnnxEncoder) -> None:
    text = "alpha beta gamma " * 200
    spans = [[Span(0, 17), Span(17, len(text) - 17), Span(len(text) - 17, len(text))]]
    vectors = encoder.encode_in_context([text], spans)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_what_repeats_is_read_once(encoder: OnnxEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _rows_read(encoder, monkeypatch)
    texts = ["same words", "others", "same words"]
    vectors = encoder.encode_in_context(texts, [[Span(0, len(text))] for text in texts])
    assert len(rows) == 2
    assert np.array_equal(vectors[0], vectors[2])


def _rows_read(encoder: OnnxEncoder, monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The rows that the model reads from now on."""
    seen: list[list[int]] = []
    read = encoder._tokens.read

    def noted(rows: Iterable[list[int]]) -> Iterator[Floats]:
        kept = list(rows)
        seen.extend(kept)
        return read(kept)

    monkeypatch.setattr(encoder._tokens, "read", noted)
    return seen


@pytest.mark.parametrize("n_words", [260, 700])
def test_a_first_span_longer_than_the_window_is_read_in_pieces(encoder: OnnxEncoder, n_words: int) -> None:
    text = "word " * n_words + "end. Next."
    spans = [Span(0, len(text) - 6), Span(len(text) - 5, len(text))]
    vectors = encoder.encode_in_context([text], [spans])
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_progress_rises_to_the_number_of_texts(encoder: OnnxEncoder) -> None:
    seen: list[tuple[int, int]] = []
    encoder.encode([f"text {i}" for i in range(20)], lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1] == (20, 20)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailableError, match=tmp_path.name):
        OnnxEncoder(tmp_path)


def test_a_paragraph_of_absurd_length_is_tokenised_in_parts(
    encoder: OnnxEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_sentences = 9_000
    text = "Water boils at some heat. " * n_sentences
    spans = [Span(26 * i, 26 * i + 25) for i in range(n_sentences)]
    sizes: list[int] = []
    tokenise = encoder._tokens.tokenise
    monkeypatch.setattr(
        encoder._tokens, "tokenise", lambda texts: [sizes.append(sum(map(len, texts))), tokenise(texts)][1]
    )
    vectors = encoder.encode_in_context([text, text], [spans, spans])
    assert max(sizes) <= 201_000 < len(text)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    whole = encoder.encode_in_context([text[: 26 * 2_000]], [spans[:2_000]])
    assert vectors[:1_900] == pytest.approx(whole[:1_900], abs=1e-6)
    assert vectors[:n_sentences] == pytest.approx(vectors[n_sentences:], abs=1e-6)
