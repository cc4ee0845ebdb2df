"""Factual consistency of a text with its source: SummaC, zero-shot (Laban et al., 2022), with a user's model."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treatise.core.document import ParagraphKind
from treatise.core.errors import EngineError, MissingExtraError
from treatise.core.ports import CallCache, LanguageModel
from treatise.ingest.sentences import sentence_lengths
from treatise.llm.prompts import prompt
from treatise.llm.request import Request, conversation, plain_text, request_key
from treatise.llm.runner import LlmRunner
from treatise.llm.tags import escape

Doubles = npt.NDArray[np.float64]

Entailment = Callable[[Sequence[tuple[str, str]]], Doubles]
"""Maps ``(premise, claim)`` pairs to the probabilities of entailment and contradiction.
Shape ``(n_pairs, 2)``."""

_PROMPT_VERSION: Final = 1
_MAX_TOKENS: Final = 8
_BATCH: Final = 32


def consistency(text: str, source: str, entailment: Entailment, *, language: str = "en") -> float:
    """SummaC-ZS: mean support of the text's sentences by the source, -1 to 1.

    A sentence's support is its maximum entailment probability minus its maximum contradiction probability over the
    source's sentences. A text without sentences scores 0.
    """
    premises, claims = (sentences(one, language) for one in (source, text))
    if not premises or not claims:
        return 0.0
    chances = entailment([(premise, claim) for claim in claims for premise in premises])
    of_claims = chances.reshape(len(claims), len(premises), 2).max(axis=1)
    return float((of_claims[:, 0] - of_claims[:, 1]).mean())


def sentences(text: str, language: str = "en") -> list[str]:
    """A text's sentences, stripped."""
    found = []
    for line in text.splitlines():
        lengths = sentence_lengths(line, ParagraphKind.PROSE, language) if line.strip() else []
        edges = np.cumsum([0, *lengths]).tolist()
        found += [piece for start, end in pairwise(edges) if (piece := line[start:end].strip())]
    return found


def entailment_by_model(model: LanguageModel, calls: CallCache | None = None) -> Entailment:
    """Entailment judged by a language model: 1 or 0; both 0 if the reply is neither yes nor no.

    ``calls`` keeps finished calls.

    Raises:
        EngineError: From the returned function, if the model fails.
    """

    def judge(pairs: Sequence[tuple[str, str]]) -> Doubles:
        replies = LlmRunner(model, cache=calls).ask_all([_request(model, premise, claim) for premise, claim in pairs])
        verdicts = [reply.lower() for (reply,) in replies]
        chances = [(verdict.startswith("yes"), verdict.startswith("no")) for verdict in verdicts]
        return np.array(chances, dtype=np.float64).reshape(len(pairs), 2)

    return judge


def _request(model: LanguageModel, premise: str, claim: str) -> Request:
    instruction = prompt("treatise.evaluate.metrics", "entail", _PROMPT_VERSION)
    user = f"<premise>{escape(premise)}</premise>\n<claim>{escape(claim)}</claim>"
    messages = conversation(instruction, user)
    return Request(request_key("entail", model, messages, _MAX_TOKENS), messages, _MAX_TOKENS, plain_text)


def entailment_by_folder(folder: Path) -> Entailment:
    """Entailment by a sequence classifier in transformers format, such as an NLI model.

    Classes are identified by the label names in its configuration.

    Raises:
        MissingExtraError: Without ``treatise[eval-models]``.
        EngineError: If the folder contains no such model, or its classes are not named entailment and contradiction.
    """
    try:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ImportError as error:
        raise MissingExtraError("a model of entailment", "eval-models") from error
    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model: Any = AutoModelForSequenceClassification.from_pretrained(folder, local_files_only=True).eval()
    except (OSError, ValueError) as error:
        raise EngineError(f"{folder} holds no sequence classifier in the form of transformers: {error}") from error
    names = {str(name).lower(): int(number) for number, name in model.config.id2label.items()}
    if not {"entailment", "contradiction"} <= names.keys():
        raise EngineError(f"{folder}: expected classes named entailment and contradiction, found {', '.join(names)}")
    wanted = [names["entailment"], names["contradiction"]]

    def classify(pairs: Sequence[tuple[str, str]]) -> Doubles:
        rows = []
        for start in range(0, len(pairs), _BATCH):
            premises, claims = zip(*pairs[start : start + _BATCH], strict=True)
            inputs = tokenizer(list(premises), list(claims), return_tensors="pt", padding=True, truncation="only_first")
            with torch.no_grad():
                chances = model(**inputs).logits.softmax(dim=-1)
            rows.append(chances[:, wanted].double().numpy())
        return np.concatenate(rows) if rows else np.zeros((0, 2))

    return classify
