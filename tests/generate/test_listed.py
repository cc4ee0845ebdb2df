"""Lists as answers: the items after the sentence that introduces them."""

from treatise.core.document import Document, ParagraphKind
from treatise.core.evidence import Passage
from treatise.generate.listed import listing
from treatise.ingest import read_bytes

SHORT = """# Data

The data sets that we use are:

- BoolQ: yes or no
- QASPER: papers
- WikiText

All of them are public.
"""
MORE = " Its questions come from users of the web. Each of them was read by two people before it was kept."
LONG = "".join(f"{line}.{MORE}\n" if line.startswith("- ") else f"{line}\n" for line in SHORT.splitlines())


def _listing(question: str, key: str, text: str = SHORT) -> str | None:
    document = read_bytes(text.encode(), name="data.md")
    found = listing(question, [_passage(document, key)], {document.id: document})
    return found.text if found else None


def _passage(document: Document, key: str) -> Passage:
    span = next(span for span in document.sentences() if key in document.quote(span.start, span.end))
    return Passage(document.id, span, document.quote(span.start, span.end), 1.0, 0)


def test_the_items_after_an_introduction_are_the_answer() -> None:
    assert _listing("Which data sets are used?", "data sets that we use") == "BoolQ, QASPER, WikiText"


def test_an_item_leads_to_its_list() -> None:
    kinds = [one.kind for one in read_bytes(LONG.encode(), name="data.md").paragraphs]
    assert ParagraphKind.LIST in kinds
    assert _listing("Which data sets are used?", "QASPER", LONG) == "BoolQ, QASPER, WikiText"


def test_other_questions_and_other_lists_have_no_such_answer() -> None:
    assert _listing("Who made the data?", "data sets that we use") is None
    assert _listing("Which rivers are crossed by bridges?", "QASPER") is None
