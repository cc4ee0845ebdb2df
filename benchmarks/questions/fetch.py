"""Fetches the documents that are not in the repository from Debian packages.

    python benchmarks/questions/fetch.py [--folder FOLDER]

It runs ``apt-get download`` and ``dpkg-deb`` and needs no root access. ``documents.json`` names each document's
package, version, path and SHA-256; a document that differs is not written, since gold quotes might be missing from it.
"""

import argparse
import gzip
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=HERE / "fetched")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    documents = json.loads((HERE / "documents.json").read_text(encoding="utf-8")).values()
    wanted = [d for d in documents if "package" in d and not is_fetched(folder / d["file"], d["sha256"])]
    problems = [problem for document in wanted if (problem := fetch(document, folder))]
    if problems:
        sys.exit("\n".join(problems))


def is_fetched(path: Path, digest: str) -> bool:
    return path.exists() and sha256(path.read_bytes()) == digest


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def fetch(document: dict[str, Any], folder: Path) -> str:
    """Writes the document; returns an error message, or an empty string."""
    try:
        data = read_package(document["package"], document["path"])
    except (OSError, subprocess.CalledProcessError) as error:
        return f"{document['file']}: {document['package']} cannot be fetched: {error}"
    if sha256(data) != document["sha256"]:
        return f"{document['file']}: {remedy(document)}"
    (folder / document["file"]).write_bytes(data)
    print(document["file"])
    return ""


def remedy(document: dict[str, Any]) -> str:
    package, version = document["package"], document["version"]
    return (
        f"the current {package} differs from version {version}: download that one from "
        f"https://snapshot.debian.org/binary/{package}/, unpack {document['path']} and put it here"
    )


def read_package(package: str, path: str) -> bytes:
    """A file of a package's current version, unpacked if it ends in ``.gz``."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["apt-get", "download", package], cwd=folder, check=True, capture_output=True)
        (archive,) = Path(folder).glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", str(archive), folder], check=True, capture_output=True)
        data = (Path(folder) / path.lstrip("/")).read_bytes()
    return gzip.decompress(data) if path.endswith(".gz") else data


if __name__ == "__main__":
    main()
