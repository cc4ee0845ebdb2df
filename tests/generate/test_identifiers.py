"""Questions with versions, sections and ordinals: what is refused, and what is read."""

from dataclasses import replace

import pytest
from builders import make_document

from treatise.core.document import Document, Paragraph, ParagraphKind, TiledParagraphs, trim
from treatise.core.evidence import Evidence, Passage
from treatise.generate.beside import beside_identifiers, release_above, with_ordinal
from treatise.generate.identifiers import Identifier
from treatise.generate.mismatch import mismatch
from treatise.generate.ordinals import unknown_ordinal
from treatise.generate.section_text import answer_section
from treatise.ingest import read_bytes

NOTES = make_document(
    [
        ["2.1.0 (2021-03-04)"],
        ["The kettle whistles.", "German was added."],
        ["2.0.5 (2020-01-02)"],
        ["The lid was mended.", "French was added."],
        ["All fixes from 2.0.4 are in it.", "Release 12 of the cups is meant, not release 11."],
    ]
)
HISTORY = make_document(
    [["Maria was the first leader.", "The second treasurer was Jo.", "Another meeting is on Monday."]]
)


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("When did 2.0.7 come out?", "2.0.7"),
        ("When was version 3.0.0 released?", "version 3.0.0"),
        ("What was in release 77?", "release 77"),
        ("What does --quiet do?", "--quiet"),
        ("What is in /opt/tea?", "/opt/tea"),
        ("Who was the second leader?", "a second leader"),
        ("x", ""),
        ("What is the?", ""),
    ],
)
def test_what_the_document_has_under_other_numbers_only_is_refused(question: str, missing: str) -> None:
    document = HISTORY if "leader" in question else NOTES
    verb = "never mentions" if "/" in question or "--" in question else "does not speak of"
    reason = f"the document {verb} {missing}" if missing else "the question names nothing that could be looked for"
    assert mismatch(question, [document]) == reason


@pytest.mark.parametrize(
    "question",
    [
        "When did 2.0.5 come out?",
        "What was in release 12?",
        "Who was the second treasurer?",
        "Who was the first leader?",
        "When is the next meeting?",
        "Which 30 kettles were sold in 2020?",
    ],
)
def test_what_it_has_is_not_refused(question: str) -> None:
    document = HISTORY if any(word in question for word in ("leader", "treasurer", "meeting")) else NOTES
    assert mismatch(question, [document]) is None


TABLE = """<p>Foxy 2 was its first name. Foxy 3.0.21 and later remove the header. Squid 3.0.40 is another thing.</p>
<table><tr><th>System</th><th>Foxy Release</th><th>Earliest</th></tr>
<tr><td>Windows</td><td>3.0.33</td><td>Vista</td></tr>
<tr><td>Windows</td><td>3.0.32</td><td>XP</td></tr><tr><td>Linux</td><td>3.1</td><td>5</td></tr></table>"""


@pytest.mark.parametrize(
    ("question", "is_known"),
    [
        ("What is the earliest system of Foxy 3.0.33?", True),
        ("What is the earliest system of Foxy 3.1?", True),
        ("What does Foxy 3.0.21 remove?", True),
        ("What is the earliest system of Foxy 3.0.34?", False),
        ("What is the earliest system of Foxy 3.0.40?", False),
        ("What is the earliest system of Foxy 5?", False),
    ],
)
def test_a_version_may_stand_without_its_name(question: str, *, is_known: bool) -> None:
    assert (mismatch(question, [read_bytes(TABLE.encode(), name="page.html")]) is None) is is_known


def test_rows_of_another_version_without_its_name_are_left_out() -> None:
    document = read_bytes(TABLE.encode(), name="page.html")
    spans = [trim(document.text, one) for one in document.sentences()]
    passages = tuple(Passage(document.id, one, document.quote(one.start, one.end), 1.0) for one in spans if len(one))
    evidence = Evidence("What is the earliest system of Foxy 3.0.33?", passages, "", len(spans), 0.9)
    texts = [one.text for one in beside_identifiers(evidence, [document]).passages]
    assert "Windows\t3.0.33\tVista" in texts
    assert "Windows\t3.0.32\tXP" not in texts


def test_only_what_stands_below_the_version_is_read() -> None:
    found = beside_identifiers(_evidence("Which language was added in 2.0.5?", NOTES, n=4), [NOTES])
    texts = [one.text for one in found.passages]
    assert "French was added." in texts
    assert "German was added." not in texts


def test_a_numbered_section_is_known_by_its_heading() -> None:
    document = make_document(
        [
            ["1. Rent"],
            ["It is due monthly."],
            ["2. Repairs"],
            ["They are due yearly."],
            ["See section 1, not section 3."],
        ],
        headings=(0, 2),
    )
    found = beside_identifiers(_evidence("When is it due by section 2?", document), [document])
    assert "They are due yearly." in [one.text for one in found.passages]
    assert "It is due monthly." not in [one.text for one in found.passages]
    assert mismatch("What does section 7 say?", [document]) == "the document does not speak of section 7"


def test_a_question_without_an_identifier_or_with_the_only_one_changes_nothing() -> None:
    for question in ("Which language was added?", "What was mended in Teapot 3?"):
        evidence = _evidence(question, NOTES)
        assert beside_identifiers(evidence, [NOTES]) is evidence


def test_the_release_of_a_passage_is_the_last_one_named_above_it() -> None:
    at = NOTES.text.index("French")
    span = release_above(NOTES, trim(NOTES.text, NOTES.paragraph_at(at).sentences[1]))
    assert span is not None
    assert NOTES.quote(span.start, span.end) == "2.0.5 (2020-01-02)"


def test_the_version_of_another_thing_is_not_that_of_a_change() -> None:
    paragraphs = [
        ["2.4 (2024-10-29)"],
        ["Drop support for Python 3.7."],
        ["Lid 3.1 is Python 3.8."],
        ["Teapot 9 will leak."],
    ]
    document = make_document(paragraphs, headings=(0,))
    spans = [trim(document.text, one.sentences[0]) for one in document.paragraphs]
    question = "In which version was support for Python 3.7 dropped?"
    for span in spans[1:]:
        assert release_above(document, span, question) == spans[0]
    assert release_above(document, spans[3], "Since which version does the Teapot leak?") is None


def test_a_row_of_a_table_is_no_release_of_what_stands_below_it() -> None:
    page = (
        "<table><tr><th>System</th><th>Release</th></tr><tr><td>Linux</td><td>3.0.33</td></tr></table><p>The lid shuts."
    )
    document = read_bytes(page.encode(), name="page.html")
    at = document.text.index("The lid")
    assert release_above(document, trim(document.text, document.paragraph_at(at).sentences[0])) is None


def test_the_number_of_a_section_is_no_release() -> None:
    document = make_document([["3.1.9 What is new"], ["The lid shuts."]], headings=(0,))
    assert release_above(document, trim(document.text, document.paragraphs[1].sentences[0])) is None


@pytest.mark.parametrize("form", ["Tea {} {} (May)", 'Tea v{}\t("{}")', "Tea {}“{}”", "## Tea {} «{}»: May"])
def test_a_release_is_known_by_its_name(form: str) -> None:
    lines = [[form.format(number, name)] for number, name in (("1.1", "Rex"), ("1.2", "Bo"), ("1.3", "Ham"))]
    document = make_document([lines[0], ["The lid shuts."], lines[1], ["The lid leaks."], lines[2], ["It whistles."]])
    found = beside_identifiers(_evidence("What does the lid of Bo do?", document), [document])
    assert "The lid leaks." in [one.text for one in found.passages]
    assert "The lid shuts." not in [one.text for one in found.passages]


def test_no_paragraph_is_made_to_look_for_a_release_that_the_question_cannot_name() -> None:
    made = []

    class Noted(TiledParagraphs):
        def _paragraph(self, at: int) -> Paragraph:
            made.append(at)
            return super()._paragraph(at)

    lengths = [[len(sentence) for sentence in one.sentences] for one in NOTES.paragraphs]
    notes = replace(NOTES, paragraphs=Noted([one.kind for one in NOTES.paragraphs], lengths))
    evidence = _evidence("German was added when?", NOTES)
    made.clear()
    assert beside_identifiers(evidence, [notes]) is evidence
    assert not made


def test_a_section_is_quoted_from_its_beginning() -> None:
    paragraphs = [["4. You may copy the tea.", "You must not sell it."], ["5. The kettle is not yours to keep."]]
    document = make_document(paragraphs)
    answer = answer_section(_evidence("What does section 5 say?", document), document)
    assert answer is not None
    assert [one.quote for one in answer.citations] == ["5. The kettle is not yours to keep."]
    assert answer_section(_evidence("Who wrote section 5?", document), document) is None
    assert answer_section(_evidence("What does section 9 say?", document), document) is None


def test_roman_numerals_number_sections() -> None:
    document = make_document(
        [["Article II"], ["Tea is hot."], ["Article III"], ["Milk is cold in winter."]], headings=(0, 2)
    )
    answer = answer_section(_evidence("What does article 3 say?", document), document)
    assert answer is not None
    assert answer.text == "Milk is cold in winter."


def test_sentences_with_the_ordinal_are_read_too() -> None:
    evidence = _evidence("When is the next meeting?", HISTORY, n=1)
    assert "Another meeting is on Monday." in [one.text for one in with_ordinal(evidence, [HISTORY]).passages]


def _evidence(question: str, document: Document, n: int = 99) -> Evidence:
    spans = [trim(document.text, one) for one in document.sentences()]
    kinds = [document.paragraph_at(span.start).kind for span in spans]
    kept = [span for span, kind in zip(spans, kinds, strict=True) if kind is not ParagraphKind.HEADING][:n]
    passages = tuple(Passage(document.id, one, document.quote(one.start, one.end), 1.0) for one in kept)
    return Evidence(question, passages, "", 300, 0.9)


@pytest.mark.parametrize(
    ("question", "text", "missing"),
    [
        ("第三条缆车线路什么时候开工？", "2028年之前还将修建第二条缆车线路。", "a third 条缆车线路什"),
        ("第二条缆车线路什么时候开工？", "2028年之前还将修建第2条缆车线路。", None),
        ("第三条缆车线路什么时候开工？", "缆车线路的工程由省第三建筑公司承担。", "a third 条缆车线路什"),
        ("第二条缆车线路什么时候开工？", "缆车线路（III）的工程已经开始。", "a second 条缆车线路什"),
        ("第三条缆车线路什么时候开工？", "缆车线路（III）的工程已经开始。", None),
        ("第三次会议在哪里开？", "第三届年度会议在北京开。", None),
        ("第3回の会議はいつですか。", "第三回会議は五月です。", None),
        ("第三条规定了什么？", "没有。", None),
        ("第三季度的收入是多少？", "没有。", None),
        ("Quando è uscita la terza edizione?", "La seconda edizione uscì nel 1950.", "a third edizione"),
        ("Quando è uscita la seconda edizione?", "La seconda edizione uscì nel 1950.", None),
        ("Quando será a terceira edição?", "A 2.ª edição foi em maio.", "a third edição"),
        ("Quando foi a segunda edição?", "A 2.ª edição foi em maio.", None),
        ("O que fecha na segunda-feira?", "A biblioteca.", None),
        ("Wanneer is de derde cursus?", "De tweede cursus is in mei.", "a third cursus"),
        ("Когда вышла вторая книга?", "Она издала книгу в 1950 году.", "a second книга"),
        ("Когда вышла вторая книга?", "Она издала вторую книгу в 1950 году.", None),
        ("Kiedy jest drugie spotkanie?", "Spotkanie odbędzie się w maju.", "a second spotkanie"),
        ("Kiedy jest drugie spotkanie?", "W maju odbędzie się drugie spotkanie.", None),
        ("Was a second use found?", "No.", None),
        ("Когда вышла вторая книга?", "Her second book came out in 1950.", None),
        ("第三条缆车线路什么时候开工？", "The third line will be built in 2028.", None),
    ],
)
def test_ordinals_of_more_languages_must_be_in_the_text(question: str, text: str, missing: str | None) -> None:
    assert unknown_ordinal(question, text) == missing


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("See TABLE 3, tables 4 and 5, and Table IV. A vegetable 6 is none; table salt, table 7.", "3, 4 and 5, 4, 7"),
        ("İzmir ẞ table 3", "3"),  # in lower case the text is longer
        ("table table 3", "3"),
    ],
)
def test_a_part_is_found_wherever_its_noun_stands_in_any_case(text: str, numbers: str) -> None:
    found = Identifier("Table", "3").numbers_in(text)
    assert ", ".join(number for _, number in found) == numbers
    assert all(text[at].isdigit() or text[at] in "IVX" for at, _ in found)


def test_nouns_of_old_books_with_a_long_s_are_numbered() -> None:
    assert Identifier("section", "3").numbers_in("See ſection 3 and Section 4.") == [(12, "3"), (26, "4")]
