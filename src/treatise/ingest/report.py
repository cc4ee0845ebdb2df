"""A readable report on how a source was interpreted: ``treatise index --explain FILE``."""

from collections import Counter
from dataclasses import dataclass

from treatise.core.document import Document, ParagraphKind, Span, trim
from treatise.core.plurals import counted
from treatise.core.words import n_words
from treatise.ingest.reading import Reading

_MAX_SHOWN_CHARS = 160


@dataclass(frozen=True, slots=True)
class Report:
    """How one source was interpreted.

    Attributes:
        format: ``"pdf"``, ``"text"``, …
        encoding: Encoding of a text format; ``""`` for other formats.
        n_pages: 0 if the source has no pages.
        outline: Level, title and offset of each section that has a heading.
        n_paragraphs: Number of paragraphs per kind.
        n_words: As ``core.words.n_words`` counts them.
        longest_sentence: Its text, truncated for display if very long.
        n_longest_words: Number of words in the complete longest sentence.
        notes: What was left out or repaired, one sentence each.
    """

    source: str
    format: str
    encoding: str
    title: str
    language: str
    n_pages: int
    outline: tuple[tuple[int, str, int], ...]
    n_paragraphs: tuple[tuple[ParagraphKind, int], ...]
    n_sentences: int
    n_words: int
    longest_sentence: str
    n_longest_words: int
    notes: tuple[str, ...]

    def lines(self) -> list[str]:
        """The report as lines of text, the outline last."""
        kinds = ", ".join(f"{n:,} {kind}" for kind, n in self.n_paragraphs)
        n_paragraphs = sum(n for _, n in self.n_paragraphs)
        lines = [
            f"source      {self.source}",
            f"format      {self.format}" + (f", {self.encoding}" if self.encoding else ""),
            f"title       {self.title}",
            f"language    {self.language}",
            *([f"pages       {self.n_pages:,}"] if self.n_pages else []),
            f"paragraphs  {n_paragraphs:,} ({kinds})",
            f"sentences   {self.n_sentences:,}",
            f"words       {self.n_words:,}",
            f"longest     {counted(self.n_longest_words, 'word')}: {self.longest_sentence}",
            *(f"note        {note}" for note in self.notes),
            f"sections    {len(self.outline):,}" + ("" if self.outline else " (no heading found)"),
        ]
        return lines + [f"  {'  ' * (level - 1)}{title}" for level, title, _ in self.outline]


def make_report(document: Document, reading: Reading) -> Report:
    """Builds the report on a document."""
    counts = Counter(paragraph.kind for paragraph in document.paragraphs)
    longest = max(document.sentences(), key=len, default=Span(0, 0))
    body = trim(document.text, longest)
    sentence = document.quote(body.start, body.end)
    shown = " ".join(sentence[: 4 * _MAX_SHOWN_CHARS].split())
    return Report(
        source=document.source,
        format=reading.format,
        encoding=reading.encoding,
        title=document.title,
        language=document.language,
        n_pages=len(document.page_starts),
        outline=tuple((s.level, s.title, s.start) for s in document.sections if s.level),
        n_paragraphs=tuple((kind, counts[kind]) for kind in ParagraphKind if counts[kind]),
        n_sentences=sum(len(paragraph.sentences) for paragraph in document.paragraphs),
        n_words=n_words(document.text),
        longest_sentence=shown if len(shown) <= _MAX_SHOWN_CHARS else shown[:_MAX_SHOWN_CHARS] + " …",
        n_longest_words=n_words(sentence),
        notes=reading.notes,
    )
