"""Probabilities that mean what they say: scores of a span reader fitted to dev examples (Platt, 1999)."""

from collections.abc import Sequence

import numpy as np
import torch

from treatise.core.vectors import Floats
from treatise.engines.onnx_reader import OnnxReader
from treatise.read import Calibration, Decoding
from treatise.read.decoding import VERDICTS, Head, best_margin, log_odds_of_answers
from treatise.train.span_reader_data import Example

_PRIOR = 1e-3  # of squared factors: keeps a fit finite where dev is told apart without a mistake


def calibrated(reader: OnnxReader, dev: Sequence[Example]) -> Decoding:
    """The decoding whose ``p_no_answer`` and verdicts fit the dev examples best."""
    features: list[tuple[float, float, bool]] = []
    verdicts: list[tuple[Floats, int]] = []
    for example in dev:
        windows, logits = reader.logits(example.question, example.passages)
        if not windows:
            continue
        first = np.stack([of_row[0] for of_row in logits])
        if example.is_statement:
            verdicts.append((first[0, VERDICTS], example.kind - Head.SUPPORTED))
        else:
            margin = best_margin(windows, logits, Decoding())
            features.append((margin, float(log_odds_of_answers(first).max()), example.kind is Head.NONE))
    return Decoding(calibration=fitted(features), verdict_temperature=temperature(verdicts))


def fitted(features: Sequence[tuple[float, float, bool]]) -> Calibration:
    """Logistic regression of "no answer" on margin and log odds; the default without both sorts of examples."""
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


def temperature(verdicts: Sequence[tuple[Floats, int]]) -> float:
    """What logits are divided by so that the verdicts' cross entropy is least; 1 without any."""
    if not verdicts:
        return 1.0
    logits = torch.tensor(np.stack([scores for scores, _ in verdicts]), dtype=torch.float64)
    gold = torch.tensor([kind for _, kind in verdicts])
    tried = [2 ** (step / 8) for step in range(-16, 25)]
    return round(min(tried, key=lambda t: float(torch.nn.functional.cross_entropy(logits / t, gold))), 4)
