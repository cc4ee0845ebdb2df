"""Chats to teach a reader with: what a recipe would ask its model, and the answer that the data set has for it.

The recipe runs as ever, up to the call that asks for the answer: the conversation of that call is kept to the letter,
so that a reader is taught on the very prompts that it will see. What the recipe asks a model before that (trees, graph,
plan) goes to the model that is given.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from treatise.core.errors import DataError, EngineError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.evaluate.data.dataset import LabelledDocument, Question
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.results import write_whole
from treatise.pipeline.library import Library


class Listener:
    """A ``LanguageModel`` that keeps the conversation that asks for an answer, and replies with a given one.

    Calls with a schema are about structure: they go to ``model``, and fail where there is none.

    Attributes:
        reply: What it answers.
    """

    def __init__(self, model: LanguageModel | None) -> None:
        self._model = model
        self.reply = ""
        self._heard: tuple[Message, ...] = ()

    def taken(self) -> tuple[Message, ...]:
        """The conversation that asked for an answer, once; empty where none has since the last time."""
        heard, self._heard = self._heard, ()
        return heard

    @property
    def name(self) -> str:
        """The model's, where it is asked."""
        return self._model.name if self._model else "no model"

    @property
    def context_tokens(self) -> int:
        """The model's window; unknown without one."""
        return self._model.context_tokens if self._model else 0

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        """See ``LanguageModel.chat``."""
        if schema is not None and self._model is not None:
            yield from self._model.chat(conversations, max_tokens=max_tokens, schema=schema)
            return
        for index, messages in enumerate(conversations):
            if schema is not None:
                yield (
                    index,
                    EngineError(
                        "this recipe asks a model about structure: name one with --llm, or take disco-rag-local"
                    ),
                )
                continue
            self._heard = tuple(messages)
            yield index, Reply(self.reply, 0, 0)


def write_chats(  # noqa: PLR0913  (what is read, by what, and where to)
    dataset: str,
    data: Path,
    out: Path,
    *,
    opened: Callable[[Listener], Library],
    model: LanguageModel | None = None,
    limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Writes a line ``{"id", "messages": [{"role", "content"}...]}`` a question; how many.

    Args:
        dataset: A name out of ``datasets.DATASETS``.
        data: Its file.
        out: Replaced whole at the end.
        opened: The library of the recipe, with the listener as its model; it is closed here.
        model: Asked about structure.
        limit: Only the first so many documents.
        progress: Called with the documents done and all of them.

    Raises:
        DataError: Where the data cannot be read, or no question of it has an answer in words.
        EngineError: Where the model fails.
    """
    labelled = list(islice(dataset_named(dataset).load(data), limit))
    listener = Listener(model)
    library = opened(listener)
    lines: list[str] = []
    try:
        for number, one in enumerate(labelled, start=1):
            lines += [json.dumps(chat, ensure_ascii=False) + "\n" for chat in _chats(library, listener, one)]
            if progress:
                progress(number, len(labelled))
    finally:
        library.close()
    if not lines:
        raise DataError(f"{data}: no question of its {len(labelled)} documents has an answer in words to learn from")
    write_whole(out, "".join(lines))
    return len(lines)


def _chats(library: Library, listener: Listener, one: LabelledDocument) -> Iterator[dict[str, object]]:
    asked = [question for question in one.questions if _answer(question)]
    readable = [document for document in one.documents if any(document.readable_sentences())]
    if not asked or not readable:
        return
    indexed = library.system.with_model(None).index(readable)  # the listener writes no notes
    for question in asked:
        listener.reply = _answer(question)
        library.system.answer(question.text, indexed, fallback=False)
        if heard := listener.taken():
            told = [{"role": message.role, "content": message.content} for message in heard]
            yield {"id": question.id, "messages": [*told, {"role": "assistant", "content": listener.reply}]}


def _answer(question: Question) -> str:
    """The first annotator's, as the data set words it."""
    return question.references[0].answer.strip() if question.references else ""
