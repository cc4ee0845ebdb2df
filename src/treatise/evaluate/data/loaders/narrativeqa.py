"""NarrativeQA (Kočiský et al., 2018): questions on whole books and film scripts."""

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from treatise.core.document import Document
from treatise.core.errors import DataError, SourceError
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_table
from treatise.evaluate.data.loaders.longbench import load_longbench
from treatise.ingest import read_bytes

_STORIES: Final = "tmp"
"""Folder in which the official ``download_stories.sh`` saves ``<document id>.content``."""


def load_narrativeqa(path: Path) -> Iterator[LabelledDocument]:
    """The downloaded stories in table order, each with its questions; both answers are references.

    Reads the official folder (or its ``qaps.csv``): ``documents.csv``, ``qaps.csv`` and the stories as saved by
    ``download_stories.sh``, cut at the ``story_start`` and ``story_end`` of the table. A question's group is its split:
    train, valid or test. A JSON-lines file is read in LongBench's form of this set.

    Raises:
        DataError: If a table is not as documented, or none of its stories was downloaded.
    """
    if path.is_file() and path.suffix != ".csv":
        yield from load_longbench(path)
        return
    folder = path if path.is_dir() else path.parent
    questions = _questions(folder / "qaps.csv")
    n_found = 0
    for row in read_table(folder / "documents.csv"):
        name = row.text("document_id")
        story = folder / _STORIES / f"{name}.content"
        if story.is_file() and name in questions:
            n_found += 1
            yield LabelledDocument(_story(story, row), tuple(questions[name]))
    if not n_found:
        raise DataError(
            f"{folder / _STORIES} holds none of the stories of documents.csv as <document_id>.content: "
            "run the official download_stories.sh in that folder"
        )


def story_urls(path: Path) -> Iterator[tuple[str, str]]:
    """Document id and URL of each story in ``documents.csv``."""
    for row in read_table(path):
        yield row.text("document_id"), row.text("story_url")


def _questions(path: Path) -> dict[str, list[Question]]:
    """Questions by document id, numbered within each document."""
    questions: dict[str, list[Question]] = {}
    for row in read_table(path):
        of_story = questions.setdefault(row.text("document_id"), [])
        answers = dict.fromkeys((row.text("answer1"), row.text("answer2")))
        references = tuple(Reference(answer, AnswerKind.ABSTRACTIVE) for answer in answers)
        name = f"{row.text('document_id')}/{len(of_story)}"
        of_story.append(Question(name, row.text("question"), references, groups=(row.text("set"),)))
    return questions


def _story(path: Path, row: Fields) -> Document:
    """The story between its first and last words as listed in the table; the whole file if they are not found."""
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        title = row.text_or_empty("wiki_title")
        whole = read_bytes(content, name=str(path), language="en")
        start = whole.text.find(row.text_or_empty("story_start"))
        end_words = row.text_or_empty("story_end")
        end = whole.text.rfind(end_words) + len(end_words)
        if not 0 <= start < end or (start, end) == (0, len(whole.text)):
            return whole
        text = whole.text[start:end]
        return read_bytes(text.encode(), name=f"{path}#{title}", format="text", language="en")
    except (OSError, EOFError, zlib.error, SourceError) as error:
        raise DataError(f"{path}: the story could not be read: {error}") from error
