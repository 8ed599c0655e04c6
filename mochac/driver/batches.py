"""Batches: the training batches of one program, as its plans are given them.

Trainee owns one. Readers start at first use and may be seen again by replay and profile. It knows sources, the Feed and
which graph input a top is; not what runs on a batch.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from mochac.driver.bank import BoundPlan, PlanBank
from mochac.layers.base import Source
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import Reading, open_source
from mochac.runtime.native.tables import Located


class Batches:
    """What the data layers of a net give, batch after batch.

    Args:
        bank: says which net, seed and dtype.
        mode: in which its data layers were traced.
    """

    def __init__(self, bank: PlanBank, mode: str) -> None:
        self._bank, self._mode = bank, mode

    @cached_property
    def feed(self) -> Feed:
        """Waiting, epochs and cursors."""
        net = self._bank.net
        sources = [open_source(layer, self._reading(layer)) for layer in net.sources]
        return Feed(sources, self._bank.dtype, net.batch)

    def located(self, bound: BoundPlan, n: int) -> Located:
        """The next n batches by graph input."""
        names = {f.top: f.value for f in bound.traced.feeds}
        addresses = {names[top]: a for top, a in self.feed.addresses(n).items()}
        return Located(addresses, {names[top]: a for top, a in self.feed.arrays(n - 1).items()})

    def copy(self) -> dict[str, np.ndarray]:
        """The next batch by top, to be kept; it stays the next one."""
        return {top: np.array(a) for top, a in self.feed.arrays().items()}

    def close(self) -> None:
        """End the readers, where there are any."""
        if "feed" in vars(self):
            self.feed.close()

    def _reading(self, layer: Source) -> Reading:
        feeds = [f for f in self._bank.traced(self._mode).feeds if f.layer.name == layer.name]
        classes = {f.top: f.classes for f in feeds if f.classes}
        return Reading(self._bank.seed, classes=classes, targets={f.top: f.targets for f in feeds})
