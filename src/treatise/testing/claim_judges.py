"""A judge of claims without a model, and the contract of judges."""

from collections.abc import Callable, Mapping, Sequence

from treatise.core.ports import ClaimJudge
from treatise.core.verdict import Verdict, VerdictOdds

_ODDS = {
    Verdict.SUPPORTED: VerdictOdds(0.9, 0.05, 0.05),
    Verdict.CONTRADICTED: VerdictOdds(0.05, 0.9, 0.05),
    Verdict.NOT_STATED: VerdictOdds(0.05, 0.05, 0.9),
}


class ScriptedJudge:
    """A ``ClaimJudge`` with scripted verdicts.

    Args:
        verdicts: By statement; others are not stated.

    Attributes:
        calls: Statement and passages of each call.
    """

    def __init__(self, verdicts: Mapping[str, Verdict]) -> None:
        self._verdicts = verdicts
        self.calls: list[tuple[str, tuple[str, ...]]] = []

    @property
    def name(self) -> str:
        """The same for every script."""
        return "scripted-judge"

    def verdict(self, statement: str, passages: Sequence[str]) -> VerdictOdds:
        """See ``ClaimJudge.verdict``."""
        self.calls.append((statement, tuple(passages)))
        if not any(passage.strip() for passage in passages):
            return VerdictOdds(0.0, 0.0, 1.0)
        return _ODDS[self._verdicts.get(statement, Verdict.NOT_STATED)]


def check_claim_judge(make: Callable[[], ClaimJudge]) -> None:
    """Asserts that a judge keeps its contract; ``make`` is called once.

    Raises:
        AssertionError: Naming the first rule that is broken.
    """
    judge = make()
    assert judge.name, "the name is empty"
    for passages in ([], [""], ["  ", "\n"]):
        found = judge.verdict("It rains.", passages)
        assert found.not_stated == 1, f"nothing is stated in {passages}, found {found}"
    long = ["It rains in May. " * 400, "一个句子。"]
    first, again = (judge.verdict("It rains in May. " * 40, long) for _ in range(2))
    assert first == again, f"equal calls gave {first} and {again}"
