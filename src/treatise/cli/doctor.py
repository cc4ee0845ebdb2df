"""``treatise doctor``."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from treatise.cli.options import output_option, store_option
from treatise.cli.output import Line, Output, line
from treatise.core.printable import one_line
from treatise.records import diagnosis_record

if TYPE_CHECKING:
    from treatise.compose.diagnosis import Check

_STYLES: Final = {"ok": "green", "advice": "yellow", "fault": "bold red"}


@click.command(
    short_help="Check the installation and the library.",
    epilog="""\b
Examples:
  treatise doctor
  treatise doctor --verify    also read every document and index, and compare their checksums
  treatise doctor --json | jq '.checks[] | select(.health != "ok")'

Nothing is changed. The exit status is 1 if there is a fault.
""",
)
@click.option("--verify", is_flag=True, help="Read every document and index, and compare their checksums.")
@store_option
@output_option
def doctor(*, verify: bool, store: Path | str | None, output: Output) -> None:
    """Check versions, models, the library and its sources, and say what to do."""
    from treatise.compose.diagnosis import Health, diagnose, versions

    checks = list(diagnose(store, verifies=verify))
    output.show(diagnosis_record(found := versions(), checks), _lines(found, checks))
    if any(check.health is Health.FAULT for check in checks):
        sys.exit(1)


def _lines(versions: Mapping[str, str], checks: "Sequence[Check]") -> Iterator[Line]:
    yield line(", ".join(f"{name} {version}" for name, version in versions.items()))
    for check in _summed_up(checks):
        yield line((f"{check.health:6}", _STYLES[check.health]), f"  {check.name}: {one_line(check.found)}")
        if check.advice:
            yield line((one_line(check.advice), "bold"), indent=8)


def _summed_up(checks: "Sequence[Check]") -> "Iterator[Check]":
    """The checks for people: sound models in one line, installed extras in another, the others in a third.

    An extra that needs more than its own command has a line of its own.
    """
    from treatise.compose.diagnosis import Check, Health
    from treatise.core.installed import install_command

    if models := _names(one for one in checks if one.kind == "model"):
        yield Check("models", Health.OK, f"{models} equal their hashes")
    yield from (one for one in checks if not one.kind)
    extras = [one for one in checks if one.kind == "extra"]
    if present := _names(one for one in extras if not one.advice):
        yield Check("extras", Health.OK, f"installed: {present}")
    if absent := _names(one for one in extras if one.advice):
        yield Check("extras", Health.OK, f"not installed: {absent}", f"{install_command('NAME')} if wanted")


def _names(checks: "Iterable[Check]") -> str:
    return ", ".join(check.name.removeprefix(f"{check.kind} ") for check in checks)
