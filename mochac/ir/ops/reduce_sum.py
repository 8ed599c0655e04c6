"""reduce_sum: sum over some axes, which are removed.

    y[kept indices] = sum over the indices of `axes` of x

The result is batch-marked if axis 0 is kept. Gradient: broadcast.
"""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import extents, integers, require_float, result
from mochac.ir.types import TensorType


def infer(x: TensorType, *, axes: tuple[int, ...]) -> tuple[TensorType, ...]:
    require_float("the input", x)
    axes = tuple(axes)
    if list(axes) != sorted(set(axes)) or any(not 0 <= a < len(x.shape) for a in axes):
        raise OpTypeError("axes must be increasing axes of the input", f"axes of {x}", str(axes))
    kept = tuple(d for a, d in enumerate(x.shape) if a not in axes)
    return (result(x.dtype, kept, x.batch and 0 not in axes, x),)


def reference(x: np.ndarray, *, axes: tuple[int, ...]) -> np.ndarray:
    return np.asarray(x.sum(axis=tuple(axes), dtype=x.dtype))


def _axes(bound: BoundNode) -> tuple[int, ...]:
    axes = bound.attr["axes"]
    assert isinstance(axes, tuple)
    return tuple(a for a in axes if isinstance(a, int))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, axes = bound.inputs[0].type, _axes(bound)
    kept = tuple(a for a in range(len(x.shape)) if a not in axes)
    return (b.op("broadcast", ct, shape=x.shape, axes=kept, batch=x.batch),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    x, axes = bound.inputs[0].type, _axes(bound)
    kept = iter(index)
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    with ExitStack() as loops:
        summed = {a: loops.enter_context(k.sum(f"r{i}", x.shape[a])) for i, a in enumerate(axes)}
        at = tuple(summed[a] if a in summed else next(kept) for a in range(len(x.shape)))
        k.accum(acc, "add", k.read(bound, 0, at))
    return (k.get(acc),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.node("ReduceSum", x, w.integers(integers(bound, "axes")), keepdims=0)


register(
    Op(
        name="reduce_sum",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        lifted=lambda attrs, n: {"axes": tuple(a + 1 for a in extents(attrs["axes"]))},
        kind="reduce",
        adds=True,
        tolerance=1e-4,
        samples=(
            Sample(("f32[b3,2,5,4]",), {"axes": (0, 2, 3)}),
            Sample(("f32[b17,3]",), {"axes": (0,)}),
            Sample(("f32[b4,5]",), {"axes": (1,)}),
            Sample(("f32[b5,1]",), {"axes": (0, 1)}),
            Sample(("f32[3,2,37]",), {"axes": (1, 2)}),
            Sample(("f32[3,37]",), {"axes": (0, 1)}),
            Sample(("f32[]",), {"axes": ()}),
        ),
        onnx=onnx,
    )
)
