"""BatchSum: a sum of products for every sample of a batch, with its loops by their roles.

    each n { each c { each oh { each ow {                                     batch n, channel c, row oh, column ow
      acc = bias[c]
      sum ci { sum kh { sum kw { acc += x[n, ci, oh + kh, ow + kw] * w[c, ci, kh, kw] } } }
      y[n, c, oh, ow] = acc                                                   depth ci, row tap kh, column tap kw
    } } } }

Images may have any number of axes; a product is the case without axes, so that it has no rows and columns. A pooling
either surrounds the sum with the loops of its window (`cells`), or reads the sums from a plane, in a second nest.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from mochac.base.records import record
from mochac.codegen.analysis.contraction import Contraction, Factor, contraction, read_outside
from mochac.codegen.analysis.nests import each_loops
from mochac.codegen.analysis.plain import Plain, Strided, plain
from mochac.ir.kernel import Body, If, Kernel, Load, Loop, Store, loaded_buffers, loops_named, multiply_adds
from mochac.ir.nest import extents
from mochac.ir.schedule import Step
from mochac.ir.schedule_builder import Suffix

Side = tuple[Factor, tuple[str, ...], tuple[str, ...], Factor]
"""One factor, the loops of results on which only it depends, those on which only the other factor depends, and the
other factor."""


@record
class BatchSum:
    """A sum of products over blocked samples; loops are given outer first, and "" stands for none.

    Attributes:
        kernel, steps: the plain kernel and the steps that lead to it.
        image: the blocked buffer that the sum reads.
        weight: the other factor, if it is an element of a buffer; else None.
        accumulator: the local that the sum adds to.
        batch: the loop over samples.
        outer: other loops around all this: groups of channels.
        channel: the innermost loop on which only the other factor depends.
        rows, column: loops over positions in the image; `column` is the innermost.
        row_phases, column_phases: rows and columns that a strided gradient divides into phases.
        cells: loops over the window of a pooling around the sum.
        averaged: whether the pooling adds up the cells.
        depth: loops of the sum that move no window.
        row_taps, column_tap: loops of the sum over the taps of each of `rows` and of `column`.
        stride: columns of the image between neighbouring results.
        axis: the axis of the image along which neighbouring results read neighbouring elements, or without a pooling
            elements that lie `stride` apart; 0 if there is none.
        both: whether both factors depend on the sample.
        plane: the buffer between the sums and a second nest; both are inside of `batch`, `outer` and `channel`.
            A local, or an output, which is read back.
        reader: the outer loops of that second nest.
        epilogue: blocked inputs that are only read outside of the sum.
        after: the number of statements around the sum up to and including it.
        end: the same up to the load of the finished sum; 0 if it is not loaded exactly once.
    """

    kernel: Kernel
    steps: tuple[Step, ...]
    image: str
    weight: Load | None
    accumulator: str
    batch: str
    outer: tuple[str, ...]
    channel: str
    rows: tuple[str, ...]
    column: str
    row_phases: tuple[Strided, ...]
    column_phases: tuple[Strided, ...]
    cells: tuple[str, ...]
    averaged: bool
    depth: tuple[str, ...]
    row_taps: tuple[str, ...]
    column_tap: str
    stride: int
    axis: int
    both: bool
    plane: str
    reader: tuple[str, ...]
    epilogue: tuple[str, ...]
    after: int
    end: int

    def of(self, part: Suffix) -> BatchSum:
        """This sum in the part of the batch whose loops a cut has renamed."""
        one = {name: part(old) for name in ("batch", "channel", "column", "column_tap") if (old := getattr(self, name))}
        names = ("outer", "rows", "cells", "depth", "row_taps", "reader")
        many = {name: tuple(old and part(old) for old in getattr(self, name)) for name in names}
        phases = {
            name: tuple(replace(x, block=part(x.block), phase=part(x.phase)) for x in getattr(self, name))
            for name in ("row_phases", "column_phases")
        }
        return replace(self, **one, **many, **phases, plane=self.plane and part(self.plane))

    @property
    def is_stored(self) -> bool:
        """Whether the plane is an output."""
        return any(b.name == self.plane for b in self.kernel.outputs)

    def size(self, *loops: str) -> int:
        """Iterations of all these loops together."""
        extent = extents(self.kernel)
        return prod(extent[loop] for loop in loops if loop)


def batch_sum(kernel: Kernel) -> BatchSum | None:
    """The kernel as a sum of products over blocked samples; None if it is none, or if it sums over the batch."""
    form = plain(kernel)
    sums = multiply_adds(form.kernel.body)
    found = _around(form.kernel.body, sums[0].buffer) if sums else None
    if found is None:
        return None
    around, body = found
    at = next((k for k, s in enumerate(body, 1) if isinstance(s, Loop)), 0)
    nest = body[:at]
    for loop in reversed(around):
        nest = (replace(loop, kind="each", body=nest),)
    bare = contraction(form.kernel.with_(body=nest))
    if bare is None or bare.steps or not bare.after:
        return None
    first, second = (_with_sample(factor, form.kernel) for factor in bare.factors)
    sides = ((second, bare.columns, bare.rows, first), (first, bare.rows, bare.columns, second))
    side = next((side for side in sides if side[0].batch), None)
    if side is None or side[0].batch in bare.terms:
        return None
    loaded = [k for k, s in enumerate(body, 1) if isinstance(s, Load) and s.buffer == sums[0].buffer]
    end = loaded[0] if len(loaded) == 1 and loaded[0] > at else 0
    return _roles(form, around, bare, side, end)


def _with_sample(factor: Factor, kernel: Kernel) -> Factor:
    """The factor with its batch loop, which is also found if the factor is one natural sample."""
    buffers = kernel.buffers()
    types = {buffers[s.buffer].type: s.index[0] for s in factor.loads if s.index}
    one = {v for t, i in types.items() if t.batch and t.shape[0] == 1 for v in i.vars}
    return replace(factor, batch=one.pop()) if not factor.batch and len(one) == 1 else factor


def _around(body: Body, accumulator: str, path: tuple[Loop, ...] = ()) -> tuple[tuple[Loop, ...], Body] | None:
    """The loops around the statement that starts an accumulator, and the body that has the statement."""
    for stmt in body:
        if isinstance(stmt, Store) and stmt.buffer == accumulator:
            return path, body
        inside = (*path, stmt) if isinstance(stmt, Loop) else path
        found = _around(stmt.body, accumulator, inside) if isinstance(stmt, (Loop, If)) else None
        if found is not None:
            return found
    return None


def _roles(form: Plain, around: tuple[Loop, ...], bare: Contraction, side: Side, end: int) -> BatchSum | None:
    image, own, others, weight = side
    shared = {loop.var for loop in each_loops(form.kernel.body)}
    inside = [loop for loop in around if loop.var not in shared]
    cells = tuple(loop.var for loop in inside) if any(loop.kind != "each" for loop in inside) else ()
    phases = {cut.phase: cut for cut in form.strided if cut.block in own}
    positions = [v for v in own if v not in (image.batch, *phases, *cells)]
    *rows, column = positions or [""]
    *outer, channel = [v for v in others if v not in phases] or [""]
    outer = (*(v for v in bare.shared if v not in (image.batch, *phases)), *outer)
    if not {image.batch, channel, *outer} - {""} <= shared or {x.var for x in inside} - {*positions, *cells}:
        return None
    reader = _reader(form.kernel.body) if inside and not cells else []
    taps = {v: _tap(image, v, bare.terms) for v in positions}
    outside = read_outside(form.kernel, tuple(loops_named(form.kernel.body, bare.terms[0])))
    cell, tap = cells[-1] if cells else "", taps.get(column, "")
    return BatchSum(
        form.kernel,
        form.steps,
        image=image.loads[0].buffer,
        weight=weight.loads[0] if weight.direct and len(weight.loads) == 1 else None,
        accumulator=bare.accumulator,
        batch=image.batch,
        outer=outer,
        channel=channel,
        rows=tuple(rows),
        column=column,
        row_phases=tuple(cut for cut in phases.values() if cut.block != column),
        column_phases=tuple(cut for cut in phases.values() if cut.block == column),
        cells=cells,
        averaged=any(loop.kind == "sum" for loop in inside),
        depth=tuple(t for t in bare.terms if t not in taps.values()),
        row_taps=tuple(taps[v] for v in rows),
        column_tap=tap,
        stride=_stride(image, cell or column, tap),
        axis=_axis(image, {column: bare.extent.get(cell, 1), cell or column: 1}, tap),
        both=image.batch in bare.shared,
        plane=_plane(around[-1], reader[0]) if reader else "",
        reader=tuple(loop.var for loop in reader),
        epilogue=tuple(x.name for x in outside if x.type.lanes),
        after=bare.after,
        end=end,
    )


def _reader(body: Body) -> list[Loop]:
    """The outer loops of the second of two nests."""
    while len(body) == 1 and isinstance(body[0], (Loop, If)):
        body = body[0].body
    return each_loops(body[1:]) if len(body) == 2 else []


def _tap(image: Factor, position: str, terms: tuple[str, ...]) -> str:
    """The loop of the sum that moves the image along an axis together with a position."""
    found = {v for s in image.loads for i in s.index if position in i.vars for v in i.vars if v in terms}
    return found.pop() if len(found) == 1 else ""


def _stride(image: Factor, position: str, tap: str) -> int:
    moved = (i.coefficient(position) for s in image.loads for i in s.index if tap and i.coefficient(tap) == 1)
    return max(moved, default=0) or 1


def _axis(image: Factor, steps: dict[str, int], tap: str) -> int:
    """The axis of the only load of the image that these loops move by these steps; a single loop may move it by any
    step where the tap moves it by one. 0 if there is no such axis."""
    loads = [s for s in image.loads if s.index and image.batch in s.index[0].vars]
    moving = {v for v in (*steps, tap) if v}
    for axis, index in enumerate(loads[0].index if moving and len(loads) == 1 else ()):
        if set(index.vars) == moving:
            strided = len(steps) == 1 and tap and index.coefficient(tap) == 1
            return axis if strided or all(index.coefficient(v) == step for v, step in steps.items()) else 0
    return 0


def _plane(innermost: Loop, reader: Loop) -> str:
    """The buffer that the nest of the sums stores to and the other nest reads."""
    read = loaded_buffers((reader,))
    return next((s.buffer for s in reversed(innermost.body) if isinstance(s, Store) and s.buffer in read), "")
