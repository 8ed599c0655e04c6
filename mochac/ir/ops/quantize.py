"""Real numbers as 8-bit integers, and bytes of quantized images side by side, as words for products (ops/integer.py).

quantize: real numbers as integers of 8 bits.

    q = round(x / scale) + zero, at least and at most what the dtype holds; halves are rounded to even integers

Attributes: scale > 0, zero (the integer that stands for 0.0), dtype ("i8" or "u8"). A NaN becomes `zero`. Shapes:
x (...) -> like x. ONNX's QuantizeLinear.

dequantize: the real numbers that integers stand for.

    x = scale * (q - zero)

Operands: q, of 8 or 32 bits, and, if there is a scale for each index of an axis, these scales. Attributes: scale (1.0
where scales are an operand), zero, axis (of the scales). Shapes: q (...) [, scales (q.shape[axis],)] -> like q, float.
ONNX's DequantizeLinear.

words: four bytes that follow each other along the last axis as one word of 32 bits; the storage stays the same.

Shapes: x (..., 4 K) i8 or u8 -> (..., K) u32, with byte k of a word in its bits 8 k .. 8 k + 7. integer_conv multiplies
words by the CPU's instructions for products of bytes.

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

import math

import numpy as np

from mochac.ir.functions.fixed_point import BYTES
from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import Alias, KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import dims, integer, integers, real, require_float, require_shape, result
from mochac.ir.types import DTYPES, TensorType

BYTES_QUANTIZED = ("i8", "u8")
"""Dtypes of quantized activations; weights are i8."""


def require_bytes(what: str, dtype: str) -> None:
    """Check that a dtype is one of BYTES."""
    if dtype not in BYTES_QUANTIZED:
        raise OpTypeError(f"{what} must hold quantized numbers", " or ".join(BYTES_QUANTIZED), dtype)


def require_type(what: str, t: TensorType, dtype: str) -> None:
    """Check a dtype."""
    if t.dtype != dtype:
        raise OpTypeError(f"{what} must be {dtype}", dtype, str(t))


def require_scale(scale: float) -> None:
    """Check that a scale is a positive number."""
    if not (math.isfinite(scale) and scale > 0):
        raise OpTypeError("a scale must be a positive number", "scale > 0", str(scale))


def require_zero(zero: int, dtype: str) -> None:
    """Check that numbers of a dtype can be the zero point."""
    limits = np.iinfo(DTYPES[dtype])
    if not limits.min <= zero <= limits.max:
        raise OpTypeError("the zero point must be a number of the dtype", f"{limits.min} .. {limits.max}", str(zero))


def scale_and_zero(bound: BoundNode) -> tuple[float, int]:
    """The attributes of these names, 1.0 and 0 if absent."""
    return real(bound, "scale", 1.0), integer(bound, "zero", 0)


def number(value: float, dtype: str) -> float:
    """A number as a literal of a float dtype: rounded to it."""
    return float(DTYPES[dtype].type(value))


def distance(k: KernelBuilder, q: Operand, zero: int) -> Operand:
    """q - zero, of an element of 8 bits, as i32."""
    whole = k.call("to_i32", q)
    return k.call("sub", whole, k.const(zero, "i32")) if zero else whole


def infer(x: TensorType, *, scale: float, zero: int, dtype: str) -> tuple[TensorType, ...]:
    require_float("the input", x)
    require_bytes("the result", dtype)
    require_scale(scale)
    require_zero(zero, dtype)
    return (result(dtype, x.shape, x.batch, x),)


def reference(x: np.ndarray, *, scale: float, zero: int, dtype: str) -> np.ndarray:
    limits = np.iinfo(DTYPES[dtype])
    whole = np.rint(x / x.dtype.type(scale))
    whole = np.where(np.isnan(whole), 0, np.clip(whole, limits.min - zero, limits.max - zero))
    return (whole.astype(np.int32) + zero).astype(DTYPES[dtype])


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    """Numbers within the limits are rounded by a sum with a number whose neighbours are 1 apart: not all CPUs have an
    instruction for that."""
    scale, zero = scale_and_zero(bound)
    kind, dtype = bound.inputs[0].type.dtype, bound.outputs[0].type.dtype
    limits = np.iinfo(DTYPES[dtype])
    real = k.call("div", k.read(bound, 0, index), k.const(number(scale, kind), kind))
    low, high = (k.const(float(v - zero), kind) for v in (limits.min, limits.max))
    within = k.call("clip", k.call("select", k.call("isnan", real), k.const(0.0, kind), real), low, high)
    ulp_1 = k.const(1.5 * 2.0 ** np.finfo(DTYPES[kind]).nmant, kind)
    whole = k.call("to_i32", k.call("sub", k.call("add", within, ulp_1), ulp_1))
    return (k.call(f"to_{dtype}", k.call("add", whole, k.const(zero, "i32"))),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    scale, zero = scale_and_zero(bound)
    dtype = DTYPES[bound.outputs[0].type.dtype]
    return w.node("QuantizeLinear", x, w.constant(np.asarray(scale)), w.constant(np.asarray(zero, dtype)))


register(
    Op(
        name="quantize",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower),
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,5]",), {"scale": 0.02, "zero": 3, "dtype": "i8"}, domain=(-4.0, 4.0)),
            Sample(("f32[b17,2,3,1]",), {"scale": 0.01, "zero": 0, "dtype": "u8"}),
            Sample(("f32[]",), {"scale": 1.0, "zero": -128, "dtype": "i8"}, domain=(-200.0, 200.0)),
        ),
        onnx=onnx,
    )
)


DTYPE = "f32"
"""Type of the result."""


def infer_dequantize(
    q: TensorType, scales: TensorType | None = None, *, scale: float = 1.0, zero: int = 0, axis: int = 0
) -> tuple[TensorType, ...]:
    if q.dtype not in ("i8", "u8", "i32"):
        raise OpTypeError("the input must hold quantized numbers", "i8, u8 or i32", str(q))
    require_scale(scale)
    if scales is not None:
        require_float("the scales", scales)
        if not 0 <= axis < len(q.shape):
            raise OpTypeError("the axis of the scales must exist", f"0 <= axis < {len(q.shape)}", str(axis))
        require_shape("scales", scales, (q.shape[axis],), "there is a scale for each index of an axis")
    return (result(DTYPE, q.shape, q.batch, q),)


def reference_dequantize(
    q: np.ndarray, scales: np.ndarray | None = None, *, scale: float = 1.0, zero: int = 0, axis: int = 0
) -> np.ndarray:
    real = DTYPES[DTYPE].type
    along = (
        real(scale) if scales is None else scales.astype(real).reshape([-1 if a == axis else 1 for a in range(q.ndim)])
    )
    return ((q.astype(np.int32) - np.int32(zero)).astype(real) * along).astype(real)


def lower_dequantize(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    scale, zero = scale_and_zero(bound)
    whole = k.read(bound, 0, index)
    if bound.inputs[0].type.dtype != "i32":
        whole = k.call("to_i32", whole)
    if zero:
        whole = k.call("sub", whole, k.const(zero, "i32"))
    several = len(bound.inputs) == 2
    by = k.read(bound, 1, (index[integer(bound, "axis")],)) if several else k.const(number(scale, DTYPE), DTYPE)
    if several and bound.inputs[1].type.dtype != DTYPE:
        by = k.call("to_f32", by)
    return (k.call("mul", k.call("to_f32", whole), by),)


def onnx_dequantize(w: OnnxWriter, bound: BoundNode, q: str, *scales: str) -> str:
    scale, zero = scale_and_zero(bound)
    if scales:
        return w.node("DequantizeLinear", q, *scales, axis=integer(bound, "axis"))
    dtype = DTYPES[bound.inputs[0].type.dtype]
    return w.node("DequantizeLinear", q, w.constant(np.asarray(scale)), w.constant(np.asarray(zero, dtype)))


register(
    Op(
        name="dequantize",
        infer=infer_dequantize,
        reference=reference_dequantize,
        lower=Pointwise(lower_dequantize),
        tolerance=0.0,
        samples=(
            Sample(("i8[b3,5]",), {"scale": 0.02, "zero": 3}, integers={0: (-128, 128)}),
            Sample(("u8[b17,2,3]",), {"scale": 0.5, "zero": 255}, integers={0: (0, 256)}),
            Sample(("i32[b3,2,4]", "f32[2]"), {"axis": 1}, integers={0: (-(2**20), 2**20)}, domain=(0.1, 1.0)),
            Sample(("i8[4,2,3]", "f32[4]"), {"axis": 0}, integers={0: (-127, 128)}, domain=(0.1, 1.0)),
        ),
        onnx=onnx_dequantize,
    )
)


def infer_words(x: TensorType) -> tuple[TensorType, ...]:
    require_bytes("the input", x.dtype)
    if not x.shape or x.shape[-1] % BYTES or x.lanes or (x.batch and len(x.shape) == 1):
        raise OpTypeError("the last axis must divide into words", f"a multiple of {BYTES}, natural", dims(x.shape))
    return (x.with_(dtype="u32", shape=(*x.shape[:-1], x.shape[-1] // BYTES)),)


def reference_words(x: np.ndarray) -> np.ndarray:
    return words_of(x)


def words_of(x: np.ndarray) -> np.ndarray:
    """Bytes along the last axis as words."""
    return np.ascontiguousarray(x).view("<u4").astype(np.uint32)


def bytes_of(words: np.ndarray, signed: bool) -> np.ndarray:
    """The bytes of words, along the last axis."""
    whole = np.ascontiguousarray(words.astype("<u4"))
    return whole.view(np.int8 if signed else np.uint8)


register(
    Op(
        name="words",
        infer=infer_words,
        reference=reference_words,
        lower=Alias(),
        kind="shape",
        tolerance=0.0,
        natural=(0,),
        samples=(
            Sample(("i8[b3,8]",), integers={0: (-128, 128)}),
            Sample(("u8[b2,3,2,4]",), integers={0: (0, 256)}),
            Sample(("i8[12]",), integers={0: (-128, 128)}),
        ),
    )
)


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
    x, stride, value = bound.inputs[0].type, integer(bound, "stride"), integer(bound, "value", 0)
    sizes = integers(bound, "pad")
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
    x, (first, *others) = bound.inputs[0].type, integers(bound, "pad")
    taps, stride, value = integer(bound, "taps"), integer(bound, "stride"), integer(bound, "value", 0)
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
