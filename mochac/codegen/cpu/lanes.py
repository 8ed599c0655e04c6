"""Lanes of the vector loops being printed: how an index varies over them, and the access pattern this makes in memory.

Two nested vector loops share one register, whose lanes count the inner loop first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.scalar import Reg


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
