"""Calibration of a span reader's probabilities on dev examples (Platt, 1999)."""

from collections.abc import Sequence

import numpy as np
import torch

from treatise.engines.onnx_reader import OnnxReader
from treatise.read import Calibration, Decoding, Head
from treatise.read.decoding import best_margin, log_odds_of_answers
from treatise.train.span_reader_data import Example

_PRIOR = 1e-3  # weight of squared factors: keeps the fit finite on separable data


def calibrated(reader: OnnxReader, dev: Sequence[Example]) -> Calibration:
    """The calibration of ``p_no_answer`` that best fits the dev examples."""
    features: list[tuple[float, float, bool]] = []
    for example in (one for one in dev if not one.is_statement):
        windows, logits = reader.logits(example.question, example.passages)
        if windows:
            margin = best_margin(windows, logits, Decoding())
            answers = log_odds_of_answers(np.stack([of_row[0] for of_row in logits])).max()
            features.append((margin, float(answers), example.kind is Head.NONE))
    return fitted(features)


def fitted(features: Sequence[tuple[float, float, bool]]) -> Calibration:
    """Logistic regression of "no answer" on margin and log odds; the default unless there are examples of both
    kinds.
    """
    if len({is_none for *_, is_none in features}) < 2:
        return Calibration()
    x = torch.tensor([[margin, odds, 1.0] for margin, odds, _ in features], dtype=torch.float64)
    y = torch.tensor([float(is_none) for *_, is_none in features], dtype=torch.float64)
    w = torch.zeros(3, dtype=torch.float64)
    for _ in range(50):  # Newton's method
        p = torch.sigmoid(x @ w)
        gradient = x.T @ (p - y) + len(x) * _PRIOR * w
        hessian = (x.T * (p * (1 - p))) @ x + len(x) * _PRIOR * torch.eye(3, dtype=torch.float64)
        w = w - torch.linalg.solve(hessian, gradient)
    margin, answers, bias = (round(float(value), 5) for value in w)
    return Calibration(margin, answers, bias)
