"""Addresses: where in memory an access of a kernel lies, and how that varies over the lanes of a vector.

`address_of` turns a logical index into an offset in storage, as an affine form of the loop variables. This is the only
module of codegen/cpu that knows storage layouts.

`Lanes` says how an index varies over the lanes of the vector loops being printed, and the access pattern this makes.
Two nested vector loops share one register, whose lanes count the inner loop first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.index import Index
from mochac.ir.kernel import Buffer
from mochac.ir.scalar import Reg
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


@record
class Lanes:
    """The vector loops around a statement as (variable, extent), outer first; empty outside of vector loops."""

    axes: tuple[tuple[str, int], ...] = ()

    @cached_property
    def count(self) -> int:
        """Lanes of a register, 1 outside of vector loops."""
        return math.prod(n for _, n in self.axes)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The loops' variables."""
        return tuple(var for var, _ in self.axes)

    def inside(self, var: str, extent: int) -> Lanes:
        """The lanes inside one more vector loop."""
        return _lanes((*self.axes, (var, extent)))

    def offsets(self, steps: Mapping[str, int]) -> tuple[int, ...]:
        """Offset of every lane from lane 0, given the step of one iteration of each loop; () if all steps are 0.

        >>> Lanes((("b", 2), ("k", 3))).offsets({"b": 10, "k": 1})
        (0, 1, 2, 10, 11, 12)
        """
        return _offsets(tuple([(steps.get(var, 0), extent) for var, extent in self.axes])) if steps else ()


_lanes = lru_cache(maxsize=256)(Lanes)


@lru_cache(maxsize=256)
def _offsets(axes: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """As Lanes.offsets, given step and extent of each loop."""
    if not any(step for step, _ in axes):
        return ()
    offsets = [0]
    for step, extent in axes:
        offsets = [at + step * i for at in offsets for i in range(extent)]
    return tuple(offsets)


def consecutive(offsets: Sequence[int]) -> bool:
    """Whether the lanes access consecutive elements."""
    return all(o == k for k, o in enumerate(offsets))


def runs(offsets: Sequence[int]) -> int:
    """The greatest length such that the lanes fall into runs of that many consecutive elements.

    >>> runs((0, 1, 2, 3, 50, 51, 52, 53)), runs((0, 1, 0, 1)), runs((0, 0, 1, 1))
    (4, 2, 1)
    """
    size = next((k for k in range(1, len(offsets)) if offsets[k] != offsets[0] + k), len(offsets))
    whole = len(offsets) % size == 0
    if whole and all(o == offsets[k - k % size] + k % size for k, o in enumerate(offsets)):
        return size
    return 1


def every_second(offsets: Sequence[int]) -> bool:
    """Whether the lanes access every second element of a row.

    >>> every_second((0, 2, 4, 6)), every_second((0, 2, 0, 2))
    (True, False)
    """
    return len(offsets) > 1 and all(o == 2 * k for k, o in enumerate(offsets))


def repeats(offsets: Sequence[int]) -> int:
    """How many adjacent lanes share each of a row of consecutive elements; 0 for any other pattern.

    >>> repeats((0, 0, 1, 1)), repeats((0, 0, 2, 2))
    (2, 0)
    """
    size = next((k for k in range(1, len(offsets)) if offsets[k] != offsets[0]), len(offsets))
    return size if len(offsets) % size == 0 and all(o == k // size for k, o in enumerate(offsets)) else 0


def known_bits(mask: Reg | None) -> tuple[bool, ...] | None:
    """The bits of a constant mask; None for a computed or absent mask."""
    if mask is None or not mask.text.startswith("<"):
        return None
    return tuple("true" in part for part in mask.text.split(","))
