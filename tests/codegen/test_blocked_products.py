"""Products of blocked samples: which are computed in blocks of terms, and the same bits however they are cut."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.codegen.cpu.schedules import batch_sums
from mochac.codegen.cpu.schedules.blocking import Blocking, blocking
from mochac.codegen.cpu.schedules.tiles import RegisterTile
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import machine
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.steps.pack import Pack
from mochac.ir.steps.prefetch import PrefetchBlock

PRODUCT = """\
kernel @k(%x: f32[b{n},{terms}] blocked({lanes}), %w: f32[{shape}]) -> (%y: f32[b{n},{channels}] blocked({lanes})) {{
  local %acc: f32[] register
  each n in 0..{n} {{
    each c in 0..{channels} {{
      %acc[] = 0.0:f32
      sum t in 0..{terms} {{
        %a = %x[n, t]
        %b = %w[{index}]
        %acc[] = fma(%a, %b, %acc[])
      }}
      %s = %acc[]
      %y[n, c] = %s
    }}
  }}
}}
"""
SMALL = (CpuTarget("cascadelake", 64, 32, True, (8192,)), CpuTarget("haswell", 32, 16, True, (4096,)))
"""Targets whose first caches are so small that small products do not fit."""


def product(n: int, channels: int, terms: int, lanes: int, along: bool) -> Kernel:
    shape, index = (f"{terms},{channels}", "t, c") if along else (f"{channels},{terms}", "c, t")
    return parse_kernel(PRODUCT.format(n=n, channels=channels, terms=terms, lanes=lanes, shape=shape, index=index))


@pytest.mark.slow
@pytest.mark.parametrize("target", SMALL, ids=lambda t: t.name)
@pytest.mark.parametrize("along", [False, True], ids=["forward", "gradient"])
@pytest.mark.parametrize(
    ("n", "channels", "terms"), [(16, 60, 96), (20, 67, 133), (70, 35, 150), (16, 256, 90)], ids=lambda x: str(x)
)
def test_same_bits(n: int, channels: int, terms: int, along: bool, target: CpuTarget) -> None:
    naive = product(n, channels, terms, target.lanes("f32"), along)
    schedule = batch_sums.rule(naive, target)  # `choose` may find that no blocks are quicker
    assert schedule is not None and any(isinstance(step, PrefetchBlock) for step in schedule.steps)
    fast = apply(schedule, naive)
    verify_kernel(fast, printable=True)
    rng = np.random.default_rng(0)
    inputs = {b.name: rng.normal(size=b.type.shape).astype(np.float32) for b in naive.inputs}
    np.testing.assert_array_equal(run_kernel(fast, inputs)["y"], run_kernel(naive, inputs)["y"])


def test_rows_that_share_cache_sets_are_packed() -> None:
    packs = [
        any(isinstance(step, Pack) for step in batch_sums.rule(product(64, channels, 300, 16, True), SMALL[0]).steps)
        for channels in (1024, 1000)
    ]
    assert packs == [True, False]


@pytest.mark.parametrize("cpu", ["haswell", "znver3", "cascadelake", "znver5", "sapphirerapids"])
def test_a_group_ends_where_lines_end_and_leaves_room_in_l1(cpu: str) -> None:
    model = machine(cpu, 32 if cpu in ("haswell", "znver3") else 64)
    tile = RegisterTile(6, 2) if model.vector_bytes == 32 else RegisterTile(5, 4)
    for channels, terms in ((800, 500), (500, 800), (1000, 1000), (4096, 300)):
        sizes = blocking(model, tile, channels, terms, 4, along=True)
        assert isinstance(sizes, Blocking)
        assert sizes.channels % 16 == sizes.channels % tile.rows == 0
        assert sizes.terms * tile.columns * model.vector_bytes < 0.6 * model.l1.n_bytes
    assert blocking(model, tile, 500, 50, 4, along=False) is None
    assert blocking(model, tile, 10, 800, 4, along=False) is None
