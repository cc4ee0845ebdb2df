"""A sentence that ends in a colon keeps the command, the formula or the short list that it leads in."""

from treatise.core.document import Document, ParagraphKind
from treatise.ingest import read_bytes


def sentences(document: Document) -> list[str]:
    return [document.quote(span.start, span.end) for span in document.sentences()]


def test_a_command_stays_with_the_sentence_before_it() -> None:
    document = read_bytes(
        b"Tea is easy. Install it as follows:\n\n```\npip install tea\n```\n\nThen boil.\n", name="a.md"
    )
    assert sentences(document) == [
        "Tea is easy. ",
        "Install it as follows:\n\n```\npip install tea\n```\n\n",
        "Then boil.\n",
    ]


def test_a_long_listing_stands_alone() -> None:
    code = "\n".join(f"step_{at}()" for at in range(100))
    document = read_bytes(f"As follows:\n\n```\n{code}\n```\n".encode(), name="a.md")
    assert [p.kind for p in document.paragraphs] == [ParagraphKind.PROSE, ParagraphKind.CODE]


def test_a_short_list_stays_with_the_sentence_that_leads_in() -> None:
    document = read_bytes(b"<!doctype html><p>Bring:</p><ul><li>tea</li><li>cups</li></ul><p>Come early.</p>")
    assert sentences(document) == ["Bring:\n\n- tea\n\n- cups\n\n", "Come early.\n\n"]


def test_items_of_a_long_list_are_sentences() -> None:
    items = "".join(f"<li>The item number {at} is about something else.</li>" for at in range(20))
    document = read_bytes(f"<!doctype html><p>Bring:</p><ul>{items}</ul>".encode())
    assert len(sentences(document)) == 21


def test_an_item_that_leads_in_a_command_keeps_it_and_leaves_the_list_whole() -> None:
    document = read_bytes(b"- Run:\n\n  ```\n  boil\n  ```\n- Wait:\n- Pour.\n", name="a.md")
    assert sentences(document) == ["- Run:\n\n  ```\n  boil\n  ```\n", "- Wait:\n", "- Pour.\n"]
