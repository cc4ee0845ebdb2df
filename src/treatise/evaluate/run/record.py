"""The record of a run, sufficient to decide whether results are comparable and to repeat the run."""

import hashlib
import importlib.metadata
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import treatise
from treatise.evaluate.data.dataset import LabelledDocument
from treatise.evaluate.run.spec import SEED, RunSpec

SCHEMA: Final = 1
_ENGINES: Final = ("encoder", "parser", "reranker", "model", "openings")
_PACKAGES: Final = ("numpy", "onnxruntime", "tokenizers", "sentencex")


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run.

    Attributes:
        dataset: The data set's name.
        data: The data file's name; ``data_sha256`` is the hash of its bytes on disk.
        n_documents, n_questions: Number of each.
        recipes: Settings of each, by slug; settings that came later are left out at their defaults.
        decoding: Decoding settings of each, by slug; empty without a language model.
        budgets: In whitespace words.
        encoder, parser, reranker, model: Their names; empty if absent.
        prior: The name of the encoder that reads the openings of documents; empty for the usual prior.
        open_domain: Whether questions were asked of all documents together.
        seed: Seed of all random draws.
        treatise, code_sha256: Version, and a hash over the package's source files.
        commit: Git's commit, followed by ``-dirty`` if files were changed; empty outside a checkout.
        date: UTC, ISO 8601.
        platform, python: The machine's system and processor type; the interpreter's version.
        packages: Versions of the packages that affect the results.
        schema: Schema version of ``summary.json``.
    """

    dataset: str
    data: str
    data_sha256: str
    n_documents: int
    n_questions: int
    recipes: dict[str, dict[str, object]]
    budgets: tuple[int, ...]
    encoder: str
    parser: str
    seed: int
    treatise: str
    code_sha256: str
    commit: str
    date: str
    platform: str
    python: str
    packages: dict[str, str]
    reranker: str = ""
    model: str = ""
    prior: str = ""
    open_domain: bool = False
    decoding: dict[str, dict[str, object]] = field(default_factory=dict)
    schema: int = SCHEMA

    def key(self, slug: str, budget: int) -> str:
        """A key that is equal only for runs with the same results for this recipe at this budget."""
        inputs = (
            self.schema, self.dataset, self.data_sha256, self.n_documents, self.recipes[slug], budget, self.encoder,
            self.parser, self.reranker, self.model, self.prior, self.open_domain, self.code_sha256, self.packages,
        )  # fmt: skip
        return hashlib.sha256(repr(inputs).encode()).hexdigest()[:16]


def run_record(spec: RunSpec, documents: Sequence[LabelledDocument]) -> RunRecord:
    """A new record for a run over these documents, starting now."""
    folder, names = Path(treatise.__file__).parent, _engine_names(spec)
    return RunRecord(
        dataset=spec.dataset,
        data=spec.data.name,
        data_sha256=hashlib.sha256(spec.data.read_bytes()).hexdigest(),
        n_documents=len(documents),
        n_questions=sum(len(labelled.questions) for labelled in documents),
        recipes={recipe.slug: recipe.record() for recipe in spec.recipes},
        budgets=tuple(spec.budgets),
        encoder=names["encoder"],
        parser=names["parser"],
        reranker=names["reranker"],
        model=names["model"],
        prior=names["openings"],
        open_domain=spec.open_domain,
        decoding={recipe.slug: asdict(recipe.decoding) for recipe in spec.recipes} if names["model"] else {},
        seed=SEED,
        treatise=treatise.__version__,
        code_sha256=_code_hash(folder),
        commit=_commit(folder),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        platform=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        packages={name: importlib.metadata.version(name) for name in _PACKAGES},
    )


def _engine_names(spec: RunSpec) -> dict[str, str]:
    """The name of each engine; empty if absent."""
    engines = {kind: getattr(spec.engines, kind, None) for kind in _ENGINES}
    return {kind: engine.name if engine else "" for kind, engine in engines.items()}


def _code_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _commit(folder: Path) -> str:
    """Empty if the package itself is not under version control, even if a parent folder is."""
    if _git(folder, "ls-files", "__init__.py"):
        return _git(folder, "describe", "--always", "--dirty", "--abbrev=40", "--match=")
    return ""


def _git(folder: Path, *arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()
