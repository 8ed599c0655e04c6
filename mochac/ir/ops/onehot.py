"""onehot: class indices as rows of zeros with a one at the class.

    y[.., c, ..] = 1 if label[.., 0, ..] == c else 0

Shapes: label (N, ..., 1, ...) -> the same with extent `classes` along `axis`. A label other than 0 .. classes-1 gives a
row of zeros. No gradient. Mocha.jl src/layers/index2onehot.jl.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._rows import is_label, one_hot, require_rows
from mochac.ir.ops._typing import integer, result
from mochac.ir.types import TensorType


def infer(label: TensorType, *, axis: int, classes: int) -> tuple[TensorType, ...]:
    require_rows(label, axis)
    if label.shape[axis] != 1:
        raise OpTypeError(f"labels are one class index along axis {axis}", "extent 1", str(label.shape[axis]))
    if classes < 1:
        raise OpTypeError("there must be classes", "classes >= 1", str(classes))
    return (result(label.dtype, (*label.shape[:axis], classes, *label.shape[axis + 1 :]), label.batch, label),)


def reference(label: np.ndarray, *, axis: int, classes: int) -> np.ndarray:
    return one_hot(label, classes, axis).astype(label.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (None,)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, dtype = bound.attr["axis"], bound.inputs[0].type.dtype
    assert isinstance(axis, int)
    label = k.read(bound, 0, (*index[:axis], Index.of(0), *index[axis + 1 :]))
    return (k.call("select", is_label(k, index[axis], label, dtype), k.const(1.0, dtype), k.const(0.0, dtype)),)


def onnx(w: OnnxWriter, bound: BoundNode, label: str) -> str:
    """The classes, along their axis, compared with the label."""
    axis, rank = integer(bound, "axis"), len(bound.inputs[0].type.shape)
    classes = np.arange(integer(bound, "classes"), dtype=float).reshape([-1 if a == axis else 1 for a in range(rank)])
    return w.cast(w.node("Equal", label, w.constant(classes)), bound.outputs[0].type.dtype)


register(
    Op(
        name="onehot",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        label=0,
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,1]",), {"axis": 1, "classes": 5}, integers={0: (0, 5)}, differentiable=()),
            Sample(("f32[b3,2,1,3]",), {"axis": 2, "classes": 4}, integers={0: (-1, 5)}, differentiable=()),
            Sample(("f32[1]",), {"axis": 0, "classes": 1}, integers={0: (0, 1)}, differentiable=()),
        ),
        onnx=onnx,
    )
)
