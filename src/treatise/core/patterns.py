"""Regular expressions that are compiled on first use."""

import re
from typing import Any, cast


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As ``re.compile``, at the first match instead of now: a short command needs few of the many rules.

    What is not valid is raised then.

    >>> word = lazy_pattern(r"[a-z]+", re.IGNORECASE)
    >>> word.pattern, word.findall("In time")
    ('[a-z]+', ['In', 'time'])
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))


class _LazyPattern:
    """Stands for a ``re.Pattern``: its methods are those of the compiled expression, kept once looked up."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._given_flags = flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # of copying and pickling, which need no expression
            raise AttributeError(name)
        found = getattr(self._compiled(), name)
        setattr(self, name, found)
        return found

    def _compiled(self) -> re.Pattern[str]:
        compiled = vars(self).get("_pattern")
        if compiled is None:
            compiled = self._pattern = re.compile(self.pattern, self._given_flags)
        return compiled
