"""What changed in a release, and which release is the latest."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.release_notes import answer_release_notes
from treatise.ingest import read_bytes

NOTES = (
    "# Teapot\n\n## Unreleased\n\n- Cups.\n\n## 2.10.0 (2024-05-06)\n\n### Added\n\n- A spout.\n- A handle.\n\n"
    "## 2.9.0\n\n- A lid.\n\n## 2.10.0-rc1\n\n- Steam.\n"
)
PLAIN = "v2.0\n----\n * Added dark tea.\n * Fixed the lid.\n\nv1.0\n----\n * First tea.\n"


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        ("What changed in 2.10.0?", NOTES, "A spout; A handle"),
        ("What's new in Teapot 2.9.0?", NOTES, "A lid"),
        ("What changed in version 2.0?", PLAIN, "Added dark tea; Fixed the lid"),
        ("What was added in version 2.0?", PLAIN, None),
        ("What is the latest version?", NOTES.replace("2.10.0 (", "2.10.0-beta.1 ("), "2.9.0"),
        ("What is the latest version?", NOTES.replace("2.9.0", "3.0 (planned)"), "2.10.0"),
        ("What is the latest version of Python?", NOTES, None),
        ("What changed in 2.9.0?", NOTES + "\n# License\n\nMIT.\n", "A lid"),
        ("What is the current version?", "# Spec\n\n## 2.1\n\nScope.\n\n## 2.2\n\nTerms.\n", None),
        ("What is the current version?", "# Plan\n\n## 10.0.0.1\n\nGate.\n\n## 10.0.0.2\n\nPrinter.\n", None),
        ("What is the latest version?", "# Changes\n\n## foo 2.0\n\n- A\n\n## bar 5.1\n\n- B\n", None),
        ("What is the latest version?", NOTES, "2.10.0"),
        ("Which is the newest release?", PLAIN, "2.0"),
        ("What is the latest version?", NOTES.replace("2.9.0", "2.10.0p2"), "2.10.0p2"),
        ("What changed in 3.0?", NOTES, None),
        ("What changed in the garden?", NOTES, None),
        ("What is the latest version?", "# Tea\n\nThe latest version of tea is hot.\n", None),
    ],
)
def test_the_items_below_a_release_line_are_what_changed(question: str, text: str, says: str | None) -> None:
    document = read_bytes(text.encode(), name="changes.txt" if text is PLAIN else "a.md")
    answer = answer_release_notes(Evidence(question, (), "", 99, 0.9), document)
    assert (answer.direct.text if answer and answer.direct else None) == says


ADDED = (
    "# NEWS for teapot 1.3 (20 Oct 2022)\n\n- Fixed a bug with [`--steep`](teapot.1#opt) in cold water.\n\n"
    "- Added --pour docs.\n\n- Added --steep-time option.\n\n# NEWS for teapot 1.2.1 (6 Aug 2020)\n\n"
    "### Changes in this version:\n\n- Added [`--steep`](teapot.1#opt) option to tell it when tea is ready.\n\n"
    "- Add `--strain`: no leaves.\n\n- Added a warning if --pour is given.\n\n- Added `cup.fill()` to the tests.\n\n"
    "# NEWS for teapot 1.1 (5 May 2020)\n\n- Added `--strain` for large leaves.\n\n- Added a spout.\n\n"
    "- Implemented the `--lid=KIND` flag again.\n"
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is the newest version described?", "1.3"),
        ("Which is the latest release listed in this file?", "1.3"),
        ("When was --steep added?", "6 Aug 2020"),
        ("When was the `--steep` option introduced?", "6 Aug 2020"),
        ("In which release can I first use --steep?", "1.2.1"),
        ("Which version added support for --steep?", "1.2.1"),
        ("Since which version is --steep-time available?", "1.3"),
        ("When was --pour added?", None),
        ("When was --strain added?", None),
        ("When was --lid added?", None),
        ("When was cup.fill() added?", None),
        ("When was the spout added?", None),
        ("When was --steep removed?", None),
        ("When was --boil added?", None),
    ],
)
def test_the_release_whose_notes_say_that_it_was_added(question: str, says: str | None) -> None:
    document = read_bytes(ADDED.encode(), name="news.md")
    answer = answer_release_notes(Evidence(question, (), "", 99, 0.9), document)
    assert (answer.direct.text if answer and answer.direct else None) == says


def test_of_what_is_not_released_no_version_is_said() -> None:
    document = read_bytes(b"# Changes\n\n## Unreleased\n\n- Added --fill.\n\n## 1.0\n\n- Tea.\n", name="changes.md")
    assert answer_release_notes(Evidence("In which version was --fill added?", (), "", 99, 0.9), document) is None
