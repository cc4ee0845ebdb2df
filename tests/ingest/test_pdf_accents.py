"""PDFs that draw accents apart from their letters, as LaTeX does with its old font encoding."""

import io

from tests.ingest.pdf_writer import Text, pdf
from treatise.ingest import read_document_with_report


def lines(*texts: Text) -> list[str]:
    document, _ = read_document_with_report(io.BytesIO(pdf([list(texts)])), name="a.pdf")
    return document.text.split("\n")


def test_an_accent_is_composed_with_the_letter_that_it_is_drawn_over() -> None:
    before = (Text(50, 700, "Programaci"), Text(102.2, 700, "´"), Text(101.1, 700, "on avanzada de la escuela"))
    after = (Text(50, 600, "Seccion de los alumnos"), Text(75.6, 600, "´"))
    found = lines(*before, *after)
    assert "Programación avanzada de la escuela" in found
    assert "Sección de los alumnos" in found


def test_a_cedilla_is_below_its_letter() -> None:
    # the c begins after "le" and "¸" is as wide as an acute accent
    assert "leçon de piano" in lines(Text(50, 700, "lecon de piano"), Text(58.6, 700, "¸"))


def test_an_accent_beside_letters_stays() -> None:
    found = lines(Text(50, 700, "the sign ´ is an acute accent"), Text(50, 600, "run `make` twice"))
    assert "the sign ´ is an acute accent" in found
    assert "run `make` twice" in found
