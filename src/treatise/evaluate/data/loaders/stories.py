"""SQuALITY (Wang et al., 2022) and QuALITY (Pang et al., 2022): questions on stories, without marked evidence."""

from collections.abc import Iterator
from pathlib import Path

from treatise.core.document import Document
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.ingest import read_bytes


def load_squality(path: Path) -> Iterator[LabelledDocument]:
    """The stories of a file, each question with its reference summaries.

    Reads SQuALITY v1.3's JSON lines: ``metadata`` (``passage_id``), ``document`` and ``questions`` (``question_text``,
    ``question_number``, ``responses`` of ``response_text``).
    """
    for record in read_records(path):
        name = record.object("metadata").text("passage_id")
        story = record.at(f"story {name}")
        questions = tuple(_summary_question(row, name) for row in story.objects("questions"))
        yield LabelledDocument(_read(story.text("document"), path, name), questions)


def load_quality(path: Path) -> Iterator[LabelledDocument]:
    """The articles of a file, each question with its options.

    Reads QuALITY's JSON lines: ``article_id``, ``article`` and ``questions`` (``question``, ``options``,
    ``gold_label``, counted from 1; ``question_unique_id`` and ``difficult``, 1 for the HARD subset, if present: the
    question's group is then ``hard`` or ``easy``). An article with two records, one per set of questions, becomes one
    document.
    """
    texts: dict[str, str] = {}
    rows: dict[str, list[Fields]] = {}
    for record in read_records(path):
        name = record.text("article_id")
        article = record.at(f"article {name}")
        texts.setdefault(name, article.text("article"))
        rows.setdefault(name, []).extend(article.objects("questions"))
    for name, text in texts.items():
        numbered = enumerate(rows[name], start=1)
        questions = tuple(_choice_question(row, f"{name}/{number}") for number, row in numbered)
        yield LabelledDocument(_read(text, path, name), questions)


def _read(text: str, path: Path, name: str) -> Document:
    return read_bytes(text.encode(), name=f"{path}#{name}", format="text", language="en")


def _summary_question(row: Fields, story: str) -> Question:
    responses = [response.text("response_text") for response in row.objects("responses")]
    references = tuple(Reference(response, AnswerKind.ABSTRACTIVE) for response in responses)
    return Question(f"{story}/{row.whole('question_number')}", row.text("question_text"), references)


def _choice_question(row: Fields, default_id: str) -> Question:
    options, label = row.texts("options"), row.whole("gold_label")
    if not 1 <= label <= len(options):
        raise row.error(f"gold_label is {label}, expected 1 to {len(options)}")
    reference = Reference(options[label - 1], AnswerKind.CHOICE)
    question_id = row.text_or_empty("question_unique_id") or default_id
    groups = ("hard" if row.whole("difficult") else "easy",) if "difficult" in row else ()
    return Question(question_id, row.text("question"), (reference,), tuple(options), groups=groups)
