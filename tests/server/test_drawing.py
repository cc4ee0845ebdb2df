"""Pages drawn in a process of their own, compared with those drawn here."""

from typing import Any

import anyio
import pytest

from tests.ingest.pdf_writer import Text, pdf
from treatise.core.document import Span
from treatise.core.errors import DamagedSourceError, SourceError, SourceTooLargeError
from treatise.ingest import read_bytes
from treatise.pipeline.places import SourcePages
from treatise.records import box_record
from treatise.server.drawing import Drawing
from treatise.server.isolated import Isolation

SENTENCES = [f"Page {n} says that its tin number {n} keeps the leaves dry." for n in range(1, 5)]
DATA = pdf([[Text(60, 700, text)] for text in SENTENCES])
DOCUMENT = read_bytes(DATA, name="tins.pdf")


def _span(first: int, last: int) -> Span:
    start = DOCUMENT.text.index(SENTENCES[first - 1])
    return Span(start, DOCUMENT.text.index(SENTENCES[last - 1]) + len(SENTENCES[last - 1]))


@pytest.mark.parametrize(("first", "last"), [(1, 1), (3, 3), (2, 4)])
def test_boxes_and_pictures_are_those_drawn_in_this_process(first: int, last: int) -> None:
    here, span = SourcePages(DOCUMENT, DATA), _span(first, last)
    boxes = here.boxes(span)
    assert {box.page for box in boxes} == set(range(first, last + 1))
    there = anyio.run(Drawing(Isolation()).boxes, DATA, DOCUMENT, span)
    assert there["boxes"] == [box_record(box) for box in boxes]
    assert [one["page"] for one in there["pages"]] == list(range(first, last + 1))
    if first == last:
        drawn = anyio.run(Drawing(Isolation()).picture, DATA, DOCUMENT, first, span, 1.0)
        assert drawn == here.picture(first, boxes=tuple(boxes), scale=1.0).png


@pytest.mark.parametrize(
    ("data", "isolation", "error"),
    [
        (DATA, Isolation(timeout_s=0.01), SourceTooLargeError),
        (DATA, Isolation(memory_mb=30), DamagedSourceError),
        (DATA[:200], Isolation(), DamagedSourceError),
    ],
)
def test_a_page_that_exhausts_its_process_is_an_error(data: bytes, isolation: Isolation, error: Any) -> None:
    with pytest.raises(error, match=r"tins\.pdf"):
        anyio.run(Drawing(isolation).picture, data, DOCUMENT, 1, Span(0, 0), 1.0)


def test_an_absent_page_is_an_error_that_names_the_pages() -> None:
    with pytest.raises(SourceError, match="has pages 1 to 4, and no page 9"):
        anyio.run(Drawing(Isolation()).picture, DATA, DOCUMENT, 9, Span(0, 0), 1.0)
