"""Answers without the language model after a failure."""

from dataclasses import replace

from treatise.core.answer import Answer
from treatise.core.errors import EngineError
from treatise.core.usage import Stage
from treatise.llm.budget import Spending


def failure_note(error: EngineError) -> str:
    """The note on why the model wrote no text."""
    return f"made without the language model, which failed: {error}"


def after_failure(answer: Answer, error: EngineError, spent: Spending) -> Answer:
    """A quoted answer with the reason in front of its notes, and the calls made before the failure."""
    usage = answer.usage.with_stage(Stage.FAILED, model=spent.usage)
    return replace(answer, notes=(failure_note(error), *answer.notes), usage=usage)
