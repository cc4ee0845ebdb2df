"""Title, authors and date of a document: what its metadata and its first lines say, checked for sense."""

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import PurePath
from typing import Final

from treatise.core.dates import first_date, without_dates
from treatise.core.metadata import Metadata
from treatise.ingest.assemble import heading_title
from treatise.ingest.column_heads import memo_head, page_title
from treatise.ingest.filing_cover import filing_cover
from treatise.ingest.front_matter import ends_front, field_title, front_authors, front_date, front_title, may_be_title
from treatise.ingest.names import stated_names
from treatise.ingest.reading import Block, Reading
from treatise.ingest.titles import is_sensible_title, without_marks

_MAX_TITLE_CHARS: Final = 100
_FIRST_YEAR: Final = 1985
"""A file that says it is older carries the zero of a clock."""
_WITHOUT_FRONT: Final = ("xlsx", "ods", "csv", "json", "jsonl", "zip", "mbox", "subtitles", "picture")
_OF_SHEETS: Final = ("xlsx", "ods")
"""Formats in which a heading is the name of a sheet."""
_WITH_LINES: Final = ("text", "pdf", "docx", "odt", "rtf")
"""Formats in which a title may be a plain line."""
_MARKED: Final = ("markdown", "html", "rst", "asciidoc", "org", "mediawiki", "epub", "notebook")
"""Formats in which headings and lists are marked as such."""
_COLUMNS: Final = re.compile(r"\S(?:[ ]{3,}|\t)\s*\S")
_CENTRED: Final = re.compile(r"\s*\n?[ \t]{8,}\S[^\n]*\n?\s*$")
_FRONT_BLOCKS: Final = 60
_TOP_BLOCKS: Final = 5


def title_of(reading: Reading, name: str, *, has_name: bool) -> str:
    """A filing's cover; the stated title if it is plausible; else what the first lines say, else the name."""
    front = _front(reading)
    stated = without_marks(" ".join(reading.title.split()))
    is_plausible = is_sensible_title(stated) and without_dates(stated).strip(" ,.()–-")
    if title := filing_cover(front)[0] or (stated if is_plausible else "") or field_title(front) or _page(reading):
        return title
    if has_name and reading.format == "mediawiki" and all(block.level != 1 for block in reading.blocks):
        return PurePath(name).stem.replace("_", " ")  # a page of a wiki has the name of its file
    marked = reading.format in _MARKED
    whole = front_title(front, is_marked=marked)
    has_top = reading.format != "text" and (bool(whole) or not marked)
    top = front_title(front[:_TOP_BLOCKS], is_marked=marked) if has_top else ""
    found = next(filter(None, (top, _first_line(reading), whole, _top_heading(reading))), "")
    return found or (PurePath(name).stem if has_name else stated or _line(_first(reading))[:_MAX_TITLE_CHARS])


def metadata_of(reading: Reading, title: str) -> Metadata:
    """``author`` and ``date``, each only if known, and the other keys that the source states.

    What a document prints counts before what a program wrote into its file, unless the format states who published it
    and when.
    """
    front = _front(reading)
    _, registrant, period = filing_cover(front)
    named, dated = memo_head(front) if reading.format == "text" else ((), "")
    authors = (registrant,) if registrant else named or _authors(reading, front, title)
    date = period or first_date(reading.stated.date) or dated or front_date(front) or _made(reading.stated.made)
    known = {"author": authors, "date": (date,) if date else ()}
    return {**reading.stated.fields, **{key: values for key, values in known.items() if values}}


def _authors(reading: Reading, front: Sequence[Block], title: str) -> tuple[str, ...]:
    printed, is_labelled = front_authors(front, title, is_marked=reading.format in _MARKED)
    stated = tuple(dict.fromkeys(name for text in reading.stated.authors for name in stated_names(text)))
    return printed if is_labelled else stated or printed


def _made(text: str) -> str:
    """When the file was made; ``""`` if the clock was not set."""
    date = first_date(text)
    return date if date and int(date[:4]) >= _FIRST_YEAR else ""


def _front(reading: Reading) -> list[Block]:
    return reading.blocks[:_FRONT_BLOCKS] if reading.format not in _WITHOUT_FRONT else []


def _page(reading: Reading) -> str:
    return page_title(reading.blocks[:1]) if reading.format == "text" else ""


def _first_line(reading: Reading) -> str:
    """The first line as a title, if it is short and no sentence; below lines set in columns, the first centred line
    above any heading.
    """
    if reading.format not in _WITH_LINES:
        return ""
    first = _first(reading)
    if not _COLUMNS.search(_line(first)):
        return _title_in(first)
    above = takewhile(lambda one: not one.level, reading.blocks[:_FRONT_BLOCKS])
    below = (one for one in above if one is not first and _CENTRED.match(one.text))
    return next(filter(None, map(_title_in, below)), "")


def _title_in(block: Block) -> str:
    line = _line(block)
    is_short = len(line) <= _MAX_TITLE_CHARS and line[-1] not in ".,;:!?。，；：" and not block.level
    title = without_marks(" ".join(line.split()))
    return title if is_short and may_be_title(title) else ""


def _top_heading(reading: Reading) -> str:
    """The first of the highest headings; empty if it is a number, a date, an "Abstract" or one of several sheets: the
    others name parts then.
    """
    if reading.format in _OF_SHEETS and sum(block.level == 1 for block in reading.blocks) > 1:
        return ""
    top = min((block for block in reading.blocks if block.level), key=lambda block: block.level, default=None)
    title = heading_title(top) if top else ""
    return title if is_sensible_title(title) and not ends_front(title) else ""


def _first(reading: Reading) -> Block:
    return next(block for block in reading.blocks if block.text.strip())


def _line(block: Block) -> str:
    return block.text.strip().split("\n")[0].strip()
