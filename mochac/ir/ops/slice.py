"""slice: a rectangular part of a tensor.

    y[i0, i1, ...] = x[start0 + i0, start1 + i1, ...]

Attributes: start, one offset per axis; shape, the extents of the result, which must lie inside x. Axis 0 of a
batch-marked x is not cut: start[0] is 0 and shape[0] is the batch size. Gradient: pad.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._box import offsets, require_box
from mochac.ir.ops._typing import result
from mochac.ir.types import TensorType


def infer(x: TensorType, *, start: tuple[int, ...], shape: tuple[int, ...]) -> tuple[TensorType, ...]:
    require_box(tuple(start), tuple(shape), x.shape, x.batch)
    return (result(x.dtype, tuple(shape), x.batch, x),)


def reference(x: np.ndarray, *, start: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
    return x[tuple(slice(s, s + d) for s, d in zip(start, shape, strict=True))].copy()


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("pad", ct, start=offsets(bound), shape=bound.inputs[0].type.shape),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return (k.read(bound, 0, tuple(i + s for i, s in zip(index, offsets(bound), strict=True))),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """Slice along the axes that are cut."""
    start, shape, given = offsets(bound), bound.outputs[0].type.shape, bound.inputs[0].type.shape
    cut = [a for a, extent in enumerate(shape) if extent != given[a]]
    ends = [start[a] + shape[a] for a in cut]
    return w.node("Slice", x, w.integers([start[a] for a in cut]), w.integers(ends), w.integers(cut))


register(
    Op(
        name="slice",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        moves=True,
        inlined=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,7,5]",), {"start": (0, 0, 2, 1), "shape": (3, 2, 4, 3)}),
            Sample(("f32[b17,6]",), {"start": (0, 5), "shape": (17, 1)}),
            Sample(("f32[5,3]",), {"start": (2, 0), "shape": (3, 3)}),
            Sample(("f32[b2,3]",), {"start": (0, 0), "shape": (2, 3)}),
        ),
        onnx=onnx,
    )
)
