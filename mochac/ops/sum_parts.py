"""sum_parts: the sum over axis 0 in ascending order, with the other axes permuted.

    y = x[0] + x[1] + ...,  axis j of y being axis axes[j] of x[p]

passes/split_sums writes it as the second stage of a sum that is split among many blocks of a GPU. Not differentiable:
it is introduced after gradients are taken.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType
from mochac.ops._typing import require_float, result


def infer(x: TensorType, *, axes: tuple[int, ...]) -> tuple[TensorType, ...]:
    require_float("the input", x)
    if sorted(axes) != list(range(len(x.shape) - 1)):
        raise OpTypeError("axes must name every axis of a part once", f"an order of {len(x.shape) - 1} axes", str(axes))
    return (result(x.dtype, tuple(x.shape[1 + a] for a in axes), False),)


def reference(x: np.ndarray, *, axes: tuple[int, ...]) -> np.ndarray:
    return np.ascontiguousarray(np.sum(x, axis=0, dtype=x.dtype).transpose(axes))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    x, axes = bound.inputs[0].type, bound.attr["axes"]
    assert isinstance(axes, tuple)
    place = {axis: i for axis, i in zip(axes, index, strict=True)}
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    with k.sum("part", x.shape[0]) as part:
        k.accum(acc, "add", k.read(bound, 0, (part, *(place[a] for a in range(len(axes))))))
    return (k.get(acc),)


register(
    Op(
        name="sum_parts",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        kind="reduce",
        tolerance=1e-5,
        samples=(
            Sample(("f32[3,2,4,5]",), {"axes": (2, 0, 1)}),
            Sample(("f32[17,37]",), {"axes": (0,)}),
            Sample(("f32[1,2,3]",), {"axes": (0, 1)}),
        ),
    )
)
