"""Makes texts readable for models: splitting long ones, replacing surrogates."""


def halves(text: str) -> tuple[str, str]:
    """Two parts of a text of at least two characters, cut at the last whitespace of its first half if there is any.

    Neither the text nor the parts have whitespace at their ends.

    >>> halves("one two three")
    ('one', 'two three')
    >>> halves("一二三四")
    ('一二', '三四')
    """
    head = text[: len(text) // 2].rsplit(maxsplit=1)[0]
    return head, text[len(head) :].lstrip()


def readable(text: str) -> str:
    """The text with lone surrogates replaced, which tokenizers and servers refuse; lengths stay the same."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
