"""What a question asks for, in several languages, and which texts can answer it."""

import pytest

from treatise.generate.asked import Asked, asked, defined_term, defines
from treatise.generate.fitting import can_answer


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("How many members does the committee have?", Asked.NUMBER),
        ("Wie viele Menschen benutzen Debian?", Asked.NUMBER),
        ("维护一个软件包每月的工资是多少？", Asked.NUMBER),
        ("How much does the licence cost?", Asked.PRICE),
        ("How much is parking?", Asked.PRICE),
        ("¿Cuánto mide la ventana?", Asked.LENGTH),
        ("What does a ticket cost?", Asked.PRICE),
        ("What is the monthly fee?", Asked.PRICE),
        ("What is the fee policy?", Asked.ANYTHING),
        ("How often do the members meet?", Asked.FREQUENCY),
        ("How much must guests pay for dinner?", Asked.PRICE),
        ("Combien coûte le billet ?", Asked.PRICE),
        ("How much does the box weigh?", Asked.NUMBER),
        ("In which year did her father die?", Asked.YEAR),
        ("Quand a-t-il été publié ?", Asked.DATE),
        ("Which severities are there?", Asked.LIST),
        ("Which data sets are used?", Asked.LIST),
        ("What does the price include?", Asked.LIST),
        ("For how long is it kept?", Asked.DURATION),
        ("How long must the password be?", Asked.LENGTH),
        ("How long should a title be in the report?", Asked.LENGTH),
        ("How long must the records be kept?", Asked.DURATION),
        ("How long must the notice period be?", Asked.DURATION),
        ("软件包有哪些优先级？", Asked.LIST),
        ('What is an "aggregate"?', Asked.DEFINITION),
        ("¿Qué es un inodo?", Asked.DEFINITION),
        ("Wofür steht i18n?", Asked.DEFINITION),
        ("à quoi sert apropos", Asked.DEFINITION),
        ("¿Para qué sirve dch?", Asked.DEFINITION),
        ("What is the price of a licence?", Asked.PRICE),
        ("Was macht Stable aus?", Asked.ANYTHING),
        ("May I charge money?", Asked.YES_NO),
        ("Is it a cat or a dog?", Asked.ANYTHING),
        ("By when must I file the report?", Asked.DATE),
        ("At what time does the meeting start?", Asked.CLOCK),
        ("When does the pool open on Saturdays?", Asked.CLOCK),
        ("When is the next market on the square?", Asked.DATE),
        ("When did shops first open on Sundays?", Asked.DATE),
        ("What is the date of the next meeting?", Asked.DATE),
        ("What time zone does the server use?", Asked.ANYTHING),
        ("What is the date format?", Asked.ANYTHING),
        ("How much notice does my landlord need?", Asked.NUMBER),
        ("What percentage of the users have paid?", Asked.NUMBER),
        ("What is the e-mail address of the security team?", Asked.EMAIL),
        ("To which email address do I write?", Asked.EMAIL),
        ("What is an email address?", Asked.DEFINITION),
        ("Wie lautet die E-Mail-Adresse?", Asked.EMAIL),
        ("Which telephone number do I call?", Asked.PHONE),
        ("What is your phone number?", Asked.PHONE),
        ("Wie heißt die Telefonnummer von Frau Petersen?", Asked.PHONE),
        ("¿Cuál es el teléfono del ayuntamiento?", Asked.PHONE),
        ("How much longer do I have to pay?", Asked.DURATION),
        ("How much longer is the new rope?", Asked.ANYTHING),
    ],
)
def test_the_form_is_known_by_the_words(question: str, form: Asked) -> None:
    assert asked(question) is form


@pytest.mark.parametrize(
    ("form", "text", "can"),
    [
        (Asked.NUMBER, "It has eight members.", True),
        (Asked.NUMBER, "She sailed with nineteen passengers.", True),
        (Asked.NUMBER, "Es kamen siebzehn Gäste.", True),
        (Asked.NUMBER, "the fifteenth meeting", False),
        (Asked.AGE, "He was fifteen years old.", True),
        (Asked.PRICE, "There is no standard way to install it on all 12 systems.", False),
        (Asked.PRICE, "You are free to copy it in section 3 of the manual.", False),
        (Asked.PRICE, "Timely payment of monthly dues", False),
        (Asked.PRICE, "Members pay 120 a year, in two parts.", True),
        (Asked.PRICE, "It is available free of charge to all who ask for it.", True),
        (Asked.PRICE, "Tickets are 15 euros at the door of the hall.", True),
        (Asked.PRICE, "Standard ticket: 250", True),
        (Asked.PRICE, "Um we are planning to sell the remote controls for twenty five Euros each.", True),
        (Asked.EMAIL, "Write to security@example.org.", True),
        (Asked.CLOCK, "It starts at 10:30.", True),
        (Asked.CLOCK, "until eleven twenty five", True),
        (Asked.CLOCK, "at 7 in the evening", True),
        (Asked.CLOCK, "Sunday: Closed", True),
        (Asked.CLOCK, "The deal was closed.", False),
        (Asked.NUMBER, "see 00README for a list", False),
        (Asked.NUMBER, "* 2. Members may vote.", False),
        (Asked.NUMBER, "2.5 apples", True),
        (Asked.DATE, "1. Mai", True),
        (Asked.CLOCK, "when the clock struck twelve", True),
        (Asked.CLOCK, "la reunión empieza a las diez", True),
        (Asked.CLOCK, "Round 1: risks (30 mins), then two hours of talks.", False),
        (Asked.CLOCK, "no later than the first working day after 30 days", False),
        (Asked.CLOCK, "If there is time, say goodbye.", False),
        (Asked.CLOCK, "See issue #6288 and port 8953.", False),
        (Asked.EMAIL, "Write to security [at] example.org.", True),
        (Asked.EMAIL, "Write to the security team.", False),
        (Asked.PHONE, "Call +49 30 1234-56.", True),
        (Asked.PHONE, "Call the office, room 12.", False),
        (Asked.NUMBER, "It handles multiple sessions; see section 4.2 and dpkg(8).", False),
        (Asked.YEAR, "Then the man died, after a time.", False),
        (Asked.YEAR, "He died in 1865.", True),
        (Asked.DATE, "They met after the election.", True),
        (Asked.AGE, "All that they had were three sons and an old cat.", False),
        (Asked.AGE, "The cat was three years old.", True),
        (Asked.AGE, "[14/04/2025, 20:19] Pete: her train comes at 11:52", False),
        (Asked.AGE, "She was born on 14/04/1925.", True),
        (Asked.AGE, "Olga Braun turns 80 on 5 June 2025.", True),
        (Asked.AGE, "The twins are both fourteen.", True),
        (Asked.AGE, "Lena, 33, works as a nurse.", True),
        (Asked.PRICE, "Postage is extra.", True),
        (Asked.PRICE, "extra", True),
        (Asked.PRICE, "Lunch is included in the morning.", False),
        (Asked.AGE, "There are 14 twins in 3 rooms.", False),
        (Asked.AGE, "The rent is 900 euros.", False),
        (Asked.AGE, "Herr Kreuz, geb. 23.11.1951", True),
        (Asked.DURATION, "£914.27 a month", False),
        (Asked.DURATION, "They stay for a month.", True),
        (Asked.DATE, "today", False),
        (Asked.DATE, "7.74% today", False),
        (Asked.DATE, "The rate ends today.", True),
        (Asked.DURATION, "If you give away copies numbering more than 100, add one.", False),
        (Asked.DURATION, "It stays there for at least two (2) years.", True),
        (Asked.DURATION, "They keep for a month.", True),
        (Asked.DURATION, "Members must be at least 18 years of age.", False),
        (Asked.FREQUENCY, "Regular meetings shall be held weekly.", True),
        (Asked.FREQUENCY, "The meeting is held at the registered address.", False),
        (Asked.DURATION, "It has at least 5 characters.", False),
        (Asked.LENGTH, "It has at least 5 characters.", True),
        (Asked.LENGTH, "Cut it to 12 mm.", True),
        (Asked.LENGTH, "un studio de 27 m²", True),
        (Asked.LENGTH, "abrir dos ventanas", False),
        (Asked.LENGTH, "They keep for a month.", True),
        (Asked.LENGTH, "It must differ from the name of all 3 users.", False),
        (Asked.DATE, "The office remains closed on Saturdays.", True),
        (Asked.DATE, "Rights end if you fail to comply.", True),
        (Asked.DATE, "All fixes from 5.2.10 are in it.", False),
        (Asked.DATE, "Remove the flag (c57cd2e)", False),
        (Asked.DATE, "Drop Python 3.7 `#6288 <https://example.org/issues/2019>`_", False),
        (Asked.DATE, "It listened on port 8953.", False),
        (Asked.DATE, "They were 4,500 strong and had two cats.", False),
        (Asked.DATE, "um eleven twenty five i think", True),
        (Asked.DATE, "eleven", True),
        (Asked.DATE, "on the 24th", True),
        (Asked.DATE, "Pay within 30 days.", True),
        (Asked.DATE, "2.4.0 (2024-10-29)", True),
        (Asked.DATE, "am 12.10.2018", True),
        (Asked.DATE, "Thu, 28 Apr 2022", True),
        (Asked.DATE, "The doors open at 9.", True),
        (Asked.DATE, "in 44 BC", True),
        (Asked.DATE, "2018年", True),
        (Asked.YEAR, "FY2018", True),
        (Asked.YEAR, "See #6288.", False),
        (Asked.NUMBER, "Bullseye (August 14th, 2021) is named for a toy in Toy Story 2.", False),
        (Asked.ANYTHING, "Nothing.", True),
    ],
)
def test_a_number_or_time_must_be_in_the_text(form: Asked, text: str, can: bool) -> None:
    assert can_answer(form, text) is can


@pytest.mark.parametrize(
    ("term", "text"),
    [
        ("aggregate", 'Such a compilation is called an "aggregate".'),
        ("inodo", "Un inodo es una estructura."),
        ("Contribution", '"Contribution" shall mean any work.'),
        ("清除", "清除（purge）：用户希望该软件包被完全卸载。"),
    ],
)
def test_definitions_are_recognised(term: str, text: str) -> None:
    assert defines(term, text)
    assert not defines(term, f"We saw {term} there.")


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What does the error code UND_ERR_INFO mean?", "UND_ERR_INFO"),
        ("What does the HTTP status code 404 mean?", "404"),
        ("What is the meaning of the option --no-ff?", "--no-ff"),
        ("What does the scoring parameter v mean?", "v"),
        ("What does the term purge mean?", "purge"),
        ("What does the option value mean?", "the option value"),
        ("Was bedeutet der Fehlercode E42?", "E42"),
        ("Was bedeutet der Wert?", ""),
    ],
)
def test_the_term_of_a_definition_is_without_the_word_for_its_sort(question: str, term: str) -> None:
    assert defined_term(question) == term


def test_the_term_of_a_definition_is_without_quotation_marks() -> None:
    assert defined_term("What does “purge” mean?") == "purge"
    assert defined_term("Who founded it?") == ""
