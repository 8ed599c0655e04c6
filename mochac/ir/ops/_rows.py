"""Rows: the lines of a tensor along one axis (the classes), for softmax, the losses and accuracy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.op import OpTypeError
from mochac.ir.ops._typing import require_extents, require_float, require_same_dtype, require_shape
from mochac.ir.types import TensorType

At = Callable[[Index], tuple[Index, ...]]


def require_rows(x: TensorType, axis: int) -> None:
    """Check that x has classes along `axis`."""
    require_float("the prediction", x)
    least = 1 if x.batch else 0
    if not isinstance(axis, int) or not least <= axis < len(x.shape):
        raise OpTypeError("the class axis must exist and not be the batch", f"axis >= {least} of {x}", str(axis))
    require_extents("prediction", x, "an empty prediction has no classes")


def require_label(x: TensorType, label: TensorType, axis: int) -> None:
    """Check that there is one class index per position."""
    shape = tuple(1 if a == axis else d for a, d in enumerate(x.shape))
    require_same_dtype(("the prediction", x), ("the label", label))
    require_shape("label", label, shape, "labels must be one class index per position", _label_hint(x, label, axis))


def _label_hint(x: TensorType, label: TensorType, axis: int) -> str:
    classes = x.shape[axis]
    if label.shape == x.shape and classes > 1:
        return f"number the classes: label.argmax(axis={axis}); SoftlabelSoftmaxLossLayer takes a probability for each"
    short = tuple(d for d in label.shape if d > 1)
    fits = [a for a in range(1, len(x.shape)) if short == tuple(d for d in without(x.shape, a) if d > 1)]
    if axis not in fits and len(fits) == 1:
        return f"axis={fits[0]}, if that is the axis of the classes"
    swapped = classes == 1 and len(label.shape) == len(x.shape) and label.shape[axis] > 1
    return "the prediction comes first: bottoms=[prediction, label]" if swapped else ""


def rows_loss_vjp(
    b: GraphBuilder, bound: BoundNode, dloss: Value | None, dgrad: Value | None
) -> tuple[Value | None, ...]:
    """Gradient of an op that returns losses and, computed in the same loops, their gradient by the prediction."""
    if dgrad is not None:
        raise NotImplementedError(f"{bound.node.op}: its gradient output has no gradient of its own")
    grad, axis = bound.outputs[1], bound.attr["axis"]
    kept = tuple(a for a in range(len(grad.type.shape)) if a != axis)
    assert dloss is not None
    spread = b.op("broadcast", dloss, shape=grad.type.shape, axes=kept, batch=grad.type.batch)
    return b.op("mul", grad, spread), None


def without(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """A shape without one axis."""
    return shape[:axis] + shape[axis + 1 :]


@contextmanager
def row_loops(k: KernelBuilder, shape: tuple[int, ...], axis: int) -> Iterator[tuple[tuple[Index, ...], At]]:
    """Loops n, s1, s2, ... over all axes but `axis`; yields their indices and a function class index -> full index."""
    with ExitStack() as loops:
        rest = tuple(
            loops.enter_context(k.each("n" if i == 0 else f"s{i}", d)) for i, d in enumerate(without(shape, axis))
        )
        yield rest, lambda c: (*rest[:axis], c, *rest[axis:])


def one_hot(label: np.ndarray, classes: int, axis: int) -> np.ndarray:
    """True where the class index equals the label (extent 1 along `axis`).

    >>> one_hot(np.array([[2.0], [0.0]]), 3, 1).astype(int).tolist()
    [[0, 0, 1], [1, 0, 0]]
    """
    numbers = np.arange(classes).reshape([-1 if a == axis else 1 for a in range(label.ndim)])
    return label == numbers


def is_label(k: KernelBuilder, c: Index, label: Operand, dtype: str) -> Operand:
    """Whether class index c equals the label. Labels are only compared, never used as an address."""
    return k.call("eq", k.call("to_" + dtype, c), label)


def shifted_sum(k: KernelBuilder, read: Callable[[Index], Operand], classes: int, dtype: str) -> tuple[str, str]:
    """(largest, total): the maximum of the row, and the sum of exp(x - largest), which cannot overflow."""
    largest = k.local("largest", dtype, k.const(-np.inf, dtype))
    with k.sum("c", classes) as c:
        k.accum(largest, "max", read(c))
    most, total = k.get(largest), k.local("total", dtype, k.const(0.0, dtype))
    with k.sum("c", classes) as c:
        k.accum(total, "add", k.call("exp", k.call("sub", read(c), most)))
    return most, k.get(total)
