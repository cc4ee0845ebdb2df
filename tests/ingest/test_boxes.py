"""Boxes drawn around plain text are decoration: what they hold is read, searched and shown as text."""

import pytest

from treatise.core.document import Document, ParagraphKind, Span
from treatise.core.quotation import statement_of
from treatise.ingest import read_bytes

LICENCE = """\
5. Termination
--------------

5.1. The rights end if You fail to comply with any of the terms that are
named in this section of the text.

************************************************************************
*                                                                      *
*  6. Disclaimer of Warranty                                           *
*  -------------------------                                           *
*                                                                      *
*  The software is provided "as is", without warranty of any kind.     *
*  Should it prove defective, You (not any contributor) assume the     *
*  cost of any repair.                                                 *
*                                                                      *
************************************************************************

8. Litigation
-------------

Any litigation may be brought only in the courts of a place.
"""


def units(document: Document) -> list[str]:
    return [document.quote(one.start, one.end) for group in document.readable_sentences() for one in group]


def test_a_heading_within_a_box_is_a_heading() -> None:
    document = read_bytes(LICENCE.encode(), name="a.txt")
    assert [section.title for section in document.sections] == [
        "5. Termination",
        "6. Disclaimer of Warranty",
        "8. Litigation",
    ]
    assert document.section_path(LICENCE.index("Should it"))[-1] == "6. Disclaimer of Warranty"


def test_a_boxed_text_stays_to_the_letter_and_is_searched_and_shown_without_the_box() -> None:
    document = read_bytes(LICENCE.encode(), name="a.txt")
    assert document.text == LICENCE
    start = LICENCE.index("Should it")
    end = LICENCE.index("repair.") + len("repair.")
    assert LICENCE[start:end] in units(document)
    assert "*" not in document.self_contained(start, end)
    assert statement_of(document, Span(start, end)) == (
        "Should it prove defective, You (not any contributor) assume the cost of any repair."
    )


def test_no_unit_is_a_box_alone_or_ends_in_one() -> None:
    assert not [unit for unit in units(read_bytes(LICENCE.encode(), name="a.txt")) if unit.startswith("*")]
    assert not [unit for unit in units(read_bytes(LICENCE.encode(), name="a.txt")) if unit.endswith("*")]


@pytest.mark.parametrize(
    "box",
    [
        "*********\n*       *\n*  ToDo *\n*       *\n*********\n",
        "###########\n#  ToDo  #\n###########\n".replace("  #\n#", "   #\n#"),
        "+-------+\n| ToDo  |\n+-------+\n",
        "-----------------------------\n  ToDo\n-----------------------------\n",
    ],
)
def test_a_single_line_in_a_box_is_a_heading(box: str) -> None:
    document = read_bytes(f"{box}\nBuy the tea in the town. Then boil it for a while.\n".encode(), name="a.txt")
    assert [section.title for section in document.sections] == ["ToDo"]


def test_bars_of_a_table_and_marks_of_a_list_are_no_box() -> None:
    bars = "| tea | green |\n| cup | white |\n| pot | brown |\n"
    table = read_bytes(f"Bring these things along to the place:\n\n{bars}".encode(), name="a.txt")
    assert table.paragraphs[-1].kind is ParagraphKind.TABLE
    document = read_bytes(b"Bring these things along:\n\n* tea *\n\n* cups\n", name="a.txt")
    assert not document.sections[0].title


def test_subsections_are_below_the_underlined_section_with_their_number() -> None:
    text = "1. Tea\n------\n\n1.1. Green\n\nIt is green tea, and good.\n\n1.2. Black\n\nIt is black tea, and better.\n"
    document = read_bytes(f"The Book\n========\n\n{text}".encode(), name="a.txt")
    assert [section.level for section in document.sections] == [1, 2, 3, 3]
