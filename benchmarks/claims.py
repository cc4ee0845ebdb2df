"""How well the check of claims tells true from false: claims about documents that nothing was trained on.

    python benchmarks/claims.py --data DATA [--documents FOLDER] [--judge FOLDER] [--show 20] [--half dev|test]

Claims by rules (``claim_edits.py``) on sentences of the project's own documents, QASPER dev, PolicyQA dev and filings,
and those of ``claims/written.jsonl``, written by hand. A false claim is caught, and a true one marked, if its support
is *unverified*. The half is that of the document: thresholds and rules were chosen on ``dev``.
"""

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np
from claim_edits import FALSE, TRUE, names_of
from training_claims import paragraphs_of, read, sentences, words

from treatise.claims.words import FUNCTION_WORDS
from treatise.compose import open_encoder
from treatise.core.answer import Support
from treatise.engines.onnx_reader import OnnxReader
from treatise.generate.check import Checker, Finding
from treatise.ingest import read_bytes

HERE = Path(__file__).parent
OWN = ("gpl-3", "debian-constitution", "us-constitution", "debian-history-en", "postscreen", "out-of-scope",
       "remote-control-meeting", "helge-hal", "mailcontrol")  # fmt: skip
NO_NAMES = FUNCTION_WORDS | {"other"}
PER_RULE = {"qasper": 3, "policyqa": 3, "filings": 3, "own": 9}
PER_DOCUMENT = {"qasper": 12, "policyqa": 12, "filings": 12, "own": 40}
EVIDENCE_AROUND = 1


@dataclass(frozen=True)
class Claim:
    """A claim about a document.

    Attributes:
        document: Its name, with its source before a colon.
        rule: How the claim was made; ``"written"`` by hand.
        statement: The claim.
        evidence: The cited texts.
        is_true: Whether the evidence supports it.
    """

    document: str
    rule: str
    statement: str
    evidence: tuple[str, ...]
    is_true: bool

    @property
    def half(self) -> str:
        """The half of its document."""
        return "dev" if crc32(self.document.encode()) % 2 else "test"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--documents", type=Path, help="texts of the project's own documents, as questions/fetch.py has them"
    )
    parser.add_argument(
        "--judge", type=Path, help="folder of a reader with verdicts; by default rules and vectors alone"
    )
    parser.add_argument("--half", choices=("dev", "test"))
    parser.add_argument("--show", type=int, default=0, help="mistakes to print")
    parser.add_argument("--out", type=Path, help="where the claims and their findings are written, one per line")
    options = parser.parse_args()
    judge = OnnxReader(options.judge) if options.judge else None
    checker = Checker(open_encoder(), judge)
    claims = [one for one in all_claims(options.data, options.documents) if options.half in (None, one.half)]
    found = [(claim, checker.check(claim.statement, claim.evidence)) for claim in claims]
    print(table(found))
    show(found, options.show)
    if options.out:
        rows = [{**vars(claim), "verdict": finding.verdict, "reason": finding.reason} for claim, finding in found]
        options.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def all_claims(data: Path, documents: Path | None) -> Iterator[Claim]:
    for line in (HERE / "claims" / "written.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        rule = f"written: {row['change']}" if not row["is_true"] else "written: true"
        yield Claim(row["document"], rule, row["statement"], tuple(row["evidence"]), row["is_true"])
    for source, texts in sources(data, documents).items():
        yield from made(source, texts, random.Random(source))


def sources(data: Path, documents: Path | None) -> dict[str, dict[str, list[str]]]:
    """Paragraphs by document, by source."""
    qasper = list(read(data / "qa" / "qasper" / "qasper-dev-v0.3.rebuilt.jsonl.gz"))
    with gzip.open(data / "qa" / "policyqa" / "dev.json.gz", "rt", encoding="utf-8") as file:
        policies = json.load(file)["data"]
    filings = sorted((data / "qa" / "financebench" / "pdfs").glob("*.pdf"))
    found = {
        "qasper": {row["id"]: paragraphs_of(row) for row in qasper[::4]},
        "policyqa": {row["title"]: [part["context"] for part in row["paragraphs"]] for row in policies},
        "filings": {path.stem: prose(path) for path in filings[::6]},
    }
    if documents:
        own = [path for path in sorted(documents.iterdir()) if path.stem.split(".")[0] in OWN]
        found["own"] = {path.name: prose(path) for path in own}
    return found


def prose(path: Path) -> list[str]:
    """Paragraphs of a file of any format."""
    document = read_bytes(path.read_bytes()[:3_000_000], name=path.name)
    groups = ([document.quote(span.start, span.end) for span in group] for group in document.readable_sentences())
    return [text for group in groups if words(text := " ".join(" ".join(group).split())) >= 20]


def made(source: str, documents: dict[str, list[str]], chance: random.Random) -> Iterator[Claim]:
    """Claims by rules: of each document, the rules that it has fewest of so far, each up to a limit."""
    for name, paragraphs in documents.items():
        names = [one for one in names_of(" ".join(paragraphs)) if one.casefold() not in NO_NAMES]
        n_of: Counter[str] = Counter()
        for paragraph in chance.sample(paragraphs, len(paragraphs)):
            found = sentences(paragraph)
            whole = [i for i, one in enumerate(found) if is_whole(one)]
            if whole:
                at = chance.choice(whole)
                evidence = tuple(found[max(0, at - EVIDENCE_AROUND) : at + EVIDENCE_AROUND + 1])
                for rule, statement in edits(found[at], names, n_of, PER_RULE[source], chance):
                    yield Claim(f"{source}:{name}", rule, statement, evidence, rule in TRUE)
            if sum(n_of.values()) >= PER_DOCUMENT[source]:
                break


def edits(
    sentence: str, names: Sequence[str], n_of: Counter[str], limit: int, chance: random.Random
) -> Iterator[tuple[str, str]]:
    """A false and a true claim about a sentence, each by the rule used least."""
    for rules, most in ((FALSE, max(1, limit // 3)), (TRUE, limit)):
        found = {rule: edit(sentence, names, chance) for rule, edit in rules.items()}
        works = [(n_of[rule], i, rule) for i, rule in enumerate(found) if found[rule] and n_of[rule] < most]
        if works:
            rule = min(works)[2]
            n_of[rule] += 1
            yield rule, found[rule] or ""


def is_whole(sentence: str) -> bool:
    return 7 <= words(sentence) <= 40 and sentence.endswith(".") and sentence[0].isupper()


def table(found: Sequence[tuple[Claim, Finding]]) -> str:
    """Shares of caught and marked claims by rule and source, with 95 % intervals over documents."""
    lines = ["| claims | n | caught or marked, % |", "|---|--:|--:|"]
    groups: dict[str, list[tuple[Claim, Finding]]] = {}
    for claim, finding in found:
        truth = "true" if claim.is_true else "false"
        source = "written by hand" if claim.rule.startswith("written") else claim.document.split(":")[0]
        for group in (f"all {truth}", f"{truth}, {source}", f"{truth}: {claim.rule}"):
            groups.setdefault(group, []).append((claim, finding))
    for group in sorted(groups, key=lambda one: (not one.startswith("all"), one)):
        by_document: dict[str, list[float]] = {}
        for claim, finding in groups[group]:
            by_document.setdefault(claim.document, []).append(float(finding.support is Support.UNVERIFIED))
        values = [value for of_one in by_document.values() for value in of_one]
        low, high = interval(list(by_document.values()))
        lines.append(f"| {group} | {len(values)} | {100 * np.mean(values):.1f} [{low:.0f}, {high:.0f}] |")
    return "\n".join(lines)


def interval(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Of the mean, by bootstrap over documents."""
    chance = np.random.default_rng(0)
    sums, sizes = np.array([sum(one) for one in groups]), np.array([len(one) for one in groups])
    drawn = chance.integers(0, len(groups), (2000, len(groups)))
    means = 100 * sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    return float(np.percentile(means, 2.5)), float(np.percentile(means, 97.5))


def show(found: Sequence[tuple[Claim, Finding]], n: int) -> None:
    """Prints false claims that passed and true ones that were marked."""
    wrong = [(claim, finding) for claim, finding in found if (finding.support is Support.UNVERIFIED) == claim.is_true]
    for claim, finding in random.Random(1).sample(wrong, min(n, len(wrong))):
        print(f"\n{str(claim.is_true).upper()} {claim.rule} | {claim.document} | {finding.reason}\n  {claim.statement}")
        print("  <<", " ".join(claim.evidence)[:600])


if __name__ == "__main__":
    main()
