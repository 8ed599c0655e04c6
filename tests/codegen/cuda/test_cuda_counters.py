"""What generated kernels ask of memory, counted by the emulator: whole sectors, banks apart, few barriers."""

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import NAMES, SMALL, SPLIT, case_kernels
from counters import count_kernels
from grid_launches import device_arrays, grid_launches
from skips import needs_gxx

from mochac.codegen.cuda.module import print_module

pytestmark = [needs_gxx, pytest.mark.slow]


@pytest.fixture(scope="module")
def counted():
    kernels = {name: case_kernels(name, "f32", SMALL)[0] for name in NAMES}
    arrays, launches = {}, []
    for name, k in kernels.items():
        own = {f"{name}:{b.name}": k.inputs[b.name] for b in k.naive.inputs}
        own |= {f"{name}:{b.name}": np.zeros(b.type.shape, k.want[b.name].dtype) for b in k.naive.outputs}
        arrays |= own | device_arrays(k.code, f"{name}:")
        launches += grid_launches(k.code, f"{name}:")
    source = print_module([k.code for k in kernels.values()], SMALL)
    pairs = ((name, grid is k.code.grids[-1]) for name, k in kernels.items() for grid in k.code.grids)
    names = [name if last else f"{name} parts" for name, last in pairs]
    return dict(zip(names, count_kernels(source, launches, arrays), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "loads", "stores"),
    [
        ("conv_dw", 1.2, 2.7),  # a block's weights are a row of each filter
        ("conv_dw-padded", 1.6, 3.5),
        ("conv+max_pool", 1.5, 1.2),  # a block's filters are few
        ("inner_product_dw", 1.5, 1),  # rows of 132 bytes
        ("dropout_mask", 1, 1),
        ("max_pool_dx", 1.5, 1),
        ("reduce_sum", 1.6, 1),
        ("max_pool_dx-wide", 1.6, 1),
        ("mean_pool_dx-wide", 1.6, 1),
        ("relu", 1, 1),
        ("relu-wide", 1, 1),
        ("softmax_loss", 1.9, 1.9),  # rows of 40 bytes
        ("softmax_loss-wide", 1.2, 1.2),
    ],
)
def test_sectors(name, loads, stores, counted):
    assert (counted[name].waste(write=False) <= loads, counted[name].waste(write=True) <= stores) == (True, True)


@pytest.mark.parametrize("name", [*NAMES, *(f"{name} parts" for name in SPLIT if not name.startswith("reduce"))])
def test_banks(name, counted):
    """Results of these gradients lie whole rounds of banks apart in the end, once for each block."""
    assert counted[name].worst_ways <= (8 if name in ("conv_dx-dilated", "conv_dx-phases") else 4)


def test_warps_run_along_the_fast_axis(counted):
    """Sums over rows of a matrix, where a block for each column would take a sector for each element."""
    operands = {"reduce_sum-columns": "x0", "conv_dw-split": "y0.parts", "conv_dw-split-few": "y0.parts"}
    for name, operand in operands.items():
        loads = counted[name].waste(f"{name}:{operand}", write=False)
        assert loads <= 1.6, (name, loads)


@pytest.mark.parametrize(
    ("name", "barriers", "exchanges"),
    [
        ("conv_dw-padded", 10, 0),  # nine panels, one beside the other, and results that are joined
        ("inner_product", 3, 0),  # two panels, and results that pass through shared memory
        ("inner_product_dw", 3, 0),
        ("reduce_sum", 2, 5),
        ("reduce_sum-columns", 1, 0),
        ("conv_dw-split", 0, 0),
        ("inner_product_dw-split", 0, 0),
        ("softmax_loss", 0, 18),  # a warp a row: three joins, no barrier
        ("relu", 0, 0),
    ],
)
def test_barriers(name, barriers, exchanges, counted):
    assert (counted[name].barriers, counted[name].exchanges) == (barriers, exchanges)
