"""sinkhorn: entropic optimal transport between the rows of two batches, by Sinkhorn's iteration in the log domain.

    min over T >= 0 with T 1 = a, T' 1 = b of  <T, M> + 1/lam * sum of T log T
    log u = log a - log(K v),  log v = log b - log(K' u),  K = exp(-lam M),  from u = 1/F;  T = diag(u) K diag(v)

Shapes: a (N, F), b (N, L), M (F, L) -> alpha = log(u) / lam (N, F), beta = log(v) / lam (N, L), cost = <T, M> (N,).
Sums are taken of exp(x - max), so that no lam * M over- or underflows; log a and log b are taken of at least 1e-20.
Gradient: none; <alpha, a> + <beta, b> is the dual objective, whose gradient by a is alpha (the envelope theorem).
Cuturi 2013 (arXiv:1306.0895); Frogner et al. 2015 (arXiv:1506.05439), algorithm 1; Mocha.jl
src/layers/wasserstein-loss.jl.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mochac.ir.graph import BoundNode
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Nest
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import (
    integer,
    real,
    require_extents,
    require_float,
    require_rank,
    require_same_dtype,
    require_shape,
    result,
)
from mochac.ir.types import TensorType

MIN_MASS = 1e-20


def infer(a: TensorType, b: TensorType, m: TensorType, *, lam: float, iterations: int) -> tuple[TensorType, ...]:
    require_float("the prediction", a)
    require_rank("the prediction", a, 2, "batch, features")
    require_rank("the label", b, 2, "batch, features")
    require_extents("prediction", a, "an empty prediction is not a distribution")
    require_extents("label", b, "an empty label is not a distribution")
    require_same_dtype(("the prediction", a), ("the label", b), ("the cost matrix", m))
    require_shape("label", b, (a.shape[0], b.shape[1]), "prediction and label differ in their number of samples")
    require_shape("cost matrix", m, (a.shape[1], b.shape[1]), "the cost matrix needs a row per predicted feature")
    if not lam > 0 or not iterations > 0:
        raise OpTypeError("lam and iterations must be positive", "> 0", f"{lam}, {iterations}")
    batch = a.batch or b.batch
    rows = a.shape[0]
    return tuple(result(a.dtype, shape, batch, a, b) for shape in ((rows, a.shape[1]), (rows, b.shape[1]), (rows,)))


def reference(
    a: np.ndarray, b: np.ndarray, m: np.ndarray, *, lam: float, iterations: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    log_a, log_b = (np.log(np.maximum(x, x.dtype.type(MIN_MASS))) for x in (a, b))
    log_k = (-lam * m).astype(a.dtype)[None]
    log_u = np.full_like(a, -math.log(a.shape[1]))
    log_v = log_b - _log_sum(log_k + log_u[:, :, None], 1)
    for _ in range(iterations):
        log_u = log_a - _log_sum(log_k + log_v[:, None, :], 2)
        log_v = log_b - _log_sum(log_k + log_u[:, :, None], 1)
    plan = np.exp(log_k + log_u[:, :, None] + log_v[:, None, :])
    return (log_u / lam).astype(a.dtype), (log_v / lam).astype(a.dtype), (plan * m).sum(axis=(1, 2)).astype(a.dtype)


def _log_sum(x: np.ndarray, axis: int) -> np.ndarray:
    most = x.max(axis=axis, keepdims=True)
    return np.log(np.exp(x - most).sum(axis=axis)) + most.squeeze(axis)


def lower(k: KernelBuilder, bound: BoundNode) -> None:
    (rows, n), (_, m) = (value.type.shape for value in bound.inputs[:2])
    dtype, lam, iterations = bound.inputs[0].type.dtype, real(bound, "lam"), integer(bound, "iterations")
    rate, share = k.const(-lam, dtype), k.const(1 / lam, dtype)

    def log_of(position: int, index: tuple[Index, ...]) -> Operand:
        return k.call("log", k.call("max", k.read(bound, position, index), k.const(MIN_MASS, dtype)))

    def log_sum(extent: int, term: Callable[[Index], Operand]) -> Operand:
        most = k.local("most", dtype, k.const(-math.inf, dtype))
        with k.sum("t", extent) as t:
            k.accum(most, "max", term(t))
        largest, total = k.get(most), k.local("total", dtype, k.const(0.0, dtype))
        with k.sum("t", extent) as t:
            k.accum(total, "add", k.call("exp", k.call("sub", term(t), largest)))
        return k.call("add", k.call("log", k.get(total)), largest)

    def link(i: Index, j: Index) -> Operand:
        return k.call("mul", rate, k.read(bound, 2, (i, j)))

    with k.each("n", rows) as row:
        u, v = k.local("u", dtype, shape=(n,)), k.local("v", dtype, shape=(m,))
        log_a, log_b = k.local("log_a", dtype, shape=(n,)), k.local("log_b", dtype, shape=(m,))

        def update_v() -> None:
            with k.each("j", m) as j:
                total = log_sum(n, lambda i: k.call("add", link(i, j), k.get(u, i)))
                k.set(v, k.call("sub", k.get(log_b, j), total), j)

        def update_u() -> None:
            with k.each("i", n) as i:
                total = log_sum(m, lambda j: k.call("add", link(i, j), k.get(v, j)))
                k.set(u, k.call("sub", k.get(log_a, i), total), i)

        with k.each("i", n) as i:
            k.set(u, k.const(-math.log(n), dtype), i)
            k.set(log_a, log_of(0, (row, i)), i)
        with k.each("j", m) as j:
            k.set(log_b, log_of(1, (row, j)), j)
        update_v()
        with k.loop("iteration", iterations):
            update_u()
            update_v()
        cost = k.local("cost", dtype, k.const(0.0, dtype))
        with k.sum("i", n) as i, k.sum("j", m) as j:
            moved = k.call("exp", k.call("add", link(i, j), k.call("add", k.get(u, i), k.get(v, j))))
            k.accum(cost, "fma", moved, k.read(bound, 2, (i, j)))
        k.write(bound, 2, (row,), k.get(cost))
        with k.each("i", n) as i:
            k.write(bound, 0, (row, i), k.call("mul", k.get(u, i), share))
        with k.each("j", m) as j:
            k.write(bound, 1, (row, j), k.call("mul", k.get(v, j), share))


def _sample(a: str, b: str, m: str, lam: float, iterations: int, highest: float) -> Sample:
    return Sample(
        (a, b, m), {"lam": lam, "iterations": iterations}, domains={0: (0.01, 1), 1: (0.01, 1), 2: (0, highest)}
    )


register(
    Op(
        name="sinkhorn",
        infer=infer,
        reference=reference,
        lower=Nest(lower),
        kind="row",
        tolerance=2e-4,
        samples=(
            _sample("f32[b3,4]", "f32[b3,5]", "f32[4,5]", 2.0, 3, 1.0),
            _sample("f32[b17,3]", "f32[b17,3]", "f32[3,3]", 100.0, 2, 5.0),
            _sample("f32[b1,1]", "f32[b1,1]", "f32[1,1]", 1.0, 1, 1.0),
            _sample("f32[4,2]", "f32[4,1]", "f32[2,1]", 0.5, 4, 1.0),
        ),
    )
)
