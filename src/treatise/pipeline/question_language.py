"""The language of a question beside that of its documents."""

from collections.abc import Iterable

from treatise.ingest.language import question_language


def crosses_languages(question: str, languages: Iterable[str]) -> bool:
    """Whether the question's language is known and none of the documents is in it."""
    asked = question_language(question)
    return bool(asked) and asked not in set(languages)


def needs_other_languages(question: str, languages: Iterable[str]) -> bool:
    """Whether the encoder of many languages finds more: if no document is in English, and across languages."""
    known = {language.partition("-")[0] for language in languages}
    return "en" not in known or crosses_languages(question, known)


def other_language(question: str, languages: Iterable[str]) -> str:
    """The language of all documents, if it is not English and the question is not in another one; else empty."""
    known = {language.partition("-")[0] for language in languages}
    language = next(iter(known)) if len(known) == 1 else ""
    return "" if language == "en" or crosses_languages(question, known) else language
