"""FairytaleQA (Xu et al., 2022): questions on stories, with the sections that support each answer.

Reads JSON lines, one story per line: ``story_name``, ``sections`` (``section``, ``text``) and ``questions``, with the
columns of the published tables: ``question_id``, ``question``, ``cor_section`` ("3" or "3,4"), ``ex-or-im1`` and
``answer1`` to ``answer3`` of the first annotator, ``ex-or-im2`` and ``answer4`` to ``answer6`` of the second.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from treatise.core.document import Span
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.data.loaders.layout import Layout

_ANNOTATORS: Final = (
    ("ex-or-im1", ("answer1", "answer2", "answer3")),
    ("ex-or-im2", ("answer4", "answer5", "answer6")),
)


def load_fairytaleqa(path: Path) -> Iterator[LabelledDocument]:
    """The stories in file order. Question ids are prefixed with the story's name to make them unique."""
    for record in read_records(path):
        story = record.at(f"story {record.text('story_name')}")
        layout = Layout()
        places = {
            s.text("section"): (s.text("text"), layout.paragraph(s.text("text"))) for s in story.objects("sections")
        }
        questions = tuple(_question(q, story.text("story_name"), places) for q in story.objects("questions"))
        title = story.text("story_name").replace("-", " ")
        yield LabelledDocument(layout.document(source=str(path), title=title), questions)


def _question(row: Fields, story: str, places: Mapping[str, tuple[str, Span]]) -> Question:
    row = row.at(f"story {story}, question {row.text('question_id')}")
    sections = [name.strip() for name in row.text("cor_section").split(",") if name.strip()]
    for name in sections:
        if name not in places:
            raise row.error(f"cor_section names the section {name!r}, the story has {', '.join(places)}")
    evidence = tuple(places[name][0] for name in sections)
    spans = tuple(places[name][1] for name in sections)
    references = tuple(
        Reference(row.text(key), kind, evidence, spans) for key, kind in _answers(row) if row.text_or_empty(key).strip()
    )
    return Question(f"{story}/{row.text('question_id')}", row.text("question"), references)


def _answers(row: Fields) -> Iterator[tuple[str, AnswerKind]]:
    for explicit, answers in _ANNOTATORS:
        kind = AnswerKind.EXTRACTIVE if row.text_or_empty(explicit) == "explicit" else AnswerKind.ABSTRACTIVE
        for answer in answers:
            yield answer, kind
