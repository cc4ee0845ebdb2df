"""Fuzzing of one format by coverage: `python -m benchmarks.harden.fuzz_guided docx -max_total_time=60`, with atheris."""

import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["treatise.ingest"]):
    from benchmarks.harden.fuzz import LIMITS
    from treatise.core.errors import TreatiseError
    from treatise.ingest.formats import FORMATS

    NAME = sys.argv.pop(1)
    import_module(f"treatise.ingest.{FORMATS[NAME].reader.partition(':')[0]}")  # readers are imported on first use

from tests.ingest.samples import SAMPLES


def test_one_input(data: bytes) -> None:
    with suppress(TreatiseError):
        FORMATS[NAME].read_here(data, f"a{FORMATS[NAME].suffixes[0]}", LIMITS)


if __name__ == "__main__":
    corpus = Path(tempfile.mkdtemp())
    (corpus / "sample").write_bytes(SAMPLES[NAME])
    atheris.Setup([*sys.argv, str(corpus)], test_one_input)
    atheris.Fuzz()
