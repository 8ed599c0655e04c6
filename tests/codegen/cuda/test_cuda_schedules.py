"""Which schedule which kernel gets, and what its code looks like to the launcher."""

import pytest
from codegen.cuda.cuda_kernels import NAMES, SMALL, SPLIT, TARGET, case_kernels
from codegen.kernels import PADDED, op_graph
from codegen.user_ops import USER_OPS

from mochac.base.errors import InternalError
from mochac.codegen.cuda.module import KernelCode, print_kernel, print_module
from mochac.codegen.cuda.schedules import choose, contraction, tiles
from mochac.codegen.cuda.schedules.block_tile import BlockTile, ContractionSizes, sizes
from mochac.codegen.cuda.schedules.operands import Operand
from mochac.codegen.cuda.schedules.sides import side
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels

RULES = {
    **dict.fromkeys(("conv", "conv-padded", "conv-strided", "conv_dx"), "contraction.tiled"),
    **dict.fromkeys(("inner_product", "inner_product_dw", "inner_product_dx"), "contraction.tiled"),
    **dict.fromkeys(USER_OPS, "contraction.tiled"),
    "conv+max_pool": "contraction.pooled",
    "conv_dw": "contraction.tiled",
    **dict.fromkeys(("conv-groups", "conv_dx-groups", "conv_dw-groups"), "contraction.tiled"),
    **dict.fromkeys(("conv_dx-strided", "conv_dx-phases", "conv_dx-dilated"), "contraction.tiled"),
    **dict.fromkeys(("conv-exact", "conv_dx-exact"), "contraction.tiled"),
    **dict.fromkeys(("conv_dw-padded", "conv_dw-tail"), "contraction.tiled"),
    **dict.fromkeys(("reduce_sum-columns", "reduce_sum-planes"), "reduce.columns"),
    **dict.fromkeys(("gather_dx", "add_rows"), "table.rows"),
    **{name: f"{'reduce' if name.startswith('reduce') else 'contraction'}.split-sum" for name in SPLIT},
    **dict.fromkeys(("relu-wide", "max_pool_dx-wide", "mean_pool_dx-wide"), "generic.vectors"),
    **dict.fromkeys(("reduce_sum", "reduce_sum-all", "softmax_loss", "softmax_loss-wide"), "reduce.block"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_rule_meant_for_a_kernel_takes_it(name):
    """The generic schedule is what is left when a tuned one does not apply: that must not go unnoticed."""
    assert [k.schedule.name for k in case_kernels(name, "f32", SMALL)] == [RULES.get(name, "generic.items")]


def code(text: str):
    kernel = parse_kernel(text)
    (grid,) = print_kernel(apply(choose(kernel, TARGET), kernel), TARGET).grids
    return grid


@pytest.mark.parametrize(
    ("x", "axes", "name", "grids"),
    [
        ("f32[b128,16,32,32]", (0, 2, 3), "reduce.split-sum", [256]),  # a channel of a batch normalization is long
        ("f32[b4096,1000]", (0,), "reduce.split-sum", [288]),
        ("f32[b100,128]", (0,), "reduce.columns", [4]),  # not worth a second launch
        ("f32[b128,256,8,8]", (0, 2, 3), "reduce.block", [256]),  # fills the device
    ],
)
def test_sums_of_few_results_are_in_parts(x, axes, name, grids):
    (kernel,) = to_kernels(fuse(op_graph("reduce_sum", (x,), axes=axes)))
    schedule = choose(kernel, CudaTarget(90, multiprocessors=132))
    code = print_kernel(apply(schedule, kernel), CudaTarget(90, multiprocessors=132))
    assert (schedule.name, [grid.grid for grid in code.grids]) == (name, grids)


COPY = """kernel @{}(%x: f32[{}]{}) -> (%y: f32[{}]) root copy ops (copy) {{
  each a in 0..{} {{
    %t = %x[a]
    %y[a] = %t
  }}
}}"""


def copy(name: str, n: int, layout: str = ""):
    return code(COPY.format(name, n, layout, n, n))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("op", "types"),
    [
        ("inner_product", ("f32[b64,800]", "f32[500,800]", "f32[500]")),
        ("inner_product", ("f32[b1600,512]", "f32[2048,512]", "f32[2048]")),
        ("inner_product_dx", ("f32[b64,2048]", "f32[2048,512]")),
        ("inner_product_dw", ("f32[b100,1000]", "f32[b100,1000]")),
    ],
)
def test_the_model_of_tiles_knows_the_shared_memory_of_products(op, types):
    """Rows of panels are padded, and two panels take turns; groups of threads join their sums there, too."""
    (kernel,) = to_kernels(fuse(op_graph(op, types)))
    target = CudaTarget(90, multiprocessors=132)
    _, tile = best_tile(sizes(contraction.large(kernel)), target)
    scheduled = apply(choose(kernel, target), kernel)
    n_bytes = sum(local.type.storage_bytes for local in scheduled.locals if local.space == "shared")
    assert n_bytes == tile.shared_bytes(tiles.halves(tile, target))


@pytest.mark.parametrize(
    ("x", "w", "stride", "pad"),
    [("f32[b64,3,32,32]", "f32[192,3,7,7]", 3, 3), ("f64[b100,128,14,14]", "f64[128,128,7,7]", 3, 0)],
)
@pytest.mark.slow
def test_panels_of_strided_images_fit_a_block(x, w, stride, pad):
    """Larger than the model of tiles takes them for: the rule is asked for less."""
    graph = op_graph("conv", (x, w), stride=(stride, stride), pad=(pad, pad), group=1)
    (kernel,) = to_kernels(fuse(graph))
    target = CudaTarget(90, multiprocessors=132)
    schedule = choose(kernel, target)
    scheduled = apply(schedule, kernel)
    assert schedule.name == "contraction.tiled"
    assert 0 < sum(b.type.storage_bytes for b in scheduled.locals if b.space == "shared") <= target.machine.block_bytes


def test_groups_of_threads_share_the_windows_of_a_single_channel():
    graph = op_graph("conv", ("f32[b32,1,16,16]", "f32[32,1,5,5]"), **PADDED)
    (kernel,) = to_kernels(fuse(graph))
    schedule = choose(kernel, CudaTarget(90, multiprocessors=132))
    assert schedule.name == "contraction.tiled" and "partial(local=acc, loop=kh_o, join=kh_o_s)" in str(schedule)


def test_a_thread_for_each_item():
    """In small blocks, as long as not all multiprocessors have one."""
    assert copy("copy", 100_000).block == 256
    found = copy("copy.w", 1000)
    assert (found.symbol, found.grid, found.block, found.items) == ("mochac_copy_w", 32, 32, 1000)
    assert "if (a >= 1000) return;" in found.text


def test_scalars_take_one_thread():
    """More would each apply an update in place."""
    found = code("kernel @count(%n: i64[]) -> (%m: i64[]) { \n %t = %n[] \n %u = add(%t, 1:i64) \n %m[] = %u \n }")
    assert (found.grid, found.block) == (1, 1)
    assert "m[0] = (long long)((unsigned long long)n[0] + (unsigned long long)1ll);" in found.text


TWICE = """kernel @twice(%x: f32[128,3,34,40]) -> (%y: f32[128,3,34,40]) root add ops (add) {
  each a0 in 0..128 {
    each a1 in 0..3 {
      each a2 in 0..34 {
        each a3 in 0..40 {
          %t = %x[a0, a1, a2, a3]
          %u = %x[a0, 0, a2, a3]
          %v = add(%t, %u)
          %y[a0, a1, a2, a3] = %v
        }
      }
    }
  }
}"""


def test_an_image_that_is_read_at_two_places_is_not_read_in_vectors():
    assert "for" not in code(TWICE).text and code(TWICE).block == 256


def test_large_buffers_take_wide_indices():
    found = copy("big", 2**31)
    assert "const long long a_o = (long long)blockIdx.x * blockDim.x + threadIdx.x;" in found.text


def test_blocked_values_are_refused():
    with pytest.raises(InternalError, match="CUDA code needs natural layout"):
        copy("blocked", 32, " blocked(16)")


def test_two_kernels_of_one_name_are_refused():
    first, other = KernelCode((copy("a", 3),)), KernelCode((copy("a", 4),))
    assert print_module([first, first], TARGET).count("__global__") == 1
    with pytest.raises(InternalError, match="two different CUDA kernels are named mochac_a"):
        print_module([first, other], TARGET)


def test_names_that_c_does_not_take():
    text = code("kernel @x.add(%float: f32[2], %1.w: f32[2]) -> (%exp: f32[2]) root add ops (add) { \n"
                "each item in 0..2 { \n %t = %float[item] \n %max = %1.w[item] \n %u = add(%t, %max) \n %exp[item] = %u"
                "\n } \n }").text  # fmt: skip
    assert "float_[item_] + v_1_w[item_]" in text.replace("  ", " ")
    assert "exp_[item_] =" in text


@pytest.mark.parametrize(("groups", "rounds"), [(4, 1), (5, 2), (8, 2)])
def test_the_scheduler_with_the_most_warps_decides(groups, rounds):
    """Each of the four has units of its own: a fifth warp has one of them to itself, while three wait. A warp that is
    alone with its scheduler does not multiply while it waits for what it loads."""
    whole = ContractionSizes(Operand((("n", 8192),)), Operand((("o", 4096),)), 1, (("f", 4000),))
    panel = next(p for p in whole.panels if p.terms == 160)
    tile = BlockTile(whole, side(whole.rows, 4, 8), side(whole.columns, 8, 8), panel, groups)
    busy = tiles.panel_cycles(tile, CudaTarget(90), 2, 1)
    products = 64 * panel.terms / groups * 32 / 128  # of a warp, cycles if it had all units
    loads = tiles.WAITED * 160 * 2 * 4  # of all warps: two vectors of each side and term, in two rounds
    others = tiles.ROUND + tiles.COPY * tile.copies
    expected = (products * 4 + others) * rounds + loads / rounds
    assert expected <= busy < 1.1 * expected
