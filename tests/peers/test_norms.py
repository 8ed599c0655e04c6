"""Layers that normalize, beside PyTorch's, over random shapes and settings."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch.nn import functional
from torch_kit import compare, require

from mochac import (
    BatchNormLayer,
    ConstantInitializer,
    GroupNormLayer,
    InstanceNormLayer,
    LayerNormLayer,
    RMSNormLayer,
)

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
    epsilon, momentum, how = rng.uniform(1e-5, 0.1), rng.uniform(), parts(rng, "scale", "shift")
    running = [torch.zeros(x.shape[1], dtype=torch.float64), torch.ones(x.shape[1], dtype=torch.float64)]

    def theirs(bottoms, params):
        scale, shift = params.get("scale"), params.get("shift")
        return functional.batch_norm(bottoms[0], *running, scale, shift, True, momentum, epsilon)

    bn = BatchNormLayer(name="bn", bottoms=["x"], epsilon=epsilon, momentum=momentum, **how)
    states = compare(bn, {"x": x}, theirs, seed=seed)
    require("running mean", states["mean"], running[0].numpy())
    require("running variance", states["variance"], running[1].numpy())


@pytest.mark.parametrize("seed", SEEDS)
def test_batch_norm_with_frozen_statistics(seed):
    rng, x = drawn(seed)
    mean, variance, affine = rng.normal(), rng.uniform(0.1, 9), bool(rng.random() < 0.7)

    def theirs(bottoms, params):
        running = [torch.full((x.shape[1],), value, dtype=torch.float64) for value in (mean, variance)]
        return functional.batch_norm(bottoms[0], *running, params.get("scale"), params.get("shift"), False)

    start = {"mean_init": ConstantInitializer(mean), "variance_init": ConstantInitializer(variance)}
    bn = BatchNormLayer(name="bn", bottoms=["x"], frozen_statistics=True, affine=affine, **start)
    states = compare(bn, {"x": x}, theirs, seed=seed)
    assert states["mean"].tolist() == [mean] * x.shape[1]
    assert states["variance"].tolist() == [variance] * x.shape[1]


def parts(rng, *names):
    """Which of the parameters there are: all, none, or one."""
    if rng.random() < 0.3:
        return {"affine": False}
    return {name: bool(rng.random() < 0.6) for name in names}


def settings(rng, *names):
    return {"epsilon": rng.uniform(1e-5, 0.1), **parts(rng, *(names or ("scale", "shift")))}


@pytest.mark.parametrize("seed", SEEDS)
def test_layer_norm(seed):
    rng, x = drawn(seed)
    first = next((a for a in range(1, x.ndim) if np.prod(x.shape[a:]) < 2), x.ndim) - 1
    if first == 0:
        x, first = np.repeat(x, 3, axis=1), 1
    how, start = settings(rng), int(rng.integers(1, first + 1))

    def theirs(bottoms, params):
        scale, shift = params.get("scale"), params.get("shift")
        return functional.layer_norm(bottoms[0], x.shape[start:], scale, shift, how["epsilon"])

    axes = tuple(range(start, x.ndim)) if seed % 2 else tuple(range(start - x.ndim, 0))
    compare(LayerNormLayer(name="ln", bottoms=["x"], axes=axes, **how), {"x": x}, theirs, seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_rms_norm(seed):
    rng, x = drawn(seed)
    how, start = settings(rng, "scale"), int(rng.integers(1, x.ndim))

    def theirs(bottoms, params):
        return functional.rms_norm(bottoms[0], x.shape[start:], params.get("scale"), how["epsilon"])

    layer = RMSNormLayer(name="rms", bottoms=["x"], axes=tuple(range(start, x.ndim)), **how)
    compare(layer, {"x": x}, theirs, seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_group_norm(seed):
    rng, x = drawn(seed)
    groups, how = int(rng.integers(1, 5)), settings(rng)
    x = np.concatenate([x] * 2 * groups, axis=1) + rng.standard_normal()

    def theirs(bottoms, params):
        ones = torch.ones(x.shape[1], dtype=torch.float64)  # PyTorch fails where it has a bias and no weight
        scale, shift = params.get("scale", ones), params.get("shift")
        return functional.group_norm(bottoms[0], groups, scale, shift, how["epsilon"])

    compare(GroupNormLayer(name="gn", bottoms=["x"], groups=groups, **how), {"x": x}, theirs, seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_instance_norm(seed):
    rng, x = drawn(seed)
    x, how = np.stack([x, x[::-1] * 0.5], axis=-1), settings(rng)

    def theirs(bottoms, params):
        scale, shift = params.get("scale"), params.get("shift")
        return functional.instance_norm(bottoms[0], None, None, scale, shift, True, 0.0, how["epsilon"])

    compare(InstanceNormLayer(name="norm", bottoms=["x"], **how), {"x": x}, theirs, seed=seed)
