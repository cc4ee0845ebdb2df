"""Translation of a treebank, with a model that follows a script."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from treatise.core.errors import DataError, EngineUnavailableError, ModelReplyError
from treatise.core.ports import Message, Reply
from treatise.parse.rows import read_row
from treatise.train.translate import TranslateOptions, TranslateReport, read_reply, translate_treebank

OPTIONS = TranslateOptions("de", batch_units=2)


class Shouting:
    """Translates into capitals; fails or misbehaves on the units it is told to."""

    name = "shouting"
    context_tokens = 0

    def __init__(self, wrong: dict[str, object] | None = None) -> None:
        self.wrong = wrong or {}
        self.asked: list[list[str]] = []

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        for index, (system, user, *_) in reversed(list(enumerate(conversations))):
            assert '"de"' in system.content
            units = json.loads(user.content)["units"]
            self.asked.append(units)
            told = next((self.wrong[unit] for unit in units if unit in self.wrong), None)
            text = json.dumps({"units": [unit.upper() for unit in units]})
            yield index, told if isinstance(told, Exception) else Reply(str(told or text), 1, 1)


def row(name: str, *paragraphs: list[str]) -> str:
    n_units = sum(map(len, paragraphs))
    tree = [
        {"start": i, "split": i + 1, "end": n_units, "nuclearity": "NS", "relation": "causal"}
        for i in range(n_units - 1)
    ]
    sentences = list(range(n_units))
    fields = {"id": name, "lang": "en", "level": "edu", "paragraphs": paragraphs, "tree": tree}
    return json.dumps(fields | {"sentence_of_unit": sentences})


TREEBANK = [row("one", ["a", "b"], ["c"], []), row("two", ["d"])]


def test_units_are_translated_in_place_and_the_structure_stays(tmp_path: Path) -> None:
    report = translate_treebank(TREEBANK, tmp_path / "out", Shouting(), OPTIONS)
    assert report == TranslateReport(n_translated=2, n_calls=3)
    made = [read_row(line, "out") for line in (tmp_path / "out").read_text("utf-8").splitlines()]
    assert [(r.text.id, r.text.lang, r.text.paragraphs) for r in made] == [
        ("one_DE", "de", (("A", "B"), ("C",), ())),
        ("two_DE", "de", (("D",),)),
    ]
    asked = [read_row(line, "in") for line in TREEBANK]
    assert [(r.tree, r.sentence_of_unit) for r in made] == [(r.tree, r.sentence_of_unit) for r in asked]


def test_a_second_run_asks_for_nothing(tmp_path: Path) -> None:
    translate_treebank(TREEBANK, tmp_path / "out", Shouting(), OPTIONS)
    content = (tmp_path / "out").read_bytes()
    again = Shouting()
    assert translate_treebank(TREEBANK, tmp_path / "out", again, OPTIONS) == TranslateReport(n_there=2)
    assert again.asked == []
    assert (tmp_path / "out").read_bytes() == content


def test_a_run_that_was_killed_goes_on_where_it_stood(tmp_path: Path) -> None:
    translate_treebank(TREEBANK, tmp_path / "out", Shouting(), OPTIONS)
    whole = (tmp_path / "out").read_bytes()
    (tmp_path / "out").write_bytes(whole[:-5])
    again = Shouting()
    report = translate_treebank(TREEBANK, tmp_path / "out", again, OPTIONS)
    assert report == TranslateReport(n_translated=1, n_there=1, n_cached=1)
    assert again.asked == []
    assert (tmp_path / "out").read_bytes() == whole


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ('{"units": ["X"]}', "expected 2 texts, found ['X']"),
        ('{"units": ["X", " "]}', "the translation of 'c' is blank"),
        ('{"units": ["X", 1]}', "expected 2 texts"),
        ('{"unit": []}', "it needs 'units', a list"),
        ("Sure! Here it is", "it is not the JSON that was asked for"),
        (EngineUnavailableError("quota"), "quota"),
    ],
)
def test_a_document_with_a_bad_reply_is_kept_apart_and_tried_again(tmp_path: Path, wrong: object, reason: str) -> None:
    report = translate_treebank(TREEBANK, tmp_path / "out", Shouting({"b": wrong}), OPTIONS)
    assert (report.n_translated, report.n_failed) == (1, 1)
    failure = json.loads((tmp_path / "out.failures").read_text("utf-8"))
    assert failure["id"] == "one"
    assert reason in failure["errors"][0]
    cured = Shouting()
    report = translate_treebank(TREEBANK, tmp_path / "out", cured, OPTIONS)
    assert (report.n_translated, report.n_there, report.n_cached) == (1, 1, 1)
    assert cured.asked == [["b", "c"]]


def test_another_language_shares_neither_output_nor_cache(tmp_path: Path) -> None:
    translate_treebank(TREEBANK[1:], tmp_path / "out", Shouting(), OPTIONS)
    other = Shouting()
    other.chat = lambda conversations, **_: ((i, Reply('{"units": ["x"]}', 1, 1)) for i, _ in enumerate(conversations))  # type: ignore[method-assign]
    report = translate_treebank(TREEBANK[1:], tmp_path / "out", other, TranslateOptions("fr"))
    assert report == TranslateReport(n_translated=1, n_calls=1)


def test_a_broken_treebank_is_refused_by_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="bank: line 2: not JSON"):
        translate_treebank([TREEBANK[0], "{"], tmp_path / "out", Shouting(), OPTIONS, source="bank")


def test_a_reply_is_trimmed_and_blank_only_where_the_unit_is() -> None:
    assert read_reply(Reply('{"units": [" x ", ""]}', 1, 1), ("a", " ")) == ("x", "")
    with pytest.raises(ModelReplyError):
        read_reply(Reply("[" * 100_000, 1, 1), ("a",))


def test_files_of_something_else_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("notes\n", "utf-8")
    with pytest.raises(DataError, match="out: line 1: not JSON"):
        translate_treebank(TREEBANK, tmp_path / "out", Shouting(), OPTIONS)
    (tmp_path / "new.cache").write_text("{}\n", "utf-8")
    with pytest.raises(DataError, match="not a cache of translations"):
        translate_treebank(TREEBANK, tmp_path / "new", Shouting(), OPTIONS)
