"""A small source of each format, as bytes; the bad ones are made from them."""

import gzip
import json

from tests.ingest.archives import archive, book, tar, word
from tests.ingest.outlook import MSG
from tests.ingest.pdf_writer import Text, pdf

A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table")
)
RTF = rb"""{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Cyr;}}{\stylesheet{\s1\outlinelevel0 Top;}
{\s2 heading 2;}}{\info{\title The Title}}{\header Running}\pard\s1 First\par\pard\s2 Second\par
\pard Caf\'e9, \u8364?5 and \f1\'cf\'f0\'e8\f0 .{\footnote A note.}\par{\listtext 1.\tab}An item\par
\trowd\pard\intbl A\cell B\cell\row\pard After{\v hidden}{\*\private secret}.\par}"""
MAIL = b"""From: "Ada" <ada@example.org>
To: bob@example.org
Date: Mon, 4 Mar 2024 09:15:00 +0000
Subject: =?utf-8?q?The_caf=C3=A9?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

We meet at the caf=C3=A9. Bring tea.
--inner
Content-Type: text/html

<p>We meet at the caf&eacute;.</p>
--inner--
--outer
Content-Type: text/markdown
Content-Disposition: attachment; filename=plan.md

# Plan

Drink tea.
--outer
Content-Type: image/png
Content-Disposition: attachment; filename=cup.png

xx
--outer--
"""
MBOX = b"From ada Mon\n" + MAIL + b"\nFrom bob Tue\nFrom: bob@example.org\nSubject: Re: tea\n\nYes.\n>From here on.\n"
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Study\n", "\n", "We count."]},
        {
            "cell_type": "code",
            "source": "print(1)\n",
            "outputs": [{"text": ["1\n"]}, {"data": {"text/plain": "2", "image/png": "iVBOR"}}],
        },
    ],
    "nbformat": 4,
}
SRT = b"""1
00:00:01,000 --> 00:00:02,000
<i>Good morning,</i>

2
00:00:02,000 --> 00:00:04,000
everyone.

3
00:01:10,500 --> 00:01:12,000
ADA: Thank you.
BOB: And now?
"""
RST = b"""=====
Guide
=====

Install it as follows::

    pip install tea

Usage
-----

- Boil water.
- Wait.

.. note:: It is hot.

====  =====
Leaf  Time
====  =====
Oo    3 min
====  =====
"""
ADOC = b"= Guide\n\nText. More.\n\n== Usage\n\n----\nboil water\n----\n\n|===\n|Leaf |Time\n|===\n"
LATEX = rb"""\documentclass{article} % a comment
\title{On Tea}
\begin{document}\maketitle
\begin{abstract}We drink \emph{tea}.\end{abstract}
\section{Caf\'e culture}\label{s}
See~\cite{ada}: 50\% of $x^2$ -- ``hot''.\footnote{Very.}
\begin{itemize}\item Boil. \item Wait.\end{itemize}
\begin{verbatim}
boil \now
\end{verbatim}
\begin{tabular}{ll} Leaf & Time \\ Oo & 3 \\ \end{tabular}
\subsection*{Costs} A lot.
\end{document}
"""


def slides() -> bytes:
    def shape(kind: str, *texts: str) -> str:
        body = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in texts)
        place = f'<p:nvSpPr><p:nvPr><p:ph type="{kind}"/></p:nvPr></p:nvSpPr>' if kind else ""
        return f"<p:sp>{place}<p:txBody>{body}</p:txBody></p:sp>"

    def slide(*shapes: str, more: str = "") -> str:
        return f"<p:sld {P} {A} {more}><p:cSld><p:spTree>{''.join(shapes)}</p:spTree></p:cSld></p:sld>"

    rows = "<a:tr><a:tc><a:p><a:r><a:t>Leaf</a:t></a:r></a:p></a:tc></a:tr>"
    ids = "".join(f'<p:sldId id="{at}" r:id="r{at}"/>' for at in (1, 2, 3))
    parts = "".join(f'<Relationship Id="r{at}" Type="x/slide" Target="slides/s{at}.xml"/>' for at in (1, 2, 3))
    return archive(
        {
            "ppt/presentation.xml": f"<p:presentation {P} {R}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": f"<Relationships {RELS}>{parts}</Relationships>",
            "ppt/slides/s1.xml": slide(shape("title", "Tea"), shape("body", "Boil.", "Wait."), shape("sldNum", "1")),
            "ppt/slides/s2.xml": slide(f"<p:graphicFrame><a:tbl>{rows}</a:tbl></p:graphicFrame>", shape("", "Loose.")),
            "ppt/slides/s3.xml": slide(shape("title", "Secret"), more='show="0"'),
            "ppt/slides/_rels/s1.xml.rels": f'<Relationships {RELS}><Relationship Id="n" Type="x/notesSlide" '
            'Target="../notes/n1.xml"/></Relationships>',
            "ppt/notes/n1.xml": slide(shape("body", "Speak slowly.")),
        }
    )


def workbook(rows: str = "", sheets: str = "", after: str = "") -> bytes:
    rows = rows or (
        '<row><c r="A1" t="inlineStr"><is><t>In millions</t></is></c></row>'
        '<row><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c></row>'
        '<row><c r="A4" t="str"><v>Oo</v></c><c r="B4" s="1"><v>45352</v></c><c r="C4" s="2"><v>0.125</v></c></row>'
        '<row><c r="A5" t="str"><v>Pu</v></c><c r="C5"><v>0.30000000000000004</v></c></row>'
    )
    sheets = sheets or '<sheet name="Leaves" r:id="r1"/><sheet name="Hidden" state="hidden" r:id="r1"/>'
    return archive(
        {
            "xl/workbook.xml": f"<workbook {S} {R}><sheets>{sheets}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f'<Relationships {RELS}><Relationship Id="r1" Type="x/worksheet" '
            'Target="/xl/sheet1.xml"/></Relationships>',
            "xl/sheet1.xml": f"<worksheet {S}><sheetData>{rows}</sheetData>{after}</worksheet>",
            "xl/sharedStrings.xml": f"<sst {S}><si><t>Leaf</t></si><si><r><t>Da</t></r><r><t>te</t></r></si>"
            "<si><t>Share</t></si></sst>",
            "xl/styles.xml": f'<styleSheet {S}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/>'
            "</cellXfs></styleSheet>",
        }
    )


def open_document(kind: str, body: str, manifest: str = "", *, head: str = "", spaces: str = "") -> bytes:
    """An OpenDocument file; ``head`` is what comes before its body, ``spaces`` are further declarations for it."""
    opening = f"<office:document-content {ODF} {spaces}>{head}"
    content = f"{opening}<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return archive(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"{content}</office:document-content>",
            **({"META-INF/manifest.xml": manifest} if manifest else {}),
        }
    )


ODT_BODY = (
    '<text:h text:outline-level="1">Tea</text:h><text:p>Boil<text:s text:c="2"/>water.<text:note><text:note-citation>1'
    "</text:note-citation><text:note-body><text:p>Hot.</text:p></text:note-body></text:note> Wait.</text:p>"
    "<text:list><text:list-item><text:p>Oo</text:p></text:list-item></text:list><table:table><table:table-row>"
    "<table:table-cell><text:p>Leaf</text:p></table:table-cell><table:table-cell><text:p>Time</text:p>"
    "</table:table-cell></table:table-row></table:table>"
)
ODS_BODY = (
    '<table:table table:name="Leaves"><table:table-row><table:table-cell><text:p>Leaf</text:p></table:table-cell>'
    "<table:table-cell><text:p>Time</text:p></table:table-cell></table:table-row><table:table-row>"
    "<table:table-cell><text:p>Oo</text:p></table:table-cell><table:table-cell><text:p>3</text:p></table:table-cell>"
    '</table:table-row><table:table-row table:number-rows-repeated="1000000"><table:table-cell '
    'table:number-columns-repeated="16000"/></table:table-row></table:table>'
)
ROFF = rb""".\\" a comment
.TH BREW 1 "2 May 2024" "Tea 1.2"
.SH NAME
brew \- make tea
.SH OPTIONS
.TP
\fB\-t\fR, \fB\-\-time\fR=\fIMINUTES\fR
Wait so long.
"""
ORG = b"""#+TITLE: The /Tea/ Guide
#+AUTHOR: Jo Smith
#+DATE: <2024-03-04 Mon>

Tea is *hot*. See [[https://x.org][the site]].
# A comment
It cools in 5 minutes.[fn:1]

* TODO [#A] Buy tea :shop:
:PROPERTIES:
:ID: 5
:END:
- green
- black
#+CAPTION: Cups we have
| Name  | Size |
|-------+------|
| Small |    3 |
#+BEGIN_SRC c
int *x;
#+END_SRC
[fn:1] Or more.
"""
WIKI = b"""{{Infobox town
| name = {{lang|fr|X}}
}}
'''Tea Town''' is a [[town|small town]].<ref>A book.</ref> It is {{convert|5|km|mi}} long.
== History ==
It began in 1200.<!-- or so -->
* One [http://x.org site]
# Two
{| class="wikitable"
|+ Cups
! Name !! Size
|-
| Small || style="a" | 3
|}
<pre>
int x;
</pre>
[[Category:Towns]]
"""
SAMPLES: dict[str, bytes] = {
    "text": "Größe, e.g. this. 中文。\r\n\r\n- a\n".encode(),
    "markdown": b"# A\n\n- b\n  - c\n\n| a |\n|---|\n```\nx\n```\n",
    "html": b"<!doctype html><h1>A</h1><table><tr><td>x</table><ul><li>y</ul><pre>z</pre>",
    "docx": word("<w:p><w:r><w:t>Hello</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>"),
    "epub": book({"a.xhtml": "<h1>A</h1><p>Text"}, '<ol><li><a href="a.xhtml">A</a></li></ol>'),
    "pdf": pdf([[Text(50, 700, "Hello there."), Text(50, 688, "And more.")]] * 2, "T", [("Hello", 0)]),
    "odt": open_document("text", ODT_BODY),
    "rtf": RTF,
    "pptx": slides(),
    "xlsx": workbook(),
    "ods": open_document("spreadsheet", ODS_BODY),
    "csv": b'Leaf,Date,Share\nOo,2024-03-01,12.5%\n"Pu, old",,3\n',
    "eml": MAIL,
    "msg": MSG,
    "mbox": MBOX,
    "ipynb": json.dumps(NOTEBOOK).encode(),
    "subtitles": SRT,
    "rst": RST,
    "asciidoc": ADOC,
    "org": ORG,
    "mediawiki": WIKI,
    "latex": LATEX,
    "json": b'[{"title": "Tea", "text": "Boil water. Wait.", "of": {"year": 2024, "tags": ["hot", "leaf"]}}, "Done."]',
    "jsonl": b'{"title": "Tea", "text": "Boil water."}\n{"id": 7, "text": "Wait."}\n',
    "roff": ROFF,
    "packed": gzip.compress(ROFF, mtime=0),
    "tar": tar({"b/plan.md": b"# Plan\n\nDrink.", "a.txt": b"First.", "cup.png": b"xx", "ls.1": ROFF}),
    "zip": archive({"b/plan.md": "# Plan\n\nDrink.", "a.txt": "First.", "cup.png": b"xx", "__MACOSX/a.txt": "no"}),
}
"""By the name of the format."""
