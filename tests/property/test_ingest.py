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
