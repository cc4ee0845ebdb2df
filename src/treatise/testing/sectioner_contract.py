"""The contract of ``treatise.core.ports.Sectioner``."""

from collections.abc import Callable

from treatise.core.ports import Sectioner
from treatise.testing.encoders import HashingEncoder

_TEXTS = tuple(f"Sentence number {i} is about {'the tide' if i < 9 else 'the harvest'}." for i in range(20))


def check_sectioner(make: Callable[[], Sectioner], *, keeps_number: bool = True) -> None:
    """Asserts that a sectioner keeps its contract; ``make`` is called twice.

    Args:
        make: Returns the sectioner.
        keeps_number: Whether it never returns more than ``n_sections`` sections.

    Raises:
        AssertionError: Names the first violated rule.
    """
    one, other = make(), make()
    assert one.name, "the name is empty"
    for texts in (_TEXTS, _TEXTS[:1], _TEXTS[:2], ("",) * 5):
        vectors = HashingEncoder(16).encode(texts)
        for n_sections in (1, 2, 5, 50):
            starts = one.starts(texts, vectors, n_sections)
            assert starts[0] == 0, f"the first section begins at {starts[0]}, expected 0"
            assert starts == sorted(set(starts)), f"the starts do not ascend: {starts}"
            assert starts[-1] < len(texts), f"a section begins at {starts[-1]} of {len(texts)} texts"
            if keeps_number:
                assert len(starts) <= n_sections, f"asked for {n_sections} sections, found {len(starts)}"
            assert starts == other.starts(texts, vectors, n_sections), "the same texts are cut in two ways"
