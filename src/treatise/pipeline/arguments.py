"""Checks of the arguments that callers pass to a library, before any work begins."""

from collections.abc import Collection
from numbers import Integral
from pathlib import Path

from treatise.core.errors import FilterError, QuestionError, SourceError


def check_scope(documents: object, where: object, max_words: object) -> None:
    """Checks where a question is asked, and its budget.

    Raises:
        QuestionError: If ``documents`` is neither None nor a list of ids, or ``max_words`` no number of words.
        FilterError: If ``where`` is no text.
    """
    if documents is not None:
        check_ids(documents)
    if not isinstance(where, str):
        raise FilterError(f"a filter is a text such as \"year >= 2020\", or '' for none, not {type(where).__name__}")
    if not is_count(max_words):
        raise QuestionError(f"a budget is a whole number of words, 0 or more, not {max_words!r}")


def check_ids(documents: object) -> None:
    """Raises ``QuestionError`` unless these are ids of documents; a single text is none, though it has letters."""
    if isinstance(documents, (str, bytes)) or not isinstance(documents, Collection):
        raise QuestionError(f"documents are a list of ids, not {type(documents).__name__}: put one id in a list")
    for one in documents:
        if not isinstance(one, str):
            raise QuestionError(f"an id of a document is a text, not {type(one).__name__}")


def check_text(text: object, name: object) -> None:
    """Raises ``SourceError`` unless a text and its name are texts."""
    if not isinstance(name, str):
        raise SourceError(f"the name of a text is a text, not {type(name).__name__}")
    if not isinstance(text, str):
        raise SourceError(f"{name or 'a text'}: expected a text, found {type(text).__name__}; use index() for bytes")


def check_source(source: object, data: object) -> None:
    """Raises ``SourceError`` unless this is a path or name, with bytes or None."""
    if not isinstance(source, (str, Path)):
        raise SourceError(f"a source is a path or a web address, not {type(source).__name__}")
    if data is not None and not isinstance(data, (bytes, bytearray, memoryview)):
        raise SourceError(f"{source}: data are bytes, not {type(data).__name__}; use add() for a text")


def is_count(value: object) -> bool:
    """Whether a value is a whole number of at least 0; True and False are none."""
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= 0
