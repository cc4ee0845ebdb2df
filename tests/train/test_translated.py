"""From a treebank to a parser of another language: translated by a scripted model over HTTP, mixed in, trained."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("torch", reason="training needs torch: pip install 'treatise[train]'")
pytest.importorskip("onnx", reason="exporting needs onnx: pip install 'treatise[train]'")
pytest.importorskip("openai", reason="the translating model is asked over HTTP: pip install 'treatise[llm]'")

from click.testing import CliRunner

import treatise.train
from treatise.cli import treatise as command
from treatise.engines.span_parser import load_span_parser
from treatise.parse.rows import Level, Text, read_row
from treatise.train.config import read_recipe
from treatise.train.parser.recipe import ParserRecipe
from treatise.train.parser.task import ParserTask
from treatise.train.source import random_source

TREEBANK = Path(__file__).parent.parent / "parse" / "data" / "worship.jsonl"
TINY = Path(treatise.train.__file__).parent / "configs" / "parser-tiny.toml"


class Backwards(BaseHTTPRequestHandler):
    """A chat model whose language has its words written backwards."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        units = json.loads(asked["messages"][-1]["content"])["units"]
        said = json.dumps({"units": [" ".join(word[::-1] for word in unit.split()) or unit for unit in units]})
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
        self.send(reply)

    def do_GET(self) -> None:
        self.send({"object": "list", "data": [{"id": "m", "object": "model", "created": 0, "owned_by": "test"}]})

    def send(self, reply: object) -> None:
        body = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def model() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Backwards)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_translated_treebank_is_mixed_in_and_trained_on(model: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "worship.jsonl").write_bytes(TREEBANK.read_bytes())
    translate = ("train", "translate", "--to", "xx", "--input", TREEBANK, "--output", data / "worship-xx.jsonl")
    run(*translate, "--llm", model, "--json")
    again = json.loads(run(*translate, "--llm", model, "--json"))
    assert (again["there"], again["calls"]) == (len(TREEBANK.read_text("utf-8").splitlines()), 0)

    originals = [read_row(line, "one") for line in TREEBANK.read_text("utf-8").splitlines()]
    translated = [read_row(line, "other") for line in (data / "worship-xx.jsonl").read_text("utf-8").splitlines()]
    assert [row.tree for row in translated] == [row.tree for row in originals]
    assert [row.sentence_of_unit for row in translated] == [row.sentence_of_unit for row in originals]
    assert {row.text.lang for row in translated} == {"xx"}

    recipe = TINY.read_text("utf-8").replace("epochs = 20", "epochs = 2")
    recipe += 'translated = ["worship-xx.jsonl"]\ntranslated_weight = 0.25\n'
    (tmp_path / "mixed.toml").write_text(recipe, encoding="utf-8")
    run("train", "parser", "--config", tmp_path / "mixed.toml", "--data", data, "--out", tmp_path / "run")
    card = (tmp_path / "run" / "model" / "README.md").read_text("utf-8")
    assert "worship-xx.jsonl" in card
    parser = load_span_parser(tmp_path / "run" / "model")
    (tree,) = parser.parse_texts([Text("t", "xx", Level.SENTENCE, (("gnirpS emac.", "tI deniar."),))])
    assert tree.n_units == 2

    recipe = recipe.replace("translated = ", "silver = ").replace("translated_weight = 0.25\n", "")
    (tmp_path / "silver.toml").write_text(recipe, encoding="utf-8")
    silver = ParserTask(read_recipe(tmp_path / "silver.toml", ParserRecipe), random_source(), data, tmp_path)
    found = {(document.id[-3:] == "_XX", one.silver) for document in silver._train for one in document.examples}
    assert found == {(True, True), (False, False)}
    assert silver.module.silver

    task = ParserTask(read_recipe(tmp_path / "mixed.toml", ParserRecipe), random_source(), data, tmp_path)
    assert sorted((document.id[-3:], document.weight) for document in task._train) == [
        ("_XX", 0.25),
        (task._train[0].id.removesuffix("_XX")[-3:], 1.0),
    ]
