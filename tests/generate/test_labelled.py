"""Rows of tables whose label the question names."""

from treatise.core.document import Document, trim
from treatise.core.evidence import Evidence, Passage
from treatise.generate import labelled_rows
from treatise.ingest import read_bytes

PAGE = b"""<html lang="en"><h1>Folders</h1><p>The folders are listed in a table for the reader.</p>
<table><tr><th>package</th><th>size</th></tr><tr><td>bash</td><td>6,470</td></tr><tr><td>dash</td><td>191</td></tr>
<tr><td>/bin</td><td>12</td></tr></table></html>"""


def test_only_the_row_with_the_label_is_read() -> None:
    assert _rows("How big is /bin?") == ["/bin 12"]
    assert _rows("How big is the package dash?") == ["dash 191"]


def test_rows_are_left_out_if_none_has_the_label_that_the_head_names() -> None:
    assert _rows("How big is the package fish?") == []


def test_without_a_label_all_rows_stay() -> None:
    assert len(_rows("What is the largest size?")) == 3


def _rows(question: str) -> list[str]:
    document = _document()
    spans = [trim(document.text, one) for one in document.sentences()]
    passages = tuple(Passage(document.id, one, document.quote(one.start, one.end), 1.0) for one in spans)
    found = labelled_rows(Evidence(question, passages, "", 300, 0.9), [document])
    table = document.tables[0]
    rows = [one for one in found.passages if table.rows[0].start <= one.span.start < table.end]
    return [" ".join(one.text.split()) for one in rows]


def _document() -> Document:
    return read_bytes(PAGE, name="folders.html")
