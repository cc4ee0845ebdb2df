"""Answers that are whole in their form: both ends of a range, all items, the option's name, the default, the denial."""

from dataclasses import replace

import pytest

from treatise.core.answer import Answer
from treatise.core.evidence import Evidence, Passage
from treatise.generate import answer_by_reading
from treatise.generate.rules import narrowed
from treatise.ingest import read_bytes
from treatise.testing import ScriptedReader

PAGE = """PACKER(1)                 General Commands Manual                PACKER(1)

NAME
       packer - pack files

OPTIONS
       -v level, --verbose level
              Set how much is printed; level is 0, 1 or 2.

       -j jobs, --jobs jobs
              Run this many jobs at once.  The default is 4.

       --keep
              Do not delete the source files.
"""
DIRECTIVES = """
Server
======

.. cmdoption:: --http

    Listen on HTTP (behind an HTTPS proxy).

.. cmdoption:: --version

    Print the current version number and exit.

.. cmdoption:: --db-dir=<string>

    Database directory (default "data").
"""
SETTINGS = """# Client

- `timeout` (integer): how long to wait for a reply. Default: `30`.
- `retries` (integer, default 5): how many times to try again.
- `secure` (boolean) – whether to use TLS, true by default.

`maxSize: number = 1024` limits the size of a message in bytes.
"""
RULES = """# Workshop

## Members

The following people hold keys:

- Ann Bell (front door)
- Carlo Diaz (yard)
- Eve Frost (office)

Children must not enter the forge before 18:00 or without an adult. The kiln may be used after 19:00.
The workshop is registered charity number 1187733. Fees are paid by bank transfer on 1 April.

## Extra support for parents and carers

You may be able to get more support.

* Childcare grant
* Learning allowance
"""


@pytest.mark.parametrize(
    ("sentence", "words", "question", "expected"),
    [
        ("Measure between 99.5 and 100.5 g of it.", "100.5 g", "How many grams?", "between 99.5 and 100.5 g"),
        ("Apply it 5--7 cm above the wound.", "7 cm", "How far above the wound?", "5--7 cm"),
        ("A dose of 5 mg/day is usual.", "5", "What dose is usual?", "5 mg/day"),
        ("A tent is 4 EUR, the largest 9 EUR.", "4 EUR, the largest 9 EUR", "What is the largest tent?", "9 EUR"),
        ("Ask Legal, run it by Legal first.", "by Legal", "Who do I ask?", "Legal"),
    ],
)  # fmt: skip
def test_a_part_of_a_quantity_becomes_whole(sentence: str, words: str, question: str, expected: str) -> None:
    assert _direct(f"{sentence} They went home.", "note.txt", question, words) == expected


def test_numbers_of_dates_and_codes_are_no_ends_of_a_range() -> None:
    text = "Call 020-7946-0018 after 2024-05-07, in rooms 7 and 8. They went home."
    assert _direct(text, "note.txt", "Which room is it?", "7") == "7"
    assert _direct(text, "note.txt", "From which day on?", "2024-05-07") == "2024-05-07"


@pytest.mark.parametrize(
    ("text", "name", "words", "question", "expected"),
    [
        (PAGE, "packer.txt", "Do not delete", "Which option keeps the source files?", "--keep"),
        (PAGE, "packer.txt", "many jobs", "Which option sets the number of jobs?", "-j jobs, --jobs jobs"),
        (DIRECTIVES, "server.rst", "the current version number", "Which option prints the version?", "--version"),
        (SETTINGS, "client.md", "how many times", "Which setting says how often to retry?", "retries"),
    ],
)
def test_a_question_for_an_option_is_answered_by_its_name(
    text: str, name: str, words: str, question: str, expected: str
) -> None:
    assert _direct(text, name, question, words) == expected


def test_another_option_that_answers_stays() -> None:
    text = "# Tool\n\n- `--all`: as `--every` and `--each` together\n- `--each`: one by one\n"
    assert _direct(text, "tool.md", "Which option does the same together with --each?", "--every") == "--every"


@pytest.mark.parametrize("words", ["level", "how much is printed", "OPTIONS"])
def test_what_an_option_does_is_said_by_its_entry_also_if_the_reader_doubts(words: str) -> None:
    answer = _answer(PAGE, "packer.txt", "What does -v do?", words, p_no_answer=0.99)
    assert answer.direct is not None
    assert answer.direct.text == "Set how much is printed; level is 0, 1 or 2."


@pytest.mark.parametrize(
    ("question", "words", "expected"),
    [
        ("What is the default of retries?", "how many times to try again", "5"),
        ("What is the default of timeout?", "30", "30"),
        ("What is the default value of secure?", "boolean", "true"),
        ("What is the default of maxSize?", "number", "1024"),
        ("What is the use of retries?", "how many times to try again", "how many times to try again"),
    ],
)  # fmt: skip
def test_the_default_of_a_setting_is_its_value(question: str, words: str, expected: str) -> None:
    assert _direct(SETTINGS, "client.md", question, words) == expected


def test_the_default_below_a_directive_is_no_type_of_it() -> None:
    assert _direct(DIRECTIVES, "server.rst", "What is the default of --db-dir?", "default") == "data"


def test_what_one_must_do_is_all_items_of_the_list() -> None:
    text = "# Report\n\nWhen you hand in your report, please:\n\n* Sign it; and\n* Add a copy\n\nAsk Ann otherwise.\n"
    assert _direct(text, "report.md", "What must I do to hand in my report?", "Add a copy") == "Sign it, Add a copy"
    assert _direct(text, "report.md", "What must I do first to hand in my report?", "Sign it") == "Sign it"


def test_what_is_required_is_all_items_of_a_list_within_a_paragraph() -> None:
    text = "# Help\n\nAnn looks after it.\nThe following are required:\n\n- a signed form\n- two reviews\n"
    answer = _answer(text, "help.md", "What is required to help?", "a signed form")
    assert answer.direct is not None
    assert answer.direct.text == "a signed form, two reviews"
    assert answer.text.startswith("The following are required:")
    assert _direct(text, "help.md", "Who looks after it?", "Ann") == "Ann"
    assert _direct(text, "help.md", "What is the required document?", "a signed form") == "a signed form"


def test_the_item_that_decides_is_given_with_the_introduction_of_its_list() -> None:
    text = "# Weir\n\nThe following are forbidden:\n\n* fishing at night\n* children under twelve\n* dogs\n"
    says = "The following are forbidden: children under twelve"
    assert _direct(text, "weir.md", "Can kids come along?", "children under twelve") == says


def test_a_path_is_whole() -> None:
    text = "It is kept in /home/<user>/.config/tea/ and nowhere else. They went home."
    assert _direct(text, "note.txt", "Where is it kept?", "/home/") == "/home/<user>/.config/tea/"


def test_a_question_for_several_gets_all_items_of_their_list() -> None:
    everybody = "Ann Bell, Carlo Diaz, Eve Frost"
    assert _direct(RULES, "rules.md", "Which people hold keys?", "Ann Bell (front door)") == everybody
    grants = "Childcare grant, Learning allowance"
    assert _direct(RULES, "rules.md", "Which grants are there for parents and carers?", "Childcare grant") == grants


def test_a_question_that_names_an_item_of_a_list_gets_this_one() -> None:
    words = "Ann Bell (front door) - Carlo Diaz (yard)"
    assert _direct(RULES, "rules.md", "Who has the key of the yard?", words) == "Carlo Diaz"


def test_what_is_denied_is_said_with_its_denial() -> None:
    denied = "Children must not enter the forge before 18:00 or without an adult."
    assert _direct(RULES, "rules.md", "When may children enter the forge?", "before 18:00") == denied
    assert _direct(RULES, "rules.md", "When may I use the kiln?", "after 19:00") == "after 19:00"
    assert _direct(RULES, "rules.md", "When may children not enter the forge?", "before 18:00") == "before 18:00"


def test_a_number_is_answered_by_digits_that_are_of_nothing_else() -> None:
    other = _answer(RULES, "rules.md", "What is the account number?", "1187733")
    assert other.notes == ("the passage found speaks of the charity number, not of what the question names",)
    assert not _answer(RULES, "rules.md", "Which account number do I pay to?", "by bank transfer").found
    assert _direct(RULES, "rules.md", "What is the charity number?", "1187733") == "1187733"


def _direct(text: str, name: str, question: str, words: str) -> str:
    answer = _answer(text, name, question, words)
    assert answer.direct is not None, answer.text
    return answer.direct.text


def _answer(text: str, name: str, question: str, words: str, p_no_answer: float = 0.01) -> Answer:
    """The answer about a file of a reader that finds these words."""
    document = replace(read_bytes(text.encode(), name=name), language="en")
    quotes = ((span, document.quote(span.start, span.end)) for span in document.sentences())
    passages = tuple(
        Passage(document.id, span, quote, 3.0 + (words in " ".join(quote.split()))) for span, quote in quotes
    )
    evidence = narrowed(Evidence(question, passages, text, 300, 0.9), [document])
    return answer_by_reading(evidence, [document], ScriptedReader(words, p_no_answer=p_no_answer))
