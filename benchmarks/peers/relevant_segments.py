"""Relevant segments, the idea of dsRAG: the runs of chunks whose relevance, less a penalty for each, sums highest.

    python benchmarks/peers/relevant_segments.py CORPUS OUT.jsonl

Our own implementation, with dsRAG's constants (preset ``balanced``): chunks of at most 800 characters, penalty .18,
rank decay 30. Three things differ. The reranker whose values dsRAG takes is a hosted one: a chunk's relevance is how
far its cosine lies between the document's mean (0) and best (1). A segment has at most 3 chunks, since 15 would not fit
into 400 words. Segments are taken until the budget is full, whatever their value.
"""

import math
import re
from collections.abc import Sequence

from peer import Search, encode, run

CHUNK_CHARACTERS = 800
PENALTY = 0.18
RANK_DECAY = 30
MAX_CHUNKS = 3
MAX_CHUNKS_OF_ALL = 12


def index(text: str) -> Search:
    chunks = split(text)
    vectors = encode([text[start:end] for start, end in chunks])

    def search(question: str) -> list[str]:
        (asked,) = encode([question])
        cosines = [sum(a * b for a, b in zip(vector, asked, strict=True)) for vector in vectors]
        segments = best_segments(values(cosines))
        return [text[chunks[start][0] : chunks[end - 1][1]] for start, end in segments]

    return search


def split(text: str) -> list[tuple[int, int]]:
    """Chunk spans: packed paragraphs; longer paragraphs are cut after a word."""
    chunks: list[tuple[int, int]] = []
    for paragraph in re.finditer(r"\S(?:.|\n(?!\n))*", text):
        start, end = paragraph.span()
        if chunks and end - chunks[-1][0] <= CHUNK_CHARACTERS:
            chunks[-1] = (chunks[-1][0], end)
            continue
        while end - start > CHUNK_CHARACTERS:
            at = text.rfind(" ", start, start + CHUNK_CHARACTERS) + 1 or start + CHUNK_CHARACTERS
            chunks.append((start, at))
            start = at
        chunks.append((start, end))
    return chunks


def values(cosines: Sequence[float]) -> list[float]:
    """The value of each chunk: rank-decayed relevance minus the penalty."""
    best, mean = max(cosines), sum(cosines) / len(cosines)
    ranks = sorted(range(len(cosines)), key=lambda i: -cosines[i])
    gained = [0.0] * len(cosines)
    for rank, i in enumerate(ranks):
        gained[i] = math.exp(-rank / RANK_DECAY) * max(0.0, cosines[i] - mean) / max(best - mean, 1e-9) - PENALTY
    return gained


def best_segments(gained: Sequence[float]) -> list[tuple[int, int]]:
    """Non-overlapping segments ``[start, end)``, in descending order of their sum."""
    taken = [False] * len(gained)
    segments: list[tuple[int, int]] = []
    while sum(taken) < min(MAX_CHUNKS_OF_ALL, len(gained)):
        free = [
            (sum(gained[start:end]), start, end)
            for start in range(len(gained))
            for end in range(start + 1, min(start + MAX_CHUNKS, len(gained)) + 1)
            if gained[start] >= 0 and gained[end - 1] >= 0 and not any(taken[start:end])
        ]
        if not free:
            break
        _, start, end = max(free)
        segments.append((start, end))
        taken[start:end] = [True] * (end - start)
    return segments


if __name__ == "__main__":
    run(index)
