"""Inter-rater agreement beyond chance."""

import math
from collections.abc import Sequence


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> float:
    """Fleiss' kappa (Fleiss, 1971): 1 for full agreement, 0 for chance agreement; NaN if only one category was used.

    Args:
        counts: One row per rated item: the number of raters per category. All rows have the same
            sum, 2 or more.

    Raises:
        ValueError: If the rows differ in sum, or the sum is below 2.

    >>> fleiss_kappa([[3, 0], [0, 3]])
    1.0
    """
    sums = {sum(row) for row in counts}
    if len(sums) != 1 or min(sums) < 2:
        raise ValueError(f"each thing needs the same number of raters, 2 or more; found {sorted(sums)}")
    n_raters, n_things = sums.pop(), len(counts)
    agreed = sum((sum(count * count for count in row) - n_raters) / (n_raters * (n_raters - 1)) for row in counts)
    shares = [sum(column) / (n_things * n_raters) for column in zip(*counts, strict=True)]
    by_chance = sum(share * share for share in shares)
    return (agreed / n_things - by_chance) / (1 - by_chance) if by_chance < 1 else math.nan
