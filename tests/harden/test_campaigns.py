"""The short form of each campaign: seconds of what `scripts/harden NAME` does for as long as it is told to."""

import os
import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from benchmarks.harden.__main__ import NAMES
from benchmarks.harden.campaign import Campaign
from benchmarks.harden.long import OPERATIONS, SOURCES, TEXTS, Machine
from benchmarks.harden.supply import is_refused

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="faults are injected by means of Linux")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "nodes"])  # tests/distribute has that one
def test_a_short_campaign_finds_no_fault(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if name == "crashes" and not shutil.which("cc"):
        pytest.skip("needs a C compiler")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    campaign = Campaign(seconds=1.5, seed=1)
    import_module(f"benchmarks.harden.{name}").run(campaign)
    assert campaign.faults == []
    assert campaign.counts


class LibraryMachine(RuleBasedStateMachine):
    """A library against a dictionary, with sequences that Hypothesis chooses and shrinks."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.machine = Machine(self.folder / "treatise.db")

    @rule(
        operation=st.sampled_from(sorted(set(OPERATIONS))),
        source=st.sampled_from(SOURCES),
        text=st.sampled_from(TEXTS),
    )
    def step(self, operation: str, source: str, text: str) -> None:
        self.machine.step(operation, source, text)

    @invariant()
    def lists_what_was_put(self) -> None:
        self.machine.step("list", "", "")

    def teardown(self) -> None:
        self.machine.close()
        shutil.rmtree(self.folder)


TestLibraryMachine = LibraryMachine.TestCase
TestLibraryMachine.settings = settings(
    max_examples=8, stateful_step_count=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize(
    "licence", ["AGPL-3.0-only", "GNU General Public License v3 (GPLv3)", "CC-BY-NC-4.0", "unknown"]
)
def test_a_dependency_under_such_a_licence_fails_the_check(licence: str) -> None:
    assert is_refused(licence)
    assert not is_refused("GNU Lesser General Public License v3 (LGPLv3)")
    assert not is_refused("MIT OR Apache-2.0")
