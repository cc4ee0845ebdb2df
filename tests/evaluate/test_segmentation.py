"""Found sections held against those that people made."""

import json
from pathlib import Path

import pytest

from treatise.core.errors import DataError
from treatise.evaluate.run.segmentation import Random, Segmented, as_csv, as_markdown, load_segmented, measure
from treatise.testing import HashingEncoder
from treatise.tree import Cohesion, Even

TEXTS = [
    Segmented("one", tuple([f"the ship and the tide {i}" for i in range(13)] + ["bread of flour dough"] * 7), (0, 13)),
    Segmented("two", tuple(["tax law vote"] * 4 + ["snow and ice on hills"] * 12), (0, 4)),
]


def test_who_finds_the_sections_makes_no_error() -> None:
    scores = measure(TEXTS, [Even(), Cohesion(), Random()], HashingEncoder(64))
    by_name = {(score.sectioner, score.metric): score for score in scores}
    assert by_name["cohesion-0.5-3", "pk"].mean == by_name["cohesion-0.5-3", "window_diff"].mean == 0
    assert by_name["even", "pk"].mean > 0
    assert by_name["cohesion-0.5-3", "pk"].difference == -by_name["even", "pk"].mean
    assert by_name["even", "pk"].difference == 0
    assert all(score.low <= score.mean <= score.high and score.n == 2 for score in scores)
    table = as_markdown(scores)
    assert table.count("\n| ") == 3
    assert as_csv(scores).count("\n") == 1 + 6


def test_the_number_of_sections_may_be_guessed_from_their_length() -> None:
    scores = measure(TEXTS, [Even()], HashingEncoder(8), section_words=20)
    assert scores[0].n_sections == pytest.approx((round(93 / 20) + round(72 / 20)) / 2, abs=1)


def test_meetings_are_cut_where_a_topic_begins(tmp_path: Path) -> None:
    turns = [{"speaker": "A", "content": f"Turn {i}."} for i in range(6)]
    topics = [
        {"topic": "x", "relevant_text_span": [["0", "2"]]},
        {"topic": "y", "relevant_text_span": [["3", "3"], ["5", "5"]]},
    ]
    path = tmp_path / "m.jsonl"
    path.write_text(json.dumps({"meeting_transcripts": turns, "topic_list": topics}))
    (text,) = load_segmented("qmsum", path)
    assert text.starts == (0, 3, 5)
    assert text.units[3] == "A: Turn 3."


def test_stories_are_cut_sentence_by_sentence(tmp_path: Path) -> None:
    sections = [
        {"section": "1", "text": "One. Two."},
        {"section": "2", "text": " "},
        {"section": "3", "text": "Three."},
    ]
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"story_name": "s", "sections": sections}))
    (text,) = load_segmented("fairytaleqa", path)
    assert (text.units, text.starts) == (("One.", "Two.", "Three."), (0, 2))


def test_what_has_no_sections_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="qmsum, fairytaleqa"):
        load_segmented("qasper", tmp_path / "x")
    path = tmp_path / "m.jsonl"
    path.write_text(json.dumps({"meeting_transcripts": [], "topic_list": []}))
    with pytest.raises(DataError, match="several units, found none"):
        load_segmented("qmsum", path)
