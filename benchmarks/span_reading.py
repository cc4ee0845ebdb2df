"""Measures the span reader against quoting the best sentence.

    python benchmarks/span_reading.py --model FOLDER --data DATA/span-reader --retrieved FOLDER --out FILE.json

``--data`` contains ``dev.jsonl.gz``, used for calibration and for choosing the threshold, and
``held.jsonl.gz`` from ``benchmarks/training_reader.py``; ``--retrieved`` the files ``qasper-dev.jsonl``,
``fairytaleqa-val.jsonl`` and ``policyqa-dev.jsonl`` from ``benchmarks/training_reader_passages.py``. Intervals are
95 %, by bootstrap over documents (held: over questions). The reader refuses if ``p_no_answer`` is at or above the
threshold.
"""

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from treatise.core.span_answer import SpanAnswer, SpanAnswerKind
from treatise.engines.onnx_encoder import OnnxEncoder
from treatise.engines.onnx_reader import OnnxReader
from treatise.evaluate.data.dataset import AnswerKind, Question, Reference
from treatise.evaluate.metrics.answers import answer_f1, exact_match
from treatise.evaluate.metrics.statistics import bootstrap_interval
from treatise.evaluate.metrics.texts import rouge

Row = dict[str, Any]
UNANSWERABLE = "Unanswerable"
THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(2, 20))
SHARES = (0.2, 0.35, 0.5, 0.7, 1.0)
MODELS = Path(__file__).parent.parent / "src" / "treatise" / "models"


@dataclass(frozen=True)
class Policy:
    """How a reading is turned into an answer text.

    Attributes:
        refuse_from: Minimum ``p_no_answer`` for a refusal.
        share: Share of the best span's score that further spans of a list must reach.
        whole: Whether the whole passage is returned if a sentence is requested.
    """

    refuse_from: float
    share: float
    whole: bool

    def answer(self, reading: SpanAnswer, passages: Sequence[str]) -> str:
        """The answer, or ``UNANSWERABLE``."""
        if reading.p_no_answer >= self.refuse_from or not reading.spans:
            return UNANSWERABLE
        return direct(reading, passages, self)


def direct(reading: SpanAnswer, passages: Sequence[str], policy: Policy) -> str:
    """The answer without the refusal option."""
    if not reading.spans:
        return ""
    if reading.kind in (SpanAnswerKind.YES, SpanAnswerKind.NO):
        return reading.kind.value.capitalize()
    if reading.kind is SpanAnswerKind.SENTENCE and policy.whole:
        return passages[reading.spans[0].passage]
    least = reading.spans[0].score * (policy.share if reading.kind is SpanAnswerKind.LIST else 1.0)
    kept = [span for span in reading.spans if span.score >= least]
    kept.sort(key=lambda span: (span.passage, span.start))
    return ", ".join(dict.fromkeys(passages[span.passage][span.start : span.end] for span in kept))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--retrieved", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=100_000, help="of each retrieved file, evenly spaced")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    reader = OnnxReader(options.model, threads=2)
    dev, held = (with_readings(reader, options.data / f"{part}.jsonl.gz") for part in ("dev", "held"))
    policy = chosen(dev)
    figures: list[Row] = [{"figure": "policy, chosen on dev", **asdict(policy)}]
    figures += of_held(held, policy)
    for name, measure in (("qasper-dev", qasper), ("fairytaleqa-val", fairytales), ("policyqa-dev", policies)):
        if (file := options.retrieved / f"{name}.jsonl").is_file():
            figures += measure(with_readings(reader, file, options.questions), policy)
    options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for row in figures:
        print(json.dumps(row))


def read(path: Path) -> Iterator[Row]:
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def with_readings(reader: OnnxReader, path: Path, n: int = 100_000) -> list[Row]:
    """The questions of a file, or ``n`` of them, evenly spaced, each with its ``reading``."""
    rows = [row for row in read(path) if not is_implicit(row)]
    rows = [rows[i * len(rows) // n] for i in range(n)] if n < len(rows) else rows
    for row in rows:
        started = time.perf_counter()
        row["reading"] = reader.read(row["question"], row["passages"])
        row["seconds"] = time.perf_counter() - started
    return rows


def is_implicit(row: Row) -> bool:
    """Whether it is one of FairytaleQA's questions whose answers are not in the text: ids begin with the story."""
    return "references" in row and "/" in row["id"] and row["references"][0]["kind"] != "extractive"


def chosen(dev: Sequence[Row]) -> Policy:
    """The policy with the best mean F1 on dev; correct refusals score 1."""
    policies = [Policy(*values) for values in product(THRESHOLDS, SHARES, (False, True))]
    return max(policies, key=lambda policy: float(np.mean([f1_with_refusals(row, policy) for row in dev])))


def f1_with_refusals(row: Row, policy: Policy) -> float:
    return answer_f1(question_of(row), policy.answer(row["reading"], row["passages"]))[0]


def question_of(row: Row) -> Question:
    """Converts a line of the training files to a question with references."""
    texts = [row["passages"][p][start:end] for p, start, end in row["answers"]]
    if row["kind"] in ("yes", "no"):
        texts = [row["kind"].capitalize()]
    elif row["kind"] == "none":
        texts = [UNANSWERABLE]
    elif row["kind"] == "list":
        texts = [", ".join(dict.fromkeys(texts))]
    return Question(row["id"], row["question"], tuple(Reference(text, AnswerKind.EXTRACTIVE) for text in texts))


# --- held questions of the reader's own sets -------------------------------------------------------------------------


def of_held(rows: Sequence[Row], policy: Policy) -> Iterator[Row]:
    """Per set: F1 of answers without refusals, exact match of tables; overall: refusals and calibration."""
    best_passage = nearest_passages(rows)
    for name in sorted({row["set"] for row in rows}):
        of_set = [i for i, row in enumerate(rows) if row["set"] == name]
        spans = [i for i in of_set if rows[i]["kind"] in ("span", "list", "sentence")]
        found = [direct(rows[i]["reading"], rows[i]["passages"], policy) for i in spans]
        quoted = [rows[i]["passages"][best_passage[i]] for i in spans]
        metrics = {"F1": lambda q, a: answer_f1(q, a)[0]}
        if name in ("wtq", "tatqa", "hybridqa"):
            metrics["exact match"] = exact_match
        for metric, measure in metrics.items():
            if spans:
                yield compared(
                    f"held {name}, answerable, {metric}",
                    [measure(question_of(rows[i]), text) for i, text in zip(spans, found, strict=True)],
                    [measure(question_of(rows[i]), text) for i, text in zip(spans, quoted, strict=True)],
                    range(len(spans)),
                )
        booleans = [i for i in of_set if rows[i]["kind"] in ("yes", "no")]
        if booleans and name in ("boolq", "pubmedqa"):
            right = [float((rows[i]["reading"].p_yes >= 0.5) == (rows[i]["kind"] == "yes")) for i in booleans]
            share = float(np.mean([rows[i]["kind"] == "yes" for i in booleans]))
            yield compared(f"held {name}, yes or no", right, None, range(len(right))) | {
                "always the same": round(100 * max(share, 1 - share), 1)
            }
    answerable = [row for row in rows if row["kind"] not in ("yes", "no")]
    yield from refusals(
        "held, all sets",
        [row["reading"].p_no_answer for row in answerable],
        [row["kind"] == "none" for row in answerable],
        policy,
    )
    for name in sorted({row["set"] for row in answerable}):
        kept = [row for row in answerable if row["set"] == name]
        yield from refusals(
            f"held {name}",
            [row["reading"].p_no_answer for row in kept],
            [row["kind"] == "none" for row in kept],
            policy,
        )
    yield {
        "figure": "seconds per question, held",
        "median": round(float(np.median([row["seconds"] for row in rows])), 3),
    }


def nearest_passages(rows: Sequence[Row]) -> list[int]:
    """For each row, the passage nearest to the question by the encoder."""
    encoder = OnnxEncoder(MODELS / "treatise-en", threads=2)
    questions = encoder.encode_questions([row["question"] for row in rows])
    passages = iter(encoder.encode([passage for row in rows for passage in row["passages"]]))
    found = []
    for row, question in zip(rows, questions, strict=True):
        found.append(int(np.argmax([next(passages) @ question for _ in row["passages"]])))
    return found


def refusals(name: str, p: Sequence[float], is_none: Sequence[bool], policy: Policy) -> Iterator[Row]:
    """ROC-AUC, accuracy at the threshold, expected calibration error and a reliability table of ten bins."""
    scores, gold = np.array(p), np.array(is_none)
    if gold.all() or not gold.any():
        return
    above = (scores[gold][:, None] > scores[~gold][None]).mean() + 0.5 * (
        scores[gold][:, None] == scores[~gold][None]
    ).mean()
    refused = scores >= policy.refuse_from
    right = (refused == gold).astype(float)
    bins = np.minimum((scores * 10).astype(int), 9)
    table = [
        {
            "from": b / 10,
            "n": int((bins == b).sum()),
            "said": round(float(scores[bins == b].mean()), 3),
            "was": round(float(gold[bins == b].mean()), 3),
        }
        for b in range(10)
        if (bins == b).any()
    ]
    error = sum(bin_["n"] * abs(bin_["said"] - bin_["was"]) for bin_ in table) / len(scores)
    row: Row = {
        "figure": f"refusals, {name}",
        "n": len(scores),
        "n none": int(gold.sum()),
        "ROC-AUC": round(float(above), 3),
        "accuracy": round(100 * float(right.mean()), 1),
        "interval": interval(right, range(len(right))),
        "unanswerable refused": round(100 * float(refused[gold].mean()), 1),
        "answerable refused": round(100 * float(refused[~gold].mean()), 1),
        "expected calibration error": round(error, 3),
    }
    yield row | ({"reliability": table} if name.endswith("sets") or "QASPER" in name else {})


# --- retrieved passages of whole documents ---------------------------------------------------------------------------


def qasper(rows: Sequence[Row], policy: Policy) -> Iterator[Row]:
    questions = [references_of(row) for row in rows]
    documents = clusters(rows)
    answers = {
        "reader": [policy.answer(row["reading"], row["passages"]) for row in rows],
        "reader, never refusing": [direct(row["reading"], row["passages"], policy) for row in rows],
        "quoted": [quoted(row) or UNANSWERABLE for row in rows],
        "quoted, first sentence": [quoted(row, 1) or UNANSWERABLE for row in rows],
    }
    yield from by_system("QASPER dev, Answer-F1", questions, answers, lambda q, a: answer_f1(q, a)[0], documents)
    for kind in AnswerKind:
        kept = [i for i, q in enumerate(questions) if q.references[0].kind is kind]
        if kept:
            yield from by_system(
                f"QASPER dev, first annotator {kind.value}, Answer-F1",
                [questions[i] for i in kept],
                {name: [texts[i] for i in kept] for name, texts in answers.items() if name in ("reader", "quoted")},
                lambda q, a: answer_f1(q, a)[0],
                documents[kept],
            )
    is_none = [all(r.kind is AnswerKind.UNANSWERABLE for r in q.references) for q in questions]
    yield from refusals("QASPER dev", [row["reading"].p_no_answer for row in rows], is_none, policy)
    words = [len(text.split()) for text in answers["reader"]]
    yield {
        "figure": "QASPER dev, words per answer",
        "reader": round(float(np.mean(words)), 1),
        "quoted": round(float(np.mean([len(t.split()) for t in answers["quoted"]])), 1),
    }
    yield {
        "figure": "QASPER dev, seconds per question",
        "median": round(float(np.median([row["seconds"] for row in rows])), 3),
        "p95": round(float(np.quantile([row["seconds"] for row in rows], 0.95)), 3),
    }


def fairytales(rows: Sequence[Row], policy: Policy) -> Iterator[Row]:
    answers = {
        "reader": [direct(row["reading"], row["passages"], policy) for row in rows],
        "quoted": [quoted(row) for row in rows],
        "quoted, first sentence": [quoted(row, 1) for row in rows],
    }
    questions = [references_of(row) for row in rows]

    def rouge_l(question: Question, answer: str) -> float:
        return rouge(answer, [reference.answer for reference in question.references], "rougeL")

    yield from by_system("FairytaleQA val explicit, ROUGE-L", questions, answers, rouge_l, clusters(rows))


def policies(rows: Sequence[Row], policy: Policy) -> Iterator[Row]:
    answers = {
        "reader": [direct(row["reading"], row["passages"], policy) for row in rows],
        "quoted": [quoted(row) for row in rows],
        "quoted, first sentence": [quoted(row, 1) for row in rows],
    }
    yield from by_system(
        "PolicyQA dev, F1 with the nearest marked span",
        [marked(row) for row in rows],
        answers,
        lambda q, a: answer_f1(q, a)[0],
        clusters(rows),
    )


def marked(row: Row) -> Question:
    """Each marked text is a reference: a question covers several segments of a policy."""
    texts = dict.fromkeys(text for reference in row["references"] for text in reference["texts"])
    return Question(row["id"], row["question"], tuple(Reference(text, AnswerKind.EXTRACTIVE) for text in texts))


def quoted(row: Row, n: int | None = None) -> str:
    """The sentences of the answer without a reader, or the first ``n``."""
    return " ".join(row["quoted"][:n])


def references_of(row: Row) -> Question:
    references = tuple(Reference(r["answer"], AnswerKind(r["kind"])) for r in row["references"])
    return Question(row["id"], row["question"], references)


def clusters(rows: Sequence[Row]) -> np.ndarray:
    number = {document: i for i, document in enumerate(dict.fromkeys(row["document"] for row in rows))}
    return np.array([number[row["document"]] for row in rows])


def by_system(
    name: str,
    questions: Sequence[Question],
    answers: dict[str, list[str]],
    measure: Callable[[Question, str], float],
    documents: Sequence[int] | np.ndarray,
) -> Iterator[Row]:
    scores = {
        system: [measure(q, a) for q, a in zip(questions, texts, strict=True)] for system, texts in answers.items()
    }
    for system, values in scores.items():
        yield compared(f"{name}: {system}", values, None if system == "quoted" else scores["quoted"], documents)


def compared(
    name: str, values: Sequence[float], baseline: Sequence[float] | None, groups: Sequence[int] | np.ndarray
) -> Row:
    """Mean in percent and difference to the baseline, each with its interval."""
    own = np.array(values)
    row: Row = {
        "figure": name,
        "n": len(own),
        "%": round(100 * float(own.mean()), 1),
        "interval": interval(own, groups),
    }
    if baseline is not None:
        other = np.array(baseline)
        row |= {
            "quoted": round(100 * float(other.mean()), 1),
            "gain": round(100 * float((own - other).mean()), 1),
            "gain interval": interval(own - other, groups),
        }
    return row


def interval(values: Any, groups: Sequence[int] | np.ndarray) -> list[float]:
    low, high = bootstrap_interval(np.asarray(values, dtype=np.float64), np.asarray(groups, dtype=np.int64))
    return [round(100 * low, 1), round(100 * high, 1)]


if __name__ == "__main__":
    main()
