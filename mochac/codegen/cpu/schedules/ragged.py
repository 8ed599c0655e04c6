"""LastBlock: the samples of a batch that fill no whole block of lanes, as every ragged rule describes them.

conv_ragged, conv_pool_ragged, conv_plane_ragged and conv_dw_ragged extend it by what their nests need. It writes no
steps.
"""

from __future__ import annotations

from dataclasses import dataclass

REST = ".rest"
"""Ending of the names of the last block's loops, where full blocks stand beside it."""


@dataclass(frozen=True)
class LastBlock:
    """Samples of the last block.

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
        """What the names of the last block's loops end in."""
        return REST if self.whole else ""
