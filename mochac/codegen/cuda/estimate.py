"""How long a launch takes on a device, by models: products and convolutions by the model of a multiprocessor,
loops over time by their nests, strips of items by their parts, everything else by its operations and bytes. `profile`
and benchmarks/gpu_estimates.py use it.
"""

from __future__ import annotations

from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.cuda.schedules import contraction as tiled
from mochac.codegen.cuda.schedules.block_tile import sizes
from mochac.codegen.cuda.schedules.items import in_strips
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.schedules.time_loop import BlockLoop
from mochac.codegen.cuda.target import CLOCK_HZ, LAUNCH_S, CudaTarget, estimate
from mochac.ir.applying import after
from mochac.ir.grids import grids
from mochac.ir.kernel import Kernel
from mochac.ir.plan import Launch
from mochac.ir.schedule import Schedule
from mochac.ir.steps.split_sum import SplitSum


def launch_seconds(launch: Launch, staged: Kernel, naive: Kernel, schedule: Schedule, target: CudaTarget) -> float:
    """Estimated seconds of a launch, without the time to launch it.

    Args:
        staged, naive, schedule: of its kernel; of a kernel in two grids, the first is the product.
    """
    strips = in_strips(staged, target) if staged.members else None
    if strips is not None:
        return strips.cycles / CLOCK_HZ
    loop = BlockLoop.of(naive) if naive.root == "scan" else None
    if loop is not None:
        return loop.cycles(target) / CLOCK_HZ
    grid = products(staged, naive, schedule)
    seconds = _in_tiles(grid, target) if grid is naive or launch.of else 0.0
    if seconds:
        return seconds
    flops, moved = launch.flops // launch.trips, launch.moved_bytes // launch.trips
    return estimate(flops, moved, launch.grid / target.multiprocessors) - LAUNCH_S


def products(staged: Kernel, naive: Kernel, schedule: Schedule) -> Kernel:
    """The grid of a kernel in which its products are, before it is scheduled: the kernel itself, if it is one grid."""
    cuts = [k for k, step in enumerate(schedule.steps) if isinstance(step, SplitSum)]
    for step in schedule.steps[: cuts[0] + 1] if cuts else ():
        staged = after(step, staged)
    return grids(staged)[0] if cuts else naive


def _in_tiles(grid: Kernel, target: CudaTarget) -> float:
    """Seconds of products in tiles; 0 for other kernels."""
    form = contraction(grid) if tiled.large(grid) is not None else None
    if form is None:
        return 0.0
    cycles, tile = best_tile(sizes(form), target)
    return cycles / CLOCK_HZ if tile is not None else 0.0
