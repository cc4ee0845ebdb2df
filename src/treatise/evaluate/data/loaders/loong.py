"""Loong (Wang et al., 2024): questions that need several long financial, legal or academic documents."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from treatise.core.document import Document
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records, read_text
from treatise.evaluate.data.loaders.layout import text_document

_TASKS: Final = ("spotlight", "comparison", "clustering", "chain")
"""Levels 1 to 4."""

_RESULTS_ASKED: Final = "阅读以上判决文书，我将给你若干份判决结果："
"""Marks legal questions that ask which verdict belongs to which case: their cases are shown without verdicts."""


def load_loong(path: Path) -> Iterator[LabelledDocument]:
    """Each question with its documents, in file order. Its groups are task, length (``set1`` …) and type.

    Reads the official ``loong.jsonl``: ``id``, ``type`` (financial, legal, paper), ``set``, ``level``, ``language``,
    ``question``, ``instruction``, ``prompt_template``, ``doc`` (names) and ``answer``. The documents are expected as
    published in ``doc/financial/*.txt``, ``doc/legal/legal.json`` and ``doc/paper/*.md`` beside it. If the lines have
    ``docs``, the texts one after another, that text is the one document.

    Raises:
        DataError: If a record is not as documented, or a document is missing.
    """
    for record in read_records(path):
        row = record.at(f"question {record.text('id')}")
        documents = tuple(_documents(row, path))
        if not documents:
            raise row.error("expected one document or more in doc, found none")
        yield LabelledDocument(documents[0], (_question(row),), documents[1:])


def _question(row: Fields) -> Question:
    level = row.whole("level")
    if not 1 <= level <= len(_TASKS):
        raise row.error(f"level is {level}, expected 1 to {len(_TASKS)}")
    answer = row.value("answer")
    reference = Reference(
        answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False), AnswerKind.ABSTRACTIVE
    )
    groups = (_TASKS[level - 1], f"set{row.whole('set')}", row.text("type"))
    return Question(row.text("id"), _asked(row), (reference,), groups=groups)


def _asked(row: Fields) -> str:
    """The prompt template without the documents; if there is no template, instruction and question."""
    template = row.text_or_empty("prompt_template") or "{instruction}\n{question}"
    parts = {"{docs}": "", "{instruction}": row.text("instruction"), "{question}": row.text_or_empty("question")}
    for place, text in parts.items():
        template = template.replace(place, text)
    return template.strip()


def _documents(row: Fields, path: Path) -> Iterator[Document]:
    if "docs" in row:
        yield _document(row, row.text("docs"), f"{path}#{row.text('id')}", "")
        return
    folder = path.parent / "doc" / row.text("type")
    for number, name in enumerate(row.texts("doc"), start=1):
        if row.text("type") == "legal":
            yield _document(row, _case(row, folder / "legal.json", name), f"{folder}#{name}", f"判决文书{number}")
        else:
            file = _file(row, folder, name)
            yield _document(row, read_text(file), str(file), file.stem.split("-")[-1])


def _file(row: Fields, folder: Path, name: str) -> Path:
    """Finds a paper by file name, and a report by company; reports are of 2024 except for questions across years."""
    if row.text("type") == "paper":
        found = [folder / name] if (folder / name).is_file() else []
    else:
        year = "" if row.whole("level") == len(_TASKS) else "2024-"
        found = sorted(file for file in folder.glob("*.txt") if f"{year}{name}" in file.name)
    if not found:
        raise row.error(f"the document {name!r} is not in {folder}")
    return found[0]


def _case(row: Fields, file: Path, name: str) -> str:
    cases = _cases(file)
    if name not in cases:
        raise row.error(f"the case {name!r} is not in {file}")
    case = cases[name].at(f"case {name}")
    hidden = row.whole("level") == len(_TASKS) and _RESULTS_ASKED in row.text("instruction")
    return case.text("content") + ("" if hidden else case.text("result"))


@cache
def _cases(file: Path) -> Mapping[str, Fields]:
    (cases,) = read_records(file)
    return {name: cases.object(name) for name in cases}


def _document(row: Fields, text: str, source: str, title: str) -> Document:
    return text_document(f"{title}\n\n{text}".lstrip(), source=source, language=row.text("language"))
