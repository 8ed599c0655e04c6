"""The memory of an instance of a library: one block, which the caller provides, and where everything lies in it.

    the struct | scalars of a step | parameters, states, slots, tables | inputs | arguments | arena | scratch ...

All plans share the arena. Every region begins at a multiple of 64 bytes; the scratch of each thread is at the end, and
in it the items of a phase that it has not taken yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from mochac.clib.plans import CpuPlan, LibraryPlan
from mochac.frontend.net import Net
from mochac.frontend.trace import DTYPE as SHORT
from mochac.ir.program import Placement
from mochac.ir.types import DTYPES, TensorType
from mochac.runtime.support.aligned import ALIGNMENT
from mochac.runtime.tables import HyperTable

STRUCT_BYTES = 256
"""Room for the struct without its scalars; the C compiler checks it."""


@dataclass(frozen=True)
class KeptArray:
    """An array that stays from step to step: a parameter or state of a layer, a slot of the solver, or a table.

    Attributes:
        role: "param", "slot" or "const".
        values: of a table; None: it changes.
    """

    name: str
    type: TensorType
    role: str
    values: np.ndarray | None = field(default=None, compare=False)


@dataclass(frozen=True)
class InstanceMemory:
    """Offsets in the memory of an instance.

    Attributes:
        kept: of the arrays that stay, by name; parameters and states first.
        begins: of the parameters, of the other arrays that stay, and of what follows them.
        inputs: of the copy of a batch, by feed.
        fixed_bytes: without any thread's scratch.
        moved, left: in a thread's scratch, of the arguments of a launch in a loop, and of the items of each launch of a
            phase that are left to it.
        scratch_bytes: of each thread.
    """

    hypers: int
    kept: dict[str, int]
    begins: tuple[int, int, int]
    inputs: dict[str, int]
    arguments: int
    arena: int
    fixed_bytes: int
    moved: int
    left: int
    scratch_bytes: int

    def place(self, placement: Placement) -> int:
        """The offset of a placement; -1: it is a batch, which lies anywhere."""
        base = {"arena": self.arena, "hyper": self.hypers}.get(placement.place)
        if base is not None:
            return base + placement.offset
        return self.kept[placement.key] if placement.place == "state" else -1


def kept_in(net: Net, dtype: str, plans: Sequence[LibraryPlan]) -> list[KeptArray]:
    """The arrays that stay: the net's parameters and states, in their order in files; then slots and tables."""
    kept = [KeptArray(p.value, TensorType(SHORT[dtype], p.shape), "param") for p in (*net.params, *net.states)]
    found: dict[str, KeptArray] = {}
    for plan in plans:
        for i in plan.source.graph.inputs:
            if i.role in ("slot", "const"):
                values = plan.traced.tables[i.name].astype(DTYPES[i.type.dtype]) if i.role == "const" else None
                found.setdefault(i.name, KeptArray(i.name, i.type, i.role, values))
    return kept + [k for role in ("slot", "const") for k in found.values() if k.role == role]


def memory_of(
    cpu_plans: Sequence[Sequence[CpuPlan]], kept: Sequence[KeptArray], n_scalars: int, room: int
) -> InstanceMemory:
    """Where everything lies, with room for the plans of each CPU; the arena has at least `room` bytes."""
    every = [plan for plans in cpu_plans for plan in plans]
    at = _Places(STRUCT_BYTES + 9 * n_scalars)
    hypers = at.take(max(_hyper_bytes(plan) for plan in every))
    parameters = at.end
    places = {k.name: at.take(k.type.storage_bytes) for k in kept if k.role == "param"}
    slots = at.end
    places |= {k.name: at.take(k.type.storage_bytes) for k in kept if k.role != "param"}
    batches = at.end
    inputs: dict[str, int] = {}
    for name, n_bytes in _input_bytes(every).items():
        inputs[name] = at.take(n_bytes)
    arguments = at.take(max(8 * sum(n_arguments(plan) for plan in plans) for plans in cpu_plans))
    arena = at.take(max(room, *(plan.plan.arena_bytes for plan in every)))
    scratch = max((launch.scratch_bytes for plan in every for launch in plan.plan.launches), default=0)
    own = _Places(scratch)
    moved = own.take(8 * max((len(x.buffers) for plan in every for x in plan.plan.launches if x.loop), default=0))
    left = own.take(ALIGNMENT * max(_most_at_once(plan) for plan in every))
    begins = (parameters, slots, batches)
    return InstanceMemory(
        hypers, places, begins, inputs, arguments, arena, at.end, moved, left, own.end + 2 * ALIGNMENT
    )


def n_arguments(plan: CpuPlan) -> int:
    """Words of the arguments of all launches."""
    return sum(len(launch.buffers) for launch in plan.plan.launches)


def _most_at_once(plan: CpuPlan) -> int:
    """Launches of a phase."""
    return max(Counter(launch.phase for launch in plan.plan.launches).values(), default=0)


class _Places:
    def __init__(self, end: int) -> None:
        self.end = _rounded(end)

    def take(self, n_bytes: int) -> int:
        begin, self.end = self.end, self.end + _rounded(n_bytes)
        return begin


def _rounded(n_bytes: int) -> int:
    return -(-n_bytes // ALIGNMENT) * ALIGNMENT


def _hyper_bytes(plan: CpuPlan) -> int:
    return HyperTable([p for p in plan.plan.placements if p.place == "hyper"]).n_bytes


def _input_bytes(plans: Sequence[CpuPlan]) -> dict[str, int]:
    """Of the largest batch of each feed."""
    sizes: dict[str, int] = {}
    for plan in plans:
        types = plan.of.source.graph.types()
        for feed in plan.of.feeds:
            kind = types[feed.value]
            sizes[feed.top] = max(sizes.get(feed.top, 0), kind.elems * DTYPES[kind.dtype].itemsize)
    return sizes
