"""What indexing would cost: ``treatise index --estimate``."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Final

from treatise.cli.explain import read_named
from treatise.cli.output import Line, counted, line
from treatise.cli.places import short_source
from treatise.cli.progress import duration
from treatise.cli.sources import Named, data_of
from treatise.records import Record

if TYPE_CHECKING:
    from treatise.core.document import Document
    from treatise.llm.estimate import Estimate as NotesEstimate
    from treatise.pipeline.library import Library

_SAMPLE_CHARS: Final = 8_000  # some sixty sentences: a third of a second with the built-in encoder


@dataclass(frozen=True, slots=True)
class Read:
    """A source that was read, and how long indexing it would take but for a language model."""

    source: str
    document: "Document"
    words: int
    sentences: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one source, or all of them, would cost.

    Attributes:
        source: As the user named it; None for all together.
        words, sentences: Of the whole document.
        seconds: Time to index it on this machine, from the time that its beginning takes, and of waiting for the model.
        llm_calls, prompt_tokens, completion_tokens: Of requests to a language model.
        reused_calls: What an earlier run has finished, and is not asked for again.
        over_budget: Requests that the ceiling does not allow.
        cost: At the prices of the settings; None where there are none.
    """

    source: str | None
    words: int
    sentences: int
    seconds: float
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    reused_calls: int
    over_budget: int
    cost: float | None


def read(library: "Library", named: Named) -> Read:
    """Reads a source and indexes its beginning, to see how long all of it would take; nothing is stored.

    Raises:
        SourceError: Where the source cannot be read.
    """
    document, report = read_named(named, data_of(named))
    sample = _beginning(document)
    started = time.monotonic()
    without_model = library.system.with_model(None)
    library.system.parse_sample(*without_model.index([sample]))
    seconds = (time.monotonic() - started) * len(document.text) / len(sample.text)
    return Read(named.name, document, report.n_words, report.n_sentences, seconds)


def estimates_together(library: "Library", reads: Sequence[Read]) -> tuple[list[Estimate], Estimate]:
    """An estimate a source, and one of all together: their calls go out in common waves, below one ceiling."""
    from treatise.llm.estimate import Pace
    from treatise.settings import load_settings

    pace = Pace(concurrency=load_settings().concurrency)
    notes, of_all = library.system.estimate([one.document for one in reads], pace)
    estimates = [_estimate(one.source, [one], of_one) for one, of_one in zip(reads, notes, strict=True)]
    return estimates, _estimate(None, reads, of_all)


def estimate_lines(estimates: Sequence[Estimate], total: Estimate) -> Iterator[Line]:
    """A line a source, one for several together, and what no estimate can know where a model is asked."""
    for each in estimates:
        yield line((short_source(each.source or ""), "bold"), f": {_text(each)}")
    if len(estimates) > 1:
        yield line(("together", "bold"), f": {_text(total)}")
    if total.llm_calls:
        yield line(("not counted: a reply that does not fit is asked for once more", "dim"))


def estimates_record(estimates: Sequence[Estimate], total: Estimate) -> Record:
    """The estimates as JSON."""
    return {"estimates": [asdict(each) for each in estimates], "total": asdict(total)}


def _estimate(source: str | None, reads: Sequence[Read], notes: "NotesEstimate") -> Estimate:
    return Estimate(
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


def _text(each: Estimate) -> str:
    parts = [f"{each.words:,} words", f"{each.sentences:,} sentences", f"about {duration(each.seconds)}"]
    parts.append(
        f"{counted(each.llm_calls, 'call')} of a language model" if each.llm_calls else "no call of a language model"
    )
    if each.llm_calls:
        parts.append(f"{each.prompt_tokens:,} prompt and {each.completion_tokens:,} completion tokens")
    parts += [f"cost {each.cost:,.4f}"] if each.cost is not None and each.llm_calls else []
    parts += [f"{counted(each.reused_calls, 'call')} reused"] if each.reused_calls else []
    parts += [f"{each.over_budget:,} over the ceiling"] if each.over_budget else []
    return ", ".join(parts)


def _beginning(document: "Document") -> "Document":
    """The document up to the end of the paragraph in which the sample's last character stands."""
    end = document.paragraph_at(min(_SAMPLE_CHARS, len(document.text)) - 1).end
    return replace(
        document,
        text=document.text[:end],
        sections=tuple(section for section in document.sections if section.start < end),
        paragraphs=tuple(paragraph for paragraph in document.paragraphs if paragraph.end <= end),
        page_starts=tuple(start for start in document.page_starts if start < end),
    )
