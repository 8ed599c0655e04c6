"""Batches of a session: of its data layers, and of arrays that a user passes.

Batches: the training batches of a session, in the form that its plans take.

Readers start at first use. If a device keeps the datasets, plans get sample numbers instead of arrays, and nothing is
read.

feed_of_arrays: the samples of an evaluation from a user's arrays, in place of what data layers read.

evaluate(data=X, label=y)     the net's data layers -> MemoryDataLayers of X and y, with the same transformers
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.base.threads import cached_property
from mochac.nets.layers.base import DataLayer, Source
from mochac.nets.layers.data import MemoryDataLayer
from mochac.nets.trace import Traced
from mochac.runtime.data.feed import Feed
from mochac.runtime.data.ring import WHOLE, RankPart
from mochac.runtime.data.source import Reading, open_source, warn_of_large_batch
from mochac.runtime.tables import Located, Slots
from mochac.training.session.plan_set import BoundPlan, PlanSet
from mochac.training.session.user_arrays import UserBatches, require_fit

if TYPE_CHECKING:
    from mochac.runtime.backend import Datasets


class Batches:
    """The batches of a net's data layers, in order.

    Args:
        plans: plans of the net whose data layers are read.
        mode: the mode in which the net was traced.

    Attributes:
        rng_step: the step counter of random numbers, such as dropout masks: the number of batches consumed.
    """

    def __init__(self, plans: PlanSet, mode: str) -> None:
        self._plans, self._mode = plans, mode
        self.rng_step, self._part = 0, WHOLE
        self._limits: tuple[int | None, int | None] = (0, None)
        self._epochs, self._single_steps = 0.0, 0
        self._user_batches: list[dict[str, np.ndarray]] = []
        self._user_slots: dict[int, UserBatches] = {}
        self._last: tuple[BoundPlan | None, dict[str, np.ndarray], Slots] = None, {}, Slots({})
        self._is_placed, self._resident = True, False  # is it decided whether the device keeps the data? Does it?

    @cached_property
    def feed(self) -> Feed:
        """The feed, for waiting, epochs and cursors."""
        net = self._plans.net
        traced, seed = self._plans.traced(self._mode), self._plans.seed
        sources = [open_source(layer, reading_of(traced, layer, seed)) for layer in net.sources]
        return Feed(sources, self._plans.dtype, net.batch, self._part)

    def _require_whole_batches(self) -> None:
        """If layers carry states, refuse data whose batches do not continue the previous ones."""
        carried, batch = self._plans.traced(self._mode).carried, self._plans.net.batch
        for source in self.feed.sources if carried else ():
            rule, rest = (
                f"layer {next(iter(carried.values()))!r} carries its state from batch to batch",
                source.n_samples % batch,
            )
            if getattr(source.layer, "shuffle", False):
                raise source.error(f"{rule}, and the samples are shuffled", hint="shuffle=False")
            if rest:
                expected, got = f"a multiple of {batch} samples", str(source.n_samples)
                hint = f"leave out the last {rest} samples"
                raise source.error(f"{rule}, and the last batch is not whole", expected=expected, got=got, hint=hint)

    def read(self, part: RankPart) -> None:
        """Read only this part of the batches from now on, as one of several ranks does."""
        if part == self._part:
            return
        self._part, known = part, vars(self).pop("feed", None)
        self._user_batches, self._user_slots, self._last = [], {}, (None, {}, Slots({}))
        if known is not None:
            cursor = known.cursor()
            known.close()
            self.feed.set_cursor(cursor)

    @cached_property
    def position(self) -> Feed:
        """The feed, for epochs and cursors; one without data layers if the net's have no data of their own."""
        return self.feed if self._has_data else Feed([], self._plans.dtype, self._plans.net.batch)

    @property
    def _has_data(self) -> bool:
        """Whether no data layer is an InputLayer, whose batches the user passes."""
        return all(layer.reader for layer in self._plans.net.sources)

    def give(self, arrays: Mapping[str, Any], n: int, call: str, copied: Container[str] | None = None) -> None:
        """Let the next n steps run on arrays, by top, with the samples of n batches; see UserBatches.take()."""
        if n not in self._user_slots:
            self._user_slots[n] = UserBatches(self._plans, n)
        self._user_batches = self._user_slots[n].take(arrays, call, copied)

    def expect(self, max_iter: int | None, max_epoch: int | None) -> None:
        """Set the limits of the next training."""
        self._limits = max_iter, max_epoch

    def start(self) -> None:
        """Begin a training: read batches ahead, or ask the device to keep the data once its plan exists.

        Raises:
            DataError: files have changed and no longer hold the net's samples.
        """
        self._user_batches = []
        if not self._has_data:
            return
        self.feed.refresh()
        self._require_whole_batches()
        for source in self.feed.sources:
            warn_of_large_batch(source.layer, source.n_samples)
        self._resident, self._single_steps = False, 0
        self._epochs, self._limits = self._expected(), (0, None)
        self._is_placed = self._device is None or not self._device.likely(self.feed.sources, self._epochs)
        if self._is_placed:
            self.feed.start()

    def renew(self) -> None:
        """Read the next batch from the data layers, with the current contents of the user's arrays."""
        self.forget_user_arrays()
        if any(source.live for source in self.feed.sources):
            self._is_placed, self._resident = True, False
        elif self._device is not None and not self._resident:
            self._single_steps += 1
            if self._single_steps * self.feed.batch_size >= self.feed.n_samples:  # a long training, step by step
                self._is_placed, self._epochs, self._single_steps = False, 1, 0
        self.feed.renew()

    def wait(self, limit: int, wanted: Callable[[], bool] = lambda: True) -> int:
        """Wait for a batch; returns how many steps may run now, 1 to `limit`; 0 if none are `wanted` any longer.

        Raises:
            DataError: the next batch could not be read.
        """
        if self._user_batches:
            return min(limit, len(self._user_batches))
        if not self._is_placed:
            self._is_placed, self._resident = True, self._hold()
            if not self._resident:
                self.feed.start()
        return self.feed.remaining(limit) if self._resident else self.feed.wait(limit, wanted)

    def feeds(self, bound: BoundPlan, n: int) -> Any:
        """The next n batches by graph input, in the form that the plan takes."""
        if self._user_batches:
            if n > 1:
                return [_fed(bound, batch) for batch in self._user_batches[:n]]
            batch, last = self._user_batches[0], self._last
            if self._borrowed(batch):
                return [_fed(bound, batch)]
            return last[2] if last[0] is bound and last[1] is batch else self._slotted(bound, batch)
        if self._resident:
            assert self._device is not None
            return self._device.next_batches(self.feed, bound.feeds, n)
        addresses, last = self.feed.addresses(n), self.feed.arrays(n - 1)
        inputs = bound.feeds.items()
        return Located({name: addresses[top] for top, name in inputs}, {name: last[top] for top, name in inputs})

    def _slotted(self, bound: BoundPlan, batch: dict[str, np.ndarray]) -> Slots:
        """A batch in slots, which stay where they are."""
        slots = Slots(_fed(bound, batch))
        self._last = bound, batch, slots
        return slots

    def next(self) -> dict[str, np.ndarray]:
        """The next batch by top, valid until it is released; waits for it."""
        if self._user_batches:
            return self._user_batches[0]
        self.feed.renew()
        self.feed.wait(1)
        return self.feed.arrays()

    def forget_user_arrays(self) -> None:
        """Continue with the data layers' own batches."""
        self._user_batches = []

    def copy(self) -> dict[str, np.ndarray]:
        """A copy of the next batch by top, without advancing."""
        batch = self._user_batches[0] if self._user_batches else self.feed.arrays()
        return {top: np.array(a) for top, a in batch.items()}

    def _borrowed(self, batch: dict[str, np.ndarray]) -> set[str]:
        """Tops for which a batch holds the user's arrays without a copy."""
        return self._user_slots[1].borrowed(batch) if 1 in self._user_slots else set()

    def return_borrowed(self, bound: BoundPlan) -> None:
        """Drop references to the user's arrays that the last run read without a copy."""
        borrowed = self._borrowed(self._user_batches[0]) if self._user_batches else ()
        if borrowed:
            bound.runner.forget({name for top, name in bound.feeds.items() if top in borrowed})

    def release(self, n: int) -> None:
        """Mark the next n batches as consumed: from here on a reader reuses their memory."""
        self.rng_step += n
        if self._user_batches:
            del self._user_batches[:n]
        else:
            self.feed.release(n)

    def close(self) -> None:
        """Stop the readers."""
        if "feed" in vars(self):
            self.feed.close()

    def _expected(self) -> float:
        """Epochs of the training that begins; 0 if the user runs its steps one by one."""
        max_iter, max_epoch = self._limits
        n = self.feed.n_samples
        epochs = math.inf if max_iter is None or not n else max_iter * self.feed.batch_size / n
        return epochs if max_epoch is None else min(epochs, max_epoch)

    @property
    def _device(self) -> Datasets | None:
        """The device's datasets; None on a CPU, or if every batch is checked."""
        return None if self._plans.backend.env.check else self._plans.datasets

    def _hold(self) -> bool:
        return self._device is not None and self._device.hold(self.feed.sources, self._epochs)


def reading_of(traced: Traced, layer: Source, seed: int) -> Reading:
    """How a traced net reads one of its data layers."""
    feeds = [f for f in traced.feeds if f.layer.name == layer.name]
    extents = {i.name: i.type.shape[1:] for i in traced.graph.inputs}
    classes = {f.top: f.classes for f in feeds if f.classes}
    targets, shapes = {f.top: f.targets for f in feeds}, {f.top: extents[f.value] for f in feeds}
    return Reading(seed, classes=classes, targets=targets, shapes=shapes)


def _fed(bound: BoundPlan, batch: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """A batch by the inputs of a plan."""
    return {name: batch[top] for top, name in bound.feeds.items()}


def feed_of_arrays(plans: PlanSet, arrays: Mapping[str, Any], call: str) -> Feed:
    """A feed of these samples, any number of them.

    Args:
        arrays: for every top of the data layers.
        call: what the user called, for messages, such as "evaluate()".

    Raises:
        OptionError: a top is unknown or missing, or an array holds no numbers. ShapeError: samples of another shape.
            DataError: there are none, or not equally many in all arrays.
    """
    net, traced = plans.net, plans.traced("test")
    net.require_tops(arrays, call, whole=True)
    sources = [open_source(_of_arrays(s, net.batch, arrays), reading_of(traced, s, plans.seed)) for s in net.sources]
    for source in sources:
        for top, shape in source.shapes.tops.items():
            require_fit(plans, top, (source.n_samples, *shape))
    return Feed(sources, plans.dtype, net.batch)


def _of_arrays(source: Source, batch: int, arrays: Mapping[str, Any]) -> MemoryDataLayer:
    return MemoryDataLayer(
        name=source.name,
        tops=source.tops,
        data=[arrays[top] for top in source.tops],
        batch_size=batch,
        transformers=source.transformers if isinstance(source, DataLayer) else (),
    )
