"""Headings of numbered clauses: found where three in sequence bear each other out, made up nowhere."""

import pytest

from treatise.ingest import read_document

CONTRACT = """LEASE AGREEMENT

This lease is made between Ada Byron and Charles Babbage on the day stated below.

1. Term of Lease. The lease begins on the first day of May and runs for two years, unless it is ended sooner.

2. Rent. The tenant pays 900 pounds on the first day of every month, by transfer to the account named below.
The first payment falls due when the keys are handed over.

3. Notices and Consents.

Any notice must be in writing and reach the other party at the address named above within ten days.
"""


def _sections(tmp_path, text: str, name: str = "contract.txt") -> list[tuple[str, int]]:
    path = tmp_path / name
    path.write_text(text)
    return [(section.title, section.level) for section in read_document(path).sections if section.title]


def test_heads_of_clauses_are_headings_below_the_one_above(tmp_path):
    assert _sections(tmp_path, CONTRACT) == [
        ("LEASE AGREEMENT", 1),
        ("1. Term of Lease", 2),
        ("2. Rent", 2),
        ("3. Notices and Consents", 2),
    ]


@pytest.mark.parametrize("clause_length", [60, 200], ids=["wrapped", "a line a clause"])
def test_a_head_on_a_line_of_its_own_needs_no_full_stop(tmp_path, clause_length):
    clause = "The tenant keeps the rooms and all that stands in them clean and dry. " * 3
    heads = ("PREMISES", "TERM", "RENT", "LANDLORD'S OBLIGATIONS")
    parts = [f"{n}. {head}\n{n}.1 {clause[:clause_length]}." for n, head in enumerate(heads, 1)]
    text = "\n\n".join(["LEASE AGREEMENT", *parts]) + "\n"
    assert _sections(tmp_path, text)[1:] == [(f"{n}. {head}", 2) for n, head in enumerate(heads, 1)]


def test_nothing_of_the_text_is_lost_and_a_clause_cites_its_head(tmp_path):
    path = tmp_path / "contract.txt"
    path.write_text(CONTRACT)
    document = read_document(path)
    assert document.text == CONTRACT
    assert document.section_path(CONTRACT.index("900 pounds"))[-1] == "2. Rent"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "1. Term of Lease. The lease begins on the first day of May and runs for two years, unless ended.\n\n"
            "2. Rent. The tenant pays 900 pounds on the first day of every month by transfer to the account.\n",
            id="two alone prove nothing",
        ),
        pytest.param(
            "\n\n".join(
                f"{n}. {name}. A study of how long documents are read by people and machines, in ten parts."
                for n, name in enumerate(("Smith J", "Brown T", "Jones A", "Miller K"), start=1)
            ),
            id="references with initials",
        ),
        pytest.param(
            "\n\n".join(f"{n}. {name}." for n, name in enumerate(("Ada Byron", "Alan Turing", "Emmy Noether"), 1)),
            id="a list of names",
        ),
        pytest.param(
            "\n\n".join(
                f"{n}. {text}. Then wait until the light has turned green before the next step is begun at all."
                for n, text in enumerate(("Press the button", "Open the cover", "Remove the paper"), start=1)
            ),
            id="sentences",
        ),
        pytest.param(
            "\n\n".join(f"{n}. Rent. The tenant pays 900 pounds on the first day of every month." for n in (1, 4, 9)),
            id="no sequence",
        ),
        pytest.param(
            "\n\n".join(
                f"{n}. {who}. Then there is more to tell about it than anybody could have thought before that day."
                for n, who in enumerate(("He left", "It was him", "They met us"), start=1)
            ),
            id="short sentences",
        ),
        pytest.param(
            "\n\n".join(
                f"{n}. {who} Miller (London), who had come to the place where all of them would meet again that day."
                for n, who in enumerate(("Dr.", "Prof.", "Mrs."), start=1)
            ),
            id="titles of people",
        ),
        pytest.param(
            "\n\n".join(
                f"{n}. {who}. is a company that makes things for others and sells them all over the world."
                for n, who in enumerate(("Acme Org", "Beta Assoc", "Gamma Mfg"), start=1)
            ),
            id="sentences that go on",
        ),
    ],
)
def test_what_is_no_clause_stays_text(tmp_path, text):
    assert _sections(tmp_path, text, "text.txt") == []


def test_clauses_of_a_web_page(tmp_path):
    items = "".join(
        f"<p>{n}. {head}. The parties agree that this part holds for as long as the contract itself does.</p>"
        for n, head in enumerate(("Governing Law", "Entire Agreement", "SEVERABILITY"), start=7)
    )
    page = f"<html><body><h1>Terms</h1><p>Read these terms with care.</p>{items}</body></html>"
    assert _sections(tmp_path, page, "terms.html")[1:] == [
        ("7. Governing Law", 2),
        ("8. Entire Agreement", 2),
        ("9. SEVERABILITY", 2),
    ]


def test_entries_of_a_bibliography_stay_below_its_heading(tmp_path):
    authors = ("World Health Organization", "European Commission", "Smith, Brown")
    entries = "\n\n".join(
        f"{n}. {author}. Global report on the reading of long documents, pages 100 to 120, London, 2019."
        for n, author in enumerate(authors, start=1)
    )
    assert _sections(tmp_path, f"The paper itself.\n\nReferences\n\n{entries}\n") == [("References", 1)]


def test_a_list_of_another_form_does_not_break_the_sequence(tmp_path):
    clauses = "\n\n".join(
        f"{n}. {head}. The parties agree that this part holds for as long as the contract itself does.\n\n"
        "1) Any Person. This means any person who is not a party to the contract and has never been one."
        for n, head in enumerate(("Definitions", "Term", "Rent"), start=1)
    )
    assert [title for title, _ in _sections(tmp_path, clauses)] == ["1. Definitions", "2. Term", "3. Rent"]


def test_each_sequence_has_the_level_below_its_own_heading(tmp_path):
    def clauses(*heads: str) -> str:
        text = "The parties agree that this part holds for as long as the contract itself does."
        return "\n\n".join(f"{n}. {head}. {text}" for n, head in enumerate(heads, start=1))

    text = f"# Lease\n\n{clauses('Term', 'Rent', 'Law')}\n\n## Schedule\n\n{clauses('Keys', 'Pets', 'Garden')}\n"
    levels = [level for _, level in _sections(tmp_path, text, "lease.md")]
    assert levels == [1, 2, 2, 2, 2, 3, 3, 3]
