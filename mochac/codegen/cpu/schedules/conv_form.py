"""Convolutions of every stride and group as the plain nest that the tuned rules cut.

    groups          channel = (group, within): the sum over groups is the one group of the filter
    data gradient   row = s*u + phase - p: of the sum over outputs oh = u - j the few taps s*j + phase remain
    of stride s

The rules of convolutions ask for a kernel's `Form` first. It cuts no tiles and knows no target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mochac.codegen.cpu.schedules.nests import accesses, extents, loops
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Step
from mochac.ir.steps.skew import Skew
from mochac.ir.steps.split import Split
from mochac.ir.steps.widen import Widen

CHANNEL = {"conv2d": "co", "conv2d_dx": "ci", "conv2d_dw": "co"}


@dataclass(frozen=True)
class Form:
    """A convolution after the steps that make it plain.

    Attributes:
        kernel: the kernel the rule cuts.
        reached: row and column phases that taps reach; the others are zero.
        steps: what made it from the naive one.
        channel, row, column: loops of the output (of the filter's gradient: `channel` only).
        kh, kw: loops over the filter's taps, "" where one tap is left.
        groups: the loop over groups, if there are some.
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

    def after(self, *steps: Step) -> Form:
        """The form with further steps."""
        kernel = self.kernel
        for step in steps:
            kernel = step.apply(kernel)
        return replace(self, kernel=kernel, steps=(*self.steps, *steps))


def plain(kernel: Kernel) -> Form:
    """The form of a kernel whose root is conv2d, conv2d_dx or conv2d_dw."""
    form = Form(kernel, CHANNEL[kernel.root])
    if "c" in loops(kernel):  # fused with a pooling
        form = replace(form, channel="c")
    if "g" in loops(kernel):
        form = _grouped(form)
    if kernel.root == "conv2d":
        form = replace(form, row="oh", column="ow")
    elif kernel.root == "conv2d_dx":
        form = replace(form, row="ih", column="iw")
        if "oh" in loops(kernel):
            form = _phased(form)
    return form


def _grouped(form: Form) -> Form:
    found = extents(form.kernel)
    each = found[form.channel] // found["g"]
    steps = (Split(form.channel, each, "group", "within", "cut"), Skew("g", "group", "apart"))
    return replace(form.after(*steps), channel="within", groups=("group",))


def _phased(form: Form) -> Form:
    reached: list[int] = []
    for image, out, block, phase, tap in (("ih", "oh", "uh", "ph", "jh"), ("iw", "ow", "uw", "pw", "jw")):
        stride, pad, taps = _geometry(form.kernel, image, out)
        if pad % stride:
            form = form.after(Widen(image, pad % stride))
        form = form.after(Split(image, stride, block, phase, "guard"), Skew(out, block, tap))
        reached.append(min(stride, taps))
    kh, kw = (tap if tap in loops(form.kernel) else "" for tap in ("jh", "jw"))
    return replace(form, row="uh", column="uw", kh=kh, kw=kw, phases=("ph", "pw"), reached=(reached[0], reached[1]))


def _geometry(kernel: Kernel, image: str, out: str) -> tuple[int, int, int]:
    """Stride, padding and taps of the filter of a data gradient, which it reads at image + p - s*out."""
    for buffer, index, _ in accesses(kernel):
        for tap, taps in zip(index, buffer.type.shape, strict=True):
            if tap.coefficient(image) and tap.coefficient(out):
                return -tap.coefficient(out), tap.const, taps
    raise AssertionError(f"no filter is read at {image} and {out}")


def column_stride(form: Form) -> int:
    """Columns of the input between two columns of the output, where taps of a row walk the input."""
    indices = [i for _, index, _ in accesses(form.kernel) for i in index]
    return max((i.coefficient(form.column) for i in indices if i.coefficient(form.kw) == 1), default=0) or 1
