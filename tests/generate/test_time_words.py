"""Numbers and times in Italian, Portuguese, Dutch, Russian and Polish, and in scripts that no list covers."""

import pytest

from treatise.generate.asked import Asked
from treatise.generate.fitting import can_answer


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        (Asked.DATE, ["di lunedì", "in ottobre", "em dezembro", "na segunda-feira", "op dinsdag", "op 3 maart"]),
        (Asked.DATE, ["12 мая", "в понедельник", "5 czerwca", "w poniedziałek", "le lundi", "los martes"]),
        (Asked.AGE, ["52 jaar oud", "52 anni", "52 anos", "52 года", "52 lata", "52歳", "nata a Roma"]),
        (Asked.DURATION, ["due ore", "duas horas", "drie maanden", "twee uur", "два года", "одиннадцать дней"]),
        (
            Asked.DURATION,
            [
                "dwa dni",
                "trzy miesiące",
                "90 дней",
                "6 maanden",
                "mezz’ora",
                "полчаса",
                "um ano",
                "jeden dzień",
                "deux ans",
            ],
        ),
        (Asked.NUMBER, ["undici", "sete", "geen", "семь", "osiem", "pięciu", "одиннадцать"]),
        (Asked.CLOCK, ["às 11 horas", "alle 18", "om 18 uur", "в 18 часов", "o godzinie 18", "a mezzogiorno"]),
        (Asked.FREQUENCY, ["ogni giorno", "cada mês", "elke week", "каждый год", "co tydzień", "dwa razy", "毎週"]),
        (Asked.LENGTH, ["otto caratteri", "8 символов", "8 znaków", "8文字"]),
        (Asked.AGE, ["그는 쉰두 살이다", "είναι πενήντα δύο ετών"]),
    ],
)
def test_numbers_and_times_in_more_languages_can_answer(form: Asked, texts: list[str]) -> None:
    assert [text for text in texts if not can_answer(form, text)] == []


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Asked.AGE, "NATO has many members."),
        (Asked.NUMBER, "The report is due in spring."),
        (Asked.DATE, "Real estate and iron ores are sold there."),
        (Asked.DATE, "We do so, and das ist prima."),
        (Asked.DATE, "Его сестра живёт в Казани."),
        (Asked.AGE, "De starter heet Bertus."),
        (Asked.DURATION, "Um andere zu informieren, gibt es Briefe."),
        (Asked.NUMBER, "Es gilt für jeden Entwickler."),
        (Asked.DURATION, "Wymiana pionu jest konieczna."),
    ],
)
def test_words_that_look_like_those_of_another_language_cannot(form: Asked, text: str) -> None:
    assert not can_answer(form, text)
