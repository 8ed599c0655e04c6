"""A window whose position along one axis is chosen at run time, per sample; its gradient; mirrored samples.

Kernels can read only at affine indices, not at computed positions. So they read all possible positions and select.

shift: a window along one axis, with a number of steps to its start per sample.

    y[n, .., i, ..] = x[n, .., i + stride * digit[n], ..]

Shapes: x (N, ..), digit i32 (N,) or () in 0 .. most -> x with stride * most fewer elements along `axis`. All most + 1
positions are read and one is selected, so `most` should be small; for long distances, combine several shifts (see
shift_digit). Gradient: shift_dx.

shift_dx: gradient of shift with respect to its input: dy put back where the window was, zeros elsewhere.

    dx[n, .., j, ..] = dy[n, .., j - stride * digit[n], ..] inside dy, 0 elsewhere

Shapes: dy (N, ..), digit i32 (N,) or () in 0 .. most -> dy with stride * most more elements along `axis`.
Gradient: shift.

shift_digit: split an offset into steps of `stride` and a rest, for shift.

    digit = min(most, offset // stride);  rest = offset - stride * digit

Shapes: offset i32 (N,) or () -> digit, rest of the same type. For offsets 0 .. R with stride - 1 <= R - stride * most,
the rest is in 0 .. R - stride * most. So nothing is read outside a tensor that is R longer than the result. No
gradient.

mirror: reverse one axis in the samples whose flag is 1.

    y[n, .., i, ..] = flag[n] ? x[n, .., extent - 1 - i, ..] : x[n, .., i, ..]

Shapes: x (N, ..), flag i32 (N,) or (), with values 0 or 1 -> like x. Gradient: mirror.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import attrs_of, integer, result
from mochac.ir.types import TensorType


def require_offset(offset: TensorType) -> None:
    """Check that there is one integer per sample, or one for all samples."""
    if offset.dtype != "i32" or len(offset.shape) > 1 or (bool(offset.shape) != offset.batch):
        raise OpTypeError("an offset must be one integer per sample, or one for all", "i32[bN] or i32[]", str(offset))


def require_steps(stride: int, most: int) -> None:
    """Check the stride and the largest number of steps."""
    if stride < 1 or most < 1:
        raise OpTypeError(
            "stride and most must be positive", "stride >= 1 and most >= 1", f"stride {stride}, most {most}"
        )


def require_axis(x: TensorType, offset: TensorType, axis: int) -> None:
    """Check that the axis exists and is not the batch, and that the offsets are of the same batch."""
    require_offset(offset)
    if not 1 <= axis < len(x.shape) or not x.batch:
        raise OpTypeError(
            "a shift needs a batch and an axis other than the batch", f"1 <= axis < {len(x.shape)}", str(axis)
        )
    if offset.shape and offset.shape[0] != x.shape[0]:
        raise OpTypeError("there must be one offset per sample", f"i32[b{x.shape[0]}]", str(offset))


def digit(k: KernelBuilder, bound: BoundNode, sample: Index) -> Operand:
    """The offset (operand 1) of a sample."""
    return k.read(bound, 1, (sample,) if bound.inputs[1].type.shape else ())


def moved(index: tuple[Index, ...], axis: int, to: Index) -> tuple[Index, ...]:
    """`index` with another position along `axis`."""
    return (*index[:axis], to, *index[axis + 1 :])


def infer(x: TensorType, digit: TensorType, *, axis: int, stride: int, most: int) -> tuple[TensorType, ...]:
    require_axis(x, digit, axis)
    require_steps(stride, most)
    left = x.shape[axis] - stride * most
    if left < 1:
        raise OpTypeError("the axis is too short for the shift", f"more than {stride * most}", str(x.shape[axis]))
    return (result(x.dtype, (*x.shape[:axis], left, *x.shape[axis + 1 :]), x.batch, x),)


def reference(x: np.ndarray, digit: np.ndarray, *, axis: int, stride: int, most: int) -> np.ndarray:
    left = x.shape[axis] - stride * most
    begins = np.broadcast_to(stride * digit, x.shape[:1])
    rows = [np.take(row, np.arange(b, b + left), axis=axis - 1) for row, b in zip(x, begins, strict=True)]
    return np.stack(rows)


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("shift_dx", ct, bound.inputs[1], **attrs_of(bound)), None


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, stride = integer(bound, "axis"), integer(bound, "stride")
    wanted, chosen = digit(k, bound, index[0]), k.read(bound, 0, index)
    for step in range(1, integer(bound, "most") + 1):
        there = k.read(bound, 0, moved(index, axis, index[axis] + stride * step))
        chosen = k.call("select", k.call("eq", wanted, k.const(step, "i32")), there, chosen)
    return (chosen,)


register(
    Op(
        name="shift",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,2,7,3]", "i32[b17]"), {"axis": 2, "stride": 1, "most": 4}, integers={1: (0, 5)}),
            Sample(("f32[b3,2,9]", "i32[b3]"), {"axis": 2, "stride": 3, "most": 2}, integers={1: (0, 3)}),
            Sample(("f32[b2,5]", "i32[]"), {"axis": 1, "stride": 1, "most": 1}, integers={1: (0, 2)}),
        ),
    )
)


def infer_dx(dy: TensorType, digit: TensorType, *, axis: int, stride: int, most: int) -> tuple[TensorType, ...]:
    require_axis(dy, digit, axis)
    require_steps(stride, most)
    whole = dy.shape[axis] + stride * most
    return (result(dy.dtype, (*dy.shape[:axis], whole, *dy.shape[axis + 1 :]), dy.batch, dy),)


def reference_dx(dy: np.ndarray, digit: np.ndarray, *, axis: int, stride: int, most: int) -> np.ndarray:
    whole = dy.shape[axis] + stride * most
    dx = np.zeros((*dy.shape[:axis], whole, *dy.shape[axis + 1 :]), dy.dtype)
    begins = np.broadcast_to(stride * digit, dy.shape[:1])
    for to, row, b in zip(dx, dy, begins, strict=True):
        np.moveaxis(to, axis - 1, 0)[b : b + dy.shape[axis]] = np.moveaxis(row, axis - 1, 0)
    return dx


def vjp_dx(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("shift", ct, bound.inputs[1], **attrs_of(bound)), None


def lower_dx(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis, dy = integer(bound, "axis"), bound.inputs[0].type
    wanted, zero = digit(k, bound, index[0]), k.const(0, dy.dtype)
    chosen = k.local("chosen", dy.dtype, zero)
    for step in range(integer(bound, "most") + 1):
        place = index[axis] - integer(bound, "stride") * step
        with k.where(place, dy.shape[axis] - 1 - place):
            there = k.read(bound, 0, moved(index, axis, place))
            k.set(chosen, k.call("select", k.call("eq", wanted, k.const(step, "i32")), there, k.get(chosen)))
    return (k.get(chosen),)


register(
    Op(
        name="shift_dx",
        infer=infer_dx,
        reference=reference_dx,
        vjp=vjp_dx,
        lower=Pointwise(lower_dx),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,2,3,3]", "i32[b17]"), {"axis": 2, "stride": 1, "most": 4}, integers={1: (0, 5)}),
            Sample(("f32[b3,2,3]", "i32[b3]"), {"axis": 2, "stride": 3, "most": 2}, integers={1: (0, 3)}),
            Sample(("f32[b2,4]", "i32[]"), {"axis": 1, "stride": 1, "most": 1}, integers={1: (0, 2)}),
        ),
    )
)


def infer_digit(offset: TensorType, *, stride: int, most: int) -> tuple[TensorType, ...]:
    require_offset(offset)
    require_steps(stride, most)
    return offset, offset


def reference_digit(offset: np.ndarray, *, stride: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    digit = np.minimum(most, offset // stride).astype(offset.dtype)
    return digit, (offset - stride * digit).astype(offset.dtype)


def lower_digit(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    stride, most = integer(bound, "stride"), integer(bound, "most")
    offset, digit = k.read(bound, 0, index), k.const(0, "i32")
    for step in range(1, most + 1):
        reached = k.call("ge", offset, k.const(stride * step, "i32"))
        digit = k.call("select", reached, k.const(step, "i32"), digit)
    return digit, k.call("sub", offset, k.call("mul", k.const(stride, "i32"), digit))


register(
    Op(
        name="shift_digit",
        infer=infer_digit,
        reference=reference_digit,
        lower=Pointwise(lower_digit),
        tolerance=0.0,
        samples=(
            Sample(("i32[b17]",), {"stride": 5, "most": 5}, integers={0: (0, 30)}),
            Sample(("i32[]",), {"stride": 1, "most": 4}, integers={0: (0, 5)}),
        ),
    )
)


def infer_mirror(x: TensorType, flag: TensorType, *, axis: int) -> tuple[TensorType, ...]:
    require_axis(x, flag, axis)
    return (x,)


def reference_mirror(x: np.ndarray, flag: np.ndarray, *, axis: int) -> np.ndarray:
    turned = np.broadcast_to(flag, x.shape[:1]).reshape(-1, *[1] * (x.ndim - 1)) != 0
    return np.where(turned, np.flip(x, axis), x)


def vjp_mirror(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return b.op("mirror", ct, bound.inputs[1], **attrs_of(bound)), None


def lower_mirror(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    axis = integer(bound, "axis")
    back = moved(index, axis, bound.inputs[0].type.shape[axis] - 1 - index[axis])
    turned = k.call("ne", digit(k, bound, index[0]), k.const(0, "i32"))
    return (k.call("select", turned, k.read(bound, 0, back), k.read(bound, 0, index)),)


register(
    Op(
        name="mirror",
        infer=infer_mirror,
        reference=reference_mirror,
        vjp=vjp_mirror,
        lower=Pointwise(lower_mirror),
        kind="shape",
        tolerance=0.0,
        samples=(
            Sample(("f32[b17,2,3,5]", "i32[b17]"), {"axis": 3}, integers={1: (0, 2)}),
            Sample(("f32[b3,4]", "i32[]"), {"axis": 1}, integers={1: (0, 2)}),
            Sample(("f32[b1,1,2]", "i32[b1]"), {"axis": 2}, integers={1: (1, 2)}),
        ),
    )
)
