"""Convolution: a contraction one factor of which is a blocked image, its loops by their part in it.

    forward          y[n, co, row, column] = sum over depth, kh, kw of  image * filter
    data gradient    the same of the gradient, with the row's and the column's phases around the sum
    weight gradient  dw[co, depth, kh, kw] = sum over n, row, column of  image * gradient

`lines` makes images under filters of one tap longer rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mochac.codegen.analysis.contraction import Contraction, Factor, Window, contraction
from mochac.codegen.analysis.plain import Strided
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, access, walk
from mochac.ir.nest import extents
from mochac.ir.schedule import Step
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.split import Split


@dataclass(frozen=True)
class Convolution:
    """A convolution and the steps that make it plain.

    Attributes:
        kernel: the kernel after these steps.
        steps: the steps from the naive kernel to this form.
        image: the buffer of images under the window.
        batch: the loop over its blocked axis.
        groups: loops over groups of channels; at most one.
        channel: the loop over the other factor's own channels.
        depth: the loop over the channels of the image.
        row, column: loops over the positions of the window.
        kh, kw: loops over its taps, "" if only one tap remains.
        phases: loops over row and column phases of a strided data gradient, "" if an axis has none.
        reached: numbers of row and column phases that taps reach; the others are zero.
        stride: columns of the image between two positions of the window, if its taps are neighbours; else 1.
        terms: loops of the sum: batch, row and column if this is the weight gradient.
        epilogue: blocked inputs that are only read outside of the sum.
    """

    kernel: Kernel
    steps: tuple[Step, ...]
    image: str
    batch: str
    groups: tuple[str, ...]
    channel: str
    depth: str
    row: str
    column: str
    kh: str
    kw: str
    phases: tuple[str, str]
    reached: tuple[int, int]
    stride: int
    terms: tuple[str, ...]
    epilogue: tuple[str, ...]

    @property
    def gradient(self) -> bool:
        """Whether this is the gradient of the filters: a sum over the batch."""
        return self.batch in self.terms

    def after(self, *steps: Step) -> Convolution:
        """The form after further steps, which keep the names of its loops."""
        kernel = self.kernel
        for step in steps:
            kernel = step.apply(kernel)
        return replace(self, kernel=kernel, steps=(*self.steps, *steps))


@dataclass(frozen=True)
class _Axis:
    """An axis of the image: position, tap or "", the stride of positions, and how the position was cut."""

    position: str
    tap: str
    stride: int
    phase: str = ""
    reached: int = 1


def convolution(kernel: Kernel) -> Convolution | None:
    """The kernel as a convolution of blocked images (n, channel, row, column); None if it is none, or is pooled."""
    form = contraction(kernel)
    if form is None or form.window:
        return None
    sides = [s for s in _sides(form) if s[0].batch and len(s[0].loads[0].index) == 4]
    if len(sides) != 1:
        return None
    image, (own, others) = sides[0]
    summed = image.batch in form.terms
    axes = [_axis(form, image, axis, summed) for axis in (2, 3)]
    row, column = axes
    taken = {*form.shared, image.batch, *(cut.phase for cut in form.strided if cut.block not in form.shared)}
    depth = [v for v in image.loads[0].index[1].vars if v not in taken]
    channel = [v for v in others if v not in taken]
    if row is None or column is None or len(depth) != 1 or len(channel) > 1 or len(form.shared) > 1:
        return None
    taps = {v for v in (row.tap, column.tap) if v}
    if set(own) - taken != ({depth[0], *taps} if summed else {row.position, column.position}):
        return None
    if set(form.terms) != ({image.batch, row.position, column.position} if summed else {depth[0], *taps}):
        return None
    found = Convolution(
        form.kernel,
        form.steps,
        image.loads[0].buffer,
        image.batch,
        form.shared,
        channel[0] if channel else "",
        depth[0],
        row.position,
        column.position,
        row.tap,
        column.tap,
        (row.phase, column.phase),
        (row.reached, column.reached),
        column.stride,
        form.terms,
        tuple(name for name in form.epilogue if form.kernel.buffers()[name].type.lanes),
    )
    if channel or not form.shared:
        return found if channel else None
    (group,) = form.shared  # of one channel each
    split = found.after(Split(group, 1, f"{group}_u", f"{group}_p"))
    return replace(split, groups=(f"{group}_u",), channel=f"{group}_p")


def _sides(form: Contraction) -> list[tuple[Factor, tuple[tuple[str, ...], tuple[str, ...]]]]:
    """The factors that may be the image, each with the loops that it and the other factor alone depend on."""
    rows, columns = form.factors
    sides = [(rows, (form.rows, form.columns)), (columns, (form.columns, form.rows))]
    moved = [s for s in sides if s[0].windows]
    return moved or [s for s in sides if s[0].loads and s[0].batch not in form.terms]


def _axis(form: Contraction, image: Factor, axis: int, summed: bool) -> _Axis | None:
    cuts = {cut.block: cut for cut in form.strided}
    window = next((w for w in image.windows if w.axis == axis), None)
    if window is not None:
        return _moved(window, cuts, summed)
    (position, *more) = image.loads[0].index[axis].vars or ("",)
    if more or position not in {*form.rows, *form.columns}:
        return None
    return _moved(Window(position, "", 1, 1, 0, axis), cuts, summed)


def _moved(window: Window, cuts: dict[str, Strided], summed: bool) -> _Axis:
    if summed:
        return _Axis(window.term, window.result, window.step if window.stride == 1 else 1)
    cut = cuts.get(window.result, Strided("", "", 1))
    return _Axis(window.result, window.term, window.stride if window.step == 1 else 1, cut.phase, cut.reached)


def lines(form: Convolution, length: Callable[[int, int], int]) -> Convolution:
    """Treat images under filters of one tap as lines of elements, cut into rows of `length(rows, columns)`.

    each row { each column { y[row, column] = ... } }  ->  each row { each column { y[length*row + column] = ... } }

    The form is unchanged where blocked buffers have images of other sizes, or a window may leave the image.
    """
    extent = extents(form.kernel)
    image = (extent[form.row], extent[form.column])
    if any(form.phases) or (extent.get(form.kh), extent.get(form.kw)) != (1, 1) or length(*image) == image[1]:
        return form
    buffers = {b.name: b.type for b in (*form.kernel.inputs, *form.kernel.outputs) if b.type.lanes}
    read = {a[0]: a[1] for s in walk(form.kernel.body) if (a := access(s)) and a[0] in buffers}
    if any(buffers[name].shape[2:] != image or not _walks(index, form) for name, index in read.items()):
        return form
    return form.after(
        *(Flatten(name, 2) for name in read),
        Merge(form.row, form.column, "at"),
        Split("at", length(*image), form.row, form.column, "cut"),
    )


def _walks(index: tuple[Index, ...], form: Convolution) -> bool:
    """Whether the last two axes are exactly row and column, without guards."""
    steps = [(i.coefficient(form.row), i.coefficient(form.column)) for i in index[2:]]
    guards = [c for s in walk(form.kernel.body) if isinstance(s, If) for c in s.conds]
    return steps == [(1, 0), (0, 1)] and not any(set(c.vars) & {form.row, form.column} for c in guards)
