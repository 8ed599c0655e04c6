"""verify_plan: checks that a plan obeys named rules.

Tests run it on every plan; the compiler runs it under MOCHAC_VERIFY=1. It recomputes lifetimes and order from the
launches alone, so that it does not share the errors of plan_memory.

placed              every buffer of a launch has a placement of the buffer's type
aligned             arena offsets of what owns its memory are multiples of 64, hyper offsets of 8; all are inside
ordered             launches are listed by phase, one per kernel
written-before-read what a kernel reads comes from outside or was written in an earlier phase
no-overlap          values of the arena that are live at the same time do not overlap, except where one takes the place
                    of the other
update-last         a new state is written after all other reads of the old one
kept                scalars, named values and outputs have placements that are not overwritten
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.passes.arena import ALIGN
from mochac.ir.passes.in_place import may_succeed
from mochac.ir.passes.phases import SharedMemory
from mochac.ir.plan import Launch, Placement, Plan
from mochac.ir.types import TensorType


class PlanError(ValueError):
    """A plan breaks a rule; `rule` is its name."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule = rule


def verify_plan(graph: Graph, kernels: tuple[Kernel, ...], plan: Plan) -> None:
    """Raise PlanError for the first broken rule (see the list above)."""
    check = _Check(graph, kernels, plan)
    check.placed()
    check.aligned()
    check.ordered()
    check.written_before_read()
    check.no_overlap()
    check.update_last()
    check.kept()


class _Check:
    def __init__(self, graph: Graph, kernels: tuple[Kernel, ...], plan: Plan) -> None:
        self.graph, self.plan = graph, plan
        self.kernels = {k.name: k for k in kernels}
        self.placements = {s.name: s for s in plan.placements}
        self.memory = SharedMemory.of(graph)
        self.written: dict[str, int] = {}
        for launch, kernel in self.accesses():
            for b in kernel.outputs:
                owner = self.owner(b.name)
                self.written[owner] = min(self.written.get(owner, launch.phase), launch.phase)
        self.ends = self._ends()
        self.counters = [b.name for kernel in kernels for b in kernel.outputs if b.space == "counter"]

    def owner(self, name: str) -> str:
        return self.memory.window(name).owner

    def lasting(self, launch: Launch) -> int:
        """The phase in which what a launch reads is no longer needed: in a loop, the last one of the loop."""
        return max(other.phase for other in self.plan.launches if other.loop == launch.loop) if launch.loop else 0

    def accesses(self) -> Iterator[tuple[Launch, Kernel]]:
        for launch in self.plan.launches:
            yield launch, self.kernels[launch.kernel]

    def _ends(self) -> dict[str, int]:
        """The last phase in which each stored value must be intact."""
        ends = dict(self.written)
        owned = {name for loop in self.memory.loops for name in loop.owned}
        makers = {self.owner(b.name): launch.loop for launch, kernel in self.accesses() for b in kernel.outputs}
        for launch, kernel in self.accesses():
            for b in (*kernel.inputs, *kernel.outputs):
                source = self.owner(b.name)
                lasts = source in owned or makers.get(source) != launch.loop
                ends[source] = max(ends.get(source, 0), launch.phase, self.lasting(launch) if lasts else 0)
        results = {*self.graph.outputs, *(v for _, v in (*self.plan.scalars, *self.plan.named))}
        ends.update((self.owner(v), self.plan.phases) for v in results)
        return ends

    def placed(self) -> None:
        for launch, kernel in self.accesses():
            buffers = (*kernel.inputs, *kernel.outputs)
            if launch.buffers != tuple(b.name for b in buffers):
                raise PlanError("placed", f"{launch.kernel} is launched with buffers other than its own")
            for b in buffers:
                if b.name not in self.placements or not _same_storage(self.placements[b.name].type, b.type):
                    raise PlanError("placed", f"%{b.name} of {launch.kernel} has no placement of type {b.type}")

    def aligned(self) -> None:
        for s in self.plan.placements:
            step = {"arena": ALIGN, "hyper": 8}.get(s.place, 1) if self.owner(s.name) == s.name else 1
            if s.offset % step or s.offset < 0:
                raise PlanError("aligned", f"%{s.name} lies at byte {s.offset}, not a multiple of {step}")
            if s.place == "arena" and s.offset + s.type.storage_bytes > self.plan.arena_bytes:
                raise PlanError("aligned", f"%{s.name} ends outside the arena of {self.plan.arena_bytes} bytes")

    def ordered(self) -> None:
        phases = [launch.phase for launch in self.plan.launches]
        if phases != sorted(phases):
            raise PlanError("ordered", f"launches are not listed by phase: {phases}")
        if sorted(launch.kernel for launch in self.plan.launches) != sorted(self.kernels):
            raise PlanError("ordered", "the plan does not launch each kernel once")

    def written_before_read(self) -> None:
        inputs = {i.name for i in self.graph.inputs}
        made = {b.name: launch for launch, kernel in self.accesses() for b in kernel.outputs}
        for launch, kernel in self.accesses():
            for b in kernel.inputs:
                source, maker = self.owner(b.name), made.get(b.name)
                first = self.written.get(source, launch.phase)
                if maker is not None and maker.loop == launch.loop:  # of several entries, the one of this step
                    first = maker.phase
                if source not in inputs and not first < launch.phase:
                    raise PlanError("written-before-read", f"{launch.kernel} reads %{b.name} before it is written")

    def no_overlap(self) -> None:
        written = self.written | dict.fromkeys(self.counters, 0)
        ends = self.ends | dict.fromkeys(self.counters, self.plan.phases)
        arena = [(s, written[s.name], ends[s.name]) for s in self._owned("arena") if s.name in written]
        arena.sort(key=lambda entry: entry[0].offset)
        for n, (a, first, last) in enumerate(arena):
            for b, other_first, other_last in arena[n + 1 :]:
                if b.offset >= a.offset + a.type.storage_bytes:
                    break
                if first > other_last or other_first > last or not b.type.storage_bytes:
                    continue
                if not (self._succeeds(a, b) or self._succeeds(b, a)):
                    raise PlanError(
                        "no-overlap", f"%{a.name} and %{b.name} are live at the same time in the same memory"
                    )

    def _succeeds(self, new: Placement, old: Placement) -> bool:
        """Whether a value takes the place of another whose last reader computes it, element by element."""
        phase = self.written[new.name]
        now = [kernel for launch, kernel in self.accesses() if launch.phase == phase]
        makers = [kernel for kernel in now if new.name in {b.name for b in kernel.outputs}]
        readers = [kernel for kernel in now if old.name in {self.owner(b.name) for b in kernel.inputs}]
        whole = (new.offset, new.type.storage_bytes) == (old.offset, old.type.storage_bytes)
        last = self.ends[old.name] == phase and readers == makers and whole
        return last and may_succeed(makers[0], old.name, self.memory.roots)

    def update_last(self) -> None:
        inputs = {i.name for i in self.graph.inputs}
        readers: dict[str, list[tuple[Launch, Kernel]]] = {}
        for launch, kernel in self.accesses():
            for source in {self.owner(b.name) for b in kernel.inputs}:
                readers.setdefault(source, []).append((launch, kernel))
        for s in self._owned("state"):
            if s.name in inputs:
                continue
            written = self.written[s.name]
            for launch, kernel in readers.get(s.key, ()):
                if launch.phase >= written and s.name not in {b.name for b in kernel.outputs}:
                    raise PlanError("update-last", f"{launch.kernel} reads %{s.key} when %{s.name} has replaced it")
        keys = [s.key for s in self._owned("state") if s.name not in inputs]
        if len(keys) != len(set(keys)):
            raise PlanError("update-last", "two values are written to one state")

    def kept(self) -> None:
        for value in (*self.graph.outputs, *(v for _, v in (*self.plan.scalars, *self.plan.named))):
            if value not in self.placements:
                raise PlanError("kept", f"%{value} should be readable after a run, but has no placement")
        for target, new in self.graph.updates:
            homes = [s for s in self._owned("state") if s.key == target and s.name != target]
            if target != new and not homes:
                raise PlanError("kept", f"the new state %{new} of %{target} is not written to its storage")

    def _owned(self, place: str) -> list[Placement]:
        return [s for s in self.plan.placements if s.place == place and self.owner(s.name) == s.name]


def _same_storage(a: TensorType, b: TensorType) -> bool:
    """Whether a kernel can access a placement of type `a` as type `b`: the same numbers at the same positions."""
    return (a.dtype, a.lanes, a.elems) == (b.dtype, b.lanes, b.elems) and (not a.lanes or a.shape[0] == b.shape[0])
