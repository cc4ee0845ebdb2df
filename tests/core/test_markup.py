"""Markup gives way to blanks of the same length."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treatise.core.markup import blank_markup, blank_quote_marks, without_markup


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the [terms](/site/terms-of-service) apply", "the terms apply"),
        ("[Refund policy](refund/index.md)", "Refund policy"),
        ("[write]({{ site.email }}) to us", "write to us"),
        ("![a cup](https://example.org/cup.png 'A cup')", "a cup"),
        ("[条款](/site/terms)适用，见[这里](https://example.org/a)。", "条款 适用，见 这里 。"),
        ("the fee of [Amount][●] and list[index][0]", "the fee of [Amount][●] and list[index][0]"),
        (
            "write `[text](/target)`, `<a href='x'>` or `{{ name }}`",
            "write `[text](/target)`, `<a href='x'>` or `{{ name }}`",
        ),
        ("[`read`](/api/read) reads", "`read` reads"),
        ("the [tea](https://example.org/Tea_(drink)) and [limit [in bars]](/limit)", "the tea and limit [in bars]"),
        ('8. <span class="header_2" id="8">Liability</span>', "8. Liability"),
        ("[![a cup](https://example.org/cup.png)](https://example.org/tea) of tea", "a cup of tea"),
        ("write `[![text](/picture)](/target)`", "write `[![text](/picture)](/target)`"),
        ("<!-- lint off -->Tea", "Tea"),
        ("one<br/>two", "one two"),
        ("m[i][j] and f[i](x), [12][13], <p>, __init__", "m[i][j] and f[i](x), [12][13], <p>, __init__"),
        ("<!-- nothing else -->", "<!-- nothing else -->"),
        ("> [!Important]\n> Python needs it\n>\n> > twice", "Python needs it twice"),
        ("> ℹ️ Note:\n> The [hooks](./Hooks.md) are\n> 1. here", "Note: The hooks are 1. here"),
        ("a > b\n>>> f(x)\n>= 3\n> 5 years\n> $9", "a > b >>> f(x) >= 3 > 5 years > $9"),
        (">", ">"),
    ],
)
def test_targets_tags_and_comments_are_no_words(text: str, words: str) -> None:
    assert " ".join(blank_markup(text).split()) == words


@given(st.text(alphabet="[]()<>{}/#.:!- ab1ℹ\n", max_size=60))
def test_what_is_left_stays_in_its_place(text: str) -> None:
    blanked = blank_markup(text)
    assert len(blanked) == len(text)
    assert all(new in (old, " ") for new, old in zip(blanked, text, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "[a",
        "[" + "a" * 99,
        "<!--",
        "{{",
        "<a x=",
        "**a",
        "`",
        "`a",
        "``a`",
        "[a](b/",
        "[a](b/(",
        "[a](b/(c)",
        "[[a]",
        "[a[b]",
        "[a](/b) " + " " * 99,
    ],
)
def test_hostile_texts_take_linear_time(text: str) -> None:
    long = text * (500_000 // len(text))
    assert len(blank_markup(long)) == len(long)
    without_markup(long)
    without_markup(f"[{'a' * 500_000}")
    without_markup(f"[a](/b){' ' * 500_000}")


def test_marks_of_many_quoted_lines_take_linear_time() -> None:
    start = process_time()
    for text in ("> " * 50_000, "> a\n" * 50_000, ">" * 100_000, "   " * 50_000):
        blank_quote_marks(text)
    assert process_time() - start < 2
