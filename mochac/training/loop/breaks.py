"""Breaks: the coffee breaks of one training: begun, run when they are due, ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mochac.base.support.interrupts import Interrupts
from mochac.runtime.ranks.ranks import Ranks
from mochac.training.loop.coffee import Snapshot, TrainingState
from mochac.training.loop.decay import Decay
from mochac.training.loop.hypers import Hypers
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.memory import TrainingMemory
from mochac.training.loop.snapshot_breaks import SnapshotBreaks


class Breaks:
    """The coffee breaks of this rank run here; all ranks follow the decisions of those on rank 0.

    Args:
        coffees: in the order in which they were added.
        hypers: whose method may watch validations, and which breaks may set.
        interrupts: a second signal waits until a snapshot has been written.

    Attributes:
        all: the coffees.
        decays: of the policies that watch validations.
        running: whether breaks run now.
        watching: methods that want the losses of every step.

    Raises:
        OptionError: no validation has what a policy watches.
    """

    def __init__(
        self, program: Any, coffees: Sequence[Any], hypers: Hypers, ranks: Ranks, interrupts: Interrupts
    ) -> None:
        self._program, self._hypers, self._ranks = program, hypers, ranks
        self._begun: list[Any] = []
        self.all, self.running = coffees, False
        self.decays = [Decay(policy, coffees) for policy in hypers.method.watching(None)]
        self.snapshots = SnapshotBreaks(coffees, interrupts)
        self.watching: list[Callable[[int, np.ndarray], None]] = [
            coffee.after_steps for coffee in coffees if hasattr(coffee, "after_steps") and self._is_ours(coffee)
        ]

    def init(self) -> None:
        """Call every break's init."""
        for coffee in filter(self._is_ours, self.all):
            self._begun.append(coffee)
            self._call(coffee, "init")

    def destroy(self) -> None:
        """Call destroy of those whose init was called; after a failure, the next call continues with the remaining
        ones."""
        while self._begun:
            self._call(self._begun.pop(0), "destroy")

    def run(self, due: list[Any], lounge: CoffeeLounge, memory: TrainingMemory, state: TrainingState) -> None:
        """Run the breaks that are due."""
        self.running = True
        try:
            self._enjoy(due, lounge, memory, state)
        finally:
            self.running = False

    def _enjoy(self, due: list[Any], lounge: CoffeeLounge, memory: TrainingMemory, state: TrainingState) -> None:
        if memory:  # a snapshot keeps what the other breaks of this iteration add to it
            due.sort(key=lambda coffee: isinstance(coffee, Snapshot))
        for coffee in filter(self._is_ours, due):
            if isinstance(coffee, Snapshot) and state.iter:
                self.snapshots.take(coffee, lounge, self._program, state)
            else:
                coffee.enjoy(lounge, self._program, state)
            self._decay(coffee, lounge, memory, state)
        if self._ranks.several and not all(getattr(coffee, "every_rank", False) for coffee in due):
            self._follow(state)

    def _is_ours(self, coffee: Any) -> bool:
        """Whether a break runs on this rank."""
        return self._ranks.leads or bool(getattr(coffee, "every_rank", False))

    def _decay(self, coffee: Any, lounge: CoffeeLounge, memory: TrainingMemory, state: TrainingState) -> None:
        """Go back to the best parameters where `coffee` was a validation with a worse result."""
        watching, session = self._hypers.method.watching(state.iter), self._program.session
        for decay in self.decays:
            if decay.policy in watching and decay.after(coffee, lounge, session, state):
                for array in session.slots().values():
                    array[...] = 0
                memory.zeroed = state.iter

    def _follow(self, state: TrainingState) -> None:
        """Let all ranks have what breaks of rank 0 have decided."""
        reason, memory = self._ranks.broadcast((state.stop_reason, self._hypers.memory()))
        if not self._ranks.leads:
            state.stop_reason = reason
            for name in [name for name in self._hypers.memory() if name in self._hypers and name not in memory]:
                del self._hypers[name]
            self._hypers.recall(memory)

    def _call(self, coffee: Any, method: str) -> None:
        """Call a method of a break, if it has it: a user's break need not have init and destroy."""
        getattr(coffee, method, lambda program: None)(self._program)
