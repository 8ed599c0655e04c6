"""Steps that change how locals and buffers are stored: dimensions merged, permuted, padded."""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, Kernel, Load, Prefetch, Stmt, Store, access, rewrite, walk
from mochac.ir.nest import require_local
from mochac.ir.schedule import ScheduleError, Step, step


@step
@record
class Flatten(Step):
    """Merge dimensions `axis` and `axis` + 1 of a buffer; nothing moves in memory.

    row[c, w, n]: f32[3,8,4]  ->  row[c, n + 4*w]: f32[3,32]     (local=row, axis=1)
    """

    purpose = "neighbours in memory become one axis, so that one loop can run over them"

    local: str
    axis: int

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = kernel.buffers().get(self.local)
        if buffer is None:
            raise ScheduleError(f"flatten: kernel {kernel.name!r} has no buffer {self.local!r}")
        shape, k = buffer.type.shape, self.axis
        if k == 0 and buffer.type.lanes:
            raise ScheduleError(f"flatten: dimension 0 of {self.local!r} is stored in blocks")
        if not 0 <= k < len(shape) - 1:
            raise ScheduleError(f"flatten: {self.local!r} has {len(shape)} dimensions, none after {k}")

        def merged(index: tuple[Index, ...]) -> tuple[Index, ...]:
            return (*index[:k], index[k] * shape[k + 1] + index[k + 1], *index[k + 2 :])

        def change(stmt: Stmt) -> Stmt | None:
            if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer == self.local:
                return replace(stmt, index=merged(stmt.index))
            return None

        flat = buffer.type.with_(shape=(*shape[:k], shape[k] * shape[k + 1], *shape[k + 2 :]))
        inputs, outputs, locals_ = (
            tuple(replace(b, type=flat) if b.name == self.local else b for b in buffers)
            for buffers in (kernel.inputs, kernel.outputs, kernel.locals)
        )
        return kernel.with_(body=rewrite(kernel.body, change), inputs=inputs, outputs=outputs, locals=locals_)


@step
@record
class Permute(Step):
    """Dimension `order[k]` of `local` becomes dimension k.

    row[n, c, w]: f32[4,3,8]  ->  row[c, w, n]: f32[3,8,4]     (local=row, order=(1, 2, 0))

    Unlike Innermost, it does not depend on which loops index the dimensions.
    """

    purpose = "the local lies in the order in which it is read"

    local: str
    order: tuple[int, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = require_local(kernel, self.local, "permute")
        shape = buffer.type.shape
        if sorted(self.order) != list(range(len(shape))):
            raise ScheduleError(f"permute: order must name each of the {len(shape)} dimensions of {self.local!r} once")

        def change(stmt: Stmt) -> Stmt | None:
            if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer == self.local:
                return replace(stmt, index=tuple(stmt.index[k] for k in self.order))
            return None

        turned = replace(buffer, type=buffer.type.with_(shape=tuple(shape[k] for k in self.order)))
        changed = tuple(turned if b.name == self.local else b for b in kernel.locals)
        return kernel.with_(body=rewrite(kernel.body, change), locals=changed)


@step
@record
class Innermost(Step):
    """Make the dimension of `local` that is indexed by `loop` the last one.

    acc[lane, r] = ...  ->  acc[r, lane] = ...     (local=acc, loop=lane)

    Vector loops then load and store whole registers. Every access must index the same dimension by the loop.
    """

    purpose = "vectors of the local are loaded and stored as whole registers"

    local: str
    loop: str

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = require_local(kernel, self.local, "innermost")
        axes = {self._axis(a[1]) for s in walk(kernel.body) if (a := access(s)) is not None and a[0] == self.local}
        if len(axes) != 1 or None in axes:
            raise ScheduleError(f"innermost: loop {self.loop!r} must index one dimension of {self.local!r} everywhere")
        (axis,) = axes
        assert axis is not None
        shape = (*buffer.type.shape[:axis], *buffer.type.shape[axis + 1 :], buffer.type.shape[axis])
        moved = replace(buffer, type=buffer.type.with_(shape=shape))
        body = rewrite(kernel.body, lambda stmt: self._permute(stmt, moved, axis))
        return kernel.with_(body=body, locals=tuple(moved if b.name == self.local else b for b in kernel.locals))

    def _axis(self, index: tuple[Index, ...]) -> int | None:
        axes = [k for k, i in enumerate(index) if i.coefficient(self.loop)]
        return axes[0] if len(axes) == 1 else None

    def _permute(self, stmt: Stmt, buffer: Buffer, axis: int) -> Stmt | None:
        if not isinstance(stmt, (Load, Store, Accum, Prefetch)) or stmt.buffer != buffer.name:
            return None
        index = stmt.index
        return replace(stmt, index=(*index[:axis], *index[axis + 1 :], index[axis]))


@step
@record
class Loosen(Step):
    """Make a local `by` elements longer along an axis; nothing accesses them.

    local V: f32[36,32,4,16] scratch  ->  local V: f32[36,33,4,16] scratch                     (local=V, axis=1, by=1)

    Elements that lie a multiple of a power of two apart, such as 8 KB, are in one set of a cache, which holds 8 to 12
    of them.
    """

    purpose = "what is accessed together would lie in the same set of a cache without a gap"

    local: str
    axis: int
    by: int

    def apply(self, kernel: Kernel) -> Kernel:
        found = require_local(kernel, self.local, "loosen")
        shape = found.type.shape
        if not 0 <= self.axis < len(shape) or self.by < 1:
            raise ScheduleError(f"loosen: {self.local!r} has axes 0 .. {len(shape) - 1}, and grows by 1 or more")
        longer = tuple(n + self.by * (axis == self.axis) for axis, n in enumerate(shape))
        new = replace(found, type=found.type.with_(shape=longer))
        return kernel.with_(locals=tuple(new if b is found else b for b in kernel.locals))


@step
@record
class SamplesLast(Step):
    """Describe a blocked buffer, which has a single block of samples, as it lies in memory; nothing moves.

    x[n, c, w]: f32[b3,2,8] blocked(4)  ->  x[c, w, n]: f32[2,8,4] of f32[b3,2,8] blocked(4)
    """

    purpose = "samples are an axis like others, so that a vector may hold the samples of several columns"

    buffer: str

    def apply(self, kernel: Kernel) -> Kernel:
        found = next((b for b in (*kernel.inputs, *kernel.outputs) if b.name == self.buffer), None)
        if found is None or not found.type.lanes:
            raise ScheduleError(f"samples_last: kernel {kernel.name!r} has no blocked buffer {self.buffer!r}")
        samples, *others = found.type.shape
        if samples > found.type.lanes:
            raise ScheduleError(f"samples_last: the {samples} samples of {self.buffer!r} lie in several blocks")

        def change(stmt: Stmt) -> Stmt | None:
            if isinstance(stmt, (Load, Store, Accum, Prefetch)) and stmt.buffer == self.buffer:
                return replace(stmt, index=(*stmt.index[1:], stmt.index[0]))
            return None

        natural = found.type.with_(shape=(*others, found.type.lanes), batch=False, lanes=0)
        inputs, outputs = (
            tuple(replace(b, type=natural, passed=b.type) if b.name == self.buffer else b for b in buffers)
            for buffers in (kernel.inputs, kernel.outputs)
        )
        return kernel.with_(body=rewrite(kernel.body, change), inputs=inputs, outputs=outputs)
