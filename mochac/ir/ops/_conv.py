"""Conv: the geometry of a convolution, and its loops, for conv and its gradients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import prod

from mochac.base.records import record
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.onnx_writer import Attribute
from mochac.ir.op import OpTypeError
from mochac.ir.ops._window import Sizes, conv_size, loop_names, per_axis, require_fit, span
from mochac.ir.types import TensorType


@record
class Conv:
    """Kernel, stride, pad and dilation with one number per spatial axis, and the number of channel groups."""

    kernel: Sizes
    stride: Sizes
    pad: Sizes
    dilation: Sizes
    group: int

    @classmethod
    def of(cls, kernel: Sequence[int], attrs: Mapping[str, object]) -> Conv:
        """The convolution with a kernel and a node's attributes, after checking them; without `dilation`, taps are
        neighbours."""
        axes, group = len(kernel), attrs.get("group", 1)
        dilation = attrs.get("dilation")
        assert isinstance(group, int)
        return cls(
            tuple(kernel),
            per_axis("stride", attrs["stride"], axes, 1),
            per_axis("pad", attrs["pad"], axes, 0),
            (1,) * axes if dilation is None else per_axis("dilation", dilation, axes, 1),
            group,
        )

    @property
    def spans(self) -> Sizes:
        """Cells from the first tap to the last, both included."""
        return tuple((k - 1) * d + 1 for k, d in zip(self.kernel, self.dilation, strict=True))

    def out(self, x: Sequence[int], filters: int) -> Sizes:
        """Sizes of the images that this many filters make of x (N, C, ...).

        Raises:
            OpTypeError: channels or filters are not divisible into groups, or the kernel does not fit.
        """
        for what, count in (("channels", x[1]), ("filters", filters)):
            if self.group < 1 or count % self.group:
                raise OpTypeError(f"{what} must divide into groups", f"a multiple of {self.group} {what}", str(count))
        require_fit(tuple(x[2:]), self.kernel, self.pad, dilation=self.dilation)
        return tuple(map(conv_size, x[2:], self.spans, self.stride, self.pad))

    @property
    def onnx(self) -> dict[str, Attribute]:
        """The attributes of ONNX's Conv and ConvTranspose."""
        shape = {"kernel_shape": self.kernel, "strides": self.stride, "dilations": self.dilation}
        return {**shape, "pads": (*self.pad, *self.pad), "group": self.group}

    @contextmanager
    def taps(self, k: KernelBuilder) -> Iterator[tuple[Index, ...]]:
        """Loops over the taps of the kernel."""
        with ExitStack() as stack:
            loops = zip(loop_names("k", self.kernel), self.kernel, strict=True)
            yield tuple(stack.enter_context(k.sum(name, size)) for name, size in loops)

    def cells(self, outputs: Sequence[Index], taps: Sequence[Index]) -> tuple[Index, ...]:
        """The cells that taps of windows read."""
        axes = zip(outputs, self.stride, taps, self.dilation, self.pad, strict=True)
        return tuple(o * s + t * d - p for o, s, t, d, p in axes)

    def guards(self, cells: Sequence[Index], image: Sequence[int], out: Sequence[int]) -> tuple[Index, ...]:
        """Conditions under which cells lie inside the image."""
        axes = zip(cells, image, out, self.spans, self.stride, self.pad, strict=True)
        return tuple(guard for axis in axes for guard in span(*axis))


def conv_flops(y: TensorType, w: TensorType) -> int:
    """2 per multiply-add, padding counted."""
    return 2 * y.elems * prod(w.shape[1:])


@contextmanager
def group_loop(k: KernelBuilder, attrs: Mapping[str, object], filter_index: Index, filters: int) -> Iterator[Index]:
    """The group that a filter belongs to, as an index: 0 if there is one group, the filter itself if each filter is a
    group. Else it is the index of a sum loop whose guards let only the group run whose filters [g*F/G, (g+1)*F/G)
    include it (a division written with affine guards)."""
    group = attrs.get("group", 1)
    assert isinstance(group, int)
    if group in (1, filters):
        yield Index.of(0) if group == 1 else filter_index
        return
    each = filters // group
    with k.sum("g", group) as g:
        with k.where(filter_index - g * each, g * each + (each - 1) - filter_index):
            yield g
