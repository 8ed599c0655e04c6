"""shift_digit: split an offset into steps of `stride` and a rest, for shift.

    digit = min(most, offset // stride);  rest = offset - stride * digit

Shapes: offset i32 (N,) or () -> digit, rest of the same type. For offsets 0 .. R with stride - 1 <= R - stride * most,
the rest is in 0 .. R - stride * most. So nothing is read outside a tensor that is R longer than the result. No
gradient.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._shift import require_offset, require_steps
from mochac.ir.types import TensorType


def infer(offset: TensorType, *, stride: int, most: int) -> tuple[TensorType, ...]:
    require_offset(offset)
    require_steps(stride, most)
    return offset, offset


def reference(offset: np.ndarray, *, stride: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    digit = np.minimum(most, offset // stride).astype(offset.dtype)
    return digit, (offset - stride * digit).astype(offset.dtype)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    stride, most = bound.attr["stride"], bound.attr["most"]
    assert isinstance(stride, int) and isinstance(most, int)
    offset, digit = k.read(bound, 0, index), k.const(0, "i32")
    for step in range(1, most + 1):
        reached = k.call("ge", offset, k.const(stride * step, "i32"))
        digit = k.call("select", reached, k.const(step, "i32"), digit)
    return digit, k.call("sub", offset, k.call("mul", k.const(stride, "i32"), digit))


register(
    Op(
        name="shift_digit",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        tolerance=0.0,
        samples=(
            Sample(("i32[b17]",), {"stride": 5, "most": 5}, integers={0: (0, 30)}),
            Sample(("i32[]",), {"stride": 1, "most": 4}, integers={0: (0, 5)}),
        ),
    )
)
