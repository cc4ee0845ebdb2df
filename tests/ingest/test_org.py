"""Org files are read as a page shows them: headings, lists, tables, links, emphasis; settings and comments are out."""

import time

import pytest

from tests.ingest.samples import SAMPLES
from tests.ingest.test_table_formats import check_cells, rows
from treatise.ingest import read_bytes

ORG = """\
#+TITLE: The *Tea* Guide
#+STARTUP: indent
Tea is /hot/ in /etc/. See [[https://x.org][the *site*]], [[https://y.org]], =a*b*= and <<here>>more.
# a comment
Stir it,\\\\
please.[fn:1]

* TODO [#A] Buy =tea= :shop:
SCHEDULED: <2024-05-01 Wed>
:LOGBOOK:
CLOCK: [2024-05-01 Wed 10:00]
:END:
- [ ] green :: light
- [X] *black*
** COMMENT Hidden
Not shown.
*** Neither
** Cups
#+NAME: t
[[file:cup.png]]
{{{toc(1)}}}
#+BEGIN_SRC c
int *x; // *no*
#+END_SRC
: 5 * 6 * 7
#+begin_quote
Tea /first/.
#+end_quote
#+begin_comment
secret
#+end_comment
[fn:1] A note[fn:: of mine].
"""


def shown(text: str) -> list[tuple[str, str]]:
    document = read_bytes(text.encode(), name="a.org")
    return [(p.kind.value, " ".join(document.quote(p.start, p.end).split())) for p in document.paragraphs]


def test_org_is_read_without_marks_that_a_page_does_not_show() -> None:
    assert shown(ORG) == [
        ("heading", "The Tea Guide"),
        ("prose", "Tea is hot in /etc/. See the site, https://y.org, a*b* and more."),
        ("prose", "Stir it, please.[1]"),
        ("heading", "* TODO Buy tea"),
        ("prose", "SCHEDULED: 2024-05-01 Wed"),
        ("list", "- [ ] green :: light"),
        ("list", "- [X] black"),
        ("heading", "** Cups"),
        ("code", "#+BEGIN_SRC c int *x; // *no* #+END_SRC"),
        ("code", ": 5 * 6 * 7"),
        ("prose", "Tea first."),
        ("prose", "[1] A note[of mine]."),
    ]


def test_headings_of_org_are_sections_below_the_title_and_states_are_no_part_of_their_names() -> None:
    document = read_bytes(ORG.encode(), name="a.org")
    assert [(one.title, one.level) for one in document.sections] == [
        ("The Tea Guide", 1),
        ("Buy tea", 2),
        ("Cups", 3),
    ]


def test_what_an_org_file_states_of_itself_is_known() -> None:
    document = read_bytes(SAMPLES["org"], name="a.org")
    assert document.title == "The Tea Guide"
    assert document.metadata == {"author": ("Jo Smith",), "date": ("2024-03-04",)}


def test_tables_of_org_have_captions_and_heads() -> None:
    source = """\
#+CAPTION: Cups
#+ATTR_HTML: :width 5
| Name | Size | Note |
| <l>  |  <5> |      |
|------+------+------|
| Oo   |    3 | [[x][blue]] |
|------+------+------|
| Pu   |    5 | =red= |
#+TBLFM: $2=1
"""
    document = read_bytes(source.encode(), name="a.org")
    check_cells(document)
    assert rows(document) == ["Cups. Name. Oo: Size: 3; Note: blue", "Cups. Name. Pu: Size: 5; Note: red"]
    assert "TBLFM" not in document.text


@pytest.mark.parametrize("text", ["a * b * c", "2 = 3 = 4", "x_1 and y_2", "a/b/c", "~/notes and ~/tea", "#1 is [2]"])
def test_signs_that_mark_nothing_stay(text: str) -> None:
    assert shown(text) == [("prose", text)]


@pytest.mark.parametrize(
    "text", ["* a{spaces}x\n", "* x{letters}\n", "* a :b:{spaces}x\n", "| {spaces}x |\n", "| / {spaces}x\n"]
)
def test_long_runs_of_spaces_and_letters_in_org_take_linear_time(text: str) -> None:
    started = time.process_time()
    assert "x" in read_bytes(text.format(spaces=" " * 100_000, letters="a" * 100_000).encode(), name="run.org").text
    assert time.process_time() - started < 10


def test_marks_within_what_they_mark_stay() -> None:
    text = "Save ~~/init.el~ in =a = b=, keep =~= and *2 * 3*.\n"
    assert shown(text) == [("prose", "Save ~/init.el in a = b, keep ~ and 2 * 3.")]


def test_macros_of_words_are_their_words_and_others_are_out() -> None:
    text = "Press the {{{kbd(C-c\\, x)}}} key{{{index(keys)}}} of {{{var(file\nname)}}} {{{version}}} now.\n"
    assert shown(text) == [("prose", "Press the C-c, x key of file name now.")]


@pytest.mark.parametrize(
    "unit",
    [
        "*a ",
        "=a ",
        "~a ",
        "/a ",
        "_a ",
        "=a",
        "[[a][",
        ":a:\n",
        "#+begin_src\n",
        "* a\n:b:\n",
        "{{{",
        "@@a:",
        "[fn::",
        "| a",
        "<<",
    ],
)
def test_marks_of_org_without_an_end_take_linear_time(unit: str) -> None:
    started = time.process_time()
    read_bytes((unit * 20_000).encode(), name="run.org")
    assert time.process_time() - started < 10
