"""Models that score answers: a judge, entailment, BERTScore and a reader of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from treatise.core.ports import CallCache, LanguageModel
from treatise.evaluate.data.dataset import LabelledDocument, Question
from treatise.evaluate.metrics.attention import Attention
from treatise.evaluate.metrics.bert import BertScore
from treatise.evaluate.metrics.consistency import Entailment, consistency
from treatise.evaluate.metrics.judge import FULL_MARKS, judge
from treatise.evaluate.metrics.readings import Reader, disambiguation_f1
from treatise.evaluate.metrics.statistics import Doubles


@dataclass(frozen=True, slots=True)
class Judges:
    """Models that score answers; each one present adds its metrics.

    Attributes:
        judge: Adds ``judge`` (the rating in percent) and ``judge_full`` (full marks or not).
        entailment: Adds ``consistency`` of the answer with the source documents.
        bert: Adds ``bertscore``.
        reader: Adds ``disambiguation_f1``.
        attention: Reads the answering model's attention, in tables that show it.
        calls: Keeps finished calls of the judge.
    """

    judge: LanguageModel | None = None
    entailment: Entailment | None = None
    bert: BertScore | None = None
    reader: Reader | None = None
    attention: Attention | None = None
    calls: CallCache | None = None

    def has(self, option: str) -> bool:
        """Whether the model that an option such as ``--nli MODEL`` names is present."""
        name = option.removeprefix("--").partition(" ")[0]
        return getattr(self, _FIELDS.get(name, name)) is not None


_FIELDS: Final = {"nli": "entailment"}

NO_JUDGES: Final = Judges()


def scores_by_judges(
    documents: Sequence[LabelledDocument], answers: Sequence[str], judges: Judges
) -> dict[str, Doubles]:
    """The scores of the answers to all questions, in order, in percent, by metric; NaN if not scored.

    Raises:
        EngineError: If a model fails.
    """
    questions = questions_of(documents)
    values: dict[str, Doubles] = {}
    if judges.judge:
        rows = [(q.text, q.references[0].answer, answer) for q, answer in zip(questions, answers, strict=True)]
        scores = [one.score for one in judge(judges.judge, rows, judges.calls)]
        values["judge"] = column([None if score is None else score / FULL_MARKS for score in scores])
        values["judge_full"] = column([None if score is None else float(score == FULL_MARKS) for score in scores])
    if judges.entailment:
        languages = [labelled.document.language for labelled in documents for _ in labelled.questions]
        pairs = zip(answers, sources_of(documents), languages, strict=True)
        values["consistency"] = column(
            [consistency(answer, source, judges.entailment, language=language) for answer, source, language in pairs]
        )
    if judges.bert:
        golds = [[reference.answer for reference in question.references] for question in questions]
        values["bertscore"] = column(judges.bert(answers, golds))
    if judges.reader:
        values["disambiguation_f1"] = column(disambiguation_f1(questions, answers, judges.reader))
    return values


def questions_of(documents: Sequence[LabelledDocument]) -> list[Question]:
    """All questions, in order."""
    return [question for labelled in documents for question in labelled.questions]


def sources_of(documents: Sequence[LabelledDocument]) -> list[str]:
    """The source text of each question: all of its documents."""
    texts = ["\n\n".join(document.text for document in labelled.documents) for labelled in documents]
    return [text for text, labelled in zip(texts, documents, strict=True) for _ in labelled.questions]


def column(scores: Sequence[float | None]) -> Doubles:
    """Scores from 0 to 1 in percent; NaN for None."""
    return 100 * np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
