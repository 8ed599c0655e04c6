"""plan_memory: assign each kernel a phase and each value a place in memory; the last pass.

The pipeline calls it with the compiled kernels, and the runtime executes the resulting Plan. The values of a step share
one arena, whose memory is reused in later phases (for devices, see `_for_branches`). New states are stored in place of
the old ones where possible, and values of the arena in place of others whose lives end (see in_place).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from mochac.ir.graph import STORED, Graph
from mochac.ir.kernel import If, Kernel, Loop, Stmt, access
from mochac.ir.passes.arena import Life, live_bytes, padded, place
from mochac.ir.passes.groups import ancestors
from mochac.ir.passes.in_place import copied_name, successors
from mochac.ir.passes.phases import SharedMemory, before_others, dependences, phases, put_off
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, Compiled, Launch, Placement, Plan

HYPER_BYTES = 8
PLACE_OF_ROLE = {"data": "feed", "hyper": "hyper", **dict.fromkeys(STORED, "state")}


def plan_memory(
    name: str,
    graph: Graph,
    kernels: tuple[Kernel, ...],
    *,
    compiled: Mapping[str, Compiled] | None = None,
    scalars: Mapping[str, str] | None = None,
    named: Mapping[str, str] | None = None,
    branch_bytes: int = 0,
    first: Sequence[str] = (),
) -> Plan:
    """Phases, placements and launches of one plan.

    Args:
        name: name of the plan ("step", "test", ...).
        graph: the graph of the kernels, after fuse.
        kernels: add_copies(graph, to_kernels(graph)), or the kernels of their launches: grids have kernels of their
            own.
        compiled: kernel name -> Compiled; if missing, the symbols are the names of the kernels.
        scalars: public name -> value of shape (), or (nets,), copied out after every run.
        named: public name -> value that can be read after a run.
        branch_bytes: size of an arena up to which kernels that do not wait for each other's data do not wait for each
            other's memory either (see `_for_branches`); 0 where kernels run phase by phase.
        first: values whose kernels come before all others, and may run alone (Plan.head).

    Outputs of the graph, scalars and named values are live to the end. An output that is an updated input means its new
    state. Raises ValueError if a requested value has no storage or if kernels wait for each other.
    """
    scalars, named = dict(scalars or {}), dict(named or {})
    memory = SharedMemory.of(graph)
    root = memory.roots
    states = _states(graph, kernels, root)
    needs = dependences(kernels, memory, states)
    early = {root.get(v, v) for v in first}
    makers = {i for i, k in enumerate(kernels) if early & {b.name for b in k.outputs}}
    loop_of = memory.loop_of(kernels)
    head = before_others(needs, makers, loop_of) if first else set[int]()
    put_off(needs, _late_waits(graph, kernels))
    phase = phases(needs, loop_of)
    results = {root.get(v, v) for v in (*graph.outputs, *scalars.values(), *named.values())}
    counters = _counters(kernels)
    lives = [life for life in _lives(kernels, phase, memory, states, results) if life.name not in counters]
    called = {name for name, code in (compiled or {}).items() if code.call}
    after = successors(kernels, phase, lives, memory, called)
    joined = _joined(lives, after)
    offsets, arena_bytes = place(joined)
    offsets.update({name: offsets[_first(name, after)] for name in after})
    if branch_bytes and max(loop_of, default=-1) < 0:
        for_branches = _for_branches(lives, _users(kernels, root, results), ancestors(needs))
        if for_branches[1] <= max(branch_bytes, arena_bytes):
            offsets, arena_bytes = for_branches
    for counter in counters:  # which are zero from launch to launch, so nothing takes their places
        offsets[counter], arena_bytes = arena_bytes, arena_bytes + padded(1)
    placements = _placements(graph, kernels, memory, _homes(graph, states, offsets))
    _require_stored(placements, {**scalars, **named})
    return Plan(
        name=name,
        placements=placements,
        launches=_launches(kernels, phase, compiled or {}, memory),
        scalars=tuple(scalars.items()),
        named=tuple(named.items()),
        arena_bytes=arena_bytes,
        unplanned_bytes=sum(padded(life.size) for life in lives),
        live_bytes=live_bytes(joined),
        head=len(head) if len(head) < len(kernels) else 0,
    )


def _counters(kernels: tuple[Kernel, ...]) -> tuple[str, ...]:
    """The counters of kernels of several grids in one launch."""
    return tuple(b.name for kernel in kernels for b in kernel.outputs if b.space == "counter")


def _late_waits(graph: Graph, kernels: tuple[Kernel, ...]) -> list[int]:
    """The positions of the kernels that wait for sums which only the update reads, in the order of their buckets."""
    late = {node.outputs[0].name for node in graph.nodes if node.op == EXCHANGE_WAIT and node.attr["late"]}
    return [i for i, kernel in enumerate(kernels) if kernel.outputs and kernel.outputs[0].name in late]


def _states(graph: Graph, kernels: tuple[Kernel, ...], root: Mapping[str, str]) -> dict[str, str]:
    """Buffer that holds a new state -> the input whose storage it uses; copy kernels come first."""
    outputs = {b.name for k in kernels for b in k.outputs}
    states: dict[str, str] = {}
    for target, new in graph.updates:
        if target != new:
            source = copied_name(target) if copied_name(target) in outputs else root[new]
            states[source] = target
    return states


def _lives(
    kernels: tuple[Kernel, ...], phase: list[int], memory: SharedMemory, states: Mapping[str, str], results: set[str]
) -> list[Life]:
    """The lifetime of every buffer in the arena, in phases. What outlives a step of a loop lives as long as that; what
    is kept is still there after the last phase."""
    end = max(phase, default=0)
    loop_of = memory.loop_of(kernels)
    within = [{p for p, other in zip(phase, loop_of, strict=True) if other == n} for n in range(len(memory.loops))]
    owned = {name: type for loop in memory.loops for name, type in loop.owned.items()}
    sizes: dict[str, int] = {}
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    temporary: dict[str, int] = {}
    for kernel, p, n in zip(kernels, phase, loop_of, strict=True):
        for b in kernel.outputs:
            owner = memory.window(b.name).owner
            if owner in states:
                continue
            lasts = n >= 0 and owner in owned
            sizes[owner] = owned.get(owner, b.type).storage_bytes
            first[owner] = min(first.get(owner, end), min(within[n]) if lasts else p)
            last[owner] = max(last.get(owner, 0), max(within[n]) if lasts else p)
            if not lasts:
                temporary[owner] = n
    for kernel, p, n in zip(kernels, phase, loop_of, strict=True):
        for b in kernel.inputs:
            owner = memory.window(b.name).owner
            lasts = n >= 0 and temporary.get(owner) != n
            last[owner] = max(last.get(owner, 0), max(within[n]) if lasts else p)
    return [Life(name, size, first[name], end + 1 if name in results else last[name]) for name, size in sizes.items()]


def _first(name: str, after: Mapping[str, str]) -> str:
    """The first of the values that take each other's places."""
    while name in after:
        name = after[name]
    return name


def _joined(lives: Sequence[Life], after: Mapping[str, str]) -> list[Life]:
    """The lives of values that take each other's places as one, under the name of the first."""
    joined: dict[str, Life] = {}
    for life in sorted(lives, key=lambda life: life.first):
        name = _first(life.name, after)
        begun = joined.get(name, life)
        joined[name] = Life(name, life.size, begun.first, max(begun.last, life.last))
    return [joined[life.name] for life in lives if life.name in joined]


def _users(kernels: tuple[Kernel, ...], root: Mapping[str, str], results: set[str]) -> dict[str, tuple[int, int]]:
    """For each value its maker, and all kernels that access it, as bits. Kept values are also read by an imaginary
    kernel after all others."""
    users: dict[str, tuple[int, int]] = {}
    for k, kernel in enumerate(kernels):
        for b in kernel.outputs:
            users[b.name] = (k, 1 << k | (b.name in results) << len(kernels))
    for k, kernel in enumerate(kernels):
        for source in {root.get(b.name, b.name) for b in kernel.inputs} & users.keys():
            maker, bits = users[source]
            users[source] = (maker, bits | 1 << k)
    return users


def _for_branches(
    lives: list[Life], users: Mapping[str, tuple[int, int]], before: list[int]
) -> tuple[dict[str, int], int]:
    """Offsets and size of the arena for a device, where branches of a step run concurrently (runtime/cuda/branches.py).
    A value may reuse memory only if its maker waits for all kernels that access the old value anyway; else branches
    would wait for each other. This takes more memory than reuse by phases.
    """

    def disjoint(a: Life, b: Life) -> bool:
        (maker_a, bits_a), (maker_b, bits_b) = users[a.name], users[b.name]
        return not bits_b & ~before[maker_a] or not bits_a & ~before[maker_b]

    return place(lives, disjoint)


def _homes(graph: Graph, states: Mapping[str, str], offsets: Mapping[str, int]) -> dict[str, tuple[str, str, int]]:
    """(place, key, offset) of every value that owns its storage."""
    homes: dict[str, tuple[str, str, int]] = {}
    hypers = 0
    for i in graph.inputs:
        where = PLACE_OF_ROLE[i.role]
        if where == "hyper" and i.type.shape:  # one for each net: vectors of them are aligned
            hypers = padded(hypers)
        homes[i.name] = (where, i.name, hypers if where == "hyper" else 0)
        hypers += max(HYPER_BYTES, i.type.storage_bytes) * (where == "hyper")
    homes.update((new, ("state", target, 0)) for new, target in states.items())
    homes.update((name, ("arena", "", offset)) for name, offset in offsets.items())
    return homes


def _placements(
    graph: Graph,
    kernels: tuple[Kernel, ...],
    memory: SharedMemory,
    homes: Mapping[str, tuple[str, str, int]],
) -> tuple[Placement, ...]:
    """Placements of inputs, of results of kernels, and of all that lies in their memory."""
    types = memory.types
    stored = {i.name: i.type for i in graph.inputs}
    stored.update((b.name, types.get(b.name, b.type)) for k in kernels for b in k.outputs)
    shared = [name for name, window in memory.windows.items() if window.owner in homes]
    stored.update((name, types[name]) for name in shared if name not in stored)

    def home(name: str) -> tuple[str, str, int]:
        window = memory.window(name)
        place, key, offset = homes[window.owner]
        return place, key, offset + window.offset

    return tuple(Placement(name, t, *home(name)) for name, t in stored.items())


def _require_stored(placements: tuple[Placement, ...], wanted: Mapping[str, str]) -> None:
    known = {s.name for s in placements}
    for public, value in wanted.items():
        if value not in known:
            raise ValueError(f"{public!r} asks for %{value}, which no kernel stores: make it an output of the graph")


def _launches(
    kernels: tuple[Kernel, ...], phase: list[int], compiled: Mapping[str, Compiled], memory: SharedMemory
) -> tuple[Launch, ...]:
    """The launches of all kernels, in the order in which they run: within a phase, exchanges with other ranks begin
    first."""
    found: list[Launch] = []
    for kernel, p, loop in zip(kernels, phase, memory.loop_of(kernels), strict=True):
        launch = launch_of(kernel, p, compiled.get(kernel.name))
        found.append(launch if loop < 0 else _repeated(launch, loop, memory))
    return tuple(sorted(found, key=lambda launch: (launch.phase, launch.symbol != EXCHANGE_START)))


def _repeated(launch: Launch, loop: int, memory: SharedMemory) -> Launch:
    """A launch of a loop's body, with its counts for all steps together."""
    trips = memory.loops[loop].trips
    strides = tuple(memory.window(name).stride for name in launch.buffers)
    flops, moved = launch.flops * trips, launch.moved_bytes * trips
    return replace(launch, loop=loop + 1, trips=trips, strides=strides, flops=flops, moved_bytes=moved)


def launch_of(kernel: Kernel, phase: int, compiled: Compiled | None) -> Launch:
    """The launch of a kernel in a phase; its buffers are named as the kernel's."""
    code = compiled or Compiled(kernel.name)
    buffers = (*kernel.inputs, *kernel.outputs)
    return Launch(
        kernel=kernel.name,
        symbol=code.symbol,
        buffers=tuple(b.name for b in buffers),
        items=code.items,
        phase=phase,
        scratch_bytes=code.scratch_bytes,
        grid=code.grid,
        block=code.block,
        shared_bytes=code.shared_bytes,
        call=code.call,
        writes=len(kernel.outputs) if code.grid or code.call else 0,
        of=code.of,
        flops=kernel.flops,
        moved_bytes=moved_bytes(kernel),
    )


def moved_bytes(kernel: Kernel) -> int:
    """The fewest bytes that a kernel must read and write, for explain and for sharing work among threads.

    Every buffer counts once, an output that begins as an input twice. Where data determine which rows of a buffer are
    accessed (loops `at` a value), only these rows count.
    """
    rows: dict[str, int | None] = {}
    _count_rows(kernel.body, (), rows)
    total = 0
    for buffer in (*kernel.inputs, *kernel.outputs):
        whole, elements = buffer.type.storage_bytes, rows.get(buffer.name)
        one = whole // max(1, buffer.type.elems)
        total += (whole if elements is None else min(whole, elements * one)) * (2 if buffer.begins else 1)
    begun = {b.begins for b in kernel.outputs}
    return total - sum(b.type.storage_bytes for b in kernel.inputs if b.name in begun)


def _count_rows(body: tuple[Stmt, ...], around: tuple[Loop, ...], rows: dict[str, int | None]) -> None:
    """Add the elements that are accessed at rows that data name; None for buffers that are accessed otherwise, too."""
    for stmt in body:
        found = access(stmt)
        if isinstance(stmt, Loop):
            _count_rows(stmt.body, (*around, stmt), rows)
        elif isinstance(stmt, If):
            _count_rows(stmt.body, around, rows)
        elif found is not None:
            name, index = found
            used = {var for i in index for var in i.vars}
            named = any(loop.at and loop.var in used for loop in around)
            extents = [1 if loop.at else loop.extent for loop in around]
            if not named or None in extents:
                rows[name] = None
            elif rows.get(name, 0) is not None:
                rows[name] = max(rows.get(name) or 0, prod(n or 0 for n in extents))
