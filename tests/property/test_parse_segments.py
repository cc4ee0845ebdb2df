"""Whatever the sentence, the rules lose no character of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treatise.parse.segment import CONNECTIVES, RuleSegmenter

WORDS = st.sampled_from(
    ["that", ",", ", which", "(", ")", " ", "—", "因为", "，", "；", "(see", "[3]", "if", ";", "word", "."]
)
SENTENCES = st.lists(WORDS | st.text(max_size=3), max_size=12).map(" ".join) | st.text()


@pytest.mark.parametrize("lang", [*CONNECTIVES, "zh", "xx"])
@settings(deadline=None, max_examples=60)
@given(sentence=SENTENCES)
def test_the_edus_of_a_sentence_joined_are_the_sentence(lang: str, sentence: str) -> None:
    edus = RuleSegmenter().segment([sentence], lang)[0]
    assert "".join("".join(edu.split()) for edu in edus) == "".join(sentence.split())
    assert all(edus) or not sentence.strip()
    assert all(edu == edu.strip() for edu in edus)
