"""Converts subtitles (SRT, WebVTT) to a transcript: paragraphs that begin with time and speaker."""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from treatise.core.document import ParagraphKind
from treatise.core.errors import DamagedSourceError
from treatise.ingest.encoding import decode
from treatise.ingest.limits import Limits
from treatise.ingest.reading import Reading
from treatise.ingest.writer import BlockWriter

_TIMES: Final = re.compile(
    r"\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
)
_VOICE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_NAMED: Final = re.compile(r"(?:>>\s*|-\s*)?([A-Z][\w.'’ -]{0,30}):\s+(?=\S)")
_TAG: Final = re.compile(r"</?[a-zA-Z][^>]{0,100}>|<\d[\d:.]*>|\{\\[^}]{0,100}\}")
_SENTENCE_END: Final = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_NUMBER: Final = re.compile(r"\d{1,9}")
_ASIDE: Final = re.compile(r"(?:NOTE|STYLE|REGION)\b")
"""Keyword that begins an unspoken WebVTT block."""
_PAUSE_S: Final = 3.0
_PARAGRAPH_CHARS: Final = 600


@dataclass(frozen=True, slots=True)
class _Cue:
    """A cue with its start and end in seconds; the speaker is ``""`` if absent."""

    start: float
    end: float
    speaker: str
    text: str


def read_subtitles(data: bytes, name: str, limits: Limits) -> Reading:
    """Blocks of a transcript; a new one begins at each new speaker, after a pause, and after several sentences.

    Raises:
        DamagedSourceError: There is no cue with times.
        SourceTooLargeError: More text than the limits allow.
    """
    decoded = decode(data, name)
    writer = BlockWriter(name, limits)
    n_cues = 0
    for cues in _paragraphs(_cues(decoded.text)):
        n_cues += len(cues)
        speaker = f"{cues[0].speaker}: " if cues[0].speaker else ""
        writer.add(ParagraphKind.PROSE, f"[{_clock(cues[0].start)}] {speaker}{' '.join(cue.text for cue in cues)}")
    if not n_cues:
        raise DamagedSourceError(f"{name}: subtitles without a line of times, such as 00:01:02,000 --> 00:01:04,000")
    return Reading(writer.blocks, "subtitles", decoded.encoding)


def _cues(text: str) -> Iterator[_Cue]:
    times: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.splitlines():
        if match := _TIMES.match(line):
            if times:
                yield from _spoken(times, _without_identifier(lines))
            times, lines = match, []
        elif _ASIDE.match(line) and not any(lines[-1:]):
            if times:
                yield from _spoken(times, lines)
            times = None
        elif times:
            lines.append(line.strip())
    if times:
        yield from _spoken(times, lines)


def _without_identifier(lines: list[str]) -> list[str]:
    """The cue's lines without the identifier of the next cue, which precedes its timing line."""
    last = lines[-1] if lines else ""
    is_name = len(lines) > 1 and not lines[-2]
    return lines[:-1] if is_name or _NUMBER.fullmatch(last) else lines


def _spoken(times: re.Match[str], lines: list[str]) -> Iterator[_Cue]:
    """The cue, split at each line that names a speaker."""
    start, end = _seconds(times.groups()[:4]), _seconds(times.groups()[4:])
    speaker, words = "", list[str]()
    for line in lines:
        voice = _VOICE.search(line)
        plain = html.unescape(_TAG.sub("", line)).strip()
        named = None if voice else _NAMED.match(plain)
        if voice or named:
            if words:
                yield _Cue(start, end, speaker, " ".join(words))
            speaker = " ".join((voice or named).group(1).split())  # type: ignore[union-attr]  # one of them always matches
            plain, words = plain[named.end() :] if named else plain, []
        if plain:
            words.append(plain)
    if words:
        yield _Cue(start, end, speaker, " ".join(words))


def _seconds(groups: Iterable[str | None]) -> float:
    hours, minutes, seconds, fraction = (group or "0" for group in groups)
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds) + int(fraction.ljust(3, "0")) / 1000


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"


def _paragraphs(cues: Iterable[_Cue]) -> Iterator[list[_Cue]]:
    """Groups cues into paragraphs. A cue that repeats the previous line, as in live captions, is left out."""
    held: list[_Cue] = []
    for cue in cues:
        if held and cue.text == held[-1].text:
            continue
        if held and _begins_paragraph(held, cue):
            yield held
            held = []
        held.append(cue)
    if held:
        yield held


def _begins_paragraph(held: list[_Cue], cue: _Cue) -> bool:
    if cue.speaker and cue.speaker != held[0].speaker:
        return True
    ends = _SENTENCE_END.search(held[-1].text) is not None
    is_long = sum(len(one.text) for one in held) > _PARAGRAPH_CHARS
    return ends and (is_long or cue.start - held[-1].end > _PAUSE_S)
