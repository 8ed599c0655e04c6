"""Rules of join_kernels for backends that launch kernels one by one: join_sums, join_steps.

join_sums: sums at the end of a step that only update parameters become one kernel.

    ip1.reduce_sum+ip1.bias, conv2.reduce_sum+conv2.bias, conv1.reduce_sum+conv1.bias   ->   one launch

The gradient of a bias is a sum with few results, which fills only a small part of a device, and nothing waits for its
update, so all such sums may wait for the last of them. Kernels of loops over time stay apart, as do those that read
what another kernel updates.

join_steps: the kernels of a loop over time become one kernel, which contains the loop.

    in every step {                          each sample {
      %a = inner_product(%h, %u)      ->       for time in 0..100 {
      %h.new = gates(%a, %x)                     each o { a[o] = ... }
    }                                            each i { h.new[i] = ... }
                                                 each i { h[i] = h.new[i] }
                                             } }

Otherwise every step is a launch for each of its kernels, which takes longer than what it computes. Steps can be joined
if all kernels compute sample by sample: samples are then independent, and what a step passes on, to its next kernel or
to the next step, is a local of the sample. Results of all steps are stored where they lie otherwise (phases.py). The
backend may refuse a kernel, such as one whose weights do not fit the memory near a sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    access,
    defined_names,
    loaded_buffers,
    rewrite,
    substitute,
    walk,
)
from mochac.ir.names import claimed, rename_buffers, rename_loops, rename_values
from mochac.ir.notes import AllSteps, JoinedLaunches, Note, StepByStep
from mochac.ir.ops.scan import Parts
from mochac.ir.passes.join_kernels import KernelJoin, Staged, composed, joining
from mochac.ir.passes.phases import TimeLoop, is_loop
from mochac.ir.types import TensorType

MAX_MEMBERS = 5
"""Maximum members of a kernel: each needs shared memory of its own, up to 8 kB."""

Entry = tuple[str, tuple[Index, ...]]
"""A buffer, and the first indices of its elements for one sample."""


@joining
def join_sums(staged: Staged) -> Iterator[KernelJoin | Note]:
    """Join the sums that may be joined, up to MAX_MEMBERS at a time."""
    ends = tuple(_ends(staged))
    for members in (ends[k : k + MAX_MEMBERS] for k in range(0, len(ends), MAX_MEMBERS)):
        if len(members) > 1:
            names = staged.names(members)
            whole = composed([staged.kernels[k] for k in members], staged.graph.results())
            yield KernelJoin(members, whole.with_(name="+".join(name.partition("+")[0] for name in names)))
            yield JoinedLaunches(names)


def _ends(staged: Staged) -> Iterator[int]:
    """The sums that only update states, which nothing else reads."""
    updated, needed = set[str](), set[str]()
    for k, kernel in enumerate(staged.kernels):
        outputs, inputs = {b.name for b in kernel.outputs}, {staged.owner(b.name) for b in kernel.inputs}
        targets = {staged.states[name] for name in outputs & staged.states.keys()}
        sums = staged.kind(k) == "reduce" and kernel.parts == 1 and staged.loop_of[k] < 0
        conflicts = (inputs | targets) & updated or targets & needed
        if (
            sums
            and outputs <= staged.states.keys()
            and not outputs & staged.readers_by_any_name.keys()
            and not conflicts
        ):
            updated |= targets
            needed |= inputs
            yield k


@joining
def join_steps(
    staged: Staged, nested: Callable[[Kernel], Kernel], refuse: Callable[[Kernel], str]
) -> Iterator[KernelJoin | Note]:
    """Join the kernels of every loop for which that is possible.

    Args:
        nested: makes one nest of a staged kernel.
        refuse: says why the kernels of a loop should stay apart, from the kernel that they would become; "" if they
            should not.
    """
    scans = [node for node in staged.graph.nodes if is_loop(node)]
    for n, (node, loop) in enumerate(zip(scans, staged.memory.loops, strict=True)):
        numbers = [k for k, home in enumerate(staged.loop_of) if home == n]
        members = [staged.kernels[k] for k in numbers]
        try:
            steps = _Steps(Parts.of(node), loop, staged.memory.types, [nested(kernel) for kernel in members])
            whole = steps.kernel(_name(members), refuse)
        except _CannotJoin as error:
            yield StepByStep(staged.names(numbers), str(error))
            continue
        starts = {target for _, target in loop.starts}
        copies = (k for k, kernel in enumerate(staged.kernels) if kernel.outputs[0].name in starts)
        yield KernelJoin((*copies, *numbers), whole)
        yield AllSteps(staged.names(numbers))


def _name(members: Sequence[Kernel]) -> str:
    """The layer of the first kernel that has one."""
    layers = [loc.layer for kernel in members for loc in kernel.loc]
    return f"{layers[0]}.scan" if layers else "scan"


class _CannotJoin(Exception):
    """Why kernels cannot be joined."""


class _Steps:
    """The kernels of a loop, and the kernel that they become.

    Attributes:
        taken: names of loops, locals and values of the kernel.
        item, now: the sample, and the entry of this step.
        operands: of the loop, by the inputs of the body.
        carries, slices: inputs of the body that are carried, or parts of their operands.
        results: of the body.
        outputs: what the kernels store.
        near: values of the body, and the locals that hold them for one sample.
        stacks: results of a step, and where they are stored: buffer, and its entry.
        samples: how many there are.
    """

    def __init__(
        self, parts: Parts, loop: TimeLoop, types: Mapping[str, TensorType], members: Sequence[Kernel]
    ) -> None:
        self.parts, self.loop, self.types, self.members = parts, loop, types, members
        self.taken = {"item", "time", *parts.node.inputs, *loop.owned}
        self.item, time = Index.var("item"), Index.var("time")
        self.now = parts.length - 1 - time if parts.reverse else time
        carried, sliced = parts.carried, parts.sliced
        inputs = [i.name for i in loop.body.inputs]
        self.operands = dict(zip(inputs, parts.node.inputs, strict=True))
        self.carries, self.slices = inputs[:carried], inputs[carried : carried + sliced]
        copied, names = {target for _, target in loop.copies}, enumerate(loop.body.outputs)
        self.results = [target if (target := f"{name}.out{k}") in copied else name for k, name in names]
        self.stacks: dict[str, list[tuple[str, Index]]] = {}
        for k, name in enumerate(self.results):
            place = (f"{inputs[k]}.all", self.after) if k < carried else (parts.stacked[k - carried].name, self.now)
            self.stacks.setdefault(name, []).append(place)
        outputs = {b.name for kernel in members for b in kernel.outputs}
        read = set[str]().union(*(loaded_buffers(kernel.body) for kernel in members))
        passed = [name for name in outputs if name in read or name not in self.stacks or name in self.results[:carried]]
        self.near = {name: claimed(name.rpartition("/")[2], self.taken) for name in (*self.carries, *sorted(passed))}
        self.outputs = outputs
        self.locals = [self._near(name) for name in self.near]
        samples = {types[name].shape[:1] for name in (*self.near, *outputs)}
        if len(samples) != 1 or samples == {()}:
            raise _CannotJoin("its values have no samples in common")
        ((self.samples,),) = samples

    @property
    def after(self) -> Index:
        """The entry of carried values after this step."""
        return self.now if self.parts.reverse else self.now + 1

    def _near(self, name: str) -> Buffer:
        t = self.types[name]
        return Buffer(self.near[name], TensorType(t.dtype, t.shape[1:]), "scratch")

    def kernel(self, name: str, refuse: Callable[[Kernel], str]) -> Kernel:
        """All steps as one kernel.

        Raises:
            _CannotJoin: a kernel does not compute sample by sample, or the backend refuses the whole.
        """
        steps = [stmt for kernel in self.members for stmt in self._member(kernel)]
        starts, ends = list(self._starts()), list(self._ends())
        time = Loop("time", Limit.of(0), Limit.of(self.parts.length), "for", "serial", (*steps, *ends))
        item = Loop("item", Limit.of(0), Limit.of(self.samples), "each", "serial", (*starts, time))
        stacks = dict.fromkeys(stack for places in self.stacks.values() for stack, _ in places)
        near = {*stacks, *(b.name for b in self.locals)}
        inputs = dict.fromkeys(s.buffer for s in walk((item,)) if isinstance(s, Load) and s.buffer not in near)
        whole = Kernel(
            name,
            tuple(Buffer(x, self.types[x]) for x in inputs),
            tuple(Buffer(x, self.loop.owned[x]) for x in stacks),
            tuple(self.locals),
            (item,),
            root=self.parts.node.op,
            ops=tuple(op for kernel in self.members for op in kernel.ops),
            loc=tuple(dict.fromkeys(loc for kernel in self.members for loc in kernel.loc)),
            flops=self.parts.length * sum(kernel.flops for kernel in self.members),
        )
        if why := refuse(whole):
            raise _CannotJoin(why)
        return whole

    # -- what lies around the kernels of a step

    def _starts(self) -> Iterator[Stmt]:
        """Carried values before the first step."""
        first = Index.of(self.parts.length if self.parts.reverse else 0)
        for name in self.carries:
            targets = (self.near[name], ()), (f"{name}.all", (first, self.item))
            yield from self._copied(name, (self.operands[name], (self.item,)), *targets)

    def _ends(self) -> Iterator[Stmt]:
        """Carried values for the next step."""
        for name, new in zip(self.carries, self.results, strict=False):
            yield from self._copied(name, (self.near[new], ()), (self.near[name], ()))

    def _copied(self, name: str, source: Entry, *targets: Entry) -> Body:
        """Loops that copy the elements of a value, for one sample."""
        extents = self.types[name].shape[1:]
        axes, value = tuple(Index.var(claimed("i", self.taken)) for _ in extents), claimed("t", self.taken)
        stores = (Store(target, (*at, *axes), value) for target, at in targets)
        body: Body = (Load(value, source[0], (*source[1], *axes)), *stores)
        for axis, extent in reversed(list(zip(axes, extents, strict=True))):
            body = (Loop(axis.vars[0], Limit.of(0), Limit.of(extent), "each", "serial", body),)
        return body

    # -- the kernels of a step

    def _member(self, kernel: Kernel) -> Iterator[Stmt]:
        """The statements of a kernel for one sample."""
        names = {b.name: claimed(b.name, self.taken) for b in kernel.locals}
        if any(b.space != "register" for b in kernel.locals):
            raise _CannotJoin(f"{kernel.name} keeps values in memory")
        self.locals += (replace(b, name=names[b.name]) for b in kernel.locals)
        for nest in kernel.body:
            if not isinstance(nest, Loop) or (nest.kind, nest.lo.const, nest.extent) != ("each", 0, self.samples):
                raise _CannotJoin(f"{kernel.name} does not begin with a loop over samples")
            body = substitute(nest.body, {nest.var: self.item})
            body = rename_values(body, {x: claimed(x, self.taken) for x in sorted(defined_names(body))})
            loops = dict.fromkeys(s.var for s in walk(body) if isinstance(s, Loop))
            body = rename_loops(body, {x: claimed(x, self.taken) for x in loops})
            yield from rewrite(rename_buffers(body, names), lambda s: self._moved(s, kernel))

    def _moved(self, stmt: Stmt, kernel: Kernel) -> Stmt | tuple[Stmt, ...] | None:
        """What replaces an access to a value of the body."""
        found = access(stmt)
        if found is None:
            return None
        name, index = found
        if isinstance(stmt, Load) and name in self.slices:
            return Load(stmt.name, self.operands[name], (self.now, *index))
        if isinstance(stmt, Load) and name in self.operands and name not in self.carries:
            return Load(stmt.name, self.operands[name], index)
        if name not in self.near and name not in self.outputs:
            return None
        if index[0] != self.item or isinstance(stmt, Accum):
            raise _CannotJoin(f"{kernel.name} does not compute sample by sample")
        if isinstance(stmt, Load):
            return Load(stmt.name, self.near[name], index[1:])
        assert isinstance(stmt, Store)
        near = [Store(self.near[name], index[1:], stmt.value)] if name in self.near else []
        return (*near, *(Store(stack, (at, *index), stmt.value) for stack, at in self.stacks.get(name, ())))
