"""Questions about the document itself: its title, authors, date, pages and contents; in English, German, French and
Spanish, and its contents also in Chinese and Japanese.

"Who are the authors?" is answered by what the source states, with the place where the text states it too, and never by
a reference that the text quotes.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence, Passage
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern
from treatise.core.plurals import counted
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import n_words
from treatise.generate.not_found import refusal_because
from treatise.generate.quoted import quoted_as

_FRONT: Final = 1_500  # characters at the beginning of a document that say what it is
_BACK: Final = 300  # and at its end: "This page was last modified on …"
_NEAR: Final = 400  # characters within which all authors are named
_LONGEST: Final = 300  # characters of a sentence that is quoted whole


class About(StrEnum):
    """What of the document a question asks for."""

    TITLE = "title"
    AUTHORS = "authors"
    DATE = "date"
    PAGES = "pages"
    CONTENTS = "contents"
    FINDINGS = "findings"


_THIS: Final = (
    r"(?:it|this|(?:this|the) (?:\w+ )?(?:document|paper|text|report|article|manual|guide(?:book)?|handbook|book|study|"
    r"publication|page|thesis|essay|story|file|pdf|vignette|white ?paper|presentation|talk|lecture|(?:slide )?deck|"
    r"slides)|this (?:letter|e-?mail|memo))"
)
_DIESES: Final = (
    r"(?:es|das|(?:de[rsnm]|das|die|diese[rsnm]?) (?:dokuments?|texte?s?|berichte?s?|artikels?|handbuche?s?|anleitung|"
    r"buche?s?|studie|arbeit|seite|datei|aufsatz(?:es)?|leitfadens?))"
)
_CE: Final = (
    r"(?:ça|(?:le|la|l['’]|ce|cet|cette|du|de la|de l['’]|de ce|de cet|de cette) ?(?:document|texte|rapport|article|"
    r"manuel|guide|livre|étude|page|fichier|papier|ouvrage))"
)
_ESTE: Final = (
    r"(?:esto|(?:el|la|este|esta|del|de la|de este|de esta) (?:documento|texto|informe|artículo|manual|guía|libro|"
    r"estudio|página|archivo|trabajo))"
)
_MADE: Final = r"(?:published|written|issued|released|dated|produced)"
_FINDINGS: Final = r"(?:findings?|results?|conclusions?|contributions?|takeaways?|outcomes?)"
_FIND: Final = r"(?:find(?: out)?|found|show|demonstrate|conclude|contribute|discover|report|argue)"
RULES: Final = {
    About.TITLE: (
        rf"what(?: is|'s) the (?:full |exact )?(?:title|name)(?: of {_THIS})?|what is {_THIS} (?:called|titled)|"
        rf"title(?: of {_THIS})?|(?:which|what) title does {_THIS} have|"
        rf"(?:wie (?:lautet|ist|heißt)|was ist) der titel(?: {_DIESES})?|wie heißt {_DIESES}|titel(?: {_DIESES})?|"
        rf"quel est le titre(?: {_CE})?|titre(?: {_CE})?|(?:cuál es el título|cómo se titula)(?: {_ESTE})?|"
        rf"título(?: {_ESTE})?"
    ),
    About.AUTHORS: (
        rf"who (?:is|are|was|were) the (?:authors?|writers?)(?: of {_THIS})?|"
        rf"who (?:wrote|authored|has written|gave|presented|held) {_THIS}|"
        rf"(?:authors?|author's name|names? of the authors?)(?: of {_THIS})?|who is {_THIS} (?:written )?by|"
        rf"by whom (?:is|was) {_THIS} written|(?:list|name) the authors(?: of {_THIS})?|"
        rf"wer (?:ist|sind|war|waren) (?:der|die) (?:autor(?:in|en)?|verfasser(?:in)?)(?: {_DIESES})?|"
        rf"wer (?:hat|haben) {_DIESES} (?:geschrieben|verfasst)|von wem (?:ist|stammt) {_DIESES}|"
        rf"(?:autor(?:in|en)?|verfasser)(?: {_DIESES})?|"
        rf"qui (?:est|sont) (?:l['’]auteure?|les auteurs)(?: {_CE})?|qui a (?:écrit|rédigé) {_CE}|auteurs?(?: {_CE})?|"
        rf"quién(?:es)? (?:es|son) (?:el autor|la autora|los autores)(?: {_ESTE})?|"
        rf"quién(?:es)? (?:escribi[óo]|escribieron|ha escrito|han escrito) {_ESTE}|autor(?:es)?(?: {_ESTE})?"
    ),
    About.DATE: (
        rf"when (?:was|were) {_THIS} {_MADE}|when did {_THIS} (?:appear|come out)|"
        rf"what is the (?:publication date|date(?: of publication)?)(?: of {_THIS})?|"
        rf"publication date(?: of {_THIS})?|in (?:which|what) year was {_THIS} {_MADE}|"
        rf"(?:wann|in welchem jahr) (?:wurde|ist) {_DIESES} "
        rf"(?:veröffentlicht|geschrieben|erschienen|verfasst|publiziert)(?: worden)?|"
        rf"wann erschien {_DIESES}|von wann ist {_DIESES}|"
        rf"quand {_CE} a[- ]t[- ](?:il|elle) été (?:publiée?|écrite?)|quand a été (?:publiée?|écrite?) {_CE}|"
        rf"de quand date {_CE}|(?:cuándo|en qué año) (?:se|fue) (?:publicó|publicad[oa]|escribió|escrit[oa]) {_ESTE}"
    ),
    About.PAGES: (
        rf"how many pages (?:has|have|are there|(?:does|do) {_THIS} have|(?:is|are) {_THIS}|in {_THIS})(?: {_THIS})?"
        rf"(?: in {_THIS})?|how many pages|number of pages|"
        rf"wie ?viele seiten(?: hat {_DIESES})?|combien de pages(?: (?:compte|comporte|a) {_CE})?|"
        rf"combien de pages {_CE} (?:compte|comporte|a)[- ]t[- ](?:il|elle)|cuántas páginas(?: tiene {_ESTE})?"
    ),
    About.CONTENTS: (
        rf"what(?: is|'s) {_THIS} (?:all |mainly )?about|what does {_THIS} (?:deal with|cover|talk about)|"
        rf"what(?: is|'s) the (?:main )?(?:topic|subject|theme|gist|content)(?: of {_THIS})?|tl;? ?dr|"
        rf"(?:please )?(?:summari[sz]e|describe) {_THIS}|what (?:kind|sort|type) of (?:document|text) is (?:this|it)|"
        rf"(?:(?:please )?give (?:me )?)?(?:an? |the )?(?:short |brief |quick )?(?:summary|overview)(?: of {_THIS})?|"
        rf"worum geht(?: e)?['’]?s(?: (?:hier|darin|in {_DIESES}))?|wovon handelt {_DIESES}|"
        rf"(?:was ist )?das thema(?: {_DIESES})?|(?:eine )?(?:kurze )?zusammenfassung(?: {_DIESES})?|"
        rf"(?:bitte )?fasse {_DIESES} zusammen|"
        rf"de quoi (?:parle|traite) {_CE}|de quoi s['’]agit[- ]il|de quoi {_CE} (?:parle|traite)[- ]t[- ](?:il|elle)|"
        rf"(?:un )?(?:bref )?résumé(?: {_CE})?|résume(?:r|z)? {_CE}|quel est le (?:sujet|thème)(?: {_CE})?|"
        rf"(?:de|sobre) qué trata(?: {_ESTE})?|(?:un )?(?:breve )?resumen(?: {_ESTE})?|resum(?:e|ir) {_ESTE}|"
        rf"cuál es el tema(?: {_ESTE})?|"
        r"[这這本该該]?(?:篇|份|本)?(?:文章|文档|文件|报告|論文|论文|书|網頁|网页)(?:主要)?(?:是)?(?:关于|講|讲|说|介绍)(?:的是|了|的)?什么(?:的)?|"
        r"(?:この|本)?(?:文書|文章|論文|記事|ページ|本|資料)は(?:何|なに|なん)(?:について|の話|に関する).{0,12}"
    ),
    About.FINDINGS: (
        rf"what (?:does|do|did) (?:{_THIS}|the authors?|they) {_FIND}|what (?:has|have) (?:{_THIS}|the authors?) found|"
        rf"what (?:is|are|was|were) (?:the|its|their) (?:main |key |most important |principal |central )?{_FINDINGS}"
        rf"(?: (?:of|in) {_THIS})?|(?:main |key )?{_FINDINGS}(?: of {_THIS})?|"
        rf"was sind die (?:wichtigsten )?(?:ergebnisse|erkenntnisse|schlussfolgerungen|befunde)(?: {_DIESES})?|"
        rf"quel(?:le)?s sont les (?:principa(?:ux|les) )?(?:résultats|conclusions)(?: principa(?:ux|les))?(?: {_CE})?|"
        rf"cuáles son (?:los|las) (?:principales )?(?:resultados|conclusiones|hallazgos)(?: principales)?(?: {_ESTE})?"
    ),
}
"""In lower case: to compile them for any case takes more than twice as long."""
_COMPILED: Final = {about: lazy_pattern(rf"(?:{rules})") for about, rules in RULES.items()}
STEMS: Final = {
    About.TITLE: "title name call titel heißt titre título titula",
    About.AUTHORS: "author writ wrote gave present held by autor verfass geschrieben wem auteur écri rédig escri",
    About.DATE: "publ writ issue release date produce appear come veröff geschrieben erschien verfasst wann écri escri",
    About.PAGES: "page seiten págin",
    About.CONTENTS: "about deal cover topic subject theme gist content tl summar describe kind sort type overview geht "
    "handelt thema zusammen quoi résum sujet thème trata resum tema 什么 何 なに なん",
    About.FINDINGS: "find found show demonstr concl contrib discover report argue result takeaway outcome ergeb "
    "erkennt schluss befund résult hallazgo",
}
"""Beginnings of words without one of which no rule of the kind matches: most questions need none of the rules."""
_OF_FRONT: Final = (About.TITLE, About.AUTHORS, About.DATE)
_AND: Final = lazy_pattern(
    r",? and (?=(?:who|when|what|in (?:what|which)|the (?:title|authors?|date))\b)", re.IGNORECASE
)
_WITH_EMPLOYER: Final = lazy_pattern(
    r"(?P<authors>who .+?|.*authors?.*?),? and (?:(?:at|from|of|for) )?(?:which|what) "
    r"(?P<sort>universit|institut|compan|organi[sz]ation|college|school|laborator)(?:y|ies|es?|ions?|s)?"
    r"(?: (?:is|are|was|were|do|did) (?:it|they|he|she)"
    r"(?: (?:from|at|with|of|work(?:ing)? (?:at|for)|made at|written at|belong to))?)?",
    re.IGNORECASE,
)
_EMPLOYER_WORDS: Final = 12
_STATED: Final = (About.TITLE, About.AUTHORS, About.DATE, About.PAGES)
_ISO: Final = lazy_pattern(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?")
_DAY: Final = r"\d{1,2}(?:st|nd|rd|th|er|\.|º)?"


def asked_about(question: str) -> About | None:
    """What the question asks of the document itself, or None.

    >>> asked_about("Who wrote this paper?").value, asked_about("Who wrote the letter?")
    ('authors', None)
    """
    plain = _plain(question).lower()
    may_ask = (about for about, stems in STEMS.items() if any(stem in plain for stem in stems.split()))
    return next((about for about in may_ask if _COMPILED[about].fullmatch(plain)), None)


def answer_about(evidence: Evidence, documents: Sequence[Document]) -> Answer | None:
    """The title, authors, date or number of pages that the source states, or two of them.

    None if the question asks for something else, for several documents, or if the source does not state it.
    """
    if len(documents) != 1:
        return None
    (document,) = documents
    if asked_about(evidence.question) is About.PAGES:
        return _pages(evidence, document)
    if with_employer := _WITH_EMPLOYER.fullmatch(_plain(evidence.question)):
        said = [_with_employer(document, with_employer["authors"], with_employer["sort"])]
    else:
        said = [_said(about, document) for about in _asked(evidence.question)]
    found = [one for one in said if one]
    if not found or len(found) < len(said):
        return None
    places = dict.fromkeys(place for _, place in found)
    return _answer(evidence, document, "; ".join(text for text, _ in found), list(places))


def _asked(question: str) -> list[About]:
    """What the question asks for, one or two of title, authors and date; empty if it asks for anything else."""
    parts = [asked_about(question)]
    if parts == [None]:
        parts = [asked_about(one) for one in _AND.split(_plain(question))]
    return [one for one in parts if one in _OF_FRONT] if all(one in _OF_FRONT for one in parts) else []


def _said(about: About, document: Document) -> tuple[str, Span] | None:
    """What the source states, and where the text states it."""
    value = _stated(about, document)
    if not value:
        return None
    place = _place(about, document)
    text = _date_as_written(document, place) or value if about is About.DATE else value
    return text, place or _first_line(document)


def _with_employer(document: Document, authors: str, sort: str) -> tuple[str, Span] | None:
    """The authors with the university or company that ends the sentence in which the text names them all."""
    named = document.metadata.get("author", ())
    places = [_found(document, name) for name in named]
    if asked_about(authors) is not About.AUTHORS or not places or not all(places):
        return None
    last = max(one.end for one in places if one)
    sentence = next(one for one in document.paragraph_at(last - 1).sentences if last <= one.end)
    whole = trim(document.text, sentence)
    rest = document.one_line(last, whole.end).strip(" ,.()")
    is_whole = all(one and whole.start <= one.start for one in places) and n_words(rest) <= _EMPLOYER_WORDS
    if not is_whole or not re.search(rf"\b{sort[:6]}", rest, re.IGNORECASE) or addresses_a_model(rest):
        return None
    return f"{', '.join(named)}; {rest}", whole


def _plain(question: str) -> str:
    return " ".join(question.split()).strip(" ?？!.¿:")


def asks_contents(question: str) -> bool:
    """Whether it asks what a document is about, which a summary answers.

    >>> asks_contents("What is this paper about?"), asks_contents("What is the section on costs about?")
    (True, False)
    """
    return asked_about(question) is About.CONTENTS


def about_evidence(evidence: Evidence, documents: Sequence[Document]) -> Evidence:
    """For a question about one document, its first and last lines as evidence; else the evidence as it is."""
    if len(documents) != 1 or asked_about(evidence.question) not in _STATED:
        return evidence
    (document,) = documents
    spans = [
        trim(document.text, one) for one in document.sentences() if one.start < _FRONT or one.end > _last(document)
    ]
    score = max((passage.score for passage in evidence.passages), default=0.0)
    passages = tuple(
        Passage(document.id, span, document.quote(span.start, span.end), score, group)
        for group, span in enumerate(spans)
        if len(span)
    )
    return replace(evidence, passages=passages, context="\n\n".join(one.text for one in passages))


def _pages(evidence: Evidence, document: Document) -> Answer:
    n_pages = len(document.page_starts)
    if not n_pages:
        return refusal_because(evidence, "the source is not divided into pages", several=False)
    last = trim(document.text, Span(document.page_starts[-1], len(document.text)))
    last_line = Span(last.start, last.start + len(document.text[last.start : last.end].partition("\n")[0]))
    text = counted(n_pages, "page")
    return _answer(evidence, document, text, [last_line if len(last_line) else _first_line(document)])


def _answer(evidence: Evidence, document: Document, text: str, places: Sequence[Span]) -> Answer:
    """The stated value, and the places where the text has it too."""
    return quoted_as(evidence, document, places, text, SpanAnswerKind.SPAN)


def title_place(document: Document) -> Span | None:
    """Where the text has the document's title; None if it has none."""
    return _found(document, document.title)


def _stated(about: About, document: Document) -> str:
    if about is About.TITLE:
        return document.title if title_place(document) else ""
    if about is About.AUTHORS:
        return ", ".join(document.metadata.get("author", ()))
    return next(iter(document.metadata.get("date", ())), "")


def _place(about: About, document: Document) -> Span | None:
    """Where the text states it."""
    if about is About.TITLE:
        return title_place(document)
    if about is About.AUTHORS:
        return _place_of_names(document)
    return _place_of_date(document)


def _place_of_names(document: Document) -> Span | None:
    """From the first author to the last one, if they stand together; else the first."""
    found = [_found(document, name) for name in document.metadata.get("author", ())]
    places = [one for one in found if one]
    if not places or any(addresses_a_model(document.quote(one.start, one.end)) for one in places):
        return None
    first = min(places, key=lambda one: one.start)
    near = [one.end for one in places if one.end - first.start <= _NEAR]
    return Span(first.start, max(near))


def _place_of_date(document: Document) -> Span | None:
    """The line or sentence with the date, if it is short, else the date."""
    for match in _date_pattern(document).finditer(document.text):
        sentence = next(one for one in document.paragraph_at(match.start()).sentences if match.start() < one.end)
        whole = trim(document.text, sentence)
        return whole if len(whole) <= _LONGEST else Span(match.start(), match.end())
    return None


def _date_as_written(document: Document, place: Span | None) -> str:
    match = _date_pattern(document).search(document.text, place.start, place.end) if place else None
    return " ".join(match[0].split()) if match else ""


def _date_pattern(document: Document) -> re.Pattern[str]:
    """The stated date as texts write it: "8 March 2020", "March 8, 2020", "2020-03-08", or its year alone."""
    found = _ISO.match(next(iter(document.metadata.get("date", ())), ""))
    year, month, day = found.groups() if found else (r"\d{4}", None, None)
    if not month:
        return re.compile(rf"\b{year}\b")
    number, of_day = rf"0?{int(month)}", rf"0?{int(day)}(?:st|nd|rd|th|er|\.|º)?" if day else _DAY
    name = r"(?:de |d['’])?[^\W\d_]{3,12}\.?"
    forms = (
        rf"{of_day} {name},? (?:de )?{year}" if day else rf"{name},? (?:de )?{year}",
        rf"{name} {of_day},? {year}",
        rf"{year}[-/.]{number}" + (rf"[-/.]0?{int(day)}" if day else ""),
        rf"{of_day} ?[-/.] ?{number}\.? ?[-/.]? ?{year}",
        rf"{number}[-/.]{of_day}[-/.]{year}",
    )
    return re.compile("|".join(rf"\b(?:{form})\b" for form in forms).replace(" ", r"\s+"), re.IGNORECASE)


def _found(document: Document, text: str) -> Span | None:
    """Where the text stands in the document, with any white space and hyphenation between its words."""
    words = re.findall(r"\w+", text)
    pattern = r"[\W_]+".join(map(re.escape, words)) + r"[\"”»’')]*"
    match = re.search(pattern, document.text, re.IGNORECASE) if words else None
    return Span(match.start(), match.end()) if match else None


def _first_line(document: Document) -> Span:
    spans = (trim(document.text, one) for one in document.sentences())
    return next((one for one in spans if len(one)), Span(0, min(1, len(document.text))))


def _last(document: Document) -> int:
    return max(_FRONT, len(document.text.rstrip()) - _BACK)


__all__ = ["About", "about_evidence", "answer_about", "asked_about", "asks_contents", "title_place"]
