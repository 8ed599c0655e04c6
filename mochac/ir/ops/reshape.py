"""Other axes for the same elements: reshape, permute and the layout in memory.

reshape: the same storage with another shape.

Batch mark and layout are kept if the extent of axis 0 is; otherwise x must have natural layout. Attribute: batch=True
marks axis 0 of the result as the batch, for a value whose rows are several for every sample, in order.

permute: the axes of a tensor in another order; axis k of the result is axis order[k] of x.

    y[i0, i1, ...] = x[..., i_k at axis order[k], ...]

Attributes: order, a permutation of the axes. Axis 0 of a batch-marked x stays in front. Gradient: permute by the
inverse order.

relayout: change the layout to natural (lanes 0) or batch-blocked (lanes L); the values stay.

Padding lanes of the last block are copies of a real sample or any finite number; nothing may depend on them.
`batch=False` also drops the batch mark, for values whose axis 0 only happens to have the extent of the batch.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import Alias, KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import copied, dims, extents, integers, onnx_unchanged, result, unchanged
from mochac.ir.types import TensorType


def infer(x: TensorType, *, shape: tuple[int, ...], batch: bool = False) -> tuple[TensorType, ...]:
    kept = x.batch and bool(shape) and shape[0] == x.shape[0]
    y = TensorType(x.dtype, tuple(shape), kept or batch, x.lanes if kept else 0)
    if batch and (not shape or x.shape[:1] < shape[:1]):
        raise OpTypeError("a batch has as many rows as samples, or more", f"{dims(x.shape)} or less", dims(shape))
    if y.elems != x.elems:
        raise OpTypeError("a reshape keeps the number of elements", f"{x.elems} elements", f"{dims(y.shape)}")
    if x.lanes and not kept:
        raise OpTypeError("a blocked value keeps its batch axis", f"axis 0 of {x.shape[0]}, or a relayout", str(y))
    return (y,)


def reference(x: np.ndarray, *, shape: tuple[int, ...], batch: bool = False) -> np.ndarray:
    return x.reshape(shape)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x, y = bound.inputs[0].type, bound.outputs[0].type
    if x.batch and not y.batch:
        return (b.op("reshape", ct, shape=x.shape, batch=True),)
    return (b.op("reshape", ct, shape=x.shape),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """Nothing or Flatten where that is enough, else Reshape."""
    before, after = bound.inputs[0].type.shape, bound.outputs[0].type
    if before == after.shape:
        return x
    if len(after.shape) == 2 and before[:1] == after.shape[:1]:
        return w.node("Flatten", x)
    return w.node("Reshape", x, w.extents(after, x))


register(
    Op(
        name="reshape",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Alias(),
        lifted=lambda attrs, n: {"shape": (n, *extents(attrs["shape"]))},
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,5]",), {"shape": (3, 10)}),
            Sample(("f32[4,1]",), {"shape": (2, 2, 1)}),
            Sample(("f32[1]",), {"shape": ()}),
            Sample(("f32[6,5]",), {"shape": (3, 2, 5), "batch": True}),
        ),
        onnx=onnx,
    )
)


def infer_permute(x: TensorType, *, order: tuple[int, ...]) -> tuple[TensorType, ...]:
    rank = len(x.shape)
    if sorted(order) != list(range(rank)):
        raise OpTypeError("the order must name every axis once", f"a permutation of 0 .. {rank - 1}", str(tuple(order)))
    if x.batch and order[0] != 0:
        raise OpTypeError("the batch must stay in front", "order[0] == 0", str(tuple(order)))
    return (result(x.dtype, tuple(x.shape[a] for a in order), x.batch, x),)


def reference_permute(x: np.ndarray, *, order: tuple[int, ...]) -> np.ndarray:
    return np.ascontiguousarray(x.transpose(order))


def _inverse(bound: BoundNode) -> tuple[int, ...]:
    """The axis of the result that each axis of x becomes."""
    order = integers(bound, "order")
    return tuple(order.index(a) for a in range(len(order)))


def vjp_permute(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("permute", ct, order=_inverse(bound)),)


def lower_permute(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return (k.read(bound, 0, tuple(index[a] for a in _inverse(bound))),)


def onnx_permute(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.node("Transpose", x, perm=list(integers(bound, "order")))


def lifted(attrs: dict[str, Attr], n: int) -> dict[str, Attr]:
    return {"order": (0, *(a + 1 for a in extents(attrs["order"])))}


register(
    Op(
        name="permute",
        infer=infer_permute,
        reference=reference_permute,
        vjp=vjp_permute,
        lower=Pointwise(lower_permute),
        lifted=lifted,
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2,5,4]",), {"order": (0, 2, 3, 1)}),
            Sample(("f32[b17,3,2]",), {"order": (0, 2, 1)}),
            Sample(("f32[4,3,2]",), {"order": (2, 0, 1)}),
            Sample(("f32[b2,3]",), {"order": (0, 1)}),
        ),
        onnx=onnx_permute,
    )
)


def infer_relayout(x: TensorType, *, lanes: int, batch: bool = True) -> tuple[TensorType, ...]:
    if lanes and not (x.batch and batch):
        raise OpTypeError("only batch values can be blocked", "a batch value", str(x))
    return (TensorType(x.dtype, x.shape, x.batch and batch, lanes),)


def vjp_relayout(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x = bound.inputs[0].type
    return (ct if ct.type.lanes == x.lanes else b.op("relayout", ct, lanes=x.lanes),)


register(
    Op(
        name="relayout",
        infer=infer_relayout,
        reference=unchanged,
        vjp=vjp_relayout,
        lower=Pointwise(copied),
        kind="shape",
        alone="a change of layout is a kernel of its own",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b5,3]",), {"lanes": 4}),
            Sample(("f32[b5,3] blocked(4)",), {"lanes": 0}),
            Sample(("f32[b17,1,2] blocked(16)",), {"lanes": 8}),
            Sample(("f32[b4,3]",), {"lanes": 0, "batch": False}),
        ),
        onnx=onnx_unchanged,
    )
)
