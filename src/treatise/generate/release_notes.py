"""What changed in a release, which release is the latest, and which one added something: release lines and the items
below them.
"""

import re
from collections.abc import Iterator
from typing import Final

from treatise.core.answer import Answer
from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.evidence import Evidence
from treatise.core.injection import addresses_a_model
from treatise.core.patterns import lazy_pattern
from treatise.core.span_answer import SpanAnswerKind
from treatise.core.words import n_words
from treatise.generate.dated import Releases
from treatise.generate.identifiers import version
from treatise.generate.listed import plain_item
from treatise.generate.quoted import quoted_as

_ASKS_CHANGES: Final = lazy_pattern(
    r"(?:what(?:['’]s| is| are| was| were|) (?:new|changed|the (?:changes|news))(?: in| with| of)?|"
    r"what (?:has |was |is )?(?:changed|different|new) (?:in|with)|was (?:ist|war) neu in|quoi de neuf dans) "
    r"(?:(?:the )?(?:version|release) |(?P<name>[A-Za-z][\w+-]*) (?:version )?)?v?(?P<number>\d+(?:\.\w+)+)\W*",
    re.IGNORECASE,
)
_ASKS_LATEST: Final = lazy_pattern(
    r"(?:what|which) (?:is|was) the (?:latest|newest|most recent|current|last) (?:version|release)(?: number)?"
    r"(?: of (?:the )?(?P<name>[A-Za-z][\w+-]*))?"
    r"(?: (?:that is )?(?:described|listed|mentioned|covered|documented|shown|there))?"
    r"(?: (?:here|in (?:this|the) \w+))?\W*",
    re.IGNORECASE,
)
_NOUN: Final = r"(?:options?|flags?|switch|commands?|subcommand|parameters?|settings?|functions?|methods?|arguments?)"
_THING: Final = rf"(?:the )?(?:new )?[\"'“`]?(?P<thing{{n}}>\S(?:.{{{{0,40}}}}?\S)??)[\"'”`]?(?: {_NOUN})?"
_IN_WHICH: Final = r"(?:(?:in|with|from|since) )?(?:what|which) (?:version|release)"
_ADDED: Final = r"(?:first )?(?:added|introduced|implemented|made available)"
_ASKS_ADDED: Final = lazy_pattern(
    rf"(?P<when>when) (?:was|were) (?:support for )?{_THING.format(n='')} {_ADDED}|"
    rf"{_IN_WHICH} (?:was|were) (?:support for )?{_THING.format(n=2)} {_ADDED}|"
    rf"{_IN_WHICH} (?:is|are) {_THING.format(n=3)} (?:available|supported)|"
    rf"{_IN_WHICH} (?:can|could|may) (?:i|we|you|one) (?:first )?use {_THING.format(n=4)}|"
    rf"{_IN_WHICH} (?:first )?(?:added|introduced|has|brought) (?:support for )?{_THING.format(n=5)}",
    re.IGNORECASE,
)
_SAYS_ADDED: Final = (
    r"\W*(?:added|adds?|new|introduced?|introduces|implement(?:ed|s)?)\b:?"
    rf"(?:\s+(?:support for|the|an?|new|experimental|optional|\w+ {_NOUN}|{_NOUN}))*\W+{{thing}}"
    rf"(?:\]\([^)]*\))?[`\"'”*_]*(?=[^\w\s-]|\s+(?:\(|{_NOUN}\b|that\b|which\b|and\b|for\b|to (?!the\b))|\s*$)"
)
"""An item that begins with the addition of the thing, which is no part of a longer name."""
_BESIDES: Final = lazy_pattern(
    r"\b(?:docs?|documentation|man ?pages?|completions?|tests?|examples?|help (?:text|output)|again|back)\b",
    re.IGNORECASE,
)
"""What may be added of a thing that is there."""
_IS_NOTES: Final = lazy_pattern(
    r"change ?-?log|changes|releases?\b|release notes|\bnews\b|what['’]?s new|version history|\bhistory\b|versions?\b",
    re.IGNORECASE,
)
_SAYS_LATEST: Final = lazy_pattern(
    r"\b(?:latest|current|newest) (?:\w+ )?(?:version|release) is\b|\bversion:\s*v?\d", re.IGNORECASE
)
_PLANNED: Final = lazy_pattern(r"unreleased|planned|upcoming|not (?:yet )?released|\btb[ad]\b|\bnext\b", re.IGNORECASE)
_NO_NAMES: Final = frozenset(("version", "release", "changes", "what", "new", "noteworthy", "major", "news", "notes"))
_WORD: Final = lazy_pattern(r"[A-Za-z][\w+-]*[a-z]")
_CODE: Final = lazy_pattern(r"^-|[_:/()`]|\w-\w|\w\.\w|[a-z][A-Z]|\d|^[A-Z]{2}")
"""Names that are of one thing only, unlike words."""
_MOST_WORDS: Final = 60
_LEAST: Final = 2  # release lines
_PATCHES: Final = frozenset(("p", "pl", "patch", "post", "sp"))


def answer_release_notes(evidence: Evidence, document: Document) -> Answer | None:
    """The first items below the line of the release that the question names, the line of the latest release, or the
    version or date of the one that added something.

    None if the question asks for something else, or if the document has no release notes of it.
    """
    question = evidence.question.strip()
    if added := _ASKS_ADDED.fullmatch(question.rstrip(" ?.!")):
        return _added(evidence, Releases(document), added)
    changes, latest = _ASKS_CHANGES.fullmatch(question), _ASKS_LATEST.fullmatch(question)
    asked, releases = changes or latest, Releases(document)
    if not asked or not _are_notes(releases, asked["name"] or ""):
        return None
    if not changes:
        return _latest(evidence, releases)
    spans = next((list(_items(releases, line)) for line in releases.lines_of(changes["number"])), [])
    return _changes(evidence, document, spans)


def _are_notes(releases: Releases, name: str) -> bool:
    """Whether a document is the release notes of one thing, which the question names if it names any.

    A release has a date, or the title, the file or the lines speak of versions or changes; sections have none of these.
    """
    document = releases.document
    numbered = [(number, document.quote(line.start, line.end)) for number, line in releases.numbered() if number]
    lines = [line for _, line in numbered]
    about = f"{document.title} {document.source.rpartition('/')[2]}"
    says = _IS_NOTES.search(about) or any(map(_IS_NOTES.search, lines)) or releases.has_dates
    before = [_WORD.findall(line.partition(number)[0])[-1:] for number, line in numbered]
    named = {word.casefold() for words in before for word in words} - _NO_NAMES
    is_of_it = not name or name.casefold() in about.casefold() or named == {name.casefold()}
    return bool(lines and says) and len(named) <= 1 and is_of_it


def _changes(evidence: Evidence, document: Document, spans: list[Span]) -> Answer | None:
    """The items, as many as fit into the limit of words."""
    kept: list[Span] = []
    for span in spans:
        if sum(n_words(document.quote(one.start, one.end)) for one in [*kept, span]) > _MOST_WORDS and kept:
            break
        kept.append(span)
    texts = [plain_item(document.one_line(one.start, one.end)).rstrip(" .;") for one in kept]
    if not kept or any(map(addresses_a_model, texts)):
        return None
    return quoted_as(evidence, document, kept, "; ".join(texts), SpanAnswerKind.LIST)


def _items(releases: Releases, line: Span) -> Iterator[Span]:
    """The sentences and items below a release line, up to the end of its notes, without headings."""
    document = releases.document
    for paragraph in document.paragraphs:
        if paragraph.kind in (ParagraphKind.HEADING, ParagraphKind.CODE):
            continue
        for sentence in paragraph.sentences:
            place = trim(document.text, sentence)
            if len(place) and place.start >= line.end and releases.line_above(place.start) == line:
                yield place


def _added(evidence: Evidence, releases: Releases, asked: re.Match[str]) -> Answer | None:
    """The version, or the date if the question asks when, of the only release with an item that adds the thing."""
    document, thing = releases.document, next(name for name in asked.groups()[1:] if name)
    if not _CODE.search(thing) or not _are_notes(releases, ""):
        return None
    says = lazy_pattern(_SAYS_ADDED.format(thing=re.escape(thing)), re.IGNORECASE)
    found = [one for one in _mentions(document, thing) if says.match(document.text, one.start, one.end)]
    dated = releases.above(found[0].start) if len(found) == 1 else None
    if (
        dated is None
        or _BESIDES.search(text := document.quote(found[0].start, found[0].end))
        or addresses_a_model(text)
    ):
        return None
    number = next((number for number, line in releases.numbered() if line == releases.line_above(dated.span.end)), "")
    said = dated.date if asked["when"] else number
    return quoted_as(evidence, document, [dated.span, found[0]], said, SpanAnswerKind.SPAN) if said else None


def _mentions(document: Document, thing: str) -> Iterator[Span]:
    """The sentences that have the words of the thing."""
    last = -1
    for match in re.finditer(re.escape(thing), document.text, re.IGNORECASE):
        sentences = document.paragraph_at(match.start()).sentences
        place = trim(document.text, next(one for one in sentences if match.start() < one.end))
        if place.start > last:
            yield place
        last = place.start


def _latest(evidence: Evidence, releases: Releases) -> Answer | None:
    """The highest version; of those that are out and final, if there are any."""
    document = releases.document
    numbered = [
        (number, line)
        for number, line in releases.numbered()
        if number and not _PLANNED.search(document.quote(line.start, line.end))
    ]
    final = [one for one in numbered if re.fullmatch(r"[\d.]+(?:[.-]?(?:p|pl|patch|post|sp)\d*)?", one[0])]
    if len(numbered) < _LEAST or _SAYS_LATEST.search(document.text):
        return None
    number, line = max(final or numbered, key=lambda one: _order(one[0]))
    return quoted_as(evidence, document, [line], number, SpanAnswerKind.SPAN)


def _order(number: str) -> list[tuple[int, str]]:
    """The parts of a version, so that 2.0rc1 is before 2.0, and 2.0p1 after it."""
    parts = ((1, word) if word in _PATCHES else (n, word) for n, word in version(number))
    return [*parts, (0, "")]
