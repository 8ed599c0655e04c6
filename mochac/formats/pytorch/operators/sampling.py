"""Dropout and random numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mochac.base.errors import UnsupportedError
from mochac.formats.importing.formulas import computed, contracted, formula, inner, is_number, reshaped, same_for_all
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import FIRST
from mochac.formats.importing.rearranged import taken
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import MaskedBlob, RandomMask, aten
from mochac.formats.pytorch.operators.windows import images
from mochac.formats.pytorch.package import torch_package
from mochac.nets.layers.random import SELU_LIMIT


def number_of(x: Any) -> float | None:
    """The number that an operand is, or None."""
    if isinstance(x, Constant) and is_number(x):
        return float(x.array.reshape(-1)[0])
    return float(x) if isinstance(x, int | float) else None


def times_mask(b: TorchBuilder, node: AtenNode, x: BlobTensor, mask: RandomMask) -> MaskedBlob | None:
    """DropoutLayer; a blob times a mask that only alpha dropout has waits for the rest of that."""
    scaled = math.isclose(mask.factor * mask.keep, 1, rel_tol=1e-6)
    if mask.shift:
        raise node.refused("a random mask is computed with", "numbers that are 0 where units are dropped")
    if mask.keep >= 1 and mask.factor == 1:
        b.alias(node, x)
        return None
    if not scaled and mask.factor != 1:
        return MaskedBlob(x, mask)
    _dropped(b, node, x, mask, auto_scale=scaled)
    return None


def plus_mask(b: TorchBuilder, node: AtenNode, x: RandomMask | MaskedBlob, other: Any) -> RandomMask | None:
    """A mask plus a number, or alpha dropout: x * factor * mask + (factor * (mask - 1) + factor * p) * limit."""
    number = number_of(other)
    if isinstance(x, RandomMask) and number is not None:
        return x.plus(number)
    if not isinstance(x, MaskedBlob) or not isinstance(other, RandomMask) or other.draw != x.mask.draw:
        raise node.refused("a random mask is computed with", "dropout")
    ratio, kept, limit = 1 - x.mask.keep, x.mask.factor, -SELU_LIMIT
    known = 1 / math.sqrt((1 - ratio) * (1 + ratio * limit**2))
    found, wanted = (kept, other.factor, other.shift), (known, known * limit, known * limit * (ratio - 1))
    if any(not math.isclose(p, q, rel_tol=1e-6) for p, q in zip(found, wanted, strict=True)):
        raise node.refused("a random mask has other factors than those of dropout and alpha dropout", got=kept)
    _dropped(b, node, x.blob, x.mask, alpha=True)
    return None


def _dropped(b: TorchBuilder, node: AtenNode, x: BlobTensor, mask: RandomMask, **fields: Any) -> None:
    """DropoutLayer, whose units are dropped together where the mask has extent 1."""
    extents = (1,) * (len(x.extents) - len(mask.extents)) + mask.extents
    if any(n not in (1, m) for n, m in zip(extents, x.extents, strict=True)) or not x.samples:
        raise node.refused("a random mask does not fit", str(x.extents), mask.extents)
    axes = x.place.axes(len(x.shape))
    if any(0 in group and n == 1 and b.batch > 1 for n, group in zip(extents, axes, strict=True)):
        raise node.refused("samples are dropped together", "a decision for each sample", mask.extents)
    shared = tuple(
        a for n, whole, group in zip(extents, x.extents, axes, strict=True) if n == 1 != whole for a in group if a
    )
    b.add("Dropout", node, [x], x.shape, None, x.place, ratio=1 - mask.keep, shared_axes=shared, **fields)


@aten("bernoulli")
def bernoulli(b: TorchBuilder, node: AtenNode, x: Any, p: float | None = None) -> RandomMask | None:
    """Zeros and ones."""
    if p is None:
        formula(b, node, "lt({0}, {1})", _uniform(b, node, x), x)
        return None
    extents = x.extents if isinstance(x, BlobTensor) else x.array.shape
    return RandomMask(node.name, float(p), tuple(int(n) for n in extents))


@aten("native_dropout", "dropout", "feature_dropout")
def dropout(b: TorchBuilder, node: AtenNode, x: BlobTensor, p: float = 0.5, train: bool | None = True) -> Any:
    """DropoutLayer."""
    if not train or not p:
        b.alias(node, x)
    else:
        b.add("Dropout", node, [x], x.shape, None, x.place, ratio=float(p))
    return [b.values[node.tops[0]], None] if node.type == "native_dropout" else None


def _normal(b: TorchBuilder, node: AtenNode, x: Any) -> BlobTensor:
    """Normal numbers of a RandomNormalLayer, which are others than PyTorch's: one for each element of each sample.

    Args:
        x: has the extents of the numbers; None: those of the output.

    Raises:
        UnsupportedError: they are the same for all samples.
    """
    extents = b.extents_of(node)
    if isinstance(x, BlobTensor) and x.samples:
        shape, place = x.shape, x.place
    else:
        shape, place = extents, FIRST
        if b.lead or isinstance(x, BlobTensor) or extents[:1] != (b.batch,):
            raise node.refused("its random numbers are the same for all samples", f"({b.batch}, ...)", extents)
    noise = b.noise(node, (*shape, 1) if len(shape) == 1 else shape, place)
    return reshaped(b, node, noise, shape, place, last=False)


_EXPONENTIAL = "mul(add(square({0}), square({1})), 0.5)"
"""An exponentially distributed number, of two normal ones (Box and Muller 1958)."""


def _uniform(b: TorchBuilder, node: AtenNode, x: Any) -> BlobTensor:
    """Uniformly distributed numbers from 0 to 1."""
    return inner(b, node, f"exp(neg({_EXPONENTIAL}))", _normal(b, node, x), _normal(b, node, x))


@aten("randn", "randn_like", "normal_functional", "normal")
def normal(b: TorchBuilder, node: AtenNode, x: Any = None, size: Any = None, mean: Any = 0.0, std: Any = 1.0) -> None:
    """Normal numbers with a mean and a deviation, of which one may be a tensor."""
    tensors = [part for part in (x, mean, std) if isinstance(part, BlobTensor)]
    result = _normal(b, node, max(tensors, key=lambda t: (t.samples, len(t.shape)), default=x))
    scale, shift = (part if isinstance(part, Tensor) else Constant(np.asarray(float(part))) for part in (std, mean))
    if scale is std or std != 1:
        result = inner(b, node, "mul({0}, {1})", result, scale)
    if shift is mean or mean != 0:
        result = inner(b, node, "add({0}, {1})", result, shift)
    b.alias(node, result)


@aten("rand", "rand_like", "uniform")
def uniform(b: TorchBuilder, node: AtenNode, x: Any = None, size: Any = None, to: float = 1.0, **_: Any) -> None:
    """Numbers between two limits."""
    low = float(node.arguments.get("from", 0.0))
    b.alias(node, inner(b, node, f"add(mul({{0}}, {to - low!r}), {low!r})", _uniform(b, node, x)))


@aten("randint", "randint_like")
def integers(b: TorchBuilder, node: AtenNode, high: int, x: Any = None, size: Any = None, low: int = 0) -> None:
    """Integers from a limit up to before another."""
    count = high - low
    text = f"add(min(floor(mul({{0}}, {count})), {count - 1}), {low})"
    b.alias(node, inner(b, node, text, _uniform(b, node, x)))


@aten("exponential")
def exponential(b: TorchBuilder, node: AtenNode, x: Any, lambd: float = 1.0) -> None:
    """Numbers with the density lambd * exp(-lambd * y)."""
    both = _normal(b, node, x), _normal(b, node, x)
    b.alias(node, inner(b, node, f"mul({_EXPONENTIAL}, {1 / lambd!r})", *both))


@aten("multinomial", "poisson", "binomial")
def random(b: TorchBuilder, node: AtenNode, x: Any = None, **_: Any) -> None:
    """Refused."""
    raise refused_numbers(node)


def refused_numbers(node: AtenNode) -> UnsupportedError:
    """The error about random numbers of other kinds, ready to raise."""
    expected = "dropout, or normal, uniform or exponential numbers, integers or zeros and ones for each sample"
    return node.refused("random numbers are drawn", expected, hint="give the module its noise as an input")


MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")


@aten("affine_grid_generator")
def affine_grid(
    b: TorchBuilder, node: AtenNode, theta: BlobTensor, size: Sequence[int], align_corners: bool = False
) -> None:
    """The places of pixels, (height, width, 3), times the matrix of each sample."""
    if len(size) != 4:
        raise node.refused("only places in images are supported", "(batch, channels, height, width)", tuple(size))
    torch = torch_package()
    unit = torch.tensor([[[1, 0, 0], [0, 1, 0]]], dtype=torch.float64)
    plane = torch.nn.functional.affine_grid(unit, [1, *size[1:]], align_corners=align_corners)[0].numpy()
    places = Constant(np.concatenate([plane, np.ones((*plane.shape[:2], 1))], axis=-1))
    contracted(b, node, [(theta, "acb"), (places, "xyb")], "axyc")


@aten("grid_sampler", "grid_sampler_2d")
def grid_sample(
    b: TorchBuilder, node: AtenNode, x: BlobTensor, grid: Tensor, interpolation_mode: int, padding_mode: int,
    align_corners: bool,
) -> None:  # fmt: skip
    """Two products: of the image with what each place takes of the columns, then of the rows."""
    mode, padding = MODES[interpolation_mode], PADDINGS[padding_mode]
    node.require("mode", mode, "bilinear", "nearest")
    node.require("padding_mode", padding, "zeros", "border")
    x = images(b, node, x)
    if len(x.shape) != 4 or not x.samples:
        raise node.refused("only images are sampled", "(batch, channels, height, width)", x.shape)
    *_, height, width = x.shape
    count = math.prod(grid.extents[1:3])
    columns, rows = (
        _shares(b, node, _coordinate(b, node, x, grid, k, count), extent, mode, padding, aligned=align_corners)
        for k, extent in enumerate((width, height))
    )
    narrow = contracted(b, node, [(x, "acyx"), _lettered(columns, "x")], "acyp", last=False)
    result = contracted(b, node, [(narrow, "acyp"), _lettered(rows, "y")], "acp", last=False)
    reshaped(b, node, result, (*x.shape[:2], *grid.extents[1:3]))


def _lettered(x: Tensor, axis: str) -> tuple[Tensor, str]:
    """Shares of places, the same for all samples or not."""
    return (x, f"ap{axis}") if isinstance(x, BlobTensor) else (Constant(x.array[0]), f"p{axis}")


def _coordinate(b: TorchBuilder, node: AtenNode, x: BlobTensor, grid: Tensor, k: int, count: int) -> Tensor:
    """One of the two numbers of each place, (batch, places, 1)."""
    if isinstance(grid, Constant):
        grid = same_for_all(b, grid, x)
        if len(grid.array) != 1:
            raise node.refused("a constant differs from sample to sample")
        return Constant(grid.array[..., k].reshape(1, count, 1))
    part = taken(b, node, grid, 3, range(k, k + 1), last=False)
    return reshaped(b, node, part, (grid.shape[0], count, 1), last=False)


def _shares(
    b: TorchBuilder, node: AtenNode, coordinate: Tensor, extent: int, mode: str, padding: str, *, aligned: bool
) -> Tensor:
    """What places from -1 to 1 take of each pixel of an axis. Gradients are those of PyTorch at whole pixels, too."""
    text = f"mul(div(add({{0}}, 1), 2), {extent - 1})" if aligned else f"div(sub(mul(add({{0}}, 1), {extent}), 1), 2)"
    at = computed(b, node, text, coordinate)
    if padding == "border":
        last = extent - 1
        at = computed(b, node, f"select(gt({{0}}, 0), select(lt({{0}}, {last}), {{0}}, {last}), 0)", at)
    pixels = Constant(np.arange(extent))
    if mode == "nearest":
        return computed(b, node, "eq(round({0}), {1})", at, pixels)
    left = computed(b, node, "floor({0})", at)
    text = "select(eq({1}, {2}), sub(add({1}, 1), {0}), select(eq(add({1}, 1), {2}), sub({0}, {1}), 0))"
    return computed(b, node, text, at, left, pixels)
