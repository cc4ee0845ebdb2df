"""Tables of LaTeX, reStructuredText, AsciiDoc and RTF: caption, heads, labels and cells at exact offsets."""

import time
from contextlib import suppress

import pytest

from tests.ingest.test_table_formats import check_cells, rows
from treatise.core.errors import EmptySourceError
from treatise.ingest import read_bytes

GRID = """\
+----------------+------------+----------+
| Leaf, column 1 | Header 2   | Header 3 |
| (of a tree)    |            |          |
+================+============+==========+
| Oo             | Cells may span.       |
+----------------+------------+----------+
| Pu             | Cells may  | - one    |
+----------------+ span rows. | - two    |
| Da             |            | - three  |
+----------------+------------+----------+
"""
SIMPLE = """\
.. table:: Truth
   :widths: auto

   =====  =====  ======
      Inputs     Output
   ------------  ------
   A      茶     A or B
   =====  =====  ======
   False  False  False
   True   是     True, and
                 only so

   Maybe  True   4
   =====  =====  ======
"""
LISTS = """\
.. list-table:: Delights
   :widths: 15 10 30
   :header-rows: 1
   :stub-columns: 1

   * - Treat
     - Quantity
     - Notes
   * - Albatross
     - 2.99
     - On a stick with
       a napkin
   * - Crunchy Frog
     - 1.49
     -
"""
CSV = """\
.. csv-table:: Delights
   :header: "Treat", "Quantity", "Notes"
   :widths: 15, 10, 30

   "Albatross", 2.99, "On a stick, warm"
   "Crunchy Frog", 1.49, "With bones, or
   without"
"""


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


ADOC = """= Guide

.Leaf sizes
[cols="1,2,1", options="header"]
|===
|Leaf |Size | Year

|Oo
|3 cm
wide
|1999

2+|Pu and others | 4
.2+|Span |a \\| b |5
|c |6
|===

[%header,format=csv]
|===
Treat,Price
"Frog, crunchy",2
|===

|===
|Name |Time

|Oo |3 min
|===
"""


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


LATEX = r"""\begin{document}\section{Results}
\begin{table}[htb]\centering\caption{Results of \emph{all} systems\label{t}}
\begin{tabular}{@{}lrr@{}}\toprule & \multicolumn{2}{c}{Accuracy} \\ \cmidrule(lr){2-3}
Model & dev & test \\ \midrule \multicolumn{3}{l}{\textit{Baselines}} \\ BM25 & 12.5 & 13.1 \\[2pt]
\multirow{2}{*}{Ours} & 50\% & \textbf{60\%} \\ & 51 & 61 \\ \bottomrule\end{tabular}
\end{table}
\begin{longtable}[c]{lll}\caption{Long}\label{x}\\ \hline A & B & C\\ \hline \endfirsthead
\multicolumn{3}{c}{continued}\\ A & B & C\\ \hline\endhead \hline \multicolumn{3}{r}{next page} \endfoot
x & 1 & 2\\ \end{longtable}
\begin{tabularx}{\linewidth}{lX} \hline Leaf & \begin{tabular}[c]{@{}l@{}}Time\\of day\end{tabular}\\ \hline
Oo & 3 min\\ Pu & b \& c\\\hline\end{tabularx}
\begin{table}\begin{tabular}{ll}a & 5\\b & 6\end{tabular}\caption{Below}\end{table}
\end{document}"""


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


RTF = rb"""{\rtf1\ansi Table 1: Sales of tea\par
\trowd\trhdr\cellx2000\clmgf\cellx4000\clmrg\cellx6000\pard\intbl Region\cell Year ended\cell\cell\row
\trowd\trhdr\cellx2010\cellx4000\cellx6000\pard\intbl \cell 2019\cell 2018\cell\row
\trowd\clvmgf\cellx2000\cellx4000\cellx6000\pard\intbl North\cell 1,234\cell (5)\cell\row
\trowd\clvmrg\cellx2000\cellx4000\cellx6000\pard\intbl \cell 7\cell 8\cell\row
\trowd\cellx2000\cellx6000\pard\intbl South\cell both 9\cell\row\pard After.\par}"""


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
