"""The launches of a printed kernel on the emulator: one for each of its grids, or one for all of them."""

from __future__ import annotations

import numpy as np
from emulated import KernelLaunch

from mochac.codegen.cuda.module import KernelCode
from mochac.ir.types import garbage


def grid_launches(code: KernelCode, prefix: str = "") -> list[KernelLaunch]:
    """The launches in order, on arrays with the names of the kernel's buffers behind a prefix."""
    return [
        KernelLaunch(
            grid.symbol,
            grid.grid,
            grid.block,
            grid.shared_bytes,
            tuple(f"{prefix}{b.name}" for b in (*grid.kernel.inputs, *grid.kernel.outputs)),
        )
        for grid in code.grids
    ]


def device_arrays(code: KernelCode, prefix: str = "") -> dict[str, np.ndarray]:
    """Memory for what grids leave to later ones, full of garbage, and counters, which are 0."""
    *others, last = code.grids
    left = [b for grid in others for b in grid.kernel.outputs]
    if any(b.space == "counter" for b in last.kernel.outputs):
        left += [b for b in last.kernel.outputs if ".parts" in b.name or b.space == "counter"]
    found = {f"{prefix}{b.name}": garbage(b.type.shape, b.type.dtype) for b in left}
    return found | {f"{prefix}{b.name}": np.zeros((), np.uint32) for b in left if b.space == "counter"}
