"""Graphs on the emulated device: every group as a CUDA kernel, all of them in one module, run on named arrays.

For tests of mochac/codegen/cuda. The steps are the pipeline's; storage is one array per value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from emulated import KernelLaunch, run_kernels
from grid_launches import device_arrays, grid_launches

from mochac.codegen.cuda.module import KernelCode, print_kernel, print_module
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.graph import Graph
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.types import DTYPES

TARGET = CudaTarget(90, multiprocessors=4)
"""Few multiprocessors, so that schedules cut even small kernels into several blocks."""


@dataclass(frozen=True)
class Case:
    """A graph with its inputs' values; `name` tells its kernels from others of the module."""

    name: str
    graph: Graph
    feeds: Mapping[str, np.ndarray]


def printed(kernel: Kernel, target: CudaTarget = TARGET) -> KernelCode:
    """CUDA C of a naive kernel, by the schedule that the rules choose."""
    scheduled = apply(choose(kernel, target), kernel)
    verify_kernel(scheduled, printable=True)
    return print_kernel(scheduled, target)


def run_graphs(cases: list[Case], target: CudaTarget = TARGET) -> dict[str, dict[str, np.ndarray]]:
    """Case name -> value name -> what the emulated device computed."""
    codes: list[KernelCode] = []
    launches: list[KernelLaunch] = []
    arrays: dict[str, np.ndarray] = {}
    for case in cases:
        arrays |= {f"{case.name}:{name}": value for name, value in case.feeds.items()}
        for k, kernel in enumerate(to_kernels(fuse(assign_layout(case.graph, 0)))):
            code = printed(kernel.with_(name=f"{case.name}_{k}.{kernel.root}"), target)
            codes.append(code)
            launches += grid_launches(code, f"{case.name}:")
            arrays |= device_arrays(code, f"{case.name}:")
            arrays |= {f"{case.name}:{b.name}": poison(b.type.shape, b.type.dtype) for b in kernel.outputs}
    done = run_kernels(print_module(codes, target), launches, arrays)
    return {c.name: {n.partition(":")[2]: a for n, a in done.items() if n.startswith(f"{c.name}:")} for c in cases}


def poison(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """An array of bytes 0xff: NaN, or -1."""
    array = np.empty(shape, DTYPES[dtype])
    array.reshape(-1).view(np.uint8)[...] = 0xFF
    return array
