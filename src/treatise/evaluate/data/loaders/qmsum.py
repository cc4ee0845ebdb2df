"""QMSum (Zhong et al., 2021): questions on meetings, with the turns that the answer summarises.

Reads JSON lines, one meeting per line: ``meeting_transcripts`` (``speaker``, ``content``), ``specific_query_list``
(``query``, ``answer``, ``relevant_text_span``: first and last turn, counted from 0), and optionally ``meeting_id``.
General questions about the whole meeting are left out.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from treatise.core.document import Span
from treatise.evaluate.data.dataset import AnswerKind, LabelledDocument, Question, Reference
from treatise.evaluate.data.loaders.fields import Fields, read_records
from treatise.evaluate.data.loaders.layout import Layout


def load_qmsum(path: Path) -> Iterator[LabelledDocument]:
    """The meetings in file order; each turn is a paragraph."""
    for number, record in enumerate(read_records(path), start=1):
        name = record.text_or_empty("meeting_id") or f"meeting-{number}"
        meeting = record.at(f"meeting {name}")
        layout = Layout()
        texts = [f"{turn.text('speaker')}: {turn.text('content')}" for turn in meeting.objects("meeting_transcripts")]
        turns = [layout.paragraph(text) for text in texts]
        queries = enumerate(meeting.objects("specific_query_list"))
        questions = tuple(_question(query, f"{name}/{i}", texts, turns) for i, query in queries)
        yield LabelledDocument(layout.document(source=str(path), title=name), questions)


def _question(query: Fields, question_id: str, texts: Sequence[str], turns: Sequence[Span]) -> Question:
    ranges = query.pairs("relevant_text_span")
    for first, last in ranges:
        if not first <= last < len(turns):
            raise query.error(f"relevant_text_span has turns [{first}, {last}], the meeting has 0 to {len(turns) - 1}")
    marked = sorted({i for first, last in ranges for i in range(first, last + 1)})
    reference = Reference(
        query.text("answer"),
        AnswerKind.ABSTRACTIVE,
        evidence=tuple(texts[i] for i in marked),
        spans=tuple(turns[i] for i in marked),
    )
    return Question(question_id, query.text("query"), (reference,))
