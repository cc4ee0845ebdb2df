"""The contract of ``treatise.core.ports.PassageReader``."""

from collections.abc import Callable, Sequence

from treatise.core.ports import PassageReader
from treatise.core.span_answer import SpanAnswer

_QUESTION = "When was the harbour closed?"
_PASSAGES = (
    "The harbour was closed in November 1962, after the storm.",
    "Одно предложение. 一个句子。",
    "Ships, by year: 1961: 212; 1962: 187",
    "word",
)
_LONG = "Nobody went out to sea, and the nets were mended. " * 120


def check_passage_reader(make: Callable[[], PassageReader]) -> None:
    """Asserts that a reader keeps its contract; ``make`` is called once.

    Raises:
        AssertionError: Naming the first rule that is broken.
    """
    reader = make()
    assert reader.name, "the name is empty"
    for check in (
        _nothing_to_read_holds_no_answer,
        _spans_lie_in_their_passages,
        _scores_fall_and_are_shares,
        _equal_calls_give_equal_readings,
        _long_passages_are_read_to_their_end,
        _long_and_odd_questions_are_read,
        _groups_are_read_as_each_alone,
    ):
        check(reader)


def _read(reader: PassageReader, passages: Sequence[str], question: str = _QUESTION) -> SpanAnswer:
    reading = reader.read(question, passages)
    for span in (*reading.spans, *reading.candidates):
        assert span.passage < len(passages), f"there are {len(passages)} passages, found {span}"
        assert span.end <= len(passages[span.passage]), f"{span} ends after its passage"
        assert passages[span.passage][span.start : span.end].strip(), f"{span} holds no word"
    return reading


def _nothing_to_read_holds_no_answer(reader: PassageReader) -> None:
    for passages in ([], [""], [" \n", ""]):
        reading = _read(reader, passages)
        assert not reading.spans, f"{passages} hold no word, found {reading.spans}"
        assert reading.p_no_answer == 1, f"{passages} hold no answer, found {reading.p_no_answer}"


def _spans_lie_in_their_passages(reader: PassageReader) -> None:
    reading = _read(reader, _PASSAGES)
    covered = [(span.passage, at) for span in reading.spans for at in range(span.start, span.end)]
    assert len(covered) == len(set(covered)), f"spans overlap: {reading.spans}"


def _scores_fall_and_are_shares(reader: PassageReader) -> None:
    scores = [span.score for span in _read(reader, _PASSAGES).spans]
    assert scores == sorted(scores, reverse=True), f"expected the best first, found {scores}"
    assert all(0 <= score <= 1 for score in scores), f"expected scores from 0 to 1, found {scores}"


def _equal_calls_give_equal_readings(reader: PassageReader) -> None:
    assert _read(reader, _PASSAGES) == _read(reader, _PASSAGES), "the same call gives another reading"


def _long_passages_are_read_to_their_end(reader: PassageReader) -> None:
    """Whether words at the end of a long passage change anything."""
    without, with_it = _read(reader, [_LONG]), _read(reader, [_LONG + _PASSAGES[0]])
    assert without != with_it, "the end of a long passage is not read"


def _long_and_odd_questions_are_read(reader: PassageReader) -> None:
    for question in ("Why? " * 500, "\ud800 lone", "何时 关闭？", "?"):
        _read(reader, ["\ud800 lone", *_PASSAGES], question)


def _groups_are_read_as_each_alone(reader: PassageReader) -> None:
    groups = [_PASSAGES, [], [_LONG], [""], _PASSAGES[:1], _PASSAGES[1:]]
    together, alone = reader.read_each(_QUESTION, groups), [reader.read(_QUESTION, group) for group in groups]
    assert len(together) == len(groups), f"expected {len(groups)} readings, found {len(together)}"
    for found, wanted in zip(together, alone, strict=True):
        assert [(one.passage, one.start, one.end) for one in found.spans] == [
            (one.passage, one.start, one.end) for one in wanted.spans
        ], f"read with others {found.spans}, alone {wanted.spans}"
        assert abs(found.p_no_answer - wanted.p_no_answer) < 1e-3, "a group's answer depends on the other groups"
