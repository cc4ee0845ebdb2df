"""Each rule marks what it should and is silent otherwise; the claims are not those of the benchmark."""

import pytest

from treatise.claims import compare
from treatise.core.verdict import Verdict

FALSE = [
    ("number", "The bridge is 420 metres long.", "The bridge is 402 metres long."),
    ("unit", "Sales reached 4.2 billion euros.", "Sales reached 4.2 million euros."),
    ("number", "Sixteen ships were lost.", "Of the fleet, fourteen ships were lost."),
    ("number", "Several hundred people came.", "Several dozen people came."),
    ("number", "Two thirds of the members must agree.", "Two fifths of the members must agree."),
    ("unit", "The notice period is 30 weeks.", "The notice period is 30 days."),
    ("unit", "Costs rose by 12 dollars.", "Costs rose by 12 %."),
    ("year", "The mill was built in 1887.", "The mill was built in 1878 by two brothers."),
    ("name", "The report was written by Microsoft.", "The report was written by the board of Apple."),
    ("name", "The summit took place in Sweden.", "The summit took place in Espoo, Finland."),
    ("negation", "The fee is not refundable.", "The fee is refundable within a month."),
    ("negation", "The valve closes in winter.", "The valve never closes in winter."),
    ("negation", "Members can't vote by letter.", "Members can vote by letter."),
    ("quantity", "All clauses survive termination.", "Some clauses survive termination."),
    ("quantity", "At least 5 members are needed.", "At most 5 members are needed."),
    ("quantity", "Few users read the terms.", "Most users read the terms."),
    ("modality", "You must publish the changes.", "You may publish the changes."),
    ("modality", "The tenant may sublet the flat.", "The tenant must not sublet the flat."),
    ("modality", "Visitors are required to register.", "Visitors are not required to register."),
    ("opposite", "Profits increased in the last quarter.", "Profits decreased in the last quarter."),
    ("opposite", "The assembly elected the treasurer.", "The assembly removed the treasurer."),
    ("opposite", "The filter is enabled by default.", "The filter is disabled by default."),
    ("order", "The ship sank before the crew left it.", "The crew left the ship before it sank."),
    ("order", "Anna defeated Bela in the final.", "Bela defeated Anna in the final."),
    (
        "order",
        "In this trade the tenant speaks before the owner.",
        "This trade is one where the owner speaks before the tenant.",
    ),
    ("order", "The fair began on July 17th.", "The fair was held from July 10th to July 17th, in the old harbour."),
    (
        "order",
        "The crew painted the hull before a mast was set.",
        "There were many by then, and the crew painted the hull after a mast was set.",
    ),
    ("exception", "Fishing boats pay the toll.", "All ships pay the toll, except fishing boats, which pay in kind."),
    ("opposite", "Support for green tea was added.", "Support for green tea was removed, while milk was added."),
    ("opposite", "By default the link is a full-duplex protocol.", "By default, the link is a half-duplex protocol."),
]
TRUE = [
    ("It cost 4.2 million dollars.", "The cost was $4,200,000."),
    ("About 4.2 million people live there.", "The city has 4,187,212 inhabitants: people live there."),
    ("The period is 24 hours.", "The period is one day, that is 24 hours."),
    ("Revenue was 1,234 million.", "Revenue (in millions): 1,234"),
    ("Three hundred guests came.", "300 guests came."),
    ("The crew took over the ship after the storm.", "After the storm the captain gave up the ship to the crew."),
    ("The fair ended on July 17th.", "The fair was held from July 10th to July 17th."),
    ("All ships pay the toll, but fishing boats do not.", "All ships pay the toll, except fishing boats."),
    ("Mara did not look at the gifts.", "Mara looked past the gifts."),
    ("It happened in the 1990s.", "It happened in 1994."),
    ("There are two reasons: cost and speed.", "The reasons are cost and speed."),
    ("The German army met the EU delegation.", "The army of Germany met a delegation of the European Union."),
    ("Not all clauses survive.", "Some clauses do not survive; not all clauses survive."),
    ("Some clauses survive termination.", "All clauses survive termination."),
    ("You can copy it.", "You may copy it."),
    ("Each party shall notify the other.", "Each party must notify the other."),
    ("The licence does not apply to copies.", "Copies are excluded: the licence is not applicable to copies."),
    ("It is unsafe.", "It is not safe."),
    ("The crew left before the ship sank.", "The ship sank after the crew left."),
    ("Prices did not increase.", "Prices decreased."),
    ("Bela was defeated by Anna.", "Anna defeated Bela."),
    ("Money is paid out only if the board agrees.", "No money is paid out unless the board agrees."),
]


@pytest.mark.parametrize(("rule", "claim", "text"), FALSE)
def test_a_false_claim_is_found_by_its_rule(rule: str, claim: str, text: str) -> None:
    found = compare(claim, [text])
    assert found is not None
    assert found.rule == rule
    assert found.reason


@pytest.mark.parametrize(("claim", "text"), TRUE)
def test_a_true_claim_is_left_alone(claim: str, text: str) -> None:
    assert compare(claim, [text]) is None


@pytest.mark.parametrize("text", sorted({text for *_, text in FALSE} | {text for _, text in TRUE}))
def test_no_text_differs_from_itself(text: str) -> None:
    assert compare(text, [text]) is None
    assert compare(text, ["The weather was fine in Malta.", text, "Nobody knew why 17 boats came."]) is None


def test_what_one_of_two_contradicting_texts_says_is_supported() -> None:
    assert compare("The fee is 5 euros.", ["The fee is 8 euros.", "The fee is 5 euros."]) is None


def test_a_name_may_come_from_the_title() -> None:
    assert compare("The Nordic Treaty ends in May.", ["It ends in May."], known="The Nordic Treaty") is None


def test_words_of_other_languages_are_left_to_the_numbers() -> None:
    text = ["Der Vertrag endet nicht vor dem 3. Mai 2020."]
    assert compare("Die Frist des Vertrags endet 2020.", text, is_english=False) is None
    found = compare("Der Vertrag endet 2021.", text, is_english=False)
    assert found is not None
    assert found.verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize("odd", ["", " ", "...", "。", "may", "All", "not", "5", "%", "(8)", "A" * 5000, "x y " * 3000])
def test_odd_texts_are_compared_without_an_error(odd: str) -> None:
    compare(odd, [odd, "May all not be 5 % better?"])
    compare("All members must not pay 5 euros.", [odd])
    compare(odd, [])
