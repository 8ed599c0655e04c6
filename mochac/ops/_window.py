"""Geometry of sliding windows for convolution and pooling: output sizes, NumPy views, and guards for kernels."""

from __future__ import annotations

import numpy as np

from mochac.ir.index import Index
from mochac.ir.op import OpTypeError

Pair = tuple[int, int]


def conv_size(size: int, kernel: int, stride: int, pad: int) -> int:
    """Length of one axis after a convolution: floor((size + 2*pad - kernel) / stride) + 1.

    Overhanging windows are dropped, as in Mocha.jl src/layers/convolution.jl.

    >>> conv_size(7, 3, 2, 1)
    4
    """
    return (size + 2 * pad - kernel) // stride + 1


def pool_size(size: int, kernel: int, stride: int, pad: int, pad_end: int | None = None) -> int:
    """Length of one axis after pooling: ceil((size + pad + pad_end - kernel) / stride) + 1, minus 1 if the last window
    would start beyond the image; `pad_end` defaults to `pad`.

    Mocha.jl src/layers/pooling.jl drops that window only if there is padding. Without padding it occurs only for
    stride > kernel, where Mocha reads outside the image. src/layers/channel-pooling.jl always drops it.

    >>> pool_size(24, 2, 2, 0), pool_size(5, 2, 2, 0), pool_size(5, 1, 3, 0), pool_size(5, 3, 2, 0, 1)
    (12, 3, 2, 3)
    """
    out = -(-(size + pad + (pad if pad_end is None else pad_end) - kernel) // stride) + 1
    return out - 1 if (out - 1) * stride >= size + pad else out


def require_fit(what: str, size: Pair, kernel: Pair, pad: Pair, pad_end: Pair | None = None) -> None:
    """Check that the kernel fits into its padded input."""
    for axis, n, k, p, end in zip(("height", "width"), size, kernel, pad, pad_end or pad, strict=True):
        if n + p + end < k:
            pads = tuple(max(q, -(-(m - s) // 2)) for s, m, q in zip(size, kernel, pad, strict=True))
            most = tuple(s + 2 * q for s, q in zip(size, pad, strict=True))
            raise OpTypeError(
                f"{what} does not fit its input",
                f"{axis} + 2*pad >= {what}",
                f"{n} + 2*{p} < {k}",
                f"pad={pads}, or a kernel of at most {most}",
            )


def windows(x: np.ndarray, out: Pair, kernel: Pair, stride: Pair, pad: Pair, fill: float = 0.0) -> np.ndarray:
    """A view (n, c, oh, ow, kh, kw) of all windows of x (n, c, h, w) surrounded by `fill`."""
    needed = [(o - 1) * s + k for o, s, k in zip(out, stride, kernel, strict=True)]
    after = [max(0, n - size - p) for n, size, p in zip(needed, x.shape[2:], pad, strict=True)]
    if any(pad) or any(after):
        sides = [(0, 0), (0, 0), (pad[0], after[0]), (pad[1], after[1])]
        x = np.pad(x, sides, constant_values=fill)
    views = np.lib.stride_tricks.sliding_window_view(x, kernel, axis=(2, 3))  # type: ignore[call-overload]
    return views[:, :, :: stride[0], :: stride[1]][:, :, : out[0], : out[1]]


def scatter(columns: np.ndarray, size: Pair, stride: Pair, pad: Pair) -> np.ndarray:
    """The transpose of `windows`: add window cells (n, c, oh, ow, kh, kw) into an image (n, c, h, w)."""
    n, c, oh, ow, kh, kw = columns.shape
    height, width = (
        max(size[0] + 2 * pad[0], (oh - 1) * stride[0] + kh),
        max(size[1] + 2 * pad[1], (ow - 1) * stride[1] + kw),
    )
    image = np.zeros((n, c, height, width), columns.dtype)
    for i in range(kh):
        for j in range(kw):
            rows, cols = slice(i, i + stride[0] * oh, stride[0]), slice(j, j + stride[1] * ow, stride[1])
            image[:, :, rows, cols] += columns[:, :, :, :, i, j]
    return image[:, :, pad[0] : pad[0] + size[0], pad[1] : pad[1] + size[1]]


def inside(position: Index, size: int, low: bool, high: bool) -> tuple[Index, ...]:
    """Guards 0 <= position < size, each only if needed (`low`, `high`).

    >>> print(*inside(Index.var("oh") - 1, 28, True, True), sep="; ")
    oh - 1; -oh + 28
    """
    return ((position,) if low else ()) + ((size - 1 - position,) if high else ())


def span(position: Index, size: int, out: int, kernel: int, stride: int, pad: int) -> tuple[Index, ...]:
    """Guards of a cell read at `position` = stride*o - pad + k: the lower one for padding, the upper for overhang."""
    return inside(position, size, pad > 0, (out - 1) * stride - pad + kernel > size)
