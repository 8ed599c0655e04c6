"""The CUDA emulator itself: right kernels give right numbers, each kind of mistake is caught and named.

Slow, since g++ has to compile it and only slow tests use it.
"""

import os
from pathlib import Path

import numpy as np
import pytest
import toolchain
from emulated import CompileError, EmulatorError, KernelLaunch, Module, run_kernels
from skips import needs_gxx

pytestmark = [needs_gxx, pytest.mark.slow]
SOURCE = (Path(__file__).parent / "buggy.cu").read_text()
ROWS = np.arange(300, dtype=np.float32).reshape(3, 100) % 17


@pytest.fixture(scope="module")
def module():
    return Module(SOURCE)


def run(module, symbol, *arrays, grid=1, block=64, shared_bytes=0, **how):
    arrays = [np.array(a) for a in arrays]
    module.launch(symbol, grid, block, shared_bytes, arrays, **how)
    return arrays[-1]


def nans(*shape):
    return np.full(shape, np.nan, np.float32)


def test_elementwise(module):
    np.testing.assert_array_equal(run(module, "add_row", ROWS, ROWS[1], nans(3, 100), grid=5), ROWS + ROWS[1])


@pytest.mark.parametrize("descending", [False, True])
def test_shuffles_barriers_and_shared_memory(module, descending):
    got = run(module, "row_sums", ROWS, nans(3), grid=3, descending=descending)
    np.testing.assert_array_equal(got, ROWS.sum(axis=1))


def test_lanes_of_a_warp_wait_for_each_other(module):
    got = run(module, "swapped", ROWS[0, :64], nans(64))
    np.testing.assert_array_equal(got, ROWS[0, np.arange(64) ^ 16])


def test_dynamic_shared_memory(module):
    got = run(module, "reverse", ROWS[0, :64], nans(64), shared_bytes=256)
    np.testing.assert_array_equal(got, ROWS[0, 63::-1])


def test_philox_vector_of_random123(module):
    got = run(module, "philox_words", np.zeros(4, np.uint32), block=1)
    assert [f"{word:08x}" for word in got] == ["6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8"]


def test_votes_and_partial_shuffles(module):
    lane = np.arange(32)
    left = np.where(lane % 8 == 0, lane, lane - 1)
    want = 0xAAAAAAAA ^ (1 + 2 + 4 * left + 256 * (lane ^ 1))
    np.testing.assert_array_equal(run(module, "warp_votes", np.zeros(32, np.uint32), block=32), want)


def test_denormals_are_zero_and_the_callers_are_not(module):
    small = np.array([1e-38, 1.0], np.float32)
    np.testing.assert_array_equal(run(module, "flush", small, nans(2), block=2), [0.0, 0.5])
    assert np.float32(1e-38) * np.float32(0.5) > 0


def test_atomics(module):
    np.testing.assert_array_equal(run(module, "count", np.zeros(3, np.int32), grid=2, block=4), [4, 2, 2])


def test_device_functions(module):
    got = run(module, "functions", np.array([2.25]), np.zeros(8), block=1)
    half = np.sqrt(0.5)
    np.testing.assert_allclose(got, [half, half, 1 / 1.5, 6.0625, np.inf, 5, -1, np.float32(half)], rtol=1e-7)


def test_copies_into_shared_memory(module):
    want = np.where(np.arange(64) < 4, 0, ROWS[0, :64][::-1])  # the last four are not read
    np.testing.assert_array_equal(run(module, "copied", ROWS[0, :64], nans(64)), want)
    assert not run(module, "copied_beyond", ROWS[0, :64], nans(64), shared_bytes=320).any()


@pytest.mark.parametrize("watched", [True, False])
def test_elements_are_read_as_vectors(watched):
    module = Module(SOURCE, watched=watched)
    want = ROWS[0, :64].reshape(16, 4)[::-1].reshape(-1)
    np.testing.assert_array_equal(run(module, "floats_as_vectors", ROWS[0, :64], nans(64)), want)
    want = ROWS[0, :64].reshape(16, 4).sum(axis=1).repeat(4)
    np.testing.assert_array_equal(run(module, "floats_as_one_vector", ROWS[0, :64], nans(64)), want)


MISTAKES = [
    ("missing_barrier", "reads shared memory that no thread wrote", "row[63 - threadIdx.x]"),
    ("missing_second_barrier", "race, no barrier between: reads the value of thread 0", "y[threadIdx.x] = best"),
    ("missing_barrier_in_template", "reads shared memory that no thread wrote", "return values["),
    ("never_written", "reads shared memory that no thread wrote", "= row[threadIdx.x]"),
    ("writes_beside", "writes beside its buffer", "at buffer 'y'"),
    ("reads_beside", "reads beside its buffer", "at buffer 'x'"),
    ("reads_far", "reads outside the launch's buffers", "x[threadIdx.x + 100000]"),
    ("index_of_shared", "array index, shift or integer arithmetic out of range", "row[threadIdx.x]"),
    ("divergent_barrier", "waits at another __syncthreads than the rest of its block", "__syncthreads();"),
    ("early_exit", "waits at __syncthreads while other threads have left the kernel", "__syncthreads();"),
    ("divergent_warp", "lanes of one warp meet in different *_sync calls", "__shfl_down_sync"),
    ("shuffle_for_barrier", "race, no barrier between: reads the value of thread 1", "row[threadIdx.x ^ 1] + v"),
    ("copy_not_awaited", "reads where a copy into shared memory has not arrived", "row[63 - threadIdx.x]"),
    ("copy_without_barrier", "reads shared memory that no thread wrote", "row[threadIdx.x ^ 1]"),
    ("copy_overwritten", "writes where a copy into shared memory is on its way", "row[threadIdx.x] = 1.0f"),
    ("copy_left_behind", "ends before its copies into shared memory have arrived", ""),
    ("copy_overtaken", "race, no barrier between: reads the value of thread", "row[63 - threadIdx.x]"),
    ("race_of_blocks", "race, no barrier between", "y[0] + 1.0f"),
]


@pytest.mark.parametrize(("symbol", "what", "where"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_mistake_is_named(module, symbol, what, where):
    arrays, names = [ROWS[0, :64], np.ones(64, np.float32)], ["x", "y"]
    if f"{symbol}(const float* x, float* y)" not in SOURCE:
        arrays, names = arrays[1:], names[1:]
    with pytest.raises(EmulatorError) as caught:
        module.launch(symbol, 2 if "blocks" in symbol else 1, 64, 0, arrays, names=names)
    message = str(caught.value)
    assert message.startswith(f"kernel {symbol}: ") and what in message and where in message and "thread" in message


@pytest.mark.parametrize("descending", [False, True])
def test_the_last_block_sees_what_all_have_stored(module, descending):
    count = np.zeros(1, np.uint32)
    arrays = [ROWS[0].copy(), nans(5), count, nans(1)]
    for _ in range(2):  # the counter is 0 again
        module.launch("last_block", 5, 64, 0, arrays, descending=descending)
        assert arrays[-1][0] == 2 * ROWS[0, :5].sum() and count[0] == 0


@pytest.mark.parametrize("symbol", ["writes_unfenced", "counts_early", "reads_unfenced"])
def test_a_last_block_that_may_see_old_values_is_named(module, symbol):
    arrays = [ROWS[0].copy(), nans(5), np.zeros(1, np.uint32), nans(1)]
    with pytest.raises(EmulatorError, match="race, no barrier between: reads the value of thread 5 of another block"):
        module.launch(f"last_block_{symbol}", 5, 64, 0, arrays)


def test_integer_overflow_is_named(module):
    with pytest.raises(EmulatorError, match=r"integer arithmetic out of range \(block 0,0,0 thread 3,0,0\)"):
        run(module, "overflow", np.array([1, 2, -3, 65536], np.int32), block=4)


def test_arrays_are_unchanged_after_a_mistake(module):
    y = np.zeros(64, np.float32)
    with pytest.raises(EmulatorError):
        module.launch("writes_beside", 1, 64, 0, [y.copy(), y])
    assert not y.any()


@pytest.mark.parametrize(
    ("shape", "why"),
    [
        ({"block": 1025}, "more than 1024 threads in a block"),
        ({"grid": 0}, "a grid or block dimension is zero"),
        ({"grid": (1, 70000)}, "the grid is too large"),
        ({"block": (1, 1, 65)}, "a block is deeper than 64 threads"),
        ({"shared_bytes": 300000}, "more dynamic shared memory than a block can have"),
    ],
)
def test_launch_limits(module, shape, why):
    with pytest.raises(EmulatorError, match=why):
        run(module, "flush", nans(1), nans(1), **shape)


def test_unknown_kernel(module):
    with pytest.raises(EmulatorError, match="no kernel 'softmax' in this module; kernels: add_row"):
        run(module, "softmax", nans(1))


def test_unwatched_code_still_sees_writes_beside_a_buffer():
    module = Module(SOURCE, watched=False)
    with pytest.raises(EmulatorError, match="a write beside buffer 'y'"):
        module.launch("writes_beside", 1, 63, 0, [ROWS[0, :64].copy(), nans(63)], names=["x", "y"])
    with pytest.raises(EmulatorError, match="illegal memory access"):
        run(module, "writes_beside", ROWS[0, :64], nans(64))


def test_sequences_on_named_arrays_in_both_orders():
    launches = [
        KernelLaunch("add_row", 5, 64, 0, ("x", "b", "x")),
        KernelLaunch("row_sums", 3, 64, 0, ("x", "sums")),
    ]
    got = run_kernels(SOURCE, launches, {"x": ROWS, "b": ROWS[1], "sums": nans(3)})
    np.testing.assert_array_equal(got["sums"], (ROWS + ROWS[1]).sum(axis=1))
    np.testing.assert_array_equal(ROWS, np.arange(300).reshape(3, 100) % 17)


def test_dependence_on_the_order_of_threads_is_caught_without_watching():
    launch = KernelLaunch("missing_second_barrier", 1, 64, 0, ("x", "y"))
    with pytest.raises(EmulatorError, match="buffer 'y' depends on the order of threads"):
        run_kernels(SOURCE, [launch], {"x": ROWS[0, :64], "y": nans(64)}, watched=False)


def test_other_fibers(monkeypatch):
    """Where there is no assembly switch, ucontext does it."""
    monkeypatch.setattr(toolchain, "FLAGS", (*toolchain.FLAGS, "-DEMU_UCONTEXT"))
    np.testing.assert_array_equal(run(Module(SOURCE), "row_sums", ROWS, nans(3), grid=3), ROWS.sum(axis=1))


def test_source_that_is_not_cuda():
    with pytest.raises(CompileError, match=r"kernel\.cu:1"):
        Module("__global__ void broken(float *x) { x[0] = warp_magic(); }")


def test_builds_are_kept(module):
    before = sorted(os.listdir(module.path.parent))
    Module(SOURCE)
    assert sorted(os.listdir(module.path.parent)) == before
