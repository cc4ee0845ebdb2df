"""Nodes of a Ray cluster that are killed during a job: the short form of `scripts/harden nodes`."""

import pytest

from benchmarks.harden.campaign import Campaign
from tests.distribute import jobs

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # Ray leaves sockets open


def test_nodes_that_are_killed_change_nothing() -> None:
    pytest.importorskip("ray", reason="needs the extra ray")
    from benchmarks.harden import nodes

    nodes.run(campaign := Campaign(seconds=0, seed=1), n_kills=2, open_engines=jobs.open_engines)
    assert campaign.faults == []
    assert campaign.counts["nodes killed"] == 2
