"""Long float32 sums lose no more digits than sums in levels do, however they are computed."""

from __future__ import annotations

import numpy as np
import pytest
from codegen.kernels import op_graph

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.build import GraphBuilder
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.steps.split_sum import Subtotal
from mochac.ir.types import parse_type
from mochac.lowering.run_graph import run_graph

SUMS: dict[str, tuple[tuple[int, ...], bool, tuple[int, ...]]] = {
    "images of samples": ((3, 16, 64, 64), True, (1, 2, 3)),
    "channels": ((20, 4, 64, 64), True, (0, 2, 3)),
    "planes": ((20, 4, 96, 96), True, (2, 3)),
    "rows": ((3, 40_000), False, (1,)),
    "an odd row": ((2, 39_983), False, (1,)),
    "columns": ((40_000, 5), False, (0,)),
    "all": ((70_000,), False, (0,)),
    "columns of samples": ((20_000, 37), True, (0,)),
    "columns, and one more": ((65_537, 5), False, (0,)),
    "columns of a few positions": ((30_000, 12, 3), False, (0, 1)),
    "samples of a few positions": ((30_000, 12, 3), True, (0, 1)),
}
MOST = 1e-6
"""Relative error: of one sum after another, up to 8e-6 here."""


def summed(graph_of, x: np.ndarray, batch: bool) -> np.ndarray:
    b = GraphBuilder("g")
    value = b.input("x", parse_type(f"f32[{'b' if batch else ''}{','.join(map(str, x.shape))}]"))
    out = graph_of(b, value)
    return run_graph(b.finish([out]), {"x": x}, threads=1)[out.name]


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_many_numbers(name: str) -> None:
    shape, batch, axes = SUMS[name]
    x = np.random.default_rng(1).uniform(0.5, 1.5, shape).astype(np.float32)
    got = summed(lambda b, value: b.op("reduce_sum", value, axes=axes), x, batch)
    np.testing.assert_allclose(got, x.sum(axis=axes, dtype=np.float64), rtol=MOST)


@pytest.mark.parametrize("name", ["images of samples", "channels", "rows"])
def test_deviations_from_a_mean(name: str) -> None:
    """As in normalization: two sums, the second of which reads what the first makes."""
    shape, batch, axes = SUMS[name]
    x = np.random.default_rng(2).normal(100, 1, shape).astype(np.float32)
    kept = tuple(a for a in range(len(shape)) if a not in axes)
    count = int(np.prod([shape[a] for a in axes]))

    def deviations(b, value):
        mean = b.scaled(b.op("reduce_sum", value, axes=axes), 1 / count)
        spread = b.op("broadcast", mean, shape=shape, axes=kept, batch=batch)
        return b.op("reduce_sum", b.op("square", b.op("sub", value, spread)), axes=axes)

    got = summed(deviations, x, batch)
    wide = x.astype(np.float64)
    want = np.square(wide - wide.mean(axis=axes, keepdims=True)).sum(axis=axes)
    np.testing.assert_allclose(got, want, rtol=3e-6)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("batch", [9000, 9001])
@pytest.mark.parametrize("features", [28, 50])
def test_weight_gradients_of_many_samples(features: int, batch: int) -> None:
    """As in BLAS, products are added up in blocks; one after another, they err by 3e-6."""
    rng = np.random.default_rng(3)
    x, dy = (rng.uniform(0.5, 1.5, (batch, n)).astype(np.float32) for n in (features, 30))
    b = GraphBuilder("g")
    inputs = [b.input(name, parse_type(f"f32[b{batch},{n}]")) for name, n in (("x", features), ("dy", 30))]
    out = b.op("inner_product_dw", *inputs)
    got = run_graph(b.finish([out]), {"x": x, "dy": dy}, threads=1)[out.name]
    np.testing.assert_allclose(got, dy.astype(np.float64).T @ x, rtol=MOST)


def test_tiles_of_columns_with_a_tail() -> None:
    """Every tile has a nest of its own, and none adds up 512 vectors one after another."""
    (kernel,) = to_kernels(fuse(op_graph("reduce_sum", ("f32[b4096,300] blocked(8)",), axes=(0,))))
    schedule = choose(kernel, CpuTarget.of("haswell", 32))
    assert [step.local for step in schedule.steps if isinstance(step, Subtotal)] == ["acc"]
