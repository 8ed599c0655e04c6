"""Tail: the samples of a batch that do not fill a block of lanes.

conv_tail, conv_pool_tail, conv_plane_tail and conv_dw_tail extend it by what their nests need.
"""

from __future__ import annotations

from dataclasses import dataclass

TAIL = ".tail"
"""Ending of the names of the tail's loops, where there are full blocks too."""


@dataclass(frozen=True)
class Tail:
    """The samples left over by full blocks.

    Attributes:
        samples, batch, lanes: how many there are, of how many, in blocks of how many.
        image: the buffer of images they are read from.
    """

    samples: int
    batch: int
    lanes: int
    image: str

    @property
    def whole(self) -> int:
        """Samples in full blocks."""
        return self.batch - self.samples

    @property
    def suffix(self) -> str:
        """What the names of the tail's loops end in."""
        return TAIL if self.whole else ""
