"""The methods to await are those that they await."""

import inspect

import pytest

from treatise.pipeline.library import Library


@pytest.mark.parametrize("name", ["index", "search", "ask", "summarize"])
def test_a_method_to_await_has_the_arguments_of_the_one_that_waits(name: str) -> None:
    waits, awaited = (inspect.signature(getattr(Library, one)) for one in (name, f"{name}_async"))
    assert waits.return_annotation == awaited.return_annotation
    assert [(one.name, one.kind, one.default) for one in waits.parameters.values()] == [
        (one.name, one.kind, one.default) for one in awaited.parameters.values()
    ]
