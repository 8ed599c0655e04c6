"""permute: the axes of a tensor in another order; axis k of the result is axis order[k] of x.

    y[i0, i1, ...] = x[..., i_k at axis order[k], ...]

Attributes: order, a permutation of the axes. Axis 0 of a batch-marked x stays in front. Gradient: permute by the
inverse order.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import extents, integers, result
from mochac.ir.types import TensorType


def infer(x: TensorType, *, order: tuple[int, ...]) -> tuple[TensorType, ...]:
    rank = len(x.shape)
    if sorted(order) != list(range(rank)):
        raise OpTypeError("the order must name every axis once", f"a permutation of 0 .. {rank - 1}", str(tuple(order)))
    if x.batch and order[0] != 0:
        raise OpTypeError("the batch must stay in front", "order[0] == 0", str(tuple(order)))
    return (result(x.dtype, tuple(x.shape[a] for a in order), x.batch, x),)


def reference(x: np.ndarray, *, order: tuple[int, ...]) -> np.ndarray:
    return np.ascontiguousarray(x.transpose(order))


def _inverse(bound: BoundNode) -> tuple[int, ...]:
    """The axis of the result that each axis of x becomes."""
    order = bound.attr["order"]
    assert isinstance(order, tuple)
    return tuple(order.index(a) for a in range(len(order)))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("permute", ct, order=_inverse(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return (k.read(bound, 0, tuple(index[a] for a in _inverse(bound))),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return w.node("Transpose", x, perm=list(integers(bound, "order")))


def lifted(attrs: dict[str, Attr], n: int) -> dict[str, Attr]:
    return {"order": (0, *(a + 1 for a in extents(attrs["order"])))}


register(
    Op(
        name="permute",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
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
        onnx=onnx,
    )
)
