"""in_words: a product of integers as one of words, which multiplies four bytes at a time.

by channels   four channels of a cell in a word; others are filled up
by rows       the cells of a window's row with few channels, side by side (ir/ops/quantize.py)
by columns    the cells of a window's column, where each channel is a group (ir/ops/quantize.py)

Padding lies in front of the product, as integers that stand for 0.0. Both add the same products in another order, so
that the bits are the same.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mochac.base.records import record
from mochac.formats.quantization.qdq import LinearScale
from mochac.ir.build import GraphBuilder
from mochac.ir.functions.fixed_point import BYTES
from mochac.ir.graph import Attr, Value

MIN_BYTES = 3
"""Fewer bytes fill words with zeros that take longer than products of single bytes."""


@record
class WordProduct:
    """The operands of a product of words.

    Attributes:
        weight: bytes (filters, channels, taps..), with as many channels as a cell of x has bytes.
    """

    x: Value
    weight: np.ndarray
    attrs: Mapping[str, Attr]


def in_words(
    b: GraphBuilder, x: Value, scale: LinearScale, weight: np.ndarray, attrs: Mapping[str, Attr], copies: bool
) -> WordProduct | None:
    """The product of words; None if it would take longer than one of bytes.

    Args:
        x: integers, channels last.
        weight: (filters, channels, taps..).
        copies: whether images may be copied into larger ones with padding and fillers; otherwise they are only if the
            integer for 0.0 is not 0.
    """
    channels, *taps = weight.shape[1:]
    pad, stride = _sizes(attrs, "pad"), _sizes(attrs, "stride")
    own: dict[str, Attr] = {**attrs, "signed": scale.dtype == "i8"}
    if pad:
        own["pad"] = (0,) * len(pad)
    if attrs.get("group", 1) != 1:
        alone = channels == 1 and bool(taps) and MIN_BYTES <= taps[0] <= BYTES and "dilation" not in attrs
        if not alone or not copies:
            return None
        own["stride"] = (1, *stride[1:])
        return _by_columns(b, x, scale, weight, own, pad, stride[0])
    if channels >= MIN_BYTES:
        if scale.zero == 0 and not copies:
            own["pad"], pad = pad, (0,) * len(pad)
        return _by_channels(b, x, scale, weight, own, pad)
    row = taps[-1] * channels if taps and "dilation" not in attrs else 0
    if row < MIN_BYTES or (row % BYTES and not copies):
        return None
    own["stride"] = (*stride[:-1], 1)
    return _by_rows(b, x, scale, weight, own, pad, stride[-1])


def _sizes(attrs: Mapping[str, Attr], name: str) -> tuple[int, ...]:
    sizes = attrs.get(name, ())
    assert isinstance(sizes, tuple)
    return tuple(size for size in sizes if isinstance(size, int))


def _by_channels(
    b: GraphBuilder, x: Value, scale: LinearScale, w: np.ndarray, attrs: Mapping[str, Attr], pad: tuple[int, ...]
) -> WordProduct:
    more = -w.shape[1] % BYTES
    if more or any(pad):
        image = tuple(n + 2 * p for n, p in zip(x.type.shape[1:-1], pad, strict=True))
        shape = (x.type.shape[0], *image, x.type.shape[-1] + more)
        x = b.op("pad", x, start=(0, *pad, 0), shape=shape, value=scale.zero)
    return WordProduct(b.op("words", x), _wider(w, more), attrs)


def _by_rows(
    b: GraphBuilder,
    x: Value,
    scale: LinearScale,
    w: np.ndarray,
    attrs: Mapping[str, Attr],
    pad: tuple[int, ...],
    stride: int,
) -> WordProduct:
    """The filter's last axis joins its channels."""
    n, *image, channels = x.type.shape
    row = w.shape[-1] * channels
    more = -row % BYTES
    rows = b.op("reshape", x, shape=(n, *image[:-1], image[-1] * channels))
    taps = b.op(
        "row_taps", rows, taps=row, stride=stride * channels, pad=(*pad[:-1], pad[-1] * channels), length=row + more,
        value=scale.zero,
    )  # fmt: skip
    joined = np.moveaxis(w, -1, 1).reshape(w.shape[0], row, *w.shape[2:-1], 1)
    return WordProduct(b.op("words", taps), _wider(joined, more), attrs)


def _by_columns(
    b: GraphBuilder,
    x: Value,
    scale: LinearScale,
    w: np.ndarray,
    attrs: Mapping[str, Attr],
    pad: tuple[int, ...],
    stride: int,
) -> WordProduct:
    """The filter's first axis takes the place of its only channel."""
    words = b.op("column_words", x, taps=w.shape[2], stride=stride, pad=pad, value=scale.zero)
    joined = np.moveaxis(w, 2, 1)[:, :, 0][:, :, None]
    return WordProduct(words, _wider(joined, BYTES - w.shape[2]), attrs)


def _wider(w: np.ndarray, more: int) -> np.ndarray:
    """A filter with so many channels of zeros behind its own."""
    return np.pad(w, [(0, more if a == 1 else 0) for a in range(w.ndim)])
