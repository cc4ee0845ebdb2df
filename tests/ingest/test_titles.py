"""Titles: what a source states, unless a program put it there."""

from dataclasses import replace

import pytest

from tests.ingest.samples import workbook
from treatise.core.dates import first_date
from treatise.core.document import ParagraphKind
from treatise.core.table import Cell, Row, Table
from treatise.ingest import read_bytes
from treatise.ingest.authorship import title_of
from treatise.ingest.names import byline_names, stated_names
from treatise.ingest.reading import Block, Reading, Stated
from treatise.ingest.titles import is_sensible_title
from treatise.ingest.wire import pack_reading, unpack


@pytest.mark.parametrize(
    "title",
    [
        *("0000796343-15-000022", "Untitled", "Microsoft Word - report.doc", "paper_final.tex", "Document1", "Slide 1"),
        *("2019-12-31", "", " ", "550e8400-e29b-41d4-a716-446655440000", "Sheet1", "---"),
    ],
)
def test_names_and_numbers_are_no_titles(title: str) -> None:
    assert not is_sensible_title(title)


@pytest.mark.parametrize(
    "title", ["On Tea", "1984 and after", "C++", "Books", "Q3", "The document", "资本论", "Node.js"]
)
def test_words_are_titles(title: str) -> None:
    assert is_sensible_title(title)


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("Meeting 2025-03-05", "Meeting 2025-03-05"),
        ("会议 2020年3月5日", "会议 2020年3月5日"),
        ("Réunion du 5 mars 2020", "Réunion du 5 mars 2020"),
        ("London, 5 March 2020", "On Tea"),
        ("Dernière mise à jour le 5 mars 2020", "On Tea"),
        ("Last updated on 5 March 2020", "On Tea"),
        ("Last updated on Monday, 5 March 2020", "On Tea"),
        ("Published guidelines of 5 March 2020", "Published guidelines of 5 March 2020"),
        ("Stand der Technik, 3. Mai 2010", "Stand der Technik, 3. Mai 2010"),
        ("Release notes of the parser, 5 March 2024", "Release notes of the parser, 5 March 2024"),
        ("Date of report 5 March 2020", "On Tea"),
    ],
)
def test_a_line_with_a_date_is_a_title_if_it_says_what_happened_then(first: str, title: str) -> None:
    assert read_bytes(f"# {first}\n\n# On Tea\n\nBoil water.\n".encode(), name="a.md").title == title


@pytest.mark.parametrize("first", ["Retro 2025-03-05", "Letter of 12 December 2020", "会议纪要 2025年3月5日"])
def test_a_dated_heading_above_all_others_is_the_title(first: str) -> None:
    text = f"# {first}\n\n## Actions\n\nAnn repairs the roof.\n\n## Budget\n\nNothing was spent.\n"
    assert read_bytes(text.encode(), name="a.md").title == first


@pytest.mark.parametrize("first", ["5 March 2025", "Last updated on 5 March 2020"])
def test_a_date_above_all_other_headings_is_no_title(first: str) -> None:
    text = f"# {first}\n\n## On Tea\n\nBoil water.\n"
    assert read_bytes(text.encode(), name="a.md").title == "On Tea"


def test_a_senseless_title_gives_way_to_the_heading_and_the_name() -> None:
    page = b"<!doctype html><title>page1.html</title><h1>On Tea</h1><p>Boil."
    assert read_bytes(page, name="x.html").title == "On Tea"
    sheets = '<sheet name="Sheet1" r:id="r1"/>'
    assert read_bytes(workbook(sheets=sheets), name="sales 2024.xlsx").title == "sales 2024"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        *(("March 9, 2023", "2023-03-09"), ("6th of nothing", ""), ("le 3 mars 2020", "2020-03-03")),
        *(("D:20221130213146Z", "2022-11-30"), ("30. Juli 2022", "2022-07-30"), ("2014/10/28", "2014-10-28")),
        *(
            ("2017年12月6日", "2017-12-06"),
            ("31 February 2020", "2020-02"),
            ("May 2019", "2019-05"),
            ("05/19/2022", "2022-05-19"),
        ),
        *(("6 de diciembre de 2017", "2017-12-06"), ("2011", "2011"), ("in 2011", ""), ("2015-13-40", "")),
        *(
            ("Tue, 3 Mar 2020 10:00:00 +0000", "2020-03-03"),
            ("2005-04-02T10:00:00Z", "2005-04-02"),
            ("04/05/2020", "2020"),
        ),
    ],
)
def test_dates_of_many_forms_are_read(text: str, date: str) -> None:
    assert first_date(text) == date


@pytest.mark.parametrize(
    "author",
    [
        *("Administrator", "jsmith", "LaTeX with hyperref", "Microsoft Office User", "kscope.io", "x\0y", "paper.tex"),
        *("© Copyright 2020 The Project", "Workiva", "unknown", "https://example.com", ""),
    ],
)
def test_logins_programs_and_placeholders_are_no_authors(author: str) -> None:
    assert stated_names(author) == ()


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Esther Herberich, Torsten Hothorn & Daniel Nettle", ("Esther Herberich", "Torsten Hothorn", "Daniel Nettle")),
        ("Xueyu Chen¹, Kaitao Song², Cairong Zhao^{1*}", ("Xueyu Chen", "Kaitao Song", "Cairong Zhao")),
        ("Victor Eijkhout Johannes Braams", ("Victor Eijkhout", "Johannes Braams")),
        ("Kresten Thorup, Frank Jensen (and Chris Rowley)", ("Kresten Thorup", "Frank Jensen", "Chris Rowley")),
        ("Michael Downes updated by Barbara Beeton", ("Michael Downes", "Barbara Beeton")),
        ("A Reutenauer, B Roucariès", ("A Reutenauer", "B Roucariès")),
        ("American Mathematical Society Michael Downes", ("American Mathematical Society", "Michael Downes")),
        ("Douglas Bates Department of Statistics", ("Douglas Bates",)),
        *((line, ()) for line in ("Saarland University", "Annual Report", "Article I", "It boils. Wait.", "Contents")),
    ],
)
def test_a_byline_is_a_line_of_names_alone(line: str, names: tuple[str, ...]) -> None:
    assert byline_names(line) == names


@pytest.mark.parametrize(
    "below", ["WEB SITE:\n        https://tea.example", "UPGRADE ISSUES\n==============", "Main Menu"]
)
def test_a_heading_below_the_title_is_no_author(below: str) -> None:
    document = read_bytes(f"On Tea\n\n{below}\n\nTea is hot. It is drunk slowly.\n".encode(), name="a.txt")
    assert document.title == "On Tea"
    assert "author" not in document.metadata


_TEA = ("Ada Byron", "Grace Hopper"), "2021-03-04"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (
            "a.txt",
            "On Tea\n\nBy Ada Byron and Grace Hopper\n\n4 March 2021\n\nTea is hot. It is drunk slowly, as a rule.\n",
        ),
        (
            "a.md",
            "---\ntitle: On Tea\nauthors: [Ada Byron, Grace Hopper]\ndate: 2021-03-04\n---\n\n# Tea\n\nIt is hot.\n",
        ),
        ("a.md", "---\nauthor:\n  - Ada Byron\n  - Grace Hopper\ndate: 2021-03-04\n---\n\n# On Tea\n\nIt is hot.\n"),
        ("a.rst", "On Tea\n======\n\n:Authors: Ada Byron, Grace Hopper\n:Date: 2021-03-04\n\nIt is hot.\n"),
        ("a.adoc", "= On Tea\nAda Byron <a@b.org>; Grace Hopper\nv1.0, 2021-03-04\n\nIt is hot.\n"),
        (
            "a.tex",
            r"\title{On Tea}\author{Ada Byron\\ London \and Grace Hopper}\date{March 4, 2021}"
            "\n\\begin{document}\nIt is hot.\n\\end{document}\n",
        ),
        (
            "a.tex",
            r"\title{On Tea\thanks{Paid by the \textit{Tea Fund}\\ of London}}"
            r"\author{Ada Byron\thanks{Now in\\ Rome}\inst{1} \and Grace Hopper\textsuperscript{2}\\ Oslo}"
            "\\date{March 4, 2021}\n\\begin{document}\nIt is hot.\n\\end{document}\n",
        ),
        (
            "a.tex",
            r"\title{On Tea\footnotemark[1]}"
            r"\author{Ada Byron\institute{MIT}\thanksref{t1} \And Grace Hopper\emailaddress{g@x.org}}"
            "\\date{March 4, 2021}\n\\begin{document}\nIt is hot.\n\\end{document}\n",
        ),
        (
            "a.html",
            "<!doctype html><title>On Tea</title><meta name=citation_author content='Byron, Ada'>"
            "<meta name=citation_author content='Grace Hopper'><meta name=citation_date content='2021/03/04'><p>Hot.",
        ),
        (
            "a.rtf",
            r"{\rtf1{\info{\title On Tea}{\author Ada Byron; Grace Hopper}{\revtim\yr2021\mo3\dy4}}\pard Hot.\par}",
        ),
        (
            "a.eml",
            "From: Ada Byron and Grace Hopper <a@b.org>\nSubject: On Tea\nDate: Thu, 4 Mar 2021 10:00:00 +0000\n\n.",
        ),
    ],
)
def test_every_format_states_its_authors_and_its_date(name: str, data: str) -> None:
    document = read_bytes(data.encode(), name=name)
    assert document.title in ("On Tea", "Tea")
    assert (document.metadata["author"], document.metadata["date"][0]) == _TEA


def test_the_cover_of_a_filing_names_it() -> None:
    cover = (
        "Securities and Exchange Commission\n\nFORM 10-K\n\nFor the fiscal year ended December 31, 2019\n\n"
        "TEA WORKS, INC.\n(Exact name of registrant as specified in its charter)\n\nSome more words.\n"
    )
    document = read_bytes(cover.encode(), name="0001.txt")
    assert document.title == "TEA WORKS, INC., Form 10-K, 2019-12-31"
    assert document.metadata == {"author": ("TEA WORKS, INC.",), "date": ("2019-12-31",)}


def test_a_text_that_says_nothing_about_itself_has_no_metadata() -> None:
    assert read_bytes(b"Once upon a time there was a pot. It was old.\n", name="a.txt").metadata == {}


def test_an_id_does_not_depend_on_authors_and_dates() -> None:
    document = read_bytes(b"On Tea\n\nIt is hot.\n", name="a.txt")
    assert replace(document, metadata={"author": ("Ada Byron",)}).id == document.id


def test_a_reading_crosses_processes_unchanged() -> None:
    row = Row((Cell(0, 1, 0, 1),), -1, (Cell(2, 3, 1, 1),))
    block = Block(ParagraphKind.TABLE, "a\tb\n", table=Table((row,), (), 1))
    reading = Reading([block], "html", stated=Stated(("Ada Byron",), "2021", "2022"))
    assert unpack(pack_reading(reading)) == reading


def test_a_heading_deep_in_a_file_of_versions_is_no_title() -> None:
    parts = "".join(
        f"2026.{n}.3 (2026-10-25)\n=====\n\nBug Fixes\n-----\n\n- It works.\n\nDev process\n-----\n\n- It is.\n\n"
        for n in (10, 9)
    )
    assert read_bytes(parts.encode(), name="/a/tool-changelog.md").title == "tool-changelog"


def test_the_first_heading_of_markdown_is_a_title_even_if_it_is_like_a_name() -> None:
    text = b'<h1 align="center">Fast</h1>\n\n## Getting Started\n\nHello, and thank you.\n\n### Install\n\nDo it.\n'
    assert read_bytes(text, name="a.md").title == "Getting Started"


def test_headings_and_lists_below_the_title_are_no_authors() -> None:
    for below in ("## Bug Fixes\n\n* One is done.\n", "* GitHub Issue\n* Google Doc\n", "Text.\n\n### Threat Model\n"):
        assert "author" not in read_bytes(f"# Changelog\n\n{below}".encode(), name="a.md").metadata
    assert read_bytes(b"# On Tea\n\nAnn Lee\n\n## Leaves\n\nThey are green.\n", name="a.md").metadata["author"] == (
        "Ann Lee",
    )


def test_what_an_author_does_is_no_name() -> None:
    text = (
        b"Authors of Tea\n==============\n\nCurrent Team:\n\n Ann Lee, lead developer\n Bob Ray\n\nFormer:\n\n Cy Fox\n"
    )
    assert read_bytes(text, name="AUTHORS.txt").metadata["author"] == ("Ann Lee", "Bob Ray")


FIELDS = (
    "PEP: 541\nTitle: On Tea\nAuthor: Ann Lee\nStatus: Final\n\n\nAbstract\n========\n\nTea is hot.\n\n"
    "Rationale\n=========\n\nIt is.\n"
)
COLUMNS = (
    "Society of Tea                              A. Lee\nNotes: 65                                  May 2011\n\n\n"
    "                    On Hot Tea\n\nAbstract\n\n   Tea is hot. It is what we drink in the morning.\n"
)


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("a.rst", FIELDS, "On Tea"),
        ("a.md", "- Feature Name: tea\n\n## Summary\n\nTea is hot.\n\n## Outline\n\nIt is.\n", "a"),
        ("a.md", "## Summary\n\nTea is hot.\n\n# On Tea\n\nIt is.\n", "On Tea"),
        ("a.txt", COLUMNS, "On Hot Tea"),
        ("a.md", "Title: Director\n\n# Ann Lee\n\nShe leads.\n", "Ann Lee"),
    ],
)
def test_a_title_is_a_field_or_a_centred_line_and_no_section_after_the_abstract(
    name: str, text: str, title: str
) -> None:
    assert read_bytes(text.encode(), name=name).title == title


RFC = (
    "Tea Working Group                                  A. B. Lee, Ed.\nRequest for Comments: 65{}"
    "                                 Society of Tea\nCategory: Best Practice                              C. van Ek\n"
    "                                                      {}\n\n\n                    On Hot Tea\n\nAbstract\n\n"
    "   Tea is hot. It is what we drink in the morning.\n"
)


def test_the_head_of_an_rfc_names_authors_and_date_at_the_right() -> None:
    found = read_bytes(RFC.format("", "May 2011").encode(), name="a.txt").metadata
    assert found == {"author": ("A. B. Lee", "C. van Ek"), "date": ("2011-05",)}


@pytest.mark.parametrize(
    "text", [RFC.format("", "late"), RFC.replace("Request for Comments: 65", "Kettle").format("", "May 2011")]
)
def test_a_head_without_a_date_or_of_another_kind_names_no_authors(text: str) -> None:
    assert "author" not in read_bytes(text.encode(), name="a.txt").metadata


PAGE = (
    "brew(1)                     Commands Manual                     brew(1)\n\nNAME\n       brew - makes tea\n\n"
    "OPTIONS\n       -d     Say more (with a log,\n\n              try 'brew -d 2>log')\n\n       -h     Help.\n"
)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (PAGE, "brew"),
        (
            COLUMNS.replace("On Hot Tea", "").replace(
                "Tea is hot.", "\n\n              try 'brew' once\n\nTea is hot."
            ),
            "a",
        ),
        (COLUMNS, "On Hot Tea"),
    ],
)
def test_an_indented_line_below_a_heading_is_no_title(text: str, title: str) -> None:
    assert read_bytes(text.encode(), name="a.txt").title == title


def test_a_date_is_no_stated_title_and_half_a_name_no_author() -> None:
    html = (
        "<html><head><title>{}</title><meta name=author content='{}'></head><body><h1>Tea</h1><p>Hot.</p></body></html>"
    )
    found = read_bytes(html.format("January 22, 2007", "City of").encode(), name="a.html")
    assert (found.title, found.metadata.get("author")) == ("Tea", None)
    found = read_bytes(html.format("Minutes of January 22, 2007", "City of Rye").encode(), name="a.html")
    assert (found.title, found.metadata.get("author")) == ("Minutes of January 22, 2007", ("City of Rye",))


def test_the_first_of_several_sheets_does_not_name_the_workbook() -> None:
    sheets = [Block(ParagraphKind.HEADING, f"{name}\n\n", 1) for name in ("Leaves", "Cups")]
    assert title_of(Reading(sheets[:1], "xlsx"), "tea.xlsx", has_name=True) == "Leaves"
    assert title_of(Reading(sheets, "xlsx"), "tea.xlsx", has_name=True) == "tea"
