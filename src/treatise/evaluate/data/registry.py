"""The registry of data sets."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Final

from treatise.core.errors import DataError, UnknownNameError
from treatise.core.plurals import counted
from treatise.evaluate.data.dataset import Dataset, LabelledDocument, Question, Retrieved
from treatise.evaluate.data.loaders.asqa import load_asqa
from treatise.evaluate.data.loaders.conflicts import load_ramdocs, load_wikicontradict
from treatise.evaluate.data.loaders.fairytaleqa import load_fairytaleqa
from treatise.evaluate.data.loaders.longbench import load_longbench, load_longbench_v2
from treatise.evaluate.data.loaders.loong import load_loong
from treatise.evaluate.data.loaders.narrativeqa import load_narrativeqa
from treatise.evaluate.data.loaders.qasper import load_qasper
from treatise.evaluate.data.loaders.qmsum import load_qmsum
from treatise.evaluate.data.loaders.scinews import load_scinews
from treatise.evaluate.data.loaders.spans import load_spans
from treatise.evaluate.data.loaders.squad import load_drcd, load_policyqa
from treatise.evaluate.data.loaders.stories import load_quality, load_squality
from treatise.evaluate.metrics.evidence import answer_in_context, answers_in_context, evidence_tokens, span_cover


def _answer_and_spans(question: Question, retrieved: Retrieved) -> dict[str, float]:
    return answer_in_context(question, retrieved) | span_cover(question, retrieved)


def _nothing(_question: Question, _retrieved: Retrieved) -> dict[str, float]:
    return {}


_SPANS: Final = ("span_recall", "span_precision")
_ANSWERS: Final = ("answers_in_context", "wrong_in_context")

_QASPER: Final = (
    *("qasper-dev-v0.3.json*", "qasper-dev-v0.3*.jsonl*", "qasper-test-v0.3*.json*", "qasper-train-v0.3*.json*"),
)

DATASETS: Final = {
    dataset.name: dataset
    for dataset in (
        Dataset("qasper", load_qasper, ("f1", "recall"), evidence_tokens, files=_QASPER),
        Dataset(
            "fairytaleqa",
            load_fairytaleqa,
            ("answer_in_context", *_SPANS),
            _answer_and_spans,
            budgets=(100, 200, 300),
            files=("fairytaleqa-val.jsonl*", "fairytaleqa-train.jsonl*"),
        ),
        Dataset(
            "qmsum", load_qmsum, _SPANS, span_cover, files=("qmsum-val.jsonl*", "val.jsonl*", "qmsum-train.jsonl*")
        ),
        Dataset(
            "policyqa", load_policyqa, _SPANS, span_cover, budgets=(100, 200, 300), files=("dev.json*", "train.json*")
        ),
        Dataset("drcd", load_drcd, _SPANS, span_cover, files=("DRCD_dev.json*", "DRCD_training.json*")),
        Dataset(
            "quality",
            load_quality,
            (),
            _nothing,
            files=("QuALITY.v1.0.1.htmlstripped.dev", "articles.jsonl*"),
            group_fields=("difficult",),
        ),
        Dataset("squality", load_squality, (), _nothing, files=("squality-v1.3-txt-dev.jsonl*", "dev.jsonl*")),
        Dataset(
            "narrativeqa",
            load_narrativeqa,
            (),
            _nothing,
            files=("qaps.csv", "narrativeqa.jsonl*"),
            group_fields=("set",),
        ),
        Dataset("multifieldqa_zh", load_longbench, (), _nothing, files=("multifieldqa_zh.jsonl*", "dev.jsonl*")),
        Dataset("longbench_v2", load_longbench_v2, (), _nothing, files=("data.json", "dev.jsonl*")),
        Dataset(
            "loong",
            load_loong,
            (),
            _nothing,
            files=("loong.jsonl*", "loong_process.jsonl*"),
            group_fields=("level", "set", "type"),
        ),
        Dataset(
            "asqa", load_asqa, _ANSWERS[:1], answers_in_context, files=("ASQA.json*", "asqa_eval_gtr_top100.json*")
        ),
        Dataset("scinews", load_scinews, (), _nothing, files=("test.json*", "val.json*")),
        Dataset(
            "wikicontradict",
            load_wikicontradict,
            _ANSWERS[:1],
            answers_in_context,
            budgets=(50, 100, 200),
            files=("dev.jsonl*", "WikiContradict*.csv"),
        ),
        Dataset(
            "ramdocs",
            load_ramdocs,
            _ANSWERS,
            answers_in_context,
            budgets=(50, 100, 200),
            files=("dev.jsonl*", "RAMDocs_test.jsonl*"),
        ),
        Dataset("spans", load_spans, _SPANS, span_cover),
    )
}


def dataset_named(name: str) -> Dataset:
    """The data set of that name; with ``:GROUP`` appended, only that group's questions.

    Raises:
        UnknownNameError: If there is none; the message lists the names and the nearest one.
        DataError: From ``load``, if a group has no question.
    """
    name, _, group = name.partition(":")
    if name in DATASETS:
        return _only(DATASETS[name], group) if group else DATASETS[name]
    near = get_close_matches(name, DATASETS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise UnknownNameError(f"no data set is named {name!r}{hint} (there are: {', '.join(DATASETS)})")


def load_documents(dataset: Dataset, data: Path, limit: int | None = None) -> list[LabelledDocument]:
    """The first ``limit`` documents of a data file, or all.

    Raises:
        DataError: If there are no questions, or two share an id.
    """
    documents = list(islice(dataset.load(data), limit))
    seen = Counter(question.id for labelled in documents for question in labelled.questions)
    if not seen:
        raise DataError(f"{data}: expected questions, found none in {counted(len(documents), 'document')}")
    if (twice := seen.most_common(1)[0])[1] > 1:
        raise DataError(f"{data}: question ids must be unique, found {twice[0]!r} {twice[1]} times")
    return documents


def _only(dataset: Dataset, group: str) -> Dataset:
    def load(path: Path) -> Iterator[LabelledDocument]:
        groups: set[str] = set()
        n_questions = 0
        for labelled in dataset.load(path):
            groups.update(name for question in labelled.questions for name in question.groups)
            questions = tuple(question for question in labelled.questions if group in question.groups)
            n_questions += len(questions)
            if questions:
                yield replace(labelled, questions=questions)
        if not n_questions:
            found = ", ".join(sorted(groups)) or "none"
            read = f" (read from {', '.join(dataset.group_fields)})" if dataset.group_fields else ""
            raise DataError(f"{path}: no question is in the group {group!r}; its groups{read}: {found}")

    return replace(dataset, load=load)
