"""conv_dx: gradient of conv with respect to its input.

    dx[n,c,ih,iw] = sum over f,oh,ow,kh,kw of dy[n,f,oh,ow] * w[f,c,kh,kw]
    with oh*s - p + kh == ih, ow*s - p + kw == iw and f in the group of channel c

Shapes: dy (N,F,OH,OW), w (F,C/G,KH,KW) -> `shape` (N,C,H,W). Gradient: the op is linear in both operands, so conv and
conv_dw.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType
from mochac.ops._conv import conv_attrs, conv_flops, conv_geometry, group_loop
from mochac.ops._typing import attrs_of, require_float, require_rank, require_same_dtype, require_shape, result
from mochac.ops._window import Pair, inside, scatter


def infer(
    dy: TensorType, w: TensorType, *, shape: tuple[int, ...], stride: object, pad: object, group: int = 1
) -> tuple[TensorType, ...]:
    require_float("the gradient", dy)
    require_rank("the gradient", dy, 4, "batch, filters, height, width")
    require_rank("the filter", w, 4, "filters, channels/group, height, width")
    require_same_dtype(("the gradient", dy), ("the filter", w))
    if len(shape) != 4 or shape[1] != w.shape[1] * group:
        raise OpTypeError("shape does not match the filter", f"(N, {w.shape[1] * group}, H, W)", str(shape))
    size = conv_geometry(shape, w.shape, stride, pad, group)
    require_shape("gradient", dy, (shape[0], w.shape[0], *size), "the gradient does not match the output")
    return (result(dy.dtype, tuple(shape), dy.batch, dy),)


def reference(
    dy: np.ndarray, w: np.ndarray, *, shape: tuple[int, ...], stride: object, pad: object, group: int = 1
) -> np.ndarray:
    steps, pads, _ = conv_attrs(stride, pad, w.shape)
    parts = [
        scatter(np.tensordot(d, f, axes=([1], [0])).transpose(0, 3, 1, 2, 4, 5), (shape[2], shape[3]), steps, pads)
        for d, f in zip(np.split(dy, group, axis=1), np.split(w, group), strict=True)
    ]
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    dy, w = bound.inputs
    attrs = attrs_of(bound, "shape")
    return b.op("conv", ct, w, **attrs), b.op("conv_dw", ct, dy, kernel=w.type.shape[2:], **attrs)


@contextmanager
def _cells(
    k: KernelBuilder, names: tuple[str, str], sizes: Pair, stride: int, pad: int, at: Index, low: bool, high: bool
) -> Iterator[tuple[Index, Index, tuple[Index, ...]]]:
    """Open the loop over the windows that read position `at` of one axis; yields (output, tap, conditions).

    `names` and `sizes` are those of outputs and taps. For stride 1 the loop is over the taps (o = i + p - k), since it
    is shortest. For other strides it is over the outputs (k = i + p - s*o), because i + p - k need not be divisible by
    s. `low`, `high`: whether padding or overhang need a condition.
    """
    if stride == 1:
        with k.sum(names[1], sizes[1]) as tap:
            out = at + pad - tap
            yield out, tap, inside(out, sizes[0], low, high)
    else:
        with k.sum(names[0], sizes[0]) as out:
            tap = at + pad - out * stride
            yield out, tap, inside(tap, sizes[1], True, True)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, ci, ih, iw = index
    dy, w, dx = bound.inputs[0].type, bound.inputs[1].type, bound.outputs[0].type
    stride, pad, kernel = conv_attrs(bound.attr["stride"], bound.attr["pad"], w.shape)
    filters = w.shape[0] * w.shape[1] // dx.shape[1]
    fits = [(kernel[a] - 1 > pad[a], dx.shape[2 + a] + pad[a] > dy.shape[2 + a]) for a in (0, 1)]
    acc = k.local("acc", dy.dtype, k.const(0.0, dy.dtype))
    with (
        group_loop(k, bound.attr, ci, dx.shape[1]) as g,
        k.sum("co", filters) as within,
        _cells(k, ("oh", "kh"), (dy.shape[2], kernel[0]), stride[0], pad[0], ih, *fits[0]) as (oh, kh, rows),
        _cells(k, ("ow", "kw"), (dy.shape[3], kernel[1]), stride[1], pad[1], iw, *fits[1]) as (ow, kw, columns),
        k.where(*rows, *columns),
    ):
        co, channel = g * filters + within, ci - g * w.shape[1]
        k.accum(acc, "fma", k.read(bound, 0, (n, co, oh, ow)), k.read(bound, 1, (co, channel, kh, kw)))
    return (k.get(acc),)


def _sample(dy: str, w: str, shape: tuple[int, ...], stride: Pair, pad: Pair, group: int = 1) -> Sample:
    return Sample((dy, w), {"shape": shape, "stride": stride, "pad": pad, "group": group})


register(
    Op(
        name="conv_dx",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower, ("n", "ci", "ih", "iw")),
        kind="contraction",
        tolerance=5e-5,
        flops=lambda bound: conv_flops(bound.inputs[0].type, bound.inputs[1].type),
        samples=(
            _sample("f32[b3,3,3,6]", "f32[3,2,3,2]", (3, 2, 5, 7), (1, 1), (0, 0)),
            _sample("f32[b2,4,2,1]", "f32[4,1,5,5]", (2, 1, 6, 5), (1, 1), (0, 0)),
            _sample("f32[b1,2,1,1]", "f32[2,3,1,1]", (1, 3, 1, 1), (1, 1), (0, 0)),
            _sample("f32[b2,3,4,3]", "f32[3,2,3,3]", (2, 2, 7, 6), (2, 3), (1, 2)),
            _sample("f32[b2,3,6,3]", "f32[3,2,3,3]", (2, 2, 6, 5), (1, 2), (1, 1)),
            _sample("f32[b2,6,5,5]", "f32[6,2,3,3]", (2, 4, 5, 5), (1, 1), (1, 1), 2),
            _sample("f32[b17,3,2,4]", "f32[3,1,2,3]", (17, 3, 6, 4), (3, 1), (0, 1), 3),
            _sample("f32[b1,1,9,9]", "f32[1,1,2,2]", (1, 1, 4, 4), (1, 1), (3, 3)),
        ),
    )
)
