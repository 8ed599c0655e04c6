"""mean_pool: mean of every window, with one of three divisors.

    y[n,c,ph,pw] = (sum of the window's cells inside the image) / count(ph, pw)
    divisor "kernel": always the size of the kernel (Mocha.jl src/layers/pooling.jl); "caffe": cells inside the padded
    image (pooling_layer.cpp); "valid": cells inside the image

Shapes: x (N,C,H,W) -> (N,C,PH,PW), or with one or three spatial axes; sizes as in max_pool. Gradient: mean_pool_dx.
"""

from __future__ import annotations

import math

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Attr, BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.ops._mean import counts, divide_by_count, require_divisor
from mochac.ir.ops._pool import Pool, infer_pool, window_cells
from mochac.ir.ops._typing import attrs_of, result
from mochac.ir.ops._window import Sizes, loop_names, windows
from mochac.ir.types import TensorType


def infer(
    x: TensorType,
    *,
    kernel: object,
    stride: object,
    pad: object,
    pad_end: object = None,
    rounding: str = "up",
    divisor: str = "kernel",
) -> tuple[TensorType, ...]:
    require_divisor(divisor)
    attrs = {"kernel": kernel, "stride": stride, "pad": pad, "pad_end": pad_end, "rounding": rounding}
    pool = infer_pool(x, attrs)
    return (result(x.dtype, (*x.shape[:2], *pool.out), x.batch, x),)


def reference(x: np.ndarray, *, divisor: str = "kernel", **attrs: object) -> np.ndarray:
    pool = Pool.of(x.shape, attrs)
    views = windows(x, pool.out, pool.kernel, pool.stride, pool.pad)
    return views.sum(axis=tuple(range(x.ndim, views.ndim))) / counts(pool, divisor).astype(x.dtype)


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    return (b.op("mean_pool_dx", dy, shape=bound.inputs[0].type.shape, **attrs_of(bound)),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, c, *window = index
    x = bound.inputs[0].type
    pool = Pool.of(x.shape, bound.attr)
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    with window_cells(k, pool, window, "sum") as (_, cells):
        k.accum(acc, "add", k.read(bound, 0, (n, c, *cells)))
    return (divide_by_count(k, pool, str(bound.attr.get("divisor", "kernel")), k.get(acc), x.dtype, window),)


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    return Pointwise(lower, ("n", "c", *loop_names("p", attrs["stride"])))


def _sample(x: str, kernel: Sizes, stride: Sizes, pad: Sizes, divisor: str, **more: object) -> Sample:
    return Sample((x,), {"kernel": kernel, "stride": stride, "pad": pad, "divisor": divisor, **more})


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    """AveragePool; Caffe's divisor leaves out what overhangs the padded image, and the kernel's does not."""
    pool, divisor = Pool.of(bound.inputs[0].type.shape, bound.attr), bound.attr.get("divisor", "kernel")
    counted = counts(pool, str(divisor))
    mean = w.node("AveragePool", x, **pool.onnx, count_include_pad=int(divisor != "valid"))
    if divisor == "valid" or (counted == math.prod(pool.kernel)).all():
        return mean
    return w.node("Mul", mean, w.constant(math.prod(pool.kernel) / counted))


register(
    Op(
        name="mean_pool",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=lowering,
        kind="window",
        samples=(
            _sample("f32[b3,2,6,4]", (2, 2), (2, 2), (0, 0), "kernel"),
            _sample("f32[b2,1,7,5]", (2, 2), (2, 2), (0, 0), "valid"),
            _sample("f32[b2,1,7,5]", (2, 3), (2, 2), (0, 0), "kernel"),
            _sample("f32[b1,3,7,6]", (3, 2), (2, 1), (1, 1), "caffe"),
            _sample("f32[b1,2,8,6]", (3, 3), (2, 2), (1, 1), "caffe"),
            _sample("f32[b1,3,7,6]", (3, 2), (2, 1), (1, 1), "valid"),
            _sample("f32[b17,1,1,1]", (1, 1), (1, 1), (0, 0), "kernel"),
            Sample(("f32[b2,3,6,4]",), {"kernel": (3, 1), "stride": (2, 1), "pad": (0, 0), "pad_end": (2, 0)}),
            _sample("f32[b1,2,8,6]", (3, 3), (2, 2), (1, 1), "caffe", rounding="down"),
            _sample("f32[b3,2,7]", (3,), (2,), (1,), "valid"),
            _sample("f32[b2,2,3,5,4]", (2, 3, 3), (1, 2, 2), (0, 1, 1), "caffe"),
        ),
        onnx=onnx,
    )
)
