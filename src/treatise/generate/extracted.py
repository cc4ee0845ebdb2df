"""An answer without a model: the best answering sentences, quoted verbatim."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, ParagraphKind
from treatise.core.evidence import Evidence, Passage
from treatise.core.ports import Parser
from treatise.core.quotation import statement_of
from treatise.core.standalone import (
    asserts,
    in_bibliography,
    is_caption,
    is_fragment,
    is_head,
    is_signpost,
)
from treatise.core.words import folded_words, n_words
from treatise.generate.asked import asked
from treatise.generate.attached import attached, with_lead_ins
from treatise.generate.fitting import can_answer, lacking
from treatise.generate.listed import listing
from treatise.generate.mismatch import mismatch
from treatise.generate.not_found import is_weak, refusal, refusal_because
from treatise.generate.quoted import quoting
from treatise.generate.suited import suitability

_MAX_WORDS: Final = 110
_MAX_STATEMENTS: Final = 4
_MARGIN: Final = 1.5  # in standard deviations of the node scores
_SHARE: Final = 0.8  # share of the key's score: a short text is entirely within the margin
_READ_WORDS: Final = 50  # no sentence begins after these: what comes later is seldom the answer (docs/log/answers.md)

_LISTINGS: Final = (ParagraphKind.TABLE, ParagraphKind.CODE)


def answer_by_extraction(evidence: Evidence, documents: Sequence[Document], parser: Parser | None = None) -> Answer:
    """The key sentence first, then what belongs to it, then supporting sentences in document order, quoted and cited.

    With ``parser`` the nucleus of the key sentence belongs to it; see :func:`treatise.generate.attached.attached`.
    If the evidence is weak, or a rule finds that the documents cannot answer the question, the
    answer says that nothing was found and cites nothing.
    """
    if reason := mismatch(evidence.question, documents):
        return refusal_because(evidence, reason, several=len(documents) > 1)
    by_id = {document.id: document for document in documents}
    if is_weak(evidence, documents):
        return refusal(evidence, several=len(documents) > 1)
    suited = _suited(evidence)
    ranked = sorted(suited.passages, key=lambda passage: -passage.score)
    of_list = listing(evidence.question, ranked, by_id)
    chosen = of_list.passages if of_list else best_sentences(suited, by_id, parser)
    if not chosen:
        return refusal(evidence, several=len(documents) > 1)
    key = by_id[chosen[0].document].self_contained(chosen[0].span.start, chosen[0].span.end)
    if not of_list and not can_answer(asked(evidence.question), key):
        return refusal_because(evidence, lacking(evidence.question), several=len(documents) > 1)
    return quoting(evidence, ((by_id[one.document], one.span) for one in with_lead_ins(chosen, by_id)))


def _suited(evidence: Evidence) -> Evidence:
    """The evidence with scores by the form that the question needs as well."""
    suited = suitability(evidence.question, [" ".join(one.text.split()) for one in evidence.passages])
    passages = [replace(one, score=one.score + more) for one, more in zip(evidence.passages, suited, strict=True)]
    return replace(evidence, passages=tuple(passages))


def best_sentences(evidence: Evidence, documents: dict[str, Document], parser: Parser | None = None) -> list[Passage]:
    """The key passage, what belongs to it, then the others worth showing in document order, without repeats."""
    order = {document: i for i, document in enumerate(documents)}
    whole = [passage for passage in evidence.passages if _says_something(passage, documents[passage.document])]
    if not whole:
        return []
    alone = [passage for passage in whole if _stands_alone(passage, documents[passage.document])]
    best = max(whole, key=lambda passage: passage.score)
    key = max((p for p in alone if p.score >= best.score - _MARGIN), key=lambda passage: passage.score, default=best)
    kept, known = [key], [wording(key)]
    total = len(key.text.split())
    for passage in sorted(alone, key=lambda passage: -passage.score):
        n = len(passage.text.split())
        is_near = passage.score >= max(key.score - _MARGIN, _SHARE * key.score)
        fits = is_near and len(kept) < _MAX_STATEMENTS and total + n <= _MAX_WORDS
        is_new = not any(wording(passage) in words or words in wording(passage) for words in known)
        if fits and is_new and _is_listing(passage, documents) <= _is_listing(key, documents):
            kept.append(passage)
            known.append(wording(passage))
            total += n
    others = sorted(kept[1:], key=lambda passage: (order[passage.document], passage.span.start))
    belonging = attached(key, documents[key.document], evidence.question, parser)
    spans = [passage.span for passage in belonging]
    return _first([key, *belonging, *(passage for passage in others if passage.span not in spans)])


def _first(passages: list[Passage]) -> list[Passage]:
    """The passages that begin within the first words."""
    first: list[Passage] = []
    words = 0
    for passage in passages:
        if words < _READ_WORDS:
            first.append(passage)
        words += n_words(passage.text)
    return first


def is_quotable(passage: Passage, document: Document) -> bool:
    """Whether it is a statement that stands alone."""
    return _says_something(passage, document) and _stands_alone(passage, document)


def wording(passage: Passage) -> str:
    """The words of a passage, each between blanks: a sentence that a document repeats is quoted once."""
    return f" {' '.join(folded_words(passage.text))} "


def _is_listing(passage: Passage, documents: dict[str, Document]) -> bool:
    """Whether it is a table row or code, which can only support another such passage."""
    return documents[passage.document].paragraph_at(passage.span.start).kind in _LISTINGS


def _says_something(passage: Passage, document: Document) -> bool:
    """Whether it is a statement: no heading, front matter, question, note, announcement, order to a model, or cut
    sentence.
    """
    is_cut = not document.is_sentence_end(passage.span.end)
    is_quotable = not passage.noted and not is_cut and not is_head(document, passage.span)
    return is_quotable and asserts(passage.text) and not is_signpost(passage.text)


def _without_frames(text: str) -> str:
    """The text without the asterisks and lines that frame it in plain text."""
    return " ".join(word for word in text.split() if any(map(str.isalnum, word)))


def _repeats_heading(passage: Passage, document: Document) -> bool:
    """Whether it is the title of a section, as the items of contents lists are."""
    words = statement_of(document, passage.span).casefold()
    return any(words == " ".join(section.title.split()).casefold() for section in document.sections)


def _stands_alone(passage: Passage, document: Document) -> bool:
    """Whether it is not a title, an entry of contents, a prose fragment, a caption or a bibliography entry."""
    if passage.text == document.title or _repeats_heading(passage, document):  # in plain text without heading marks
        return False
    in_prose = document.paragraph_at(passage.span.start).kind is ParagraphKind.PROSE
    is_piece = is_caption(passage.text) or (in_prose and is_fragment(_without_frames(passage.text)))
    return not is_piece and not in_bibliography(document, passage.span)
