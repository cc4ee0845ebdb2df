"""The bill of materials of the installed package, as CycloneDX: `python -m benchmarks.harden.sbom > sbom.json`."""

import json
import re
from importlib import metadata
from typing import Any

from treatise import __version__


def bill_of_materials() -> dict[str, Any]:
    """Every installed package that Treatise needs, with its version and licence, sorted by name."""
    found = [_component(distribution) for _, distribution in sorted(_needed("treatise", {}).items())]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "library", "name": "treatise", "version": __version__}},
        "components": found,
    }


def licence_of(distribution: metadata.Distribution) -> str:
    """The licence by its expression, its classifiers or its field, in this order."""
    about = distribution.metadata
    classifiers = [one for one in about.get_all("Classifier") or () if one.startswith("License ::")]
    return about.get("License-Expression") or "; ".join(classifiers) or (about.get("License") or "unknown")[:100]


def _component(distribution: metadata.Distribution) -> dict[str, Any]:
    name, version = distribution.metadata["Name"], distribution.version
    return {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{name.lower()}@{version}",
        "licenses": [{"license": {"name": licence_of(distribution)}}],
    }


def _needed(name: str, found: dict[str, metadata.Distribution]) -> dict[str, metadata.Distribution]:
    try:
        requirements = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return found
    for requirement in requirements:
        needed = re.split(r"[^\w.-]", requirement)[0].lower()
        if "extra ==" in requirement or needed in found:
            continue
        try:
            found[needed] = metadata.distribution(needed)
        except metadata.PackageNotFoundError:  # for another system
            continue
        _needed(needed, found)
    return found


if __name__ == "__main__":
    print(json.dumps(bill_of_materials(), indent=2))
