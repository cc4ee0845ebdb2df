"""What a language model is asked for: the note of one node, of a whole subtree, of key sentences, of a cluster."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from treatise.core.note import Finished, Note, Origin, note_key
from treatise.core.ports import LanguageModel, Message, Reply
from treatise.core.words import clip, joined, n_tokens, n_words
from treatise.enhance.replies import LENIENCE, MIN_WORDS, read_note, read_notes
from treatise.llm.prompts import prompt

TOKENS_A_WORD: Final = 2.5
"""Allowed for each word asked for: unspaced scripts need most, and a reply that was cut off is lost."""

_TOKENS_A_WORD_READ: Final = 1.5  # of a prompt, tags and the list of notes included
_UNKNOWN_WINDOW: Final = 8_192
_TOKENS_A_LISTED_NOTE: Final = 32  # allowed for the JSON around it
_LISTED_NOTE_TOKENS: Final = 7  # braces, names and number around each note of a structured reply
_OVERHEAD_TOKENS: Final = 128  # of a chat template and our tags
_NOTES_SCHEMA: Final[dict[str, object]] = {
    "type": "object",
    "properties": {
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"number": {"type": "integer"}, "text": {"type": "string"}},
                "required": ["number", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["notes"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to ask of a model.

    Attributes:
        key: Hash of what is asked; equal keys are asked once.
        messages: The conversation.
        max_tokens: Longest reply.
        max_words: Longest note.
        sources: What each note is made from, to check it against.
        schema: JSON schema of the reply; None where it is the text of the only note.
    """

    key: str
    messages: tuple[Message, ...]
    max_tokens: int
    max_words: int
    sources: tuple[str, ...]
    schema: dict[str, object] | None = None

    def read(self, reply: Reply) -> tuple[str, ...]:
        """The notes of a reply. Raises ``ModelReplyError`` where it does not fit."""
        rules = self.messages[0].content
        if self.schema is None:
            return (read_note(reply, self.sources[0], self.max_words, rules),)
        return read_notes(reply, self.sources, self.max_words, rules)

    def again(self, turns: Sequence[Message]) -> "Job":
        """The same job with further turns of the conversation."""
        return replace(self, messages=(*self.messages, *turns))

    def expected(self, share: float) -> Finished:
        """What is likely to come of it, for estimates: of each source its beginning, that share of its words."""
        lengths = (min(self.max_words, ceil(share * n_words(source))) for source in self.sources)
        return self._finished(tuple(map(clip, self.sources, lengths)))

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the conversation, by our own count."""
        return sum(n_tokens(message.content) for message in self.messages)

    def _finished(self, texts: tuple[str, ...]) -> Finished:
        completion = sum(map(n_tokens, texts)) + (_LISTED_NOTE_TOKENS * len(texts) if self.schema else 0)
        return Finished(texts, self.prompt_tokens, completion)


@dataclass(frozen=True, slots=True)
class NotePrompts:
    """What all jobs of a recipe share.

    Attributes:
        model: Named in the keys; its window bounds the prompts.
        max_words: Longest note.
        prompt_version: Which prompts.
    """

    model: LanguageModel
    max_words: int
    prompt_version: int

    def join(self, notes: Sequence[Note]) -> Job:
        """One note for neighbouring nodes: the paper's summary of left and right child."""
        return self._one("join", "part", notes)

    def fits(self, text: str) -> bool:
        """Whether a text can be joined whole."""
        return self._fitted("join", [text], ceil(TOKENS_A_WORD * self.max_words)) == [text]

    def cluster(self, notes: Sequence[Note]) -> Job:
        """One note for nodes that belong together by subject, wherever they stand: RAPTOR's summary."""
        return self._one("cluster", "passage", notes)

    def rewrite(self, sentences: Sequence[str]) -> Job:
        """One note from the key sentences of a long subtree."""
        notes = [Note(text, Origin.LEAF, (), note_key(text)) for text in sentences]
        return self._one("rewrite", "sentence", notes)

    def fits_batch(self, n_words_below: int, n_notes: int) -> bool:
        """Whether a subtree of so many words and notes leaves half of the window to the longest reply."""
        half = (self.model.context_tokens or _UNKNOWN_WINDOW) // 2
        asked = _TOKENS_A_WORD_READ * n_words_below + n_tokens(self._rules("batch")) + _OVERHEAD_TOKENS
        return asked <= half and n_notes * (TOKENS_A_WORD * self.max_words + _TOKENS_A_LISTED_NOTE) <= half

    def batch(self, pieces: Sequence[Note], covers: Sequence[tuple[int, int]]) -> Job:
        """All notes of a subtree at once; each covers the half-open range of pieces at its place in ``covers``."""
        room = ceil(TOKENS_A_WORD * self.max_words + _TOKENS_A_LISTED_NOTE) * len(covers)
        texts = self._fitted("batch", [piece.text for piece in pieces], room)
        lengths = [n_words(text) for text in texts]
        max_tokens = sum(self._longest_reply(sum(lengths[start:end])) + _TOKENS_A_LISTED_NOTE for start, end in covers)
        listed = [f"Note {i}: {_pieces(start, end)}" for i, (start, end) in enumerate(covers, 1)]
        shown = [_tagged("piece", text, f' number="{i}"') for i, text in enumerate(texts, 1)]
        sources = (joined(texts[start:end]) for start, end in covers)
        return Job(
            key=self._key("batch", *map(str, covers), *_content(pieces)),
            messages=self._messages("batch", [*shown, "", "Notes to write:", *listed]),
            max_tokens=max_tokens,
            max_words=self.max_words,
            sources=tuple(sources),
            schema=_NOTES_SCHEMA,
        )

    def _one(self, name: str, tag: str, notes: Sequence[Note]) -> Job:
        texts = self._fitted(name, [note.text for note in notes], ceil(TOKENS_A_WORD * self.max_words))
        max_tokens = self._longest_reply(sum(map(n_words, texts)))
        return Job(
            key=self._key(name, *_content(notes)),
            messages=self._messages(name, [_tagged(tag, text) for text in texts]),
            max_tokens=max_tokens,
            max_words=self.max_words,
            sources=(joined(texts),),
        )

    def _longest_reply(self, n_source_words: int) -> int:
        """Tokens of a note on so many words: it is to have fewer, and a weak model goes on as long as it may."""
        return ceil(TOKENS_A_WORD * min(self.max_words, max(MIN_WORDS, LENIENCE * n_source_words)))

    def _key(self, name: str, *content: str) -> str:
        window = str(self.model.context_tokens)
        return note_key(f"{name}-{self.prompt_version}", self.model.name, window, str(self.max_words), *content)

    def _messages(self, name: str, lines: Sequence[str]) -> tuple[Message, ...]:
        return Message("system", self._rules(name)), Message("user", "\n".join(lines))

    def _rules(self, name: str) -> str:
        return prompt("treatise.enhance", name, self.prompt_version).format(max_words=self.max_words)

    def _fitted(self, name: str, texts: Sequence[str], max_tokens: int) -> list[str]:
        """The texts, each cut at an equal share of the model's window where they would not all fit."""
        window = self.model.context_tokens or _UNKNOWN_WINDOW
        room = window - max_tokens - n_tokens(self._rules(name)) - _OVERHEAD_TOKENS
        if sum(map(n_tokens, texts)) <= room:
            return list(texts)
        return [clip(text, max(16, room // len(texts)), n_tokens) for text in texts]


def _content(notes: Sequence[Note]) -> list[str]:
    """Keys of the notes below and their texts: a note is made anew when either differs."""
    return [part for note in notes for part in (note.key, note.text)]


def _tagged(tag: str, text: str, attribute: str = "") -> str:
    """A text cannot end its own tag."""
    return f"<{tag}{attribute}>\n{text.replace(f'</{tag}', f'< /{tag}')}\n</{tag}>"


def _pieces(start: int, end: int) -> str:
    return f"pieces {start + 1} to {end}"
