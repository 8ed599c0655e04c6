"""Layers that rearrange, scale and reduce blobs, beside PyTorch's, over random shapes and settings."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch.nn import functional
from torch_kit import compare

from mochac import (
    BiasLayer,
    ElementWiseLayer,
    GlobalPoolingLayer,
    InnerProductLayer,
    PermuteLayer,
    Pooling,
    ReductionLayer,
    ScaleLayer,
    SliceLayer,
    TileLayer,
    UpsampleLayer,
)
from mochac import ElementWiseFunctors as F

SEEDS = range(6)
LINEAR = {3: "linear", 4: "bilinear", 5: "trilinear"}
XY = {"bottoms": ["x"], "tops": ["y"]}


def drawn(seed, axes=None):
    """Numbers of a random shape: a batch, channels, and `axes` more axes, one to three by default."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 4)) if axes is None else axes
    shape = (int(rng.integers(1, 20)), *map(int, rng.integers(1, 6, 1 + count)))
    return rng, rng.standard_normal(shape)


@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
@pytest.mark.parametrize("seed", SEEDS)
def test_upsample(seed, mode):
    rng, x = drawn(seed)
    factor = int(rng.integers(1, 5))

    def theirs(bottoms, params):
        if mode == "nearest":
            return functional.interpolate(bottoms[0], scale_factor=factor, mode="nearest")
        return functional.interpolate(bottoms[0], scale_factor=factor, mode=LINEAR[x.ndim], align_corners=False)

    compare(UpsampleLayer(factor=factor, mode=mode, **XY), {"x": x}, theirs, seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_global_pooling(seed):
    _, x = drawn(seed, 2)
    mean, largest = GlobalPoolingLayer(**XY), GlobalPoolingLayer(pooling=Pooling.Max(), **XY)
    compare(mean, {"x": x}, lambda bottoms, params: functional.adaptive_avg_pool2d(bottoms[0], 1), seed=seed)
    compare(largest, {"x": x}, lambda bottoms, params: functional.adaptive_max_pool2d(bottoms[0], 1), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_permute_slice_and_tile(seed):
    rng, x = drawn(seed)
    order = (0, *map(int, 1 + rng.permutation(x.ndim - 1)))
    axis = int(rng.integers(1, x.ndim))
    point = int(rng.integers(1, x.shape[axis] + 1))
    compare(PermuteLayer(order=order, **XY), {"x": x}, lambda bottoms, params: bottoms[0].permute(order), seed=seed)
    compare(
        TileLayer(tiles=3, axis=axis, **XY), {"x": x}, lambda bottoms, params: torch.cat(bottoms * 3, axis), seed=seed
    )
    if point < x.shape[axis]:
        parts = SliceLayer(axis=axis, points=(point,), bottoms=["x"], tops=["y", "rest"])
        compare(parts, {"x": x}, lambda bottoms, params: bottoms[0].narrow(axis, 0, point), seed=seed)


@pytest.mark.parametrize("operation", ["sum", "mean", "asum", "sumsq"])
@pytest.mark.parametrize("seed", SEEDS)
def test_reduction(seed, operation):
    rng, x = drawn(seed)
    axes = tuple(map(int, 1 + rng.permutation(x.ndim - 1)[: rng.integers(1, x.ndim)]))
    theirs = {
        "sum": lambda t: t.sum(axes),
        "mean": lambda t: t.mean(axes),
        "asum": lambda t: t.abs().sum(axes),
        "sumsq": lambda t: t.square().sum(axes),
    }[operation]
    layer = ReductionLayer(operation=operation, axes=axes, **XY)
    compare(layer, {"x": x}, lambda bottoms, params: theirs(bottoms[0]), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_scale_and_bias(seed):
    _, x = drawn(seed, 2)
    wide = (slice(None), None, None)
    scale, bias = ScaleLayer(name="s", shifted=True, **XY), BiasLayer(name="b", **XY)
    compare(scale, {"x": x}, lambda b, p: b[0] * p["scale"][wide] + p["shift"][wide], seed=seed)
    compare(bias, {"x": x}, lambda b, p: b[0] + p["shift"][wide], seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_element_wise(seed):
    rng, x = drawn(seed)
    given = {"x": x, "z": rng.standard_normal(x.shape), "w": rng.standard_normal(x.shape)}
    factors = tuple(map(float, rng.standard_normal(3)))
    here = {"bottoms": ["x", "z", "w"], "tops": ["y"]}
    cases = {
        ElementWiseLayer(coefficients=factors, **here): lambda a, b, c: (
            factors[0] * a + factors[1] * b + factors[2] * c
        ),
        ElementWiseLayer(operation=F.Multiply(), **here): lambda a, b, c: a * b * c,
        ElementWiseLayer(operation=F.Maximum(), **here): lambda a, b, c: torch.maximum(torch.maximum(a, b), c),
    }
    for layer, formula in cases.items():
        compare(layer, given, lambda bottoms, params, formula=formula: formula(*bottoms), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_products_of_rows(seed):
    rng, x = drawn(seed)
    layer = InnerProductLayer(name="ip", output_dim=int(rng.integers(1, 40)), axis=-1, **XY)
    compare(layer, {"x": x}, lambda b, p: functional.linear(b[0], p["weight"], p["bias"]), seed=seed)
