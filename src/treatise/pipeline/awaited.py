"""Methods of a library that an event loop may await."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar, cast

from treatise.core.answer import Answer
from treatise.core.evidence import Evidence
from treatise.core.form import CITED, Form
from treatise.pipeline.progress import ProgressCallback
from treatise.pipeline.query import SILENT, AnswerListener
from treatise.pipeline.reports import IndexReport
from treatise.pipeline.sources import SourceReader, read_source
from treatise.pipeline.system import DEFAULT_SUMMARY_WORDS, DEFAULT_WORDS

if TYPE_CHECKING:
    from treatise.pipeline.library import Library


_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class AwaitedMethods:
    """``index``, ``search``, ``ask`` and ``summarize`` in a thread each, with the same arguments.

    A cancelled task stops waiting; what the thread does goes on to its end.
    """

    __slots__ = ()

    async def index_async(
        self,
        source: str | Path,
        *,
        data: bytes | None = None,
        progress: ProgressCallback | None = None,
        read: SourceReader = read_source,
    ) -> IndexReport:
        """As ``index``, to be awaited."""
        return await _in_thread(_library(self).index, source, data=data, progress=progress, read=read)

    async def search_async(
        self,
        question: str,
        *,
        documents: Sequence[str] | None = None,
        where: str = "",
        max_words: int = DEFAULT_WORDS,
    ) -> Evidence:
        """As ``search``, to be awaited."""
        return await _in_thread(_library(self).search, question, documents=documents, where=where, max_words=max_words)

    async def ask_async(  # noqa: PLR0913  (the arguments of ask)
        self,
        question: str,
        sources: Sequence[str | Path] = (),
        *,
        documents: Sequence[str] | None = None,
        where: str = "",
        max_words: int = 0,
        form: Form = CITED,
        fallback: bool = True,
        progress: ProgressCallback | None = None,
        listener: AnswerListener = SILENT,
    ) -> Answer:
        """As ``ask``, to be awaited; ``listener`` is called in the thread."""
        return await _in_thread(
            _library(self).ask,
            question,
            sources,
            documents=documents,
            where=where,
            max_words=max_words,
            form=form,
            fallback=fallback,
            progress=progress,
            listener=listener,
        )

    async def summarize_async(
        self,
        source: str | Path | None = None,
        question: str = "",
        *,
        document: str = "",
        max_words: int = DEFAULT_SUMMARY_WORDS,
        progress: ProgressCallback | None = None,
    ) -> Answer:
        """As ``summarize``, to be awaited."""
        return await _in_thread(
            _library(self).summarize, source, question, document=document, max_words=max_words, progress=progress
        )


def _library(methods: AwaitedMethods) -> "Library":
    return cast("Library", methods)


async def _in_thread(
    method: Callable[_Arguments, _Result], *args: _Arguments.args, **kwargs: _Arguments.kwargs
) -> _Result:
    from asyncio import to_thread  # some 30 modules, which a command does not need

    return await to_thread(method, *args, **kwargs)
