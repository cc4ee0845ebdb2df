"""Profiles the tree nodes that retrieval finds over a data set (DISRetrieval, tables 6 and 7, and figure 7)."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Final

from treatise.core.errors import DataError
from treatise.core.indexed import IndexedDocument
from treatise.core.recipe import Recipe
from treatise.core.vectors import Floats
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.stand_ins import languages_of, notes_replaced, nucleus_notes, stand_ins
from treatise.evaluate.run.systems import opened_systems
from treatise.pipeline.system import System
from treatise.retrieve import RetrievalProfile, anatomy, scores_of

TOP_K: Final = 20


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """The statistics of one recipe, and what stands in for parts of it."""

    recipe: str
    profile: RetrievalProfile
    stand_ins: tuple[str, ...] = ()


def run(spec: RunSpec) -> list[ProfileRow]:
    """Profiles every recipe, and writes ``OUT/summary.json`` and ``OUT/summary.md``. Budgets are ignored."""
    rows = profile_nodes(spec)
    found = [{"recipe": row.recipe, **asdict(row.profile), "stand_ins": row.stand_ins} for row in rows]
    spec.out.mkdir(parents=True, exist_ok=True)
    write_whole(spec.out / "summary.json", json.dumps({"anatomies": found}, indent=1) + "\n")
    write_whole(spec.out / "summary.md", _as_markdown(rows))
    return rows


def _as_markdown(rows: Sequence[ProfileRow]) -> str:
    """The means, and the distributions of sentence lengths and of the depths of the inner nodes found, in percent."""
    lines: list[str] = []
    for row in rows:
        profile = asdict(row.profile)
        shares = [name for name, value in profile.items() if isinstance(value, dict)]
        lines += [f"- recipe: {row.recipe}", *(f"- {k}: {v}" for k, v in profile.items() if k not in shares)]
        lines += [f"- stands in: {', '.join(row.stand_ins)}"] if row.stand_ins else []
        for name in shares:
            cells = (f"{key} {100 * share:.1f}" for key, share in profile[name].items())
            lines.append(f"- {name}, percent: {', '.join(cells)}")
        lines.append("")
    return "\n".join(lines)


def profile_nodes(spec: RunSpec, *, top_k: int = TOP_K) -> list[ProfileRow]:
    """One row per recipe, over all questions of the documents; ``top_k`` nodes are counted per question.

    Notes are written by the engines' language model, if any.

    Raises:
        DataError: If the data set is unknown, or its file is malformed or has no question.
    """
    documents = [one for one in islice(dataset_named(spec.dataset).load(spec.data), spec.limit) if one.questions]
    if not documents:
        raise DataError(f"{spec.data}: expected questions, found none")
    total = len(documents) * len(spec.recipes)
    rows = []
    with opened_systems(spec) as systems:
        for n_before, recipe in enumerate(spec.recipes):
            scored = []
            for number, labelled in enumerate(documents, start=1):
                scored += list(_scored(labelled, systems[recipe.slug]))
                spec.report(n_before * len(documents) + number, total)
            replaced = _stand_ins(recipe, spec, documents, [indexed for indexed, _ in scored])
            rows.append(ProfileRow(recipe.slug, anatomy(scored, top_k), replaced))
    return rows


def _stand_ins(
    recipe: Recipe, spec: RunSpec, documents: Sequence[LabelledDocument], indexes: Sequence[IndexedDocument]
) -> tuple[str, ...]:
    found = stand_ins(recipe, spec.opened_engines(), languages_of(documents), answers=False)
    share = nucleus_notes(indexes)
    return (*found, *([notes_replaced(share)] if share else []))


def _scored(labelled: LabelledDocument, system: System) -> Iterator[tuple[IndexedDocument, Floats]]:
    """Each indexed document with its nodes' scores, for each question."""
    for indexed in system.index(labelled.documents):
        for question in labelled.questions:
            vector = system.engines.encoder.encode_questions([question.text])[0]
            yield indexed, scores_of(indexed, question.text, vector, system.recipe)
