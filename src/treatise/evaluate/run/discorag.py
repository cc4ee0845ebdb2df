"""Evaluates Disco-RAG's recipes on conflicting documents: answer scores, cost, and rejected replies.

A run writes ``<recipe>.jsonl``, one line per question as soon as it is answered, and ``summary.json`` and
``summary.md``. A stopped run resumes after its last whole line, without repeating finished calls.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from treatise.core.answer import Answer
from treatise.core.errors import DataError, EngineError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.usage import Stage, Usage
from treatise.evaluate.data.dataset import LabelledDocument, Question
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.metrics.tokens import normal_words
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.systems import DocumentIndexes, opened_systems
from treatise.pipeline.system import System

Row = dict[str, Any]

STAGES: Final = (Stage.TREES, Stage.GRAPH, Stage.PLAN, Stage.QUERIES)
"""Stages with a reply schema; the answer itself is free text."""

_SCORES: Final = ("right", "all_right", "wrong", "strict", "found", "conflict", "verified")

_ANSWERED: Final = frozenset({"answer", "cost", "scores"})
"""Keys in the line of an answered question."""


class Unconstrained:
    """A ``LanguageModel`` that gets the reply format only in the prompt, to count how many replies conform.

    Args:
        model: Called without a schema.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Says so."""
        return f"{self._model.name} without a grammar"

    @property
    def context_tokens(self) -> int:
        """The model's."""
        return self._model.context_tokens

    def chat(
        self,
        conversations: Sequence[Sequence[Message]],
        *,
        max_tokens: int,
        schema: dict[str, object] | None = None,  # noqa: ARG002  (that is the point)
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """See ``LanguageModel.chat``."""
        return self._model.chat(conversations, max_tokens=max_tokens)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one recipe.

    Attributes:
        recipe: Its name on the command line.
        n: Questions answered.
        n_failed: Questions for which the model failed for good; they are not among ``n``.
        scores: Mean of each score with its 95 % interval over questions.
        tokens, seconds: Mean per question; tokens of all calls, 0 without a model.
        replies: Number of replies with a schema.
        fitted: Number of those that conform to it.
        given_up: Number of requests without a conforming reply, also if an earlier question had made them.
    """

    recipe: str
    n: int
    n_failed: int
    scores: dict[str, tuple[float, float, float]]
    tokens: float
    seconds: float
    replies: int
    fitted: int
    given_up: int


def without_schemas(spec: RunSpec) -> RunSpec:
    """The run with a language model that gets the reply format only in the prompt."""
    engines = spec.opened_engines()
    model = Unconstrained(engines.model) if engines.model else None
    return replace(spec, engines=replace(engines, model=model))


def run_discorag(spec: RunSpec) -> list[Figures]:
    """Runs every recipe on the first questions of a data set, each with its own documents.

    Raises:
        DataError: If the data cannot be read, or results not be written.
    """
    labelled = list(islice(dataset_named(spec.dataset).load(spec.data), spec.limit))
    out = spec.out
    try:
        out.mkdir(parents=True, exist_ok=True)
        with opened_systems(spec) as systems:
            figures = [_run(systems[recipe.slug], labelled, spec) for recipe in spec.recipes]
        write_whole(out / "summary.json", json.dumps([_record(one) for one in figures], indent=1))
        write_whole(out / "summary.md", as_table(figures))
    except OSError as error:
        raise DataError(f"{out}: results cannot be written there ({error.strerror}): name another folder") from error
    return figures


def scores_of_answer(question: Question, answer: Answer) -> dict[str, float]:
    """Scores of an answer, each 0 to 1; ``wrong`` and ``strict`` only if the set names wrong answers.

    ``right``: the share of correct answers whose words occur consecutively in it. ``all_right``: all do. ``wrong``:
    the share of wrong ones. ``strict``: all right ones and no wrong one (exact match of RAMDocs). ``conflict``: whether
    it contrasts conflicting sources. ``verified``: the share of statements supported by their citations.
    """
    said = normal_words(answer.text) if answer.found else []
    right = [_holds(said, reference.answer) for reference in question.references]
    wrong = [_holds(said, reference.answer) for reference in question.wrong]
    n = len(answer.statements)
    verified = sum(statement.support != "unverified" for statement in answer.statements)
    scores = {
        "right": sum(right) / max(1, len(right)),
        "all_right": float(all(right)),
        "found": float(answer.found),
        "conflict": float(bool(answer.conflicts)),
    }
    if wrong:
        scores |= {"wrong": sum(wrong) / len(wrong), "strict": float(all(right) and not any(wrong))}
    return scores | ({"verified": verified / n} if n else {})


def as_table(figures: Sequence[Figures]) -> str:
    """The figures as a table in Markdown."""
    names = [name for name in _SCORES if any(name in one.scores for one in figures)]
    head = ["recipe", "n", *names, "tokens", "seconds", "replies that fit", "given up"]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    for one in figures:
        shown = [_shown(one.scores[name]) if name in one.scores else "" for name in names]
        fit = f"{one.fitted} of {one.replies}" if one.replies else ""
        cells = [one.recipe, str(one.n), *shown, f"{one.tokens:,.0f}", f"{one.seconds:.1f}", fit, str(one.given_up)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _run(system: System, labelled: Sequence[LabelledDocument], spec: RunSpec) -> Figures:
    slug = system.recipe.slug
    path = spec.out / f"{slug}.jsonl"
    rows = _read(path)
    asked = [(one, question) for one in labelled for question in one.questions]
    todo = [(one, question) for one, question in asked if question.id not in rows]
    for number, (one, question) in enumerate(todo, start=len(asked) - len(todo) + 1):
        rows[question.id] = _answered(system, one, question)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rows[question.id]) + "\n")
        spec.report(number, len(asked))
    return _figures(slug, [rows[question.id] for _, question in asked])


def _answered(system: System, one: LabelledDocument, question: Question) -> Row:
    try:
        answer = system.answer(question.text, DocumentIndexes(one.documents).by(system), fallback=False)
    except EngineError as error:
        return {"question_id": question.id, "error": str(error)}
    return {
        "question_id": question.id,
        "answer": answer.text,
        "statements": [[s.text, list(s.citations), s.support, s.role] for s in answer.statements],
        "conflicts": [[answer.citations[i].quote for i in pair] for pair in answer.conflicts],
        "notes": list(answer.notes),
        "cost": _cost(answer.usage),
        "scores": scores_of_answer(question, answer),
    }


def _cost(usage: Usage) -> dict[str, float]:
    """Tokens and seconds of an answer, and the number of replies that conform to their schema."""
    total, with_schema = usage.total_model, usage.model_of(STAGES)
    return {
        "tokens": total.prompt_tokens + total.completion_tokens,
        "seconds": usage.total_seconds,
        "replies": with_schema.n_calls,
        "rejected": with_schema.n_rejected_replies,
        "given_up": with_schema.n_given_up,
    }


def _figures(slug: str, rows: Sequence[Row]) -> Figures:
    answered = [row for row in rows if "error" not in row]
    costs = [row["cost"] for row in answered]
    scores = {}
    for name in _SCORES:
        values = np.array([row["scores"][name] for row in answered if name in row["scores"]])
        if len(values):
            scores[name] = (float(values.mean()), *bootstrap_interval(values, np.arange(len(values))))
    replies, rejected = (sum(one[name] for one in costs) for name in ("replies", "rejected"))
    return Figures(
        recipe=slug,
        n=len(answered),
        n_failed=len(rows) - len(answered),
        scores=scores,
        tokens=_mean([one["tokens"] for one in costs]),
        seconds=_mean([one["seconds"] for one in costs]),
        replies=replies,
        fitted=replies - rejected,
        given_up=sum(one["given_up"] for one in costs),
    )


def _read(path: Path) -> dict[str, Row]:
    """The complete lines of an earlier run; an incomplete last line is cut off."""
    if not path.exists():
        return {}
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        path.write_bytes(whole)
    try:
        rows = {row["question_id"]: row for row in map(json.loads, whole.splitlines())}
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path}: is no result file of this command; name another folder") from error
    if any("error" not in row and not row.keys() >= _ANSWERED for row in rows.values()):
        raise DataError(f"{path}: results of another version of Treatise cannot be continued; name another folder")
    return rows


def _holds(said: Sequence[str], answer: str) -> bool:
    """Whether the words of an answer occur consecutively in the reply."""
    wanted = normal_words(answer)
    n = len(wanted)
    return n > 0 and any(said[i : i + n] == wanted for i in range(len(said) - n + 1))


def _record(one: Figures) -> Mapping[str, object]:
    return {key: getattr(one, key) for key in Figures.__slots__}


def _shown(score: tuple[float, float, float]) -> str:
    mean, low, high = (f"{100 * value:.0f}" for value in score)
    return f"{mean} [{low}, {high}]"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
