"""SnapshotBreaks: the Snapshot breaks of one training, and what happens when a snapshot cannot be written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mochac.base.errors import SnapshotError
from mochac.base.support.interrupts import Interrupts
from mochac.base.support.log import LOG, one_line
from mochac.training.loop.coffee import Snapshot, TrainingState
from mochac.training.loop.lounge import CoffeeLounge


class SnapshotBreaks:
    """A snapshot that cannot be written (a full disk) does not end the training: it is tried again at the end.

    Args:
        breaks: all coffee breaks of the training.
        interrupts: a second signal waits until a snapshot has been written.
    """

    def __init__(self, breaks: Sequence[Any], interrupts: Interrupts) -> None:
        self._breaks = {id(coffee): coffee for coffee in breaks if isinstance(coffee, Snapshot)}
        self._interrupts = interrupts
        self._failed: dict[int, Snapshot] = {}

    @property
    def hint(self) -> str:
        """Where the last good state is, for the hint of an error; "" without snapshots."""
        return f", resume from {next(iter(self._breaks.values())).folder}" if self._breaks else ""

    @property
    def all(self) -> list[Snapshot]:
        """All Snapshot breaks."""
        return list(self._breaks.values())

    def take(self, coffee: Snapshot, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Take a snapshot that is due; a failure is logged."""
        try:
            with self._interrupts.held:
                coffee.enjoy(lounge, program, state)
            self._failed.pop(id(coffee), None)
        except SnapshotError as error:
            LOG.warning("%s; training continues, and the next snapshot is tried when it is due", one_line(error))
            self._failed[id(coffee)] = coffee
        self._interrupts.deliver()

    def due_at_the_end(self) -> list[Snapshot]:
        """Breaks whose last snapshot failed, or all of them where a signal ended the training."""
        return list(self._failed.values()) if self._interrupts.asked is None else self.all

    def catch_up(self, coffee: Snapshot, lounge: CoffeeLounge, program: Any, state: TrainingState) -> None:
        """Take the last snapshot of a training; raises SnapshotError."""
        with self._interrupts.held:
            coffee.catch_up(lounge, program, state)
