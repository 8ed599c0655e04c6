"""Contractions as users write them, in operations of their own: bilinear forms, batched products, 1-D and 3-D
convolutions. Importing this registers them; `USER_OPS` has operands for each."""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import Op, Sample, register
from mochac.ir.types import TensorType

USER_OPS: dict[str, tuple[tuple[str, ...], dict[str, object]]] = {
    "bilinear": (("f32[b32,6]", "f32[b32,5]", "f32[7,6,5]"), {}),
    "batched_product": (("f32[b4,9,12]", "f32[b4,12,10]"), {}),
    "conv1d": (("f32[b32,3,20]", "f32[8,3,5]"), {"stride": 1, "pad": 2}),
    "conv3d": (("f32[b16,2,5,6,7]", "f32[4,2,3,3,3]"), {"stride": 2, "pad": 1}),
}


def _product(k: KernelBuilder, dtype: str) -> str:
    return k.local("acc", dtype, k.const(0.0, dtype))


def _bilinear(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, o = index
    _, first, second = bound.inputs[2].type.shape
    acc = _product(k, bound.inputs[0].type.dtype)
    with k.sum("i", first) as i, k.sum("j", second) as j:
        pair = k.call("mul", k.read(bound, 0, (n, i)), k.read(bound, 1, (n, j)))
        k.accum(acc, "fma", pair, k.read(bound, 2, (o, i, j)))
    return (k.get(acc),)


register(
    Op(
        name="bilinear",
        infer=lambda x, z, w: (TensorType(x.dtype, (x.shape[0], w.shape[0]), x.batch, x.lanes),),
        reference=lambda x, z, w: np.einsum("ni,nj,oij->no", x, z, w).astype(x.dtype),
        lower=Pointwise(_bilinear, ("n", "o")),
        kind="contraction",
        tolerance=5e-5,
        flops=lambda bound: 2 * bound.inputs[0].type.shape[0] * bound.inputs[2].type.elems,
        samples=(Sample(("f32[b3,4]", "f32[b3,2]", "f32[5,4,2]")),),
    )
)


def _batched(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    b, row, column = index
    acc = _product(k, bound.inputs[0].type.dtype)
    with k.sum("t", bound.inputs[1].type.shape[1]) as t:
        k.accum(acc, "fma", k.read(bound, 0, (b, row, t)), k.read(bound, 1, (b, t, column)))
    return (k.get(acc),)


register(
    Op(
        name="batched_product",
        infer=lambda p, q: (TensorType(p.dtype, (*p.shape[:2], q.shape[2]), p.batch, p.lanes),),
        reference=lambda p, q: p @ q,
        lower=Pointwise(_batched, ("head", "row", "column")),
        kind="contraction",
        tolerance=5e-5,
        flops=lambda bound: 2 * bound.inputs[0].type.elems * bound.inputs[1].type.shape[2],
        samples=(Sample(("f32[b3,4,5]", "f32[b3,5,2]")),),
    )
)


def _sizes(x: TensorType, w: TensorType, stride: int, pad: int) -> tuple[int, ...]:
    return tuple((n + 2 * pad - k) // stride + 1 for n, k in zip(x.shape[2:], w.shape[2:], strict=True))


def _convolved(x: TensorType, w: TensorType, *, stride: int, pad: int) -> tuple[TensorType, ...]:
    return (TensorType(x.dtype, (x.shape[0], w.shape[0], *_sizes(x, w, stride, pad)), x.batch, x.lanes),)


def _reference(x: np.ndarray, w: np.ndarray, *, stride: int, pad: int) -> np.ndarray:
    taps = w.shape[2:]
    padded = np.pad(x, ((0, 0), (0, 0), *((pad, pad) for _ in taps)))
    views = np.lib.stride_tricks.sliding_window_view(padded, taps, axis=tuple(range(2, x.ndim)))
    views = views[(slice(None), slice(None), *(slice(None, None, stride) for _ in taps))]
    inner = list(range(x.ndim, 2 * x.ndim - 2))
    y = np.tensordot(views, w, axes=([1, *inner], [1, *range(2, w.ndim)]))
    return np.ascontiguousarray(np.moveaxis(y, -1, 1).astype(x.dtype))


def _convolution(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    n, co, *at = index
    x, w = bound.inputs[0].type, bound.inputs[1].type
    stride, pad = bound.attr["stride"], bound.attr["pad"]
    assert isinstance(stride, int) and isinstance(pad, int)
    acc = _product(k, x.dtype)
    with ExitStack() as nest:
        ci = nest.enter_context(k.sum("ci", w.shape[1]))
        taps = [nest.enter_context(k.sum(f"tap{a}", size)) for a, size in enumerate(w.shape[2:])]
        places = [i * stride + tap - pad for i, tap in zip(at, taps, strict=True)]
        inside = [c for i, size in zip(places, x.shape[2:], strict=True) for c in (i, size - 1 - i)]
        nest.enter_context(k.where(*(inside if pad else ())))
        k.accum(acc, "fma", k.read(bound, 0, (n, ci, *places)), k.read(bound, 1, (co, ci, *taps)))
    return (k.get(acc),)


for _axes, _samples in (
    (1, (Sample(("f32[b3,2,9]", "f32[4,2,3]"), {"stride": 2, "pad": 1}),)),
    (3, (Sample(("f32[b2,2,4,5,3]", "f32[3,2,3,2,3]"), {"stride": 1, "pad": 1}),)),
):
    register(
        Op(
            name=f"conv{_axes}d",
            infer=_convolved,
            reference=_reference,
            lower=Pointwise(_convolution, ("n", "co", *(f"at{a}" for a in range(_axes)))),
            kind="contraction",
            tolerance=5e-5,
            flops=lambda bound: (
                2 * bound.outputs[0].type.elems * bound.inputs[1].type.elems // bound.inputs[1].type.shape[0]
            ),
            samples=_samples,
        )
    )
