"""Rewrites convolutions of any stride and number of groups as the plain nest that the tuned rules schedule.

    groups          channel = (group, within): the sum over groups reduces to the one group of the filter
    data gradient   row = s*u + phase - p: of the sum over outputs oh = u - j the few taps s*j + phase remain
    of stride s
    filters of      the image as one line of elements, cut into rows of as many columns as suit the tiles
    one tap

The rules of convolutions start from a kernel's `ConvForm`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mochac.codegen.cpu.schedules.nests import accesses, block_lanes, is_guarded
from mochac.ir.index import Index
from mochac.ir.kernel import Kernel
from mochac.ir.nest import extents, loops
from mochac.ir.schedule import Step
from mochac.ir.steps.flatten import Flatten
from mochac.ir.steps.merge import Merge
from mochac.ir.steps.skew import Skew
from mochac.ir.steps.split import Split
from mochac.ir.steps.widen import Widen

LONGEST = 64
"""Maximum length of the rows that images under one-tap filters are cut into."""
CHANNEL = {"conv2d": "co", "conv2d_dx": "ci", "conv2d_dw": "co"}


@dataclass(frozen=True)
class ConvForm:
    """A convolution and the steps that make it plain.

    Attributes:
        kernel: the kernel after these steps.
        reached: numbers of row and column phases that taps reach; the others are zero.
        steps: the steps from the naive kernel to this form.
        channel, row, column: loops of the output (of the filter's gradient: `channel` only).
        kh, kw: loops over the filter's taps, "" if only one tap remains.
        groups: the loop over groups, if there is one.
        phases: loops over row and column phases of a strided data gradient.
    """

    kernel: Kernel
    channel: str
    row: str = ""
    column: str = ""
    kh: str = "kh"
    kw: str = "kw"
    groups: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    reached: tuple[int, int] = (1, 1)
    steps: tuple[Step, ...] = ()

    def after(self, *steps: Step) -> ConvForm:
        """The form after further steps."""
        kernel = self.kernel
        for step in steps:
            kernel = step.apply(kernel)
        return replace(self, kernel=kernel, steps=(*self.steps, *steps))


def plain(kernel: Kernel) -> ConvForm | None:
    """The form of a kernel whose root is conv2d, conv2d_dx or conv2d_dw; None for a strided gradient whose filter is an
    inlined constant."""
    form: ConvForm | None = ConvForm(kernel, CHANNEL[kernel.root])
    if "c" in loops(kernel):  # fused with a pooling
        form = replace(form, channel="c")
    if "g" in loops(kernel):
        form = _grouped(form)
    if kernel.root in ("conv2d", "conv2d_dw"):
        form = replace(form, row="oh", column="ow")
    elif kernel.root == "conv2d_dx":
        form = replace(form, row="ih", column="iw")
        if "oh" in loops(kernel):
            form = _phased(form)
    return None if form is None else _lengthened(form)


def _grouped(form: ConvForm) -> ConvForm:
    extent = extents(form.kernel)
    each = extent[form.channel] // extent["g"]
    steps = (Split(form.channel, each, "group", "within", "cut"), Skew("g", "group", "apart"))
    return replace(form.after(*steps), channel="within", groups=("group",))


def _lengthened(form: ConvForm) -> ConvForm:
    """Treat images under one-tap filters as lines of elements, and cut these into rows that whole tiles fill."""
    extent, lanes = extents(form.kernel), block_lanes(form.kernel)
    if not lanes or extent["n"] % lanes or form.phases or (extent.get(form.kh), extent.get(form.kw)) != (1, 1):
        return form
    read = {b.name: (b.type.shape[2:], i) for b, i, _ in accesses(form.kernel) if b.type.lanes}
    image = (extent.get(form.row, 0), extent.get(form.column, 0))
    width = row_length(*image)
    if width == image[1] or any(shape != image or not _walks(i, form) for shape, i in read.values()):
        return form
    return form.after(
        *(Flatten(name, 2) for name in read),
        Merge(form.row, form.column, "at"),
        Split("at", width, form.row, form.column, "cut"),
    )


def _walks(index: tuple[Index, ...], form: ConvForm) -> bool:
    """Whether the last two axes are exactly row and column, without guards."""
    steps = [(i.coefficient(form.row), i.coefficient(form.column)) for i in index[2:]]
    return steps == [(1, 0), (0, 1)] and not any(is_guarded(form.kernel, var) for var in (form.row, form.column))


def row_length(rows: int, columns: int) -> int:
    """The longest row of a few tiles of four columns that leaves at least half as many rows, else `columns`.

    >>> row_length(14, 14), row_length(56, 56), row_length(13, 13)
    (28, 64, 13)
    """
    fits = (n for n in range(4, LONGEST + 1, 4) if rows * columns % n == 0 and 2 * (rows * columns // n) >= rows)
    return max(fits, default=columns)


def _phased(form: ConvForm) -> ConvForm | None:
    reached: list[int] = []
    for image, out, block, phase, tap in (("ih", "oh", "uh", "ph", "jh"), ("iw", "ow", "uw", "pw", "jw")):
        geometry = _geometry(form.kernel, image, out)
        if geometry is None:
            return None
        stride, pad, taps = geometry
        if pad % stride:
            form = form.after(Widen(image, pad % stride))
        form = form.after(Split(image, stride, block, phase, "guard"), Skew(out, block, tap))
        reached.append(min(stride, taps))
    kh, kw = (tap if tap in loops(form.kernel) else "" for tap in ("jh", "jw"))
    return replace(form, row="uh", column="uw", kh=kh, kw=kw, phases=("ph", "pw"), reached=(reached[0], reached[1]))


def _geometry(kernel: Kernel, image: str, out: str) -> tuple[int, int, int] | None:
    """Stride, padding and taps of the filter of a data gradient, which is read at image + p - s*out; None if no filter
    is read."""
    for buffer, index, _ in accesses(kernel):
        for tap, taps in zip(index, buffer.type.shape, strict=True):
            if tap.coefficient(image) and tap.coefficient(out):
                return -tap.coefficient(out), tap.const, taps
    return None


def column_stride(form: ConvForm) -> int:
    """Columns of the input between two columns of the output, if the taps of a row move over the input; else 1."""
    indices = [i for _, index, _ in accesses(form.kernel) for i in index]
    return max((i.coefficient(form.column) for i in indices if i.coefficient(form.kw) == 1), default=0) or 1
