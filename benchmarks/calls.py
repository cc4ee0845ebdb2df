"""Indexing cost as ratios within one run: parts of the offline recipe, calls, and the overhead of waves.

    python benchmarks/calls.py --text book.txt [--words 50000] [--parts offline,waves,calls]

``offline``: time to index, parsing included, over the time to encode every sentence once. ``waves``: wall time of notes
with a model that takes 50 ms and 16 parallel requests, over the ideal schedule. ``calls``: calls, tokens and seconds of
RAPTOR and DISRetrieval's settings with the same scripted model (RAPTOR needs ``treatise[raptor]``).
"""

import argparse
import json
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import ceil
from pathlib import Path

from treatise.compose import open_encoder, open_parser
from treatise.core.document import Document
from treatise.core.ports import Encoder, Message, Parser, Reply
from treatise.core.recipe import Balanced, Discourse, Recipe, Sentences, Tau
from treatise.enhance import NoteRequest, write_notes
from treatise.ingest import read_bytes
from treatise.llm.estimate import DryRunRunner
from treatise.llm.runner import LlmRunner
from treatise.pipeline.index import index_document
from treatise.recipes import (
    BISECTION,
    DISRETRIEVAL,
    DISRETRIEVAL_HYBRID,
    DISRETRIEVAL_POOLED,
    DISRETRIEVAL_STORIES,
    DISRETRIEVAL_THRIFTY,
    RAPTOR,
    TREATISE,
)
from treatise.testing import ScriptedModel
from treatise.tree import bisection

LATENCY_S = 0.05
CONCURRENCY = 16


def main() -> None:
    options = _options()
    text = options.text.read_text(encoding="utf-8")
    document = _document(text, options.words)
    encoder = open_encoder()
    parser = _parser()
    found: dict[str, object] = {"n_words": len(document.text.split())}
    parts: dict[str, Callable[[], object]] = {
        "offline": lambda: offline(document, encoder, parser),
        "waves": lambda: waves(document),
        "calls": lambda: calls(document, encoder, parser),
    }
    for part in options.parts.split(","):
        found[part] = parts[part]()
    found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(found, indent=2))


def offline(document: Document, encoder: Encoder, parser: Parser | None) -> dict[str, object]:
    sentences = [document.quote(s.start, s.end) for group in document.readable_sentences() for s in group]
    encoder.encode(sentences[:50])  # warm-up
    encode_s = _seconds(lambda: encoder.encode(sentences))
    found: dict[str, object] = {"n_sentences": len(sentences), "encode_s": round(encode_s, 2)}
    recipes = [replace(TREATISE, name="TREE_ONLY", indexing=replace(TREATISE.indexing, units=Sentences())), TREATISE]
    recipes += [DISRETRIEVAL_POOLED] if parser else []
    for recipe in recipes:
        seconds = _seconds(lambda: index_document(document, recipe.indexing, encoder=encoder, parser=parser))  # noqa: B023
        found[recipe.slug] = {"seconds": round(seconds, 2), "ratio": round(seconds / encode_s, 2)}
    return found


def waves(document: Document) -> dict[str, float]:
    """Ideal schedule: no idle slot within a wave, and only the model's time."""
    sentences = [document.quote(s.start, s.end) for group in document.readable_sentences() for s in group][:600]
    writer = LlmRunner(Slow(LATENCY_S, CONCURRENCY))
    unwritten = NoteRequest(bisection(len(sentences)), sentences)
    seconds = _seconds(lambda: write_notes([unwritten], BISECTION.indexing.notes, writer))
    ideal = sum(ceil(n / CONCURRENCY) for n in writer.spending.waves) * LATENCY_S
    bound = writer.spending.n_calls / CONCURRENCY * LATENCY_S
    return {
        "n_calls": writer.spending.n_calls,
        "seconds": round(seconds, 3),
        "over_ideal_waves": round(seconds / ideal, 3),
        "over_lower_bound": round(seconds / bound, 3),
    }


def calls(document: Document, encoder: Encoder, parser: Parser | None) -> dict[str, dict[str, float]]:
    found = {}
    for recipe in _with_notes(parser):
        writer = DryRunRunner(ScriptedModel([]))
        seconds = _seconds(
            lambda: index_document(document, recipe.indexing, encoder=encoder, parser=parser, runner=writer)  # noqa: B023
        )
        spending = writer.spending
        found[recipe.slug] = {
            "n_calls": spending.n_calls,
            "prompt_tokens": spending.prompt_tokens,
            "completion_tokens": spending.completion_tokens,
            "seconds": round(seconds, 2),
        }
    return found


def _with_notes(parser: Parser | None) -> Iterator[Recipe]:
    yield RAPTOR
    base = [DISRETRIEVAL, DISRETRIEVAL_STORIES, DISRETRIEVAL_THRIFTY, DISRETRIEVAL_HYBRID]
    for tau in (100, 200):
        notes = replace(DISRETRIEVAL.indexing.notes, tau=Tau(tau))
        base.append(
            replace(DISRETRIEVAL, name=f"DISRETRIEVAL_TAU_{tau}", indexing=replace(DISRETRIEVAL.indexing, notes=notes))
        )
    for recipe in base:
        shape = Discourse() if parser else Balanced()
        yield replace(recipe, indexing=replace(recipe.indexing, tree=shape))


class Slow(ScriptedModel):
    """Replies after a delay, several at a time."""

    def __init__(self, latency_s: float, concurrency: int) -> None:
        super().__init__([])
        self._latency_s, self._concurrency = latency_s, concurrency

    def chat(
        self,
        conversations: Sequence[Sequence[Message]],
        *,
        max_tokens: int,  # noqa: ARG002 (the port's)
        schema: dict[str, object] | None = None,  # noqa: ARG002 (the port's)
    ) -> Iterator[tuple[int, Reply | Exception]]:
        with ThreadPoolExecutor(self._concurrency) as pool:
            yield from pool.map(self._said, range(len(conversations)), conversations)

    def _said(self, index: int, conversation: Sequence[Message]) -> tuple[int, Reply | Exception]:
        time.sleep(self._latency_s)
        return index, Reply(" ".join(conversation[1].content.split()[1:25]), 0, 0)


def _document(text: str, n_words: int) -> Document:
    """The text, repeated if too short, cut at a paragraph near the word count."""
    while len(text.split()) < n_words:
        text = f"{text}\n\n{text}"
    at = int(len(text) * n_words / len(text.split()))
    end = text.find("\n\n", at)
    return read_bytes(text[: end if end > 0 else None].encode(), name="benchmark.txt")


def _parser() -> Parser | None:
    try:
        return open_parser()
    except Exception as error:
        print(f"no discourse parser, balanced trees instead: {error}")
        return None


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--parts", default="offline,waves,calls")
    return parser.parse_args()


if __name__ == "__main__":
    main()
