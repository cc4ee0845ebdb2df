"""Web pages: readable text, structure, and pages built to break readers."""

import io
from time import process_time

from treatise.core.document import Document, ParagraphKind
from treatise.ingest import read_bytes, read_document_with_report
from treatise.ingest.html import read_html

BODY = "A paragraph that is long enough to be the main text of this page, said in <b>many</b> words. " * 3


def page(body: str, head: str = "") -> Document:
    return read_bytes(f"<!doctype html><head>{head}</head><body>{body}</body>".encode(), name="a.html")


def texts(document: Document) -> list[str]:
    return [document.quote(p.start, p.end).strip() for p in document.paragraphs]


def test_structure_is_found() -> None:
    document = page(
        "<h1>Tea</h1>loose text<p>One <i>two</i>.<br>Three.<ul><li>leaf<li>water<ol start=3><li>hot</ol></ul>"
        "<table><caption>Cups</caption><tr><th>a<th>b<tr><td>1<td>2 <b>3</b></table><pre>x\n  y</pre><h3>End</h3>",
        "<title>On\n tea</title>",
    )
    assert document.title == "On tea"
    assert [(s.level, s.title) for s in document.sections] == [(1, "Tea"), (3, "End")]
    assert texts(document) == [
        *("Tea", "loose text", "One two.\nThree.", "- leaf", "- water", "3. hot"),
        *("Cups", "a\tb\n1\t2 3", "x\n  y", "End"),
    ]


def test_menus_and_scripts_are_left_out_and_noted() -> None:
    html = f"<!doctype html><nav>Menu</nav><script>1</script><p>{BODY}</p><footer>Imprint</footer>"
    document, report = read_document_with_report(io.BytesIO(html.encode()))
    assert "Menu" not in document.text
    assert "Imprint" not in document.text
    assert report.notes == ("left out 11 characters of menus, footers and asides",)


def test_menus_and_footers_of_generated_documentation_are_left_out() -> None:
    made = '<div class="related">previous</div><div class="footer">Created using Sphinx.</div>'
    assert page(f"<p>{BODY}</p>{made}").text.strip() == BODY.replace("<b>", "").replace("</b>", "").strip()


def test_text_that_stands_in_an_aside_only_is_kept() -> None:
    assert "many words" in page(f"<aside><p>{BODY}</aside>").text


def test_a_table_that_sets_out_the_page_is_read_as_text() -> None:
    document = page(f"<table><tr><td><h2>News</h2><p>{BODY}</td><td>Side</td></table>")
    assert [p.kind for p in document.paragraphs] == [ParagraphKind.HEADING, ParagraphKind.PROSE, ParagraphKind.PROSE]


def test_lines_of_a_poem_are_verse() -> None:
    assert page("<p>one<br>two<br>three</p>").paragraphs[0].kind is ParagraphKind.VERSE


def test_the_declared_charset_counts() -> None:
    data = '<html><meta charset="windows-1251"><p>Привет, мир и все, кто в нём.'.encode("cp1251")
    assert read_bytes(data, name="a.html").text.startswith("Привет")


def test_ten_thousand_nested_tags_need_no_recursion() -> None:
    for tag in ("div", "b", "table><tr><td", "ul><li", "blockquote", "nav"):
        closing = "".join(f"</{name}>" for name in reversed(tag.split("><")))
        document = page(f"<{tag}>" * 10_000 + "deep" + closing * 10_000)
        assert "deep" in document.text


def test_a_hundred_thousand_attributes_take_no_time_and_the_first_count() -> None:
    many = " ".join(f"a{number}=1" for number in range(100_000))
    page = f"<p>Water boils.</p><p hidden {many}>Hidden.</p><p title='{'x' * 9_000}' hidden>Hidden too.</p>"
    started = process_time()
    assert read_html(page).blocks[0].text == "Water boils.\n\n"
    assert [block.text for block in read_html(page).blocks[1:]] == []
    assert process_time() - started < 5
