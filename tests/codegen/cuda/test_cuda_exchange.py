"""CUDA C of exchanges between ranks: its text, and what it computes on the emulator."""

import re

import numpy as np
import pytest
from emulated import KernelLaunch, run_kernels
from skips import needs_gxx

from mochac.codegen.cuda.exchange import BLOCK, Half, RankSum, exchange_text, half_of, rank_sum_of
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.plan import Launch, Placement, Plan
from mochac.ir.types import parse_type

TYPES = {"a": "f32[100]", "b": "f32[]", "c": "f32[2,3]", "t": "f32[107]", "t.all": "f32[107]"}
TYPES |= {name: TYPES[name[0]] for name in ("a.all", "b.all", "c.all")}


def launch(kernel, symbol, buffers, call):
    return Launch(kernel, symbol, tuple(buffers), 1, 0, call=call, writes=1)


def plan(ranks):
    """An exchange of three values."""
    launches = (
        launch("start", "exchange_start", ["a", "b", "c", "t"], '{"bucket": 3}'),
        launch("sum", "nccl.rank_sum", ["t", "t.all"], f'{{"ranks": {ranks}}}'),
        launch("wait", "exchange_wait", ["t.all", "a.all", "b.all", "c.all"], '{"bucket": 3}'),
    )
    placements = tuple(Placement(name, parse_type(text), "arena", "", 0) for name, text in TYPES.items())
    return Plan("step", placements, launches, (), (), 0, 0)


def test_the_functions_of_an_exchange():
    assert (
        exchange_text(plan(2), CudaTarget())
        == """
// Values are copied into a bucket: a thread for each.
extern "C" __global__ void __launch_bounds__(256)
mochac_exchange_start_3(
    const float* __restrict__ v0,
    const float* __restrict__ v1,
    const float* __restrict__ v2,
    float* __restrict__ bucket)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    if (thread < 100) bucket[0LL + thread - 0] = v0[thread - 0];
    if (thread >= 128 && thread < 129) bucket[100LL + thread - 128] = v1[thread - 128];
    if (thread >= 160 && thread < 166) bucket[101LL + thread - 160] = v2[thread - 160];
}

// A slice of every rank is added up, neighbours first.
extern "C" __global__ void __launch_bounds__(256)
mochac_add_2_ranks_f32_54(
    const float* __restrict__ rows,  // 2 slices of 54, in the order of the ranks
    float* __restrict__ sums)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < 54) {
        float level[2];  // level[k]: the sum of 2^k ranks, which waits for its neighbour
        float sum = 0;
        #pragma unroll
        for (int r = 0; r < 2; r++) {
            sum = rows[r * 54LL + i];
            int k = 0;
            for (; r >> k & 1; k++) sum = level[k] + sum;
            level[k] = sum;
        }
        sums[i] = sum;
    }
}

// Sums are copied out of a bucket: a thread for each.
extern "C" __global__ void __launch_bounds__(256)
mochac_exchange_wait_3(
    const float* __restrict__ bucket,
    float* __restrict__ v0,
    float* __restrict__ v1,
    float* __restrict__ v2)
{
    const int thread = blockIdx.x * 256 + threadIdx.x;
    if (thread < 100) v0[thread - 0] = bucket[0LL + thread - 0];
    if (thread >= 128 && thread < 129) v1[thread - 128] = bucket[100LL + thread - 128];
    if (thread >= 160 && thread < 166) v2[thread - 160] = bucket[101LL + thread - 160];
}
"""
    )


def test_functions_that_begin_early_wait_before_they_read():
    functions = exchange_text(plan(2), CudaTarget(90, early=True)).split("__global__")[1:]
    assert len(functions) == 3
    for text in functions:
        parameters, body = text.split("{\n", 1)
        assert body.lstrip().startswith("mochac_begin_early();")
        assert "const float*" in parameters and not re.search(r"const \w+\* __restrict__", parameters)


def tree(rows):
    if len(rows) == 1:
        return rows[0]
    half = len(rows) // 2
    return tree(rows[:half]) + tree(rows[half:])


@pytest.mark.slow
@needs_gxx
@pytest.mark.parametrize(("ranks", "dtype"), [(2, "f32"), (8, "f32"), (4, "f64")])
def test_slices_are_added_by_a_balanced_tree(ranks, dtype):
    kind = RankSum(dtype, 300 * ranks - 1, ranks)
    types = {"x": f"{dtype}[{kind.elems}]", "y": f"{dtype}[{kind.elems}]"}
    placements = tuple(Placement(name, parse_type(text), "arena", "", 0) for name, text in types.items())
    launches = (launch("sum", "nccl.rank_sum", types, f'{{"ranks": {ranks}}}'),)
    made = Plan("step", placements, launches, (), (), 0, 0)
    assert rank_sum_of(made, launches[0]) == kind
    rows = np.random.default_rng(ranks).standard_normal((ranks, kind.slice_elems)).astype(f"f{kind.elem_bytes}")
    how = KernelLaunch(kind.symbol, kind.grid, BLOCK, 0, ("rows", "sums"))
    found = run_kernels(exchange_text(made, CudaTarget()), [how], {"rows": rows, "sums": np.zeros_like(rows[0])})
    np.testing.assert_array_equal(found["sums"], tree(rows))


@needs_gxx
@pytest.mark.slow
def test_values_come_out_of_a_bucket_as_they_went_in():
    made = plan(2)
    start, wait = (half_of(made, made.launches[k]) for k in (0, 2))
    assert start == Half(3, True, tuple(parse_type(TYPES[name]) for name in "abc"))
    rng = np.random.default_rng(0)
    shapes = {"a": 100, "b": (), "c": (2, 3), "t": 107, "a.all": 100, "b.all": (), "c.all": (2, 3)}
    arrays = {name: np.asarray(rng.standard_normal(shape), np.float32) for name, shape in shapes.items()}
    into = KernelLaunch(start.symbol, start.grid, BLOCK, 0, ("a", "b", "c", "t"))
    out = KernelLaunch(wait.symbol, wait.grid, BLOCK, 0, ("t", "a.all", "b.all", "c.all"))
    found = run_kernels(exchange_text(made, CudaTarget()), [into, out], arrays)
    for name in "abc":
        np.testing.assert_array_equal(found[f"{name}.all"], arrays[name])
    np.testing.assert_array_equal(found["t"], np.concatenate([arrays[name].reshape(-1) for name in "abc"]))
