"""Download sources of data sets, for ``treatise eval fetch``."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from treatise.evaluate.data.loaders.narrativeqa import story_urls

_GITHUB: Final = "https://raw.githubusercontent.com"
_HUGGING_FACE: Final = "https://huggingface.co/datasets"
_QASPER: Final = "https://qasper-dataset.s3.us-west-2.amazonaws.com"


@dataclass(frozen=True, slots=True)
class Download:
    """A file to download.

    Attributes:
        url: Download URL.
        file: Its path within the data set's folder.
        digest: ``"sha256:…"`` or ``"git:…"``, the id of a Git blob, in hexadecimal; empty if it may change without
            notice.
        members: Patterns of the members to unpack into the folder, if it is a zip or tar file.
        needed: Whether the data set requires it.
    """

    url: str
    file: str
    digest: str = ""
    members: tuple[str, ...] = ()
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """How to obtain a data set.

    Attributes:
        licence: As stated by its publishers.
        downloads: Its files; empty if they cannot be downloaded directly.
        more: Further files listed in the downloaded ones.
        note: Remarks; instructions if there is nothing to download.
    """

    licence: str
    downloads: tuple[Download, ...] = ()
    more: Callable[[Path], Iterator[Download]] | None = None
    note: str = ""


def _github(repository: str, path: str, blob: str = "", *, file: str = "") -> Download:
    """A file of ``owner/name/commit``, verified by its Git blob id."""
    return Download(f"{_GITHUB}/{repository}/{path}", file or Path(path).name, f"git:{blob}" if blob else "")


def _stories(folder: Path) -> Iterator[Download]:
    for name, url in story_urls(folder / "documents.csv"):
        yield Download(url, f"tmp/{name}.content", needed=False)


_QUALITY: Final = "nyu-mll/quality/f84977c40dbfef70c9cab48037b7becfc8e45f73"
_SQUALITY: Final = "nyu-mll/SQuALITY/dc08d4f574639d773bc64ef3ab3527043108fb4e"
_QMSUM: Final = "Yale-LILY/QMSum/83d7768c1f2b4dfeb091385d3dc7e239b8e5bb7e"
_POLICYQA: Final = "wasiahmad/PolicyQA/775538bc6d932e9d0dd16975d4373659cf8964fe"
_DRCD: Final = "DRCKnowledgeTeam/DRCD/b944790de5af02c5fbb7cd9cb1473d27d169eebf"
_NARRATIVEQA: Final = "google-deepmind/narrativeqa/904246f6d1fe99a99a08a03501fe3e619af2cee5"

SOURCES: Final = {
    "qasper": Source(
        "CC BY 4.0",
        (
            Download(f"{_QASPER}/qasper-train-dev-v0.3.tgz", "qasper-train-dev-v0.3.tgz", members=("*.json",)),
            Download(
                f"{_QASPER}/qasper-test-and-evaluator-v0.3.tgz",
                "qasper-test-and-evaluator-v0.3.tgz",
                members=("*.json",),
            ),
        ),
    ),
    "quality": Source(
        "CC BY 4.0, stories as marked",
        (
            _github(
                _QUALITY,
                "data/v1.0.1/QuALITY.v1.0.1.htmlstripped.dev",
                "3b719593e8eaa993b1b6cc100deece53019230c4",
            ),
        ),
    ),
    "squality": Source(
        "CC BY 4.0",
        (
            _github(
                _SQUALITY,
                "data/v1-3/txt/dev.jsonl",
                "3714a4dce2faf83755dcbd055ef0c57c264a0490",
                file="squality-v1.3-txt-dev.jsonl",
            ),
        ),
    ),
    "qmsum": Source(
        "MIT",
        (
            _github(
                _QMSUM,
                "data/ALL/jsonl/val.jsonl",
                "f6d2b619c21fea5d1b6e35d697af483dd2802d24",
                file="qmsum-val.jsonl",
            ),
            _github(
                _QMSUM,
                "data/ALL/jsonl/train.jsonl",
                "612fb8ca3e2810c85af1821691b38b2961347528",
                file="qmsum-train.jsonl",
            ),
        ),
    ),
    "policyqa": Source("MIT", (_github(_POLICYQA, "data/dev.json", "5de6a619efb80f0a5c78278612b2431b53d716d3"),)),
    "drcd": Source("CC BY-SA 3.0", (_github(_DRCD, "DRCD_dev.json", "daa42e47130e8d5b907b87e75cecc8fb807fd4f5"),)),
    "narrativeqa": Source(
        "Apache-2.0, stories as marked",
        (
            _github(_NARRATIVEQA, "documents.csv", "83efca3893961e83ab1cbfd315765c0e225e550b"),
            _github(_NARRATIVEQA, "qaps.csv", "599c8ef69e8dbb4614a390e8006f11bf08fb6427"),
        ),
        more=_stories,
        note="some of the 1,572 stories are no longer at their URL: questions on those are left out",
    ),
    "multifieldqa_zh": Source(
        "MIT",
        (
            Download(
                f"{_HUGGING_FACE}/THUDM/LongBench/resolve/main/data.zip",
                "longbench.zip",
                members=("data/multifieldqa_zh.jsonl",),
            ),
        ),
    ),
    "longbench_v2": Source(
        "Apache-2.0", (Download(f"{_HUGGING_FACE}/THUDM/LongBench-v2/resolve/main/data.json", "data.json"),)
    ),
    "loong": Source(
        "Apache-2.0",
        (
            _github("MozerWang/Loong/main", "data/loong.jsonl"),
            Download(
                "https://alibaba-research.oss-cn-beijing.aliyuncs.com/loong/doc.zip", "doc.zip", members=("doc/*",)
            ),
        ),
    ),
    "asqa": Source("Apache-2.0", (Download("https://storage.googleapis.com/gresearch/ASQA/ASQA.json", "ASQA.json"),)),
    "scinews": Source(
        "CC BY 4.0",
        tuple(
            Download(f"{_HUGGING_FACE}/dongqi-me/SciNews/resolve/main/{name}", name)
            for name in ("val.json", "test.json")
        ),
    ),
    "wikicontradict": Source(
        "MIT",
        (
            Download(
                f"{_HUGGING_FACE}/ibm-research/Wikipedia_contradict_benchmark/resolve/main/"
                "WikiContradict_dataset_v1_rag_qa.csv",
                "WikiContradict_dataset_v1_rag_qa.csv",
            ),
        ),
    ),
    "ramdocs": Source(
        "MIT", (Download(f"{_HUGGING_FACE}/HanNight/RAMDocs/resolve/main/RAMDocs_test.jsonl", "RAMDocs_test.jsonl"),)
    ),
    "fairytaleqa": Source(
        "Apache-2.0",
        note="join its published tables to JSON lines, as `treatise.evaluate.data.loaders.fairytaleqa` describes them",
    ),
}
