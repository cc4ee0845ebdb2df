"""Questions of contracts: the parties, defined terms, and headings that run into their text."""

import pytest
from builders import make_document

from treatise.core.document import Span
from treatise.core.evidence import Evidence, Passage
from treatise.generate.introduced import with_introduction
from treatise.generate.parties import answer_parties, answer_party, parties_in, party_called
from treatise.generate.run_in import after_headings, is_run_in_heading
from treatise.ingest import read_bytes

OPENING = (
    'This LEASE ("Lease") is entered into as of May 3, 2019 (the "Effective Date") by and between Oak Homes, Inc., '
    'a Delaware corporation with offices in Rye ("Landlord"), and Ann Lee, residing in Rye (the "Tenant").'
)
DEFINITIONS = '"Premises" means the flat. "Term" means five years "Rent" means the sum below'
LEASE = make_document(
    [
        ["TABLE OF CONTENTS 1. Term 2. Rent between the parties."],
        [OPENING],
        ["2.1 Rent and Deposits.", "The Tenant pays monthly.", "Deposits bear interest."],
        ["2.2 Quiet Enjoyment."],
        ["The Landlord may not disturb the Tenant."],
        [DEFINITIONS],
    ]
)


def passage(text: str, score: float = 1.0) -> Passage:
    start = LEASE.text.index(text)
    return Passage(LEASE.id, Span(start, start + len(text)), text, score)


def evidence(question: str, *texts: str) -> Evidence:
    return Evidence(question, tuple(map(passage, texts)), " ".join(texts), 300, 0.9)


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        (OPENING, ["Oak Homes, Inc.", "Ann Lee"]),
        (
            "Dieser Vertrag wird zwischen Anna Berg („Käuferin“) und Uwe Tal („Verkäufer“) geschlossen.",
            ["Anna Berg", "Uwe Tal"],
        ),
        ("The difference between a lease and a licence is small.", []),
        ('An agreement between them ("Parties").', []),
        ("", []),
    ],
)
def test_names_of_parties(sentence: str, names: list[str]) -> None:
    assert list(parties_in(sentence)) == names


@pytest.mark.parametrize(
    "question", ["Who are the parties?", "who are the parties to this agreement", "Name the parties"]
)
def test_parties_are_those_of_the_opening(question: str) -> None:
    answer = answer_parties(evidence(question, "The Tenant pays monthly."), LEASE)
    assert answer is not None
    assert answer.direct is not None
    assert answer.direct.text == "Oak Homes, Inc., Ann Lee"
    assert [one.quote for one in answer.citations] == [OPENING]


def test_other_questions_and_documents_have_no_parties() -> None:
    assert answer_parties(evidence("Who pays monthly?", OPENING), LEASE) is None
    story = make_document([["Two parties were held between noon and midnight."]])
    assert answer_parties(evidence("Who are the parties?"), story) is None


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("11.5 Termination for Convenience.", True),
        ("19.2 NON-WAIVER.", True),
        ("Applicable Law; Choice of Forum.", True),
        ("The Tenant pays monthly.", False),
        ("Project Manager: I'm Jen .", False),
        ("Ann is in Paris.", False),
        ("Rent", False),
        ("7.1.", False),
    ],
)
def test_run_in_headings(text: str, is_one: bool) -> None:
    assert is_run_in_heading(text) is is_one


def test_what_follows_a_heading_is_read_in_its_place_once() -> None:
    documents = {LEASE.id: LEASE}
    found = after_headings(
        [
            passage("2.1 Rent and Deposits.", 3.0),
            passage("The Tenant pays monthly.", 1.0),
            passage("2.2 Quiet Enjoyment.", 0.5),
        ],
        documents,
    )
    assert [(one.text, one.score) for one in found] == [
        ("The Tenant pays monthly.", 3.0),
        ("The Landlord may not disturb the Tenant.", 0.5),
    ]


@pytest.mark.parametrize(
    ("question", "added"),
    [
        ("What is the Effective Date?", OPENING),
        ("Who is the tenant?", OPENING),
        ('What does "Term" mean?', '"Term" means five years'),
        ("What is the deposit?", None),
        ("How long is the Term?", None),
    ],
)
def test_the_sentence_that_gives_a_name_is_read(question: str, added: str | None) -> None:
    before = evidence(question, "Deposits bear interest.")
    after = with_introduction(before, [LEASE])
    assert [one.text for one in after.passages[1:]] == ([added] if added else [])


def test_a_sentence_is_added_once() -> None:
    before = evidence("What is the Effective Date?", OPENING)
    assert with_introduction(before, [LEASE]) is before


HOMES = read_bytes(
    b'LEASE\n\nThis Lease ("Lease") is made between Harbour Homes Ltd, a company registered in Rye ("Landlord"), and '
    b'Ann Lee and Tom Fitch (together "Tenants").\n\n1. The rent is $900.\n\nSigned: J. Abara (for the Landlord)\n',
    name="lease.txt",
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is the landlord?", "Harbour Homes Ltd"),
        ("Who are the Tenants?", "Ann Lee and Tom Fitch"),
        ("Who is the guarantor?", None),
        ("Who is responsible for repairs?", None),
        ("What is the Landlord?", None),
    ],
)
def test_who_has_a_name_that_a_contract_gives(question: str, name: str | None) -> None:
    answer = answer_party(Evidence(question, (), "", 99, 0.1), HOMES)
    found = answer.direct.text if answer and answer.direct else None
    assert found == name


def test_a_sentence_gives_a_name_only_to_what_stands_before_it() -> None:
    assert party_called("lease", 'This Lease ("Lease") is made by Ann.') == "This Lease"
    assert party_called("tenant", "The Tenant pays.") == ""
    assert party_called("controller", 'Your data is held by Foo Ltd (the "Controller").') == ""
    assert party_called("party", 'Made between Ann Lee and Bo Ek (each a "Party").') == ""
    assert (
        party_called("buyer", 'Made between Ann Lee, born in Rye (the "Buyer"), and Bo (passport 1) ("Seller").')
        == "Ann Lee"
    )
