"""Dates of releases: the date of what changed in one stands in the heading above it, or in a Debian entry below it."""

import pytest

from treatise.core.document import Document
from treatise.generate.dated import Releases, asks_when_changed, date_of_release, happened, has_date
from treatise.ingest import read_bytes

NOTES = """# Changelog

## [2.4.0](https://example.org/compare/v2.3.0...v2.4.0) (2024-10-29)

### Removals

- Drop support for lids.

## 2.3.0 (2024-06-06)

- Add the 2026 spout.

## 2.2.0

- Add a handle.

# Appendix

Nothing is said here.
"""

NEWS = """teapot (1.15.0-5) unstable; urgency=medium

  With this version we switched to steam.

 -- Jo Bell <jo@example.org>  Thu, 28 Apr 2022 11:27:58 +0300

teapot (1.15.0-2) unstable; urgency=medium

  The patch was removed.

 -- Jo Bell <jo@example.org>  Mon, 18 Apr 2022 10:42:57 +0300
"""


def _notes(text: str = NOTES, name: str = "changes.md") -> Document:
    return read_bytes(text.encode(), name=name)


@pytest.mark.parametrize(
    ("words", "date"),
    [
        ("Drop support", "2024-10-29"),
        ("Add the 2026", "2024-06-06"),
        ("Add a handle", "version 2.2.0"),  # of a release without a date
        ("Nothing is", None),
        ("# Changelog", None),
    ],
)
def test_the_date_of_a_change_is_in_the_heading_above_it(words: str, date: str | None) -> None:
    document = _notes()
    found = Releases(document).above(document.text.index(words))
    assert (found and found.date) == date


def test_the_date_of_a_debian_entry_is_below_it() -> None:
    document = _notes(NEWS, "news.txt")
    dates = [Releases(document).above(document.text.index(one)) for one in ("we switched", "The patch")]
    assert [one and one.date for one in dates] == ["28 Apr 2022", "18 Apr 2022"]


def test_a_sentence_with_a_date_dates_nothing_below_it() -> None:
    document = _notes("On 2024-10-29 we sold 2.4.0 here.\n\nThe lid shuts.\n", "news.txt")
    assert Releases(document).above(document.text.index("The lid")) is None


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("# 5 March 2025\n\nThe lid shuts.\n", "5 March 2025"),
        ("5 March 2025\n\nDear Jo, the lid shuts.\n", None),  # of a letter
        ("# 2.1 Changes of May 2020\n\nThe lid shuts.\n", None),
        ("# Teapot 2.1 (May 2020)\n\nThe lid shuts.\n", "May 2020"),
    ],
)
def test_a_date_alone_is_a_heading_and_the_number_of_a_section_is_no_version(text: str, date: str | None) -> None:
    document = _notes(text)
    found = Releases(document).above(document.text.index("the lid" if "Dear" in text else "The lid"))
    assert (found and found.date) == date


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("When was 2.3.0 released?", "2024-06-06"),
        ("When did version 2.4 come out?", "2024-10-29"),
        ("What is the release date of Teapot 2.4.0?", "2024-10-29"),
        ("Wann wurde 2.3.0 veröffentlicht?", "2024-06-06"),
        ("When was 2.2.0 released?", None),
        ("When was the spout of 2.3.0 sold?", None),
    ],
)
def test_the_heading_of_a_release_says_when_it_was_released(question: str, date: str | None) -> None:
    found = date_of_release(question, [_notes()])
    assert (found and found.date) == date


def test_among_several_documents_the_name_must_be_that_of_the_release() -> None:
    documents = [_notes(), _notes(NEWS, "teapot.txt")]
    found = date_of_release("When was teapot 1.15.0 released?", documents)
    assert found is not None
    assert found.date == "28 Apr 2022"
    assert date_of_release("When was kettle 2.3.0 released?", documents) is None
    assert date_of_release("When was 2.3.0 released?", documents) is not None


def test_only_a_question_for_the_past_is_answered_by_the_date_of_a_release() -> None:
    assert asks_when_changed("Since when has it had a lid?")
    assert asks_when_changed("Wann wurde der Deckel entfernt?")
    assert not asks_when_changed("When does the meeting end?")


def test_a_year_of_the_question_is_no_date() -> None:
    assert not has_date("Add the spout of May 2026", "When was the spout of May 2026 added?")
    assert has_date("Add the spout (2025-01-02)", "When was the spout of 2026 added?")


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        ("When was --fast removed?", "Removed --fast.", True),
        ("When was --fast removed?", "Re-added --fast, removed in 2.0.0.", False),
        ("When was --fast removed?", "--fast will be removed in 3.0.0.", False),
        ("When was --fast removed?", "Added --fast.", False),
        ("When was --fast removed?", "--fast is no longer accepted.", True),
        ("When was dark mode added?", 'Reverted "Add dark mode".', False),
        ("When was dark mode added?", "Dark mode was dropped.", False),
        ("When was dark mode added?", "Added dark mode and removed the old one.", True),
        ("When was dark mode added?", "Add dark mode of Studio 2026.", True),
        ("When was dark mode added?", "It had been added in 2001.", False),
        ("When was dark mode deprecated?", "Dark mode is deprecated.", True),
        ("When did the parser change?", "The parser reads numbers.", True),
    ],
)
def test_what_an_item_says_happened(question: str, text: str, says: bool) -> None:
    assert happened(question, text) is says


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("# Changes\n\n## 2.3.0 (2024-06-06)\n\n- Tea.\n\n## 2.2.0\n\n- The lid.\n", "version 2.2.0"),
        ("# Changes\n\n## [Unreleased]\n\n- The lid.\n\n## 2.3.0 (2024-06-06)\n\n- Tea.\n", "Unreleased"),
        ("Version 1.5 (12 May 2023)\n=======\n\n* Tea.\n\nVersion 1.4\n------\n\n* The lid.\n", "version 1.4"),
        ("# Changes\n\n**1.5** (12 May 2023)\n\n- Tea.\n\n**1.4**\n\n- The lid.\n", "version 1.4"),
        ("What's new in Tea 1.9\n\n * The lid.\n\nWhat's new in Tea 1.8\n\n * Cups.\n", "version 1.9"),
        ("# Noteworthy changes in release 4.9 (2022-11-06) [stable]\n\n- The lid.\n", "2022-11-06"),
        ("# Changes\n\n## 2.2.0\n\n*Released 6 June 2024*\n\n- The lid.\n", "6 June 2024"),
        ("# Changes\n\n## 2.2.0\n\nOn 6 June 2024 we gave up the old cups.\n\n- The lid.\n", "version 2.2.0"),
        ("# Changes\n\n## 2.2.8 (2022-11-05):\n\n- The lid.\n", "2022-11-05"),
        ("# Changes\n\n## [2.2.7] - 14/09/2022\n\n- The lid.\n", "14/09/2022"),
        ("# Changes\n\n## 2.3.0 (2024-06-06)\n\n### Python 3.12\n\n- The lid.\n", "2024-06-06"),
        ("# Changes\n\n## 2.3.0 (2024-06-06)\n\nChanges since 2.2.0 (2023-01-02):\n\n- The lid.\n", "2024-06-06"),
    ],
)
def test_a_release_without_a_date_has_that_of_the_line_below_or_its_version(text: str, date: str | None) -> None:
    document = _notes(text, "changes.txt" if text.startswith("Version") else "changes.md")
    found = Releases(document).above(document.text.index("The lid"))
    assert (found and found.date) == date


def test_a_version_whose_date_stands_below_it_was_released_then() -> None:
    document = _notes("# Changes\n\n## 2.2.0\n\n*6 June 2024*\n\n- The lid.\n\n## 2.1.0\n\n- Tea.\n")
    assert [one.date for one in Releases(document).named("2.2.0")] == ["6 June 2024"]
    assert not list(Releases(document).named("2.1.0"))
