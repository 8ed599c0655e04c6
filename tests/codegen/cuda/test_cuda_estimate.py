"""What the models say a launch takes: products by that of a multiprocessor, other grids by operations and bytes."""

import pytest

from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.cuda.generator import CudaGenerator
from mochac.codegen.cuda.schedules.block_tile import sizes
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.target import BYTES_PER_S, CLOCK_HZ, CudaTarget
from mochac.ir import parse
from mochac.lowering.pipeline import lower

TARGET = CudaTarget(90, multiprocessors=132)
CONV = "{group = 1, pad = (0, 0), stride = (1, 1)}"


def estimated(text):
    """Every launch of a graph with its seconds, and the kernels."""
    lowered = lower(parse(text), CudaGenerator(TARGET), scalars={}, named={"y": "y"})
    kernels = {kernel.naive.name: kernel for kernel in lowered.kernels}

    def seconds(launch):
        kernel = kernels[launch.of or launch.kernel]
        return lowered.generator.seconds(launch, kernel.staged, kernel.naive, kernel.schedule)

    return [(launch, seconds(launch)) for launch in lowered.plan.launches], lowered.kernels


@pytest.mark.slow
def test_products_take_the_cycles_of_their_tile():
    ((_, seconds),), (kernel,) = estimated(f"""graph @g(%x: f32[b64,20,12,12], %w: f32[50,20,5,5] param) {{
      %y: f32[b64,50,8,8] = conv(%x, %w) {CONV}
      return %y
    }}""")
    form = contraction(kernel.naive)
    assert form is not None
    assert seconds == best_tile(sizes(form), TARGET)[0] / CLOCK_HZ


def test_others_take_their_bytes():
    ((launch, seconds),), _ = estimated("""graph @g(%x: f32[b64,4096,16]) {
      %y: f32[b64,4096,16] = relu(%x)
      return %y
    }""")
    assert seconds == pytest.approx(launch.moved_bytes / BYTES_PER_S)
    assert launch.moved_bytes == 2 * 4 * 64 * 4096 * 16


@pytest.mark.slow
def test_the_first_grid_of_a_split_sum_is_the_product():
    ((sums, first), (adds, second)), _ = estimated("""graph @g(%x: f32[b64,20,12,12], %d: f32[b64,50,8,8]) {
      %y: f32[50,20,5,5] = conv_dw(%x, %d) {group = 1, kernel = (5, 5), pad = (0, 0), stride = (1, 1)}
      return %y
    }""")
    assert sums.of == adds.kernel and not adds.of
    assert first > 3e-6 > second > 0
