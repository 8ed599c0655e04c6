"""lrn_sum: the sum of x, or of its squares, over a window around every element.

    y[i] = sum over j with i - before <= j <= i + after, along every axis of `axes`, inside the tensor, of x[j] (x[j]^2)

Shapes: x (N,...) -> like x; axes >= 1. Gradient: the same sum with the window mirrored, times 2x for squares. Local
response normalization uses it (Mocha.jl src/layers/lrn.jl uses mean pooling with stride 1).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import ExitStack

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import require_float
from mochac.ir.ops._window import inside
from mochac.ir.types import TensorType


def infer(
    x: TensorType, *, axes: tuple[int, ...], before: int, after: int, square: bool = False
) -> tuple[TensorType, ...]:
    require_float("the input", x)
    rank = len(x.shape)
    if not axes or len(set(axes)) != len(axes) or not all(1 <= a < rank for a in axes):
        raise OpTypeError("window axes must be distinct and not the batch", f"axes of 1 .. {rank - 1}", str(axes))
    if before < 0 or after < 0:
        raise OpTypeError("a window must contain its own element", "before, after >= 0", f"{before}, {after}")
    return (x,)


def reference(x: np.ndarray, *, axes: tuple[int, ...], before: int, after: int, square: bool = False) -> np.ndarray:
    total = x * x if square else x
    for axis in axes:
        sides = [(before, after) if a == axis else (0, 0) for a in range(x.ndim)]
        views = np.lib.stride_tricks.sliding_window_view(np.pad(total, sides), before + after + 1, axis=axis)
        total = views.sum(axis=-1)
    return np.array(total, x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    axes, before, after, square = _window(bound)
    total = b.op("lrn_sum", dy, axes=axes, before=after, after=before, square=False)
    return (b.op("mul", total, b.scaled(bound.inputs[0], 2.0)) if square else total,)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axes, before, after, square = _window(bound)
    x = bound.inputs[0].type
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    cells = list(index)
    with ExitStack() as stack:
        for axis, name in zip(axes, _names(axes), strict=True):
            cells[axis] = index[axis] + stack.enter_context(k.sum(name, before + after + 1)) - before
        guards = (g for axis in axes for g in inside(cells[axis], x.shape[axis], before > 0, after > 0))
        stack.enter_context(k.where(*guards))
        cell = k.read(bound, 0, tuple(cells))
        if square:
            k.accum(acc, "fma", cell, cell)
        else:
            k.accum(acc, "add", cell)
    return (k.get(acc),)


def _names(axes: tuple[int, ...]) -> Iterable[str]:
    return (f"w{axis}" for axis in axes)


def _window(bound: BoundNode) -> tuple[tuple[int, ...], int, int, bool]:
    attr = bound.attr
    axes, before, after = attr["axes"], attr["before"], attr["after"]
    assert isinstance(axes, tuple) and isinstance(before, int) and isinstance(after, int)
    return axes, before, after, bool(attr.get("square", False))  # type: ignore[return-value]


def _sample(x: str, axes: tuple[int, ...], before: int, after: int, square: bool) -> Sample:
    return Sample((x,), {"axes": axes, "before": before, "after": after, "square": square})


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """Along each axis the mean of windows, padded with zeros, times their size."""
    axes, before, after, square = _window(bound)
    type, size = bound.inputs[0].type, before + after + 1
    total = w.formula("Mul({0}, {0})", x) if square else x
    for axis in axes:
        rows = (type.shape[0], math.prod(type.shape[1:axis]), type.shape[axis], math.prod(type.shape[axis + 1 :]))
        images = w.node("Reshape", total, w.extents(type.with_(shape=rows, lanes=0), total))
        pads = [before, 0, after, 0]
        mean = w.node("AveragePool", images, kernel_shape=[size, 1], pads=pads, count_include_pad=1)
        total = w.node("Reshape", w.formula(f"Mul({{0}}, {float(size)})", mean), w.extents(type, total))
    return total


register(
    Op(
        name="lrn_sum",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="window",
        samples=(
            _sample("f32[b3,2,5,4]", (2, 3), 1, 1, True),
            _sample("f32[b17,6,2,3]", (1,), 2, 2, True),
            _sample("f32[b2,7]", (1,), 1, 2, False),
            _sample("f32[b2,3,4,5]", (2, 3), 0, 1, False),
            _sample("f32[b2,1,3]", (2,), 4, 4, True),
            _sample("f32[3,4,1,2]", (3,), 0, 0, True),
        ),
        onnx=onnx,
    )
)
