"""pad: put a tensor into a larger tensor of zeros, or of another number.

    y[i0, i1, ...] = x[i0 - start0, i1 - start1, ...] inside x, `value` elsewhere

Attributes: start, one offset per axis; shape, the extents of the result, into which x must fit. Axis 0 of a
batch-marked x is not padded: start[0] is 0 and shape[0] is the batch size; value, 0 by default. Gradient: slice.
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
from mochac.ir.types import DTYPES, TensorType


def infer(x: TensorType, *, start: tuple[int, ...], shape: tuple[int, ...], value: float = 0) -> tuple[TensorType, ...]:
    require_box(tuple(start), x.shape, tuple(shape), x.batch)
    return (result(x.dtype, tuple(shape), x.batch, x),)


def reference(x: np.ndarray, *, start: tuple[int, ...], shape: tuple[int, ...], value: float = 0) -> np.ndarray:
    y = np.full(shape, value, x.dtype)
    y[tuple(slice(s, s + d) for s, d in zip(start, x.shape, strict=True))] = x
    return y


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("slice", ct, start=offsets(bound), shape=bound.inputs[0].type.shape),)


def _value(bound: BoundNode) -> float | int:
    """What surrounds x, as a literal of its dtype."""
    value, dtype = bound.attr.get("value", 0), DTYPES[bound.inputs[0].type.dtype]
    assert isinstance(value, (int, float))
    return float(value) if dtype.kind == "f" and value else int(value)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    x, y = bound.inputs[0].type, bound.outputs[0].type
    inside = tuple(i - s for i, s in zip(index, offsets(bound), strict=True))
    guards: list[Index] = []
    for i, s, size, whole in zip(inside, offsets(bound), x.shape, y.shape, strict=True):
        guards += [i] if s else []
        guards += [size - 1 - i] if s + size < whole else []
    picked = k.local("picked", y.dtype, k.const(_value(bound), y.dtype))
    with k.where(*guards):
        k.set(picked, k.read(bound, 0, inside))
    return (k.get(picked),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    start, given, made = offsets(bound), bound.inputs[0].type.shape, bound.outputs[0].type.shape
    behind = [whole - s - size for whole, s, size in zip(made, start, given, strict=True)]
    value = _value(bound)
    with_value = (w.constant(np.asarray(value, DTYPES[bound.inputs[0].type.dtype])),) if value else ()
    return w.node("Pad", x, w.integers([*start, *behind]), *with_value)


register(
    Op(
        name="pad",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,4,3]",), {"start": (0, 0, 2, 1), "shape": (3, 2, 7, 5)}),
            Sample(("f32[b17,1]",), {"start": (0, 5), "shape": (17, 6)}),
            Sample(("f32[3,3]",), {"start": (2, 0), "shape": (5, 3)}),
            Sample(("f32[b2,3]",), {"start": (0, 0), "shape": (2, 3)}),
            Sample(("f32[b2,3]",), {"start": (0, 1), "shape": (2, 5), "value": 1.5}),
            Sample(("u8[b2,3,4]",), {"start": (0, 1, 0), "shape": (2, 5, 8), "value": 7}, integers={0: (0, 256)}),
        ),
        onnx=onnx,
    )
)
