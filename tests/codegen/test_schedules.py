"""Which rule takes which kernel, and that what rules choose is well formed for every width and shape."""

import pytest
from codegen.kernels import CASES, case, kernel_of

from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.schedules.conv_dw import filter_tile
from mochac.codegen.cpu.schedules.nests import edge_tiles, may_pad
from mochac.codegen.cpu.schedules.tiles import Tile, best_tile, total_cost
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_verify import verify_kernel

AVX512, AVX2 = CpuTarget.of("skylake-avx512", 64), CpuTarget.of("haswell", 32)

RULES = {
    "conv2d": "conv2d.blocked",
    "conv2d-padded": "conv2d.blocked",
    "conv2d-strided": "conv2d.blocked",
    "conv2d_dx": "conv2d_dx.blocked",
    "conv2d_dw": "conv2d_dw.blocked",
    "conv2d_dw-ragged": "conv2d_dw.blocked",
    "inner_product": "inner_product.blocked",
    "inner_product_dx": "inner_product_dx.blocked",
    "inner_product_dw": "inner_product_dw.natural",
    "max_pool": "generic.batch-lanes.pad",
    "max_pool_dx": "generic.batch-lanes.pad",
    "softmax_loss": "generic.batch-lanes.guard",
    "reduce_sum": "generic.batch-partials",
    "relayout": "relayout.tiles",
}


@pytest.mark.parametrize("name", sorted(CASES))
def test_rule(name):
    assert choose(case(name), AVX512).name == RULES[name]


@pytest.mark.parametrize("target", [AVX512, AVX2], ids=lambda t: t.name)
@pytest.mark.parametrize("name", sorted(CASES))
def test_scheduled_kernels_are_printable(name, target):
    kernel = case(name, target.lanes("f32"))
    verify_kernel(apply(choose(kernel, target), kernel), printable=True)


@pytest.mark.parametrize("registers", [16, 32])
@pytest.mark.parametrize("rows", [1, 2, 5, 10, 20, 50, 97, 500])
@pytest.mark.parametrize("columns", [1, 3, 4, 8, 13, 28])
def test_tiles_obey_the_register_rule(rows, columns, registers):
    tile = best_tile(rows, columns, registers)
    assert tile.rows * tile.columns + tile.columns + 1 <= registers
    assert tile.rows <= rows and tile.columns <= columns


def test_the_best_tile_is_the_cheapest():
    chosen = best_tile(50, 24, 32)
    worse = (Tile(2, 2), Tile(12, 1), Tile(7, 4))
    assert all(total_cost(50, 24, chosen) <= total_cost(50, 24, other) for other in worse)


def test_window_cells_count_as_columns():
    tile = best_tile(50, 4, 32, max_columns=8, cells=4)
    assert (tile.rows + 1) * tile.columns * 4 + 1 <= 32


@pytest.mark.parametrize("registers", [16, 32])
def test_filter_tiles_obey_the_register_rule(registers):
    for kernel_width in (1, 2, 3, 5, 7):
        tile = filter_tile(50, 8, kernel_width, registers)
        assert tile is not None
        assert kernel_width * tile.rows + tile.rows + 1 <= registers


def test_edge_tiles_are_those_that_meet_padding():
    kernel = kernel_of("conv2d", ("f32[b16,1,9,16]", "f32[1,1,3,5]"), stride=(1, 1), pad=(1, 2), group=1)
    assert edge_tiles(kernel, "ow", 4) == (1, 1)
    unpadded = kernel_of("conv2d", ("f32[b16,1,9,16]", "f32[1,1,3,5]"), stride=(1, 1), pad=(0, 0), group=1)
    assert edge_tiles(unpadded, "ow", 4) == (0, 0)


def test_pad_lanes_are_only_for_blocked_storage():
    assert may_pad(case("max_pool"), "n")
    assert not may_pad(case("softmax_loss"), "n")
