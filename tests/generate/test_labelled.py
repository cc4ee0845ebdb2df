"""Rows of tables whose label the question names."""

from treatise.core.document import Document, trim
from treatise.core.evidence import Evidence, Passage
from treatise.generate.labelled import labelled_rows
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


def test_a_head_of_two_words_names_no_label() -> None:
    page = b"<p>Errors.</p><table><tr><th>Error</th><th>Error codes</th></tr><tr><td>Info</td><td>E42</td></tr></table>"
    document = read_bytes(page, name="errors.html")
    assert _rows("What does the error code E42 mean?", document) == ["Info E42"]
    assert _rows("What is the error Fish?", document) == []


def _rows(question: str, document: Document | None = None) -> list[str]:
    document = document or _document()
    spans = [trim(document.text, one) for one in document.sentences()]
    passages = tuple(Passage(document.id, one, document.quote(one.start, one.end), 1.0) for one in spans)
    found = labelled_rows(Evidence(question, passages, "", 300, 0.9), [document])
    tables = document.tables
    rows = [one for one in found.passages if any(t.rows[0].start <= one.span.start < t.end for t in tables)]
    return [" ".join(one.text.split()) for one in rows]


def _document() -> Document:
    return read_bytes(PAGE, name="folders.html")


def test_of_rows_with_one_label_those_below_the_caption_that_the_question_names_are_read() -> None:
    lists = "".join(
        f"<h2>7.{n}. {name}</h2><dl><dt>Default value:<dd>{n}</dl>" for n, name in enumerate(("toggle", "port-limit"))
    )
    document = read_bytes(f'<html lang="en">{lists}</html>'.encode(), name="options.html")
    assert _rows("What is the default value of port-limit?", document) == ["Default value: 1"]
    assert _rows("What is the default value of toggle?", document) == ["Default value: 0"]
    assert _rows("What is the default value of all?", document) == ["Default value: 0", "Default value: 1"]


def test_a_label_of_many_tables_says_nothing_unless_the_question_names_one() -> None:
    lists = "".join(f"<h2>{name}-limit</h2><dl><dt>Default value:<dd>{name}</dl>" for name in "abcde")
    document = read_bytes(f'<html lang="en">{lists}</html>'.encode(), name="options.html")
    assert _rows("What is the default value of c-limit?", document) == ["Default value: c"]
    assert len(_rows("What is the default value of port?", document)) == 5


def test_a_label_within_a_longer_one_and_an_owner_are_told_apart() -> None:
    table = b"school,song,year\nGeorgia,Glory,1915\nGeorgia Tech,Ramble,1908\nTech,Onward,1920\nDenny's,Rise,1931\n"
    document = read_bytes(table, name="songs.csv")
    assert _rows("What year was Georgia Tech's song written?", document) == ["Georgia Tech Ramble 1908"]
    assert _rows("What year was Georgia's song written?", document) == ["Georgia Glory 1915"]
    assert _rows("Who sings the song of Denny's?", document) == ["Denny's Rise 1931"]
    assert len(_rows("Is the song of Georgia as old as that of Georgia Tech?", document)) == 2
