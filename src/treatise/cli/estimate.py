"""The cost of indexing: ``treatise index --estimate``."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from treatise.cli.explain import read_named
from treatise.cli.output import Line, line
from treatise.cli.places import short_source
from treatise.cli.progress import duration
from treatise.cli.sources import Named, data_of
from treatise.core.plurals import counted
from treatise.records import SourceEstimate

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.llm.estimate import Estimate as NotesEstimate
    from treatise.pipeline.library import Library

_SAMPLE_CHARS: Final = 8_000  # about sixty sentences: a third of a second with the built-in encoder


@dataclass(frozen=True, slots=True)
class Read:
    """A source that was read, and the seconds to index it without a language model."""

    source: str
    document: "Document"
    words: int
    sentences: int
    seconds: float


def read(library: "Library", named: Named) -> Read:
    """Reads a source and times the indexing of its beginning; stores nothing.

    Raises:
        SourceError: If the source cannot be read.
    """
    document, report = read_named(named, data_of(named))
    sample = _beginning(document)
    started = time.monotonic()
    without_model = library.system.with_model(None)
    library.system.parse_sample(*without_model.index([sample]))
    seconds = (time.monotonic() - started) * len(document.text) / len(sample.text)
    return Read(named.name, document, report.n_words, report.n_sentences, seconds)


def estimates_together(library: "Library", reads: Sequence[Read]) -> tuple[list[SourceEstimate], SourceEstimate]:
    """An estimate per source, and the total: all sources share waves of calls and one budget."""
    from treatise.llm.estimate import Pace
    from treatise.settings import load_settings

    pace = Pace(concurrency=load_settings().concurrency)
    notes, of_all = library.system.estimate([one.document for one in reads], pace)
    estimates = [_estimate(one.source, [one], of_one) for one, of_one in zip(reads, notes, strict=True)]
    return estimates, _estimate(None, reads, of_all)


def estimate_lines(estimates: Sequence[SourceEstimate], total: SourceEstimate) -> Iterator[Line]:
    """A line per source, a total for several, and a remark on what is not counted if a model is used."""
    for each in estimates:
        yield line((short_source(each.source or ""), "bold"), f": {_text(each)}")
    if len(estimates) > 1:
        yield line(("total", "bold"), f": {_text(total)}")
    if total.llm_calls:
        yield line(("not counted: repeated calls after invalid replies", "dim"))


def _estimate(source: str | None, reads: Sequence[Read], notes: "NotesEstimate") -> SourceEstimate:
    return SourceEstimate(
        source=source,
        words=sum(one.words for one in reads),
        sentences=sum(one.sentences for one in reads),
        seconds=round(sum(one.seconds for one in reads) + notes.seconds, 2),
        llm_calls=notes.n_calls,
        prompt_tokens=notes.prompt_tokens,
        completion_tokens=notes.completion_tokens,
        reused_calls=notes.n_reused,
        over_budget=notes.n_over_budget,
        cost=notes.cost,
    )


def _text(each: SourceEstimate) -> str:
    parts = [counted(each.words, "word"), counted(each.sentences, "sentence"), f"about {duration(each.seconds)}"]
    parts.append(f"{counted(each.llm_calls, 'language model call')}" if each.llm_calls else "no language model calls")
    if each.llm_calls:
        parts.append(f"{each.prompt_tokens:,} prompt and {each.completion_tokens:,} completion tokens")
    parts += [f"cost {each.cost:,.4f}"] if each.cost is not None and each.llm_calls else []
    parts += [f"{counted(each.reused_calls, 'call')} reused"] if each.reused_calls else []
    parts += [f"{each.over_budget:,} over budget"] if each.over_budget else []
    return ", ".join(parts)


def _beginning(document: "Document") -> "Document":
    """The document up to the end of the paragraph that contains the sample's last character."""
    end = document.paragraph_at(min(_SAMPLE_CHARS, len(document.text)) - 1).end
    return replace(
        document,
        text=document.text[:end],
        sections=tuple(section for section in document.sections if section.start < end),
        paragraphs=tuple(paragraph for paragraph in document.paragraphs if paragraph.end <= end),
        page_starts=tuple(start for start in document.page_starts if start < end),
        tables=tuple(table for table in document.tables if table.end <= end),
    )
