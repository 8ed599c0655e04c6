"""Addresses: from a logical index to an offset in storage, as an affine form of the loop variables.

This is the only module of codegen/cpu that knows storage layouts.
"""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Buffer
from mochac.ir.types import TensorType


@record(slots=True)
class Address:
    """Element offset const + sum(coefficient * variable).

    If `block_index` is set, it is a batch index that has to be split into block and lane at run time, with
    `block_stride` elements from one block of `lanes` samples to the next.
    """

    terms: tuple[tuple[str, int], ...]
    const: int
    block_index: Index | None = None
    block_stride: int = 0
    lanes: int = 0


def strides(type: TensorType) -> tuple[int, ...]:
    """Elements between neighbours along each axis. For blocked storage, axis 0 counts single lanes.

    >>> strides(TensorType("f32", (4, 3, 2)))
    (6, 2, 1)
    >>> strides(TensorType("f32", (32, 3, 2), batch=True, lanes=16))
    (1, 32, 16)
    """
    steps: list[int] = []
    step = type.lanes or 1
    for extent in reversed(type.shape[1:] if type.lanes else type.shape):
        steps.append(step)
        step *= extent
    if type.lanes:
        steps.append(1)
    return tuple(reversed(steps))


def block_elems(type: TensorType) -> int:
    """Elements from one block of `lanes` samples to the next."""
    n = type.lanes
    for extent in type.shape[1:]:
        n *= extent
    return n


def address_of(buffer: Buffer, index: tuple[Index, ...], ranges: dict[str, tuple[int, int]]) -> Address:
    """Address of buffer[index], given the inclusive ranges of the enclosing loop variables."""
    type = buffer.type
    steps = strides(type)
    total = Index()
    for axis, (i, step) in enumerate(zip(index, steps, strict=True)):
        if axis == 0 and type.lanes:
            continue
        total = total + i * step
    if not type.lanes:
        return Address(total.terms, total.const)
    lanes, stride = type.lanes, block_elems(type)
    whole, rest = index[0].divided(lanes)
    inside = rest.bounds(ranges)
    if inside is not None and 0 <= inside[0] and inside[1] < lanes:
        total = total + whole * stride + rest
        return Address(total.terms, total.const)
    return Address(total.terms, total.const, index[0], stride, lanes)
