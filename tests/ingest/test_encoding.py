"""Bytes to characters in the encodings that texts come in."""

import contextlib

import pytest

from treatise.core.errors import DamagedSourceError, SourceError
from treatise.ingest.encoding import decode

RUSSIAN = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему. " * 4
CHINESE = "话说天下大势，分久必合，合久必分。周末七国分争，并入于秦。及秦灭之后，楚汉分争，又并入于汉。" * 4
JAPANESE = (
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で泣いていた。" * 4
)
GERMAN = "Ich weiß nicht, was soll es bedeuten, daß ich so traurig bin; ein Märchen aus alten Zeiten für Größe. " * 4


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp1251"),
        (CHINESE, "gb18030"),
        (JAPANESE, "shift-jis"),
        (GERMAN, "cp1252"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-16-le"),
        (CHINESE, "utf-32"),
    ],
)
def test_a_text_comes_back_whatever_its_encoding(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding), "a.txt").text == text


def test_a_declared_encoding_is_believed_where_it_fits() -> None:
    assert decode("Ž".encode("cp1250"), "a.html", declared="cp1250").text == "Ž"
    assert decode("Ž".encode(), "a.html", declared="cp1250").text == "Ž"


def test_a_text_cut_within_a_character_is_damaged() -> None:
    with pytest.raises(DamagedSourceError, match=r"a\.txt: not valid UTF-8"):
        decode(RUSSIAN.encode()[:-3], "a.txt")
    with pytest.raises(DamagedSourceError, match="not valid utf-16-le"):
        decode(GERMAN.encode("utf-16")[:-1], "a.txt")


@pytest.mark.parametrize("declared", ["", "no-such-code", "utf-7", "base64", "idna"])
def test_an_odd_declaration_does_no_harm(declared: str) -> None:
    with contextlib.suppress(SourceError):
        decode(b"caf\xe9 cr\xe8me et g\xe2teau", "a.html", declared=declared)


def test_a_few_accents_in_an_english_text_are_western() -> None:
    text = "The naïve café opened in 1987. Its owner sold 300 croissants a day – “the best in town”, as she said."
    assert decode(text.encode("cp1252"), "a.txt").text == text
