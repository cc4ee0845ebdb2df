"""Recipes, treebanks and questions as they are read, and what is said where they are wrong. No torch."""

import gzip
import json
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from treatise.cli import treatise as command
from treatise.core.errors import DataError
from treatise.core.installed import install_command
from treatise.train.config import read_recipe
from treatise.train.questions import read_items
from treatise.train.treebanks import gold_sentences, read_documents

TREEBANK = Path(__file__).parent.parent / "parse" / "data"


@dataclass(frozen=True, slots=True)
class Inner:
    rate: float = 1.0
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outer:
    name: str
    inner: Inner = field(default_factory=Inner)


def recipe(tmp_path: Path, text: str) -> Outer:
    (tmp_path / "recipe.toml").write_text(text, encoding="utf-8")
    return read_recipe(tmp_path / "recipe.toml", Outer)


def test_a_recipe_is_a_dataclass_of_dataclasses(tmp_path: Path) -> None:
    found = recipe(tmp_path, 'name = "a"\n[inner]\nrate = 2\nfiles = ["b", "c"]\n')
    assert found == Outer("a", Inner(2.0, ("b", "c")))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('name = "a"\n[inner]\nrat = 2', "inner: unknown key 'rat'; did you mean 'rate'"),
        ("[inner]\nrate = 2", "the key 'name' is missing"),
        ("name = 1", "name: expected str, found 1"),
        ('name = "a"\ninner = 1', "inner: expected a table"),
        ('name = "a"\n[inner]\nfiles = "b"', "files: expected a list"),
        ("name", "is not TOML"),
    ],
)
def test_a_wrong_recipe_is_named_with_file_and_key(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(DataError, match=r"recipe\.toml") as raised:
        recipe(tmp_path, text)
    assert reason in str(raised.value)


def test_edu_and_sentence_trees_of_a_text_come_together() -> None:
    (document,) = read_documents(TREEBANK, ["worship.jsonl"])
    assert document.edus is not None
    assert document.sentences is not None
    assert len(gold_sentences(document)) == len(document.sentences.text.units)


def test_gzipped_treebanks_are_read_and_smaller_shares_are_parts_of_larger_ones(tmp_path: Path) -> None:
    (edus, *_) = (json.loads(line) for line in (TREEBANK / "worship.jsonl").read_text("utf-8").splitlines())
    lines = [json.dumps(edus | {"id": f"text-{i}"}) for i in range(20)]
    (tmp_path / "many.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    shares = [
        {document.id for document in read_documents(tmp_path, ["many.jsonl.gz"], fraction=fraction)}
        for fraction in (0.1, 0.25, 0.5, 1)
    ]
    assert list(map(len, shares)) == [2, 5, 10, 20]
    assert shares[0] < shares[1] < shares[2] < shares[3]


def test_two_trees_of_one_text_and_level_are_refused() -> None:
    with pytest.raises(DataError, match="a second edu tree of GUM_news_worship"):
        read_documents(TREEBANK, ["worship.jsonl", "worship.jsonl"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"paragraphs": [[]]}, "'paragraphs'"),
        ({"questions": []}, "'questions'"),
        ({"questions": [{"text": "?", "evidence": {}}]}, "'evidence'"),
        ({"questions": [{"text": "?", "evidence": {"3": [1]}}]}, "paragraph '3'"),
        ({"questions": [{"text": "?", "evidence": {"0": [1, 2]}}]}, "each of the 1 sentences"),
    ],
)
def test_a_wrong_question_is_named_with_its_line(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    good = {"id": "a", "set": "b", "paragraphs": [["c"]], "questions": [{"text": "?", "evidence": {"0": [1]}}]}
    (tmp_path / "items.jsonl").write_text(json.dumps(good) + "\n" + json.dumps(good | change), encoding="utf-8")
    with pytest.raises(DataError, match=r"items\.jsonl: line 2") as raised:
        read_items(tmp_path, ("items.jsonl",))
    assert reason in str(raised.value)


@pytest.mark.skipif(bool(find_spec("torch")), reason="torch is installed")
@pytest.mark.parametrize("kind", ["parser", "transition", "encoder"])
def test_without_torch_the_command_names_the_extra(kind: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["train", kind, "--data", str(tmp_path), "--out", str(tmp_path / "run")])
    assert done.exit_code == 1
    assert install_command("train") in done.output
