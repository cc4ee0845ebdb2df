"""Splits texts that are too long for a model."""


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
