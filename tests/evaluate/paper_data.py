"""Small data in the published form of every data set that the papers' tables name."""

import json
from pathlib import Path
from random import Random
from typing import Any

_WORDS = (
    *("amber", "bridge", "canal", "dawn", "ember", "field", "glass", "harbour", "island", "jewel", "kettle"),
    *("lantern", "market", "needle", "orchard", "pebble", "quarry", "river", "saddle", "timber", "umbrella"),
    *("valley", "winter", "yarrow", "zephyr", "anchor", "barrel", "copper", "dragon", "engine", "forest", "garden"),
)
_LINKS = ("Because", "However", "Although", "While", "For example,", "Therefore", "Later", "If so,")
QUESTION = "Why did the harbour engine need copper from the valley market?"
QUESTIONS = (QUESTION, "Which lantern did the dragon carry?", "What made the orchard river dark in winter?")


def sentence(random: Random) -> str:
    """A sentence of 8 to 14 words; a third of them begin with a connective."""
    words = random.choices(_WORDS, k=random.randint(7, 13))
    start = f"{random.choice(_LINKS)} the" if random.random() < 1 / 3 else "The"
    return f"{start} {' '.join(words)}."


def paragraph(random: Random, n_sentences: int = 5) -> str:
    """Sentences in a row."""
    return " ".join(sentence(random) for _ in range(n_sentences))


def text(seed: int, n_paragraphs: int, n_sentences: int = 5) -> str:
    """Paragraphs with blank lines between them."""
    random = Random(seed)
    return "\n\n".join(paragraph(random, n_sentences) for _ in range(n_paragraphs))


def write_all(folder: Path) -> Path:
    """Every data set in a folder of its own, as ``treatise eval datasets`` looks for them."""
    for name, write in WRITERS.items():
        (folder / name).mkdir(parents=True)
        write(folder / name)
    _write_treebanks(folder / "rst" / "dev")
    return folder


def _write(path: Path, *records: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")


def _qasper(folder: Path) -> None:
    random = Random(1)
    texts = [[paragraph(random, 65) for _ in range(2)] for _ in range(4)]  # 1,400 words each: groups of 7 leaves differ
    sections = [{"section_name": f"Part {i}", "paragraphs": of_section} for i, of_section in enumerate(texts)]
    evidence = [texts[1][1]]
    answer = {"unanswerable": False, "extractive_spans": ["copper"], "yes_no": None, "free_form_answer": ""}
    answers = [{"answer": answer | {"evidence": evidence, "highlighted_evidence": evidence}}]
    questions = [{"question": one, "question_id": f"q{i}", "answers": answers} for i, one in enumerate(QUESTIONS)]
    paper = {"title": "Copper", "abstract": paragraph(random), "full_text": sections, "qas": questions}
    _write(folder / "qasper-dev-v0.3.json", {"1": paper})


def _quality(folder: Path) -> None:
    choice = {"options": ["rain", "copper", "glass"], "gold_label": 2}
    questions = [
        choice | {"question": one, "question_unique_id": f"7_{i}_{hard}", "difficult": hard}
        for i, one in enumerate(QUESTIONS)
        for hard in (0, 1)
    ]
    _write(folder / "articles.jsonl", {"article_id": "7", "article": text(2, 12, 30), "questions": questions})


def _squality(folder: Path) -> None:
    question = {"question_text": QUESTION, "question_number": 1, "responses": [{"response_text": "For copper."}]}
    _write(
        folder / "dev.jsonl",
        {"metadata": {"passage_id": "7"}, "document": text(3, 400), "questions": [question]},
    )


def _narrativeqa(folder: Path) -> None:
    head = "document_id,set,kind,story_url,wiki_title,story_start,story_end\n"
    (folder / "documents.csv").write_text(f"{head}d1,test,gutenberg,http://x/1,The Sea,,\n")
    head = "document_id,set,question,answer1,answer2,question_tokenized,answer1_tokenized,answer2_tokenized\n"
    (folder / "qaps.csv").write_text(f"{head}d1,test,{QUESTION},copper,the copper,,,\n")
    (folder / "tmp").mkdir()
    (folder / "tmp" / "d1.content").write_text(text(4, 100))


def _multifieldqa(folder: Path) -> None:
    random = Random(5)
    characters = "山水火土金木日月人口手足天地东西南北大小"
    sentences = ("".join(random.choices(characters, k=12)) + "。" for _ in range(400))
    row = {"_id": "a1", "input": "山水在哪里？", "context": "".join(sentences), "answers": ["东"], "language": "zh"}
    _write(folder / "dev.jsonl", row)


def _loong(folder: Path) -> None:
    rows = []
    for number in (1, 2, 3, 4):
        row = {"id": f"l{number}", "set": number, "level": 2, "type": "financial", "language": "en",
               "question": QUESTION, "instruction": "Compare the reports.", "doc": ["ACME", "BOLT"],
               "prompt_template": "{docs}\n\n{instruction}\n\n{question}", "answer": "ACME"}  # fmt: skip
        rows.append(row)
    for seed, name in enumerate(("ACME", "BOLT")):
        path = folder / "doc" / "financial" / f"2024-{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text(6 + seed, 140))
    _write(folder / "loong.jsonl", *rows)


def _asqa(folder: Path) -> None:
    random = Random(8)
    docs = [{"content": paragraph(random, 8), "wikipage": f"Page {i}"} for i in range(12)]
    pair = {"question": QUESTION, "short_answers": ["copper"], "context": docs[0]["content"], "wikipage": "Page 0"}
    instance = {
        "ambiguous_question": QUESTION,
        "qa_pairs": [pair],
        "annotations": [{"long_answer": "For copper.", "knowledge": docs}],
    }
    _write(folder / "ASQA.json", {"train": {}, "dev": {"-5": instance}})


def _scinews(folder: Path) -> None:
    row = {"Paper_Body": text(9, 60), "News_Body": "Copper for engines!", "News_Title": "Copper", "Topic": "Physics"}
    _write(folder / "val.json", row)


def _qmsum(folder: Path) -> None:
    random = Random(10)
    turns = [{"speaker": "AB"[i % 2], "content": paragraph(random)} for i in range(30)]
    query = {"query": QUESTION, "answer": "For copper.", "relevant_text_span": [["3", "5"]]}
    topics = [{"topic": "copper", "relevant_text_span": [["0", "9"]]}]
    record = {"meeting_transcripts": turns, "specific_query_list": [query], "topic_list": topics}
    _write(folder / "val.jsonl", record)


def _write_treebanks(folder: Path) -> None:
    tree = [{"start": 0, "split": 1, "end": 2, "nuclearity": "NS", "relation": "elaboration"}]
    for name in ("gum.sentence", "gum.edu", "gcdt.sentence", "gcdt.edu"):
        level = name.partition(".")[2]
        row = {"id": "d1", "lang": "en", "level": level, "paragraphs": [["Tea is hot,", "he said."]], "tree": tree}
        _write(folder / f"{name}.jsonl", row | ({"sentence_of_unit": [0, 0]} if level == "edu" else {}))


WRITERS = {
    "qasper": _qasper,
    "quality": _quality,
    "squality": _squality,
    "narrativeqa": _narrativeqa,
    "multifieldqa_zh": _multifieldqa,
    "loong": _loong,
    "asqa": _asqa,
    "scinews": _scinews,
    "qmsum": _qmsum,
}
