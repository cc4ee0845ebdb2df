"""Definition lists of web pages: rows for short values, terms before longer descriptions."""

from time import process_time

from treatise.core.document import Document, ParagraphKind
from treatise.ingest import read_bytes

VALUE = "<dt>Default value:</dt><dd><p><i>4096</i></p></dd>"
LONG = "<dt>Notes:</dt><dd><p>It is flushed. There may be several.</p><p>Each has one.</p></dd>"


def page(body: str) -> Document:
    return read_bytes(f'<!doctype html><html lang="en"><body>{body}</body>'.encode(), name="a.html")


def texts(document: Document) -> list[str]:
    return [document.quote(p.start, p.end).strip() for p in document.paragraphs]


def rows(document: Document) -> list[str]:
    return [document.self_contained(row.start, row.end) for table in document.tables for row in table.rows]


def test_a_short_description_is_the_value_of_its_term() -> None:
    document = page(f"<h2>7. buffer-limit</h2><dl><dt>Type:<dd>Size<dt>-x<dt>--exact<dd>Whole words.{VALUE}</dl>")
    assert texts(document) == ["7. buffer-limit", "Type:\tSize\n-x, --exact\tWhole words.\nDefault value:\t4096"]
    assert rows(document) == [
        "7. buffer-limit. Type: Size",
        "7. buffer-limit. -x, --exact: Whole words.",
        "7. buffer-limit. Default value: 4096",
    ]


def test_a_longer_description_begins_with_its_term() -> None:
    document = page(f"<h2>Limit</h2><dl>{LONG}{VALUE}</dl>")
    assert texts(document)[1:] == [
        "Notes: It is flushed. There may be several.",
        "Each has one.",
        "Default value:\t4096",
    ]
    assert rows(document) == ["Limit. Default value: 4096"]
    assert len(document.paragraphs[1].sentences) == 2


def test_a_table_after_other_text_has_no_heading_as_caption() -> None:
    assert rows(page(f"<h2>Limit</h2><p>Some say so.</p><dl>{LONG}{VALUE}</dl>")) == ["Default value: 4096"]


def test_outer_terms_name_the_inner_lists() -> None:
    document = page(
        f"<h1>Names</h1><dl><dt>General:<dd><dl><dt>REPO<dd>A path.</dl></dd><dt>More:<dd><dl>{LONG}</dl></dl>"
    )
    assert rows(document) == ["General. REPO: A path."]
    assert texts(document)[3:] == ["More:", "Notes: It is flushed. There may be several.", "Each has one."]


def test_code_lists_and_tables_of_a_description_stay_what_they_are() -> None:
    document = page(
        "<dl><dt>a<dd><pre>x = 1</pre>Sets x.<dt>b<dd>One of:<ul><li>on<li>off</ul>"
        "<dt>c<dd><table><tr><td>1<td>2</table><dt>d<dd>Last<pre>y</pre></dl>"
    )
    kinds = [p.kind for p in document.paragraphs]
    assert texts(document)[:3] == ["a", "x = 1", "Sets x."]
    assert "b: One of:\n\n- on\n\n- off" in document.text
    assert [ParagraphKind.CODE in kinds, ParagraphKind.TABLE in kinds] == [True, True]
    assert texts(document)[-2:] == ["d: Last", "y"]


def test_questions_footnotes_and_contents_are_no_rows() -> None:
    document = page(
        "<dl><dt>Is it hot?<dd>Yes.</dl><dl><dt>1<dd>A note.</dl>"
        "<dl><dt>1. Tea<dd><dl><dt>1.1. Leaves<dt>1.2. Water</dl></dl><dl><dd>Alone.<dt>Last</dl>"
    )
    assert texts(document) == [
        "Is it hot?",
        "Yes.",
        "1",
        "A note.",
        "1. Tea",
        "1.1. Leaves",
        "1.2. Water",
        "Alone.",
        "Last",
    ]
    assert not document.tables


def test_terms_may_be_grouped_by_elements() -> None:
    assert rows(page("<dl><div><dt>Size<dd>2 m</div><div><dt>Mass<dd>3 kg</div></dl>")) == ["Size: 2 m", "Mass: 3 kg"]


def test_every_word_is_read_once() -> None:
    words = [f"w{n}" for n in range(40)]
    parts = iter(words)
    body = "".join(
        f"<dt>{next(parts)} a<dd><p>{next(parts)}<p>{next(parts)}<dl><dt>{next(parts)} b<dd>{next(parts)}</dl>"
        for _ in range(8)
    )
    assert [word for word in page(f"<dl>{body}</dl>").text.replace(":", " ").split() if word[0] == "w"] == words


def test_long_and_deep_lists_are_read_in_linear_time() -> None:
    start = process_time()
    assert len(page("<dl>" + "<dt>term<dd>value" * 20_000).tables[0].rows) == 20_000
    page("<dl><dt>term" * 20_000 + "<dd>value")
    page("<dl><dt>term<dd>" * 2_000)
    assert process_time() - start < 10
