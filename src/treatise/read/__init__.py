"""A question and passages read together: rows of tokens for an encoder, and what its vectors say of an answer.

Knows no encoder: ``engines.onnx_reader`` runs one, and ``train.span_reader`` teaches it.
"""

from treatise.read.decoding import Calibration, Decoding, Head, decode
from treatise.read.windows import Layout, Tokens, Window, make_windows

__all__ = [
    "Calibration",
    "Decoding",
    "Head",
    "Layout",
    "Tokens",
    "Window",
    "decode",
    "make_windows",
]
