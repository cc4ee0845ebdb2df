"""Summarises a book offline in one pass: wall time, processor time and memory.

    python benchmarks/summaries.py --text BOOK.txt [--words 350000] [--summary 500] [--question "Who ...?"]

The text is repeated or cut to so many words. Processor time does not depend on what else the machine does.
"""

import argparse
import json
import resource
import tempfile
import time
from itertools import cycle
from pathlib import Path

from treatise.compose import open_library


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--words", type=int, default=350_000)
    parser.add_argument("--summary", type=int, default=500)
    parser.add_argument("--question", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.txt"
        book.write_text(of_length(options.text.read_text(encoding="utf-8"), options.words), encoding="utf-8")
        wall, processor = time.monotonic(), time.process_time()
        library = open_library(store=Path(folder) / "library.db", recipe="summary")
        summary = library.summarize(book, options.question, max_words=options.summary)
        report = {
            "words": options.words,
            "sentences": library.documents()[0].n_units,
            "summary_words": len(summary.text.split()),
            "wall_s": round(time.monotonic() - wall, 1),
            "processor_s": round(time.process_time() - processor, 1),
            "usage": summary.usage,
            "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        library.close()
    print(json.dumps(report, indent=1))


def of_length(text: str, n_words: int) -> str:
    """The paragraphs of the text, repeated if needed, up to about the word count."""
    paragraphs = [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]
    kept: list[str] = []
    total = 0
    for paragraph in cycle(paragraphs):
        if total >= n_words:
            break
        kept.append(paragraph)
        total += len(paragraph.split())
    return "\n\n".join(kept)


if __name__ == "__main__":
    main()
