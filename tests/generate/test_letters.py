"""Who wrote a letter and to whom."""

import pytest

from treatise.core.evidence import Evidence
from treatise.generate.letters import answer_letter
from treatise.ingest import read_bytes

HEAD = "Hart & Sons\n\n12 Mill Lane\n\n3 March 2025\n\nDaniel Scales, Esq.\n\nThe Tea Society\n\nRe: Cups\n\n"
BODY = "We ask for the return of all cups by 10 April. Nothing else is asked for.\n\n"
LETTER = f"{HEAD}Dear Mr. Scales:\n\n{BODY}Sincerely,\n\nSarah P. Hart\n\nHart & Sons\n\ncc: Ann Lee\n"
MEMO = f"MEMO\n\nTo: All residents\nFrom: The office\nRe: Lift\n\n{BODY}"
GERMAN = f"{HEAD}Sehr geehrte Frau Lind,\n\n{BODY}Mit freundlichen Grüßen\n\nJo Berg\n"


@pytest.mark.parametrize(
    ("question", "text", "says"),
    [
        ("Who signed the letter?", LETTER, "Sarah P. Hart"),
        ("Who is the lawyer that signed the letter?", LETTER, "Sarah P. Hart"),
        ("Who is the letter from?", LETTER, "Sarah P. Hart"),
        ("Who is the letter addressed to?", LETTER, "Daniel Scales, Esq."),
        ("To whom was this letter sent?", LETTER, "Daniel Scales, Esq."),
        ("Wer hat den Brief geschrieben?", GERMAN, "Jo Berg"),
        ("Who is the addressee?", GERMAN, "Frau Lind"),
        ("When was the letter sent?", LETTER, "3 March 2025"),
        ("What is the date of the letter?", f"1 May 2024\n\n{LETTER}", None),
        ("Wann wurde der Brief geschrieben?", GERMAN, "3 March 2025"),
        ("What is the subject of the letter?", LETTER, "Cups"),
        ("What is the subject of the letter?", LETTER.replace("Re: ", ""), None),
        ("To whom is it addressed?", MEMO, "All residents"),
        ("Who wrote this memo?", MEMO, "The office"),
        ("Who signed the lease?", LETTER, None),
        ("When did Ann Lee write the letter?", LETTER, None),
        ("Who sent the e-mail?", LETTER, "Sarah P. Hart"),
        ("Who sent the e-mail?", LETTER.replace("Nothing else", "The e-mail by Cy"), None),
        ("Who sent the letter?", LETTER.replace("Nothing else", "The letter by Cy"), "Sarah P. Hart"),
        ("When did Sarah Hart write the letter?", LETTER, "3 March 2025"),
        ("Wer hat den Brief geschrieben?", GERMAN.replace("Jo Berg", "i. A. Jo Berg\n\nEinkauf"), "Jo Berg"),
        ("Who signed the letter?", f"{LETTER}\n{LETTER}", None),
        ("Who signed the letter?", f"{HEAD}{BODY}", None),
        ("Who signed the letter?", f"{HEAD}Dear Mr. Scales:\n\n{BODY}", None),
        (
            "Who signed the letter?",
            LETTER.replace("Sarah P. Hart\n\nHart & Sons\n\ncc: Ann Lee", "on behalf of all"),
            None,
        ),
        ("Who is the letter to?", LETTER.replace("Dear Mr. Scales", "To whom it may concern"), None),
    ],
)
def test_a_letter_names_its_sender_below_the_closing_and_its_addressee_above_the_salutation(
    question: str, text: str, says: str | None
) -> None:
    document = read_bytes(text.encode(), name="letter.txt")
    answer = answer_letter(Evidence(question, (), "", 99, 0.9), document)
    assert (answer.direct.text if answer and answer.direct else None) == says


FRENCH = (
    "Hart et Fils\n\nObjet : Tasses\n\n{},\n\nNous attendons le retour des tasses avant le 10 avril.\n\n{}\n\nJo Berg\n"
)


@pytest.mark.parametrize(
    "closing",
    [
        "Cordialement,",
        "Bien cordialement",
        "Bien à vous,",
        "Salutations distinguées.",
        "Sincèrement vôtre,",
        "Veuillez agréer, Madame, Monsieur, l'expression de nos salutations distinguées.",
        "Dans l'attente de votre réponse, je vous prie d'agréer, Madame, l'expression de\nmes sentiments distingués.",
        "Recevez, Monsieur, l'assurance de ma considération.",
        "Nous vous prions de croire, Madame, à l'assurance de nos sentiments dévoués.",
    ],
)
def test_a_french_letter_takes_leave_in_a_word_or_in_a_sentence(closing: str) -> None:
    text = FRENCH.format("Madame, Monsieur", closing)
    for question in ("Qui a écrit cette lettre ?", "Who signed the letter?"):
        answer = answer_letter(Evidence(question, (), "", 99, 0.9), read_bytes(text.encode(), name="lettre.txt"))
        assert answer is not None
        assert answer.direct is not None
        assert answer.direct.text == "Jo Berg"


@pytest.mark.parametrize(
    ("salutation", "says"),
    [("Madame, Monsieur", None), ("Chère Madame Dubois", "Madame Dubois"), ("Cher Paul", "Paul")],
)
def test_a_french_salutation_names_the_addressee_or_nobody(salutation: str, says: str | None) -> None:
    document = read_bytes(FRENCH.format(salutation, "Cordialement,").encode(), name="lettre.txt")
    answer = answer_letter(Evidence("À qui s'adresse cette lettre ?", (), "", 99, 0.9), document)
    assert (answer.direct.text if answer and answer.direct else None) == says


def test_a_polite_request_takes_no_leave() -> None:
    text = FRENCH.format("Madame, Monsieur", "Veuillez recevoir ci-joint la facture.")
    document = read_bytes(text.encode(), name="lettre.txt")
    assert answer_letter(Evidence("Who signed the letter?", (), "", 99, 0.9), document) is None


def test_the_names_in_the_head_of_a_letter_are_no_authors() -> None:
    assert "author" not in read_bytes(LETTER.encode(), name="letter.txt").metadata
