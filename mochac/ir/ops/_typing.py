"""Checks of operand types and attributes that operations share, and boxes and elements in row-major order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from mochac.ir.bfloat16 import unpaired
from mochac.ir.graph import Attr, BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.ir.types import DTYPES, FLOATS, PAIRS, TensorType


def result(dtype: str, shape: tuple[int, ...], batch: bool, *operands: TensorType) -> TensorType:
    """A result type; if batch-marked, it has the lanes of the first batch-marked operand.

    >>> x = TensorType("f32", (64, 3), batch=True, lanes=16)
    >>> print(result("f32", (64,), True, x), result("f32", (3,), False, x))
    f32[b64] blocked(16) f32[3]
    """
    lanes = next((t.lanes for t in operands if t.batch), 0) if batch else 0
    return TensorType(dtype, shape, batch, lanes)


def unchanged(x: np.ndarray, *operands: np.ndarray, **attrs: object) -> np.ndarray:
    """The reference of an op whose result has the elements of its first operand."""
    return x


def onnx_unchanged(w: OnnxWriter, bound: BoundNode, x: str, *operands: str) -> str:
    """Such an op in ONNX: nothing."""
    return x


def copied(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    """The elements of such an op."""
    return (k.read(bound, 0, index),)


def require_rank(what: str, t: TensorType, rank: int, axes: str) -> None:
    """Check the number of axes."""
    if len(t.shape) != rank:
        raise OpTypeError(f"{what} must have {rank} axes ({axes})", f"{rank} axes ({axes})", str(t))


def require_extents(what: str, t: TensorType, rule: str) -> None:
    """Check that no axis is empty, for ops that are not defined on empty tensors."""
    if any(d < 1 for d in t.shape):
        raise OpTypeError(rule, f"{what} with every extent >= 1", str(t))


def require_float(what: str, t: TensorType) -> None:
    """Check that the dtype is f32 or f64."""
    if t.dtype not in FLOATS:
        raise OpTypeError(f"{what} must be floating point", "f32 or f64", str(t), "convert it with cast")


def require_factor(what: str, t: TensorType) -> None:
    """Check that a factor of a contraction is floating point, or consists of pairs of bfloat16."""
    if t.dtype != PAIRS:
        require_float(what, t)


def require_bias(t: TensorType, factor: TensorType) -> None:
    """Check that a bias has the element type of the sums that it is added to."""
    if t.dtype != sum_dtype(factor):
        raise OpTypeError("the bias must have the element type of the sums", sum_dtype(factor), t.dtype)


def require_same_dtype(first: tuple[str, TensorType], *others: tuple[str, TensorType]) -> None:
    """Check that all operands have the same dtype; each is (name, type)."""
    name, t = first
    for other, u in others:
        if u.dtype != t.dtype:
            raise OpTypeError(f"{other} must have the element type of {name}", t.dtype, u.dtype)


def require_shape(what: str, t: TensorType, shape: tuple[int, ...], why: str, hint: str = "") -> None:
    """Check the shape of an operand; `why` is the rule that it would break."""
    if t.shape != tuple(shape):
        raise OpTypeError(why, f"{what} {dims(shape)}", dims(t.shape), hint)


def sum_dtype(factor: TensorType) -> str:
    """Element type of the sums of products of a factor.

    >>> sum_dtype(TensorType("f64", (3,))), sum_dtype(TensorType("bf16x2", (3,)))
    ('f64', 'f32')
    """
    return "f32" if factor.dtype == PAIRS else factor.dtype


def multiply_add(factor: TensorType) -> str:
    """The row of the scalar table that adds a product of elements of a factor to a sum."""
    return "dot2" if factor.dtype == PAIRS else "fma"


def factors(*operands: tuple[np.ndarray, int]) -> tuple[np.ndarray, ...]:
    """Arrays of factors for a reference: pairs along the given axis are taken apart."""
    return tuple(unpaired(a, axis) if a.dtype == DTYPES[PAIRS] else a for a, axis in operands)


def require_dtype_name(dtype: str) -> None:
    """Check that an attribute is the name of a dtype."""
    if dtype not in DTYPES:
        raise OpTypeError("unknown element type", " ".join(DTYPES), dtype)


def dims(shape: tuple[int, ...]) -> str:
    """A shape as users write it.

    >>> dims((20,)), dims(())
    ('(20,)', '()')
    """
    return str(tuple(int(d) for d in shape))


def extents(attr: Attr) -> tuple[int, ...]:
    """An attribute that is a tuple of integers."""
    assert isinstance(attr, tuple)
    return tuple(n for n in attr if isinstance(n, int))


def integer(bound: BoundNode, name: str, default: int | None = None) -> int:
    """An integer attribute of a node."""
    value = bound.attr.get(name, default)
    assert isinstance(value, int)
    return value


def real(bound: BoundNode, name: str, default: float | None = None) -> float:
    """An attribute of a node that is a number."""
    value = bound.attr.get(name, default)
    assert isinstance(value, (int, float))
    return float(value)


def integers(bound: BoundNode, name: str) -> tuple[int, ...]:
    """An attribute of a node that is a tuple of integers."""
    return extents(bound.attr[name])


def attrs_of(bound: BoundNode, *dropped: str) -> dict[str, Any]:
    """A node's attributes without some of them, to make the node of its gradient."""
    return {name: value for name, value in bound.attr.items() if name not in dropped}


Shape = tuple[int, ...]


def require_box(start: Shape, inner: Shape, outer: Shape, batch: bool) -> None:
    """Check that a box `inner` lies inside `outer` at `start` and contains the whole batch."""
    if not len(start) == len(inner) == len(outer):
        raise OpTypeError("a box has one offset and one extent per axis", f"{len(outer)} axes", dims(start))
    if any(s < 0 or s + n > size for s, n, size in zip(start, inner, outer, strict=True)):
        raise OpTypeError("the box must lie inside", dims(outer), f"{dims(inner)} at {dims(start)}")
    if batch and inner[0] != outer[0]:
        raise OpTypeError("a box must contain all samples", f"{outer[0]} samples", str(inner[0]))


@contextmanager
def each_element(k: KernelBuilder, shape: tuple[int, ...]) -> Iterator[tuple[tuple[Index, ...], Index]]:
    """Open a loop for each axis; yields the index of an element, and its place among all."""
    with ExitStack() as loops:
        index = tuple(loops.enter_context(k.each(f"a{axis}", extent)) for axis, extent in enumerate(shape))
        flat = Index.of(0)
        for i, extent in zip(index, shape, strict=True):
            flat = flat * extent + i
        yield index, flat
