"""Geometry of sliding windows over any number of axes, for convolution and pooling: sizes, NumPy views, guards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from mochac.ir.index import Index
from mochac.ir.op import OpTypeError
from mochac.ir.ops._typing import require_rank
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
