"""The entropy of attention: by hand, against a plain pass over everything, and in a table."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.evaluate.paper_data import write_all
from tests.evaluate.scripted_engines import scripted_engines
from treatise.core.errors import EngineError, EngineUnavailableError
from treatise.core.ports import Message
from treatise.evaluate.metrics.attention import LocalAttention, entropy_of
from treatise.evaluate.metrics.judges import Judges
from treatise.evaluate.papers.catalogue import PAPERS
from treatise.evaluate.run import generation
from treatise.evaluate.run.run_experiments import ExperimentOptions, readiness, recipes_of
from treatise.evaluate.run.spec import OWN_BUDGET, RunSpec

(TABLE,) = PAPERS["disco-rag:table11"].experiments
_WORDS = ("?", "be", "brief", "why", "is", "tea", "hot", "boiled", "water", "said", "user", "system")
CONVERSATION = [Message("system", "be brief"), Message("user", "why is tea hot")]


def test_attention_is_averaged_over_layers_and_heads_before_its_entropy() -> None:
    sharp = np.zeros((1, 2, 2, 4), np.float32)
    sharp[0, 0, :, 0] = sharp[0, 1, :, 3] = 1  # each head looks at one token, and together they look at two
    assert entropy_of(sharp) == pytest.approx(math.log(2))
    assert entropy_of(sharp[:, :1]) == 0
    assert entropy_of(np.full((3, 2, 5, 8), 1 / 8, np.float32)) == pytest.approx(math.log(8))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language model with random weights."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    tokenizers = pytest.importorskip("tokenizers")
    words = {word: i for i, word in enumerate(_WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 3, "num_attention_heads": 4}
    config = transformers.LlamaConfig(vocab_size=len(words), num_key_value_heads=2, **shape)
    folder = tmp_path_factory.mktemp("tiny")
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    wrapped = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="?")
    wrapped.chat_template = "{% for m in messages %}{{ m.role }} {{ m.content }} {% endfor %}"
    wrapped.save_pretrained(folder)
    return folder


def test_the_entropy_is_that_of_one_pass_over_prompt_and_reply(tiny: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    model = AutoModelForCausalLM.from_pretrained(tiny, attn_implementation="eager").eval()
    text = "system be brief user why is tea hot boiled water"
    with torch.no_grad():
        layers = model(AutoTokenizer.from_pretrained(tiny)(text, return_tensors="pt").input_ids, output_attentions=True)
    rows = torch.stack(layers.attentions)[:, 0, :, -2:].mean((0, 1)).numpy()
    expected = np.mean([-sum(p * math.log(p) for p in row if p > 0) for row in rows])
    found = LocalAttention(tiny).entropy(CONVERSATION, "boiled water")
    assert found == pytest.approx(expected, rel=1e-4)
    assert 0 < found < math.log(10)


def test_a_model_that_cannot_be_read_is_named(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailableError, match="there is no such file or folder"):
        LocalAttention(tmp_path / "none.gguf")
    with pytest.raises(EngineUnavailableError, match="holds no language model"):
        LocalAttention(tmp_path)
    with pytest.raises(EngineError, match="an empty reply"):
        LocalAttention(tiny).entropy(CONVERSATION, "")


class WordsRead:
    """An ``Attention`` whose entropy is the number of words of prompt and reply."""

    name = "words"

    def __init__(self) -> None:
        self.replies: list[str] = []

    def entropy(self, messages: Sequence[Message], reply: str) -> float:
        self.replies.append(reply)
        return float(sum(len(message.content.split()) for message in messages) + len(reply.split()))


def test_a_table_shows_the_attention_of_the_answers(tmp_path: Path) -> None:
    data = write_all(tmp_path / "data") / "scinews" / "val.json"
    attention = WordsRead()
    spec = RunSpec(
        dataset="scinews",
        data=data,
        out=tmp_path / "out",
        engines=scripted_engines(),
        recipes=recipes_of(TABLE),
        budgets=[OWN_BUDGET],
        attention=attention,
    )
    generation.run(spec)
    rows = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((tmp_path / "out").glob("*.jsonl"))]
    assert [row["answer"].split(" [")[0] for row in rows] == [
        reply.split(" [")[0] for reply in _sorted(attention, spec)
    ]
    means = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))["attention"]
    found = {one["recipe"]: one["mean"] for one in means}
    assert found["standard-rag"] < min(found[slug] for slug in found if slug != "standard-rag")  # structure is read too
    table = (tmp_path / "out" / "summary.md").read_text(encoding="utf-8")
    assert f"| disco-rag | own | 1 | {found['disco-rag']:.2f} [" in table
    generation.run(replace(spec, attention=None, out=tmp_path / "without"))
    assert "attention" not in (tmp_path / "without" / "summary.json").read_text(encoding="utf-8")


def _sorted(attention: WordsRead, spec: RunSpec) -> list[str]:
    """The replies in the order of the result files."""
    by_slug = dict(zip([recipe.slug for recipe in spec.recipes], attention.replies, strict=True))
    return [by_slug[slug] for slug in sorted(by_slug, key=lambda slug: f"{slug}-0.jsonl")]


def test_what_the_table_needs_is_named(tmp_path: Path) -> None:
    write_all(tmp_path)
    _, missing = readiness([TABLE], ExperimentOptions(tmp_path, models=("scripted",)))
    assert any("name the weights of the answering model with --attention" in reason for reason in missing)
    judges = Judges(attention=WordsRead())
    _, missing = readiness([TABLE], ExperimentOptions(tmp_path, models=("scripted",), judges=judges))
    assert not any("--attention" in reason for reason in missing)
