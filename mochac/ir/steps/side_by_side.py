"""SideBySide: kernels that are independent of each other share a grid; every block works for one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from mochac.base.records import record
from mochac.ir.applying import after
from mochac.ir.fresh import claimed
from mochac.ir.grids import bodies
from mochac.ir.index import Limit
from mochac.ir.kernel import Body, Buffer, Kernel, Loop, accessed_buffers, defined_names, walk, written_buffers
from mochac.ir.names import rename_buffers, rename_loops, rename_values
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class SideBySide(Step):
    """Schedule each member of a joined kernel on its own, and put their blocks side by side.

    each c in 0..20 { sum n { .. } y[c] = .. }        each c in 0..20 blocks { .. threads .. y[c] = .. }
    each o in 0..10 { sum n { .. } z[o] = .. }   ->   each o.1 in 0..10 blocks { .. threads .. z[o.1] = .. }

    `schedules` are the steps of each member, in order. All blocks have as many threads as the member with the most. A
    member without blocks is one block.
    """

    purpose = "independent kernels are launched together"

    schedules: tuple[tuple[Step, ...], ...]

    def apply(self, kernel: Kernel) -> Kernel:
        members = tuple(members_of(kernel))
        if len(self.schedules) != len(members):
            raise ScheduleError(f"side_by_side: {len(self.schedules)} schedules for {len(members)} members")
        scheduled = [
            reduce(lambda k, s: after(s, k), steps, member)
            for member, steps in zip(members, self.schedules, strict=True)
        ]
        placing = _Placing(kernel)
        body = tuple(placing.placed(member) for member in scheduled)
        threads = max(member.block for member in scheduled)
        return kernel.with_(body=body, locals=tuple(placing.locals), threads=(threads,), members=())


def members_of(kernel: Kernel) -> Iterator[Kernel]:
    """The kernels that a kernel was joined from, with the buffers that they access."""
    at = 0
    for root, count in kernel.members:
        body = kernel.body[at : at + count]
        at += count
        used = accessed_buffers(body)
        yield kernel.with_(
            inputs=tuple(b for b in kernel.inputs if b.name in used),
            outputs=tuple(b for b in kernel.outputs if b.name in written_buffers(body)),
            locals=tuple(b for b in kernel.locals if b.name in used),
            body=body,
            root=root,
            members=(),
        )


class _Placing:
    """Gives every member's loops, values and locals names of their own."""

    def __init__(self, kernel: Kernel) -> None:
        self.taken = {b.name for b in (*kernel.inputs, *kernel.outputs)}
        self.loops: set[str] = set()
        self.values: set[str] = set()
        self.locals: list[Buffer] = []

    def placed(self, member: Kernel) -> Loop:
        """The nest of blocks of a scheduled member."""
        if len(bodies(member)) != 1 or not member.block:
            raise ScheduleError("side_by_side: a member must be one grid of blocks")
        body = self._named(member)
        if len(body) == 1 and isinstance(body[0], Loop) and body[0].run == "blocks":
            return body[0]
        if any(isinstance(s, Loop) and s.run == "blocks" for s in walk(body)):
            raise ScheduleError("side_by_side: something is outside of a member's blocks")
        return Loop(claimed("one", self.loops), Limit.of(0), Limit.of(1), "each", "blocks", body)

    def _named(self, member: Kernel) -> Body:
        loops = {s.var: claimed(s.var, self.loops) for s in walk(member.body) if isinstance(s, Loop)}
        values = {name: claimed(name, self.values) for name in sorted(defined_names(member.body))}
        locals_ = {b.name: claimed(b.name, self.taken) for b in member.locals}
        self.locals += [replace(b, name=locals_[b.name]) for b in member.locals]
        return rename_values(rename_buffers(rename_loops(member.body, loops), locals_), values)
