"""What was decided on a topic: the lines below its heading that are marked as decisions, "Conclusion: do not use."."""

import re
from typing import Final

from treatise.claims.words import Text
from treatise.core.answer import Answer
from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.core.quotation import statement_of
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import joined
from treatise.generate.on_topic import asked_topic
from treatise.generate.quoted import quoted_as
from treatise.generate.talk import ASKS_DECISION

_MARKED: Final = lazy_pattern(
    r"\W*(?:agreed|agreement|conclusions?|consensus|decided|decisions?|resolutions?|resolved|verdict)"
    r"(?: reached)?\W{0,3}[:–—]\W*\w",
    re.IGNORECASE,
)
_MOST: Final = 3  # lines


def answer_decided(evidence: Evidence, document: Document) -> Answer | None:
    """The lines that are marked as decisions below a heading with all words of the topic of "what was decided about …".

    None if the question asks for something else, or if no such line, or more than three, are found.
    """
    topic = asked_topic(evidence.question)
    wanted = Text(topic).content
    if not wanted or not ASKS_DECISION.search(evidence.question.partition(topic)[0]):
        return None
    spans = (trim(document.text, one) for one in document.sentences())
    found = [one for one in spans if len(one) and _is_decision(document, one, wanted)]
    if not 0 < len(found) <= _MOST:
        return None
    text = joined([without_markup(statement_of(document, one)) for one in found])
    return quoted_as(evidence, document, found, text, SpanAnswerKind.SENTENCE)


def _is_decision(document: Document, span: Span, wanted: frozenset[str]) -> bool:
    """Whether a sentence is marked as a decision, and a heading above it has all words of the topic."""
    text = without_markup(document.quote(span.start, span.end))
    if not _MARKED.match(text) or addresses_a_model(text):
        return False
    return any(wanted <= Text(title).content for title in document.section_path(span.start))
