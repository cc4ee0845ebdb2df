"""A QASPER file whose text tries to break out of a page, and whose characters JavaScript counts as two."""

import json
from pathlib import Path

GOLD = 'Then </script><script>alert("gold")</script> & <b>bold</b> 😀 end.'
PARAGRAPHS = [
    "𝒳 is a letter outside the basic plane. It stands 😀 before all else.",
    f"Nothing here. {GOLD} <!-- not a comment",
    "Water boils at 100 degrees. Keep the leaves in a tin.",
]


def write_nasty(folder: Path) -> Path:
    """Two papers of one text each, with two questions and one."""
    path = folder / "nasty.json"
    path.write_text(json.dumps({"a": _paper("</title><i>A", ["q1", "q2"]), "b": _paper("B", ["q3"])}), encoding="utf-8")
    return path


def _paper(title: str, ids: list[str]) -> dict[str, object]:
    kind = {"unanswerable": False, "extractive_spans": [], "yes_no": None, "free_form_answer": "<img src=x onerror=1>"}
    evidence = {"evidence": [GOLD], "highlighted_evidence": [GOLD, "It stands nowhere."]}
    return {
        "title": title,
        "abstract": "On tea & </script>.",
        "full_text": [{"section_name": "Making", "paragraphs": PARAGRAPHS}],
        "qas": [
            {"question": f"What of <{one}>?", "question_id": one, "answers": [{"answer": kind | evidence}]}
            for one in ids
        ],
    }
