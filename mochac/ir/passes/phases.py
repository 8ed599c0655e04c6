"""When kernels run: phases of kernels that may run at the same time, and the repetitions of loops over time.

phases: on a CPU, the kernels of one phase are independent of each other, and a barrier separates phases. On a device, a
kernel waits for the kernels whose data it needs, whatever their phase. plan_memory uses it.

loops: how the kernels of a scan's body lie in the plan, which runs them once for each step of time. to_kernels lowers
the body once. Its values are called PREFIX/name, where PREFIX is the scan's first result, and lie in the memory of the
whole plan. Values that are carried, sliced or stacked move by one entry of their stack with each step; a carried value
is written to the entry after the one from which it is read. So nothing is copied between steps:

    carry.all    [start][after step 0][after step 1] ...        a step reads entry t and writes entry t + 1
    before       [------------------------------------)
    after               (------------------------------------]

From this, plan_memory and in_place know what shares memory. The kernels of a loop get phases of their own, one after
another, which the runtime repeats. Everything can be derived from the graph, so plans need no other records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mochac.base.records import record
from mochac.ir.graph import Graph, Input, Node
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Buffer, Kernel, Load, Loop, Stmt, Store
from mochac.ir.kernel_build import Alias, Repeated
from mochac.ir.op import lowering
from mochac.ir.ops.scan import Parts
from mochac.ir.passes.groups import is_alias, levels, reached
from mochac.ir.types import TensorType

COPY = "copy"


@record(slots=True)
class PartOf:
    """Where a value lies: `offset` bytes into the memory of `owner`, `stride` bytes further with each step."""

    owner: str
    offset: int = 0
    stride: int = 0

    def moved(self, offset: int, stride: int = 0) -> PartOf:
        return PartOf(self.owner, self.offset + offset, self.stride + stride)


@record
class TimeLoop:
    """A scan: its body with the names of the plan, what is copied before the scan starts, and what at the end of each
    step.

    Attributes:
        owned: memory that the loop makes, by name.
        starts, copies: pairs (source, target).
    """

    body: Graph
    trips: int
    owned: Mapping[str, TensorType]
    starts: tuple[tuple[str, str], ...]
    copies: tuple[tuple[str, str], ...]


@record
class SharedMemory:
    """What shares memory in a plan of a graph.

    Attributes:
        windows: where each value lies; values that are missing have memory of their own.
        types: of all values, those of bodies included, and of the memory that loops make.
    """

    windows: dict[str, PartOf]
    types: dict[str, TensorType]
    loops: tuple[TimeLoop, ...]

    @classmethod
    def of(cls, graph: Graph) -> SharedMemory:
        types = graph.types()
        memory = _Builder({i.name for i in graph.inputs}, types)
        for node in graph.nodes:
            memory.add(node)
        return cls(memory.windows, memory.types, tuple(memory.loops))

    def window(self, name: str) -> PartOf:
        return self.windows.get(name, PartOf(name))

    @property
    def roots(self) -> dict[str, str]:
        """For every value, the one that owns its memory."""
        return {name: window.owner for name, window in self.windows.items()}

    def loop_of(self, kernels: Sequence[Kernel]) -> list[int]:
        """The loop that each kernel belongs to, as its position in `loops`; -1 for none."""
        loops: dict[str, int] = {}
        for k, loop in enumerate(self.loops):
            loops.update((out.name, k) for node in loop.body.nodes for out in node.outputs)
            loops.update((target, k) for _, target in loop.copies)
        for kernel in reversed(kernels):  # a grid whose results are no values belongs to the one that reads them
            home = loops.get(kernel.outputs[0].name, -1)
            loops.update((b.name, home) for b in kernel.inputs if home >= 0 and b.name not in self.types)
        return [loops.get(kernel.outputs[0].name, -1) for kernel in kernels]


def is_loop(node: Node) -> bool:
    """Whether the node runs its body many times."""
    return isinstance(lowering(node), Repeated)


def copy_kernel(name: str, source: Buffer, target: Buffer) -> Kernel:
    """A kernel that copies a value."""
    index = tuple(Index.var(f"a{i}") for i in range(len(target.type.shape)))
    body: tuple[Stmt, ...] = (Load("t", source.name, index), Store(target.name, index, "t"))
    for var, extent in reversed(list(zip(index, target.type.shape, strict=True))):
        body = (Loop(var.vars[0], Limit.of(0), Limit.of(extent), "each", "serial", body),)
    return Kernel(name, (source,), (target,), (), body, root=COPY, ops=(COPY,))


class _Builder:
    """Adds the values of a graph, node by node."""

    def __init__(self, inputs: set[str], types: dict[str, TensorType]) -> None:
        self.inputs, self.types = inputs, types
        self.taken = set(types)
        self.windows = {name: PartOf(name) for name in inputs}
        self.loops: list[TimeLoop] = []

    def add(self, node: Node) -> None:
        if is_loop(node):
            self._loop(Parts.of(node))
        else:
            for out in node.outputs:
                self.windows.setdefault(out.name, self._viewed(node) if is_alias(node) else PartOf(out.name))

    def _viewed(self, node: Node) -> PartOf:
        """Where the result of an alias lies."""
        lower, source = lowering(node), node.inputs[0]
        row = node.attr[lower.row] if isinstance(lower, Alias) and lower.row else 0
        assert isinstance(row, int)
        x = self.types[source]
        rows = x.storage_shape[0] * max(1, x.lanes) if row else 1
        return self.windows[source].moved(row * x.storage_bytes // rows)

    def _loop(self, parts: Parts) -> None:
        prefix = parts.node.outputs[0].name
        while any(name.startswith(f"{prefix}/") for name in self.taken):
            prefix += "'"
        body = parts.body.renamed({name: f"{prefix}/{name}" for name in parts.body.types()})
        self.types.update(body.types())
        self.taken.update(body.types())
        owned: dict[str, TensorType] = {}
        starts: list[tuple[str, str]] = []

        def own(name: str, type: TensorType) -> PartOf:
            owned[name] = self.types[name] = type
            return self.windows.setdefault(name, PartOf(name))

        for k, (i, operand) in enumerate(zip(body.inputs, parts.node.inputs, strict=True)):
            window = self.windows[operand]
            if k < parts.carried:
                stack = own(f"{i.name}.all", i.type.with_(shape=(parts.length + 1, *i.type.shape), batch=False))
                starts.append((operand, self._carried(parts, k, i, stack)))
            elif k < parts.carried + parts.sliced:
                if window.owner in self.inputs:  # it lies outside of the arena, and is copied into it
                    window = own(f"{i.name}.all", self.types[operand].with_(batch=False))
                    starts.append((operand, window.owner))
                self.windows[i.name] = _entry(parts, window, i.type)
            else:
                self.windows[i.name] = window
        for out in parts.stacked:
            own(out.name, out.type)
        copies = self._outputs(parts, body)
        for node in body.nodes:
            self.add(node)
        self.loops.append(TimeLoop(body, parts.length, owned, tuple(starts), tuple(copies)))

    def _carried(self, parts: Parts, k: int, i: Input, stack: PartOf) -> str:
        """A carried value, at all steps in a stack; returns the name of its first entry."""
        name, size, n = f"{i.name}.start", i.type.storage_bytes, parts.length
        self.types[name] = i.type
        first, last, behind = (n * size, 0, -size) if parts.reverse else (0, n * size, size)
        self.windows[name] = stack.moved(first)
        self.windows[i.name] = stack.moved(first, behind)
        self.windows[parts.last[k].name] = stack.moved(last)
        self.windows[parts.after[k].name] = stack.moved(max(0, behind))
        self.windows[parts.before[k].name] = stack.moved(max(0, -behind))
        return name

    def _outputs(self, parts: Parts, body: Graph) -> list[tuple[str, str]]:
        """Where the results of a step lie. A result that no kernel computes, or that already has another place, is
        copied."""
        copies: list[tuple[str, str]] = []
        outputs = {out.name for node in body.nodes if not is_alias(node) for out in node.outputs}
        for k, name in enumerate(body.outputs):
            if k < parts.carried:
                window = self.windows[body.inputs[k].name]
                window = window.moved(window.stride)
            else:
                window = _entry(parts, PartOf(parts.stacked[k - parts.carried].name), self.types[name])
            if name not in outputs or name in self.windows:
                target = f"{name}.out{k}"
                self.types[target] = self.types[name]
                copies.append((name, target))
                name = target
            self.windows[name] = window
        return copies


def _entry(parts: Parts, stack: PartOf, type: TensorType) -> PartOf:
    """This step's entry of a stack."""
    size = type.storage_bytes
    return stack.moved((parts.length - 1) * size, -size) if parts.reverse else stack.moved(0, size)


def dependences(
    kernels: tuple[Kernel, ...], memory: SharedMemory, states: Mapping[str, str] | None = None
) -> list[set[int]]:
    """For every kernel, the kernels that must finish before it starts.

    Args:
        kernels: in any order.
        memory: what shares memory.
        states: buffer that is written in place -> the input whose storage it uses.

    A kernel follows the makers of what it reads; the writer of a new state follows all other readers of the old state.
    In a loop over time, a kernel does not follow those that write the entry of another step.
    """
    makers: dict[str, list[tuple[int, PartOf]]] = {}
    readers: dict[str, set[int]] = {}
    loop_of = memory.loop_of(kernels)
    for i, kernel in enumerate(kernels):
        for b in kernel.outputs:
            window = memory.window(b.name)
            makers.setdefault(window.owner, []).append((i, window))
    needs: list[set[int]] = [set() for _ in kernels]
    for i, kernel in enumerate(kernels):
        for b in kernel.inputs:
            window = memory.window(b.name)
            readers.setdefault(window.owner, set()).add(i)
            for j, written in makers.get(window.owner, ()):
                if not loop_of[i] == loop_of[j] >= 0 or written == window:
                    needs[i].add(j)
    for new, target in (states or {}).items():
        writer = makers[new][0][0]
        needs[writer] |= readers.get(target, set()) - {writer}
    return needs


def phases(needs: list[set[int]], loop_of: Sequence[int]) -> list[int]:
    """The phase of each kernel: its level; the kernels of each loop have phases of their own, which follow each other.

    >>> phases([set(), {0}, {1}, {0}, {2, 3}], [-1, 0, 0, -1, -1])
    [0, 2, 3, 1, 4]
    """
    n_loops = max(loop_of, default=-1) + 1
    unit = [loop if loop >= 0 else n_loops + i for i, loop in enumerate(loop_of)]
    before = [set[int]() for _ in range(n_loops + len(needs))]
    for i, found in enumerate(needs):
        before[unit[i]] |= {unit[j] for j in found} - {unit[i]}
    level, turns = levels(before), dict[tuple[int, int], list[int]]()
    for i, loop in enumerate(loop_of):
        turns.setdefault((level[unit[i]], loop), []).append(i)
    phase, at = [0] * len(needs), 0
    for _, members in sorted(turns.items()):
        place = {i: n for n, i in enumerate(members)}
        inner = levels([{place[j] for j in needs[i] if j in place} for i in members])
        for i, step in zip(members, inner, strict=True):
            phase[i] = at + step
        at += max(inner) + 1
    return phase


def before_others(needs: list[set[int]], first: set[int], loop_of: Sequence[int]) -> set[int]:
    """Let all other kernels follow those in `first`, what these depend on and what shares a loop with them; returns
    the positions of the ones that come first.

    >>> needs = [set(), {0}, set(), {2}]
    >>> sorted(before_others(needs, {1}, [-1, -1, -1, -1])), needs
    ([0, 1], [set(), {0}, {0, 1}, {0, 1, 2}])
    >>> sorted(before_others([set(), {0}, {1}, {2}], {1}, [-1, 0, 0, -1]))
    [0, 1, 2]
    """
    head = reached(first, lambda k: [*needs[k], *(j for j, loop in enumerate(loop_of) if loop == loop_of[k] >= 0)])
    for k, before in enumerate(needs):
        if k not in head:
            before |= head
    return head


def put_off(needs: list[set[int]], waits: Sequence[int]) -> None:
    """Let each of these kernels, which wait for other ranks, follow all kernels that depend neither on it nor on a
    later one of them, so that a rank waits only when it has nothing else to do.

    >>> needs = [set(), {0}, {1}, {0}]  # 1 waits, 2 reads what it waits for
    >>> put_off(needs, [1]); needs
    [set(), {0, 3}, {1}, {0}]
    """
    behind: set[int] = set()
    for wait in reversed(waits):
        behind |= reached([wait], lambda j: [k for k, before in enumerate(needs) if j in before])
        needs[wait] |= set(range(len(needs))) - behind
