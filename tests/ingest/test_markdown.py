"""Markdown keeps its source and gives up its structure."""

import time

import pytest

from tests.ingest.test_table_formats import check_cells, rows
from treatise.core.document import ParagraphKind
from treatise.ingest import read_bytes
from treatise.ingest.markdown import read_markdown

SOURCE = """---
title: "Tea, a treatise"
---
Before.

# Making *tea* [here](x)

One line
and another.

- leaves
- water

  boiled
1. first

| a | b |
|---|---|
| 1 | 2 |

```py
# not a heading
```

Setext
------
> quoted
"""


def test_the_source_is_kept_to_the_letter() -> None:
    for source in (SOURCE, SOURCE.replace("\n", "\r\n"), "", "\n\n# x", "[a]: b\n", "- \n- x\n", "x\r\ry"):
        blocks, _ = read_markdown(source)
        assert "".join(block.text for block in blocks) == source


def test_structure_is_found() -> None:
    document = read_bytes(SOURCE.encode(), name="tea.md")
    assert document.title == "Tea, a treatise"
    assert [(s.level, s.title) for s in document.sections] == [(0, ""), (1, "Making tea here"), (2, "Setext")]
    kinds = [p.kind.value for p in document.paragraphs]
    assert kinds == [
        "code",
        "prose",
        "heading",
        "prose",
        "list",
        "list",
        "list",
        "list",
        "table",
        "code",
        "heading",
        "prose",
    ]


def test_deep_nesting_is_bounded() -> None:
    blocks, _ = read_markdown(">" * 5_000 + " deep\n" + "- " * 5_000 + "x\n")
    assert blocks[0].kind in ParagraphKind


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("`ERR_BAD_KEY_TYPE`", "ERR_BAD_KEY_TYPE"),
        ("The setting max_words_total", "The setting max_words_total"),
        ("_Tea_ and __milk__, `a*b*c`", "Tea and milk, a*b*c"),
        ("See [`fs.open_sync()`](fs.md)", "See fs.open_sync()"),
        ('The 2<sup>nd</sup> `<b>` of a < b<a name="x"></a>', "The 2nd <b> of a < b"),
    ],
)
def test_a_name_in_a_heading_keeps_its_underscores(heading: str, title: str) -> None:
    blocks, _ = read_markdown(f"# {heading}\n\nText below it.\n")
    assert blocks[0].title == title


FRONT = """---
title: 'Tea: a treatise'  # working title
authors: [A. Writer, "B. Reader"]
date: 2021-03-16
tags:
  - leaves
  - "hot, strong"
steps: [dry, 'sort, twice',
  steep]
summary: >
  All of tea,
  in a page.
nested:
  key: value
empty:
words: 7
collection: secret
1st: no name
---
Tea is hot.
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_front_matter_gives_metadata(newline: str) -> None:
    document = read_bytes(FRONT.replace("\n", newline).encode(), name="tea.md")
    assert document.title == "Tea: a treatise"
    assert document.metadata == {
        "author": ("A. Writer", "B. Reader"),
        "date": ("2021-03-16",),
        "tags": ("leaves", "hot, strong"),
        "steps": ("dry", "sort, twice", "steep"),
        "summary": ("All of tea, in a page.",),
    }


def test_front_matter_that_is_none_is_text() -> None:
    assert read_bytes(b"---\nTea is hot.\n---\nVery.\n", name="tea.md").metadata == {}
    assert read_bytes(("---\n" + "x: [" * 50_000 + "\n---\nTea.").encode(), name="tea.md").title


def test_a_long_front_matter_is_read_in_linear_time() -> None:
    for line in ("a:\n" + " \n" * 50_000, "a: " + "'" * 100_000, "a:\n" + " - x\n" * 50_000, "a: [" + "x," * 50_000):
        assert read_bytes(f"---\n{line}\n---\nTea is hot.\n".encode(), name="tea.md").paragraphs


@pytest.mark.parametrize(
    "markup",
    [
        "<!-- a\ncomment -->",
        '<div align="center">\n  <img src="a.png">\n</div>',
        "</section>",
        "[![build](https://x.y/a.svg)](https://x.y) [![npm][npm-image]][npm-url]",
        "::: {.callout-note}",
        "::::::::::::",
        "{% include JB/setup %}",
        "{{< include _head.md >}}",
        "{: .no_toc }",
        "import Button from '@site/button';",
        '<Button link="a" />',
    ],
)
def test_lines_of_nothing_but_markup_are_left_out(markup: str) -> None:
    document = read_bytes(f"# Tea\n\nBoil it.\n\n{markup}\n\nWait.\n".encode(), name="a.md")
    assert " ".join(document.text.split()) == "# Tea Boil it. Wait."


@pytest.mark.parametrize(
    "text",
    [
        "Use `<!-- x -->` or <!-- to begin.",
        "import tea from the shop",
        "<username>",
        "![A cup of tea](a.png)",
        "```html\n<div>\n:::\n```",
        "Tea <b>is</b> hot {.5}.",
    ],
)
def test_lines_that_say_something_are_kept(text: str) -> None:
    assert read_bytes(f"# Tea\n\n{text}\n".encode(), name="a.md").text == f"# Tea\n\n{text}\n"


def test_definitions_of_links_are_apart_from_the_sentence_above() -> None:
    document = read_bytes(b"See [the site][site].\n\n[site]: https://x.y\n[b c]: /d 'E'\n", name="a.md")
    kinds = [(p.kind.value, document.quote(p.start, p.end).split()[0]) for p in document.paragraphs]
    assert kinds == [("prose", "See"), ("code", "[site]:")]


@pytest.mark.parametrize("name", ["a.mdx", "a.qmd", "a.Rmd"])
def test_relatives_of_markdown_are_read_as_markdown(name: str) -> None:
    kinds = [p.kind.value for p in read_bytes(b"# Tea\n\nBoil it.\n\n```{r}\nx <- 1\n```\n", name=name).paragraphs]
    assert kinds == ["heading", "prose", "code"]


def test_words_between_two_comments_are_kept() -> None:
    source = b"<!-- a --> Hot tea burns.\nCool it. <!-- b -->\n\n<!-- c --> <!-- d -->\nServe it.\n"
    text = read_bytes(source, name="a.md").text
    assert "Hot tea burns." in text
    assert "Cool it." in text
    assert "<!-- c" not in text


@pytest.mark.parametrize(
    "text",
    [
        "Prices rise\n<!-- to be checked -->\nin May. They fall in June.\n",
        "Prices rise\n<br>\nin May. They fall in June.\n",
        "- Prices rise\n  <!-- to be checked -->\n  in May.\n- They fall in June.\n",
    ],
)
def test_a_quotation_stands_in_the_file_to_the_letter_beside_lines_that_are_left_out(text: str) -> None:
    document = read_bytes(text.encode(), name="prices.md")
    quotations = [document.quote(one.start, one.end) for part in document.paragraphs for one in part.sentences]
    assert quotations
    assert all(quotation.strip() in text for quotation in quotations)
    assert not any("<" in quotation for quotation in quotations)


HTML_TABLE = """\
<table border="0">
<caption>Cups we have</caption>
<thead><tr><th>Name</th><th>Size</th><th>Note</th></tr></thead>
<tbody>
<!-- <tr><td>no</td></tr> -->
<tr>
<td>Oo</td>
<td align="right">3&nbsp;cm</td>

<td rowspan=2><a href="x">light</a> blue</td>
</tr>
<tr><td>Pu<td>5
</tbody>
</table>
"""


def test_tables_of_html_within_markdown_are_tables_to_the_letter() -> None:
    text = f"# Tea\n\nThese are here.\n\n<div>{HTML_TABLE}</div>\n\nAfter it.\n"
    document = read_bytes(text.encode(), name="a.md")
    check_cells(document)
    assert rows(document) == [
        "Cups we have. Name. Oo: Size: 3&nbsp;cm; Note: light blue",
        "Cups we have. Name. Pu: Size: 5; Note: light blue",
    ]
    assert [part.kind.value for part in document.paragraphs] == ["heading", "prose", "table", "prose"]
    assert HTML_TABLE.strip() in document.text


@pytest.mark.parametrize(
    "text",
    [
        f"```html\n{HTML_TABLE}```\n",
        '<table><tr><td><img src="a.png"></td></tr></table>\n\nTea.\n',
        "<table><tr><td><h2>Tea</h2></td><td>It is hot.</td></tr></table>\n",
        "<table><tr><td>One</td><td>Two\n",
    ],
)
def test_code_and_tables_that_arrange_the_page_are_no_tables_of_markdown(text: str) -> None:
    assert not read_bytes(text.encode(), name="a.md").tables


def test_a_tag_of_a_table_that_never_ends_hides_no_table_below_it() -> None:
    document = read_bytes(f"# Tea\n\nBegin with `<table>`.\n\n{HTML_TABLE}\nAfter it.\n".encode(), name="a.md")
    assert len(rows(document)) == 2
    assert "Begin with `<table>`." in document.text


@pytest.mark.parametrize(
    "unit", ["<table>", "<table><tr><td>a</table>\n\n", "<table><td>a<td>b</table>", "<td>", "<table>\n\n", "<!--"]
)
def test_tables_of_html_within_markdown_take_linear_time(unit: str) -> None:
    started = time.process_time()
    for end in ("", "</table>\n"):
        read_bytes(f"Tea.\n\n<table>{unit * 10_000}{end}".encode(), name="a.md")
    assert time.process_time() - started < 10
