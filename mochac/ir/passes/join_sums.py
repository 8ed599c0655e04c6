"""join_sums: sums at the end of a step that only update parameters become one kernel.

    ip1.reduce_sum+ip1.bias, conv2.reduce_sum+conv2.bias, conv1.reduce_sum+conv1.bias   ->   one launch

The gradient of a bias is a sum with few results, which fills only a small part of a device, and nothing waits for its
update, so all such sums may wait for the last of them. This is for backends that launch kernels one by one. Kernels of
loops over time stay apart, as do those that read what another kernel updates.
"""

from __future__ import annotations

from collections.abc import Iterator

from mochac.ir.names import fresh
from mochac.ir.notes import Note, SideBySide
from mochac.ir.passes.join_kernels import Join, Staged, composed

MOST = 5
"""Members of a kernel: each needs shared memory of its own, up to 8 kB."""


def join_sums(staged: Staged) -> Staged:
    """Join the sums that may be joined, up to MOST at a time."""
    ends = tuple(_ends(staged))
    joins, notes, names = list[Join](), list[Note](), {kernel.name for kernel in staged.kernels}
    for members in (ends[k : k + MOST] for k in range(0, len(ends), MOST)):
        if len(members) > 1:
            parts = [staged.kernels[k] for k in members]
            names -= {part.name for part in parts}
            name = fresh("+".join(part.name.partition("+")[0] for part in parts), names)
            names.add(name)
            joins.append(Join(members, composed(parts, staged.graph.results()).with_(name=name)))
            notes.append(SideBySide(tuple(part.name for part in parts)))
    return staged.joined(joins, notes)


def _ends(staged: Staged) -> Iterator[int]:
    """The sums that only update states, which nothing else reads."""
    updated, needed = set[str](), set[str]()
    for k, kernel in enumerate(staged.kernels):
        made, inputs = {b.name for b in kernel.outputs}, {staged.owner(b.name) for b in kernel.inputs}
        targets = {staged.states[name] for name in made & staged.states.keys()}
        sums = staged.kind(k) == "reduce" and kernel.parts == 1 and staged.loop_of[k] < 0
        apart = (inputs | targets) & updated or targets & needed
        if sums and made <= staged.states.keys() and not made & staged.readers_by_any_name.keys() and not apart:
            updated |= targets
            needed |= inputs
            yield k
