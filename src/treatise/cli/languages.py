"""What to tell a user whose question is in another language than the document."""

from collections.abc import Collection

from treatise.ingest.language import detect_language

_NAMES = {
    "ar": "Arabic", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fa": "Persian", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "pl": "Polish",
    "pt": "Portuguese", "ru": "Russian", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip


def language_note(question: str, languages: Collection[str]) -> str:
    """A note where the question's language can be told and is none of the documents'; empty otherwise.

    >>> language_note("这篇文章讲的是什么?", {"en"})[:54]
    'the question is in Chinese and the document in English'
    >>> language_note("What is measured in the paper?", {"en"})
    ''
    """
    asked = detect_language(question)
    if not asked or not languages or asked in languages:
        return ""
    of_documents = " and ".join(sorted(_name(language) for language in languages))
    return (
        f"the question is in {_name(asked)} and the document in {of_documents}: "
        f"ask in {of_documents}, or name a multilingual encoder with --encoder, for better evidence"
    )


def _name(language: str) -> str:
    return _NAMES.get(language, language)
