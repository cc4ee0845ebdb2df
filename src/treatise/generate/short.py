"""An answer in the short form of a data set, without a language model: the reader's direct answer alone."""

import re
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer, DirectAnswer
from treatise.core.form import FormKind
from treatise.generate.asked import Asked, asked

UNANSWERABLE: Final = "Unanswerable"
"""How a short answer refuses, as the instructions to a language model say."""

_SHORT: Final = (FormKind.SHORT, FormKind.SPAN, FormKind.STORY, FormKind.SHORT_ZH)
_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|unable|fail(?:s|ed)?|lack(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)


def shortened(answer: Answer, kind: FormKind) -> Answer:
    """The answer with its direct answer as its text, if the form is short; quotations and citations stay.

    In the forms ``SHORT`` and ``SPAN`` a refusal is ``UNANSWERABLE``. In the form ``SHORT`` a yes-or-no question gets
    yes or no: no if the deciding sentence negates and the question does not. That is right in two of three cases
    (docs/log/reader.md), so ``ask`` gives the sentence instead. Without a direct answer, the text stays quoted.
    """
    if kind not in _SHORT:
        return answer
    if not answer.found:
        return replace(answer, text=UNANSWERABLE) if kind in (FormKind.SHORT, FormKind.SPAN) else answer
    direct = answer.direct
    if direct is None:
        return answer
    if kind is FormKind.SHORT and asked(answer.question) is Asked.YES_NO:
        direct = _verdict(answer.question, direct)
    return replace(answer, text=direct.text, direct=direct)


def _verdict(question: str, decisive: DirectAnswer) -> DirectAnswer:
    """Yes or no, in place of the sentence that decides."""
    negates = _NEGATION.search(decisive.text) and not _NEGATION.search(question)
    return replace(decisive, text="No", kind="no") if negates else replace(decisive, text="Yes", kind="yes")
