"""Tables in formats of markup, for tests."""

from tests.ingest.pdf_writer import Stroke, Text, pdf

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
RTF = rb"""{\rtf1\ansi Table 1: Sales of tea\par
\trowd\trhdr\cellx2000\clmgf\cellx4000\clmrg\cellx6000\pard\intbl Region\cell Year ended\cell\cell\row
\trowd\trhdr\cellx2010\cellx4000\cellx6000\pard\intbl \cell 2019\cell 2018\cell\row
\trowd\clvmgf\cellx2000\cellx4000\cellx6000\pard\intbl North\cell 1,234\cell (5)\cell\row
\trowd\clvmrg\cellx2000\cellx4000\cellx6000\pard\intbl \cell 7\cell 8\cell\row
\trowd\cellx2000\cellx6000\pard\intbl South\cell both 9\cell\row\pard After.\par}"""

_WORDS = [
    Text(x, y, f"{word} {y}") for y in (687, 668, 640) for x, word in ((60, "Module"), (200, "Function"), (300, "Use"))
]
RULED = pdf([[*(Stroke(55, y, 580, y) for y in (700, 682, 620)), *_WORDS, Text(60, 560, "A sentence after it.")]])
TABLES = {
    "rst": "\n".join((GRID, SIMPLE, LISTS, CSV)).encode(),
    "asciidoc": ADOC.encode(),
    "latex": LATEX.encode(),
    "rtf": RTF,
    "pdf": RULED,
}
