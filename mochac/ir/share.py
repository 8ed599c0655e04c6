"""Share: the part of a batch that a rank has."""

from __future__ import annotations

from mochac.base.records import record


@record
class Share:
    """The samples of a rank: the `rank`-th of `ranks` equal contiguous parts of every batch.

    >>> Share(1, 4).first(100)
    25
    """

    rank: int = 0
    ranks: int = 1

    def samples(self, batch: int) -> int:
        """How many samples of a batch the rank has; `ranks` divides the batch."""
        return batch // self.ranks

    def first(self, batch: int) -> int:
        """The position in the batch of the rank's first sample."""
        return self.rank * self.samples(batch)
