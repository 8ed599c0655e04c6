"""join_sums: sums at the end of a step that only update parameters become one kernel.

    ip1.reduce_sum+ip1.bias, conv2.reduce_sum+conv2.bias, conv1.reduce_sum+conv1.bias   ->   one launch

The gradient of a bias is a sum with few results, which fills only a small part of a device, and nothing waits for its
update, so all such sums may wait for the last of them. The pipeline runs it after to_kernels, on staged kernels, for
backends that launch kernels one by one. Kernels of loops over time stay apart, as do those that read what another
kernel updates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.names import fresh
from mochac.ir.op import OPS
from mochac.ir.passes.join_items import Joined, composed
from mochac.ir.passes.loops import SharedMemory

MOST = 5
"""Members of a kernel: each needs shared memory of its own, up to 8 kB."""
TOGETHER = "launched together: "
"""In notes, precedes the kernels that were joined."""


def join_sums(graph: Graph, kernels: Sequence[Kernel]) -> Joined:
    """Join the sums that may be joined, up to MOST at a time, in the place of the last of them."""
    ends, found, notes = list(_ends(graph, kernels)), dict(enumerate(kernels)), list(graph.notes)
    for members in (ends[k : k + MOST] for k in range(0, len(ends), MOST)):
        if len(members) > 1:
            parts = [found.pop(k) for k in members]
            name = fresh(_name(parts), [kernel.name for kernel in found.values()])
            found[members[-1]] = composed(parts, graph.results()).with_(name=name)
            notes.append(TOGETHER + " + ".join(part.name for part in parts))
    return Joined(tuple(found[k] for k in sorted(found)), tuple(notes))


def _ends(graph: Graph, kernels: Sequence[Kernel]) -> Iterator[int]:
    """The sums that only update states, which nothing else reads."""
    memory = SharedMemory.of(graph)
    loop_of, old = memory.loop_of(kernels), {new: state for state, new in graph.updates}
    read = {memory.window(b.name).owner for kernel in kernels for b in kernel.inputs}
    updated, needed = set[str](), set[str]()
    for k, kernel in enumerate(kernels):
        made, inputs = {b.name for b in kernel.outputs}, {memory.window(b.name).owner for b in kernel.inputs}
        targets = {old[name] for name in made & old.keys()}
        sums = kernel.root in OPS and OPS[kernel.root].kind == "reduce" and kernel.parts == 1 and loop_of[k] < 0
        apart = (inputs | targets) & updated or targets & needed
        if sums and made <= old.keys() and not made & read and not apart:
            updated |= targets
            needed |= inputs
            yield k


def _name(members: Sequence[Kernel]) -> str:
    """The sums' names, without those of the updates."""
    return "+".join(kernel.name.partition("+")[0] for kernel in members)
