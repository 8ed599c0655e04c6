"""conv2d_dw_parts: gradient of conv2d with respect to its filters, as partial sums over runs of samples.

    dw[p,kh,kw,c,f] = conv2d_dw[f,c,kh,kw] of the samples n with p*s <= n < (p+1)*s,  s = ceil(N/parts);  0 if none

Shapes: x (N,C,H,W), dy (N,F,OH,OW) -> (parts,KH,KW,C/G,F), not batch; filters are last, because neighbouring threads of
a GPU compute neighbouring filters. passes/split_sums writes it, followed by sum_parts, if a GPU has more threads than
the filter has weights. Not differentiable: it is introduced after gradients are taken.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType
from mochac.ops import conv2d_dw
from mochac.ops._conv import conv_attrs, conv_flops, group_loop
from mochac.ops._typing import result
from mochac.ops._window import Pair, span


def infer(x: TensorType, dy: TensorType, *, parts: int, **attrs: object) -> tuple[TensorType, ...]:
    if parts < 1:
        raise OpTypeError("a sum must have at least one part", "parts >= 1", str(parts))
    (whole,) = conv2d_dw.infer(x, dy, **attrs)  # type: ignore[arg-type]
    filters, channels, height, width = whole.shape
    return (result(x.dtype, (parts, height, width, channels, filters), False),)


def reference(x: np.ndarray, dy: np.ndarray, *, parts: int, **attrs: object) -> np.ndarray:
    size = -(-len(x) // parts)
    runs = [slice(p * size, (p + 1) * size) for p in range(parts)]
    parts_of = [conv2d_dw.reference(x[run], dy[run], **attrs) for run in runs]  # type: ignore[arg-type]
    return np.ascontiguousarray(np.stack(parts_of).transpose(0, 3, 4, 2, 1))


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    p, kh, kw, ci, co = index
    x, dy = bound.inputs[0].type, bound.inputs[1].type
    parts, _, _, channels, filters = bound.outputs[0].type.shape
    (sh, sw), (ph, pw), (kernel_h, kernel_w) = conv_attrs(bound.attr["stride"], bound.attr["pad"], _filters(bound))
    size = -(-dy.shape[0] // parts)
    acc = k.local("acc", x.dtype, k.const(0.0, x.dtype))
    with (
        group_loop(k, bound.attr, co, filters) as g,
        k.sum("n", size) as n_of_part,
        k.sum("oh", dy.shape[2]) as oh,
        k.sum("ow", dy.shape[3]) as ow,
    ):
        n, ih, iw = p * size + n_of_part, oh * sh + kh - ph, ow * sw + kw - pw
        rows = span(ih, x.shape[2], dy.shape[2], kernel_h, sh, ph)
        cols = span(iw, x.shape[3], dy.shape[3], kernel_w, sw, pw)
        last = (dy.shape[0] - 1 - n,) if size * parts > dy.shape[0] else ()
        with k.where(*last, *rows, *cols):
            k.accum(acc, "fma", k.read(bound, 0, (n, g * channels + ci, ih, iw)), k.read(bound, 1, (n, co, oh, ow)))
    return (k.get(acc),)


def _filters(bound: BoundNode) -> tuple[int, ...]:
    _, height, width, channels, filters = bound.outputs[0].type.shape
    return filters, channels, height, width


def _flops(bound: BoundNode) -> int:
    return conv_flops(bound.inputs[1].type, bound.outputs[0].type.with_(shape=_filters(bound)))


def _sample(x: str, dy: str, kernel: Pair, stride: Pair, pad: Pair, parts: int, group: int = 1) -> Sample:
    return Sample((x, dy), {"kernel": kernel, "stride": stride, "pad": pad, "group": group, "parts": parts})


register(
    Op(
        name="conv2d_dw_parts",
        infer=infer,
        reference=reference,
        lower=Pointwise(lower, ("p", "kh", "kw", "ci", "co")),
        kind="contraction",
        tolerance=1e-4,
        flops=_flops,
        samples=(
            _sample("f32[b4,2,5,7]", "f32[b4,3,3,6]", (3, 2), (1, 1), (0, 0), 2),
            _sample("f32[b5,2,7,6]", "f32[b5,3,4,3]", (3, 3), (2, 3), (1, 2), 3),
            _sample("f32[b2,4,5,5]", "f32[b2,6,5,5]", (3, 3), (1, 1), (1, 1), 2, 2),
            _sample("f32[b3,1,4,4]", "f32[b3,2,4,4]", (1, 1), (1, 1), (0, 0), 1),
        ),
    )
)
