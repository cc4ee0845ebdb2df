"""Trees of texts, and of the documents of spaCy and Stanza where these are installed."""

from typing import Any

import pytest

import treatise
from treatise.core.document import Span
from treatise.core.errors import DataError, SourceError
from treatise.integrations.parsing import parse_text, tokenised
from treatise.parse.parsed import ParsedText

TEXT = "Keep the lid on if the water boils.  It saves gas.\n\nTea is next, because guests wait."
UNITS = (
    "Keep the lid on",
    "if the water boils.",
    "It saves gas.",
    "Tea is next,",
    "because guests wait.",
)


@pytest.fixture(scope="module")
def parsed() -> ParsedText:
    return treatise.parse_text(TEXT)


def test_a_text_has_units_in_paragraphs_at_exact_places(parsed: ParsedText) -> None:
    assert parsed.units == UNITS
    assert [len(paragraph) for paragraph in parsed.paragraphs] == [3, 2]
    assert [TEXT[span.start : span.end] for span in parsed.spans] == list(UNITS)


def test_sentences_can_be_units() -> None:
    assert len(parse_text(TEXT, units="sentence").units) == 3


def test_a_notebook_shows_the_tree_without_a_script(parsed: ParsedText) -> None:
    shown = parsed._repr_html_()
    assert "Tea is next" in shown
    assert "<script" not in shown


@pytest.mark.parametrize("source", [None, 3, b"Tea.", ["Tea."], {}])
def test_what_is_no_text_is_refused(source: object) -> None:
    with pytest.raises(DataError, match="expected a text"):
        parse_text(source)


@pytest.mark.parametrize("source", ["", " \n\t"])
def test_a_text_without_words_is_refused(source: str) -> None:
    with pytest.raises(SourceError, match="no text"):
        parse_text(source)


def test_units_of_another_kind_are_refused() -> None:
    with pytest.raises(DataError, match="'edu' or 'sentence'"):
        parse_text("Tea.", units="clause")


def spacy_doc(text: str, *, sentencizer: bool = True) -> Any:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed: scripts/integrations parsing")
    nlp = spacy.blank("en")
    if sentencizer:
        nlp.add_pipe("sentencizer")
    return nlp(text)


@pytest.mark.parametrize("sentencizer", [True, False])
def test_a_doc_of_spacy_gives_the_tree_of_its_text_with_its_tokens(parsed: ParsedText, sentencizer: bool) -> None:
    doc = spacy_doc(TEXT, sentencizer=sentencizer)
    found = parse_text(doc)
    assert (found.units, found.tree) == (parsed.units, parsed.tree)
    assert [len(paragraph) for paragraph in found.paragraphs] == [3, 2]
    words = [token for token in doc if token.text.strip()]
    assert [found.source.quote(token) for token in found.source.tokens] == [token.text for token in words]
    assert all(doc.char_span(span.start, span.end) is not None for span in found.spans)


def test_an_empty_doc_is_refused() -> None:
    with pytest.raises(SourceError, match="no text"):
        parse_text(spacy_doc("  "))


def stanza_document(text: str | None) -> Any:
    stanza = pytest.importorskip("stanza", reason="Stanza is not installed: scripts/integrations parsing")
    from stanza.models.common.doc import Document

    assert stanza
    places = tokenised(TEXT)
    sentences = [
        [
            {
                "id": (number,),
                "text": places.quote(token),
                **({"start_char": token.start, "end_char": token.end} if text else {}),
            }
            for number, token in enumerate(places.tokens[first:last], 1)
        ]
        for first, last in places.tokens_of_sentences()
    ]
    return Document(sentences, text=text)


def test_a_document_of_stanza_gives_the_tree_of_its_text(parsed: ParsedText) -> None:
    found = parse_text(stanza_document(TEXT))
    assert (found.units, found.tree) == (parsed.units, parsed.tree)
    assert found.source.tokens == parsed.source.tokens


def test_a_document_of_stanza_without_its_text_is_parsed_from_its_tokens(parsed: ParsedText) -> None:
    found = parse_text(stanza_document(None))
    assert "".join("".join(found.units).split()) == "".join("".join(parsed.units).split())
    assert len(found.source.sentences) == len(parsed.source.sentences)
    assert found.source.sentences[0] == Span(0, len("Keep the lid on if the water boils ."))


def test_a_lone_surrogate_is_replaced_and_the_rest_of_the_text_is_kept() -> None:
    parsed = parse_text("Caf\u00e9 \ud800 opens. It \ud83d\ude00 works.", units="sentence")
    assert parsed.units == ("Caf\u00e9 \ufffd opens.", "It \U0001f600 works.")
