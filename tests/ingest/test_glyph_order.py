"""Characters by the numbers and shapes of glyphs: never a wrong one, in any order of glyphs."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ingest.truetype_writer import font
from treatise.ingest.glyph_order import characters_of, decoded
from treatise.ingest.truetype import MACINTOSH, TrueType

TEXT = 'The “river” – says Müller’s café – carries (2018) gravel, naïve; façade: "Größe" … œuvre.'
OFFICE = MACINTOSH.replace("\xa0", "").replace("\uf8ff", "")
LATIN_1 = MACINTOSH[:98] + "\xa0" + "".join(map(chr, range(0xA1, 0x100)))
ORDERS = {"macintosh": MACINTOSH, "office": OFFICE, "latin-1": LATIN_1}


def numbers(text: str, glyphs: Sequence[str]) -> list[int]:
    return [glyphs.index(character) for character in text]


def test_the_standard_set_has_258_glyphs_from_the_space_to_d_with_stroke() -> None:
    assert len(MACINTOSH) == 258
    assert (MACINTOSH[3], MACINTOSH[36], MACINTOSH[68], MACINTOSH[180:184], MACINTOSH[257]) == (*" Aa", "“”‘’", "đ")


@pytest.mark.parametrize("order", ORDERS)
def test_a_part_of_a_font_in_a_common_order_tells_its_characters(order: str) -> None:
    glyphs = ORDERS[order]
    text = "".join(character for character in TEXT if character in glyphs)
    characters = characters_of(TrueType(font(glyphs, used=text)))
    assert decoded(numbers(text, glyphs), characters) == text


def test_glyphs_numbered_anew_tell_nothing() -> None:
    glyphs = "\0" + "".join(sorted(set(TEXT)))
    assert characters_of(TrueType(font(glyphs))) == {}


def test_glyphs_numbered_anew_are_told_by_a_map_in_the_font() -> None:
    glyphs = "\0" + "".join(sorted(set(TEXT)))
    characters = characters_of(TrueType(font(glyphs, stated=glyphs)))
    assert decoded(numbers(TEXT, glyphs), characters) == TEXT


def test_a_map_that_the_shapes_speak_against_is_not_believed() -> None:
    glyphs = "\0" + "".join(sorted(set(TEXT)))
    assert characters_of(TrueType(font(glyphs, stated=glyphs[::-1]))) == {}


def test_few_capitals_are_decoded_only_if_another_font_of_the_family_was() -> None:
    heading = TrueType(font(OFFICE, used="SCHEDULE 1"))
    assert characters_of(heading) == {}
    characters = characters_of(heading, is_expected=True)
    assert decoded(numbers("SCHEDULE 1", OFFICE), characters) == "SCHEDULE 1"


@given(st.text(st.sampled_from(sorted(set(OFFICE) - set("\0¤"))), min_size=1))
def test_what_is_told_is_right(text: str) -> None:
    characters = characters_of(TrueType(font(OFFICE, used=text)))
    read = decoded(numbers(text, OFFICE), characters)
    assert len(read) == len(text)
    assert not characters or all(got in (character, "\ufffd") for got, character in zip(read, text, strict=True))


@given(st.integers(0, 2**32))
def test_glyphs_in_any_other_order_are_never_read_as_something(seed: int) -> None:
    glyphs = list(dict.fromkeys(TEXT))
    random.Random(seed).shuffle(glyphs)
    assert characters_of(TrueType(font("\0\0\0" + "".join(glyphs)))) == {}


@given(st.data())
def test_a_damaged_font_is_an_error_or_is_read_but_never_breaks(data: st.DataObject) -> None:
    program = bytearray(font(OFFICE, stated=OFFICE))
    for _ in range(data.draw(st.integers(1, 40))):
        program[data.draw(st.integers(4, len(program) - 1))] = data.draw(st.integers(0, 255))
    try:
        damaged = TrueType(bytes(program[: data.draw(st.integers(4, len(program)))]))
    except ValueError:
        return
    assert all(len(character) == 1 for character in characters_of(damaged).values())


@given(st.binary(max_size=300))
def test_other_bytes_are_no_font(data: bytes) -> None:
    try:
        characters_of(TrueType(b"\0\1\0\0" + data))
    except ValueError:
        return
