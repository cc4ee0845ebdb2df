"""Input rows and output decoding of the extractive reader, which reads a question and passages together.

Independent of the encoder: ``engines.onnx_reader`` runs one, and ``train.span_reader`` trains it.
"""

from treatise.read.decoding import VERDICTS, Calibration, Decoding, Head, decode
from treatise.read.verdicts import decode_verdict
from treatise.read.windows import Layout, Tokens, Window, make_windows

__all__ = [
    "VERDICTS",
    "Calibration",
    "Decoding",
    "Head",
    "Layout",
    "Tokens",
    "Window",
    "decode",
    "decode_verdict",
    "make_windows",
]
