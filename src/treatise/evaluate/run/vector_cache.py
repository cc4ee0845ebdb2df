"""A caching encoder, so that recipes over the same leaves encode them once."""

import hashlib
import sqlite3
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np

from treatise.core.document import Span
from treatise.core.errors import DataError
from treatise.core.ports import Encoder, Progress
from treatise.core.vectors import Floats
from treatise.embed import OuterEncoder


class CachedEncoder(OuterEncoder):
    """A ``core.ports.Encoder`` that caches the vectors of another encoder.

    Args:
        encoder: The underlying encoder.
        path: An SQLite file that stores vectors between runs, as float32; in memory only if None.

    Raises:
        DataError: If the file cannot be opened, or is not a vector cache.
    """

    def __init__(self, encoder: Encoder, path: Path | None = None) -> None:
        super().__init__(encoder)
        self._in_memory = path is None
        try:
            self._kept = _opened(path)
        except (sqlite3.Error, OSError) as error:
            raise DataError(f"{path} cannot keep vectors ({error}): name another file with --cache") from error

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        """See ``core.ports.Encoder``."""
        return self._rows(
            [self._key("own", text) for text in texts],
            [1] * len(texts),
            lambda missing: self._encoder.encode([texts[i] for i in missing], progress),
        )

    def encode_questions(self, questions: Sequence[str]) -> Floats:
        """See ``core.ports.Encoder``."""
        return self._rows(
            [self._key("question", question) for question in questions],
            [1] * len(questions),
            lambda missing: self._encoder.encode_questions([questions[i] for i in missing]),
        )

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        """See ``core.ports.Encoder``."""
        return self._rows(
            [
                self._key("context", text, *(f"{s.start},{s.end}" for s in of_text))
                for text, of_text in zip(texts, spans, strict=True)
            ],
            [len(of_text) for of_text in spans],
            lambda missing: self._encoder.encode_in_context(
                [texts[i] for i in missing], [spans[i] for i in missing], progress
            ),
        )

    def forget(self) -> None:
        """Frees the vectors in memory; those in the file are kept."""
        if self._in_memory:
            self._kept.execute("DELETE FROM vectors")

    def close(self) -> None:
        """Closes the file."""
        self._kept.close()

    def _key(self, *parts: str) -> bytes:
        return hashlib.sha256("\0".join((self.name, *parts)).encode("utf-8", "surrogatepass")).digest()[:16]

    def _rows(self, keys: list[bytes], n_rows: list[int], encode: Callable[[list[int]], Floats]) -> Floats:
        """The cached rows of the keys, after encoding missing ones: ``n_rows[i]`` for ``keys[i]``."""
        first = {key: i for i, key in reversed(list(enumerate(keys)))}
        kept = {key: rows for key in first if (rows := self._find(key)) is not None}
        missing = sorted(i for key, i in first.items() if key not in kept)
        if missing:
            made = encode(missing)
            edges = list(accumulate((n_rows[i] for i in missing), initial=0))
            new = {keys[i]: made[start:end] for i, (start, end) in zip(missing, pairwise(edges), strict=True)}
            self._keep(new)
            kept |= new
        return np.concatenate([kept[key] for key in keys]) if keys else np.zeros((0, self.dim), dtype=np.float32)

    def _find(self, key: bytes) -> Floats | None:
        found = self._kept.execute("SELECT rows FROM vectors WHERE key = ?", (key,)).fetchone()
        return np.frombuffer(found[0], dtype=np.float32).reshape(-1, self.dim) if found else None

    def _keep(self, vectors: dict[bytes, Floats]) -> None:
        rows = [(key, of_key.astype(np.float32).tobytes()) for key, of_key in vectors.items()]
        self._kept.execute("BEGIN")
        self._kept.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
        self._kept.execute("COMMIT")


def _opened(path: Path | None) -> sqlite3.Connection:
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
    kept = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=60)
    try:
        kept.execute("PRAGMA journal_mode = WAL")
        kept.execute("PRAGMA synchronous = NORMAL")
        kept.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, rows BLOB) WITHOUT ROWID")
    except sqlite3.Error:
        kept.close()
        raise
    return kept
