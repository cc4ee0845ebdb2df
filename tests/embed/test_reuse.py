"""An edit encodes what it changed; the index is the same as a new one, to the byte."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.enhance.models import SENTENCES
from treatise.core.document import Document, Span
from treatise.core.ports import Progress
from treatise.core.recipe import (
    EncodedNotes,
    Flat,
    Indexing,
    Notes,
    QuotedLeaves,
    Recipe,
    RightBranching,
    Sentences,
    Summaries,
)
from treatise.core.vectors import Floats
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder

NUCLEI = Notes(Summaries.NUCLEUS)
INDEXINGS = {
    "own": Indexing(),
    "in context": Indexing(Sentences(1.0)),
    "mixed": Indexing(Sentences(0.5)),
    "notes": Indexing(notes=NUCLEI, node_vectors=EncodedNotes()),
    "notes in context": Indexing(Sentences(1.0), notes=NUCLEI, node_vectors=EncodedNotes()),
    "quoted": Indexing(notes=NUCLEI, node_vectors=QuotedLeaves()),
    "flat": Indexing(tree=Flat()),
}


class CountingEncoder(HashingEncoder):
    """Counts the texts that it is asked for."""

    n_texts = 0

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        self.n_texts += len(texts)
        return super().encode(texts, progress)

    def encode_in_context(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], progress: Progress | None = None
    ) -> Floats:
        rows = super().encode_in_context(texts, spans, progress)
        self.n_texts += len(texts) - (0 if self.reads_context else len(rows))
        return rows


def write(path: Path, *, edited: bool = False) -> Path:
    paragraphs = [SENTENCES[i : i + 4] for i in range(0, 32, 4)]
    if edited:
        paragraphs[3] = [*paragraphs[3][:2], "Something else is said here now.", *paragraphs[3][3:]]
    path.write_text("\n\n".join(" ".join(paragraph) for paragraph in paragraphs))
    return path


def library(path: Path, indexing: Indexing, encoder: HashingEncoder) -> Library:
    return Library(SqliteStore(path), System(Recipe("X", indexing), Engines(encoder)))


@pytest.mark.parametrize("name", INDEXINGS)
def test_an_index_after_an_edit_is_that_of_the_edited_text(tmp_path: Path, name: str) -> None:
    indexing, encoder = INDEXINGS[name], CountingEncoder(32)
    source = write(tmp_path / "a.txt")
    edited = library(tmp_path / "edited.db", indexing, encoder)
    edited.index(source)
    n_first = encoder.n_texts
    write(source, edited=True)
    report = edited.index(source)
    n_again = encoder.n_texts - n_first
    fresh = library(tmp_path / "fresh.db", indexing, CountingEncoder(32))
    fresh.index(source)
    one, other = (each.store.get(report.document, each.system.index_key) for each in (edited, fresh))
    assert one is not None
    assert other is not None
    assert np.array_equal(one.vectors, other.vectors)
    assert one.notes == other.notes
    assert n_again < n_first / 2 or name == "mixed"
    if name in ("own", "flat", "in context"):
        assert n_again == 1


@pytest.mark.parametrize("indexing", [Indexing(Sentences(1.0)), Indexing()], ids=["in context", "own"])
@pytest.mark.parametrize("named", [True, False])
def test_an_index_with_another_tree_takes_the_vectors_of_its_leaves_and_reads_no_source(
    tmp_path: Path, indexing: Indexing, *, named: bool
) -> None:
    encoder, source = CountingEncoder(32), write(tmp_path / "a.txt")
    asked = library(tmp_path / "asked.db", indexing, encoder)
    document = asked.index(source).document
    n_first = encoder.n_texts
    other = asked.with_recipe(Recipe("Y", replace(indexing, tree=RightBranching())))
    if named:
        assert other.index(source, read=unreadable).document == document
    one = other.indexed(document)
    assert encoder.n_texts == n_first
    fresh = library(tmp_path / "fresh.db", other.recipe.indexing, CountingEncoder(32))
    fresh.index(source)
    assert np.array_equal(one.vectors, fresh.indexed(document).vectors)


@pytest.mark.parametrize("node_vectors", [EncodedNotes(), QuotedLeaves()])
def test_leaves_without_notes_serve_an_index_with_notes(tmp_path: Path, node_vectors: EncodedNotes) -> None:
    encoder, source = CountingEncoder(32), write(tmp_path / "a.txt")
    plain = library(tmp_path / "plain.db", Indexing(), encoder)
    document = plain.index(source).document
    recipe = Recipe("Y", Indexing(notes=NUCLEI, node_vectors=node_vectors))
    fresh = library(tmp_path / "fresh.db", recipe.indexing, CountingEncoder(32))
    fresh.index(source)
    assert np.array_equal(plain.with_recipe(recipe).indexed(document).vectors, fresh.indexed(document).vectors)


def test_a_changed_source_is_read_again_for_another_tree(tmp_path: Path) -> None:
    encoder, source = CountingEncoder(32), write(tmp_path / "a.txt")
    asked = library(tmp_path / "asked.db", Indexing(), encoder)
    document = asked.index(source).document
    write(source, edited=True)
    other = asked.with_recipe(Recipe("Y", Indexing(tree=RightBranching())))
    assert other.index(source).document != document


def unreadable(_data: bytes, _name: str) -> Document:
    raise AssertionError("the source was read again")
