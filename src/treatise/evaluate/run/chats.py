"""Training chats for a reader: the recipe's prompt for each question, and the data set's answer.

The recipe runs as usual up to the call that asks for the answer. The messages of that call are recorded verbatim, so a
reader is trained on the exact prompts that it will see. Earlier calls (trees, graph, plan) go to the language model.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from treatise.core.errors import DataError, EngineError
from treatise.core.plurals import counted
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.evaluate.data.dataset import LabelledDocument, Question
from treatise.evaluate.data.registry import dataset_named
from treatise.evaluate.run.results import write_whole
from treatise.evaluate.run.spec import RunSpec
from treatise.evaluate.run.systems import opened_systems
from treatise.pipeline.system import System


class Listener:
    """A ``LanguageModel`` that records the answer prompt and replies with ``reply``.

    Calls with a schema go to ``model``, and fail if there is none.

    Attributes:
        reply: Its answer.
    """

    def __init__(self, model: LanguageModel | None) -> None:
        self._model = model
        self.reply = ""
        self._heard: tuple[Message, ...] = ()

    def taken(self) -> tuple[Message, ...]:
        """The answer prompt recorded since the last call; empty if there was none."""
        heard, self._heard = self._heard, ()
        return heard

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name if self._model else "no model"

    @property
    def context_tokens(self) -> int:
        """The model's context window; unknown without a model."""
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


def write_chats(spec: RunSpec) -> int:
    """Writes one line ``{"id", "messages": [{"role", "content"}...]}`` per question to ``spec.out``, and counts them.

    ``spec.out`` is a file, replaced as a whole at the end. The prompts are those of the first recipe; the engines'
    language model generates the structure.

    Raises:
        DataError: If the data cannot be read, or no question has an answer in words.
        EngineError: If the model fails.
    """
    labelled = list(islice(dataset_named(spec.dataset).load(spec.data), spec.limit))
    engines = spec.opened_engines()
    listener = Listener(engines.model)
    lines: list[str] = []
    with opened_systems(replace(spec, engines=replace(engines, model=listener))) as systems:
        system = systems[spec.recipes[0].slug]
        for number, one in enumerate(labelled, start=1):
            lines += [json.dumps(chat, ensure_ascii=False) + "\n" for chat in _chats(system, listener, one)]
            systems.forget_document()
            spec.report(number, len(labelled))
    if not lines:
        raise DataError(f"{spec.data}: no question on its {counted(len(labelled), 'document')} has an answer in words")
    write_whole(spec.out, "".join(lines))
    return len(lines)


def _chats(system: System, listener: Listener, one: LabelledDocument) -> Iterator[dict[str, object]]:
    questions = [question for question in one.questions if _answer(question)]
    readable = [document for document in one.documents if any(document.readable_sentences())]
    if not questions or not readable:
        return
    indexed = system.with_model(None).index(readable)  # the recording model writes no notes
    for question in questions:
        listener.reply = _answer(question)
        system.answer(question.text, indexed, fallback=False)
        if heard := listener.taken():
            messages = [{"role": message.role, "content": message.content} for message in heard]
            yield {"id": question.id, "messages": [*messages, {"role": "assistant", "content": listener.reply}]}


def _answer(question: Question) -> str:
    """The first annotator's answer, in the data set's words."""
    return question.references[0].answer.strip() if question.references else ""
