"""Tables of LaTeX, reStructuredText, AsciiDoc and RTF: caption, heads, labels and cells at exact offsets."""

import time
from contextlib import suppress

import pytest

from tests.ingest.markup import ADOC, CSV, GRID, LATEX, LISTS, RTF, SIMPLE
from tests.ingest.test_table_formats import check_cells, rows
from treatise.core.errors import EmptySourceError
from treatise.ingest import read_bytes


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            GRID,
            [
                "Leaf, column 1 (of a tree). Oo: Header 2: Cells may span.",
                "Leaf, column 1 (of a tree). Pu: Header 2: Cells may; Header 3: - one",
                "Leaf, column 1 (of a tree). Da: Header 2: Cells may span rows.; Header 3: - one - two - three",
            ],
        ),
        (
            SIMPLE,
            [
                "Truth. Inputs A. False: Inputs 茶: False; Output A or B: False",
                "Truth. Inputs A. True: Inputs 茶: 是; Output A or B: True, and only so",
                "Truth. Inputs A. Maybe: Inputs 茶: True; Output A or B: 4",
            ],
        ),
        (
            LISTS,
            [
                "Delights. Treat. Albatross: Quantity: 2.99; Notes: On a stick with a napkin",
                "Delights. Treat. Crunchy Frog: Quantity: 1.49",
            ],
        ),
        (
            CSV,
            [
                "Delights. Treat. Albatross: Quantity: 2.99; Notes: On a stick, warm",
                "Delights. Treat. Crunchy Frog: Quantity: 1.49; Notes: With bones, or without",
            ],
        ),
    ],
    ids=["grid", "simple", "list", "csv"],
)
def test_tables_of_restructured_text_stay_to_the_letter(source: str, expected: list[str]) -> None:
    text = f"Guide\n=====\n\nBefore.\n\n{source}\nAfter.\n"
    document = read_bytes(text.encode(), name="a.rst")
    assert document.text == text
    check_cells(document)
    assert rows(document) == expected


def test_tables_of_asciidoc_stay_to_the_letter() -> None:
    document = read_bytes(ADOC.encode(), name="a.adoc")
    assert document.text == ADOC
    check_cells(document)
    assert rows(document) == [
        "Leaf sizes. Leaf. Oo: Size: 3 cm wide; Year: 1999",
        "Leaf sizes. Leaf. Pu and others: Year: 4",
        "Leaf sizes. Leaf. Span: Size: a \\| b; Year: 5",
        "Leaf sizes. Leaf. Span: Size: c; Year: 6",
        "Treat. Frog, crunchy: Price: 2",
        "Name. Oo: Time: 3 min",
    ]


def test_tables_of_latex_have_captions_heads_and_spans() -> None:
    document = read_bytes(LATEX.encode(), name="a.tex")
    check_cells(document)
    lead = "Results of all systems. Model. Baselines"
    assert rows(document) == [
        f"{lead}, Accuracy",
        f"{lead}, BM25, Accuracy: dev: 12.5; test: 13.1",
        f"{lead}, Ours, Accuracy: dev: 50%; test: 60%",
        f"{lead}, Ours, Accuracy: dev: 51; test: 61",
        "Long. A. x: B: 1; C: 2",
        "Leaf. Oo: Time of day: 3 min",
        "Leaf. Pu: Time of day: b & c",
        "Below. a: 5",
        "Below. b: 6",
    ]


def test_commands_that_begin_like_accents_are_no_accents() -> None:
    document = read_bytes(rb"\begin{document}\centering Caf\'e, \v{s}koda, \c cedilla.\end{document}", name="a.tex")
    assert document.text == "Café, škoda, çedilla.\n\n"


def test_tables_of_rtf_have_merged_cells_in_their_columns() -> None:
    document = read_bytes(RTF, name="a.rtf")
    check_cells(document)
    lead = "Table 1: Sales of tea. Region"
    assert rows(document) == [
        f"{lead}. North, Year ended: 2019: 1,234; 2018: (5)",
        f"{lead}. North, Year ended: 2019: 7; 2018: 8",
        f"{lead}. South, Year ended: 2019: both 9",
    ]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("edges.rst", b"+" + b"-+" * 5_000 + b"\n" + b"|x\n" * 60_000),
        ("rules.rst", b"=== ===\n" * 60_000),
        ("partial.rst", b"+--+--+\n" + b"| a  +--+\n" * 30_000),
        ("items.rst", b".. list-table::\n\n" + b"   * - a\n" * 60_000),
        ("quotes.rst", b".. csv-table::\n\n" + b'   "a, ' * 60_000),
        ("bars.adoc", b"|===\n" + b"999*|" * 20_000 + b"\n|===\n"),
        ("spans.adoc", b"|===\n" + b"9999.9999+|a " * 20_000 + b"\n|===\n"),
        ("open.tex", b"\\begin{tabular}{ll}" * 20_000 + b"\\end{tabular}" * 9_000),
        ("groups.tex", b"\\begin{tabular}{ll}" + b"{" * 200_000 + b"\\end{tabular}"),
        ("spans.tex", b"\\begin{tabular}{l}" + b"\\multicolumn{9999}{c}{\\multirow{9999}{*}{a}}&" * 9_000),
        ("captions.tex", b"\\begin{table}\\caption{" * 9_000 + b"\\end{table}" * 9_000),
        ("edges.rtf", b"{\\rtf1 \\trowd" + b"\\cellx9\\cellx99" * 9_000 + b"\\cell a\\cell" * 50 + b"\\row}"),
        ("rows.rtf", b"{\\rtf1 " + b"\\trowd\\cellx100\\cellx200 a\\cell b\\cell\\row" * 12_000 + b"}"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_hostile_tables_take_linear_time(name: str, data: bytes) -> None:
    started = time.process_time()
    with suppress(EmptySourceError):
        read_bytes(data, name=name)
    assert time.process_time() - started < 15
