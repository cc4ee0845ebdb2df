"""Markup that a page does not show is no part of the text that is quoted."""

import time

import pytest

from treatise.core.document import ParagraphKind
from treatise.ingest import read_bytes

RST = """\
.. _top:

:orphan:

====
A title longer than its rules
====

:Author: Jo Smith

.. |Black| replace:: *Black*

.. image:: x.png
   :alt: Nothing

See :ref:`the guide <guide-label>`, :pep:`8`, :class:`~a.b.C` and `our site <http://x.y>`_ or website_, of |Black|.

.. note::
   :class: x

   Hot tea burns. Use ``tea --cool`` for names_ with `a` in re\\ ``X``.

.. versionadded:: 2.0

.. code-block:: bash
   :linenos:

   tea :ref:`v`

#. One item here.
#. Two items here.

.. toctree::
   :maxdepth: 2

   other

.. _website: http://www.example.org/
.. [1] A footnote.

=======  ========
Option   Meaning
=======  ========
``-v``   :abbr:`loud`
=======  ========

.. A comment
   of two lines

The end [1]_.
"""
ADOC = """\
= Tea
:toc: left
:version: 2.0

// A comment
ifdef::html[]
++++
<link href="x">
++++
endif::html[]

[[boiling]]
[.lead]
See <<b-c>>, <<d,the end>>, link:a.html[a page], https://x.y[a site] and image:a.png[]{version} of {other}.footnote:[A
note.]

image::a.png[A cup]

.Steps
* `<<as-it-is>>` +
and on
* kbd:[Ctrl]

[quote, Ada]
Tea.
"""


def shown(text: str, name: str) -> list[tuple[str, str]]:
    document = read_bytes(text.encode(), name=name)
    return [(p.kind.value, " ".join(document.quote(p.start, p.end).split())) for p in document.paragraphs]


def test_restructured_text_is_read_without_marks_that_a_page_does_not_show() -> None:
    paragraphs = shown(RST, "a.rst")
    assert paragraphs == [
        ("heading", "==== A title longer than its rules ===="),
        ("prose", "Author: Jo Smith"),
        ("prose", "See the guide, PEP 8, a.b.C and our site or website, of *Black*."),
        ("prose", "Hot tea burns. Use `tea --cool` for names_ with `a` in re`X`."),
        ("prose", "New in version 2.0."),
        ("code", "tea :ref:`v`"),
        ("list", "- One item here."),
        ("list", "- Two items here."),
        ("prose", "website: http://www.example.org/"),
        ("prose", "[1] A footnote."),
        ("table", "======= ======== Option Meaning ======= ======== `-v` loud ======= ========"),
        ("prose", "The end [1]."),
    ]


@pytest.mark.parametrize("options", ["", "   :name: x\n"])
def test_content_of_a_note_is_prose_and_the_caption_of_a_figure_is_kept(options: str) -> None:
    text = f"A. B.\n\n.. warning:: It is hot.\n{options}\n   Wait.\n\n.. figure:: a.png\n{options}\n   A cup of tea.\n"
    kinds = shown(text, "a.rst")
    assert [kind for kind, _ in kinds] == ["prose"] * len(kinds)
    assert [said for _, said in kinds] == ["A. B.", "It is hot.", "Wait.", "A cup of tea."]


def test_asciidoc_is_read_without_marks_that_a_page_does_not_show() -> None:
    assert shown(ADOC, "a.adoc") == [
        ("heading", "= Tea"),
        ("prose", "See b c, the end, a page, a site and 2.0 of {other}. (A note.)"),
        ("prose", "Steps"),
        ("list", "* `<<as-it-is>>` and on"),
        ("list", "* Ctrl"),
        ("prose", "Tea."),
        ("prose", "— Ada"),
    ]


def test_underlined_lines_of_asciidoc_are_headings_and_begin_no_listing() -> None:
    text = (
        "Bylaws\n======\n\nSummary\n-------\n\nIt is brief.\n\n[[Q]]\nQuorum\n------\n\nHalf of all.\n\n"
        "----\nvote --all\n----\n\nSpecial case\n~~~~~~~~~~~\n\nNone.\n\nlong prose line\n----\ncode\n----\n"
    )
    document = read_bytes(text.encode(), name="a.adoc")
    titles = [(one.level, one.title) for one in document.sections]
    assert titles == [(1, "Bylaws"), (2, "Summary"), (2, "Quorum"), (3, "Special case")]
    listings = [document.text[one.start : one.end] for one in document.paragraphs if one.kind is ParagraphKind.CODE]
    assert [one.strip() for one in listings] == ["----\nvote --all\n----", "----\ncode\n----"]


def test_who_is_quoted_in_asciidoc_stands_below_the_quotation() -> None:
    text = """Before.

[quote, "Ann, the elder", Her Book]
____
Tea is hot.

It is good.
____

[quote]
Nobody said so.

[verse.x, Bo]
Tea,
or cups.

After.
"""
    assert shown(text, "a.adoc") == [
        ("prose", "Before."),
        ("prose", "Tea is hot."),
        ("prose", "It is good."),
        ("prose", "— Ann, the elder, Her Book"),
        ("prose", "Nobody said so."),
        ("verse", "Tea, or cups."),
        ("prose", "— Bo"),
        ("prose", "After."),
    ]


def test_links_of_asciidoc_may_be_attributes() -> None:
    text = """:host: https://x.org
:site: {host}/tea
:size: 5

See {site}[the site], {site}/cups[cups,window=_blank], {docs-url}[the manual], {site} and {size}[a] [.big]##now##.
"""
    assert shown(text, "a.adoc") == [("prose", "See the site, cups, the manual, https://x.org/tea and 5[a] now.")]


def test_names_with_underscores_and_bars_are_no_links_of_restructured_text() -> None:
    text = "Set my_name_ or `x`, run a | b | c, and keep __init__ and *args.\n"
    assert shown(text, "a.rst") == [("prose", text.strip())]
    kinds = {p.kind for p in read_bytes(b"A.\n\n::\n\n    :ref:`x`\n", name="a.rst").paragraphs}
    assert kinds == {ParagraphKind.PROSE, ParagraphKind.CODE}


@pytest.mark.parametrize("unit", ["a.", "a-", "a_", ":ref:`a ", "|a "])
def test_long_runs_of_words_and_marks_are_read_at_once(unit: str) -> None:
    started = time.perf_counter()
    read_bytes((unit * 20_000).encode(), name="run.rst")
    assert time.perf_counter() - started < 5


def test_an_unclosed_mark_ends_with_its_paragraph() -> None:
    source = b"Writes to `a and b.\n\nValues are ``a``, ``b`` and ``c``.\n"
    assert read_bytes(source, name="open.rst").text.rstrip().endswith("Values are `a`, `b` and `c`.")
