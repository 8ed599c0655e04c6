"""in_place: which state updates a kernel can write directly into the storage of the old state.

An update `W <- W'` of a graph can be done in place if every kernel that reads the old W runs before the kernel that
computes W', or is that kernel and reads element i only where it writes element i. The pipeline calls add_copies after
to_kernels; it adds copy kernels for all other updates, so that plan_memory only has to place values. The analysis looks
at the bodies of kernels, not at ops.

A kernel that copies the old state and then changes some elements needs no copy in place: `leave_copies_out` lets its
result begin as the old state.

By the same analysis, `successors` finds values of the arena that may be written where another is read for the last
time, such as the sum of a residual block. plan_memory places both at one address.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from mochac.ir.graph import Graph
from mochac.ir.kernel import Buffer, If, Kernel, Load, Loop, Stmt, Store, access, walk, written_buffers
from mochac.ir.passes.arena import Life
from mochac.ir.passes.group_graph import GroupGraph
from mochac.ir.passes.phases import SharedMemory, copy_kernel, dependences
from mochac.ir.types import TensorType


def copied_name(target: str) -> str:
    """Name of the buffer that a copy kernel writes the new state of `target` to."""
    return f"{target}.next"


def leave_copies_out(graph: Graph, kernels: tuple[Kernel, ...]) -> tuple[Kernel, ...]:
    """The kernels; those that copy an old state into a new one in the same memory lose the copy, and only change
    elements."""
    targets: dict[str, list[str]] = {}
    for target, new in graph.updates:
        targets.setdefault(new, []).append(target)
    changed = {i: kernel for i, k in enumerate(kernels) if (kernel := _begun(k, targets)) is not None}
    tried = tuple(changed.get(i, kernel) for i, kernel in enumerate(kernels))
    claims = _Claims(tried, SharedMemory.of(graph))
    refused = {new for target, new in _begun_updates(graph, tried) if not claims.claim(target, new)}
    return tuple(
        k if refused.isdisjoint(b.name for b in k.outputs) else old for old, k in zip(kernels, tried, strict=True)
    )


def _begun_updates(graph: Graph, kernels: tuple[Kernel, ...]) -> list[tuple[str, str]]:
    """The updates whose new state begins as the old one, in the order of the graph."""
    begun = {(b.begins, b.name) for k in kernels for b in k.outputs if b.begins}
    return [update for update in graph.updates if update in begun]


def _begun(kernel: Kernel, targets: Mapping[str, Sequence[str]]) -> Kernel | None:
    """A kernel without its copies of old states, as which its results begin; None if it copies none, or does nothing
    else."""
    inputs = {b.name: b for b in kernel.inputs}
    found: dict[str, str] = {}
    body = kernel.body
    for out in kernel.outputs:
        for source in (inputs[name] for name in targets.get(out.name, ()) if name in inputs):
            shorter = _without_copy(body, source, out) if out.type == source.type else None
            if shorter is not None and out.name in written_buffers(shorter):
                body, found[out.name] = shorter, source.name
    outputs = tuple(replace(b, begins=found.get(b.name, "")) for b in kernel.outputs)
    return kernel.with_(body=body, outputs=outputs) if found else None


def _without_copy(body: tuple[Stmt, ...], source: Buffer, target: Buffer) -> tuple[Stmt, ...] | None:
    """A body without the nest that copies one buffer into the other; None if it does not begin with such a nest, or
    also reads the source elsewhere."""
    reads = [s for s in walk(body) if isinstance(s, Load) and s.buffer == source.name]
    first = next((s for s in walk(body) if (at := access(s)) is not None and at[0] == target.name), None)
    if len(reads) != 1 or not isinstance(first, Store) or (first.index, first.value) != (reads[0].index, reads[0].name):
        return None
    return _without(body, (reads[0], first), target.type.shape, ())


def _without(
    body: tuple[Stmt, ...], copy: tuple[Stmt, ...], shape: tuple[int, ...], around: tuple[Loop, ...]
) -> tuple[Stmt, ...] | None:
    """A body without the loops that only copy an element; None if they do not copy all elements."""
    if body == copy:
        (load, _), limits = copy, {loop.var: (loop.kind, loop.lo.const, loop.extent) for loop in around}
        assert isinstance(load, Load)
        whole = [(str(i), ("each", 0, n)) for i, n in zip(load.index, shape, strict=True)]
        return () if dict(whole) == limits and len(limits) == len(whole) else None
    for k, stmt in enumerate(body):
        inner = _without(stmt.body, copy, shape, (*around, stmt)) if isinstance(stmt, Loop) else None
        if inner is not None:
            assert isinstance(stmt, Loop)
            return (*body[:k], *((stmt.with_body(inner),) if inner else ()), *body[k + 1 :])
    return None


def add_copies(graph: Graph, kernels: tuple[Kernel, ...]) -> tuple[Kernel, ...]:
    """The kernels, followed by one copy kernel for each update that cannot be done in place.

    An update to the value of another input takes two copies, through the arena, because states may be swapped.
    """
    memory = SharedMemory.of(graph)
    root, types = memory.roots, memory.types
    inputs = {i.name for i in graph.inputs}
    claims = _Claims(kernels, memory)
    copies: list[Kernel] = []
    begun = _begun_updates(graph, kernels)
    for target, new in (*begun, *(update for update in graph.updates if update not in begun)):
        if target == new or claims.claim(target, new):
            continue
        assert (target, new) not in begun, "leave_copies_out has claimed these before all others"
        out = types[target]
        if root[new] in inputs:
            staged = Buffer(f"{target}.staged", out)
            copies.append(copy_kernel(f"stage.{target}", Buffer(new, types[new]), staged))
            copies.append(copy_kernel(f"copy.{target}", staged, Buffer(copied_name(target), out)))
        else:
            copies.append(copy_kernel(f"copy.{target}", Buffer(new, types[new]), Buffer(copied_name(target), out)))
    return (*kernels, *copies)


class _Claims:
    """Accepted in-place updates, and the order of kernels that they and the data require."""

    def __init__(self, kernels: tuple[Kernel, ...], memory: SharedMemory) -> None:
        self.kernels, self.root, self.types = kernels, memory.roots, memory.types
        loop_of = memory.loop_of(kernels)
        self.maker = {b.name: i for i, k in enumerate(kernels) for b in k.outputs if loop_of[i] < 0}
        self.readers: dict[str, set[int]] = {}
        self.claimed: set[str] = set()
        for i, kernel in enumerate(kernels):
            for b in kernel.inputs:
                self.readers.setdefault(self.root[b.name], set()).add(i)
        self.order = GroupGraph(dependences(kernels, memory))
        for k, loop in enumerate(loop_of):
            if loop >= 0 and (head := loop_of.index(loop)) != k:  # what waits for one waits for all kernels of its loop
                self.order.merge(head, k)

    def claim(self, target: str, new: str) -> bool:
        """Accept `target <- new` in place if that is safe, and record the constraints that follow."""
        source = self.root[new]
        if (
            source not in self.maker
            or source in self.claimed
            or not _same_storage(self.types[source], self.types[target])
        ):
            return False
        writer = self.maker[source]
        others = self.readers.get(target, set()) - {writer}
        late = any(self.order.leads(writer, self.order.of[k]) for k in others)
        if late or not elementwise_reuse(self.kernels[writer], target, source, self.root):
            return False
        for other in others:
            self.order.add(self.order.of[other], writer)
        self.claimed.add(source)
        return True


def successors(
    kernels: Sequence[Kernel],
    phase: Sequence[int],
    lives: Sequence[Life],
    memory: SharedMemory,
    called: Set[str] = frozenset(),
) -> dict[str, str]:
    """By value, the one whose place it takes: the only result of a kernel, which reads element i of the other only
    where it writes element i. The kernel alone reads the other in the last phase of its life.

    Args:
        called: kernels that libraries compute.
    """
    loop_of, root, by_name = memory.loop_of(kernels), memory.roots, {life.name: life for life in lives}
    readers: dict[tuple[str, int], int] = {}
    for kernel, p in zip(kernels, phase, strict=True):
        for old in {root.get(b.name, b.name) for b in kernel.inputs}:
            readers[old, p] = readers.get((old, p), 0) + 1
    found: dict[str, str] = {}
    for kernel, p, loop in zip(kernels, phase, loop_of, strict=True):
        new = by_name.get(kernel.outputs[0].name)
        if loop >= 0 or len(kernel.outputs) > 1 or new is None or kernel.name in called:
            continue
        for b in kernel.inputs:
            old = by_name.get(root.get(b.name, b.name))
            if old is None or (old.last, old.size) != (p, new.size) or readers[old.name, p] > 1:
                continue
            if may_succeed(kernel, old.name, root):
                found[new.name] = old.name
                break
    return found


def may_succeed(kernel: Kernel, old: str, root: Mapping[str, str]) -> bool:
    """Whether the only result of a kernel may be written over an operand, which owns its memory."""
    new, *others = kernel.outputs
    if others:
        return False
    read = [b for b in kernel.inputs if root.get(b.name, b.name) == old]
    return all(_same_storage(b.type, new.type) for b in read) and elementwise_reuse(kernel, old, new.name, root)


def _same_storage(a: TensorType, b: TensorType) -> bool:
    return (a.dtype, a.elems, a.lanes) == (b.dtype, b.elems, b.lanes) and (not a.lanes or a.shape[0] == b.shape[0])


def elementwise_reuse(kernel: Kernel, target: str, new: str, root: Mapping[str, str]) -> bool:
    """Whether `kernel` reads element i of `target` only before or where it stores element i of `new`.

    Also true if it does not read `target` at all, or if `new` begins as `target`.
    """
    if any(b.name == new and b.begins == target for b in kernel.outputs):
        return True
    read = {b.name for b in kernel.inputs if root.get(b.name, b.name) == target}
    if not read:
        return True
    accesses = list(_accesses(kernel.body, ()))
    first = next((k for k, (s, _) in enumerate(accesses) if isinstance(s, Store) and s.buffer == new), 0)
    if any(isinstance(s, Load) and s.buffer in read for s, _ in accesses[first:]):
        return False
    loads = {(s.index, loops) for s, loops in accesses if isinstance(s, Load) and s.buffer in read}
    stores = {(s.index, loops) for s, loops in accesses if isinstance(s, Store) and s.buffer == new}
    if len(stores) != 1 or loads != stores:
        return False
    ((index, loops),) = stores
    plain = [i.terms[0][0] for i in index if len(i.terms) == 1 and i.terms[0][1] == 1 and not i.const]
    return len(plain) == len(index) and sorted(plain) == sorted(loops) and len(set(plain)) == len(plain)


def _accesses(body: tuple[Stmt, ...], loops: tuple[str, ...]) -> Iterator[tuple[Load | Store, tuple[str, ...]]]:
    for stmt in body:
        if isinstance(stmt, Loop):
            yield from _accesses(stmt.body, (*loops, stmt.var))
        elif isinstance(stmt, If):
            yield from _accesses(stmt.body, loops)
        elif isinstance(stmt, (Load, Store)):
            yield stmt, loops
