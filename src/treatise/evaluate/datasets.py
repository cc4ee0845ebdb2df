"""The data sets that can be measured, by name."""

from difflib import get_close_matches
from typing import Final

from treatise.core.errors import DataError
from treatise.evaluate.dataset import Dataset, Question, Retrieved
from treatise.evaluate.loaders.conflicts import load_ramdocs, load_wikicontradict
from treatise.evaluate.loaders.fairytaleqa import load_fairytaleqa
from treatise.evaluate.loaders.qasper import load_qasper
from treatise.evaluate.loaders.qmsum import load_qmsum
from treatise.evaluate.loaders.spans import load_spans
from treatise.evaluate.loaders.squad import load_drcd, load_policyqa
from treatise.evaluate.loaders.stories import load_quality, load_squality
from treatise.evaluate.metrics.evidence import answer_in_context, answers_in_context, evidence_tokens, span_cover


def _answer_and_spans(question: Question, retrieved: Retrieved) -> dict[str, float]:
    return answer_in_context(question, retrieved) | span_cover(question, retrieved)


def _nothing(_question: Question, _retrieved: Retrieved) -> dict[str, float]:
    return {}


_SPANS: Final = ("span_recall", "span_precision")
_ANSWERS: Final = ("answers_in_context", "wrong_in_context")

DATASETS: Final = {
    dataset.name: dataset
    for dataset in (
        Dataset("qasper", load_qasper, ("f1", "recall"), evidence_tokens),
        Dataset(
            "fairytaleqa", load_fairytaleqa, ("answer_in_context", *_SPANS), _answer_and_spans, budgets=(100, 200, 300)
        ),
        Dataset("qmsum", load_qmsum, _SPANS, span_cover),
        Dataset("policyqa", load_policyqa, _SPANS, span_cover, budgets=(100, 200, 300)),
        Dataset("drcd", load_drcd, _SPANS, span_cover),
        Dataset("squality", load_squality, (), _nothing),
        Dataset("quality", load_quality, (), _nothing),
        Dataset("wikicontradict", load_wikicontradict, _ANSWERS[:1], answers_in_context, budgets=(50, 100, 200)),
        Dataset("ramdocs", load_ramdocs, _ANSWERS, answers_in_context, budgets=(50, 100, 200)),
        Dataset("spans", load_spans, _SPANS, span_cover),
    )
}


def dataset_named(name: str) -> Dataset:
    """The data set of that name.

    Raises:
        DataError: Where there is none; the message lists the names and the nearest one.
    """
    if name in DATASETS:
        return DATASETS[name]
    near = get_close_matches(name, DATASETS, n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise DataError(f"no data set is named {name!r}{hint} (there are: {', '.join(DATASETS)})")
