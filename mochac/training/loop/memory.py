"""TrainingMemory: what a training remembers besides the state of its program, for snapshots and train(resume=True)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mochac.training.loop.coffee import Memory
from mochac.training.loop.decay import Decay
from mochac.training.loop.hypers import Hypers
from mochac.training.loop.lounge import CoffeeLounge
from mochac.training.loop.snapshot import recalling
from mochac.training.session.session import Session


class TrainingMemory:
    """Reads and restores what policies and coffee breaks keep, each under a name of its own.

    Args:
        decays: of the policies that watch validations.
        breaks: the coffee breaks; those with memory() and recall() take part.
        lounge: whose unsaved statistics are kept.
        hypers: what the user has set.

    Attributes:
        zeroed: after how many updates the solver's slots were last set to zero.
    """

    def __init__(self, decays: Sequence[Decay], breaks: Sequence[Any], lounge: CoffeeLounge, hypers: Hypers) -> None:
        self.zeroed = 0
        self._decays, self._lounge, self._hypers = decays, lounge, hypers
        with_memory = {id(coffee): coffee for coffee in breaks if hasattr(coffee, "recall")}.values()
        self._breaks = {f"{type(coffee).__name__}-{k}": coffee for k, coffee in enumerate(with_memory)}

    def __bool__(self) -> bool:
        """Whether a coffee break can change it."""
        return bool(self._decays or self._breaks or self._lounge.path)

    def read(self) -> dict[str, Mapping[str, Any]]:
        """All of it, by owner."""
        policies = {f"policy-{k}": decay.memory() for k, decay in enumerate(self._decays)}
        breaks = {name: coffee.memory() for name, coffee in self._breaks.items()}
        statistics = {"statistics": self._lounge.memory()} if self._lounge.unsaved else {}
        hypers = {"hypers": kept} if (kept := self._hypers.memory()) else {}
        return {"training": {"zeroed": self.zeroed}, **hypers, **statistics, **policies, **breaks}

    def recall(self, memory: Memory, session: Session) -> None:
        """Restore the policies; coffee breaks come later, after their init().

        Raises:
            SnapshotError: the memory is damaged, or belongs to another net.
        """
        for k, decay in enumerate(self._decays):
            decay.recall(memory.get(f"policy-{k}", {}), session)
        with recalling("the training"):
            self.zeroed = max(0, int(memory.get("training", {}).get("zeroed", 0)))
        with recalling("solver.hypers"):
            self._hypers.recall(memory.get("hypers", {}))

    def recall_statistics(self, memory: Memory) -> None:
        """Restore the statistics that had not been written to their file."""
        with recalling("the statistics"):
            self._lounge.recall(memory.get("statistics", {}))

    def recall_breaks(self, memory: Memory, program: Any) -> None:
        """Restore the coffee breaks: the n-th of a type from the n-th of that type in memory."""
        saved: dict[str, list[str]] = {}
        for name in sorted(memory, key=_place):
            saved.setdefault(name.rpartition("-")[0], []).append(name)
        for coffee in self._breaks.values():
            if names := saved.get(type(coffee).__name__):
                coffee.recall(memory[names.pop(0)], program)


def _place(name: str) -> int:
    """The number at the end of a break's name."""
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else -1
