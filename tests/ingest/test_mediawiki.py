"""MediaWiki text is read as a page shows it: headings, lists, tables, links; templates and comments are out."""

import time

import pytest

from tests.ingest.test_table_formats import check_cells, rows
from treatise.ingest import read_bytes

WIKI = """\
{{Infobox town
| name = {{lang|fr|X}}
| size = 5 <!-- or 6 -->
}}
'''Tea Town''' is a [[town|small town]] in [[Kent]].<ref name="a">So says the [[book]] of ''Teas''.</ref> It is
{{convert|5|km|mi}} long &amp; quiet.<br/>It has ''no'' river,<ref name="a"/> H<sub>2</sub>O or
2<sup>31</sup>&nbsp;cups.
[[File:a.png|thumb|left|The ''old'' [[bridge]] in 1900]]
== ''Early'' history ==
{{Main|History of Tea Town}}
It began in 1200.<ref>Book {{cite|x}}.</ref>
<!-- alone -->
It ended {{nowrap|at last}}.

# One [http://x.org the site]
#* Inner
* Bullet
; Term
: Def
 code here <nowiki>''x''</nowiki>

<syntaxhighlight lang="c">
int x; // ''no''
</syntaxhighlight>
Then {{{param|d}}}{{unclosed
[[Category:Towns]]
[[de:Teestadt]]
__NOTOC__
See [[:Category:Towns]].
"""


def shown(text: str) -> list[tuple[str, str]]:
    document = read_bytes(text.encode(), name="a.wiki")
    return [(p.kind.value, " ".join(document.quote(p.start, p.end).split())) for p in document.paragraphs]


def test_mediawiki_is_read_without_marks_that_a_page_does_not_show() -> None:
    assert shown(WIKI) == [
        (
            "prose",
            "Tea Town is a small town in Kent. It is 5 km long &amp; quiet. It has no river, H2O or "
            "2<sup>31</sup> cups.",
        ),
        ("prose", "So says the book of Teas."),
        ("prose", "The old bridge in 1900"),
        ("heading", "== Early history =="),
        ("prose", "It began in 1200."),
        ("prose", "It ended at last."),
        ("list", "One the site"),
        ("list", "* Inner"),
        ("list", "* Bullet"),
        ("prose", "Term"),
        ("prose", "Def"),
        ("code", "code here ''x''"),
        ("code", "int x; // ''no''"),
        ("prose", "Then {{unclosed"),
        ("prose", "See Category:Towns."),
    ]


def test_a_page_of_a_wiki_has_the_name_of_its_file_unless_it_states_one() -> None:
    assert read_bytes(b"== History ==\n\nTea is old.\n", name="/x/Tea_Town.mediawiki").title == "Tea Town"
    assert read_bytes(b"= Tea =\n\nTea is old.\n", name="/x/a.wiki").title == "Tea"


def test_tables_of_mediawiki_have_captions_heads_labels_and_spans() -> None:
    source = """\
Before.
{| class="wikitable" style="width: 5em"
|+ style="x" | Cups
! scope="col" | Name !! Size
! Colour
|- style="a"
! Small
| style="text-align: right" | 3 || rowspan="2" | [[blue|light blue]]
|-
! Large
| 5
|}
After.
"""
    document = read_bytes(source.encode(), name="a.mediawiki")
    check_cells(document)
    assert rows(document) == [
        "Cups. Name. Small: Size: 3; Colour: light blue",
        "Cups. Name. Large: Size: 5; Colour: light blue",
    ]
    assert document.text.startswith("Before.")
    assert document.text.endswith("After.\n")


@pytest.mark.parametrize(
    "unit",
    ["{{a|", "[[a|", "<ref>", "{|\n| a\n", "''a", "<pre>", "<!--", "{{{a}}", "[http://x ", "| a || ", "{{a}}[[b]]"],
)
def test_marks_of_mediawiki_without_an_end_take_linear_time(unit: str) -> None:
    started = time.process_time()
    read_bytes(f"Tea.\n{unit * 20_000}".encode(), name="run.wiki")
    assert time.process_time() - started < 10


@pytest.mark.parametrize("cell", ["a=b" * 100, "a=1&" * 100, "a = 1 " * 100, "nowrap " * 100, "a=" * 100])
def test_cells_like_attributes_take_linear_time(cell: str) -> None:
    started = time.process_time()
    document = read_bytes(f"{{|\n! Name !! Query\n|-\n| Tea || {cell}\n|}}\n".encode(), name="run.wiki")
    assert rows(document) == [f"Name. Tea: Query: {cell.strip()}"]
    assert time.process_time() - started < 10
