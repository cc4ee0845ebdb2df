"""The recipe of readers in its tiny form: a small random model learns what a few chats say."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

for package in ("torch", "peft", "transformers"):
    pytest.importorskip(package, reason=f"readers need {package}: pip install 'treatise[reader]'")

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

import treatise.train
from treatise.core.errors import DataError
from treatise.train.config import read_recipe
from treatise.train.reader import ReaderRecipe, train_reader
from treatise.train.run import Run

# peft asks transformers for a name that is going out of use
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")

CONFIGS = Path(treatise.train.__file__).parent / "configs"
FACTS = {"Ada": "tea", "Bo": "milk", "Cy": "wine", "Di": "beer", "Ed": "juice", "Flo": "cocoa"}
WORDS = ["<pad>", "<end>", "<unk>", "SYSTEM", "USER", "ASSISTANT", ":", "What", "does", "drink", "?", "Answer", "."]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a random chat model and chats that say who drinks what."""
    vocabulary = {word: i for i, word in enumerate([*WORDS, *FACTS, *FACTS.values()])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()])
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<end>", pad_token="<pad>").save_pretrained(
        tmp_path / "model"
    )
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=128,
        tie_word_embeddings=False,
        initializer_range=0.3,
    )
    LlamaForCausalLM(config).save_pretrained(tmp_path / "model")
    write(tmp_path / "chats.jsonl", [chat(f"What does {who} drink ?", what) for who, what in FACTS.items()])
    return tmp_path


def chat(question: str, answer: str) -> list[dict[str, str]]:
    return [
        {"role": "system", "content": "Answer ."},
        {"role": "user", "content": question},
        {"role": "assistant", "content": answer},
    ]


def write(path: Path, chats: list[Any]) -> None:
    lines = [json.dumps({"id": str(i), "messages": messages}) for i, messages in enumerate(chats)]
    path.write_text("\n".join(lines), encoding="utf-8")


def tiny(**training: Any) -> ReaderRecipe:
    recipe = read_recipe(CONFIGS / "reader-tiny.toml", ReaderRecipe)
    return replace(recipe, training=replace(recipe.training, **training))


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("reader*.toml")), ids=lambda path: path.stem)
def test_every_recipe_of_a_reader_can_be_read(path: Path) -> None:
    assert read_recipe(path, ReaderRecipe)


def test_a_reader_learns_its_answers_and_only_the_adapters_are_written(data: Path) -> None:
    figures = train_reader(tiny(), Run(data, data / "run", "treatise train reader"))
    assert figures["answer tokens"] == 100
    assert figures["perplexity"] < 1.5
    names = sorted(path.name for path in (data / "run" / "model").iterdir())
    assert names == ["README.md", "adapter_config.json", "adapter_model.safetensors"]
    lines = [json.loads(line) for line in (data / "run" / "log.jsonl").read_text("utf-8").splitlines()]
    assert lines[-1]["loss"]["answer"] < 0.5 * lines[0]["loss"]["answer"]


def test_peft_loads_what_was_written_and_answers(data: Path) -> None:
    from peft import PeftModel
    from transformers import AutoTokenizer

    train_reader(tiny(), Run(data, data / "run", "treatise train reader"))
    base = LlamaForCausalLM.from_pretrained(data / "model")
    model = PeftModel.from_pretrained(base, data / "run" / "model").eval()
    tokenizer = AutoTokenizer.from_pretrained(data / "model")
    asked = tokenizer(
        "SYSTEM: Answer .\nUSER: What does Bo drink ?\nASSISTANT: ", add_special_tokens=False, return_tensors="pt"
    )["input_ids"]
    with torch.no_grad():
        said = model(input_ids=asked).logits[0, -1].argmax()
    assert tokenizer.decode([int(said)]).strip() == "milk"


def test_the_same_recipe_makes_the_same_adapters(data: Path) -> None:
    short = tiny(loop=replace(tiny().training.loop, epochs=2))
    for name in ("one", "two"):
        train_reader(short, Run(data, data / name, "treatise train reader"))
    one, two = ((data / name / "model" / "adapter_model.safetensors").read_bytes() for name in ("one", "two"))
    assert one == two


def test_a_chat_that_is_too_long_is_left_out_and_counted(data: Path) -> None:
    long = chat("What does Ada drink ? " * 60, "tea")
    write(data / "chats.jsonl", [chat("What does Bo drink ?", "milk"), long])
    figures = train_reader(tiny(loop=replace(tiny().training.loop, epochs=1)), Run(data, data / "run", "…"))
    assert figures["chats used"] == 50


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("not JSON", r'line 1: expected \{"id", "messages"\}'),
        ('{"id": "1", "messages": [{"role": "user", "content": "Why?"}]}', "the answer last"),
        ('{"id": "1", "messages": [{"role": "wizard", "content": "Why?"}]}', "found .'wizard'"),
        ("", "no chat of"),
    ],
)
def test_chats_of_another_form_are_refused_with_their_line(data: Path, lines: str, reason: str) -> None:
    (data / "chats.jsonl").write_text(lines, encoding="utf-8")
    with pytest.raises(DataError, match=reason):
        train_reader(tiny(), Run(data, data / "run", "…"))


def test_a_folder_without_a_model_is_refused(data: Path) -> None:
    with pytest.raises(DataError, match="contains no chat model"):
        train_reader(replace(tiny(), model="nothing"), Run(data, data / "run", "…"))
