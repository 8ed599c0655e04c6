"""Sliding windows: their geometry, convolutions as correlations, and weights of neighbouring cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import product
from math import prod

import numpy as np

from mochac.base.records import record
from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder
from mochac.ir.onnx_writer import Attribute
from mochac.ir.op import OpTypeError
from mochac.ir.ops._typing import extents, require_rank
from mochac.ir.types import TensorType

Sizes = tuple[int, ...]
"""One number for each spatial axis, such as (height, width)."""
SPATIAL = {1: ("length",), 2: ("height", "width"), 3: ("depth", "height", "width")}
"""Names of the spatial axes, by their number."""


def loop_names(prefix: str, spatial: object) -> tuple[str, ...]:
    """Names of loops over the spatial axes, given one number per axis: the prefix and the axis' first letter.

    >>> loop_names("o", (1, 1))
    ('oh', 'ow')
    """
    assert isinstance(spatial, (tuple, list))
    return tuple(prefix + name[0] for name in SPATIAL[len(spatial)]) if spatial else ()


def require_images(what: str, t: TensorType, lead: str = "batch, channels") -> int:
    """Check that a tensor has one to three spatial axes after two others, and return how many."""
    axes = len(t.shape) - 2
    if axes not in SPATIAL:
        wanted = f"({lead}, height, width), or 1 or 3 axes instead of height and width"
        raise OpTypeError(f"{what} must have 1 to 3 spatial axes", wanted, str(t))
    return axes


def require_spatial(what: str, t: TensorType, axes: int, lead: str) -> None:
    """Check that a tensor has two axes, called `lead`, and this many spatial ones."""
    require_rank(what, t, 2 + axes, ", ".join((lead, *SPATIAL[axes])))


def per_axis(name: str, value: object, axes: int, least: int) -> Sizes:
    """An attribute with one number per spatial axis, all checked to be >= `least`."""
    items = tuple(value) if isinstance(value, (tuple, list)) else ()
    if len(items) != axes or not all(isinstance(v, int) and not isinstance(v, bool) and v >= least for v in items):
        count = {1: "one integer", 2: "two integers", 3: "three integers"}[axes]
        raise OpTypeError(f"{name} must be ({', '.join(SPATIAL[axes])})", f"{count} >= {least}", str(value))
    return items


def conv_size(size: int, kernel: int, stride: int, pad: int) -> int:
    """Length of one axis after a convolution: floor((size + 2*pad - kernel) / stride) + 1.

    Overhanging windows are dropped, as in Mocha.jl src/layers/convolution.jl.

    >>> conv_size(7, 3, 2, 1)
    4
    """
    return (size + 2 * pad - kernel) // stride + 1


def pool_size(size: int, kernel: int, stride: int, pad: int, pad_end: int | None = None, down: bool = False) -> int:
    """Length of one axis after pooling: ceil((size + pad + pad_end - kernel) / stride) + 1, minus 1 if the last window
    would start beyond the image; `pad_end` defaults to `pad`. With `down`, the quotient is rounded down.

    Mocha.jl src/layers/pooling.jl drops that window only if there is padding. Without padding it occurs only for
    stride > kernel, where Mocha reads outside the image. src/layers/channel-pooling.jl always drops it.

    >>> pool_size(24, 2, 2, 0), pool_size(5, 2, 2, 0), pool_size(5, 1, 3, 0), pool_size(5, 3, 2, 0, 1)
    (12, 3, 2, 3)
    >>> pool_size(5, 2, 2, 0, down=True)
    2
    """
    left = size + pad + (pad if pad_end is None else pad_end) - kernel
    out = (left // stride if down else -(-left // stride)) + 1
    return out - 1 if (out - 1) * stride >= size + pad else out


def require_fit(
    size: Sizes, kernel: Sizes, pad: Sizes, pad_end: Sizes | None = None, dilation: Sizes | None = None
) -> None:
    """Check that the kernel, with its taps `dilation` apart, fits into its padded input, if there are spatial axes."""
    if not kernel:
        return
    steps = dilation or (1,) * len(kernel)
    spans = tuple((k - 1) * d + 1 for k, d in zip(kernel, steps, strict=True))
    dilated = max(steps) > 1
    what = "dilated kernel" if dilated else "kernel"
    for axis, n, k, p, end in zip(SPATIAL[len(size)], size, spans, pad, pad_end or pad, strict=True):
        if n + p + end < k:
            pads = tuple(max(q, -(-(m - s) // 2)) for s, m, q in zip(size, spans, pad, strict=True))
            most = tuple((s + 2 * q - 1) // d + 1 for s, q, d in zip(size, pad, steps, strict=True))
            raise OpTypeError(
                f"{what} does not fit its input",
                f"{axis} + 2*pad >= {what}",
                f"{n} + 2*{p} < {k}",
                f"pad={pads}, or a kernel of at most {most}" + (", or a smaller dilation" if dilated else ""),
            )


def windows(
    x: np.ndarray, out: Sizes, kernel: Sizes, stride: Sizes, pad: Sizes, dilation: Sizes = (), fill: float = 0.0
) -> np.ndarray:
    """A view (n, c, *outputs, *taps) of all windows of x (n, c, *image) surrounded by `fill`."""
    axes, steps = len(kernel), dilation or (1,) * len(kernel)
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, steps, strict=True)]
    needed = [(o - 1) * s + n for o, s, n in zip(out, stride, spans, strict=True)]
    after = [max(0, n - size - p) for n, size, p in zip(needed, x.shape[2:], pad, strict=True)]
    if any(pad) or any(after):
        x = np.pad(x, [(0, 0), (0, 0), *zip(pad, after, strict=True)], constant_values=fill)
    views = np.lib.stride_tricks.sliding_window_view(x, spans, axis=tuple(range(2, 2 + axes)))  # type: ignore[call-overload]
    moved = tuple(slice(0, (o - 1) * s + 1, s) for o, s in zip(out, stride, strict=True))
    return views[(slice(None), slice(None), *moved, *(slice(None, None, d) for d in steps))]


def scatter(columns: np.ndarray, size: Sizes, stride: Sizes, pad: Sizes, dilation: Sizes = ()) -> np.ndarray:
    """The transpose of `windows`: add window cells (n, c, *outputs, *taps) into an image (n, c, *size)."""
    axes, steps = len(size), dilation or (1,) * len(size)
    out, kernel = columns.shape[2 : 2 + axes], columns.shape[2 + axes :]
    spans = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip(out, stride, kernel, steps, strict=True)]
    whole = [max(n + 2 * p, span) for n, p, span in zip(size, pad, spans, strict=True)]
    image = np.zeros((*columns.shape[:2], *whole), columns.dtype)
    for taps in product(*map(range, kernel)):
        starts = [t * d for t, d in zip(taps, steps, strict=True)]
        cells = tuple(slice(a, a + s * o, s) for a, s, o in zip(starts, stride, out, strict=True))
        image[(slice(None), slice(None), *cells)] += columns[(..., *taps)]
    inner = tuple(slice(p, p + n) for p, n in zip(pad, size, strict=True))
    return image[(slice(None), slice(None), *inner)]


def inside(position: Index, size: int, low: bool, high: bool) -> tuple[Index, ...]:
    """Guards 0 <= position < size, each only if needed (`low`, `high`).

    >>> print(*inside(Index.var("oh") - 1, 28, True, True), sep="; ")
    oh - 1; -oh + 28
    """
    return ((position,) if low else ()) + ((size - 1 - position,) if high else ())


def span(position: Index, size: int, out: int, kernel: int, stride: int, pad: int) -> tuple[Index, ...]:
    """Guards of a cell read at `position` = stride*o - pad + k: the lower one for padding, the upper for overhang."""
    return inside(position, size, pad > 0, (out - 1) * stride - pad + kernel > size)


def flat_place(taps: Sequence[Index], kernel: Sizes) -> Index:
    """Position of a tap in its window, in row-major order.

    >>> print(flat_place((Index.var("i"), Index.var("j")), (3, 2)))
    2*i + j
    """
    place = Index.of(0)
    for tap, size in zip(taps, kernel, strict=True):
        place = place * size + tap
    return place


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


MADE = {"conv": "results", "conv_dx": "data", "conv_dw": "weights"}


@record
class Tiles:
    """How a convolution, or a gradient of one, is computed by tiles.

    Attributes:
        sizes: results of a tile along each axis.
        adjoint: whether tiles of a data gradient are those of the convolution: tiles of its results, which are
            transformed to overlapping tiles of the image.
    """

    sizes: Sizes
    adjoint: bool = False


@record
class Correlation:
    """y[n,f,o] = sum over c,k of x[n, c, o - pad + k] * w[f,c,k], with numbers per spatial axis; of a weight gradient,
    the one whose filters it is for.

    Attributes:
        batch, channels, filters: extents of x and y.
        image, out: spatial extents of x and y.
        lanes: of the blocked layout of x.
        made: what is computed of it: "results"; "data", a data gradient: x is the gradient, and filters are flipped and
            swapped with channels; or "weights", the gradient of its filters.
    """

    batch: int
    channels: int
    filters: int
    image: Sizes
    out: Sizes
    kernel: Sizes
    pad: Sizes
    lanes: int
    made: str = "results"

    @classmethod
    def of(cls, bound: BoundNode) -> Correlation | None:
        """The correlation of a node `conv`, `conv_dx` or `conv_dw`; None if it has strides, dilated taps or groups, or
        a data gradient less padding than taps."""
        made = MADE.get(bound.node.op)
        if made is None:
            return None
        x, second, third = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
        w, y = (third, second) if made == "weights" else (second, third)
        conv = Conv.of(w.shape[2:], bound.attr)
        pad = tuple(k - 1 - p for k, p in zip(conv.kernel, conv.pad, strict=True)) if made == "data" else conv.pad
        if conv.group != 1 or {*conv.stride, *conv.dilation} != {1} or min(pad) < 0:
            return None
        size = extents(y.shape[2:])
        return cls(x.shape[0], x.shape[1], y.shape[1], x.shape[2:], size, conv.kernel, pad, x.lanes, made)

    def terms(self, axis: int) -> int:
        """Products along an axis, of all results together, that do not touch padding."""
        first = range(-self.pad[axis], self.out[axis] - self.pad[axis])
        n = self.image[axis]
        return sum(max(0, min(n, i + self.kernel[axis]) - max(0, i)) for i in first)
