"""The people whom a line names, and those below a heading with nothing else: "Ann Lee, Bo Ek (chair)"."""

import re
from collections import Counter
from typing import Final

from treatise.core.document import Document, Paragraph, ParagraphKind, Span, trim
from treatise.core.injection import addresses_a_model
from treatise.core.lines import FILLED_LINE
from treatise.core.markup import without_markup
from treatise.core.patterns import lazy_pattern
from treatise.generate.attendance_words import NO_PERSON, PERSON

CHAIR: Final = r"chair(?:man|woman|person)?"
OFFICERS: Final = rf"{CHAIR}|president|secretary|treasurer|clerk"
MEETING_OFFICERS: Final = rf"{OFFICERS}|moderator|facilitator|scribe|(?:minute|note)[ -]taker"
IN_BRACKETS: Final = lazy_pattern(r"(?<!\s)(?:\s*\([^()]*\)|\s+[-–—]\s+[^,;]*)")
"""What stands after a name: an office, an employer."""
EXCUSED: Final = lazy_pattern(r"\([^()]*\b(?:excused|absent|apolog\w+|proxy|entschuldigt|excusée?)\b", re.IGNORECASE)
_TITLE: Final = lazy_pattern(r"(?:mr|mrs|ms|miss|dr|prof|cllrs?|herr|frau|m|mme)\.?", re.IGNORECASE)
_OFFICE: Final = lazy_pattern(
    rf"(?:(?:vice|deputy|acting|hon\.?|honorary)[ -])?"
    rf"(?:{MEETING_OFFICERS}|director|minutes?|esq\.?|jr\.?|ph\.?d\.?)",
    re.IGNORECASE,
)
_BETWEEN: Final = lazy_pattern(r"(?<!\s)(?:\s*[,;]\s*(?:and\s+)?|\s+(?:and|&)\s+)")
_REMARK: Final = lazy_pattern(
    r"\b(?:absent|excused|apolog\w+|regrets|leave|sick|ill|missing|not|no|nay|nays|yes|yea|aye|ayes|abstain\w*|vote[ds]?|"
    r"proxy|resign\w*|retire[ds]?|former|formerly|late|deceased|died|until|appointed|elected|proposed|nominated|"
    r"nominees?|candidates?|vacant|tb[acd]|acting|interim)\b",
    re.IGNORECASE,
)
"""Words that say of one of several people that this one is none of them, or not always."""
_NAME_WORD: Final = r"(?:[^\W\d_a-z][\w.'’()-]*|van|von|de[rnl]?|la|le|di|da|du|dos|bin|al|el|ten|ter|y)"
_NAME: Final = lazy_pattern(rf"(?!(?:The|An?) ){_NAME_WORD}(?: {_NAME_WORD})*")
_BRACKETS: Final = lazy_pattern(r"\([^()]*\)")
_LEAD: Final = lazy_pattern(r"(?!.*\b(?:not|no|former|resigned|proposed)\b).*\bfollowing\b.*[:：]", re.IGNORECASE)
"""What introduces the people of a section: "The following served as directors:"."""
_PROSE: Final = (ParagraphKind.PROSE, ParagraphKind.VERSE)
_MOST: Final = 40  # lines


def people_in(text: str) -> list[str]:
    """The people of a line; empty if a part of it is no name.

    >>> people_in("Ann Lee (chair), Bo and Cy Roe"), people_in("Ann Lee, 5 High Street")
    (['Ann Lee', 'Bo', 'Cy Roe'], [])
    """
    plain = IN_BRACKETS.sub("", without_markup(text)).strip(" *_.;")
    if ";" in plain and "," in plain:
        return []  # "Lee, Ann; Ek, Bo"
    found = [one.strip() for one in _BETWEEN.split(plain) if one.strip() and not _OFFICE.fullmatch(one.strip())]
    is_of_people = all(PERSON.fullmatch(one) and not NO_PERSON.search(one) for one in found)
    is_of_people = is_of_people and not any(map(_TITLE.fullmatch, found)) and not EXCUSED.search(text)
    return found if is_of_people and not addresses_a_model(text) else []


def people_below(document: Document, at: int, *, with_remarks: bool = False) -> list[tuple[Span, list[str]]]:
    """The lines of a section with the people of each; empty if a line has anything else or a remark about somebody.

    Two of the same name keep what stands in brackets after it. ``with_remarks`` those with a line of their own keep a
    remark in brackets ("Bo Ek (resigned in May)"), and a line may introduce all of them.
    """
    ends = [one.start for one in document.sections[at + 1 : at + 2]] or [len(document.text)]
    inside = [one for one in document.paragraphs if document.sections[at].start <= one.start < ends[0]][1:]
    if not inside or any(one.kind not in _PROSE for one in inside):
        return []
    lines = [line for one in inside for line in _lines(document, one)]
    if with_remarks and _LEAD.fullmatch(" ".join(document.quote(lines[0].start, lines[0].end).split())):
        lines = lines[1:]
    texts = [" ".join(document.quote(line.start, line.end).split()) for line in lines]
    people = [people_in(text) for text in texts]
    if not lines or len(lines) > _MOST or not all(map(_are_names, people)):
        return []
    remarks = [bool(_REMARK.search(text)) for text in texts]
    if any(remarks) and not (with_remarks and all(map(_is_one_with_remark, texts, people))):
        return []
    said = [[without_markup(text)] if has else _distinct(text) for text, has in zip(texts, remarks, strict=True)]
    return list(zip(lines, said, strict=True))


def _is_one_with_remark(line: str, people: list[str]) -> bool:
    """Whether a line is one person, whose remark if any is in brackets."""
    return len(people) == 1 and not _REMARK.search(_BRACKETS.sub("", line))


def _are_names(people: list[str]) -> bool:
    """Whether there are any, and all are of capitalised words: "The chair spoke" is a sentence."""
    return bool(people) and all(map(_NAME.fullmatch, people))


def _lines(document: Document, paragraph: Paragraph) -> list[Span]:
    """The lines of a paragraph, or all of it if a line goes on in the next one."""
    lines = FILLED_LINE.finditer(document.text, paragraph.start, paragraph.end)
    found = [trim(document.text, Span(*line.span())) for line in lines]
    is_wrapped = any(document.text[one.end - 1] in ",;&" for one in found[:-1])
    return [trim(document.text, Span(paragraph.start, paragraph.end))] if is_wrapped else found


def _distinct(line: str) -> list[str]:
    """The people of a line, those of the same name with their brackets."""
    people, parts = people_in(line), [one.strip(" *_.") for one in _BETWEEN.split(without_markup(line))]
    n_named = Counter(people)
    if len(parts) != len(people):
        return people
    return [part if n_named[name] > 1 else name for name, part in zip(people, parts, strict=True)]
