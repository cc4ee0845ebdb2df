"""Result files: one line per question, written document by document, so that a killed run can resume."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from treatise.core.document import Span
from treatise.core.errors import DataError
from treatise.evaluate.data.dataset import Retrieved

_KEYS: Final = "run.json"
_DATA: Final = "data"
"""Key in ``run.json`` for the path of the data file; no result file has this name."""


class ResultFile:
    """What one recipe retrieved at one budget: ``<recipe>-<budget>.jsonl``, with the suffix ``.part`` until complete.

    Attributes:
        path: Path of the complete file.
        n_done: Number of questions written, in the order of the data file.
    """

    def __init__(self, path: Path, *, n_questions: int) -> None:
        self.path = path
        self._part = path.with_name(f"{path.name}.part")
        self._n_questions = n_questions
        self.n_done: int = n_questions if path.exists() else _whole_lines(self._part)

    @property
    def is_whole(self) -> bool:
        """Whether all questions are written."""
        return self.path.exists()

    def append(self, rows: Sequence[tuple[str, Retrieved]]) -> None:
        """Adds the next questions' ids and retrieved contexts."""
        self._append([_line(question_id, retrieved) for question_id, retrieved in rows])

    def append_rows(self, rows: Sequence[Mapping[str, object]]) -> None:
        """Adds one line per row, for the next questions."""
        self._append([json.dumps(row, ensure_ascii=False) for row in rows])

    def _append(self, lines: Sequence[str]) -> None:
        with self._part.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        self.n_done += len(lines)

    def finish(self) -> None:
        """Renames the file to its final name if all questions are written."""
        if self.n_done == self._n_questions and not self.is_whole:
            self._part.touch()
            self._part.replace(self.path)

    def discard(self) -> None:
        """Removes existing files."""
        self.path.unlink(missing_ok=True)
        self._part.unlink(missing_ok=True)
        self.n_done = 0


def open_results(out: Path, keys: Mapping[str, str], *, data: Path, n_questions: int) -> list[ResultFile]:
    """The result files of these names, emptied if their key differs (see ``RunRecord.key``).

    ``run.json`` beside them holds the key of each file and the path of the data file.

    Raises:
        DataError: If the folder cannot be made or written to.
    """
    try:
        return _open_results(out, keys, data, n_questions)
    except OSError as error:
        raise DataError(f"{out}: results cannot be written there ({error.strerror}): name another folder") from error


def _open_results(out: Path, keys: Mapping[str, str], data: Path, n_questions: int) -> list[ResultFile]:
    out.mkdir(parents=True, exist_ok=True)
    known = _read_keys(out / _KEYS)
    files = []
    for name, key in keys.items():
        file = ResultFile(out / name, n_questions=n_questions)
        if known.get(name) != key:
            file.discard()
        files.append(file)
    write_whole(out / _KEYS, json.dumps({**known, **keys, _DATA: str(data.resolve())}, indent=1))
    return files


def data_path(folder: Path) -> Path | None:
    """The path of the data file of a folder's latest results; None if unknown."""
    known = _read_keys(folder / _KEYS).get(_DATA)
    return Path(known) if isinstance(known, str) else None


def read_results(path: Path) -> dict[str, Retrieved]:
    """The content of a result file, by question id.

    Raises:
        DataError: If there is no such file, or a line is not in the documented form.
    """
    retrieved = {}
    if not path.is_file():
        raise DataError(f"{path}: there is no such file: the run was not finished, or the file was moved; run it again")
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                row = json.loads(line)
                spans = tuple(Span(start, end) for start, end in row["spans"])
                retrieved[row["question_id"]] = Retrieved(row["context"], spans, tuple(row.get("documents", ())))
            except (ValueError, KeyError, TypeError) as error:
                raise DataError(f"{path}: line {number}: expected question_id, context, spans ({error!r})") from error
    return retrieved


def write_whole(path: Path, text: str) -> None:
    """Writes a file atomically: readers see the new content or the old one."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def write_page(path: Path, text: str) -> None:
    """Writes a file that the user named, creating its folder if needed.

    Raises:
        DataError: If it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise DataError(f"{path} cannot be written ({error.strerror}): name another file") from error


def _line(question_id: str, retrieved: Retrieved) -> str:
    spans = [[span.start, span.end] for span in retrieved.spans]
    row: dict[str, object] = {"question_id": question_id, "context": retrieved.context, "spans": spans}
    optional = {"documents": retrieved.documents, "nucleus_notes": retrieved.nucleus_notes}
    return json.dumps(row | {name: value for name, value in optional.items() if value})


def _whole_lines(part: Path) -> int:
    """Number of complete lines in the file; an incomplete last line is cut off."""
    if not part.exists():
        return 0
    content = part.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        part.write_bytes(whole)
    return whole.count(b"\n")


def _read_keys(path: Path) -> dict[str, Any]:
    try:
        keys = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # nothing can be reused: all files are rewritten
    return keys if isinstance(keys, dict) else {}
