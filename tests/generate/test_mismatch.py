"""Questions about what a document never mentions: the reasons, rule by rule, and the questions that no rule refuses."""

from dataclasses import replace

import pytest
from builders import make_document

from treatise.core.document import Document
from treatise.generate.mismatch import mismatch

REPORT = [
    [
        "Northwind Industries was led by Maria Lindqvist from 2018 to 2020.",
        "Revenue was $4 million in the third quarter of 2018 and 3,000 euros less in March 2020.",
        "The Free Software Foundation (FSF) gave two miles of cable to Debian 12.",
        "A German engineer with a P.h.D. met the Swedish Board of Trade in 1999.",
    ]
]


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("What was the revenue in 2023?", "the document speaks of 1999 to 2020, not of 2023"),
        ("What was the revenue in 2005?", "the document does not speak of 2005"),
        ("What was the revenue in May 2020?", "the document does not speak of May 2020"),
        ("What was the revenue in the second quarter?", "the document does not speak of a second quarter"),
        ("What was the revenue in Q4?", "the document does not speak of a fourth quarter"),
        ("What did Microsoft earn?", "the document never mentions Microsoft"),
        ("What did the Ministry of Trade say to Apple?", "the document never mentions Apple"),
        ("Who sits in the House of Lords?", "the document never mentions House of Lords"),
        ("What came with Debian 13?", "the document does not speak of Debian 13"),
        ("How many euros were paid per second?", "the document gives nothing per second"),
        ("What was the revenue in yen?", "the document gives dollars and euros, not yen"),
    ],
)
def test_each_rule_gives_its_reason_in_one_line(question: str, reason: str) -> None:
    assert mismatch(question, [_report()]) == reason


@pytest.mark.parametrize(
    "question",
    [
        "What was the revenue in 2018?",
        "What was the revenue in 2019?",  # within 2018 to 2020
        "What was the revenue in March 2020?",
        "What was the revenue in Q3?",
        "How many miles of cable were given?",
        "How many kilometres of cable were given?",  # miles answer it
        "What did Lindqvist lead?",
        "What did Ms Lindqvist's company earn?",
        "What did the FSF give?",
        "What did the Free Software Foundation give?",
        "What happened in Germany?",
        "Who did a PhD?",
        "What came with Debian 12?",
        "Is version 2023 kept?",
        "WHAT DID MICROSOFT EARN?",  # capitals that say nothing
        "What did microsoft earn?",  # left to the reader
    ],
)
def test_questions_on_what_is_mentioned_pass(question: str) -> None:
    assert mismatch(question, [_report()]) is None


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Debian 10, 11 and 12 are supported.", "Is Debian 11 supported?"),
        ("Clauses 4 to 7 apply with Clause 9.", "What does Clause 5 say?"),
        ("Version 2 came after version 1.", "When did Version 2.0 come?"),
        ("Since 2015 sales grew, and since then in 2019 too.", "Since 2019, what changed?"),
        ("In January and February 2020 sales rose; in March 2020 they fell.", "What happened in January 2020?"),
        ("Sales rose from April to June 2020 and fell in July 2020.", "What happened in May 2020?"),
        ("On Sept. 3, 2020 sales rose; in March 2020 they fell.", "What happened in September 2020?"),
        ("On 2020-11-03 sales rose; in March 2020 they fell.", "What happened in November 2020?"),
        ("The limit is 1,500 bytes.", "What happens to the 1500 byte limit?"),
        ("The limit is high.", "Is a message of 1600 bytes allowed?"),
        ("The limit is high.", "Can I spend $2000?"),
        ("It was built in the 1990s.", "Was it built in 1995?"),
        ("It is open daily.", "Is it open on Monday?"),
        ("She came to the United States.", "Who came to the U.S.?"),
        ("It weighs 150 lb and costs $3.", "How many pounds does it weigh?"),
        ("The notice period is thirty days.", "Wie lang ist die Kündigungsfrist?"),
        ("It runs on macOS.", "Does it run on a Mac?"),
        ("Tea must not be late.", "I'm late. Anything that I'd better do?"),
    ],
)
def test_other_spellings_of_what_is_mentioned_pass(text: str, question: str) -> None:
    assert mismatch(question, [replace(make_document([[text]]), language="en")]) is None


@pytest.mark.parametrize(
    ("text", "question", "reason"),
    [
        ("Debian 10, 11 and 12 are supported.", "Is Debian 13 supported?", "does not speak of Debian 13"),
        ("Clauses 4 to 7 apply.", "What does Clause 8 say?", "does not speak of Clause 8"),
        (
            "Sales rose from April to June 2020 and in July 2020.",
            "And in August 2020?",
            "does not speak of August 2020",
        ),
        ("It was built in the 1990s.", "What was built in 1885?", "does not speak of 1885"),
        ("Sales fell in 2020.", "What was lost in 2021 sales?", "does not speak of 2021"),
    ],
)
def test_numbers_outside_a_list_or_range_are_missing(text: str, question: str, reason: str) -> None:
    assert mismatch(question, [replace(make_document([[text]]), language="en")]) == f"the document {reason}"


def test_several_documents_are_spoken_of_in_the_plural() -> None:
    other = replace(make_document([["Apples were sold in 2021."]]), language="en")
    assert mismatch("What did Microsoft earn?", [_report(), other]) == "the documents never mention Microsoft"
    assert mismatch("What of 2030?", [_report(), other]) == "the documents speak of 1999 to 2021, not of 2030"
    assert mismatch("What was sold in 2021?", [_report(), other]) is None


def test_names_are_compared_in_english_only_and_years_everywhere() -> None:
    german = replace(_report(), language="de")
    assert mismatch("Wann traf sie den Minister Baumgartner?", [german]) is None
    assert mismatch("Was geschah 2023?", [german]) == "the document speaks of 1999 to 2020, not of 2023"


def _report() -> Document:
    return replace(make_document(REPORT), language="en", title="Annual report")


def _written_in(language: str, text: str) -> Document:
    return replace(make_document([[text]]), language=language)


@pytest.mark.parametrize(
    ("language", "text", "question", "missing"),
    [
        ("de", "Debian hat viele Pakete für Server.", "Bis wann erhält Windows 10 Updates?", "Windows"),
        ("de", "Debian hat viele Pakete für Server.", "Welche Fedora-Version ist es?", "Fedora-Version"),
        ("fr", "Le projet Debian a beaucoup de paquets.", "Qui dirigeait le projet Fedora ?", "Fedora"),
        ("es", "El proyecto Debian tiene paquetes.", "¿Quién dirige el proyecto Ubuntu?", "Ubuntu"),
        ("zh", "Debian 有很多软件包。", "如何使用 pacman？", "pacman"),
        ("ja", "Debian には多くのパッケージがあります。", "ウィンドウズの更新はいつですか?", "ウィンドウズ"),
    ],
)
def test_a_name_that_the_document_never_mentions_is_noticed_in_other_languages(
    language: str, text: str, question: str, missing: str
) -> None:
    assert mismatch(question, [_written_in(language, text)]) == f"the document never mentions {missing}"


@pytest.mark.parametrize(
    ("language", "text", "question"),
    [
        ("de", "Stable ist für Server gedacht.", "Welche Empfehlung gibt es für Anfänger?"),  # nouns are no names
        ("de", "Ein Sicherheits-Update kommt oft.", "Wann kommt ein Update?"),
        ("fr", "La République a un président.", "Qui dirige la République française ?"),
        ("fr", "Le projet a un chef.", "Who leads the project in Germany?"),  # names are translated
        ("zh", "Debian 有很多软件包。", "Debian 有多少软件包？"),
    ],
)
def test_in_other_languages_the_rules_are_silent_in_doubt(language: str, text: str, question: str) -> None:
    assert mismatch(question, [_written_in(language, text)]) is None


@pytest.mark.parametrize(
    ("text", "question", "reason"),
    [
        ("Plette is actively maintained.", "Who is the maintainer of pipenv?", "a maintainer of pipenv"),
        ("The teapot is well maintained.", "Who is the maintainer?", "a maintainer"),
        ("The teapot has a maintainer.", "Who is the lead maintainer?", "a lead maintainer"),
        ("The teapot has a maintainer.", "Who is the current editor of the teapot?", "an editor"),
        ("The lead maintainer of teapot left.", "Who is the lead maintainer of kettle?", "a lead maintainer of kettle"),
    ],
)
def test_a_role_that_the_document_never_speaks_of_is_noticed(text: str, question: str, reason: str) -> None:
    assert mismatch(question, [_written_in("en", text)]) == f"the document never mentions {reason}"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The teapot is maintained by Jo.", "Who is the maintainer of teapot?"),
        ("Jo maintains it.", "Who is the current maintainer?"),
        ("The teapot, by Jo Bell.", "Who is the author of the book?"),
        ("Jo leads the team.", "Who is the team leader?"),
        ("Jo is the lead developer of teapot.", "Who is the lead developer of teapot?"),
    ],
)
def test_a_role_may_be_a_verb(text: str, question: str) -> None:
    assert mismatch(question, [_written_in("en", text)]) is None


@pytest.mark.parametrize("question", ["Who is giving up as chair?", "Who is replacing the team leader?"])
def test_what_is_done_to_a_role_is_no_role(question: str) -> None:
    document = make_document([["We need a new chair, since Ann steps down.", "Bo leads the team after Cy."]])
    assert mismatch(question, [replace(document, language="en")]) is None


def test_a_role_and_the_thing_must_be_in_the_same_document() -> None:
    documents = [_written_in("en", "The lead maintainer of teapot left."), _written_in("en", "A kettle boils.")]
    question = "Who is the lead maintainer of kettle?"
    assert mismatch(question, documents) == "the documents never mention a lead maintainer of kettle"


def test_a_name_is_not_known_by_its_first_four_letters() -> None:
    document = _written_in("en", "It was written by André Bell for Linux.")
    assert mismatch("Does the tool of Bell run on Android?", [document]) == "the document never mentions Android"
    assert mismatch("Does it run in Germany?", [_written_in("en", "The German tools run.")]) is None
