"""QASPER evidence scores by another hand, straight from the file: what ``evaluate.retrieval`` must equal."""

import collections
import json
import re
import string
from pathlib import Path


def words(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


def overlap(context, evidence):
    common = sum((collections.Counter(context) & collections.Counter(evidence)).values())
    if not common:
        return (1.0, 1.0) if not context and not evidence else (0.0, 0.0)
    precision, recall = common / len(context), common / len(evidence)
    return 2 * precision * recall / (precision + recall), recall


def references(path: Path):
    for paper in json.loads(path.read_text(encoding="utf-8")).values():
        for qa in paper["qas"]:
            answers = [a["answer"] for a in qa["answers"]]
            key = "highlighted_evidence" if any("highlighted_evidence" in a for a in answers) else "evidence"
            yield (
                qa["question_id"],
                [[] if a.get("unanswerable") else [t for t in a[key] if "FLOAT SELECTED" not in t] for a in answers],
            )


def score(contexts: dict[str, str], path: Path):
    """F1 and recall in percent, over every question of the file."""
    rows = []
    for question, evidences in references(path):
        context = words(contexts.get(question, ""))
        rows.append(max((overlap(context, words(" ".join(e))) for e in evidences), key=lambda row: row[0]))
    return [100 * sum(column) / len(rows) for column in zip(*rows, strict=True)]
