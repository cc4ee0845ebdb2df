"""The registry of answer and summary metrics, and the metrics reported for each data set."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from importlib.util import find_spec
from typing import Final

from treatise.core.errors import DataError
from treatise.core.scripts import UNSPACED
from treatise.evaluate.data.dataset import AnswerKind, Question
from treatise.evaluate.metrics.answers import all_and_only, answer_f1, answer_overlap, exact_match
from treatise.evaluate.metrics.evidence import answers_in
from treatise.evaluate.metrics.options import chosen_option, nearest_option
from treatise.evaluate.metrics.readings import str_em
from treatise.evaluate.metrics.texts import bleu, meteor, rouge, sari, spaced

AnswerMetric = Callable[[Question, str, str], float | None]
"""Maps question, answer and source text to a score from 0 to 1; None if the question has no gold data.
The best-matching reference counts."""

_NO_ANSWER: Final = ("no answer", "not answerable", "unanswerable")


def _f1(question: Question, answer: str, _source: str) -> float:
    return answer_f1(_with_references_apart(question), _apart(_as_unanswerable(answer)))[0]


def _f1_of(kind: AnswerKind, question: Question, answer: str, _source: str) -> float | None:
    """F1 if the best-matching reference is of that kind."""
    f1, nearest = answer_f1(_with_references_apart(question), _apart(_as_unanswerable(answer)))
    return f1 if nearest is kind else None


def _overlap(part: int, question: Question, answer: str, _source: str) -> float:
    """Precision (0) or recall (1) of the reference with the best F1."""
    return answer_overlap(_with_references_apart(question), _apart(_as_unanswerable(answer)))[0][part]


def _exact(question: Question, answer: str, _source: str) -> float:
    return exact_match(_with_references_apart(question), _apart(_as_unanswerable(answer)))


def _by_letter(question: Question, answer: str, _source: str) -> float | None:
    if not question.options:
        return None
    chosen = chosen_option(answer, question.options)
    return float(chosen is not None and question.options[chosen] == question.references[0].answer)


def _by_nearest(question: Question, answer: str, _source: str) -> float | None:
    if not question.options:
        return None
    right = question.references[0].answer
    return float(bool(answer.strip()) and question.options[nearest_option(answer, question.options)] == right)


def _rouge(kind: str, question: Question, answer: str, _source: str) -> float:
    return rouge(answer, _gold(question), kind)


def _bleu(order: int, question: Question, answer: str, _source: str) -> float:
    return bleu(answer, _gold(question), order)


ANSWER_METRICS: Final[dict[str, AnswerMetric]] = {
    "answer_f1": _f1,
    **{f"answer_f1_{kind.value}": partial(_f1_of, kind) for kind in AnswerKind if kind is not AnswerKind.CHOICE},
    "answer_precision": partial(_overlap, 0),
    "answer_recall": partial(_overlap, 1),
    "exact_match": _exact,
    "accuracy": _by_letter,
    "accuracy_nearest": _by_nearest,
    "rouge1": partial(_rouge, "rouge1"),
    "rouge2": partial(_rouge, "rouge2"),
    "rougeL": partial(_rouge, "rougeL"),
    "bleu1": partial(_bleu, 1),
    "bleu4": partial(_bleu, 4),
    "meteor": lambda question, answer, _source: meteor(answer, _gold(question)),
    "sari": lambda question, answer, source: sari(answer, source, _gold(question)),
    "str_em": lambda question, answer, _source: str_em(question, answer),
    "answers_in": lambda question, answer, _source: answers_in(question, answer),
    "all_and_only": lambda question, answer, _source: all_and_only(question, answer),
}
"""Metrics that need a model are separate functions: ``metrics.judge``, ``.consistency``, ``.bert`` and, for the DR
score, ``.readings``."""

SHORT: Final = ("answer_f1", "exact_match")
"""For short answers."""

CHOICE: Final = ("accuracy", "accuracy_nearest")
"""For multiple-choice questions."""

_SUMMARY: Final = ("rouge1", "rouge2", "rougeL")

REPORTED: Final = {
    "qasper": ("answer_f1", *(name for name in ANSWER_METRICS if name.startswith("answer_f1_"))),
    "multifieldqa_zh": SHORT,
    "drcd": SHORT,
    "policyqa": SHORT,
    "spans": SHORT,
    "fairytaleqa": ("rougeL", *SHORT),
    "narrativeqa": ("bleu1", "bleu4", "rougeL", "meteor", *SHORT),
    "quality": CHOICE,
    "longbench_v2": CHOICE,
    "qmsum": _SUMMARY,
    "squality": _SUMMARY,
    "scinews": ("rougeL", "sari"),
    "asqa": ("str_em", "rougeL"),
    "loong": ("exact_match", "answer_f1"),
    "wikicontradict": ("answers_in",),
    "ramdocs": ("all_and_only", "answers_in"),
}
"""The metrics that the papers report for each data set, the decisive ones first."""


JUDGED: Final[dict[str, dict[str, str]]] = {
    "loong": {"judge": "--judge MODEL"},
    "scinews": {"bertscore": "--bert FOLDER", "consistency (SummaC)": "--nli MODEL"},
    "asqa": {"disambiguation_f1 and DR": "--reader MODEL"},
}
"""Further reported metrics that need a model, each with the option that names one."""

_LIBRARIES: Final = {"rouge": "rouge_score", "bleu": "sacrebleu", "meteor": "nltk", "sari": "sacrebleu"}
"""The required library of ``treatise[eval]``, by metric name prefix."""


def is_installed(name: str) -> bool:
    """Whether a metric's library is installed; True for metrics that need none."""
    needed = (library for prefix, library in _LIBRARIES.items() if name.startswith(prefix))
    return all(map(find_spec, needed))


def reported_metrics(dataset: str) -> tuple[str, ...]:
    """The metrics that the papers report for a data set; the short-answer metrics for other sets."""
    return REPORTED.get(dataset.partition(":")[0], SHORT)


def metric_named(name: str) -> AnswerMetric:
    """The metric of that name.

    Raises:
        DataError: If it is unknown; the message lists the names and the nearest one.
    """
    if name in ANSWER_METRICS:
        return ANSWER_METRICS[name]
    near = get_close_matches(name, ANSWER_METRICS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise DataError(f"no metric is named {name!r}{hint} (there are: {', '.join(ANSWER_METRICS)})")


def answer_scores(names: Sequence[str], question: Question, answer: str, source: str = "") -> dict[str, float]:
    """The named metrics of one answer, except those that do not apply to the question."""
    scores = {name: ANSWER_METRICS[name](question, answer, source) for name in names}
    return {name: score for name, score in scores.items() if score is not None}


def _gold(question: Question) -> list[str]:
    return [reference.answer for reference in question.references]


def _as_unanswerable(answer: str) -> str:
    """The answer of readers that find nothing, as worded in QASPER's references."""
    return "Unanswerable" if answer.strip(" .").lower() in _NO_ANSWER else answer


def _apart(text: str) -> str:
    """Separates characters of scripts without spaces, for word-level comparison; punctuation is removed.

    >>> _apart("在一百度。")
    ' 在 一 百 度  '
    """
    if not UNSPACED.search(text):
        return text
    return "".join(character if character.isalnum() else " " for character in spaced(text))


def _with_references_apart(question: Question) -> Question:
    references = tuple(replace(one, answer=_apart(one.answer)) for one in question.references)
    return replace(question, references=references)
