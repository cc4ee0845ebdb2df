"""Texts joined by the scripts at their ends, and patterns of scripts that English texts leave uncompiled."""

import time

from hypothesis import given
from hypothesis import strategies as st

from treatise.core.scripts import ENDS_UNSPACED
from treatise.core.words import joined


def by_whole_text(texts: list[str]) -> str:
    result = ""
    for text in texts:
        result += ("" if not result or ENDS_UNSPACED.search(result) else " ") + text
    return result


@given(st.lists(st.text("aé一。ก \n", max_size=4), max_size=5))
def test_the_end_of_a_text_alone_decides_whether_a_space_follows(texts: list[str]) -> None:
    assert joined(texts) == by_whole_text(texts)


def test_many_texts_are_joined_in_linear_time() -> None:
    started = time.process_time()
    assert len(joined(["“a”"] * 20_000)) == 79_999
    assert time.process_time() - started < 1
