"""Layers that normalize, beside PyTorch's, over random shapes and settings."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch.nn import functional
from torch_kit import compare, require

from mochac import BatchNormLayer

SEEDS = range(12)


def drawn(seed):
    """A batch whose channels have means far from 0 and deviations of several sizes."""
    rng = np.random.default_rng(seed)
    shape = (int(rng.integers(2, 20)), int(rng.integers(1, 7)), *rng.integers(1, 6, int(rng.integers(0, 3))))
    spread = rng.uniform(0.1, 10, (1, shape[1], *(1 for _ in shape[2:])))
    return rng, rng.standard_normal(shape) * spread + rng.normal() * 5


@pytest.mark.parametrize("seed", SEEDS)
def test_batch_norm(seed):
    rng, x = drawn(seed)
    epsilon, momentum, affine = rng.uniform(1e-5, 0.1), rng.uniform(), bool(rng.random() < 0.7)
    running = [torch.zeros(x.shape[1], dtype=torch.float64), torch.ones(x.shape[1], dtype=torch.float64)]

    def theirs(bottoms, params):
        scale, shift = params.get("scale"), params.get("shift")
        return functional.batch_norm(bottoms[0], *running, scale, shift, True, momentum, epsilon)

    bn = BatchNormLayer(name="bn", bottoms=["x"], epsilon=epsilon, momentum=momentum, affine=affine)
    states = compare(bn, {"x": x}, theirs, seed=seed)
    require("running mean", states["mean"], running[0].numpy())
    require("running variance", states["variance"], running[1].numpy())
