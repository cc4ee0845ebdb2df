"""An answer without a model: the sentences that answer best, quoted to the letter."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.answer import Answer, Statement, Support
from treatise.core.document import Document, ParagraphKind
from treatise.core.evidence import Evidence, Passage
from treatise.core.injection import addresses_a_model
from treatise.generate.citations import cite, said

WEAK: Final = 0.3
"""Below this confidence the answer is "not found"; docs/log/retrieval.md measures both kinds of error."""

NOT_FOUND: Final = "Not found in the document."

_MAX_WORDS: Final = 110
_MAX_STATEMENTS: Final = 4
_MARGIN: Final = 1.5  # in standard deviations of the node scores
_SHARE: Final = 0.6  # of the key's score: in a short text the whole of it lies within the margin

_PART: Final = r"(?:sections?|sect?\.|chapters?|appendi(?:x|ces)|part|§)\s*(?:\d[\d.]*|[A-Z]\b|[IVX]+\b)"
_TELLS: Final = (
    r"(?:contains?|concludes?|covers?|describes?|details?|discuss(?:es)?|deals?|explains?|gives?|introduces?|outlines?|"
    r"presents?|provides?|reports?|reviews?|summari[sz]es?)\b"
)
_SIGNPOST: Final = re.compile(
    rf"(?:{_PART}\s+(?:then |finally |briefly )?{_TELLS}"
    rf"|(?:finally, )?in {_PART},?\s+we\s+(?:then |finally |briefly )?{_TELLS}"
    r"|the (?:rest|remainder) of (?:this|the) \w+ is (?:organi[sz]ed|structured))",
    re.IGNORECASE,
)
"""A sentence that says where something is said."""

CAPTION: Final = re.compile(r"(?:table|tab\.|figure|fig\.|listing|algorithm)\s*\d[\d.]*\s*[:.]\s", re.IGNORECASE)
_BIBLIOGRAPHY: Final = re.compile(
    r"[\d.\s]*(?:references|bibliography|literature|works cited|参考文献)\s*", re.IGNORECASE
)
_WORD: Final = re.compile(r"\w+")
_LISTINGS: Final = (ParagraphKind.TABLE, ParagraphKind.CODE)
_MIN_WORDS: Final = 4  # fewer are a run-in heading, a date, an interjection
_UNSPACED: Final = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def answer_by_extraction(evidence: Evidence, documents: Sequence[Document]) -> Answer:
    """The key sentence first, then what supports it in document order; every one quoted and cited.

    Says that nothing was found where ``evidence.confidence`` is below ``WEAK``, and then cites nothing.
    """
    by_id = {document.id: document for document in documents}
    chosen = _chosen(evidence, by_id) if evidence.confidence >= WEAK else []
    if not chosen:
        return refusal(evidence, several=len(documents) > 1)
    citations = tuple(cite(by_id[passage.document], passage.span) for passage in chosen)
    statements = tuple(Statement(said(citation.quote), (i,), Support.QUOTED) for i, citation in enumerate(citations))
    text = " ".join(statement.text for statement in statements)
    return Answer(evidence.question, text, statements, citations, evidence, found=True)


def refusal(evidence: Evidence, *, several: bool) -> Answer:
    """The answer that says that nothing was found, with the evidence for whoever wants to look."""
    text = "Not found in the documents." if several else NOT_FOUND
    if evidence.confidence < WEAK:
        note = f"the best evidence has a confidence of {evidence.confidence:.2f}, below {WEAK}; `search` shows it"
    else:
        note = "the evidence holds no whole sentence that says something; a larger budget of words may"
    return Answer(evidence.question, text, (), (), evidence, found=False, notes=(note,))


def _chosen(evidence: Evidence, documents: dict[str, Document]) -> list[Passage]:
    """The key passage, then the others worth showing in document order; none says the same as another."""
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
    """Its words alone, a blank before and after each."""
    return f" {' '.join(_WORD.findall(passage.text.casefold()))} "


def _is_listing(passage: Passage, documents: dict[str, Document]) -> bool:
    """Whether it is a row of a table or a piece of code, which explains nothing but another one."""
    return documents[passage.document].paragraph_at(passage.span.start).kind in _LISTINGS


def _says_something(passage: Passage, document: Document) -> bool:
    """No heading, question, note, announcement of what comes next, order to a model, or piece that the budget cut."""
    kind = document.paragraph_at(passage.span.start).kind
    is_cut = not document.is_sentence_end(passage.span.end)
    announces = passage.text.endswith(("?", "？", ":", "：")) or _SIGNPOST.match(passage.text)
    speaks = not announces and not addresses_a_model(passage.text)
    return kind is not ParagraphKind.HEADING and not passage.noted and speaks and not is_cut


def _stands_alone(passage: Passage, document: Document) -> bool:
    """No title, no fragment of prose, no caption, no entry of a bibliography."""
    text = passage.text
    if text == document.title:  # in a plain text without a mark to show it for a heading
        return False
    if document.paragraph_at(passage.span.start).kind is ParagraphKind.PROSE and (
        (len(text.split()) < _MIN_WORDS and not _UNSPACED.search(text)) or text[:1].islower()
    ):
        return False
    path = document.section_path(passage.span.start)
    return not CAPTION.match(text) and not (path and _BIBLIOGRAPHY.fullmatch(path[-1]))
