"""Sentences held against each other: what one denies of the other, and to what it is limited."""

import pytest

from treatise.claims.polarity import are_of_one_thing, claim_in, is_denied_by
from treatise.compose import open_encoder
from treatise.core.graph import Link
from treatise.plan import LocalRelator


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("Aspirin is safe for children.", "Aspirin was found not to be safe for children in three trials."),
        ("Aspirin is safe for children.", "There is no evidence that aspirin is safe for children."),
        ("The bridge is safe for heavy lorries.", "The bridge is unsafe for heavy lorries."),
        ("The drug lowers blood pressure in adults.", "The drug had no effect on the blood pressure of adults."),
        ("The drug lowers blood pressure.", "The drug failed to lower blood pressure."),
        ("The new law increases taxes on fuel.", "The new law reduces taxes on fuel."),
        ("The museum is open on Mondays.", "The museum is closed on Mondays."),
        ("The tenant may keep pets in the flat.", "The tenant must not keep pets in the flat."),
        ("Personal data is shared with advertisers.", "We don't share personal data with advertisers."),
        ("Patients fell ill 12 percent less often.", "It made no difference to how often patients fell ill."),
        ("All blood cells carry the marker, excluding plasma cells.", "Plasma cells do carry the marker."),
    ],
)
def test_a_denial_is_seen_in_whatever_words(said: str, denied: str) -> None:
    assert is_denied_by(claim_in(said), claim_in(denied))
    assert is_denied_by(claim_in(denied), claim_in(said))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The model is not only fast but accurate.", "The model is fast and accurate."),
        ("There is no doubt that the drug lowers blood pressure.", "The drug lowers blood pressure."),
        (
            "The trial did not fail to show an effect on blood pressure.",
            "The trial showed an effect on blood pressure.",
        ),
        ("The museum is closed on Mondays.", "The museum is not open on Mondays."),
        ("The method needs no training data.", "The method works without training data."),
        ("Nobody was hurt when the roof of the hall fell.", "The roof of the hall fell in a storm."),
        ("The stamp was not valid until 6 May.", "The stamp was valid from 6 May."),
        ("The drug was not expensive.", "The drug was tested on adults."),
    ],
)
def test_agreement_in_other_words_is_no_denial(one: str, other: str) -> None:
    assert not is_denied_by(claim_in(one), claim_in(other))


def test_a_limit_narrows_what_is_said_without_it() -> None:
    general = claim_in("The discount is for all members.")
    limited = claim_in("The discount is for members only if they pay before May.")
    assert are_of_one_thing(general, limited)
    assert limited.narrows(general)
    assert not general.narrows(limited)
    assert not claim_in("It was the album's only single.").limits


def _links(first: str, second: str) -> tuple[Link, Link]:
    there, back = LocalRelator(open_encoder()).relate([first, second]).edges
    return there.link, back.link


def test_a_denial_contradicts() -> None:
    links = _links("The sweetener Lumo is safe.", "The sweetener Lumo was found not to be safe in children under six.")
    assert links == (Link.CONTRADICTS, Link.CONTRADICTS)


def test_a_finding_for_some_only_specifies_the_general_one() -> None:
    general = "Vitamin D supplements reduce the risk of influenza."
    limited = (
        "Vitamin D supplements reduced the risk of influenza only in people who were deficient; in others they had no "
        "effect."
    )
    assert _links(general, limited) == (Link.GENERALIZES, Link.SPECIFIES)
    assert _links(limited, general) == (Link.SPECIFIES, Link.GENERALIZES)


def test_a_finding_for_some_stands_in_contrast_to_a_general_denial() -> None:
    links = _links("The drug lowers blood pressure only in adults.", "The drug does not lower blood pressure.")
    assert links == (Link.CONTRASTS_WITH, Link.CONTRASTS_WITH)


def test_what_holds_no_longer_is_replaced() -> None:
    links = _links("Lake Arden is a national park.", "Lake Arden is no longer a national park.")
    assert links == (Link.BACKGROUND_FOR, Link.REPLACES)
