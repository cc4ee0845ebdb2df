"""Scripted models that do what our prompts ask, well or badly."""

import json
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from treatise.core.ports import Message, Reply
from treatise.core.tree import DiscourseTree, Nuclearity, build_tree
from treatise.testing import ScriptedModel

SENTENCES = [f"Sentence number {i} tells of thing {i} and of nothing else." for i in range(40)]
"""Eleven words each."""


def condense(conversation: Sequence[Message]) -> str:
    """Half of the words of what it is given, as many as are asked for at most; of a batch, each note by itself."""
    shown = conversation[1].content
    limit = min(int(n) for message in conversation for n in re.findall(r"at most (\d+) words", message.content))
    pieces = re.findall(r"<piece number=\"\d+\">\n(.*?)\n</piece>", shown, re.DOTALL)
    if not pieces:
        return _half(re.sub(r"</?(?:part|sentence|passage)>\n?", "", shown), limit)
    covers = re.findall(r"^Note (\d+): pieces (\d+) to (\d+)$", shown, re.MULTILINE)
    notes = [
        {"number": int(number), "text": _half(" ".join(pieces[int(start) - 1 : int(end)]), limit)}
        for number, start, end in covers
    ]
    return json.dumps({"notes": notes})


def condensing() -> ScriptedModel:
    return ScriptedModel(condense)


class SlowModel(ScriptedModel):
    """Condenses after a while, several conversations at a time, in whatever order they end."""

    def __init__(self, latency_s: float, concurrency: int) -> None:
        super().__init__(condense)
        self.latency_s, self.concurrency = latency_s, concurrency

    def chat(
        self, conversations: Sequence[Sequence[Message]], *, max_tokens: int, schema: dict[str, object] | None = None
    ) -> Iterator[tuple[int, Reply | Exception]]:
        with ThreadPoolExecutor(self.concurrency) as pool:
            yield from pool.map(self._reply, range(len(conversations)), conversations)

    def _reply(self, index: int, conversation: Sequence[Message]) -> tuple[int, Reply | Exception]:
        time.sleep(self.latency_s)
        text = condense(conversation)
        return index, Reply(text, sum(len(m.content.split()) for m in conversation), len(text.split()))


def chain(n_units: int, nuclearity: Nuclearity = Nuclearity.NS) -> DiscourseTree:
    """Each unit joined to all that follow it."""
    return build_tree(n_units, [(i, i + 1, n_units, nuclearity, "elaboration") for i in range(n_units - 1)])


def _half(text: str, limit: int) -> str:
    words = text.split()
    return " ".join(words[: min(limit, (len(words) + 1) // 2)])
