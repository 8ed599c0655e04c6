"""Counters of a whole training step's kernels on the emulator: python tests/codegen/step_counters.py lenet-64 [PART].

Prints a line for each kernel, and for kernels with PART in their name one for each load and store. The nets are those
of the GPU contest, the device meant is an H200; tests call `counted` with what they want to assert.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
if __name__ == "__main__":
    sys.path[:0] = [str(HERE.parent / "cuda_emulator"), str(HERE.parents[1] / "benchmarks"), str(HERE.parents[1])]

from counters import BLOCKS, Counters, count_kernels, lines, table  # noqa: E402
from grid_launches import grid_launches  # noqa: E402

from mochac.codegen.cuda.generator import CudaGenerator  # noqa: E402
from mochac.codegen.cuda.module import KernelCode, print_module  # noqa: E402
from mochac.codegen.cuda.target import CudaTarget  # noqa: E402
from mochac.ir.types import DTYPES  # noqa: E402
from mochac.lowering.main_plan import main_graph  # noqa: E402
from mochac.lowering.pipeline import lower  # noqa: E402
from mochac.runtime.lowered import Lowered  # noqa: E402

H200 = CudaTarget(90, multiprocessors=132)


def lowered(name: str) -> Lowered:
    """The training step of a net of the contest, for an H200."""
    from gpu_contest.tasks import TASKS
    from gpu_contest.with_mochac import net

    source = main_graph(net(TASKS[name]))
    return lower(source.graph, CudaGenerator(H200), scalars=source.scalars, named=source.named)


def counted(code: KernelCode, target: CudaTarget = H200, *, blocks: int = BLOCKS) -> list[Counters]:
    """The counters of a kernel's grids on zeros: no generated kernel's way depends on its data."""
    buffers = [b for grid in code.grids for b in (*grid.kernel.inputs, *grid.kernel.outputs)]
    arrays = {b.name: np.zeros(b.type.shape, DTYPES[b.type.dtype]) for b in buffers}
    return count_kernels(print_module([code], target), grid_launches(code), arrays, blocks=blocks)


def report(name: str, part: str = "") -> Iterator[str]:
    """Lines of text for the step of one net."""
    found = []
    for k in lowered(name).kernels:
        for counters in counted(k.code):
            found.append(counters)
            if part and part in counters.symbol:
                yield from (counters.symbol, *lines(counters, print_module([k.code], H200)))
    yield from table(found)


if __name__ == "__main__":
    print("\n".join(report(*sys.argv[1:])))
