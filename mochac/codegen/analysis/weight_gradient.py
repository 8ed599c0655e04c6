"""Weight gradients: contractions that sum products of an image and a gradient over the batch, their loops by role.

    dw[filter, channel, tap..] = sum over batch, row.., column of
        image[batch, channel, row + tap.., column + tap] * gradient[batch, filter, row.., column]

Images have any number of axes. A plane is an image of the gradient that the kernel computes in a nest of its own for
each sample and filter; it counts as an operand with these two axes. The kernel may also add up each image of the plane,
under conditions that hold once.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from mochac.base.records import record
from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.analysis.nests import block_lanes
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Load, Loop, Store, loaded_buffers, loops_named, rewrite, walk, written_buffers
from mochac.ir.nest import extents, indices, loops, map_loops
from mochac.ir.schedule import Step
from mochac.ir.steps.split import Split


@record
class WeightGradient:
    """A weight gradient and the steps that make it plain.

    Attributes:
        kernel: the kernel after these steps.
        image, gradient: the operands; the gradient is a local if it is a plane.
        plane: the outermost loop of the nest that computes the plane, "" if there is none.
        summed: whether each image of the plane is also added up, in the first iterations of channels and taps.
        accumulator: the local that the sum adds to.
        groups: loops over groups of channels; at most one.
        filter, channel, taps: loops of the results.
        batch, rows, column: loops of the sum.
        stride: columns of the image from one column of the gradient to the next.
    """

    kernel: Kernel
    steps: tuple[Step, ...]
    image: str
    gradient: str
    plane: str
    summed: bool
    accumulator: str
    groups: tuple[str, ...]
    filter: str
    channel: str
    taps: tuple[str, ...]
    batch: str
    rows: tuple[str, ...]
    column: str
    stride: int

    @property
    def one_tap(self) -> bool:
        """Whether filters have one tap."""
        extent = extents(self.kernel)
        return all(extent[tap] == 1 for tap in self.taps)

    def plane_row(self, kernel: Kernel) -> Index:
        """The row of the plane that is stored, in a kernel that steps have made of this one."""
        nest = tuple(loops_named(kernel.body, self.plane))
        index = next(s.index for s in walk(nest) if isinstance(s, Store) and s.buffer == self.gradient)
        return next(i for i in index if i.coefficient(self.plane))

    @property
    def plane_rows(self) -> int:
        """Rows of the plane that an iteration of its loop computes."""
        return self.plane_row(self.kernel).coefficient(self.plane)

    @property
    def weights(self) -> list[str]:
        """Buffers of weights: results, and what an epilogue reads."""
        axes, buffers = 2 + len(self.taps), (*self.kernel.inputs, *self.kernel.outputs)
        return [b.name for b in buffers if not b.type.batch and len(b.type.shape) == axes]


def weight_gradient(kernel: Kernel) -> WeightGradient | None:
    """The kernel as a weight gradient of blocked images; None if it is none."""
    seen, plane, summed = _plane_as_operand(kernel)
    form = contraction(seen)
    if form is None or form.window or len(form.shared) > 1:
        return None
    sides = zip(form.factors, (form.rows, form.columns), strict=True)
    (gradient, others), (image, own) = sorted(sides, key=lambda side: len(side[0].windows))
    batch, taps = image.batch, tuple(w.result for w in image.windows)
    channel = [var for var in own if var not in taps]
    terms = (batch, *(w.term for w in image.windows))
    if not taps or not gradient.loads or gradient.batch != batch or sorted(terms) != sorted(form.terms):
        return None
    steps, groups = form.steps, form.shared
    if groups and not others:  # of one channel each
        steps = (*steps, Split(groups[0], 1, f"{groups[0]}_u", f"{groups[0]}_p"))
        groups, others = (f"{groups[0]}_u",), (f"{groups[0]}_p",)
    if len(others) != 1 or len(channel) != 1:
        return None
    return WeightGradient(
        reduce(lambda k, step: step.apply(k), steps, kernel),
        steps,
        image.loads[0].buffer,
        gradient.loads[0].buffer,
        plane,
        summed,
        form.accumulator,
        groups,
        others[0],
        channel[0],
        taps,
        batch,
        terms[1:-1],
        terms[-1],
        image.windows[-1].step,
    )


def _plane_as_operand(kernel: Kernel) -> tuple[Kernel, str, bool]:
    """The kernel without the nest that computes a plane; this nest's outermost loop, "" if there is none; whether there
    was also a sum of the plane, which is left out, too.

    sum n { each i { P[i] = f(n, c, i) } sum k { acc += x[n, k] * P[k] } }  ->  sum n { sum k { .. * P[n, c, k] } }
    """
    for loop in (s for s in walk(kernel.body) if isinstance(s, Loop) and s.kind == "sum"):
        nest, reads = loop.body[0], loaded_buffers(loop.body[1:])
        planes = [b for b in kernel.locals if b.name in written_buffers((nest,)) & reads]
        if isinstance(nest, Loop) and len(planes) == 1:
            break
    else:
        return kernel, "", False
    (plane,) = planes
    inside = {s.var for s in walk((nest,)) if isinstance(s, Loop)}
    varies = {var for s in walk((nest,)) for i in indices(s) for var in i.vars} - inside
    axes = [loop.var, *(var for var in loops(kernel) if var in varies - {loop.var})]
    extent = extents(kernel)
    if not extent.keys() >= set(axes):
        return kernel, "", False
    shape = (*(extent[var] for var in axes), *plane.type.shape)
    whole = replace(plane, type=replace(plane.type, shape=shape, batch=True, lanes=block_lanes(kernel)))

    def read(stmt: object) -> Load | None:
        if isinstance(stmt, Load) and stmt.buffer == plane.name:
            return replace(stmt, index=(*map(Index.var, axes), *stmt.index))
        return None

    sums = [s for s in loop.body if isinstance(s, If) and plane.name not in written_buffers((s,))]
    terms = loop.with_body(tuple(s for s in loop.body[1:] if s not in sums))
    body = rewrite(map_loops(kernel.body, loop.var, lambda _: terms), read)
    rest = tuple(b for b in kernel.locals if b is not plane)
    return kernel.with_(body=body, inputs=(*kernel.inputs, whole), locals=rest), nest.var, bool(sums)
