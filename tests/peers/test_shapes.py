"""Layers that rearrange, scale and reduce blobs, beside PyTorch's, over random shapes and settings."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from torch.nn import functional
from torch_kit import compare

from mochac import (
    BiasLayer,
    EinsumLayer,
    ElementWiseLayer,
    FunctionLayer,
    GlobalPoolingLayer,
    InnerProductLayer,
    NarrowLayer,
    PadLayer,
    PermuteLayer,
    Pooling,
    ReductionLayer,
    ResampleLayer,
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


@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
@pytest.mark.parametrize("seed", SEEDS)
def test_resized(seed, mode, align_corners):
    """To sizes that are no multiples, smaller and larger; the last axis has more results than one block."""
    rng, x = drawn(seed, 2 if mode == "bicubic" else None)
    size = (*map(int, rng.integers(1, 12, x.ndim - 3)), int(rng.integers(1, 45)))
    theirs = {"mode": LINEAR[x.ndim] if mode == "bilinear" else mode}
    own = {"mode": mode}
    if mode != "nearest":
        theirs["align_corners"] = own["align_corners"] = align_corners
    compare(
        UpsampleLayer(size=size, **own, **XY), {"x": x},
        lambda bottoms, params: functional.interpolate(bottoms[0], size=size, **theirs), seed=seed,
    )  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_resampled_by_a_matrix(seed):
    """Rows without numbers, of one, of all, and in no order."""
    rng, x = drawn(seed)
    axis, results = int(rng.integers(1, x.ndim)), int(rng.integers(1, 40))
    matrix = rng.standard_normal((results, x.shape[axis])) * (rng.random((results, x.shape[axis])) < 0.4)
    compare(
        ResampleLayer(matrix=matrix, axis=axis, **XY), {"x": x},
        lambda bottoms, params: (bottoms[0].movedim(axis, -1) @ torch.tensor(matrix).T).movedim(-1, axis), seed=seed,
    )  # fmt: skip


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


FUNCTIONS = {
    "sub": lambda a, b: a - b,
    "max": torch.maximum,
    "min": torch.minimum,
    "gated": lambda a, b: a * torch.sigmoid(b),
    "select": lambda a, b, c: torch.where(a != 0, b, c),
    "lt": lambda a, b: (a < b) * 1.0 + 0 * a + 0 * b,
    "floor": torch.floor,
    "erf": torch.erf,
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_are_broadcast(name, seed):
    rng, x = drawn(seed)
    count = FUNCTIONS[name].__code__.co_argcount if hasattr(FUNCTIONS[name], "__code__") else 2
    count = 1 if name in ("floor", "erf") else count
    thin = (len(x), *(n if rng.random() < 0.5 else 1 for n in x.shape[1:]))
    blobs = {"x": x, **{f"b{k}": rng.standard_normal(thin) for k in range(count - 1)}}
    layer = FunctionLayer(name="f", function=name, bottoms=list(blobs), tops=["y"])
    compare(layer, blobs, lambda tensors, _: FUNCTIONS[name](*tensors), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_padding(seed):
    rng, x = drawn(seed)
    pads = [tuple(map(int, rng.integers(0, 3, x.ndim - 2))) for _ in "ab"]
    value = float(rng.choice((0.0, 0.5)))
    ends = [n for pair in zip(*(p[::-1] for p in pads), strict=True) for n in pair]
    layer = PadLayer(name="pad", before=pads[0], after=pads[1], value=value, **XY)
    compare(layer, {"x": x}, lambda tensors, _: functional.pad(tensors[0], ends, value=value), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_narrow(seed):
    rng, x = drawn(seed)
    axis = int(rng.integers(1, x.ndim))
    start = int(rng.integers(x.shape[axis]))
    length = int(rng.integers(1, x.shape[axis] - start + 1))
    layer = NarrowLayer(name="part", start=start, length=length, axis=axis, **XY)
    compare(layer, {"x": x}, lambda tensors, _: tensors[0].narrow(axis, start, length), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("spec", ["bik,bkj->bij", "bik,bjk->bji", "bki,bkj->bkij", "bjk,bjk->bk"])
def test_einsum(spec, seed):
    rng = np.random.default_rng(seed)
    extents = dict(zip("bijk", map(int, rng.integers(1, 19, 4)), strict=True))
    given = spec.split("->")[0].split(",")
    blobs = {name: rng.standard_normal([extents[a] for a in g]) for name, g in zip("pq", given, strict=True)}
    layer = EinsumLayer(name="product", spec=spec, bottoms=["p", "q"], tops=["y"])
    compare(layer, blobs, lambda tensors, _: torch.einsum(spec, *tensors), seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("operation", ["max", "min"])
def test_extremes(operation, seed):
    rng, x = drawn(seed)
    axes = tuple(sorted(map(int, rng.permutation(range(1, x.ndim))[: rng.integers(1, x.ndim)])))
    theirs = torch.amax if operation == "max" else torch.amin
    layer = ReductionLayer(name="most", operation=operation, axes=axes, **XY)
    compare(layer, {"x": x}, lambda tensors, _: theirs(tensors[0], dim=axes), seed=seed)
