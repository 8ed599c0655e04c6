"""Batches: the training batches of one program, as its plans are given them.

Session owns one. Readers start at first use and may be seen again by replay and profile; where a device has the data
sets, its plans are given the samples' numbers instead, and nothing is read. It knows sources, the Feed and which graph
input a top is; not what runs on a batch.
"""

from __future__ import annotations

import logging
import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.layers.base import Source
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.source import Reading, open_source
from mochac.runtime.support.log import tell_once
from mochac.runtime.tables import Located
from mochac.session.plan_set import BoundPlan, PlanSet

if TYPE_CHECKING:
    from mochac.runtime.cuda.resident_sets import ResidentSets


class Batches:
    """What the data layers of a net give, batch after batch.

    Args:
        bank: says which net, seed and dtype.
        mode: in which its data layers were traced.
    """

    def __init__(self, bank: PlanSet, mode: str) -> None:
        self._bank, self._mode = bank, mode
        self._limits: tuple[int | None, int | None] = (0, None)
        self._epochs, self._singly = 0.0, 0
        self._asked, self._resident = True, False

    @cached_property
    def feed(self) -> Feed:
        """Waiting, epochs and cursors."""
        net = self._bank.net
        sources = [open_source(layer, self._reading(layer)) for layer in net.sources]
        return Feed(sources, self._bank.dtype, net.batch)

    def expect(self, max_iter: int | None, max_epoch: int | None) -> None:
        """How long the training that begins next may become."""
        self._limits = max_iter, max_epoch

    def start(self) -> None:
        """A training begins: batches are read ahead, or a device is asked to keep the data once its plan is there.

        Raises:
            DataError: files have changed, and their samples are others than the net's.
        """
        self.feed.refresh()
        _warn_of_large_batch(self.feed)
        self._resident, self._singly = False, 0
        self._epochs, self._limits = self._expected(), (0, None)
        self._asked = self._device is None or not self._device.likely(self.feed.sources, self._epochs)
        if self._asked:
            self.feed.start()

    def renew(self) -> None:
        """The next batch is of the user's arrays as they are now."""
        if any(source.live for source in self.feed.sources):
            self._asked, self._resident = True, False
        elif self._device is not None and not self._resident:
            self._singly += 1
            if self._singly * self.feed.batch_size >= self.feed.n_samples:  # the user's loop has become a long training
                self._asked, self._epochs, self._singly = False, 1, 0
        self.feed.renew()

    def wait(self, limit: int) -> int:
        """How many steps may run now, 1 to `limit`.

        Raises:
            DataError: the next batch could not be filled.
        """
        if not self._asked:
            self._asked, self._resident = True, self._held()
            if not self._resident:
                self.feed.start()
        return self.feed.left(limit) if self._resident else self.feed.wait(limit)

    def given(self, bound: BoundPlan, n: int) -> Any:
        """The next n batches by graph input, as the plan takes them."""
        names = {f.top: f.value for f in bound.traced.feeds}
        if self._resident:
            assert self._device is not None
            return self._device.given(self.feed, names, n)
        addresses = {names[top]: a for top, a in self.feed.addresses(n).items()}
        return Located(addresses, {names[top]: a for top, a in self.feed.arrays(n - 1).items()})

    def copy(self) -> dict[str, np.ndarray]:
        """The next batch by top, to be kept; it stays the next one."""
        return {top: np.array(a) for top, a in self.feed.arrays().items()}

    def close(self) -> None:
        """End the readers, where there are any."""
        if "feed" in vars(self):
            self.feed.close()

    def _expected(self) -> float:
        """Epochs of the training that begins; 0 of one that goes step by step."""
        max_iter, max_epoch = self._limits
        found = math.inf if max_iter is None else max_iter * self.feed.batch_size / self.feed.n_samples
        return found if max_epoch is None else min(found, max_epoch)

    @property
    def _device(self) -> ResidentSets | None:
        """Who may keep the data; None where every batch is looked at."""
        return None if self._bank.machine.options.check else self._bank.resident

    def _held(self) -> bool:
        return self._device is not None and self._device.hold(self.feed.sources, self._epochs)

    def _reading(self, layer: Source) -> Reading:
        traced = self._bank.traced(self._mode)
        feeds = [f for f in traced.feeds if f.layer.name == layer.name]
        extents = {i.name: i.type.shape[1:] for i in traced.graph.inputs}
        classes = {f.top: f.classes for f in feeds if f.classes}
        targets, shapes = {f.top: f.targets for f in feeds}, {f.top: extents[f.value] for f in feeds}
        return Reading(self._bank.seed, classes=classes, targets=targets, shapes=shapes)


def _warn_of_large_batch(feed: Feed) -> None:
    """A training batch wraps around at the end of the data; one larger than all of it says so, once a process."""
    for source in feed.sources:
        name, batch, n = source.layer.name, source.layer.batch_size, source.n_samples
        if batch > n:
            words = f"data layer {name!r}: batch_size {batch} is larger than its {n} samples"
            tell_once(f"{words}: every training batch holds some of them several times", logging.WARNING)
