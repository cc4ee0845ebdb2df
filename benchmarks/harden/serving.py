"""Kills of a server (`benchmarks/server_kills.py`) during uploads, jobs, answers and streams, as a campaign."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from benchmarks.harden.campaign import Campaign

_PROGRAM: Final = Path(__file__).parents[1] / "server_kills.py"
_SECONDS_PER_KILL: Final = 12.0


def run(campaign: Campaign) -> None:
    """As many kills as the time allows, at least one, and a last start with every check."""
    kills = max(1, round(campaign.seconds / _SECONDS_PER_KILL))
    command = [sys.executable, str(_PROGRAM), "--kills", str(kills), "--seed", str(campaign.seed)]
    done = subprocess.run([*command, "--minutes", str(campaign.seconds / 60)], capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        campaign.fault(f"the server or its checks failed: {done.stderr[-1_500:]}")
        return
    for name, value in found.items():
        if isinstance(value, int):
            campaign.count(name.replace("_", " "), value)
    for fault in found["faults"]:
        campaign.fault(str(fault))
