"""The memory of an instance of a library: one block, which the caller provides, and where everything lies in it.

    the struct | scalars of a step | parameters, states, slots | inputs | arguments | arena | scratch ...

All plans share the arena. Every region begins at a multiple of 64 bytes, 16 on small CPUs; the scratch of each thread
is at the end, and in it the items of a phase that it has not taken yet. Tables, and with weights="flash" parameters
too, lie in the library's own read-only memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from mochac.base.records import record
from mochac.base.support.memory import ALIGNMENT
from mochac.formats.clib.plans import CpuPlan, LibraryPlan
from mochac.formats.clib.request import Request
from mochac.ir.plan import Placement
from mochac.ir.types import DTYPES, TensorType
from mochac.nets.layers.base import DataLayer
from mochac.nets.net import Net
from mochac.nets.trace import DTYPE as SHORT
from mochac.runtime.tables import HyperTable

STRUCT_BYTES = 80
"""Room for the struct without its scalars; the C compiler checks it."""
SMALL_ALIGNMENT = 16
"""Bytes of the widest vector of CPUs without an operating system."""


@record
class KeptArray:
    """An array that stays from step to step: a parameter or state of a layer, a slot of the solver, or a table.

    Attributes:
        role: "param", "slot" or "const".
        values: of what never changes; None: it does.
    """

    name: str
    type: TensorType
    role: str
    values: np.ndarray | None = field(default=None, compare=False)


@record
class InstanceMemory:
    """Offsets in the memory of an instance.

    Attributes:
        alignment: of an instance and its regions.
        kept: of the arrays that stay, by name; parameters and states first.
        constant: of the arrays that never change, in the library's data.
        n_feeds: the number of feeds.
        begins: of the parameters, of the other arrays that stay, and of what follows them.
        inputs: of the copy of a batch, by feed.
        fixed_bytes: without any thread's scratch.
        moved, left: in a thread's scratch, of the arguments of a launch in a loop, and of the items of each launch of a
            phase that are left to it.
        scratch_bytes: of each thread.
    """

    alignment: int
    hypers: int
    kept: dict[str, int]
    constant: dict[str, int]
    n_feeds: int
    begins: tuple[int, int, int]
    inputs: dict[str, int]
    arguments: int
    arena: int
    fixed_bytes: int
    moved: int
    left: int
    scratch_bytes: int

    def place(self, placement: Placement) -> int:
        """The offset of a placement; for a constant, a number below those of batches, from -1 down."""
        base = {"arena": self.arena, "hyper": self.hypers}.get(placement.place)
        if base is not None:
            return base + placement.offset
        return self.array(placement.key)

    def array(self, name: str) -> int:
        """The place of an array that stays."""
        if name in self.constant:
            return -1 - self.n_feeds - self.constant[name] // self.alignment
        return self.kept[name]


def kept_in(
    net: Net, dtype: str, plans: Sequence[LibraryPlan], values: Mapping[str, np.ndarray] | None = None
) -> list[KeptArray]:
    """The arrays that stay: the net's parameters and states, in their order in files; then slots and tables.

    Args:
        values: of the parameters and states, if they never change; those that no plan reads are left out then.
    """
    fixed = values or {}
    read = {i.name for plan in plans for i in plan.source.graph.inputs if i.role in ("param", "state")}
    kept = [
        KeptArray(p.value, TensorType(SHORT[dtype], p.shape), "param", fixed.get(p.value))
        for p in (*net.params, *net.states)
        if p.value in read or p.value not in fixed
    ]
    found: dict[str, KeptArray] = {}
    for plan in plans:
        for i in plan.source.graph.inputs:
            if i.role in ("slot", "const"):
                values_of = plan.traced.tables[i.name].astype(DTYPES[i.type.dtype]) if i.role == "const" else None
                found.setdefault(i.name, KeptArray(i.name, i.type, i.role, values_of))
    return kept + [k for role in ("slot", "const") for k in found.values() if k.role == role]


def memory_of(
    cpu_plans: Sequence[Sequence[CpuPlan]],
    kept: Sequence[KeptArray],
    constant: dict[str, int],
    scalars_and_room: tuple[int, int],
    request: Request,
) -> InstanceMemory:
    """Where everything lies, with room for the plans of each CPU.

    Args:
        kept: what changes.
        constant: offsets of the other arrays in the library's data.
        scalars_and_room: the number of scalars that users set, and the minimum of bytes of the arena.
    """
    every = [plan for plans in cpu_plans for plan in plans]
    n_scalars, room = scalars_and_room
    alignment, size = alignment_of(request), request.cpus[0].info.address_bytes
    at = _Places(STRUCT_BYTES + 9 * n_scalars, alignment)
    hypers = at.take(max(_hyper_bytes(plan) for plan in every))
    parameters = at.end
    places = {k.name: at.take(k.type.storage_bytes) for k in kept if k.role == "param"}
    slots = at.end
    places |= {k.name: at.take(k.type.storage_bytes) for k in kept if k.role != "param"}
    batches = at.end
    inputs: dict[str, int] = {}
    sizes = _input_bytes(every)
    for name, n_bytes in sizes.items():
        inputs[name] = at.take(n_bytes)
    arguments = at.take(max(size * sum(n_arguments(plan) for plan in plans) for plans in cpu_plans))
    arena = at.take(max(room, *(plan.plan.arena_bytes for plan in every)))
    scratch = max((launch.scratch_bytes for plan in every for launch in plan.plan.launches), default=0)
    own = _Places(scratch, alignment)
    moved = own.take(size * max((len(x.buffers) for plan in every for x in plan.plan.launches if x.loop), default=0))
    left = own.take(alignment * max(_most_at_once(plan) for plan in every) if request.threads else 0)
    begins = (parameters, slots, batches)
    apart = 2 * alignment if request.threads else 0
    return InstanceMemory(
        alignment, hypers, places, constant, len(sizes), begins, inputs, arguments, arena, at.end, moved, left,
        own.end + apart,
    )  # fmt: skip


def alignment_of(request: Request) -> int:
    """Alignment of an instance, its regions and the library's data: a cache line, or a vector of small CPUs."""
    return ALIGNMENT if request.hosted else SMALL_ALIGNMENT


def n_arguments(plan: CpuPlan) -> int:
    """Words of the arguments of all launches."""
    return sum(len(launch.buffers) for launch in plan.plan.launches)


def _most_at_once(plan: CpuPlan) -> int:
    """Launches of a phase."""
    return max(Counter(launch.phase for launch in plan.plan.launches).values(), default=0)


class _Places:
    def __init__(self, end: int, alignment: int) -> None:
        self.alignment = alignment
        self.end = self._rounded(end)

    def take(self, n_bytes: int) -> int:
        begin, self.end = self.end, self.end + self._rounded(n_bytes)
        return begin

    def _rounded(self, n_bytes: int) -> int:
        return -(-n_bytes // self.alignment) * self.alignment


def _hyper_bytes(plan: CpuPlan) -> int:
    return HyperTable([p for p in plan.plan.placements if p.place == "hyper"]).n_bytes


def _input_bytes(plans: Sequence[CpuPlan]) -> dict[str, int]:
    """Bytes of the largest copy of a batch of each feed: none if batches are read where they lie."""
    sizes: dict[str, int] = {}
    for plan in plans:
        types = plan.of.source.graph.types()
        for feed in plan.of.feeds:
            kind = types[feed.value]
            given = feed.layer.transformers if isinstance(feed.layer, DataLayer) else ()
            whole = plan.of.kind in ("step", "accumulate") or plan.of.traced.batch == 1
            copied = not whole or any(name == feed.top for name, _ in given)
            sizes[feed.top] = max(sizes.get(feed.top, 0), copied * kind.elems * DTYPES[kind.dtype].itemsize)
    return sizes
