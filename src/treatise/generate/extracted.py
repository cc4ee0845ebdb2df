"""An answer without a model: the best answering sentences, quoted verbatim."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, ParagraphKind
from treatise.core.evidence import Evidence, Passage
from treatise.core.standalone import asserts, in_bibliography, is_caption, is_fragment, is_heading, is_signpost
from treatise.generate.citations import as_statement, cite
from treatise.generate.not_found import WEAK, refusal

_MAX_WORDS: Final = 110
_MAX_STATEMENTS: Final = 4
_MARGIN: Final = 1.5  # in standard deviations of the node scores
_SHARE: Final = 0.6  # share of the key's score: a short text is entirely within the margin

_WORD: Final = re.compile(r"\w+")
_LISTINGS: Final = (ParagraphKind.TABLE, ParagraphKind.CODE)


def answer_by_extraction(evidence: Evidence, documents: Sequence[Document]) -> Answer:
    """The key sentence first, then supporting sentences in document order, all quoted and cited.

    If ``evidence.confidence`` is below ``WEAK``, the answer says that nothing was found and cites nothing.
    """
    by_id = {document.id: document for document in documents}
    chosen = best_sentences(evidence, by_id) if evidence.confidence >= WEAK else []
    if not chosen:
        return refusal(evidence, several=len(documents) > 1)
    citations = tuple(cite(by_id[passage.document], passage.span) for passage in chosen)
    statements = tuple(
        Statement(as_statement(citation.quote), (i,), Support.QUOTED) for i, citation in enumerate(citations)
    )
    text = " ".join(statement.text for statement in statements)
    return Answer(evidence.question, text, statements, citations, evidence, found=True)


def best_sentences(evidence: Evidence, documents: dict[str, Document]) -> list[Passage]:
    """The key passage, then the others worth showing in document order, without repeats."""
    order = {document: i for i, document in enumerate(documents)}
    whole = [passage for passage in evidence.passages if _says_something(passage, documents[passage.document])]
    if not whole:
        return []
    alone = [passage for passage in whole if _stands_alone(passage, documents[passage.document])]
    best = max(whole, key=lambda passage: passage.score)
    key = max((p for p in alone if p.score >= best.score - _MARGIN), key=lambda passage: passage.score, default=best)
    kept, known = [key], [_words(key)]
    n_words = len(key.text.split())
    for passage in sorted(alone, key=lambda passage: -passage.score):
        n = len(passage.text.split())
        is_near = passage.score >= max(key.score - _MARGIN, _SHARE * key.score)
        fits = is_near and len(kept) < _MAX_STATEMENTS and n_words + n <= _MAX_WORDS
        is_new = not any(_words(passage) in words or words in _words(passage) for words in known)
        if fits and is_new and _is_listing(passage, documents) <= _is_listing(key, documents):
            kept.append(passage)
            known.append(_words(passage))
            n_words += n
    return kept[:1] + sorted(kept[1:], key=lambda passage: (order[passage.document], passage.span.start))


def _words(passage: Passage) -> str:
    """The words of a text, each between blanks."""
    return f" {' '.join(_WORD.findall(passage.text.casefold()))} "


def _is_listing(passage: Passage, documents: dict[str, Document]) -> bool:
    """Whether it is a table row or code, which can only support another such passage."""
    return documents[passage.document].paragraph_at(passage.span.start).kind in _LISTINGS


def _says_something(passage: Passage, document: Document) -> bool:
    """Whether it is a statement: no heading, question, note, announcement, order to a model, or cut sentence."""
    is_cut = not document.is_sentence_end(passage.span.end)
    is_head = is_heading(document, passage.span) or document.is_table_head(passage.span.start, passage.span.end)
    is_quotable = not passage.noted and not is_cut and not is_head
    return is_quotable and asserts(passage.text) and not is_signpost(passage.text)


def _stands_alone(passage: Passage, document: Document) -> bool:
    """Whether it is not a title, a prose fragment, a caption or a bibliography entry."""
    if passage.text == document.title:  # in plain text without heading marks
        return False
    in_prose = document.paragraph_at(passage.span.start).kind is ParagraphKind.PROSE
    is_piece = is_caption(passage.text) or (in_prose and is_fragment(passage.text))
    return not is_piece and not in_bibliography(document, passage.span)
