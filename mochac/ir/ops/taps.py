"""Bytes of quantized images side by side, so that products read them in words (ops/integer.py).

row_taps: the bytes that each window of a row reads, side by side, padding included.

    y[n, i.., o, j] = x[n, i.. - p.., o * stride - q + j]        0 <= j < length

inside of the image, else `value`. A row holds the channels of one cell after another: x (N, image.., B) i8 or u8 -> (N,
image.. + 2 p.., (B + 2 q - taps) // stride + 1, length). Attributes: taps, the bytes of a window, of which the last may
be followed by others up to `length`; stride in bytes; pad, the numbers p.. and q, in bytes; length; value. With it, a
product reads the bytes of few channels in words (ops/integer.py). It has no gradient.

column_words: the cells of each window of a column, channel by channel, as the bytes of a word.

    y[n, o, i.., c] = bytes x[n, o * stride - p + k, i.. - q.., c] for k = 0, 1, ..      the first in the lowest byte

outside of the image, `value`; bytes from `taps` on are 0. Channels are last: x (N, H, image.., C) i8 or u8 -> (N, (H +
2 p - taps) // stride + 1, image.. + 2 q.., C) u32. Attributes: taps, at most 4; stride; pad, the numbers p and q..;
value. With it, a convolution whose channels are groups of their own multiplies words (ops/integer.py). It has no
gradient.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.functions.fixed_point import BYTES
from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import result
from mochac.ir.ops.quantize import require_bytes, require_zero, words_of
from mochac.ir.types import TensorType


def infer_rows(
    x: TensorType, *, taps: int, stride: int, pad: tuple[int, ...], length: int, value: int = 0
) -> tuple[TensorType, ...]:
    require_bytes("the input", x.dtype)
    require_zero(value, x.dtype)
    n, *image = x.shape
    if len(pad) != len(image) or not image:
        raise OpTypeError("pad needs a number per axis of the image", str(len(image)), str(len(pad)))
    if length < taps or image[-1] + 2 * pad[-1] < taps:
        raise OpTypeError("windows must fit into rows, and into their length", f"taps <= {length}", f"{taps}, {x}")
    *rows, width = (size + 2 * p for size, p in zip(image, pad, strict=True))
    return (result(x.dtype, (n, *rows, (width - taps) // stride + 1, length), x.batch, x),)


def reference_rows(
    x: np.ndarray, *, taps: int, stride: int, pad: tuple[int, ...], length: int, value: int = 0
) -> np.ndarray:
    sides = [(0, 0), *((p, p) for p in pad[:-1]), (pad[-1], pad[-1] + length)]
    starts = np.arange((x.shape[-1] + 2 * pad[-1] - taps) // stride + 1)[:, None] * stride
    return np.ascontiguousarray(np.pad(x, sides, constant_values=value)[..., starts + np.arange(length)])


def lower_rows(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, *rows, column, j = index
    x, stride, pad = bound.inputs[0].type, bound.attr["stride"], bound.attr["pad"]
    value = bound.attr.get("value", 0)
    assert isinstance(stride, int)
    assert isinstance(value, int)
    assert isinstance(pad, tuple)
    sizes = [p for p in pad if isinstance(p, int)]
    cells = [i - p for i, p in zip((*rows, column * stride + j), sizes, strict=True)]
    guards: list[Index] = []
    for cell, size, p in zip(cells[:-1], x.shape[1:-1], sizes[:-1], strict=True):
        guards += [cell, size - 1 - cell] if p else []
    picked = k.local("picked", x.dtype, k.const(value, x.dtype))
    with k.where(*guards, cells[-1], x.shape[-1] - 1 - cells[-1]):
        k.set(picked, k.read(bound, 0, (n, *cells)))
    return (k.get(picked),)


def _sample_rows(x: str, **attrs: object) -> Sample:
    return Sample((x,), attrs, integers={0: (0, 128)})


register(
    Op(
        name="row_taps",
        infer=infer_rows,
        reference=reference_rows,
        lower=Pointwise(lower_rows),
        kind="shape",
        tolerance=0.0,
        natural=(0,),
        samples=(
            _sample_rows("i8[b3,7,9]", taps=5, stride=1, pad=(0, 0), length=8),
            _sample_rows("u8[b2,5,12]", taps=6, stride=4, pad=(2, 2), length=8, value=7),
            _sample_rows("i8[b2,11]", taps=4, stride=2, pad=(1,), length=4, value=-3),
            _sample_rows("u8[b1,3,4,8]", taps=6, stride=2, pad=(1, 0, 4), length=6, value=200),
        ),
    )
)


def infer_columns(
    x: TensorType, *, taps: int, stride: int, pad: tuple[int, ...], value: int = 0
) -> tuple[TensorType, ...]:
    require_bytes("the input", x.dtype)
    require_zero(value, x.dtype)
    n, *image, channels = x.shape
    if len(pad) != len(image) or not image:
        raise OpTypeError("pad needs a number per spatial axis", str(len(image)), str(len(pad)))
    height, *rest = (size + 2 * p for size, p in zip(image, pad, strict=True))
    if not 1 <= taps <= min(BYTES, height):
        raise OpTypeError("windows must fit into columns and words", f"1 to {min(BYTES, height)} taps", str(taps))
    return (result("u32", (n, (height - taps) // stride + 1, *rest, channels), x.batch, x),)


def reference_columns(x: np.ndarray, *, taps: int, stride: int, pad: tuple[int, ...], value: int = 0) -> np.ndarray:
    whole = np.pad(x, [(0, 0), *((p, p) for p in pad), (0, 0)], constant_values=value)
    count = (whole.shape[1] - taps) // stride + 1
    cells = [whole[:, k : k + (count - 1) * stride + 1 : stride] for k in range(taps)]
    cells += [np.zeros_like(cells[0])] * (BYTES - taps)
    return words_of(np.stack(cells, axis=-1))[..., 0]


def lower_columns(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, row, *place, c = index
    x, pad = bound.inputs[0].type, bound.attr["pad"]
    taps, stride, value = bound.attr["taps"], bound.attr["stride"], bound.attr.get("value", 0)
    assert isinstance(taps, int)
    assert isinstance(stride, int)
    assert isinstance(value, int)
    assert isinstance(pad, tuple)
    first, *others = (p for p in pad if isinstance(p, int))
    cells = [i - p for i, p in zip(place, others, strict=True)]
    beside: list[Index] = []
    for cell, size, p in zip(cells, x.shape[2:-1], others, strict=True):
        beside += [cell, size - 1 - cell] if p else []
    found: list[Operand] = []
    for tap in range(taps):
        cell = row * stride + tap - first
        picked = k.local(f"tap{tap}", x.dtype, k.const(value, x.dtype))
        with k.where(*([cell, x.shape[1] - 1 - cell] if first else []), *beside):
            k.set(picked, k.read(bound, 0, (n, cell, *cells, c)))
        found.append(k.get(picked))
    found += [k.const(0, x.dtype)] * (BYTES - taps)
    return (k.call("word_of", *found),)


def _sample_columns(x: str, **attrs: object) -> Sample:
    return Sample((x,), attrs, integers={0: (0, 128)})


register(
    Op(
        name="column_words",
        infer=infer_columns,
        reference=reference_columns,
        lower=Pointwise(lower_columns),
        kind="shape",
        tolerance=0.0,
        natural=(0,),
        samples=(
            _sample_columns("i8[b3,7,4,5]", taps=3, stride=1, pad=(1, 1), value=-9),
            _sample_columns("u8[b2,9,3,18]", taps=4, stride=2, pad=(0, 2), value=200),
            _sample_columns("u8[b2,5,17]", taps=2, stride=1, pad=(1,)),
        ),
    )
)
