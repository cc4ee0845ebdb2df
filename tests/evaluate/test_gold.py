"""Gold evidence is the first annotator's who marked any."""

from treatise.core.document import Span
from treatise.evaluate.data.dataset import AnswerKind, Question, Reference, Retrieved
from treatise.evaluate.run.gold import gold_evidence


def test_the_first_marked_evidence_is_the_context() -> None:
    nothing = Reference("Unanswerable", AnswerKind.UNANSWERABLE)
    marked = Reference("tea", AnswerKind.EXTRACTIVE, ("They drank tea.", "It was green."), (Span(3, 18),))
    assert gold_evidence(Question("1", "What?", (nothing, marked))) == Retrieved(
        "They drank tea.\n\nIt was green.", (Span(3, 18),)
    )
    assert gold_evidence(Question("1", "What?", (nothing,))) == Retrieved("", ())
