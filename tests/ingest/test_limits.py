"""The bounds of every format: each is applied, refused by name, and listed in the reference."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.ingest.samples import SAMPLES
from treatise.core.errors import SourceTooLargeError
from treatise.ingest import Limits, read_bytes
from treatise.ingest.formats import FORMATS
from treatise.ingest.limits import DEFAULT_LIMITS

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "limits.md"
TOO_LITTLE: Final[dict[str, dict[str, int]]] = {
    "bytes": {"max_bytes": 10},
    "unpacked": {"max_unpacked_bytes": 10},
    "members": {"max_members": 0},
    "pages": {"max_pages": 0},
    "text": {"max_text_chars": 3},
    "cells": {"max_cells": 1},
    "paragraphs": {"max_blocks": 0},
    "sentences": {"max_sentences": 0},
}
"""Limits that no sample keeps to, if they apply to its format."""


def is_refused(format_name: str, limits: dict[str, int]) -> bool:
    name = f"a.{format_name}"
    try:
        read_bytes(SAMPLES[format_name], name=name, format=format_name, limits=Limits(**limits))
    except SourceTooLargeError as error:
        return name in str(error)
    return False


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_reference_lists_the_limits_that_are_applied(format_name: str) -> None:
    applied = {name: is_refused(format_name, limits) for name, limits in TOO_LITTLE.items()}
    assert all(applied[name] for name in ("bytes", "paragraphs", "sentences"))
    cells = [_listed(name, applied[name]) for name in ("unpacked", "members", "pages", "text", "cells")]
    row = f"| {FORMATS[format_name].label} | {' | '.join(cells)} | {_apart(FORMATS[format_name].isolated_from)} |"
    assert row in PAGE.read_text(encoding="utf-8").splitlines()


def _listed(name: str, is_applied: bool) -> str:
    limits = DEFAULT_LIMITS
    shown = {
        "unpacked": f"{limits.max_unpacked_bytes >> 30} GB",
        "members": f"{limits.max_members:,}",
        "pages": f"{limits.max_pages:,}",
        "text": f"{limits.max_text_chars >> 20} M",
        "cells": f"{limits.max_cells:,}",
    }
    return shown[name] if is_applied else "as in the file" if name == "text" else ""


def _apart(from_bytes: int | None) -> str:
    return "" if from_bytes is None else f"from {from_bytes >> 20} MB" if from_bytes else "always"


def test_the_reference_states_the_limits_of_every_format() -> None:
    limits: Any = DEFAULT_LIMITS
    stated = (
        f"{limits.max_bytes >> 20} MB", f"{limits.max_blocks:,} paragraphs", f"{limits.max_sentences:,} sentences",
        f"{limits.max_depth} levels", f"{limits.max_member_ratio} times", f"{limits.max_memory_bytes >> 30} GB",
        f"{limits.seconds(0):.0f} s", f"{limits.seconds(1 << 20) - limits.seconds(0):.0f} s per MB",
        f"{limits.text_chars(10**6) // 10**6} characters per byte", f"{limits.text_chars(0) >> 20} M characters",
        f"{limits.max_scanned_pages:,} scanned pages",
    )  # fmt: skip
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert [one for one in stated if one not in text] == []
