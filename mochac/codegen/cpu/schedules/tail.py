"""Tail: the samples of a batch that do not fill a block of lanes.

conv_dw_tail extends it with what its nests need.
"""

from __future__ import annotations

from dataclasses import dataclass

TAIL = ".tail"
"""Suffix of the names of the tail's loops, if there are full blocks too."""


@dataclass(frozen=True)
class Tail:
    """The samples that the full blocks leave over.

    Attributes:
        samples, batch, lanes: their number, the batch size, and the size of a block.
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
        """Suffix of the names of the tail's loops."""
        return TAIL if self.whole else ""
