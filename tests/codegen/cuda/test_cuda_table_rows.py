"""Sums of rows by number on the emulator: the bits of NumPy's sums in order, whatever the ids are."""

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import SMALL, prepared
from codegen.kernels import op_graph
from emulated import run_kernels
from grid_launches import grid_launches
from skips import needs_gxx

from mochac.codegen.cuda.module import print_module
from mochac.ir.op import OPS, run_reference
from mochac.ir.types import garbage

pytestmark = [needs_gxx, pytest.mark.slow]

ROWS = 300
IDS = {
    "every row": lambda rng, shape: rng.integers(0, ROWS, shape),
    "few rows": lambda rng, shape: rng.integers(0, 3, shape) * 149,
    "one row": lambda rng, shape: np.full(shape, 7),
    "no row": lambda rng, shape: rng.choice([-1.0, ROWS, 0.5, np.nan, np.inf, 1e30], shape),
}


def ran(op, types, values, **attrs):
    """What a kernel leaves, and what the op's definition says."""
    (kernel,) = prepared(op_graph(op, types, **attrs), values, op, SMALL)
    assert kernel.schedule.name == "table.rows" and kernel.code.grids[0].grid >= 30
    arrays = values | {b.name: garbage(b.type.shape, b.type.dtype) for b in kernel.naive.outputs}
    got = run_kernels(print_module([kernel.code], SMALL), grid_launches(kernel.code), arrays)
    return [got[b.name] for b in kernel.naive.outputs], run_reference(OPS[op], tuple(values.values()), attrs)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("ids", list(IDS))
@pytest.mark.parametrize("width", [5, 64])
@pytest.mark.parametrize("positions", [(3, 40), (77,), (9, 6)], ids=str)
def test_gradients_have_the_bits_of_sums_in_order(ids, width, positions):
    rng = np.random.default_rng(width)
    values = {
        "x0": rng.standard_normal((*positions, width)).astype(np.float32),
        "x1": IDS[ids](rng, positions).astype(np.float32),
    }
    dims = ",".join(map(str, positions))
    (got,), (want,) = ran("gather_dx", (f"f32[b{dims},{width}]", f"f32[b{dims}]"), values, rows=ROWS)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("ids", list(IDS))
def test_updates_have_the_bits_of_sums_in_order(ids):
    rng = np.random.default_rng(2)
    values = {
        "x0": rng.standard_normal((ROWS, 20)).astype(np.float32),
        "x1": np.zeros((ROWS, 20), np.float32),
        "x2": np.array(0.25, np.float32),
        "x3": rng.standard_normal((4, 40, 20)).astype(np.float32),
        "x4": IDS[ids](rng, (4, 40)).astype(np.float32),
    }
    types = (f"f32[{ROWS},20]", f"f32[{ROWS},20]", "f32[]", "f32[b4,40,20]", "f32[b4,40]")
    for got, want in zip(*ran("add_rows", types, values, factor=-1.0), strict=True):
        np.testing.assert_array_equal(got, want)
