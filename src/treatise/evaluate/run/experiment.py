"""Experiments as values: recipes × data sets × budgets × encoders × language models, from Python or a TOML file.

::

    [[experiment]]
    name = "pooling on papers"
    task = "retrieval"
    datasets = ["qasper"]
    recipes = ["flat-sentence", "balanced", "treatise"]
    budgets = [200, 300, 400]

An omitted list has its default.
"""

import tomllib
from dataclasses import MISSING, dataclass, fields
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from treatise.core.errors import DataError


class Task(StrEnum):
    """What an experiment measures; see ``run.tasks.TASK_RUNNERS``."""

    RETRIEVAL = "retrieval"  # evidence within a budget of words
    GENERATION = "generation"  # answers
    SUMMARIES = "summaries"  # summaries
    ANATOMY = "anatomy"  # which tree nodes retrieval finds
    COST = "cost"  # seconds, calls and tokens of indexing; budgets are text lengths
    PARSING = "parsing"  # trees against a treebank
    CENSUS = "census"  # statistics of the data set


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment; each combination of its lists is a run.

    Attributes:
        name: Name of the experiment and of its result folder.
        task: What is measured.
        datasets: Names, optionally with a group of questions after a colon: ``quality:hard``.
        recipes: Slugs; the first is the baseline.
        budgets: In whitespace words: of evidence, of summaries, of the text whose indexing is timed. If empty, the data
            set's default budgets.
        encoders: Names, URLs or folders; if empty, the built-in one.
        models: Language models by URL or name; if empty, those of the command line, or none.
        parsers: Folders of parsers, each a run of its own; if empty, those of the command line, or the settings' one.
        priors: What tells documents that are searched together apart, each a run of its own: ``"large"``, or ``""`` for
            the usual prior; if empty, that of the command line or of the settings.
        metrics: Further metrics of answers, beside those reported for the data set.
        with_cost: Whether tokens and seconds of each answer are recorded.
        with_attention: Whether the entropy of the model's attention is measured while it answers.
        open_domain: Whether questions are asked of all documents of the data set together, and not of their own.
        model_trees: Whether the trees of the language models, if any, are measured beside those of the parsers.
        vary: Fields of the recipes and values to try, such as ``"leaf_top_k=1,5,20"``, as for ``treatise eval sweep``.
    """

    name: str
    task: Task
    datasets: tuple[str, ...]
    recipes: tuple[str, ...] = ()
    budgets: tuple[int, ...] = ()
    encoders: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    vary: tuple[str, ...] = ()
    parsers: tuple[str, ...] = ()
    priors: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    with_cost: bool = False
    with_attention: bool = False
    model_trees: bool = False
    open_domain: bool = False

    def __post_init__(self) -> None:
        if not self.name or set(self.name) & set("/\\\0"):
            raise DataError(f"an experiment's name is that of a folder, found {self.name!r}")
        if not self.datasets:
            raise DataError(f"the experiment {self.name} names no data set")


_KEYS: Final = {field.name: field for field in fields(Experiment)}


def read_experiments(path: Path) -> list[Experiment]:
    """The experiments of a TOML file, in order.

    Raises:
        DataError: If the file is malformed; the message names the experiment and the key.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path} is not TOML: {error}") from error
    tables = content.get("experiment")
    if set(content) != {"experiment"} or not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise DataError(
            f"{path}: expected tables [[experiment]] and nothing else, found {', '.join(content) or 'none'}"
        )
    experiments = [_experiment(table, f"{path}: experiment {number}") for number, table in enumerate(tables, start=1)]
    names = [one.name for one in experiments]
    if twice := {name for name in names if names.count(name) > 1}:
        raise DataError(f"{path}: experiments of one name: {', '.join(sorted(twice))}")
    return experiments


def _experiment(table: dict[str, Any], where: str) -> Experiment:
    for key in table:
        if key not in _KEYS:
            near = get_close_matches(key, _KEYS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f" (there are: {', '.join(_KEYS)})"
            raise DataError(f"{where}: unknown key {key!r}{hint}")
    if missing := [name for name, field in _KEYS.items() if field.default is MISSING and name not in table]:
        raise DataError(f"{where}: it has no {' and no '.join(missing)}")
    values = {key: _value(key, value, where) for key, value in table.items()}
    try:
        return Experiment(**values)
    except DataError as error:
        raise DataError(f"{where}: {error}") from error


def _value(key: str, value: object, where: str) -> Any:
    if key == "name":
        if not isinstance(value, str):
            raise DataError(f"{where}: name must be a text, not {value!r}")
        return value
    if key == "task":
        if value not in list(Task):
            raise DataError(f"{where}: task is one of {', '.join(Task)}, not {value!r}")
        return Task(str(value))
    if key in ("with_cost", "with_attention", "model_trees", "open_domain"):
        if not isinstance(value, bool):
            raise DataError(f"{where}: {key} must be true or false, not {value!r}")
        return value
    kind = int if key == "budgets" else str
    if not isinstance(value, list) or not all(type(item) is kind for item in value):
        raise DataError(
            f"{where}: {key} must be a list of {'whole numbers' if kind is int else 'texts'}, not {value!r}"
        )
    return tuple(value)
