"""`python -m benchmarks.harden NAME [--seconds N] [--seed N]`: runs a campaign; exit status 1 if it found a fault."""

import argparse
import json
import sys
from importlib import import_module

from benchmarks.harden.campaign import Campaign

NAMES = (
    "crashes",
    "concurrency",
    "fuzz",
    "content",
    "servers",
    "orders",
    "supply",
    "long",
    "versions",
    "nodes",
    "serving",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/harden", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    run = import_module(f"benchmarks.harden.{options.name}").run  # the clock starts after its imports
    run(campaign := Campaign(options.seconds, options.seed))
    print(json.dumps(campaign.record(options.name), ensure_ascii=False))
    sys.exit(1 if campaign.faults else 0)


if __name__ == "__main__":
    main()
