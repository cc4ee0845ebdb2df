"""Paragraphs and headings of plain texts of many makes."""

import pytest

from treatise.core.document import ParagraphKind, trim
from treatise.embed.leaves import contexts
from treatise.ingest import read_bytes
from treatise.ingest.plain_text import read_plain_text

WRAPPED = """The river carries gravel down from the mountains every
spring, and the village has kept a record of it since the
bridge was built. Nobody knows why it was begun.
"""


def blocks(text: str) -> list[tuple[ParagraphKind, str]]:
    found = read_plain_text(text)
    assert "".join(block.text for block in found) == text
    return [(block.kind, block.text.strip()) for block in found]


def headings(text: str) -> list[tuple[int, str]]:
    return [(b.level, b.title or b.text.strip()) for b in read_plain_text(text) if b.level]


def test_hard_wrapped_lines_are_one_paragraph() -> None:
    assert [kind for kind, _ in blocks(WRAPPED + "\n" + WRAPPED)] == [ParagraphKind.PROSE] * 2


def test_long_lines_are_a_paragraph_each() -> None:
    line = "This is a paragraph on a line of its own, as a word processor writes it. " * 4 + "\n"
    assert len(blocks(line * 5)) == 5


def test_without_blank_lines_a_short_last_line_ends_a_paragraph() -> None:
    assert len(blocks(WRAPPED * 6)) == 6


def test_indents_begin_paragraphs() -> None:
    lines = WRAPPED.splitlines(keepends=True)
    assert len(blocks("".join(["  " + lines[0], *lines[1:]]) * 3)) == 3
    assert (
        len(blocks("\u3000\u3000话说天下大势，分久必合，合久必分。\n周末七国分争，并入于秦。\n及秦灭之后。\n" * 3)) == 3
    )


def test_a_poem_is_verse_by_the_stanza() -> None:
    poem = "Tyger Tyger, burning bright,\nIn the forests of the night;\nWhat immortal hand or eye,\n"
    poem += "\nIn what distant deeps\nBurnt the fire\nOf thine eyes\n"
    assert [kind for kind, _ in blocks(poem)] == [ParagraphKind.VERSE] * 2


def test_dialogue_in_short_lines_is_a_paragraph_a_line() -> None:
    assert len(blocks('"Who is there?"\n"It is I."\n"Then come in."\n"I am in already."\n')) == 4
    assert len(blocks("— Кто там?\n— Это я.\n— Войди же.\n")) == 3


def test_turns_of_a_transcript_are_paragraphs() -> None:
    text = "Anna Smith: I think we should\nstart now.\nBert: Yes.\nAnna Smith: Good, then let us begin.\n"
    assert [body.split(":")[0] for _, body in blocks(text)] == ["Anna Smith", "Bert", "Anna Smith"]


def test_items_of_a_list_are_paragraphs() -> None:
    text = "We need these things:\n- a balance, calibrated\n  every week\n- sieves\n\n1. Read.\n2. Write.\n"
    assert [kind for kind, _ in blocks(text)] == [ParagraphKind.PROSE] + [ParagraphKind.LIST] * 4


def test_a_number_that_begins_a_line_begins_no_list() -> None:
    assert (
        len(blocks("The bridge was built in the autumn of the year when he was\n12. Since then it has been mended.\n"))
        == 1
    )


def test_a_list_among_long_lines_ends_with_its_line() -> None:
    line = "This is a paragraph on a line of its own, as a word processor writes it. " * 3 + "\n"
    kinds = [kind for kind, _ in blocks(line + "1. One\n2. Two\n" + line)]
    assert kinds == [ParagraphKind.PROSE, ParagraphKind.LIST, ParagraphKind.LIST, ParagraphKind.PROSE]


def test_a_table_by_tabs_is_kept_whole() -> None:
    assert blocks("a\tb\n1\t2\n") == [(ParagraphKind.TABLE, "a\tb\n1\t2")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Methods\n=======\n\nText.\n\nData\n----\n\nText.\n", [(1, "Methods"), (2, "Data")]),
        (
            f"CHAPTER I.\nDown the Hole\n\n{WRAPPED}\nCHAPTER II.\n\n{WRAPPED}",
            [(1, "CHAPTER I. Down the Hole"), (1, "CHAPTER II.")],
        ),
        (f"1 Introduction\n\n{WRAPPED}\n1.1 Aims\n\n{WRAPPED}", [(1, "1 Introduction"), (2, "1.1 Aims")]),
        (f"THE LONG ROAD\n\n{WRAPPED}", [(1, "THE LONG ROAD")]),
        (f"Part One\n\nChapter 1\n\n{WRAPPED}", [(1, "Part One"), (2, "Chapter 1")]),
        (f"第一章 开端\n\n{WRAPPED}", [(1, "第一章 开端")]),
        (f"{WRAPPED}\nReferences\n\n{WRAPPED}", [(1, "References")]),
    ],
)
def test_headings_with_strong_evidence_are_found(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        f"A short line\n\n{WRAPPED}",
        "1. Buy milk\n\n2. Buy bread\n\n3. Go home\n",
        "HE SHOUTED ALL DAY\n\nAND ALL NIGHT\n",
        "HAMLET\n\nTo be or not to be.\n\nHAMLET\n\nThat is it.\n\nHAMLET\n\nYes indeed.\n",
        f"{WRAPPED}\n* * *\n\n{WRAPPED}",
        f"by\n\nJANE DOE\n\n{WRAPPED}\nTHE END\n",
        f"3 Men went out\n\n{WRAPPED}",
    ],
)
def test_no_heading_is_made_up(text: str) -> None:
    assert headings(text) == []


def test_windows_line_ends_are_kept() -> None:
    assert len(blocks("One.\r\n\r\nTwo.\r\nThree.\r\n")) >= 2


def test_many_lines_take_linear_time() -> None:
    assert len(read_plain_text("word\n\n" * 20_000)) == 20_000


MANUAL = """COPY(1)                    User Commands                    COPY(1)

NAME
       copy - copies files

OPTIONS
       --fast
              It skips the checks. It is meant for
              files that nobody changes.

   Limits
       Nothing is copied twice in a run, and no more
       than a thousand files are opened at once.

SEE ALSO
       move(1)
"""


def test_lines_that_stand_out_over_indented_text_are_headings() -> None:
    document = read_bytes(f"\n\n{MANUAL}".encode(), name="copy.txt")
    headings = [(one.title, one.level) for one in document.sections if one.level]
    assert headings == [("NAME", 1), ("OPTIONS", 1), ("Limits", 2), ("SEE ALSO", 1)]
    assert document.text.strip() == MANUAL.strip()


def test_a_short_line_over_deeper_text_is_one_paragraph_with_it() -> None:
    document = read_bytes(MANUAL.encode(), name="copy.txt")
    texts = [" ".join(document.quote(one.start, one.end).split()) for one in document.paragraphs]
    assert "--fast It skips the checks. It is meant for files that nobody changes." in texts


def test_lines_over_indented_text_are_no_headings_where_most_text_is_not_indented() -> None:
    text = "Dear Ann\n   we met in May.\n\n" + "Nothing of it is new to us, as you know.\n" * 9 + "Yours\n   Bo\n"
    assert [one.level for one in read_bytes(text.encode(), name="letter.txt").sections] == [0]


CHANGES = "# Changes\n\n## 1.2 ([diff](https://a.example/b))\n\n* Tea.\n* Cups.\n\n## 1.1\n\n* Jugs.\n"


def test_a_text_marked_up_as_markdown_is_read_as_such() -> None:
    document = read_bytes(CHANGES.encode(), name="changes.txt")
    assert document.title == "Changes"
    assert [one.level for one in document.sections] == [1, 2, 2]
    assert document.text == CHANGES


def test_comments_of_settings_are_no_headings() -> None:
    text = "".join(f"# Part {n}\n\nport_{n} = {n}\n- a\n\n" for n in range(5))
    assert [one.level for one in read_bytes(text.encode(), name="a.txt").sections] == [0]


def test_units_after_a_broken_word_keep_their_places() -> None:
    text = "The command is equiva\u2010\nlent to the other one. It is as fast as the other one is.\n"
    document = read_bytes(text.encode(), name="a.txt")
    units = [trim(document.text, one) for one in document.sentences()]
    texts, spans = contexts(document, units)
    assert [texts[0][one.start : one.end].strip() for one in spans[0]][1] == "It is as fast as the other one is."
    assert "equivalent to" in " ".join(texts[0].split())


def test_questions_after_stars_are_headings_and_so_is_the_line_over_them() -> None:
    setup = f"* Setup\n\n** How do I install it?\n\n{WRAPPED}\n** Which files does it read?\n{WRAPPED}"
    text = f"{setup}\n* Money\n\n** Who pays?\n\n{WRAPPED}"
    assert headings(text) == [
        (1, "Setup"),
        (2, "How do I install it?"),
        (2, "Which files does it read?"),
        (1, "Money"),
        (2, "Who pays?"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"* apples\n\n* pears\n\n{WRAPPED}",
        f"* fruit\n** apples\n** pears\n\n* bread\n\n{WRAPPED}",
        f"** The command kettle-old has been removed.\n\n** Add the option --new\n\n{WRAPPED}",
        f"* Who is it?\n\n* What is it?\n\n** Why?\n\n{WRAPPED}",
        f"*** \n\n** \n\n{WRAPPED}",
    ],
)
def test_stars_of_lists_and_news_are_none(text: str) -> None:
    assert headings(text) == []


@pytest.mark.parametrize("stamp", ["[12/04/2025, 09:0{}:11] ", "12.04.25, 09:0{} - ", "[4/12/25, 9:0{} PM] "])
def test_each_message_of_a_chat_is_a_paragraph_and_none_is_the_title(stamp: str) -> None:
    said = (
        "Jo Lee: Mum is 80, we need to decide",
        "Ravi: the 31st",
        "Lena S: works for us, kids till 12",
        "Jo Lee: ok",
    )
    text = "".join(f"{stamp.format(at)}{words}\n" for at, words in enumerate(said))
    document = read_bytes(text.encode(), name="family.txt")
    assert len(document.paragraphs) == len(said)
    assert document.title == "family"
    assert not document.metadata.get("author")
