"""all-mpnet-base-v2 out of its packages: what was trained is laid over it, and its graph is kept in the cache."""

import hashlib
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

pytest.importorskip("onnx", reason="models over MPNet need onnx: pip install 'treatise[large]'")

from tests.engines.tiny_mpnet import PACKAGES, write_mpnet, write_packages
from treatise.core.errors import EngineUnavailableError, MissingExtraError
from treatise.engines import mpnet
from treatise.engines.low_rank import low_rank_changes, with_changes
from treatise.engines.onnx_encoder import OnnxEncoder
from treatise.engines.onnx_reader import OnnxTokens
from treatise.engines.trained_tokens import open_model_tokens
from treatise.train.encoder_export import export_encoder, export_layers
from treatise.train.source import EncoderSource, begun_source, encoder_source, lowest, tuned

ROWS = [[5, *range(10, 10 + n), 6] for n in (3, 40)]


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the packages of a small MPNet are installed."""
    folder, site = write_mpnet(tmp_path / "mpnet"), tmp_path / "site"
    site.mkdir()
    write_packages(folder, site)
    monkeypatch.setattr(mpnet, "MPNET_PACKAGES", PACKAGES)
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    monkeypatch.setattr(mpnet, "_SHA256", hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return site


@pytest.fixture
def trained(packages: Path) -> EncoderSource:
    """Its two lowest layers, of which the second was trained."""
    source = lowest(encoder_source("all-mpnet-base-v2"), 2)
    random = np.random.default_rng(3)
    changed = {name: array for name, array in source.weights.items() if name.startswith("encoder.layer.1.")}
    moved = {name: array + random.normal(0, 0.05, array.shape).astype(np.float32) for name, array in changed.items()}
    return tuned(source, {f"e.{name}": array for name, array in moved.items()}, "e.")


@pytest.fixture
def model(trained: EncoderSource, tmp_path: Path) -> Path:
    """A model's folder."""
    export_layers(trained, tmp_path / "model")
    return tmp_path / "model"


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "treatise" / "encoders").iterdir())


def vectors(tokens: OnnxTokens) -> np.ndarray:
    return np.concatenate(list(tokens.read(ROWS)))


def test_the_packages_hold_the_published_folder(packages: Path, tmp_path: Path) -> None:
    found, published = encoder_source("all-mpnet-base-v2"), encoder_source(str(tmp_path / "mpnet"))
    assert (found.tokenizer, found.ids, found.n_heads) == (published.tokenizer, published.ids, published.n_heads)
    assert found.weights.keys() == published.weights.keys()
    assert all(np.array_equal(array, published.weights[name]) for name, array in found.weights.items())
    assert packages.is_dir()


def test_a_model_has_the_vectors_of_the_trained_encoder(model: Path, trained: EncoderSource, tmp_path: Path) -> None:
    assert {path.name for path in model.iterdir()} == {"encoder.json", "encoder.safetensors"}
    export_encoder(trained, tmp_path / "whole", name="whole", window_tokens=256, masked=False)
    expected, found = vectors(OnnxTokens(tmp_path / "whole")), vectors(open_model_tokens(model))
    cosines = (expected * found).sum(1) / np.linalg.norm(expected, axis=1) / np.linalg.norm(found, axis=1)
    assert cosines.min() > 0.99


def test_the_encoder_of_texts_is_the_mean_of_all_layers_as_published(packages: Path, tmp_path: Path) -> None:
    export_encoder(encoder_source("all-mpnet-base-v2"), tmp_path / "whole", name="whole", window_tokens=384)
    texts = ["Water boils.", "At which temperature does it boil in the mountains?"]
    for _ in range(2):  # written, then read from the cache
        found = mpnet.open_mpnet_encoder().encode(texts)
        assert (found * OnnxEncoder(tmp_path / "whole").encode(texts)).sum(axis=1).min() > 0.99
    assert len(kept(tmp_path)) == 1
    assert packages.is_dir()


def test_a_damaged_encoder_of_texts_is_made_again(packages: Path, tmp_path: Path) -> None:
    before = mpnet.open_mpnet_encoder().encode(["Water boils."])
    (cached,) = kept(tmp_path)
    for file in cached.glob("*.onnx"):
        file.write_bytes(b"nothing")
    np.testing.assert_array_equal(mpnet.open_mpnet_encoder().encode(["Water boils."]), before)
    assert packages.is_dir()


def test_what_was_trained_is_read_again_to_train_further(model: Path, trained: EncoderSource) -> None:
    begun = begun_source(model)
    assert begun.ids == trained.ids
    assert begun.weights.keys() == trained.weights.keys()
    for name, array in begun.weights.items():
        np.testing.assert_allclose(array, trained.weights[name], atol=0.01)


def test_training_goes_on_from_a_folder_over_the_packages(model: Path, trained: EncoderSource) -> None:
    source = encoder_source(str(model))
    assert (source.name, source.n_layers) == ("all-mpnet-base-v2", 2)
    name = "encoder.layer.1.output.dense.weight"
    np.testing.assert_allclose(source.weights[name], trained.weights[name], atol=0.02)


def test_the_graph_is_written_once_and_again_if_it_is_damaged(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = vectors(open_model_tokens(model))
    (cached,) = kept(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(mpnet, "read_wheels", lambda _: pytest.fail("the cache was not read"))
        np.testing.assert_array_equal(vectors(open_model_tokens(model)), first)
    content = bytearray((cached / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (cached / "model.onnx").write_bytes(content)
    np.testing.assert_array_equal(vectors(open_model_tokens(model)), first)
    (cached / "tokenizer.json").unlink()
    np.testing.assert_array_equal(vectors(open_model_tokens(model)), first)
    assert kept(tmp_path) == [cached]


def test_a_model_that_was_trained_further_has_a_graph_of_its_own(
    model: Path, trained: EncoderSource, tmp_path: Path
) -> None:
    first = vectors(open_model_tokens(model))
    name = "encoder.layer.1.output.dense.weight"
    more = tuned(trained, {name: trained.weights[name] * 2}, "")
    export_layers(more, model)
    assert not np.allclose(vectors(open_model_tokens(model)), first, atol=0.01)
    assert len(kept(tmp_path)) == 2


def test_a_model_that_was_trained_further_from_its_folder_keeps_what_its_folder_had(model: Path) -> None:
    first = vectors(open_model_tokens(model))
    begun = begun_source(model)
    name = "encoder.layer.1.output.dense.weight"
    export_layers(tuned(begun, {name: begun.weights[name] + np.float32(1e-6)}, ""), model)
    np.testing.assert_allclose(vectors(open_model_tokens(model)), first, atol=0.05)


def test_without_a_cache_that_can_be_written_it_is_read_all_the_same(model: Path, tmp_path: Path) -> None:
    first = vectors(open_model_tokens(model))
    for path in kept(tmp_path):
        for file in path.iterdir():
            file.unlink()
        path.rmdir()
    (tmp_path / "cache" / "treatise" / "encoders").rmdir()
    (tmp_path / "cache" / "treatise" / "encoders").touch()  # a file in the way: no folder can be made
    np.testing.assert_array_equal(vectors(open_model_tokens(model)), first)


def test_the_weights_are_unpacked_without_a_file(model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "full"))
    assert len(vectors(open_model_tokens(model))) == sum(map(len, ROWS))


def test_what_a_killed_process_left_in_the_cache_is_removed(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(made: Path) -> None:
        for name in ("old", "new"):
            shutil.copytree(made, Path(f"{made.parent}-{name}") / made.name)

    with monkeypatch.context() as patched:
        patched.setattr(mpnet, "write_hashes", killed)
        open_model_tokens(model)
    cached, new, old = sorted(kept(tmp_path), key=lambda path: path.name.rpartition("-")[2])
    os.utime(old, (0, 0))
    open_model_tokens(model)
    assert kept(tmp_path) == sorted([cached, new])


def test_graphs_that_were_not_used_for_months_are_removed(model: Path, tmp_path: Path) -> None:
    open_model_tokens(model)
    (cached,) = kept(tmp_path)
    (recent := cached.with_name("recent")).mkdir()
    (old := cached.with_name("old")).mkdir()
    os.utime(old, (0, 0))
    os.utime(cached, (0, 0))  # a graph that is used again stays
    open_model_tokens(model)
    assert kept(tmp_path) == sorted([cached, recent])
    assert time.time() - cached.stat().st_mtime < 60


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_a_graph_that_vanishes_does_not_keep_the_others(model: Path, tmp_path: Path) -> None:
    open_model_tokens(model)
    (cached,) = kept(tmp_path)
    for name in "abc":
        cached.with_name(f"gone-{name}").symlink_to(tmp_path / "nowhere")
        (old := cached.with_name(f"old-{name}")).mkdir()
        os.utime(old, (0, 0))
    open_model_tokens(model)
    assert not [path for path in kept(tmp_path) if path.name.startswith("old-")]


def test_packages_that_are_missing_or_damaged_are_named(packages: Path, model: Path) -> None:
    part = packages / PACKAGES[2] / "input" / "all-mpnet-base-v2.zip.003"
    content = part.read_bytes()
    part.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(
        EngineUnavailableError,
        match=r"the packages of all-mpnet-base-v2 could not be read: .*anew: .*--force-reinstall --no-deps",
    ):
        open_model_tokens(model)
    part.unlink()
    with pytest.raises(EngineUnavailableError, match=r"all-mpnet-base-v2\.zip\.003"):
        open_model_tokens(model)
    (packages / PACKAGES[2] / "__init__.py").unlink()
    part.parent.rmdir()
    part.parent.parent.rmdir()
    with pytest.raises(MissingExtraError, match=r"large"):
        open_model_tokens(model)


def test_other_weights_than_the_published_ones_are_refused(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpnet, "_SHA256", "0" * 64)
    with pytest.raises(EngineUnavailableError, match="expected 0000"):
        open_model_tokens(model)


def test_changes_of_another_encoder_are_refused(model: Path) -> None:
    from safetensors.numpy import save_file

    save_file({"encoder.layer.9.output.dense.bias": np.zeros(3, np.float16)}, model / "encoder.safetensors")
    with pytest.raises(EngineUnavailableError, match=r"encoder\.safetensors is not of all-mpnet-base-v2"):
        open_model_tokens(model)


def test_an_encoder_of_a_later_version_is_named(model: Path) -> None:
    (model / "encoder.json").write_text('{"source": "all-mpnet-base-v9", "n_layers": 2}', "utf-8")
    with pytest.raises(EngineUnavailableError, match="no encoder is named 'all-mpnet-base-v9'"):
        open_model_tokens(model)


def test_a_change_of_full_rank_is_whole_and_one_of_low_rank_is_the_nearest() -> None:
    random = np.random.default_rng(5)
    begun = {"a": random.normal(0, 1, (12, 9)).astype(np.float32), "b": np.zeros(4, np.float32)}
    trained = {"a": begun["a"] + random.normal(0, 0.1, (12, 9)).astype(np.float32), "b": np.ones(4, np.float32)}
    whole = with_changes(begun, low_rank_changes(trained, begun, rank=9))
    np.testing.assert_allclose(whole["a"], trained["a"], atol=1e-5)
    assert whole["b"].tolist() == [1, 1, 1, 1]
    errors = [
        np.linalg.norm(with_changes(begun, low_rank_changes(trained, begun, rank=rank))["a"] - trained["a"])
        for rank in (1, 3, 9)
    ]
    assert errors[0] > errors[1] > errors[2]
    assert errors[0] < np.linalg.norm(begun["a"] - trained["a"])


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"a.left": np.ones((12, 2))}, KeyError),
        ({"a.right": np.ones((2, 9))}, KeyError),
        ({"c": np.ones(4)}, KeyError),
        ({"b": np.ones((4, 1))}, ValueError),
        ({"a.left": np.ones((1, 2)), "a.right": np.ones((2, 9))}, ValueError),
    ],
)
def test_changes_without_a_factor_or_of_other_shapes_are_refused(
    changes: dict[str, npt.NDArray[np.float32]], error: type[Exception]
) -> None:
    begun = {"a": np.zeros((12, 9), np.float32), "b": np.zeros(4, np.float32)}
    with pytest.raises(error):
        with_changes(begun, changes)
