"""The evidence that annotators marked, in place of retrieved evidence ("gold evidence" in DISRetrieval's table 2)."""

from dataclasses import replace
from typing import Final

from treatise.core.document import Span
from treatise.core.evidence import Evidence, Passage
from treatise.evaluate.data.dataset import LabelledDocument, Question
from treatise.recipes import FLAT_SENTENCE

GOLD_EVIDENCE: Final = replace(FLAT_SENTENCE, name="GOLD_EVIDENCE")
"""Named like a recipe in experiments. Only data sets know their gold evidence, so it is no recipe for users."""


def gold_evidence(labelled: LabelledDocument, question: Question) -> Evidence:
    """The evidence of the first annotator with any, in the annotator's order; an empty context if there is none.

    A marked text whose words the loader changed is part of the context, and no passage.
    """
    marked = next((reference for reference in question.references if reference.evidence), None)
    texts = marked.evidence if marked else ()
    found = (_passage(labelled, text, number) for number, text in enumerate(texts))
    context = "\n\n".join(texts)
    return Evidence(question.text, tuple(filter(None, found)), context, len(context.split()), confidence=1.0)


def _passage(labelled: LabelledDocument, text: str, group: int) -> Passage | None:
    for document in labelled.documents:
        start = document.text.find(text)
        if start >= 0:
            return Passage(document.id, Span(start, start + len(text)), text, 1.0, group)
    return None
