"""Numbers with their nouns."""


def counted(n: int, noun: str, verb: str = "", verb_of_several: str = "") -> str:
    """A number, its noun, and a verb that agrees with it.

    >>> counted(1, "call"), counted(2_000, "call"), counted(1, "file", "is", "are"), counted(2, "file", "is", "are")
    ('1 call', '2,000 calls', '1 file is', '2 files are')
    """
    words = (noun, verb) if n == 1 else (f"{noun}s", verb_of_several)
    return f"{n:,} {' '.join(filter(None, words))}"
