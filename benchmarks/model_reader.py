"""A small language model as the reader: its answers from the product's best passages, beside the product's own.

    python benchmarks/questions/fetch.py
    python benchmarks/model_reader.py --llm FILE.gguf [--questions 20] [--passages 3] [--tokens 40] [--store FILE]
        [--seconds N] [--out FILE]

Takes English questions of ``dev`` at even intervals. The model reads the best passages, has to answer in a few words or
to say that they do not answer, and is scored by the patterns of ``benchmarks/answers.py``.
No question is begun after ``--seconds``.
"""

import argparse
import json
import re
import time
from collections import Counter
from pathlib import Path

from answers import Outcome, Question, document_path, load_questions, score

from treatise import open_library
from treatise.core.ports import Message, Reply
from treatise.engines.llama import LlamaChat

TASK = (
    "Answer the question from the passages in a few words. "
    "If the passages do not answer it, reply only: Not answered.\n\n{passages}\n\nQuestion: {question}\nAnswer:"
)
REFUSES = re.compile(r"^\W*(?:not answered|the passages? (?:do|does) not|i cannot|no answer)", re.IGNORECASE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--llm", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--passages", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=40)
    parser.add_argument("--store", type=Path, required=True, help="keeps the indexes")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--out", type=Path, help="one JSON object per answer")
    options = parser.parse_args()
    model = LlamaChat(options.llm, context_tokens=1024, concurrency=1, threads=1)
    rows, until = [], time.monotonic() + options.seconds
    with open_library(store=options.store) as library:
        for question in spaced([one for one in load_questions("dev") if one.language == "en"], options.questions):
            if time.monotonic() > until:
                break
            answer = library.ask(question.question, [document_path(question.document)])
            best = sorted(answer.evidence.passages, key=lambda one: -one.score)[: options.passages]
            own = f"{answer.direct.text if answer.direct else ''} {answer.text}".strip()
            started = time.monotonic()
            text = written(model, question, [one.text for one in best], options.tokens)
            rows.append(
                {
                    "question": question.question,
                    "kind": question.kind,
                    "model": text,
                    "seconds": round(time.monotonic() - started, 1),
                    "outcomes": {
                        "model": score(question, text, is_found=not REFUSES.search(text)),
                        "product": score(question, own, is_found=answer.found),
                    },
                }
            )
    if options.out:
        options.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    for name in ("model", "product"):
        for title, kept in (("answerable", True), ("unanswerable", False)):
            group = [row for row in rows if (row["kind"] != "unanswerable") is kept]
            counts = Counter(row["outcomes"][name] for row in group)
            print(f"{name}, {title}: n = {len(group)},", {one.value: counts[one] for one in Outcome})
    print("seconds per reply:", sorted(row["seconds"] for row in rows))


def spaced(questions: list[Question], n: int) -> list[Question]:
    return [questions[i * len(questions) // n] for i in range(n)] if n < len(questions) else questions


def written(model: LlamaChat, question: Question, passages: list[str], tokens: int) -> str:
    """The model's reply; an error is raised."""
    prompt = TASK.format(passages="\n".join(passages), question=question.question)
    ((_, reply),) = model.chat([[Message("user", prompt)]], max_tokens=tokens)
    if not isinstance(reply, Reply):
        raise reply
    return reply.text


if __name__ == "__main__":
    main()
