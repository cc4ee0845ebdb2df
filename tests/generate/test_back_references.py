"""Which sentences need the one before them."""

import pytest

from treatise.generate.back_references import refers_back, spoken

NEEDS = [
    "However, the tea is green.",
    "For example, tea is a drink.",
    "She left the house early.",
    "It contains a large amount of tea.",
    "Its leaves are green.",
    "These results show that tea is hot.",
    "To this end, we boil water.",
    "Based on this analysis, we boil water.",
    "In both cases the tea wins.",
    "The latter is better than coffee.",
    "If you use it, boil water first.",
    "Then the shepherds promised to do as the cat had ordered.",
    "Another approach is to boil the water.",
    "- This is done once a day by the cook.",
    "Some of them are green.",
    "There she stood for a long time.",
    "The corpus additionally contains simple texts.",
    "We also include the data of others.",
    "“They are green,” said the cook.",
]
STANDS = [
    "Tea is green, and it is hot.",
    "In this paper, we describe tea.",
    "This License applies to all works.",
    "These reports are published each year.",
    "It is important to note that tea is hot.",
    "There is tea in the cup.",
    "To protect your rights, we need to forbid others to deny you these rights.",
    "Ebe went to her mother.",
    "When a client passes the test, the daemon adds it to the list.",
    "Those who drink tea sleep well.",
    "For those who drink tea, water is boiled.",
    "We believe that our teas are the best.",
    "The king gave his dog a bone.",
    "Under this Agreement the buyer pays for the tea.",
]


@pytest.mark.parametrize("text", NEEDS)
def test_a_sentence_with_a_loose_pronoun_or_connective_needs_the_one_before(text: str) -> None:
    assert refers_back(text)


@pytest.mark.parametrize("text", STANDS)
def test_a_sentence_that_names_what_it_speaks_of_stands_alone(text: str) -> None:
    assert not refers_back(text)


@pytest.mark.parametrize(
    ("language", "needs", "stands"),
    [
        ("de", "Außerdem ist der Tee grün.", "Der Tee ist grün."),
        ("de", "Diese Frage wird oft gestellt.", "Dieses Dokument beschreibt den Tee."),
        ("de", "Sie können auch Tee trinken.", "Sie können Tee trinken."),
        ("fr", "Cependant, le thé est vert.", "Le thé est vert."),
        ("fr", "Elle est verte.", "Il faut boire du thé."),
        ("es", "Sin embargo, el té es verde.", "Este documento describe el té."),
        ("zh", "因此，茶是绿色的。", "本章介绍茶的种类。"),
        ("zh", "这些软件包使用一种格式。", "软件包通常包括一切文件。"),
        ("ja", "しかし、お茶は緑です。", "この文書はお茶について述べます。"),
        ("ru", "Чай зелёный.", "Он зелёный."),  # no rules for this language: nothing is held back
    ],
)
def test_the_first_words_tell_in_other_languages(language: str, needs: str, stands: str) -> None:
    assert refers_back(needs, language) == (language != "ru")
    assert not refers_back(stands, language)


def test_a_turn_is_read_without_its_speaker_and_fillers() -> None:
    assert spoken("Project Manager: {vocalsound} Um okay so the budget is fixed .") == "the budget is fixed ."
    assert spoken("Um the budget is fixed .", is_turn=True) == "the budget is fixed ."
    assert spoken("So the budget is fixed.") == "So the budget is fixed."
    assert refers_back("Marketing: {vocalsound} Okay , it should be cheap .")
    assert not refers_back("Marketing: So the remote should be cheap .")
