"""The ``usage`` that programs read."""

from treatise.core.usage import ModelUsage, Stage, Usage
from treatise.records.usage import usage_record


def test_an_answer_by_a_model_has_stages_then_structure_then_totals() -> None:
    usage = (
        Usage(structure_tokens={"graph": 7}, evidence_words=80)
        .with_stage(Stage.GRAPH, seconds=0.5, model=ModelUsage(2, 1, 30, 4, n_rejected_replies=1, n_given_up=0))
        .with_stage(Stage.ANSWER, seconds=1.00004, model=ModelUsage(1, 0, 100, 20))
        .after(Usage().with_stage(Stage.LOAD, seconds=0.25).with_stage(Stage.INDEX, seconds=0.125))
    )
    record = usage_record(usage)
    assert list(record.items()) == [
        ("index_s", 0.125),
        ("load_s", 0.25),
        ("answer_s", 1.0),
        ("graph_s", 0.5),
        ("graph_calls", 2),
        ("graph_prompt_tokens", 30),
        ("graph_completion_tokens", 4),
        ("graph_misfits", 1),
        ("graph_rejected", 0),
        ("prompt_graph_tokens", 7),
        ("answer_calls", 1),
        ("answer_prompt_tokens", 100),
        ("answer_completion_tokens", 20),
        ("prompt_tokens", 130),
        ("completion_tokens", 24),
        ("evidence_words", 80),
    ]


def test_a_quoted_answer_after_a_failure_counts_the_failed_calls_apart() -> None:
    usage = Usage(evidence_words=5).with_stage(Stage.ANSWER, seconds=1).with_stage(Stage.FAILED, model=ModelUsage(3))
    record = usage_record(usage)
    assert record["failed_calls"] == 3
    assert "prompt_tokens" not in record


def test_a_stage_without_calls_has_seconds_alone() -> None:
    assert usage_record(Usage().with_stage(Stage.RULES, seconds=2, model=ModelUsage())) == {"rules_s": 2}


def test_a_summary_has_totals_without_a_stage() -> None:
    usage = Usage(summary_words=9).with_stage(Stage.SUMMARY, seconds=1, model=ModelUsage(2, 5, 10, 3))
    assert usage_record(usage) == {
        "summary_s": 1,
        "calls": 2,
        "calls_reused": 5,
        "prompt_tokens": 10,
        "completion_tokens": 3,
        "summary_words": 9,
    }
