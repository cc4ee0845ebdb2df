from dataclasses import replace

from treatise.core.document import Span, trim
from treatise.embed.leaves import contexts
from treatise.ingest import read_bytes

SOURCE = b"""\\section{Ships}

The harbour holds ships.

\\begin{tabular}{ll}
year & ships \\\\
1901 & 40 \\\\
1902 & 52 \\\\
\\end{tabular}
"""


def test_rows_of_a_table_without_known_structure_have_the_table_around_them() -> None:
    document = replace(read_bytes(SOURCE, name="ships.tex"), tables=())
    units = [sentence for paragraph in document.paragraphs for sentence in paragraph.sentences]

    texts, spans = contexts(document, [Span(unit.start, unit.end) for unit in units])

    assert len(texts) == len(document.paragraphs)
    assert texts[-1].startswith("year\tships")
    assert texts[-1].endswith("1902\t52")
    assert len(spans[-1]) > 1


def test_markup_is_text_in_code_and_blank_elsewhere() -> None:
    document = read_bytes(b"See [tea](/tea.md).\n\n    see [tea](/tea.md)\n\n`[tea](/tea.md)` links.\n", name="a.md")
    units = [trim(document.text, one) for paragraph in document.paragraphs for one in paragraph.sentences]
    texts, _ = contexts(document, units)
    assert [" ".join(text.split()) for text in texts] == ["See tea .", "see [tea](/tea.md)", "`[tea](/tea.md)` links."]
