"""Tail: the samples of a batch that fill no whole block of lanes, as every rule about tails describes them.

conv_tail, conv_pool_tail, conv_plane_tail and conv_dw_tail extend it by what their nests need. It writes no
steps.
"""

from __future__ import annotations

from dataclasses import dataclass

TAIL = ".tail"
"""Ending of the names of the last block's loops, where full blocks stand beside it."""


@dataclass(frozen=True)
class Tail:
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
        return TAIL if self.whole else ""
