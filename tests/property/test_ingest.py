"""Laws of reading: nothing lost, everything tiles, and no input gets past the reader's own errors."""

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ingest.samples import SAMPLES
from treatise.core.document import ParagraphKind
from treatise.core.errors import SourceError
from treatise.ingest import read_bytes
from treatise.ingest.formats import FORMATS
from treatise.ingest.markdown import read_markdown
from treatise.ingest.pdf_hyphens import Hyphens
from treatise.ingest.plain_text import read_plain_text
from treatise.ingest.sentences import MAX_SENTENCE_CHARS, sentence_lengths

GOLDEN = Path(__file__).parent.parent / "golden"
ANY_TEXT = st.text(st.characters(), max_size=400)  # surrogates and control characters too
LINES = st.lists(
    st.sampled_from(
        [
            *(
                "",
                " ",
                "A line of prose that is about as long as others.",
                "1. x",
                "- y",
                "TITLE",
                "====",
                "a\tb",
                "Bob: hi",
            ),
            *(
                "1.1 Two",
                "“Yes.”",
                "第一章",
                "Chapter 1",
                "\u3000中文。",
                "| a |",
                "```",
                "> q",
                "# h",
                "\x0c",
                "\u2028",
            ),
        ]
    ),
    max_size=30,
).map("\n".join)


ORG_BLOCKS = """
Tea is hot, and cools in 5 minutes.
Stir it. Drink it.
* TODO Buy tea
** Cups
# a comment
#+STARTUP: indent
:PROPERTIES:↵:ID: 5↵:END:
- green
  - light
1. black
#+BEGIN_SRC c
#+END_SRC
#+begin_quote
#+end_quote
#+begin_comment
#+end_comment
: 5 cups
-----
* COMMENT Hidden
| Name | Size |
|------+------|
| Small | 3 |
#+CAPTION: Cups
#+RESULTS:
"""
ORG_MARKS = r"""
See [[https://x.org][the *site*]] and [[y]].
It is /hot/ =a*b= ~c~ _d_.[fn:1]
[fn:1] A note[fn:: of /mine/].
<<a>> {{{m}}}
On <2024-03-04 Mon> @@html:<b>@@it@@html:</b>@@.
** TODO [#A] *Tea* :hot:
=b= *c* /d/
[[file:a.png]]
*a
[[
a\\
"""
WIKI_LINES = """
Tea is hot.
\'\'\'Tea\'\'\' is [[a|b]] or [[c]].
It is {{convert|5|km}} long.
{{x|y
}}
<!-- c -->
{{x|<!-- z -->
== Cups ==
* a
## b
; t
: d
{| class="x"
|+ C
! H !! I
|-
| x || style="a" | y
|}
Hot.<ref>A note of four words.</ref>
<nowiki>\'\'
</nowiki>
<pre>
 code
</pre>
[[
[[File:a.png|thumb|A [[cup]]]]
[http://x.org y]
2<sup>3</sup>
__TOC__
"""


def some_lines(of: str) -> st.SearchStrategy[str]:
    return (
        st.lists(st.sampled_from(of.split("\n")), max_size=20).map("\n".join).map(lambda text: text.replace("↵", "\n"))
    )


def stands_in(text: str, source: str) -> bool:
    """Whether the characters of a text stand in a source in this order, white space aside."""
    characters = iter("".join(source.split()))
    return all(character in characters for character in "".join(text.split()))


@given((ANY_TEXT | LINES).filter(bool), st.sampled_from(ParagraphKind), st.sampled_from(["en", "zh", "de", "xx"]))
def test_sentences_tile_any_paragraph(text: str, kind: ParagraphKind, language: str) -> None:
    lengths = sentence_lengths(text, kind, language)
    assert sum(lengths) == len(text)
    assert all(0 < length <= MAX_SENTENCE_CHARS for length in lengths)


@given(ANY_TEXT | LINES)
def test_plain_text_and_markdown_keep_every_character(text: str) -> None:
    assert "".join(block.text for block in read_plain_text(text)) == text
    assert "".join(block.text for block in read_markdown(text)[0]) == text


@given(ANY_TEXT | LINES, st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]), st.sampled_from(["text", "markdown"]))
def test_a_decoded_document_is_the_file(text: str, encoding: str, format_name: str) -> None:
    with contextlib.suppress(SourceError, UnicodeEncodeError):
        document = read_bytes(text.encode(encoding), format=format_name)
        assert document.text == text.removeprefix("\ufeff")
        assert all(section.start < len(text) for section in document.sections)


@given(some_lines(ORG_BLOCKS))
def test_quotations_of_org_without_marks_within_lines_stand_in_the_file_to_the_letter(text: str) -> None:
    with contextlib.suppress(SourceError):
        document = read_bytes(text.encode(), format="org")
        assert all(
            document.quote(one.start, one.end).strip().removeprefix("* TODO ") in text
            for part in document.paragraphs
            for one in part.sentences
        )


@given(some_lines(ORG_BLOCKS + ":PROPERTIES:\n:END:" + ORG_MARKS) | ANY_TEXT)
def test_nothing_but_marks_of_org_is_left_out_and_nothing_is_added(text: str) -> None:
    with contextlib.suppress(SourceError, UnicodeEncodeError):
        assert stands_in(read_bytes(text.encode(), format="org").text, text)


@given(some_lines(WIKI_LINES) | ANY_TEXT)
def test_nothing_but_white_space_is_added_to_a_paragraph_of_mediawiki(text: str) -> None:
    with contextlib.suppress(SourceError, UnicodeEncodeError):
        document = read_bytes(text.encode(), format="mediawiki")
        assert all(stands_in(document.quote(part.start, part.end), text) for part in document.paragraphs)


@given(st.lists(st.text("abc ÄЖ中. ", min_size=1), min_size=1, max_size=9))
def test_a_page_keeps_its_words(paragraphs: list[str]) -> None:
    html = "<!doctype html>" + "".join(f"<p>{text}</p>" for text in paragraphs)
    words = " ".join(paragraphs).split()
    if words:
        assert read_bytes(html.encode()).text.split() == words


@pytest.mark.parametrize("format_name", FORMATS)
@given(data=st.binary(max_size=300))
def test_no_bytes_raise_anything_but_our_errors(format_name: str, data: bytes) -> None:
    with contextlib.suppress(SourceError):
        read_bytes(data, format=format_name)


@pytest.mark.parametrize("format_name", FORMATS)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(edits=st.lists(st.tuples(st.integers(0, 10_000), st.binary(max_size=4), st.integers(0, 6)), max_size=6))
def test_no_damage_raises_anything_but_our_errors(format_name: str, edits: list[tuple[int, bytes, int]]) -> None:
    data = SAMPLES[format_name]
    for at, new, n_dropped in edits:
        cut = at % (len(data) + 1)
        data = data[:cut] + new + data[cut + n_dropped :]
    with contextlib.suppress(SourceError):
        read_bytes(data, name=f"a.{format_name}", format=format_name)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.text(min_size=1))
def test_joined_lines_lose_at_most_a_hyphen(before: str, after: str) -> None:
    joined = Hyphens().join(before, after)
    assert joined.endswith(after)
    assert joined[: -len(after)] in (before, before + " ", before[:-1])
