"""Usage adds up."""

from hypothesis import given
from hypothesis import strategies as st

from treatise.core.usage import ModelUsage, Stage, Usage

counts = st.integers(0, 1_000)
models = st.builds(ModelUsage, counts, counts, counts, counts, counts, counts)
usages = st.dictionaries(st.sampled_from(Stage), st.tuples(st.floats(0, 100), models)).map(
    lambda stages: _usage(stages)
)


def _usage(stages: dict[Stage, tuple[float, ModelUsage]]) -> Usage:
    usage = Usage()
    for stage, (seconds, model) in stages.items():
        usage = usage.with_stage(stage, seconds=seconds, model=model)
    return usage


@given(usages)
def test_totals_are_sums_over_stages_without_the_failed_one(usage: Usage) -> None:
    stages = [stage for stage in usage.stages if stage is not Stage.FAILED]
    assert usage.total_model == usage.model_of(stages)
    assert usage.total_model.prompt_tokens == sum(usage.model(stage).prompt_tokens for stage in stages)
    assert usage.total_seconds == sum(usage.seconds(stage) for stage in usage.stages)


@given(usages, st.sampled_from(Stage), models)
def test_a_stage_is_replaced_and_the_others_stay(usage: Usage, stage: Stage, model: ModelUsage) -> None:
    changed = usage.with_stage(stage, model=model)
    assert changed.model(stage) == model
    assert changed.seconds(stage) == usage.seconds(stage)
    assert all(changed.stages[one] == usage.stages[one] for one in usage.stages if one is not stage)


def test_a_stage_that_did_not_run_costs_nothing() -> None:
    assert Usage().seconds(Stage.GRAPH) == 0
    assert Usage().model(Stage.GRAPH) == ModelUsage()
