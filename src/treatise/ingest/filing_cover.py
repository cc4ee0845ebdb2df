"""The cover page of a filing with the SEC: who filed which form for which period."""

import re
from collections.abc import Sequence
from typing import Final

from treatise.core.dates import first_date
from treatise.ingest.reading import Block

_AGENCY: Final = re.compile(r"securities and exchange commission", re.IGNORECASE)
_FORM: Final = re.compile(r"\bform\s+(?P<form>10-[KQ](?:/A)?|8-K(?:/A)?|20-F|6-K|S-\d|DEF 14A)\b", re.IGNORECASE)
_NAME: Final = re.compile(
    r"(?P<name>[^\n()]{2,120}?)[\s_-]*\(\s*exact name of (?:the )?(?:registrant|company)", re.IGNORECASE
)
_PERIOD: Final = re.compile(
    r"(?:for the )?(?P<kind>(?:fiscal |transition )?(?:year|quarter|period)|quarterly period) ended:?\s*"
    r"(?P<date>[^\n]{4,40})"
    r"|date of report[^:\n]{0,60}:?\s*(?P<report>[^\n]{4,40})",
    re.IGNORECASE,
)
_MAX_COVER_CHARS: Final = 6_000


def filing_cover(blocks: Sequence[Block]) -> tuple[str, str, str]:
    """Title, registrant and date (``YYYY-MM-DD``) of a filing; empty texts if the document is none."""
    cover = _cover(blocks)
    form = _FORM.search(cover)
    if not form or not _AGENCY.search(cover):
        return "", "", ""
    name = _NAME.search(cover)
    registrant = " ".join(name["name"].split()) if name else ""
    period = _PERIOD.search(cover)
    date = first_date(period["date"] or period["report"]) if period else ""
    title = ", ".join(filter(None, (registrant, f"Form {form['form'].upper()}", date)))
    return (title if registrant else ""), registrant, date


def _cover(blocks: Sequence[Block]) -> str:
    text = ""
    for block in blocks:
        if len(text) > _MAX_COVER_CHARS:
            break
        text += f"{' '.join(block.text.split())}\n"
    return re.sub(r"\n(?=\(exact name)", " ", text, flags=re.IGNORECASE)
