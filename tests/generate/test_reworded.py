"""Questions in the words of a document."""

import pytest

from treatise.generate import reworded

TEXT = "You notify your manager at least two weeks in advance. The refund is paid by law enforcement. Employees rest."


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How early must I tell my boss?", "How far in advance must I notify my manager?"),
        ("Can I get my money back?", "Can I get my refund?"),
        ("Boss or no boss?", "Manager or no boss?"),
        ("Do workers rest?", "Do employees rest?"),
        ("Do Employees rest?", "Do Employees rest?"),
        ("May the landlord enter?", "May the landlord enter?"),
        ("Is there a workers-only room?", "Is there a workers-only room?"),
    ],
)
def test_words_that_the_text_lacks_are_replaced_by_its_own(question: str, expected: str) -> None:
    assert reworded(question, TEXT) == expected
