"""Entropy of a local language model's attention while it writes an answer (Disco-RAG, appendix G, table 11).

>>> import numpy as np
>>> even = np.full((2, 3, 1, 4), 1 / 4)
>>> round(float(entropy_of(even)), 4)  # ln 4
1.3863
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from treatise.core.errors import EngineError, EngineUnavailableError, MissingExtraError
from treatise.core.ports import Message
from treatise.core.vectors import Floats

_EXTRA: Final = "eval-models"


class Attention(Protocol):
    """Reads how a model attends.

    Attributes:
        name: The model.
    """

    name: str

    def entropy(self, messages: Sequence[Message], reply: str) -> float:
        """The entropy, in nats, of the attention with which the reply is written after the messages.

        0 is attention to one token. Raises ``EngineError`` if the model cannot read them, or the reply is empty.
        """


class LocalAttention:
    """``Attention`` of a model in transformers format or in a GGUF file, whose weights are expanded to 32 bits.

    Args:
        path: The folder, or the GGUF file.

    Raises:
        MissingExtraError: Without ``treatise[eval-models]``.
        EngineUnavailableError: If there is no model.
    """

    def __init__(self, path: Path) -> None:
        try:
            from transformers import AutoModelForCausalLM, AutoTokenizer
            from transformers.utils.logging import disable_progress_bar
        except ImportError as error:
            raise MissingExtraError("attention entropy", _EXTRA) from error
        if not path.exists():
            raise EngineUnavailableError(f"{path}: there is no such file or folder: name a GGUF file or a model folder")
        folder, of_file = (path, {}) if path.is_dir() else (path.parent, {"gguf_file": path.name})
        disable_progress_bar()
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True, **of_file)
            self._model: Any = AutoModelForCausalLM.from_pretrained(
                folder, attn_implementation="eager", local_files_only=True, **of_file
            ).eval()
        except ImportError as error:
            raise MissingExtraError(f"attention entropy of {path.name} ({error})", _EXTRA) from error
        except Exception as error:
            raise EngineUnavailableError(
                f"{path} holds no language model in the form of transformers: {error}"
            ) from error
        self.name = path.name

    def entropy(self, messages: Sequence[Message], reply: str) -> float:
        """See ``Attention``. The prompt is read before, so that its own attention takes no memory."""
        import torch

        turns = [{"role": message.role, "content": message.content} for message in messages]
        prompt = self._tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        read, written = (self._tokens(text) for text in (prompt, reply))
        if not written.shape[1]:
            raise EngineError(f"{self.name}: an empty reply has no attention")
        with torch.inference_mode():
            before = self._model(read, use_cache=True).past_key_values
            layers = self._model(written, past_key_values=before, output_attentions=True).attentions
        return entropy_of(np.stack([layer[0].float().numpy() for layer in layers]))

    def _tokens(self, text: str) -> Any:
        return self._tokenizer(text, return_tensors="pt", add_special_tokens=False)["input_ids"]


def entropy_of(attention: Floats) -> float:
    """The mean entropy over the tokens of a reply, in nats, of the attention averaged over layers and heads.

    Args:
        attention: Shares of attention. Shape ``(layers, heads, reply tokens, all tokens)``; rows sum to 1.
    """
    shares = attention.mean(axis=(0, 1), dtype=np.float64)
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return float(-(shares * logs).sum(axis=-1).mean())
