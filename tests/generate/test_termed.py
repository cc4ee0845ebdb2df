"""What is said of a term in a manual."""

import pytest

from treatise.core.document import Document, trim
from treatise.core.evidence import Evidence, Passage
from treatise.generate.termed import led_by_terms
from treatise.ingest import read_bytes

OPTIONS = read_bytes(
    b"# Client\n\nThe client keeps sockets open.\n\n"
    b"* **keepAliveMaxTimeout** `number` - Default: `600e3` - The highest `keepAliveTimeout`.\n"
    b"* **keepAliveTimeout** `number` - Default: `4e3` - When an idle socket is closed.\n",
    name="client.md",
)
SETTINGS = read_bytes(
    b"# Server\n\nSettings are read once.\n\n## bodyLimit\n\nThe default is 1 MiB. It is in bytes.\n\n"
    b"## pluginTimeout\n\nThe default is 10 s, unlike bodyLimit.\n\n"
    b"## buffer-limit\n\nThe default is 4096.\n\n## maxdelay\n\nThe default is 3 s.\n",
    name="server.md",
)


def narrowed(question: str, document: Document) -> list[str]:
    """The passages, best first, without the headings."""
    spans = [trim(document.text, one) for one in document.sentences()]
    passages = [Passage(document.id, one, document.quote(one.start, one.end), 1.0) for one in spans]
    found = led_by_terms(Evidence(question, tuple(passages), "", 99, 0.9), [document])
    texts = [one.text.strip() for one in sorted(found.passages, key=lambda one: -one.score)]
    return [text for text in texts if not text.startswith("#")]


def test_the_item_that_begins_with_the_term_counts_and_items_of_other_terms_do_not() -> None:
    first, *others = narrowed("What is keepAliveTimeout by default?", OPTIONS)
    assert first.startswith("* **keepAliveTimeout**")
    assert others == ["The client keeps sockets open."]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the default of bodyLimit?", "The default is 1 MiB."),
        ("What is the default value of buffer-limit?", "The default is 4096."),
        ("What is the default value of the maxdelay option?", "The default is 3 s."),
    ],
)
def test_a_term_that_is_a_heading_leaves_out_the_sections_of_others(question: str, first: str) -> None:
    texts = narrowed(question, SETTINGS)
    assert texts[0] == first
    assert sum(text.startswith("The default") for text in texts) == 1
    assert "Settings are read once." in texts


@pytest.mark.parametrize(
    "question",
    ["What is the best default?", "What is idleTimeout?", "Who wrote the server?", "Which setting replaces bodyLimit?"],
)
def test_other_questions_keep_all_their_evidence(question: str) -> None:
    assert len(narrowed(question, SETTINGS)) == 6


MANUAL = read_bytes(
    b"COPY(1)\n\nNAME\n       copy - copies files\n\nOPTIONS\n       -v, --verbose     print every file\n"
    b"       -V, --version     print the version\n       -z, --compress    send less, like --fast\n"
    b"       --limit=RATE      send slowly\n\nEXIT\n"
    b"       0      fine\n\n       23 - some files are missing\n\nDETAILS\n"
    b"       --fast\n              It skips the checks. It is like -z.\n",
    name="copy.txt",
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What does -v do?", "-v, --verbose     print every file"),
        ("What does -V do?", "-V, --version     print the version"),
        ("What does -z do?", "-z, --compress    send less, like --fast"),
        ("What does --limit do?", "--limit=RATE      send slowly"),
        ("What is --fast for?", "--fast\n              It skips the checks."),
    ],
)
def test_an_option_of_a_command_is_what_the_line_with_its_name_says(question: str, first: str) -> None:
    texts = narrowed(question, MANUAL)
    assert texts[0] == first
    assert sum(text.startswith("-") for text in texts) == 1


def test_a_code_is_what_the_line_that_begins_with_its_number_says() -> None:
    texts = narrowed("What does exit code 23 mean?", MANUAL)
    assert texts[0] == "23 - some files are missing"
    assert "0      fine" not in texts
