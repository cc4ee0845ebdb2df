"""Who wrote a letter and to whom: the names below its closing line and above its salutation."""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.letters import CLOSING, SALUTATION
from treatise.core.span_answer import SpanAnswerKind
from treatise.generate.quoted import quoted_as

_LETTER: Final = r"(?:the |this |that )?(?:letter|e-?mail|message|memo|note)"
_ASKS_SENDER: Final = re.compile(
    rf"who (?:is the [\w -]{{2,30}} (?:that|who) )?(?:(?:has )?(?:wrote|written|signed|sent|signs) {_LETTER}|"
    rf"(?:is|was) {_LETTER} (?:written |sent |signed )?(?:from|by)|"
    rf"(?:is|was) the (?:sender|signatory)(?: of {_LETTER})?)\W*|"
    rf"(?:from|by) whom (?:is|was) {_LETTER}(?: written| sent| signed)?\W*|"
    r"wer hat (?:den|diesen) brief (?:geschrieben|unterschrieben|unterzeichnet|verfasst)\W*|"
    r"von wem ist (?:der|dieser) brief\W*|"
    r"qui a (?:écrit|signé|envoyé) (?:la|cette) lettre\W*",
    re.IGNORECASE,
)
_ASKS_RECIPIENT: Final = re.compile(
    rf"(?:(?:to )?who(?:m)? (?:is|was) (?:{_LETTER}|it) (?:addressed|sent|written|directed)(?: to)?|"
    rf"who (?:is|was) {_LETTER} (?:for|to)|"
    rf"who (?:is|was) the (?:recipient|addressee)(?: of {_LETTER})?|who (?:got|received) {_LETTER})\W*|"
    r"an wen (?:ist|war|richtet sich) (?:der|dieser) brief(?: gerichtet| adressiert)?\W*|"
    r"à qui (?:est|s['’]adresse) (?:adressée )?(?:la|cette) lettre(?: adressée)?\W*",
    re.IGNORECASE,
)
_NAME: Final = re.compile(r"[^\W\d_a-z][\w.'’,& -]{2,60}")
_TITLES: Final = frozenset(
    ("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "madam", "herr", "frau", "esq")
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_LINE: Final = re.compile(r"[^\n]*\S[^\n]*")
_FROM: Final = re.compile(r"^[ \t*]*(?:from|von|de)[ \t*]*:[ \t*]*(?P<value>\S[^\n]*)$", re.IGNORECASE | re.MULTILINE)
_TO: Final = re.compile(r"^[ \t*]*(?:to|an|à)[ \t*]*:[ \t*]*(?P<value>\S[^\n]*)$", re.IGNORECASE | re.MULTILINE)
_SUBJECT: Final = re.compile(r"^[ \t*]*(?:re|subject|betreff|objet)[ \t*]*:", re.IGNORECASE | re.MULTILINE)
_HEAD: Final = 15  # lines of a memo that say from whom it is and to whom
_BELOW: Final = 4  # lines below the closing among which the name is
_ABOVE: Final = 25  # lines above the salutation among which the addressee is
_FIRST: Final = 4_000  # characters in which a letter addresses somebody


def answer_letter(evidence: Evidence, document: Document) -> Answer | None:
    """The name below the closing of a letter, or that of the addressee; of a memo what its head says.

    None if the question asks for something else, or if the document is no letter: a salutation at its beginning, and
    below it a line that takes leave, with a name under it.
    """
    question = evidence.question.strip()
    asks_sender = bool(_ASKS_SENDER.fullmatch(question))
    if not asks_sender and not _ASKS_RECIPIENT.fullmatch(question):
        return None
    name = _field(document, _FROM if asks_sender else _TO) or _in_letter(document, is_sender=asks_sender)
    if name is None or addresses_a_model(text := document.quote(name.start, name.end)):
        return None
    return quoted_as(evidence, document, [name], " ".join(text.split()), SpanAnswerKind.SPAN)


def _field(document: Document, label: re.Pattern[str]) -> Span | None:
    """What stands after "From:" or "To:" in the head of a memo or e-mail, which has both and a subject, each once."""
    head = "\n".join(document.text.splitlines()[:_HEAD])
    is_memo = all(len(pattern.findall(head)) == 1 for pattern in (_FROM, _TO, _SUBJECT))
    is_thread = len(_FROM.findall(document.text)) > 1
    found = label.search(document.text, 0, len(head)) if is_memo and not is_thread else None
    value = trim(document.text, Span(*found.span("value"))) if found else None
    return value if value and not any(map(str.isdigit, document.quote(value.start, value.end))) else None


def _in_letter(document: Document, *, is_sender: bool) -> Span | None:
    """The name below the closing, or the addressee, of a text that has a salutation and a closing."""
    salutation = SALUTATION.search(document.text, 0, _FIRST)
    closing = CLOSING.search(document.text, salutation.end()) if salutation else None
    if not (salutation and closing):
        return None
    return _sender(document, closing.end()) if is_sender else _addressee(document, salutation)


def _sender(document: Document, closing: int) -> Span | None:
    """The first line below the closing that is a name."""
    below = (line for line, _ in zip(_lines(document.text, closing, len(document.text)), range(_BELOW), strict=False))
    return next((line for line in below if _is_name(document, line)), None)


def _addressee(document: Document, salutation: re.Match[str]) -> Span | None:
    """The last line above the salutation with the name in it, else that name."""
    at = next((group for group in ("en", "de", "fr", "es") if (salutation[group] or "").strip()), None)
    if at is None:
        return None
    words = [word for word in _WORD.findall(salutation[at]) if word.casefold() not in _TITLES and word[0].isupper()]
    above = [*_lines(document.text, 0, salutation.start())][-_ABOVE:]
    named = [line for line in above if words and words[-1] in _WORD.findall(document.quote(line.start, line.end))]
    own = trim(document.text, Span(*salutation.span(at)))
    return next((line for line in reversed(named) if _is_name(document, line)), own if words else None)


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    yield from (trim(text, Span(*found.span())) for found in _LINE.finditer(text, start, end))


def _is_name(document: Document, line: Span) -> bool:
    text = document.quote(line.start, line.end)
    return bool(_NAME.fullmatch(text)) and all(word[0].isupper() or len(word) <= len("von") for word in text.split())
