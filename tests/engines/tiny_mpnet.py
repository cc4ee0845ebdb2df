"""A small random MPNet as it is published: a folder, or five packages with the parts of an archive."""

import json
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
from safetensors.numpy import save_file

from treatise.engines.onnx_graph import N_BUCKETS, RELATIVE
from treatise.train.source import random_source

PACKAGES = tuple(f"tiny-mpnet-part_{number}" for number in range(1, 6))

NAMES = {
    "attention.self.query.": "attention.attn.q.",
    "attention.self.key.": "attention.attn.k.",
    "attention.self.value.": "attention.attn.v.",
    "attention.output.dense.": "attention.attn.o.",
    "attention.output.LayerNorm.": "attention.LayerNorm.",
}
SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>", "[MASK]": "<mask>"}


def write_mpnet(folder: Path, *, n_layers: int = 3) -> Path:
    """The folder with weights, tokenizer and settings."""
    source = random_source(n_layers=n_layers)
    mpnet: dict[str, np.ndarray] = {}
    for name, array in source.weights.items():
        old = next((old for old in NAMES if old in name), None)
        mpnet[name.replace(old, NAMES[old]) if old else name] = array
    del mpnet["embeddings.token_type_embeddings.weight"]
    places = mpnet["embeddings.position_embeddings.weight"]
    mpnet["embeddings.position_embeddings.weight"] = np.concatenate([np.full_like(places[:2], 9), places])
    mpnet[RELATIVE] = np.random.default_rng(1).normal(0, 1, (N_BUCKETS, source.n_heads)).astype(np.float32)
    mpnet["pooler.dense.weight"] = np.zeros((32, 32), np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    save_file(mpnet, folder / "model.safetensors")
    tokenizer = source.tokenizer
    for bert, own in SPECIAL.items():
        tokenizer = tokenizer.replace(json.dumps(bert), json.dumps(own))
    (folder / "tokenizer.json").write_text(tokenizer, "utf-8")
    (folder / "config.json").write_text(json.dumps({"num_attention_heads": source.n_heads}), "utf-8")
    return folder


def write_packages(mpnet: Path, site: Path) -> None:
    """Packages with the parts of an archive of the folder, in a folder for ``sys.path``."""
    archive = site / "all.zip"
    with ZipFile(archive, "w", ZIP_DEFLATED) as made:
        for file in mpnet.iterdir():
            made.write(file, f"all-mpnet-base-v2/{file.name}")
    content = archive.read_bytes()
    size = -(-len(content) // len(PACKAGES))
    for number, package in enumerate(PACKAGES):
        part = site / package / "input" / f"all-mpnet-base-v2.zip.{number + 1:03}"
        part.parent.mkdir(parents=True)
        part.write_bytes(content[number * size : (number + 1) * size])
        (site / package / "__init__.py").touch()
