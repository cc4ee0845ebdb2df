"""Calls: what fits is kept, what does not is refused, what was paid is never paid again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from tests.enhance.models import SENTENCES, condense, condensing
from treatise.core.errors import EngineUnavailableError, ModelReplyError, PromptRefusedError, SettingsError
from treatise.core.note import Note, Origin
from treatise.core.ports import Message, Reply
from treatise.core.recipe import Notes, Summaries
from treatise.enhance import NoteRequest, write_notes
from treatise.llm.budget import Budget, Price
from treatise.llm.cache import MemoryCache
from treatise.llm.estimate import DryRunRunner, Pace, estimate
from treatise.llm.request import Request, plain_text
from treatise.llm.runner import LlmRunner
from treatise.testing import ScriptedModel
from treatise.tree import balanced, bisection

LLM = Notes(Summaries.LLM, max_words=20)
TWO = NoteRequest(bisection(2), SENTENCES[:2])
EIGHT = NoteRequest(bisection(8), SENTENCES[:8])


def notes_of(writer: LlmRunner, outline: NoteRequest = EIGHT, recipe: Notes = LLM) -> tuple[Note, ...]:
    (notes,) = write_notes([outline], recipe, writer)
    return notes


def root_of(reply: str, outline: NoteRequest = TWO) -> Note:
    return notes_of(LlmRunner(ScriptedModel(lambda _: reply)), outline)[-1]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "  \n",
        "…",
        "word " * 100,
        "I'm sorry, but I cannot help with that.",
        "As an AI language model I have no opinion.",
        "这两句话讲的是两件不同的事情,没有别的内容。",
    ],
)
def test_a_reply_that_does_not_fit_is_never_node_text(reply: str) -> None:
    root = root_of(reply)
    assert root.origin is Origin.REJECTED
    assert root.text == " ".join(SENTENCES[unit] for unit in root.units)


def test_an_english_reply_about_a_chinese_text_is_refused() -> None:
    chinese = NoteRequest(bisection(2), ["研究人员在北京测量了三十年的气温变化。", "结果显示夏季明显变长,冬季变短。"])
    assert root_of("Researchers measured the temperature in Beijing.", chinese).origin is Origin.REJECTED
    assert root_of("北京三十年来夏季变长。", chinese).origin is Origin.SUMMARY


def test_a_reply_that_was_cut_off_is_refused() -> None:
    class Cut(ScriptedModel):
        def chat(
            self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: object = None
        ) -> Iterator[tuple[int, Reply | Exception]]:
            yield from ((i, Reply("Half a sentence about", 9, 4, truncated=True)) for i in range(len(conversations)))

    assert notes_of(LlmRunner(Cut([])), TWO)[-1].origin is Origin.REJECTED


def test_a_rejected_reply_is_asked_for_once_more_with_the_reason() -> None:
    model = ScriptedModel(["", "Two things are told."])
    writer = LlmRunner(model)
    assert notes_of(writer, TWO)[-1].text == "Two things are told."
    assert "it is empty" in model.prompts[1][-1].content
    assert (writer.spending.n_calls, writer.spending.n_rejected_replies, writer.spending.rejected) == (2, 1, {})


def test_an_unusable_answer_of_the_server_is_a_rejected_reply() -> None:
    model = ScriptedModel([ModelReplyError("half a body"), "Two things are told."])
    assert notes_of(LlmRunner(model), TWO)[-1].origin is Origin.SUMMARY


def test_a_server_that_dies_loses_no_reply_that_came_and_the_next_run_goes_on() -> None:
    def flaky(conversation: Sequence[Message]) -> str:
        if SENTENCES[2] in conversation[1].content:
            raise EngineUnavailableError("the server is down")
        return condense(conversation)

    cache = MemoryCache()
    with pytest.raises(EngineUnavailableError, match="down"):
        notes_of(LlmRunner(ScriptedModel(flaky), cache=cache))
    second = LlmRunner(condensing(), cache=cache)
    assert notes_of(second) == notes_of(LlmRunner(condensing()))
    assert (second.spending.n_reused, second.spending.n_calls) == (3, 4)


def test_equal_work_is_paid_once_in_one_run_and_never_again() -> None:
    cache = MemoryCache()
    twins = [NoteRequest(bisection(2), SENTENCES[:2])] * 2
    first = LlmRunner(condensing(), cache=cache)
    write_notes(twins, LLM, first)
    assert first.spending.n_calls == 1
    again = LlmRunner(condensing(), cache=cache)
    write_notes(twins, LLM, again)
    assert (again.spending.n_calls, again.spending.n_reused) == (0, 1)


def test_an_edited_paragraph_redoes_its_nodes_and_their_ancestors_only() -> None:
    cache = MemoryCache()
    sizes = [4] * 8
    before = NoteRequest(balanced(sizes), SENTENCES[:32])
    notes_of(LlmRunner(condensing(), cache=cache), before)
    edited = [*SENTENCES[:13], "A new sentence stands here now.", *SENTENCES[14:32]]
    writer = LlmRunner(condensing(), cache=cache)
    notes_of(writer, replace(before, units=edited))
    assert writer.spending.n_calls == 2 + 3  # within its paragraph, and the halves above
    assert writer.spending.n_reused == 31 - 5


@pytest.mark.parametrize(
    "change",
    [replace(LLM, max_words=19), replace(LLM, batch_words=1)],
)
def test_a_change_of_what_is_asked_is_a_new_call_and_a_change_of_grouping_is_not(change: Notes) -> None:
    cache = MemoryCache()
    notes_of(LlmRunner(condensing(), cache=cache))
    writer = LlmRunner(condensing(), cache=cache)
    notes_of(writer, recipe=change)
    assert writer.spending.n_calls == (7 if change.max_words == 19 else 0)


@pytest.mark.parametrize("max_calls", [0, 1, 3, 5, 7])
def test_a_ceiling_of_calls_is_kept_and_the_rest_is_nucleus_text_and_marked(max_calls: int) -> None:
    model = condensing()
    writer = LlmRunner(model, budget=Budget(max_calls=max_calls))
    notes = notes_of(writer)
    assert len(model.prompts) == max_calls
    assert sum(note.origin is Origin.OVER_BUDGET for note in notes) == 7 - max_calls == writer.spending.n_over_budget


@pytest.mark.parametrize("script", [condense, lambda _: "", lambda _: "word " * 60])
@pytest.mark.parametrize("max_cost", [0.0, 0.0005, 0.001, 0.003])
def test_a_ceiling_of_cost_is_never_passed_however_the_model_behaves(max_cost: float, script: object) -> None:
    price = Price(1.0, 4.0)
    writer = LlmRunner(ScriptedModel(script), budget=Budget(max_cost=max_cost, price=price))  # type: ignore[arg-type]
    notes = notes_of(writer, NoteRequest(bisection(16), SENTENCES[:16]))
    assert price.of(writer.spending.prompt_tokens, writer.spending.completion_tokens) <= max_cost
    assert len(notes) == 31


def test_a_ceiling_of_cost_needs_a_price() -> None:
    with pytest.raises(SettingsError, match="price"):
        Budget(max_cost=1.0)


@pytest.mark.parametrize(
    "recipe", [LLM, Notes(Summaries.LLM, batch_words=60), Notes(Summaries.HYBRID, rewrite_words=30)]
)
def test_an_estimate_asks_nobody_and_is_within_fifteen_percent(recipe: Notes) -> None:
    outline = NoteRequest(balanced([4, 1, 6, 3, 2, 5, 4, 7, 8]), SENTENCES)
    pretending = DryRunRunner(ScriptedModel([]))
    notes_of(pretending, outline, recipe)
    real = LlmRunner(_Counting())
    notes_of(real, outline, recipe)
    expected, found = estimate(pretending.spending, Price(1, 2), Pace()), real.spending
    assert expected.n_calls == pytest.approx(found.n_calls, rel=0.15)
    assert expected.prompt_tokens == pytest.approx(found.prompt_tokens, rel=0.15)
    assert expected.completion_tokens == pytest.approx(found.completion_tokens, rel=0.15)
    assert expected.cost is not None
    assert expected.seconds > 0


def test_an_estimate_knows_what_is_finished_and_the_ceiling() -> None:
    cache = MemoryCache()
    notes_of(LlmRunner(condensing(), cache=cache))
    pretending = DryRunRunner(ScriptedModel([]), cache=cache, budget=Budget(max_calls=2))
    write_notes([EIGHT, NoteRequest(bisection(8), SENTENCES[8:16])], LLM, pretending)
    found = estimate(pretending.spending, None, Pace())
    assert (found.n_reused, found.n_calls, found.n_over_budget, found.cost) == (7, 2, 5, None)


def test_progress_counts_the_replies_of_each_wave() -> None:
    seen: list[tuple[int, int]] = []
    write_notes([EIGHT], LLM, LlmRunner(condensing()), lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4), (1, 2), (2, 2), (1, 1)]


def _request(key: str, text: str = "?") -> Request:
    return Request(key, (Message("user", text),), 50, plain_text)


def test_an_attempt_has_texts_or_an_error_for_each_request() -> None:
    def say(messages: Sequence[Message]) -> str:
        match messages[0].content:
            case "down":
                raise EngineUnavailableError("the server is down")
            case "silent":
                return " "
        return messages[0].content

    runner = LlmRunner(ScriptedModel(say))
    found = runner.attempt([_request(text, text) for text in ("yes", "silent", "down")])
    assert found["yes"] == ("yes",)
    assert isinstance(found["silent"], ModelReplyError)
    assert isinstance(found["down"], EngineUnavailableError)


def test_a_request_beyond_the_budget_is_an_error_of_its_own() -> None:
    runner = LlmRunner(ScriptedModel(["one"]), budget=Budget(max_calls=1))
    found = runner.attempt([_request("a"), _request("b")])
    assert found["a"] == ("one",)
    assert "limit on calls" in str(found["b"])
    assert not runner.allows(1)


def test_texts_of_several_requests_come_in_order_and_equal_ones_are_sent_once() -> None:
    model = ScriptedModel(["one", "two"])
    assert LlmRunner(model).ask_all([_request("a"), _request("b"), _request("a")]) == [("one",), ("two",), ("one",)]
    assert len(model.prompts) == 2


def test_a_rejection_names_the_model_and_a_refused_prompt_stays_one() -> None:
    with pytest.raises(ModelReplyError, match="scripted gave no usable reply: it is empty"):
        LlmRunner(ScriptedModel(["", ""])).ask(_request("a"))
    with pytest.raises(PromptRefusedError, match="too long"):
        LlmRunner(ScriptedModel([PromptRefusedError("too long")] * 2)).ask(_request("a"))


def test_a_rejection_is_final_after_one_retry_and_is_kept() -> None:
    cache, model = MemoryCache(), ScriptedModel(["", "", "late"])
    LlmRunner(model, cache=cache).run([_request("a")])
    again = LlmRunner(model, cache=cache)
    outcome = again.run([_request("a")])["a"]
    assert outcome is not None
    assert (outcome.texts, outcome.rejection_reason) == ((), "empty")
    with pytest.raises(ModelReplyError, match="an earlier reply was rejected: empty"):
        again.ask(_request("a"))
    assert len(model.prompts) == 2


class _Counting(ScriptedModel):
    """Says nothing of tokens, so that both sides are counted by the same measure."""

    def __init__(self) -> None:
        super().__init__(condense)

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        for index, reply in super().chat(conversations, max_tokens=max_tokens, schema=schema):
            yield index, Reply(reply.text, 0, 0) if isinstance(reply, Reply) else reply
