"""Relevant segments, the idea of dsRAG: the runs of chunks whose relevance, less a penalty for each, sums highest.

    python benchmarks/peers/relevant_segments.py CORPUS OUT.jsonl

Our own implementation, with dsRAG's constants (preset ``balanced``): chunks of at most 800 characters, penalty .18,
rank decay 30. Three things differ. The reranker whose values dsRAG takes is a hosted one: a chunk's relevance is how far
its cosine lies between the document's mean (0) and best (1). A segment has at most 3 chunks, not 15, which would not fit
into 400 words. Segments are taken until the budget is full, whatever their value.
"""

import math
from collections.abc import Sequence

from peer import Search, encode, run

CHUNK_CHARACTERS = 800
PENALTY = 0.18
RANK_DECAY = 30
MAX_CHUNKS = 3
MAX_CHUNKS_OF_ALL = 12


def index(text: str) -> Search:
    chunks = split(text)
    vectors = encode(chunks)

    def search(question: str) -> list[str]:
        (asked,) = encode([question])
        cosines = [sum(a * b for a, b in zip(vector, asked, strict=True)) for vector in vectors]
        return ["\n\n".join(chunks[start:end]) for start, end in best_segments(values(cosines))]

    return search


def split(text: str) -> list[str]:
    """Paragraphs packed into chunks; a longer one is cut after a word."""
    chunks: list[str] = []
    for paragraph in filter(str.strip, text.split("\n\n")):
        rest = paragraph.strip()
        if chunks and len(chunks[-1]) + 2 + len(rest) <= CHUNK_CHARACTERS:
            chunks[-1] += f"\n\n{rest}"
            continue
        while len(rest) > CHUNK_CHARACTERS:
            at = rest.rfind(" ", 0, CHUNK_CHARACTERS) + 1 or CHUNK_CHARACTERS
            chunks.append(rest[:at].strip())
            rest = rest[at:]
        chunks.append(rest)
    return chunks


def values(cosines: Sequence[float]) -> list[float]:
    """What each chunk adds to a segment: relevance that fades with its rank, less the penalty."""
    best, mean = max(cosines), sum(cosines) / len(cosines)
    ranks = sorted(range(len(cosines)), key=lambda i: -cosines[i])
    gained = [0.0] * len(cosines)
    for rank, i in enumerate(ranks):
        gained[i] = math.exp(-rank / RANK_DECAY) * max(0.0, cosines[i] - mean) / max(best - mean, 1e-9) - PENALTY
    return gained


def best_segments(gained: Sequence[float]) -> list[tuple[int, int]]:
    """Segments ``[start, end)`` that do not overlap, the one of the greatest sum first."""
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
