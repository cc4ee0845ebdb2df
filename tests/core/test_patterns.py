import re

import pytest

from treatise.core.patterns import lazy_pattern


def test_a_lazy_pattern_matches_as_a_compiled_one():
    text, rule = "Tea and coffee; tea again.", r"\b(?P<drink>tea)\b"
    lazy, compiled = lazy_pattern(rule, re.IGNORECASE), re.compile(rule, re.IGNORECASE)
    assert lazy.findall(text) == compiled.findall(text)
    assert lazy.sub("water", text) == compiled.sub("water", text)
    assert (lazy.pattern, lazy.flags, lazy.groupindex) == (compiled.pattern, compiled.flags, compiled.groupindex)


def test_an_expression_that_is_not_valid_is_raised_by_its_first_use():
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")
