"""Chats to teach a reader with: what a recipe would ask its model, and the answer that the data set has for it.

The recipe runs as ever, up to the call that asks for the answer: the conversation of that call is kept to the letter,
so that a reader is taught on the very prompts that it will see. What the recipe asks a model before that (trees, graph,
plan) goes to the model that is given.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from treatise.core.errors import DataError, EngineError
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.evaluate.data.dataset import LabelledDocument, Question
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec
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


def write_chats(spec: RunSpec, opened: Callable[[Listener], Library], *, model: LanguageModel | None = None) -> int:
    """Writes one line ``{"id", "messages": [{"role", "content"}...]}`` per question to ``spec.out``, and counts them.

    Args:
        spec: Names the data set; ``out`` is a file, replaced as a whole at the end.
        opened: The library of the recipe, with the listener as its model; it is closed here.
        model: Asked about structure.

    Raises:
        DataError: If the data cannot be read, or no question has an answer in words.
        EngineError: If the model fails.
    """
    labelled = list(islice(dataset_named(spec.dataset).load(spec.data), spec.limit))
    listener = Listener(model)
    library = opened(listener)
    lines: list[str] = []
    try:
        for number, one in enumerate(labelled, start=1):
            lines += [json.dumps(chat, ensure_ascii=False) + "\n" for chat in _chats(library, listener, one)]
            spec.report(number, len(labelled))
    finally:
        library.close()
    if not lines:
        raise DataError(f"{spec.data}: its {len(labelled)} documents have no question with an answer in words")
    write_whole(spec.out, "".join(lines))
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
