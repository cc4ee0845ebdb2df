"""Parsing cost: relative to encoding each sentence once, by text length, and in memory.

    [TREATISE_DATA=FOLDER] python benchmarks/parse.py [--sentences 1000] [--lengths 1000,10000,50000] [--repeats 3]
        [--parser FOLDER] [--threads 2]

``ratio`` is for one text of ``--sentences``: the median over interleaved repeats of (its tree by the built-in parser) /
(each of its sentences encoded once by the built-in encoder), in wall time and in processor time, which is less
sensitive to other load. ``lengths`` parses a text of each length in a separate process: seconds, processor seconds,
sentences per second, and peak memory; ``growth`` is the processor time per word in the longest text over that in the
shortest: 1 if time is linear in length.

Without ``TREATISE_DATA`` the text is the example, repeated. Equal sentences are encoded only once, so use real texts
for reported results.
"""

import argparse
import json
import multiprocessing
import resource
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from inputs import MODELS, open_encoder, texts

from treatise.engines.span_parser import load_span_parser
from treatise.ingest import read_bytes
from treatise.parse.parser import sentence_text
from treatise.parse.rows import Level, Text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=1_000)
    parser.add_argument(
        "--lengths", type=lambda text: [int(n) for n in text.split(",") if n], default=[1_000, 10_000, 50_000]
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--parser", type=Path, default=MODELS / "parser-en", help="the folder of the trained parser")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    costs = [in_own_process(n, options.parser, options.threads) for n in options.lengths]
    report = {
        "ratio": ratio(text_of(options.sentences), options.parser, options.threads, options.repeats),
        "lengths": costs,
        "growth": round(costs[-1]["cpu_ms_per_word"] / costs[0]["cpu_ms_per_word"], 2) if costs else None,
    }
    print(json.dumps(report, indent=1))


def ratio(text: Text, folder: Path, threads: int, repeats: int) -> dict[str, float]:
    encoder = open_encoder()
    parser = load_span_parser(folder, threads=threads)
    costs = [
        (cost(lambda: parser.parse_texts([text])), cost(lambda: encoder.encode(text.units))) for _ in range(repeats)
    ]
    n_sentences = len(text.units)
    return {
        "n_sentences": n_sentences,
        "encoded_per_s": round(n_sentences / statistics.median(clock for _, (clock, _) in costs), 1),
        "parsed_per_s": round(n_sentences / statistics.median(clock for (clock, _), _ in costs), 1),
        "parse_over_encode": round(statistics.median(p / e for (p, _), (e, _) in costs), 2),
        "parse_over_encode_cpu": round(statistics.median(p / e for (_, p), (_, e) in costs), 2),
    }


def cost(work: Callable[[], object]) -> tuple[float, float]:
    """Wall time and processor time of all cores, in seconds."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def in_own_process(n_sentences: int, folder: Path, threads: int) -> dict[str, float]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(cost_of_length, n_sentences, folder, threads).result()


def cost_of_length(n_sentences: int, folder: Path, threads: int) -> dict[str, float]:
    text = text_of(n_sentences)
    parser = load_span_parser(folder, threads=threads)
    before = peak_mb()
    seconds, processor = cost(lambda: parser.parse_texts([text]))
    return {
        "n_sentences": n_sentences,
        "seconds": round(seconds, 2),
        "sentences_per_s": round(n_sentences / seconds, 1),
        "cpu_ms_per_sentence": round(1e3 * processor / n_sentences, 3),
        "cpu_ms_per_word": round(1e3 * processor / sum(len(unit.split()) for unit in text.units), 4),
        "peak_mb": round(peak_mb()),
        "peak_mb_before": round(before),
    }


def peak_mb() -> float:
    """Peak memory of this process; the unit of ``ru_maxrss`` differs by system."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def text_of(n_sentences: int) -> Text:
    """A text with the given number of sentences from the available texts, with their paragraphs."""
    documents = (read_bytes(text.encode(), name="text.txt") for text in texts())
    paragraphs = (paragraph for document in documents for paragraph in sentence_text(document).paragraphs)
    kept: list[tuple[str, ...]] = []
    n_left = n_sentences
    while n_left > 0:
        kept.append(next(paragraphs)[:n_left])
        n_left -= len(kept[-1])
    return Text("text", "en", Level.SENTENCE, tuple(kept))


if __name__ == "__main__":
    main()
