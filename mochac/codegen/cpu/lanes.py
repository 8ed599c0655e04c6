"""Lanes of the vector loops being printed: how an index moves along them, and which shapes that makes in memory.

The statement printer keeps one `Lanes`, loads and stores ask what pattern of elements they touch. Two nested vector
loops are one register whose lanes count the inner loop first. It emits no text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mochac.ir.scalar import Reg


@dataclass(frozen=True, slots=True)
class Lanes:
    """Vector loops around a statement as (variable, extent), outer first; none outside of them."""

    axes: tuple[tuple[str, int], ...] = ()

    @property
    def count(self) -> int:
        """Lanes of a register, 1 outside of vector loops."""
        return math.prod(n for _, n in self.axes)

    @property
    def names(self) -> tuple[str, ...]:
        """The loops' variables."""
        return tuple(var for var, _ in self.axes)

    def inside(self, var: str, extent: int) -> Lanes:
        """The lanes of a vector loop inside these."""
        return Lanes((*self.axes, (var, extent)))

    def offsets(self, steps: Mapping[str, int]) -> tuple[int, ...]:
        """From lane 0 to every lane, when one iteration of each loop makes so many steps; () when none makes any.

        >>> Lanes((("b", 2), ("k", 3))).offsets({"b": 10, "k": 1})
        (0, 1, 2, 10, 11, 12)
        """
        if not any(steps.get(var) for var in self.names):
            return ()
        offsets = [0]
        for var, extent in self.axes:
            offsets = [at + steps.get(var, 0) * i for at in offsets for i in range(extent)]
        return tuple(offsets)


def consecutive(offsets: Sequence[int]) -> bool:
    """Whether lanes lie side by side."""
    return all(o == k for k, o in enumerate(offsets))


def runs(offsets: Sequence[int]) -> int:
    """Length of the equal runs of consecutive elements that the lanes fall into, as long as possible.

    >>> runs((0, 1, 2, 3, 50, 51, 52, 53)), runs((0, 1, 0, 1)), runs((0, 0, 1, 1))
    (4, 2, 1)
    """
    size = next((k for k in range(1, len(offsets)) if offsets[k] != offsets[0] + k), len(offsets))
    whole = len(offsets) % size == 0
    if whole and all(o == offsets[k - k % size] + k % size for k, o in enumerate(offsets)):
        return size
    return 1


def repeats(offsets: Sequence[int]) -> int:
    """How many lanes in a row share each of consecutive elements, 0 if they do not lie that way.

    >>> repeats((0, 0, 1, 1)), repeats((0, 0, 2, 2))
    (2, 0)
    """
    size = next((k for k in range(1, len(offsets)) if offsets[k] != offsets[0]), len(offsets))
    return size if len(offsets) % size == 0 and all(o == k // size for k, o in enumerate(offsets)) else 0


def known_bits(mask: Reg | None) -> tuple[bool, ...] | None:
    """The lanes of a constant mask; None for one that is computed or absent."""
    if mask is None or not mask.text.startswith("<"):
        return None
    return tuple("true" in part for part in mask.text.split(","))
