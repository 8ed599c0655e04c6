"""PyTorch's grid_sample and affine_grid: images at places between their pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from mochac.formats.importing.contraction import contracted
from mochac.formats.importing.formulas import computed, reshaped, same_for_all
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.taken import taken
from mochac.formats.pytorch.builder import TorchBuilder
from mochac.formats.pytorch.converters import aten
from mochac.formats.pytorch.node import AtenNode
from mochac.formats.pytorch.operators.windows import images
from mochac.formats.pytorch.package import torch_package

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
    x = images(node, x)
    if len(x.shape) != 4:
        raise node.refused("only images are sampled", "(batch, channels, height, width)", x.shape)
    *_, height, width = x.shape
    count = math.prod(grid.extents[1:3])
    columns, rows = (
        _shares(b, node, _coordinate(b, node, x, grid, k, count), extent, mode, padding, aligned=align_corners)
        for k, extent in enumerate((width, height))
    )
    narrow = contracted(b, node, [(x, "acyx"), _lettered(columns, "x")], "acyp", last=False)
    made = contracted(b, node, [(narrow, "acyp"), _lettered(rows, "y")], "acp", last=False)
    reshaped(b, node, made, (*x.shape[:2], *grid.extents[1:3]))


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
