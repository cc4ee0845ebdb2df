"""A tiny random decoder as a GGUF file."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

DIM, INNER, N_HEADS, N_KEY_HEADS, N_LAYERS, BASE, EPSILON = 32, 48, 4, 2, 3, 100.0, 1e-5

Array = npt.NDArray[np.float32]


def tiny_arrays() -> dict[str, Array]:
    """Random weights by the names of GGUF files."""
    random = np.random.default_rng(0)
    of_keys = DIM * N_KEY_HEADS // N_HEADS
    shapes = {"attn_q": (DIM, DIM), "attn_k": (of_keys, DIM), "attn_v": (of_keys, DIM), "attn_output": (DIM, DIM)}
    shapes |= {"ffn_gate": (INNER, DIM), "ffn_up": (INNER, DIM), "ffn_down": (DIM, INNER)}
    found = {f"blk.{n}.{part}.weight": shape for n in range(N_LAYERS) for part, shape in shapes.items()}
    found["token_embd.weight"] = (258, DIM)
    norms = {f"blk.{n}.{part}_norm.weight": (DIM,) for n in range(N_LAYERS) for part in ("attn", "ffn")}
    made = {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in found.items()}
    return made | {name: random.uniform(0.5, 1.5, shape).astype(np.float32) for name, shape in norms.items()}


def write_decoder(file: Path, arrays: dict[str, Array]) -> Path:
    """Writes a decoder with a vocabulary of bytes."""
    import gguf
    from tokenizers.pre_tokenizers import ByteLevel

    writer = gguf.GGUFWriter(file, "llama")
    writer.add_name("tiny")
    writer.add_block_count(N_LAYERS)
    writer.add_head_count(N_HEADS)
    writer.add_head_count_kv(N_KEY_HEADS)
    writer.add_rope_freq_base(BASE)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(["<|endoftext|>", *sorted(ByteLevel.alphabet()), "Ġt"])
    writer.add_token_merges(["Ġ t"])
    for name, array in arrays.items():
        writer.add_tensor(name, array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return file
