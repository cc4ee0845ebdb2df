"""Rows of large tables have the means of their cells, and equal cells are encoded once."""

from collections.abc import Sequence
from math import log2
from pathlib import Path

import numpy as np
import pytest

from treatise.core.document import Document, Span
from treatise.core.ports import Progress
from treatise.core.recipe import Indexing, Recipe, Sentences
from treatise.core.vectors import Floats, unit_rows
from treatise.embed import leaf_vectors
from treatise.embed.large_tables import MAX_ROWS_READ, mean_of_cells, rows_by_cells
from treatise.embed.leaves import search_texts
from treatise.ingest import read_bytes
from treatise.pipeline.engines import Engines
from treatise.pipeline.library import Library
from treatise.pipeline.system import System
from treatise.store import SqliteStore
from treatise.testing import HashingEncoder

N_ROWS = MAX_ROWS_READ + 1
CITIES = ("Oslo", "Rome", "New York")
REMARKS = ("Lid broken", "Sent by courier", "Paid late", "Money returned to the card")
INDEXINGS = {"own": Indexing(), "in context": Indexing(Sentences(1.0)), "mixed": Indexing(Sentences(0.5))}


class RecordingEncoder(HashingEncoder):
    """Keeps the texts that it is asked for."""

    def __init__(self, dim: int = 32) -> None:
        super().__init__(dim)
        self.texts: list[str] = []

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Floats:
        self.texts += texts
        return super().encode(texts, progress)


def sheet(n_rows: int = N_ROWS, *, first_remark: str = "Lid broken") -> bytes:
    remarks = [first_remark, *(REMARKS[at % 4] for at in range(1, n_rows))]
    rows = (f"ORD-{at},2024-01-{at % 28 + 1:02d},{CITIES[at % 3]},{at}.50,{remarks[at]}" for at in range(n_rows))
    return "\n".join(["Order,Date,City,Amount,Remark", *rows]).encode()


def units_of(document: Document) -> list[Span]:
    return [span for spans in document.readable_sentences() for span in spans]


def vectors_of(document: Document, encoder: HashingEncoder, context_weight: float = 0.0) -> Floats:
    return leaf_vectors(document, units_of(document), encoder=encoder, context_weight=context_weight)


def test_equal_cells_of_a_large_table_are_encoded_once_and_numbers_dates_and_codes_not_at_all() -> None:
    document, encoder = read_bytes(sheet(), name="orders.csv"), RecordingEncoder()

    vectors = vectors_of(document, encoder)

    head, *cells = encoder.texts
    assert head.startswith("Order")
    assert sorted(cells) == sorted(
        ["Order", "Date", "Amount", *(f"City: {one}" for one in CITIES), *(f"Remark: {one}" for one in REMARKS)]
    )
    assert vectors.shape == (N_ROWS + 1, 32)


@pytest.mark.parametrize("context_weight", [0.0, 0.5, 1.0])
def test_a_row_is_the_mean_of_its_cells_by_their_rarity_in_the_table(context_weight: float) -> None:
    document, encoder = read_bytes(sheet(), name="orders.csv"), HashingEncoder(32)
    cells = {"Order": N_ROWS, "Date": N_ROWS, "City: Oslo": 334, "Amount": N_ROWS, "Remark: Lid broken": 251}
    expected = sum(round(log2(1 + N_ROWS / n)) * encoder.encode([cell])[0] for cell, n in cells.items())

    vectors = vectors_of(document, encoder, context_weight)

    np.testing.assert_allclose(vectors[1], unit_rows(np.asarray(expected)[None])[0], atol=1e-6)


def test_a_value_of_one_row_weighs_more_than_all_that_its_row_shares() -> None:
    document = read_bytes(sheet(first_remark="Burnt toast"), name="orders.csv")
    weights = dict(rows_by_cells(document, units_of(document))[1])
    assert weights == {"Order": 1, "Date": 1, "City: Oslo": 2, "Amount": 1, "Remark: Burnt toast": 10}


def test_rows_of_a_table_that_is_not_large_are_encoded_whole() -> None:
    document = read_bytes(sheet(MAX_ROWS_READ), name="orders.csv")
    encoder = RecordingEncoder()

    vectors = vectors_of(document, encoder)

    assert encoder.texts == search_texts(document, units_of(document))
    assert np.array_equal(vectors, HashingEncoder(32).encode(encoder.texts))


def test_many_small_tables_are_no_large_one() -> None:
    table = "<table><tr><th>City</th><th>Ships</th></tr>" + "<tr><td>Oslo</td><td>4</td></tr>" * 300 + "</table>"
    document = read_bytes(f"<p>Ships.</p>{table * 5}".encode(), name="ships.html")
    assert sum(len(one.rows) for one in document.tables) > MAX_ROWS_READ
    assert rows_by_cells(document, units_of(document)) == {}


def test_rows_without_heads_and_words_have_the_title() -> None:
    data = "\n".join(f"{at},{at * 2}" for at in range(N_ROWS)).encode()
    document = read_bytes(data, name="numbers.csv")
    rows = rows_by_cells(document, units_of(document))
    assert set(rows.values()) == {((document.title, 1),)}


def test_words_of_unspaced_scripts_are_read_beside_digits() -> None:
    data = "\n".join(["城市,备注", *(f"北京{at},订单{at}已付款" for at in range(N_ROWS))]).encode()
    document = read_bytes(data, name="orders.csv")
    rows = rows_by_cells(document, units_of(document))
    assert "备注: 订单7已付款" in dict(rows[8])


@pytest.mark.parametrize("n_rows", [1, 7, 3000])
def test_means_of_cells_are_those_of_a_loop(n_rows: int) -> None:
    random = np.random.default_rng(3)
    numbers = {f"cell {at}": at for at in range(20)}
    vectors = unit_rows(random.normal(size=(20, 8)).astype(np.float32))
    cells = [(text, at % 5 + 1) for text, at in numbers.items()]
    rows = [tuple(cells[at] for at in random.choice(20, random.integers(1, 6))) for _ in range(n_rows)]

    means = mean_of_cells(rows, numbers, vectors)

    sums = [sum(weight * vectors[numbers[text]] for text, weight in row) for row in rows]
    np.testing.assert_allclose(means, unit_rows(np.array(sums, dtype=np.float32)), atol=1e-5)


@pytest.mark.parametrize("name", INDEXINGS)
def test_an_edited_row_alone_is_encoded_again_and_the_index_is_that_of_the_edited_table(
    tmp_path: Path, name: str
) -> None:
    source, encoder = tmp_path / "orders.csv", RecordingEncoder()
    source.write_bytes(sheet())
    edited = library(tmp_path / "edited.db", INDEXINGS[name], encoder)
    edited.index(source)
    source.write_bytes(sheet(first_remark="Burnt toast"))
    encoder.texts.clear()

    document = edited.index(source).document

    fresh = library(tmp_path / "fresh.db", INDEXINGS[name], HashingEncoder(32))
    fresh.index(source)
    assert np.array_equal(edited.indexed(document).vectors, fresh.indexed(document).vectors)
    assert "Remark: Burnt toast" in encoder.texts
    assert "Remark: Paid late" not in encoder.texts


def test_a_table_that_shrinks_below_the_limit_is_encoded_as_a_new_one(tmp_path: Path) -> None:
    source = tmp_path / "orders.csv"
    source.write_bytes(sheet())
    shrunk = library(tmp_path / "shrunk.db", Indexing(), HashingEncoder(32))
    shrunk.index(source)
    source.write_bytes(sheet(MAX_ROWS_READ))

    document = shrunk.index(source).document

    fresh = library(tmp_path / "fresh.db", Indexing(), HashingEncoder(32))
    fresh.index(source)
    assert np.array_equal(shrunk.indexed(document).vectors, fresh.indexed(document).vectors)


def library(path: Path, indexing: Indexing, encoder: HashingEncoder) -> Library:
    return Library(SqliteStore(path), System(Recipe("X", indexing), Engines(encoder)))


def test_indexing_a_large_table_is_never_silent_between_its_stages() -> None:
    heard: list[tuple[str, int, int]] = []
    system = System(Recipe("X", Indexing()), Engines(HashingEncoder(32)))

    system.index([read_bytes(sheet(), name="orders.csv")], progress=lambda *report: heard.append(report))

    assert list(dict.fromkeys(stage for stage, _, _ in heard)) == ["read cells", "encode", "read words"]
    assert [report for report in heard if report[0] != "encode"] == [
        *(("read cells", done, N_ROWS + 1) for done in range(N_ROWS + 2)),
        *(("read words", done, N_ROWS + 1) for done in range(N_ROWS + 2)),
    ]
