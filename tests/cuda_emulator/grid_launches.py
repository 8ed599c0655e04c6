"""The launches of a printed kernel on the emulator: one for each of its grids."""

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
    """Memory for what grids leave to later ones, full of garbage."""
    left = (b for grid in code.grids[:-1] for b in grid.kernel.outputs)
    return {f"{prefix}{b.name}": garbage(b.type.shape, b.type.dtype) for b in left}
