"""The record of `treatise doctor`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from treatise.records.answers import Record

if TYPE_CHECKING:
    from treatise.compose.diagnosis import Check


def diagnosis_record(versions: Mapping[str, str], checks: "Sequence[Check]") -> Record:
    """``doctor --json``.

    Fields:
        healthy: Whether no check found a fault.
        versions: By package.
        checks: ``name``, ``health`` (``ok``, ``advice`` or ``fault``), ``found`` and ``advice`` of each.
    """
    return {
        "healthy": all(check.health != "fault" for check in checks),
        "versions": dict(versions),
        "checks": [
            {"name": check.name, "health": check.health, "found": check.found, "advice": check.advice}
            for check in checks
        ],
    }
