"""The record of time and model calls behind an answer."""

from typing import Final

from treatise.core.usage import ModelUsage, Stage, Usage

_STRUCTURE: Final = (Stage.TREES, Stage.GRAPH, Stage.PLAN, Stage.RULES)


def usage_record(usage: Usage) -> dict[str, int | float]:
    """The ``usage`` of an answer or a summary. A key is absent if its stage did not run.

    Fields:
        STAGE_s: Seconds of a stage: ``index_s``, ``load_s``, ``retrieve_s``, ``answer_s``, ``summary_s``, ...
        STAGE_calls, STAGE_prompt_tokens, STAGE_completion_tokens: Calls of a language model in that stage.
        STAGE_misfits, STAGE_rejected: Invalid replies, and jobs without a valid reply.
        prompt_PART_tokens: Length of each structure in the prompt.
        calls, calls_reused, prompt_tokens, completion_tokens: Totals.
        evidence_words, summary_words: Words of the context and of the summary.
    """
    total = usage.total_model
    record: dict[str, int | float] = {}
    for stage in (Stage.INDEX, Stage.LOAD, Stage.RETRIEVE, Stage.QUERIES, Stage.ANSWER, Stage.SUMMARY, *_STRUCTURE):
        record |= _stage_record(stage, usage)
    record |= {f"prompt_{part}_tokens": n for part, n in usage.structure_tokens.items()}
    if Stage.ANSWER in usage.stages and usage.stages[Stage.ANSWER].model:
        record |= _prefixed("answer", usage.model(Stage.ANSWER))
        record |= {"prompt_tokens": total.prompt_tokens, "completion_tokens": total.completion_tokens}
    if Stage.SUMMARY in usage.stages and usage.stages[Stage.SUMMARY].model:
        record |= {"calls": total.n_calls, "calls_reused": total.n_reused}
        record |= {"prompt_tokens": total.prompt_tokens, "completion_tokens": total.completion_tokens}
    record |= {"evidence_words": usage.evidence_words} if usage.evidence_words is not None else {}
    record |= _stage_record(Stage.FAILED, usage)
    record |= {"summary_words": usage.summary_words} if usage.summary_words is not None else {}
    return record


def _stage_record(stage: Stage, usage: Usage) -> dict[str, int | float]:
    """Seconds if measured; calls if any, except those of answer and summary, which have keys of their own."""
    of_stage = usage.stages.get(stage)
    if of_stage is None:
        return {}
    record = {} if of_stage.seconds is None else {f"{stage}_s": round(of_stage.seconds, 4)}
    model = of_stage.model
    if model is None or stage in (Stage.ANSWER, Stage.SUMMARY) or not (model.n_calls or model.n_reused):
        return record
    counts = {f"{stage}_misfits": model.n_rejected_replies, f"{stage}_rejected": model.n_given_up}
    return record | _prefixed(stage, model) | counts


def _prefixed(name: str, model: ModelUsage) -> dict[str, int]:
    return {
        f"{name}_calls": model.n_calls,
        f"{name}_prompt_tokens": model.prompt_tokens,
        f"{name}_completion_tokens": model.completion_tokens,
    }
