"""Words that plain text breaks at line ends."""

import pytest

from treatise.core.hyphens import unhyphenated


@pytest.mark.parametrize(
    ("broken", "whole", "expected"),
    [
        ("Daten-\nschutz", "Daten brauchen Schutz.", "Datenschutz"),
        ("wasser-\ndicht", "Wasser hält dicht.", "wasserdicht"),
        ("Haupt-\nstraße", "Die Hauptstraße am Haupt der straße.", "Hauptstraße"),
        ("over-\ncome", "They come over.", "overcome"),
        ("Server-\nside", "The server is on this side.", "Server-side"),
        ("thirty-\nfive", "", "thirty-five"),
    ],
)
def test_parts_of_a_compound_are_words_as_they_are_spelled(broken: str, whole: str, expected: str) -> None:
    assert unhyphenated(broken, whole).strip() == expected


@pytest.mark.parametrize(
    "address",
    [
        "ann-\nlee@example.org",
        "ann@uni-\ntown.example",
        "docker-\ncompose.yml",
        "max_line-\nlength",
        "?a=b&utm-\nsource=3",
    ],
)
def test_addresses_and_names_in_code_keep_their_hyphens(address: str) -> None:
    assert unhyphenated(address).strip() == address.replace("\n", "")


@pytest.mark.parametrize("text", ["_empha-\nsis_", "para-\ngraph...", "tence, i.e. in-\nformation"])
def test_marks_around_a_word_make_no_address_of_it(text: str) -> None:
    assert unhyphenated(text).strip() == text.replace("-\n", "")
