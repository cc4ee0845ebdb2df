"""RAPTOR's clusters (Sarthi et al. 2024): UMAP, Gaussian mixtures, soft membership; the official code's defaults.

Two differences from that code: UMAP is seeded, so that equal input gives equal clusters; and a set that cannot be
divided further is kept, while the official code recurses forever.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from treatise.core.errors import MissingExtraError
from treatise.core.vectors import Floats

_SEED_OF_COUNT: Final = 224
_SEED_OF_FIT: Final = 0
_NEIGHBOURS_LOCAL: Final = 10
_MOST_CLUSTERS: Final = 50

Members = list[npt.NDArray[np.int64]]
"""Clusters as ascending indices of items. An item may belong to several."""


@dataclass(frozen=True, slots=True)
class Raptor:
    """Settings, by default those of the official code.

    Attributes:
        dimensions: Of UMAP, globally and locally; a layer with at most one more item is the top.
        threshold: Probability above which an item belongs to a cluster.
        max_layers: Layers above the leaves.
        max_tokens: Maximum text length of a cluster; a longer one is clustered again.
        seed: Of UMAP.
    """

    dimensions: int = 10
    threshold: float = 0.1
    max_layers: int = 5
    max_tokens: int = 3_500
    seed: int = 0

    def is_top(self, n_items: int) -> bool:
        """Whether there are too few items to cluster."""
        return n_items <= self.dimensions + 1


def cluster(vectors: Floats, lengths: Sequence[int], settings: Raptor) -> Members:
    """The clusters of one layer; ``lengths`` are the tokens of the items, ``vectors`` has one row per item.

    Every item belongs to at least one cluster.

    Raises:
        MissingExtraError: If ``umap-learn`` or ``scikit-learn`` is not installed.
    """
    tokens = np.array(lengths, dtype=np.int64)
    pending = [np.arange(len(vectors))]
    found: Members = []
    while pending:
        items = pending.pop()
        parts = [items[part] for part in _soft_clusters(vectors[items], settings)]
        for part in reversed(parts):
            too_long = len(part) > 1 and tokens[part].sum() > settings.max_tokens
            if too_long and len(part) < len(items):
                pending.append(part)
            else:
                found.append(part)
    return sorted(found, key=lambda part: part.tolist())


def _soft_clusters(vectors: Floats, settings: Raptor) -> Members:
    """Clusters within clusters: globally first, then among the members of each."""
    if settings.is_top(len(vectors)):
        return [np.arange(len(vectors))]
    found: Members = []
    for items in _mixture(_reduced(vectors, isqrt(len(vectors) - 1), settings), settings):
        if settings.is_top(len(items)):
            found.append(items)
        else:
            local = _mixture(_reduced(vectors[items], _NEIGHBOURS_LOCAL, settings), settings)
            found += [items[part] for part in local]
    return found


def _reduced(vectors: Floats, n_neighbours: int, settings: Raptor) -> Floats:
    umap, _ = _libraries()
    model = umap.UMAP(
        n_neighbors=max(2, n_neighbours),
        n_components=min(settings.dimensions, len(vectors) - 2),
        metric="cosine",
        random_state=settings.seed,
        n_jobs=1,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about disconnected graphs etc.; the official code ignores them too
        reduced: Floats = model.fit_transform(vectors)
    return reduced


def _mixture(points: Floats, settings: Raptor) -> Members:
    """Soft clusters; the number of Gaussians minimises the Bayesian information criterion."""
    _, mixture = _libraries()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about fits that did not converge; the criterion accounts for them
        counts = range(1, min(_MOST_CLUSTERS, len(points)))
        fits = (mixture(n_components=n, random_state=_SEED_OF_COUNT).fit(points).bic(points) for n in counts)
        n_clusters = 1 + int(np.argmin(list(fits)))
        fit = mixture(n_components=n_clusters, random_state=_SEED_OF_FIT).fit(points)
    probable = fit.predict_proba(points) > settings.threshold
    clusters = [np.flatnonzero(column) for column in probable.T]
    return [items for items in clusters if len(items)]


def _libraries() -> tuple[Any, Any]:
    """UMAP and scikit-learn's mixture."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # umap warns about an unused tensorflow
            import umap
            from sklearn.mixture import GaussianMixture
    except ImportError as error:
        raise MissingExtraError("RAPTOR", "raptor") from error
    return umap, GaussianMixture
