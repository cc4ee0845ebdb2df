"""Indexing cost by text length: local seconds, and estimated calls and tokens of notes."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Final

from treatise.core.document import Document
from treatise.core.errors import DataError
from treatise.core.recipe import Recipe, Summaries
from treatise.evaluate.data.loaders.layout import text_document
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec
from treatise.llm.dry_run import UncalledModel
from treatise.llm.estimate import DryRunRunner
from treatise.pipeline.engines import Engines
from treatise.pipeline.index import index_document

_COLUMNS: Final = ("recipe", "words", "seconds", "calls", "prompt tokens", "completion tokens")


@dataclass(frozen=True, slots=True)
class Cost:
    """A recipe's indexing cost at one text length.

    Attributes:
        recipe, n_words: The recipe and the text length.
        seconds: Wall time of indexing, without language model calls.
        n_calls, prompt_tokens, completion_tokens: Estimated language model usage of notes.
    """

    recipe: str
    n_words: int
    seconds: float
    n_calls: int
    prompt_tokens: int
    completion_tokens: int


def run(spec: RunSpec) -> list[Cost]:
    """Indexes the first ``spec.budgets`` words of a data file's documents, joined to one text, with each recipe.

    Writes ``OUT/summary.json`` and ``OUT/summary.md``. Lengths that exceed the documents are left out. Seconds depend
    on the load of the machine: compare them within a run only.

    Raises:
        DataError: If the set is unknown, or its file is malformed or shorter than every length.
    """
    engines = spec.opened_engines()
    documents = _documents(spec)
    engines.encoder.encode(["warm"])
    costs = []
    for number, (length, document) in enumerate(documents, start=1):
        costs += [_cost(recipe, length, document, engines) for recipe in spec.recipes]
        spec.report(number, len(documents))
    spec.out.mkdir(parents=True, exist_ok=True)
    write_whole(spec.out / "summary.json", json.dumps({"costs": [asdict(cost) for cost in costs]}, indent=1) + "\n")
    write_whole(spec.out / "summary.md", _as_markdown(costs))
    return costs


def _documents(spec: RunSpec) -> list[tuple[int, Document]]:
    """One text per length, up to the length of the data file."""
    texts = [one.document.text for one in islice(dataset_named(spec.dataset).load(spec.data), spec.limit)]
    words = "\n\n".join(texts).split(" ")  # line ends are kept, and so are paragraphs
    n_words = sum(len(text.split()) for text in texts)
    lengths = [length for length in spec.budgets if length <= n_words]
    if not lengths:
        raise DataError(f"{spec.data}: expected {min(spec.budgets):,} words or more, found {n_words:,}")
    return [(length, _cut(words, length)) for length in lengths]


def _cost(recipe: Recipe, length: int, document: Document, engines: Engines) -> Cost:
    writes = recipe.indexing.notes.summaries in (Summaries.LLM, Summaries.HYBRID)
    writer = DryRunRunner(UncalledModel()) if writes else None
    started = time.monotonic()
    index_document(
        document, recipe.indexing, encoder=engines.encoder, parser=engines.parser_for(recipe.indexing), runner=writer
    )
    seconds = time.monotonic() - started
    if writer is None:
        return Cost(recipe.slug, length, seconds, 0, 0, 0)
    spending = writer.spending
    return Cost(recipe.slug, length, seconds, spending.n_calls, spending.prompt_tokens, spending.completion_tokens)


def _cut(pieces: Sequence[str], length: int) -> Document:
    """The first ``n_words`` words as a document; a piece may contain several words separated by line ends."""
    kept: list[str] = []
    n_words = 0
    for piece in pieces:
        n_words += len(piece.split())
        if n_words > length:
            break
        kept.append(piece)
    return text_document(" ".join(kept), source="")


def _as_markdown(costs: Sequence[Cost]) -> str:
    rows = [_COLUMNS, ("---",) + ("--:",) * (len(_COLUMNS) - 1)]
    for cost in costs:
        numbers = (f"{n:,}" for n in (cost.n_calls, cost.prompt_tokens, cost.completion_tokens))
        rows.append((cost.recipe, f"{cost.n_words:,}", f"{cost.seconds:.1f}", *numbers))
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"{table}\nOne run each on this machine; calls and tokens of notes by estimate, no model was asked.\n"
