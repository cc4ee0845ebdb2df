"""The heads of e-mails and memos: from whom they are, to whom, who was copied, when they were sent, and their subject;
asked for in English, German and French.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.lines import FILLED_LINE
from treatise.core.names import first_name_first
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.addresses import EMAIL
from treatise.generate.not_found import refusal_because
from treatise.generate.quoted import quoted_as


class Field(StrEnum):
    """A line of a head."""

    FROM = "from"
    TO = "to"
    COPY = "copy"
    DATE = "date"
    SUBJECT = "subject"


class MessagePart(StrEnum):
    """What of a message a question asks for."""

    SENDER = "sender"
    ADDRESS = "address"
    RECIPIENT = "recipient"
    RECEIVED = "received"
    COPIED = "copied"
    DATE = "date"
    SUBJECT = "subject"


_THE: Final = r"(?:(?:the|this|that) (?:letter|e-?mail|mail|message|memo(?:randum)?|note))"
_IT: Final = rf"(?:{_THE}|it|this)"
_OF: Final = rf"(?: (?:of|in|on) {_IT})?"
_DIE: Final = (
    r"(?:die(?:se[rn]?)? (?:e-?mail|mail|nachricht|(?:akten)?notiz)|der (?:e-?mail|mail|nachricht|(?:akten)?notiz)|"
    r"(?:da|de|diese)[srm] (?:memos?|memorandums?|schreibens?)|(?:de[rnms]|diese[rnms]) brief(?:e?s)?)"
)
_SIE: Final = rf"(?:{_DIE}|sie|es|er)"
_LE: Final = (
    r"(?:(?:le|la|l['’]|cet?|cette|du|de la|de l['’]|de cet?|de cette) ?"
    r"(?:e-?mail|mail|courriel|courrier|message|m[ée]mo|note(?: de service)?|lettre))"
)
_DU: Final = rf"(?: {_LE})?"
_SENT: Final = r"(?:sent|written|signed|dated|posted|mailed|issued)"
_GESCHICKT: Final = r"(?:gesendet|geschickt|verschickt|versendet|versandt|geschrieben|unterschrieben|verfasst)"
_ENVOYE: Final = r"(?:envoyée?|écrite?|rédigée?|expédiée?|adressée?)"
_NAME: Final = r"[^\W\d][\w .'’-]{1,40}?"
_ADDRESS_OF: Final = r"(?:e-?mail(?:[ -]address)?|address)"
_QUESTIONS: Final = {
    MessagePart.SENDER: (
        rf"who (?:is the [\w -]{{2,30}} (?:that|who) )?(?:has )?(?:wrote|written|signed|sent|signs) {_IT}|"
        rf"who (?:is|was) {_IT} (?:written |sent |signed )?(?:from|by)|who(?: is|'s) {_IT} from|"
        rf"who (?:is|was) the (?:sender|signatory)(?: of {_IT})?|who (?:is|was) the (?:author|writer) of {_THE}|"
        rf"who issued {_THE}|"
        rf"(?:from|by) whom (?:is|was) {_IT}(?: written| sent| signed)?|"
        rf"wer hat {_SIE} (?:{_GESCHICKT}|unterzeichnet)|von wem (?:ist|war|stammt|kommt|kam|wurde) {_SIE}"
        rf"(?: {_GESCHICKT}(?: worden)?)?|wer ist (?:der|die) absender(?:in)?(?: {_DIE})?|"
        rf"qui (?:(?:m['’]|nous )?a (?:écrit|signé|envoyé|rédigé) {_LE}|l['’]a (?:écrite?|signée?|envoyée?))|"
        rf"de qui (?:est|vient|provient|émane) {_LE}|qui est l['’]expéditeur{_DU}"
    ),
    MessagePart.ADDRESS: (
        rf"what(?: is|'s) the sender['’]s {_ADDRESS_OF}|what(?: is|'s) the {_ADDRESS_OF} of the sender|"
        rf"(?:from )?(?:what|which) (?:e-?mail )?address (?:is|was) {_IT} sent(?: from)?|"
        r"(?:wie lautet|wie ist|was ist) die (?:e-?mail-?|mail-?)?adresse (?:des absenders|der absenderin)|"
        rf"von welcher (?:e-?mail-?|mail-?)?adresse (?:wurde|ist) {_SIE} {_GESCHICKT}(?: worden)?|"
        r"quelle est l['’]adresse (?:e-?mail |mail |électronique )?de l['’]expéditeur"
    ),
    MessagePart.RECIPIENT: (
        rf"(?:to )?who(?:m)? (?:is|was) {_IT} (?:addressed|sent|written|directed)(?: to)?|"
        rf"who (?:is|was) {_THE} (?:for|to)|(?:to )?who(?:m)? did {_NAME} (?:send|write|address) {_IT}(?: to)?|"
        rf"who (?:is|was|are|were) the (?:recipient|addressee)s?(?: of {_IT})?|"
        rf"an wen (?:ist|war|ging|geht|wurde|richtet sich) {_SIE}(?: gerichtet| adressiert| {_GESCHICKT})?(?: worden)?|"
        rf"wer (?:ist|sind) (?:der|die) (?:empfänger(?:in(?:nen)?)?|adressat(?:en)?)(?: {_DIE})?|"
        rf"à qui (?:est|a été|s['’]adresse) (?:{_ENVOYE} )?{_LE}(?: {_ENVOYE})?|"
        rf"à qui a-t-(?:il|elle) été {_ENVOYE}|à qui {_LE} (?:est-(?:il|elle)|a-t-(?:il|elle) été) {_ENVOYE}|"
        rf"qui (?:est le|sont les) destinataires?{_DU}"
    ),
    MessagePart.RECEIVED: (
        rf"who (?:else )?(?:got|received) {_IT}|wer hat {_SIE} (?:erhalten|bekommen|empfangen)|"
        rf"qui (?:a reçu {_LE}|l['’]a reçue?)"
    ),
    MessagePart.COPIED: (
        rf"who (?:is|was|are|were|has been|have been) (?:copied|cc['’]?e?d)(?: in(?: on)?| on| into)?(?: {_IT})?|"
        rf"who (?:is|was|are|were) (?:in|on) (?:(?:the )?cc(?: line)?|copy){_OF}|"
        rf"who (?:got|received|gets|receives) a copy(?: of {_IT})?|"
        rf"wer (?:ist|war|sind|waren|steht|stand|wurde|hat) (?:in|im|auf) (?:der )?(?:cc|kopie)(?: {_DIE})?"
        r"(?: gesetzt)?(?: worden)?|wer hat eine kopie (?:erhalten|bekommen)|"
        rf"qui (?:est|était|sont|étaient|a été mise?|ont été mis) en (?:copie|cc){_DU}|qui a reçu une copie{_DU}"
    ),
    MessagePart.DATE: (
        rf"when (?:is|was) {_IT} {_SENT}|when did {_NAME} (?:send|write|sign) {_IT}|"
        rf"what(?: is|'s| was) (?:the date(?: of {_IT})?|{_THE}['’]s date)|what date is (?:given )?on {_IT}|"
        rf"(?:on )?(?:what|which) (?:date|day) (?:is|was) {_IT}(?: {_SENT})?|"
        rf"(?:at )?what time (?:is|was) {_IT} sent|"
        rf"(?:wann|an welchem tag|um wie viel uhr) (?:wurde|ist|war) {_SIE} {_GESCHICKT}(?: worden)?|"
        rf"von wann (?:ist|stammt) {_SIE}|(?:was ist|wie lautet) das datum(?: {_DIE})?|"
        rf"welches datum (?:hat|trägt) {_SIE}|"
        rf"quand (?:a-t-(?:il|elle) été {_ENVOYE}|a été {_ENVOYE} {_LE}|{_LE} a-t-(?:il|elle) été {_ENVOYE})|"
        rf"de quand date {_LE}|"
        rf"quelle est la date{_DU}|à quelle date (?:a été {_ENVOYE} {_LE}|{_LE} a-t-(?:il|elle) été {_ENVOYE})"
    ),
    MessagePart.SUBJECT: (
        rf"what(?: is|'s| was) (?:the subject(?: line)?{_OF}|{_THE}['’]s subject(?: line)?)|"
        rf"(?:what|which) subject(?: line)? does {_IT} have|"
        r"what(?: is|'s| was) the (?:e-?mail|mail|message|memo(?:randum)?|note) (?:about|regarding|concerning)|"
        rf"(?:was ist|wie lautet|was steht (?:im|in)) (?:de[rm] )?betreff(?:zeile)?(?: {_DIE})?|"
        rf"welchen betreff hat {_SIE}|quel est (?:l['’]objet|le sujet){_DU}"
    ),
}
"""In lower case, as the rules of ``about``."""
_COMPILED: Final = {part: lazy_pattern(rf"(?:{rules})") for part, rules in _QUESTIONS.items()}
_NAMED: Final = lazy_pattern(rf"\bdid (?!(?:she|he|they)\b)({_NAME}) (?:send|write|sign|address)\b")
_NOUN: Final = lazy_pattern(
    r"\b(?:the|that|de[rnms]|das|die|la|le|l['’]) ?"
    r"(letter|memo(?:randum)?|note|brief|notiz|lettre|e-?mail|mail|message|nachricht|courriel)\b"
)
"""What the document may be, or only mention."""
_MAIL: Final = lazy_pattern(r"e-?mail|mail|message|nachricht|courriel")
_LABELS: Final = {
    Field.FROM: r"from|von|de|absender(?:in)?|expéditeur|sender",
    Field.TO: r"to|an|à|empfänger(?:in)?|destinataires?",
    Field.COPY: r"c\.?c\.?|copy(?: to)?|copies(?: to)?|kopie(?: an)?|copie(?: à)?",
    Field.DATE: r"date|sent|datum|gesendet(?: am)?|envoyé(?: le)?",
    Field.SUBJECT: r"re|subject|regarding|betreff|betrifft|objet|sujet",
}
_MARKS: Final = r"[ \t*_|]*"
_LINES: Final = {
    field: lazy_pattern(
        rf"^{_MARKS}(?:{labels}){_MARKS}(?:[:：]|(?<=\|)|(?<=\t)){_MARKS}(?P<value>[^\s*_|](?:[^\n]*[^\s*_|])?)",
        re.IGNORECASE,
    )
    for field, labels in _LABELS.items()
}
_ANY_LABEL: Final = lazy_pattern(rf"^{_MARKS}[^\W\d_][\w -]{{1,24}}{_MARKS}[:：]")
_CONTINUES: Final = lazy_pattern(r"[ \t]{2,}\S")
_WORD: Final = lazy_pattern(r"\w+")
_LATER: Final = lazy_pattern(
    rf"^[ \t>]*{_MARKS}(?:{_LABELS[Field.FROM]}){_MARKS}[:：][^\n]*\S[^\n]*\n(?:[ \t>]*\n)?[ \t>]*{_MARKS}"
    rf"(?:{_LABELS[Field.TO]}|{_LABELS[Field.DATE]}|{_LABELS[Field.COPY]}){_MARKS}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
"""The head of another message."""
_QUOTES: Final = lazy_pattern(
    r"(?:original|forwarded|ursprüngliche|weitergeleitete) (?:message|e-?mail|nachricht)|begin forwarded|"
    r"message (?:d['’]origine|original|transféré)|^>|\bwrote:|\bschrieb:|\ba écrit ?:",
    re.IGNORECASE | re.MULTILINE,
)
_MAILBOX: Final = lazy_pattern(
    rf"\s*[,;]?\s*(?:\"(?P<quoted>[^\"]*)\"|(?P<plain>[^\"<>;:@]{{0,100}}?))\s*<(?P<address>{EMAIL})>|"
    rf"(?P<bare>{EMAIL})(?:\s*\((?P<comment>[^()]*)\))?"
)
_BETWEEN: Final = lazy_pattern(r"\s*;\s*|\s*,?\s*\n\s*(?=[^\W\d_a-z])")
_SENTENCE: Final = lazy_pattern(r"[a-z]{4}[.!?:]\s+[^\W\d_a-z]|(?:\w+\W+){12}")
_HEADER: Final = lazy_pattern(r"[A-Z][\w-]*-[\w-]+:|Received:|\t")
_STAMP: Final = lazy_pattern(r"\d\d:\d\d(?::\d\d)? [+-]\d{4}\b|\d\d:\d\d(?::\d\d)? (?:GMT|UTC)\b")
_MEMO: Final = lazy_pattern(
    r"\bmemo(?:randum)?\b|\b(?:akten|haus)notiz\b|\bnote (?:de service|interne)\b", re.IGNORECASE
)
_UNTITLED: Final = lazy_pattern(r"(?:message|e-?mail|mail|nachricht|courriel)\W*", re.IGNORECASE)
"""A heading that is no subject: readers give one to messages without."""
_ABOVE: Final = 12  # lines above a head: those of a letterhead
_LONGEST: Final = 20  # lines of a head
_BEFORE: Final = 300  # characters before an older message that say that it is quoted
_OF_FIELDS: Final = {
    MessagePart.SENDER: (Field.FROM,),
    MessagePart.ADDRESS: (Field.FROM,),
    MessagePart.RECIPIENT: (Field.TO,),
    MessagePart.RECEIVED: (Field.TO, Field.COPY),
    MessagePart.COPIED: (Field.COPY,),
    MessagePart.DATE: (Field.DATE,),
    MessagePart.SUBJECT: (Field.SUBJECT,),
}
_LACKS: Final = {
    MessagePart.SENDER: "the message does not say who sent it",
    MessagePart.ADDRESS: "the message does not give the sender's address",
    MessagePart.RECIPIENT: "the message does not say to whom it is addressed",
    MessagePart.RECEIVED: "the message does not say to whom it is addressed",
    MessagePart.COPIED: "the message names nobody who was copied",
    MessagePart.DATE: "the message does not say when it was sent",
    MessagePart.SUBJECT: "the message has no subject",
}
_SEVERAL: Final = "there are several messages, and the question does not say which one it means"


@dataclass(frozen=True, slots=True)
class MessageHead:
    """The head of an e-mail or memo.

    Attributes:
        values: What stands after the label of each field that it has; the subject may be the heading above.
        end: Where it ends.
        is_alone: Whether every other message in the document is quoted in this one, or attached to it.
    """

    values: dict[Field, Span]
    end: int
    is_alone: bool


def asked_of_message(question: str) -> MessagePart | None:
    """What the question asks of a message, or None.

    >>> asked_of_message("Who sent this e-mail?").value, asked_of_message("Who sent the invoice?")
    ('sender', None)
    """
    plain = " ".join(question.lower().split()).strip(" ?？!.:")
    return next((part for part, pattern in _COMPILED.items() if pattern.fullmatch(plain)), None)


def message_head(document: Document) -> MessageHead | None:
    """The head with which a document begins; None if it is no e-mail or memo.

    It says from whom the message is, and to whom or when; and it has a subject, the address of the sender or the time
    zone, or stands below the word "memo".
    """
    values, end = _fields(document)
    if Field.FROM not in values or not (Field.TO in values or Field.DATE in values):
        return None
    texts = {field: document.quote(value.start, value.end) for field, value in values.items()}
    start = min(value.start for value in values.values())
    is_mail = "@" in texts[Field.FROM] or bool(_STAMP.search(texts.get(Field.DATE, "")))
    is_memo = Field.SUBJECT in values or bool(_MEMO.search(document.text, 0, start))
    if not (is_mail or (is_memo and not any(map(str.isdigit, texts[Field.FROM])))):
        return None
    title = _title_above(document, start) if is_mail and Field.SUBJECT not in values else None
    if title:
        values[Field.SUBJECT] = title
    return MessageHead(values, end, _is_alone(document, start, end, is_file=bool(title)))


def names_other_sender(question: str, sender: str) -> bool:
    """Whether the question names a sender, and words of that name are not in what the message says of its own."""
    named = _NAMED.search(question.lower())
    return bool(named and not set(_WORD.findall(named[1])) <= set(_WORD.findall(sender.lower())))


def is_mentioned(question: str, body: str, *, own: re.Pattern[str] | None = None) -> bool:
    """Whether the question is about "the letter" or the like, and a text speaks of one; what is ``own`` is meant."""
    noun = _NOUN.search(question.lower())
    if noun is None or (own and own.fullmatch(noun[1])):
        return False
    return bool(re.search(rf"(?<!this )(?<!diese )(?<!dieser )(?<!cette )\b{noun[1]}\b", body, re.IGNORECASE))


def field_in(document: Document, field: Field, start: int, end: int) -> Span | None:
    """What the first line with that label says in a part of a letter, such as "cc: Ann Lee"; None if there is none."""
    for line in FILLED_LINE.finditer(document.text, start, end):
        if (found := _labelled(document, line)) and found[0] is field:
            return found[1]
    return None


def answer_from_head(evidence: Evidence, document: Document, head: MessageHead, part: MessagePart) -> Answer | None:
    """What the head of a message says, or a refusal if it does not say it.

    None if the question means another message or letter, which the document mentions, or that of another sender, or if
    the head gives orders to a language model.
    """
    sender = head.values[Field.FROM]
    name = document.quote(sender.start, sender.end)
    own = _MAIL if "@" in name else None
    if names_other_sender(evidence.question, name) or is_mentioned(
        evidence.question, document.text[head.end :], own=own
    ):
        return None
    if not head.is_alone:
        return refusal_because(evidence, _SEVERAL, several=False)
    spans = [head.values[field] for field in _OF_FIELDS[part] if field in head.values]
    texts = [document.quote(span.start, span.end) for span in spans]
    if any(map(addresses_a_model, texts)):
        return None
    said = [words for text in texts for words in _said(text, part)]
    if not said:
        return refusal_because(evidence, _LACKS[part], several=False)
    text = ("; " if any("," in one for one in said) else ", ").join(said)
    return quoted_as(evidence, document, spans, text, SpanAnswerKind.LIST if len(said) > 1 else SpanAnswerKind.SPAN)


def _said(text: str, part: MessagePart) -> Iterator[str]:
    """What a field says: names instead of names with addresses; the addresses if they are asked for."""
    plain = " ".join(text.split())
    boxes = [*_MAILBOX.finditer(plain)]
    if part in (MessagePart.DATE, MessagePart.SUBJECT):
        yield plain
    elif part is MessagePart.ADDRESS:
        yield from (box["address"] or box["bare"] for box in boxes)
    elif boxes:
        for box in boxes:
            name = (box["quoted"] or box["plain"] or box["comment"] or "").strip(" ,;'")
            yield first_name_first(name) if name else box["address"] or box["bare"]
    else:
        yield from filter(None, (" ".join(one.split()).strip(" :") for one in _BETWEEN.split(text)))


def _fields(document: Document) -> tuple[dict[Field, Span], int]:
    """The values of a head by field, and where it ends; none if sentences are above it."""
    values: dict[Field, Span] = {}
    last: Field | None = None
    lines = [*islice(FILLED_LINE.finditer(document.text), _ABOVE + _LONGEST)]
    first = next((at for at, line in enumerate(lines) if _labelled(document, line)), _ABOVE + 1)
    if first > _ABOVE or any(map(_is_text, lines[:first])):
        return values, 0
    end = lines[first].start()
    is_close = False
    for line in lines[first : first + _LONGEST]:
        n_breaks = document.text.count("\n", end, line.start())
        found = _labelled(document, line)
        is_subject = found is not None and found[0] is Field.SUBJECT
        is_apart = is_close and n_breaks > 1 and not is_subject and _is_whole(document, values)
        if is_apart or _is_below(values, found, line[0]):
            break
        is_close |= bool(found) and n_breaks == 1
        if found:
            last = found[0] if values.setdefault(*found) is found[1] else None
        elif last and n_breaks == 1 and _CONTINUES.match(line[0]):
            values[last] = Span(values[last].start, trim(document.text, Span(*line.span())).end)
        else:
            last = None
        end = line.end()
    return values, end


def _is_text(line: re.Match[str]) -> bool:
    """Whether a line has a sentence or many words, and is no header such as "Received: …"."""
    return bool(_SENTENCE.search(line[0])) and not _HEADER.match(line[0])


def _is_below(values: dict[Field, Span], found: tuple[Field, Span] | None, line: str) -> bool:
    """Whether a line is below the head that has these values: it is that of a second sender, or has no label."""
    if Field.FROM not in values or len(values) == 1:
        return False
    is_second = found is not None and found[0] is Field.FROM
    return is_second or not (found or _ANY_LABEL.match(line) or _CONTINUES.match(line))


def _is_whole(document: Document, values: dict[Field, Span]) -> bool:
    """Whether the close lines of a head say from which address the message is, or from whom and when it was sent."""
    sender = values.get(Field.FROM)
    if sender is None or len(values) == 1:
        return False
    return Field.DATE in values or "@" in document.quote(sender.start, sender.end)


def _labelled(document: Document, line: re.Match[str]) -> tuple[Field, Span] | None:
    """The field of a line and its value, or None. The heading "Re: Tea" is above the head."""
    for field, pattern in _LINES.items():
        if found := pattern.match(line[0]):
            is_heading = document.paragraph_at(line.start()).kind is ParagraphKind.HEADING
            value = Span(line.start() + found.start("value"), line.start() + found.end("value"))
            return None if field is Field.SUBJECT and is_heading else (field, value)
    return None


def _title_above(document: Document, start: int) -> Span | None:
    """The heading of the section that a head begins, unless readers gave it; None if other text is above the head."""
    section = document.section_at(start)
    above = trim(document.text, Span(section.start, document.text.rfind("\n", 0, start) + 1))
    is_title = section.title and not _UNTITLED.fullmatch(section.title)
    is_only = document.quote(above.start, above.end).lstrip("# ") == section.title
    return Span(above.end - len(section.title), above.end) if is_title and is_only else None


def _is_alone(document: Document, start: int, end: int, *, is_file: bool) -> bool:
    """Whether every other message is below or in the section of the head, or quoted.

    Of a text that is no saved message, which its heading shows, the first of the other messages must be introduced as
    a quoted one.
    """
    others = [found.start() for found in _LATER.finditer(document.text, end)]
    level = document.section_at(start).level
    last = others[-1] if others else end
    if any(one.level <= level for one in document.sections if end < one.start <= last):
        return False
    return is_file or not others or bool(_QUOTES.search(document.text, max(end, others[0] - _BEFORE), others[0] + 1))
