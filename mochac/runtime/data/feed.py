"""Feed: the batches of all data layers of a net, step by step.

A program has one feed for training and makes one for each evaluation. Batches are arrays filled by readers, or indices
of samples, for a device that holds the whole dataset.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from mochac.base.errors import OptionError, SnapshotError
from mochac.base.support.log import LOG
from mochac.runtime.data.ring import WHOLE, RankPart, Ring, SampleRange
from mochac.runtime.data.source import DataSource


class Feed:
    """Batches for consecutive steps: `n = wait(limit)`, run steps on `addresses(n)` or `arrays()`, `release(n)`.

    Args:
        sources: one per data layer, in the order of the net; the first one counts epochs. If empty, steps never wait,
            there are no epochs, and an evaluation is one step.
        dtype: dtype of the blobs, float32 or float64.
        batch_size: samples per step if there are no sources.
        part: part of the batches that this rank reads.
    """

    def __init__(
        self, sources: Sequence[DataSource], dtype: DTypeLike = np.float32, batch_size: int = 1, part: RankPart = WHOLE
    ) -> None:
        self.dtype = np.dtype(dtype)
        self._batch_size = batch_size
        self._left: float = math.inf
        self._rings = [Ring(source, source.layer.batch_size, self.dtype, part=part) for source in sources]

    def evaluation(self, part: RankPart = WHOLE) -> Feed:
        """A feed for one exact, unshuffled pass over the same data, which does not move the cursor of training.

        Args:
            part: batches that this rank reads.

        Its wait() returns 0 at the end; n_valid() tells how full the last batch is.

        Raises:
            DataError: the data layers differ in their number of samples.
        """
        feed = Feed([ring.source.unshuffled() for ring in self._rings], self.dtype, self._batch_size, part)
        feed._left = math.inf if self._rings else int(part.turns.rank == 0)
        for ring in feed._rings:
            ring.seek(SampleRange(0, ring.source.n_samples or None))
        feed._check_totals()
        return feed

    def start(self) -> None:
        """Begin reading ahead, for instance while the plan is being compiled; reread arrays that the user may
        change."""
        for ring in self._rings:
            if ring.source.live:
                ring.stop()
            ring.start()

    def refresh(self) -> None:
        """Inspect files again if they have changed since they were read; batches read ahead from them are dropped.

        Raises:
            DataError: a file is missing, or has other samples than before.
        """
        for ring in self._rings:
            if ring.source.changed():
                ring.stop()
                ring.source.reload()

    def renew(self) -> None:
        """Read the next batch again if it comes from arrays that the user may have changed (Ring.renew())."""
        for ring in self._rings:
            ring.renew()

    def wait(self, limit: int, wanted: Callable[[], bool] = lambda: True) -> int:
        """Wait for a batch of every layer. Returns how many steps may run now: 1..limit, 0 at the end of a pass, or if
        none are `wanted` any longer.

        Raises:
            DataError: the next batch could not be filled, or one layer has samples left at the end of a pass.
        """
        limit = min(limit, int(min(self._left, limit)))
        for ring in self._rings:
            limit = min(limit, ring.wait(max(1, limit), wanted))
        if not limit and self._rings and wanted():
            self._check_totals(ended=True)
        return limit

    def _check_totals(self, ended: bool = False) -> None:
        """Check that all layers have the same number of samples in a pass, as far as it is known; `ended`: one of them
        has no more."""
        totals = {ring.source.layer.name: ring.span.total for ring in self._rings}
        known = [total for total in totals.values() if total is not None]
        for ring in self._rings:
            if ring.span.total not in (*known[:1], *(() if ended else (None,))):
                got = ", ".join(f"{name!r}: {'more' if n is None else n}" for name, n in totals.items())
                raise ring.source.error("data layers of one evaluation differ in their number of samples", got=got)

    @property
    def sources(self) -> list[DataSource]:
        """The sources of the batches."""
        return [ring.source for ring in self._rings]

    def remaining(self, limit: int) -> int:
        """Like wait(), for batches as indices: 0 at the end of a pass."""
        limit = min(limit, int(min(self._left, limit)))
        return min([limit, *(ring.remaining(limit) for ring in self._rings)])

    def numbers(self, n: int) -> dict[str, np.ndarray]:
        """By top, the indices of the samples in the next n batches, int32 (n, batch); instead of addresses(),
        arrays()."""
        by_top = {}
        for ring in self._rings:
            by_top.update(dict.fromkeys(ring.source.shapes.tops, ring.numbers(n)))
        return by_top

    def prepare_numbers(self, n: int) -> None:
        """Prepare numbers() of the batches after the next n, while a device computes those."""
        for ring in self._rings:
            ring.prepare_numbers(n)

    def addresses(self, n: int) -> dict[str, np.ndarray]:
        """By top, the addresses (uint64, shape (n,)) of the next n batches."""
        return {top: table for ring in self._rings for top, table in ring.addresses(n).items()}

    def arrays(self, offset: int = 0) -> dict[str, np.ndarray]:
        """By top, the next batch (or the one `offset` batches later), valid until it is released."""
        if len(self._rings) == 1:
            return self._rings[0].arrays(offset)
        return {top: array for ring in self._rings for top, array in ring.arrays(offset).items()}

    def n_valid(self, n: int) -> np.ndarray:
        """Number of samples in each of the next n batches, int64; a batch is padded with copies of a sample."""
        return self._rings[0].n_valid(n) if self._rings else np.full(n, self._batch_size, np.int64)

    def release(self, n: int) -> None:
        """Mark the next n batches as consumed."""
        self._left -= n
        for ring in self._rings:
            ring.release(n)

    @property
    def batch_size(self) -> int:
        """Samples per step of the first data layer."""
        return self._rings[0].batch_size if self._rings else self._batch_size

    @property
    def n_samples(self) -> int:
        """Samples in an epoch of the first data layer; 0 if that is not known."""
        return self._rings[0].source.n_samples if self._rings else self._batch_size

    def waited(self) -> dict[str, float]:
        """Seconds that steps have waited for each data layer, so far."""
        return {ring.source.layer.name: ring.stall_s for ring in self._rings}

    def fill_times(self) -> dict[str, float]:
        """Seconds that the reader of each data layer takes for a batch; without readers that have read none."""
        return {ring.source.layer.name: s for ring in self._rings if (s := ring.fill_s) is not None}

    def wait_times(self) -> dict[str, float]:
        """Mean seconds that the latest steps have waited for each data layer; without layers that have had few
        steps."""
        return {ring.source.layer.name: s for ring in self._rings if (s := ring.wait_s) is not None}

    @property
    def epoch(self) -> int:
        """Completed passes over the first data layer; 0 without one."""
        return 0 if not self._rings else self._rings[0].source.place(_consumed(self._rings[0]))[0]

    def steps_to_epoch(self, epochs: int = 1) -> int:
        """Steps until `epoch` has grown by `epochs`, >= 1; if its end is not known yet, as many as it certainly lasts.

        Raises:
            OptionError: there is no data layer.
        """
        if not self._rings:
            hint = "count iterations: max_iter, every_n_iter"
            raise OptionError("the net has no data layer, so it has no epochs", hint=hint)
        consumed = _consumed(self._rings[0])
        end = self._rings[0].source.epoch_end(consumed)
        if end is None:
            return max(1, self._rings[0].n_filled())
        return -(-(end + (epochs - 1) * self.n_samples - consumed) // self.batch_size)

    def cursor(self) -> dict[str, dict[str, int]]:
        """How far the data has been consumed, JSON-able: epoch, position in it, and number of samples (0: unknown), by
        layer."""
        cursor = {}
        for ring in self._rings:
            epoch, position = ring.source.place(_consumed(ring))
            place = {"epoch": epoch, "position": position, "n_samples": ring.source.n_samples}
            cursor[ring.source.layer.name] = place
        return cursor

    def set_cursor(self, cursor: Mapping[str, Any]) -> None:
        """Continue from `cursor`. If a dataset has another number of samples by now, its epoch starts again.

        Raises:
            SnapshotError: a layer has no cursor; nothing is changed then.
        """
        for ring in self._rings:
            if ring.source.layer.name not in cursor:
                raise SnapshotError("snapshot has no cursor for this data layer", **ring.source.where)
        for ring in self._rings:
            saved, n = cursor[ring.source.layer.name], ring.source.n_samples
            position = saved["position"]
            if saved["n_samples"] != n:
                name = ring.source.layer.name
                LOG.warning("data layer %r had %d samples and has %d now", name, saved["n_samples"], n)
                position = 0
            ring.stop()
            ring.seek(SampleRange(ring.source.number(saved["epoch"], position)))

    def seek(self, n_batches: int) -> None:
        """Continue after the first `n_batches` batches; a source whose samples are not counted stays where it is."""
        for ring in (ring for ring in self._rings if ring.source.n_samples):
            ring.stop()
            ring.seek(SampleRange(n_batches * self.batch_size))

    def close(self) -> None:
        """End the readers and close their files. May be called again."""
        for ring in self._rings:
            ring.stop()
            ring.source.close()


def _consumed(ring: Ring) -> int:
    return ring.span.start + ring.taken * ring.batch_size
