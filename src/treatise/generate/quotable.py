"""Which sentences a summary may quote: no headings, notes, captions, contents, addresses, boilerplate or halves."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.indexed import IndexedDocument
from treatise.core.patterns import lazy_pattern
from treatise.core.quotation import statement_of, without_mark
from treatise.core.scripts import UNSPACED
from treatise.core.standalone import (
    asserts,
    ends_as_sentence,
    in_back_matter,
    is_caption,
    is_fragment,
    is_prose,
    is_signpost,
    is_whole,
)
from treatise.generate.back_references import SPEAKER, TRANSCRIPT_MARK, refers_back, spoken
from treatise.generate.speech import content_words, fluent, subjects
from treatise.generate.topics import CONTRACT, MEETING, Topic, is_clause, is_contract, is_definition

_KINDS: Final = (ParagraphKind.PROSE, ParagraphKind.LIST, ParagraphKind.VERSE)
_MAX_ITEMS: Final = 60  # items of a list that are looked through for its lead-in
_MAX_NUMBERS: Final = 0.35  # share of words that begin with a digit
_SPEAKERS: Final = 0.5  # share of paragraphs with a speaker in a transcript
_LOOKED_AT: Final = 200  # paragraphs
_LABEL: Final = 60  # characters at the start of a paragraph in which its speaker is named
_SPOKEN_WORDS: Final = 8  # distinct words of a turn worth quoting
_TURN_ENDS: Final = (".", "!", "。")
_SPOKEN_SHARE: Final = 1 / 3  # of a sentence between quotation marks

_POINTS_AT: Final = lazy_pattern(
    r"(?:(?:the )?(?:results |data |numbers )?(?:in |see |see also |cf\. )?"
    r"(?:tables?|figures?|figs?\.|appendix|appendices|listings?|algorithm|equations?|eq\.)"
    r"\s+(?:\(?[\dA-Z]+[\d.]*\)?|TABREF\d+|FIGREF\d+|SECREF\d+)|as (?:shown|seen|illustrated|listed) in )",
    re.IGNORECASE,
)
_REFERS: Final = lazy_pattern(
    r"(?:see (?:also|section|chapter|table|figure|the|appendix|note|item|part)|refer to|for (?:more|further|"
    r"additional) "
    r"(?:information|details?)|click|visit|please (?:see|refer|read|visit|contact)|read more|siehe|weitere "
    r"informationen|"
    r"lesen sie|um mehr informationen|voir|pour plus|véase|para más)\b|详见|参见|(?:有关|要了解|"
    r"如果您?主要是想了解).{1,80}请|更多",
    re.IGNORECASE,
)
_INSIDE: Final = lazy_pattern(
    r"\b(?:tables?|figures?|figs?\.|listings?|eq\.)\s+(?:\(?\d+|[A-Z]\b|TABREF|FIGREF)|\b(?:TAB|FIG|SEC|EQ)REF\d|"
    r"\b(?:described|shown|listed|discussed|explained|mentioned|given|see|summari[sz]ed) (?:below|above|earlier|"
    r"later)\b",
    re.IGNORECASE,
)
_NOTE: Final = lazy_pattern(
    r"(?:[*†‡§¶]+|\[\d{1,3}\]|[¹²³⁰-⁹]+|\(?\d{1,3}\)?\s+(?:https?://|www\.|See\b|Ibid|Cf\.))\s*"
)
_BOILERPLATE: Final = lazy_pattern(
    r"©|\(c\) (?:19|20)\d\d|copyright (?:\(c\)|©|(?:19|20)\d\d|held|notice|by)|all rights reserved|"
    r"intentionally left blank|page \d+ of \d+|forward[- ]looking|incorporated (?:herein |in this \w+ )?by reference|"
    r"check ?mark|pursuant to (?:section|rule|item|the requirements)|exact name of registrant|commission file|"
    r"section 1[235]\([a-g]\)|private securities litigation|conference call|webcast|https?://\S+$|www\.\S+$|"
    r"\S+@\S+\.\w+|isbn|doi:|tel(?:ephone)?[.:]|fax[.:]|we thank|we would like to thank|anonymous reviewers|"
    r"corresponding author|equal contribution|supported by (?:the|a|an) .{0,60}(?:grant|fund|foundation|council)|"
    r"licensed under a creative|permission to make digital|personal use is permitted|\.{4,}|(?:\. ){4,}|"
    r"table of contents|inhaltsverzeichnis|cookies?\b.{0,40}\b(?:consent|browser)",
    re.IGNORECASE,
)
_MAX_SUBJECTS: Final = 4  # of them that count in a turn
_SUBJECT: Final = 0.5
_BREAK: Final = 0.2  # for a mark such as "{disfmarker}"
_MAX_BREAKS: Final = 4
_NOTICE: Final = lazy_pattern(
    r"\b(?:this (?:document|work|manual|guide|text|program|software|file|package)|you|it|sie|copies of it) "
    r"(?:may|can|dürfen|können) (?:be )?(?:\w+ ){0,4}?(?:re)?distribut|\bpermission is (?:hereby )?granted\b|"
    r"\bunder the terms of the GNU\b|\bredistribute it\b|Bedingungen der GNU|\bdedicated to the memory\b|"
    r"\ball trademarks\b",
    re.IGNORECASE,
)
"""The licence of a text that is no licence, and dedications."""
_DECIDES: Final = lazy_pattern(
    r"\b(?:deci(?:de|ded|sion)|agree|agreed|conclu|we(?:['’]re| are) going to|we (?:will|need|should|have to|want|can)|"
    r"(?:you|i)(?:['’]ll| will)|recommend|suggest|propose|requirement|budget|cost|price|target|deadline|plan|"
    r"task|action|responsible|next meeting|the (?:main|key|most important|problem|aim|goal|idea))",
    re.IGNORECASE,
)
_CONCLUDES: Final = lazy_pattern(
    r"\bwe (?:\w+ )?(?:show|find|found|propose|present|introduce|demonstrate|conclude|develop|evaluate|investigate|"
    r"explore)\b|"
    r"\b(?:our|the) (?:\w+ )?(?:results|experiments|findings|analysis|evaluation|method|model|"
    r"approach)\b.{0,40}?\b(?:show|"
    r"suggest|indicate|demonstrate|outperform|achieve|improve)s?\b|\bin (?:conclusion|summary)\b|\boutperforms?\b",
    re.IGNORECASE,
)
"""What abstracts of papers say."""
_OF_OTHERS: Final = lazy_pattern(
    r"\b(?:related|prior|previous) (?:work|research|stud)|literature review", re.IGNORECASE
)
_ASIDE: Final = 1.0
_CONCLUSION: Final = 0.7
_VERBS_FIRST: Final = frozenset(
    ("is", "are", "was", "were", "has", "have", "had", "does", "did", "can", "could", "would", "will", "should")
)
_DECISION: Final = 0.7
_SPEECH: Final = lazy_pattern(r"[\"“«„「][^\"”»“」]*[\"”»“」]")
_SPOKEN: Final = 1.5
_SHORT: Final = 2.0
_ITEM: Final = 0.5
_FOOTNOTE: Final = lazy_pattern(r"\d{1,2}\s+[A-Z][\w’'-]*\s")
_FOOTNOTE_MARK: Final = lazy_pattern(r"(?<=[a-z]{3}[.,;:)])\d{1,2}(?=\s|$)")
_ITEM_END: Final = lazy_pattern(r"[;,](?:\s*(?:and|or))?$")
_LED_ITEMS: Final = 5
_SHOUTED_WORDS: Final = 8
_QUOTES: Final = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"), ("（", "）"), ("「", "」"))


@dataclass(frozen=True)
class Quotable:
    """The sentences of a document that a summary may quote.

    Attributes:
        indexed: The document.
        min_words: Shorter sentences are left out.
        whole: Whether lines that do not end like a sentence are left out, and short sentences wait.
    """

    indexed: IndexedDocument
    min_words: int
    whole: bool = True

    def text(self, unit: int) -> str:
        """The unit's text, verbatim."""
        span = self.indexed.units[unit]
        return self.indexed.document.quote(span.start, span.end)

    def shown(self, unit: int) -> str:
        """The unit as a statement: on one line, without a list marker, the number of a footnote or markup.

        In a transcript it has its speaker's name, and no marks such as "{vocalsound}".
        """
        if self.is_transcript:
            return self._with_speaker(unit, self._line(unit))
        text = statement_of(self.indexed.document, self.indexed.units[unit])
        if self.is_contract and _ITEM_END.search(text):
            text = f"{_ITEM_END.sub('', text)}."
        return self._without_notes(text)

    def can_quote(self, unit: int) -> bool:
        """Whether a unit states something, as a sentence of the text itself; :meth:`needed` says what it needs."""
        return self.stands(unit) and self.is_prose(unit)

    def stands(self, unit: int) -> bool:
        """Whether a unit states something: no heading, table, caption, reference, question, fragment or order."""
        text = self.text(unit)
        if self._kind(unit) not in _KINDS or is_caption(text) or not asserts(text):
            return False
        said = spoken(text, is_turn=True).capitalize() if self.is_transcript else text
        return not is_fragment(said, self.min_words) and not in_back_matter(
            self.indexed.document, self.indexed.units[unit]
        )

    def is_prose(self, unit: int) -> bool:
        """Whether a unit is a sentence of the text itself.

        It is no note, boilerplate, line of a table of contents, pointer to a table, half of a quotation, or item that
        continues the line before its list.
        """
        text = self._without_notes(self._line(unit))
        if self.is_transcript:
            return self._says_enough(text)
        is_item = self.is_contract and is_clause(text) and bool(_ITEM_END.search(text))
        if self.whole and not (ends_as_sentence(text) or is_item):
            return False
        if is_definition(text) if self.is_contract else _NOTICE.search(text):
            return False
        if is_boilerplate(text) or _is_open(text) or self._is_title(text) or self._is_footnote(unit):
            return False
        return not self._continues(unit) or (self.is_contract and is_clause(text))

    def bonus(self, unit: int) -> float:
        """What the wording and place of a sentence add to its salience; 0 for plain prose.

        More for a decision, task or conclusion of a meeting and for its subjects, less for broken speech; more for what
        abstracts of papers say; less for one that is mostly speech in a text, a short one, an item of a list, and one
        in a section on related work.
        """
        text = self.text(unit)
        if self.is_transcript:
            n_breaks = len(TRANSCRIPT_MARK.findall(text))
            decides = bool(_DECIDES.search(text.replace(" '", "'").replace(" ’", "’")))
            return _DECISION * decides + _SUBJECT * self._n_subjects(text) - _BREAK * min(_MAX_BREAKS, n_breaks)
        n_quoted = sum(len(found.group()) for found in _SPEECH.finditer(text))
        is_item = self._kind(unit) is ParagraphKind.LIST or without_mark(text) != text
        is_aside = self._is_aside(unit)
        concludes = bool(_CONCLUDES.search(text)) and not is_aside
        is_short = self.whole and not is_whole(self.shown(unit))
        return (
            _CONCLUSION * concludes
            - _ASIDE * is_aside
            - _SHORT * is_short
            - _SPOKEN * (n_quoted > _SPOKEN_SHARE * len(text))
            - _ITEM * is_item
        )

    def needed(self, unit: int) -> int | None:
        """The unit before, if this one cannot be understood without it, else None; -1 if it is in another paragraph."""
        if not refers_back(self.text(unit), self.indexed.document.language, is_turn=self.is_transcript):
            return None
        return unit - 1 if unit and self._paragraph(unit) == self._paragraph(unit - 1) else -1

    @cached_property
    def is_transcript(self) -> bool:
        """Whether the text is a conversation whose turns name their speakers."""
        document = self.indexed.document
        starts = [document.text[one.start : one.start + _LABEL] for one in document.paragraphs[:_LOOKED_AT]]
        return sum(bool(SPEAKER.match(start)) for start in starts) > _SPEAKERS * len(starts)

    @cached_property
    def is_contract(self) -> bool:
        """Whether the text is a licence or a contract."""
        document = self.indexed.document
        return is_contract(document.title, document.text, map(self.text, range(len(self.indexed.units))))

    @property
    def topics(self) -> tuple[Topic, ...]:
        """What readers look for in a document of its kind."""
        return MEETING if self.is_transcript else CONTRACT if self.is_contract else ()

    def led_items(self, unit: int) -> tuple[int, ...]:
        """The items of the list after a line that ends with a colon; empty if it is none, or they are long."""
        if not self.text(unit).rstrip().endswith((":", "：")):
            return ()
        items: list[int] = []
        for at in range(unit + 1, min(unit + 1 + _LED_ITEMS, len(self.indexed.units))):
            if self._kind(at) is not ParagraphKind.LIST:
                return tuple(items)
            items.append(at)
        return ()

    def strength(self, unit: int, topic: Topic) -> float | None:
        """How well a unit states a topic; None if it does not."""
        text = " ".join(self.shown(unit).split()).replace(" '", "'").replace(" ’", "’")
        path = self.indexed.document.section_path(self.indexed.units[unit].start)
        return None if self.is_contract and is_definition(text) else topic.strength(text, path[-1] if path else "")

    def _line(self, unit: int) -> str:
        span = self.indexed.units[unit]
        return self.indexed.document.one_line(span.start, span.end)

    def _without_notes(self, text: str) -> str:
        """A sentence without the numbers of footnotes, which only pages have."""
        return _FOOTNOTE_MARK.sub("", text) if self.indexed.document.page_starts else text

    def _is_footnote(self, unit: int) -> bool:
        """Whether a unit is the note at the foot of a page: its paragraph begins with a number."""
        document, start = self.indexed.document, self.indexed.units[unit].start
        return bool(document.page_starts and self._paragraph(unit) == start and _FOOTNOTE.match(self.text(unit)))

    def _n_subjects(self, text: str) -> int:
        """How many of the commonest words of a conversation a turn has, up to four."""
        return min(_MAX_SUBJECTS, len(self._subjects & content_words(SPEAKER.sub("", text, count=1))))

    @cached_property
    def _subjects(self) -> frozenset[str]:
        return subjects(SPEAKER.sub("", self.text(unit), count=1) for unit in range(len(self.indexed.units)))

    def _with_speaker(self, unit: int, text: str) -> str:
        document, start = self.indexed.document, self.indexed.units[unit].start
        plain = fluent(TRANSCRIPT_MARK.sub(" ", text))
        paragraph = document.paragraph_at(start)
        speaker = SPEAKER.match(document.text[paragraph.start : paragraph.start + _LABEL])
        return plain if not speaker or SPEAKER.match(plain) else f"{speaker.group()}{plain}"

    def _says_enough(self, text: str) -> bool:
        """Whether a turn has words besides fillers, begins a sentence, with its subject, and ends it."""
        if (SPEAKER.sub("", TRANSCRIPT_MARK.sub("", text)).strip() or "a")[0].islower():
            return False
        said = TRANSCRIPT_MARK.sub(" ", spoken(text, is_turn=True)).split()
        if said and said[0].casefold() in _VERBS_FIRST:
            return False
        n_said = len({word.casefold() for word in said if word[0].isalpha()})
        return n_said >= _SPOKEN_WORDS and said[-1] in _TURN_ENDS

    @cached_property
    def _titles(self) -> frozenset[str]:
        return frozenset(_plain(section.title) for section in self.indexed.document.sections if section.title)

    def _is_title(self, text: str) -> bool:
        """Whether a text is the beginning of a section's title, as in a table of contents."""
        plain = _plain(text)
        return plain in self._titles or any(title.startswith(plain) for title in self._titles)

    def _is_aside(self, unit: int) -> bool:
        """Whether a unit is in a section on the work of others."""
        path = self.indexed.document.section_path(self.indexed.units[unit].start)
        return any(_OF_OTHERS.search(title) for title in path)

    def _kind(self, unit: int) -> ParagraphKind:
        return self.indexed.document.paragraph_at(self.indexed.units[unit].start).kind

    def _paragraph(self, unit: int) -> int:
        return self.indexed.document.paragraph_at(self.indexed.units[unit].start).start

    def _continues(self, unit: int) -> bool:
        """Whether a unit is an item of a list and continues the line before the list, which ends with a colon."""
        for at in range(unit, max(-1, unit - _MAX_ITEMS), -1):
            text = self.text(at)
            if at < unit and text.rstrip().endswith((":", "：")):
                return True
            if self._kind(at) is not ParagraphKind.LIST and without_mark(text) == text:
                return False
        return False


def is_boilerplate(text: str) -> bool:
    """Whether a sentence is a note, a notice, an address, a pointer to another place, or mostly names and numbers.

    >>> is_boilerplate("Copyright (C) 2007 Tea Foundation."), is_boilerplate("Table 3 shows the teas.")
    (True, True)
    >>> is_boilerplate("The tea is green.")
    False
    """
    if (
        _NOTE.match(text)
        or _BOILERPLATE.search(text)
        or _POINTS_AT.match(text)
        or _REFERS.match(text)
        or _INSIDE.search(text)
    ):
        return True
    if is_signpost(text):
        return True
    words = text.split()
    n_numbers = sum(word.lstrip("$€£(")[:1].isdigit() for word in words)
    is_shouted = text.isupper() and len(words) >= _SHOUTED_WORDS and ends_as_sentence(text)
    return not UNSPACED.search(text) and (n_numbers > _MAX_NUMBERS * len(words) or not (is_prose(text) or is_shouted))


def _is_open(text: str) -> bool:
    """Whether a quotation or bracket is not closed, or was opened before the text."""
    return text.count('"') % 2 == 1 or any(text.count(left) != text.count(right) for left, right in _QUOTES)


def _plain(text: str) -> str:
    return " ".join(without_mark(text).casefold().split()).strip(" .:?!")
