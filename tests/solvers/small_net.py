"""The two-layer net of rules_by_hand.py as layers, and the methods with the same numbers."""

from __future__ import annotations

import numpy as np

import mochac
from mochac import (
    SGD,
    InnerProductLayer,
    L1Regu,
    L2Regu,
    LRPolicy,
    MemoryDataLayer,
    MomPolicy,
    Net,
    Neurons,
    SoftmaxLossLayer,
)

SAMPLES, BATCH, FEATURES, HIDDEN, CLASSES = 50, 20, 19, 34, 3
LR = LRPolicy.Inv(0.05, 0.1, 0.75)
MOM = MomPolicy.Linear(0.5, 0.02, 3, 0.9)

METHODS = {
    "SGD": SGD(LR, MOM),
    "Nesterov": mochac.Nesterov(LR, MOM),
    "Adam": mochac.Adam(LR, beta1=0.8, beta2=0.99),
    "Adadelta": mochac.Adadelta(rho=0.9, eps=1e-4),
    "Adagrad": mochac.Adagrad(gamma=0.05),
    "RMSProp": mochac.RMSProp(LR),
    "AdamW": mochac.AdamW(LR, beta1=0.8, beta2=0.99, epsilon=1e-6, decay=0.3),
    "RAdam": mochac.RAdam(LR, beta1=0.8, beta2=0.9, epsilon=1e-6),
    "NAdam": mochac.NAdam(LR, beta1=0.8, beta2=0.9, epsilon=1e-6, momentum_decay=0.1),
    "Adamax": mochac.Adamax(LR, beta1=0.8, beta2=0.9, epsilon=1e-6),
}


def samples(seed: int = 11) -> tuple[np.ndarray, np.ndarray]:
    """Float32 numbers, so that both precisions train on the same ones."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((SAMPLES, FEATURES)).astype(np.float32), rng.integers(0, CLASSES, SAMPLES)


def net(**changes) -> Net:
    """FEATURES -> tanh HIDDEN -> CLASSES, with the settings of rules_by_hand.py; `changes` go to layer h."""
    x, label = samples()
    h = InnerProductLayer(
        name="h", output_dim=HIDDEN, bottoms=["data"], neuron=Neurons.Tanh(), bias_regu=L2Regu(0.5), **changes
    )
    y = InnerProductLayer(
        name="y", output_dim=CLASSES, bottoms=["h"], weight_regu=L1Regu(2.0), weight_lr=0.5, bias_lr=0.0
    )
    data = MemoryDataLayer(name="in", data=[x, label], batch_size=BATCH)
    return Net("small", [data, h, y, SoftmaxLossLayer(name="loss", bottoms=["y", "label"])])


def batches(n: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """What n steps consume: in order, wrapping around."""
    x, label = samples()
    rows = [np.arange(k * BATCH, (k + 1) * BATCH) % SAMPLES for k in range(n)]
    return [(x[r].astype(np.float64), label[r]) for r in rows]


def weights(program) -> dict[str, np.ndarray]:
    return {name: array.copy() for name, array in program.parameters().items()}
