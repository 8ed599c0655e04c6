"""Grids: the pieces of a kernel that a GPU launches one after the other.

Blocks of a grid cannot wait for each other, so what all of them store is read by a later grid, from device memory:

    local %y.parts: f32[4,10] device
    each p in 0..4 blocks { ... %y.parts[p, o] = %part }                      first grid
    each o in 0..10 blocks { sum p { ... = %y.parts[p, o] } ... %y[o] = .. }  second grid

A grid ends with the last statement at the top of the kernel that writes a device local. Device locals and parameters
are all that grids share (rule grids-apart in grid_rules.py). Steps look up the grid they work on, the verifier and the
CUDA printer treat every grid as a kernel of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from mochac.ir.kernel import Body, Buffer, Kernel, Loop, accessed_buffers, walk, written_buffers

WARP, MAX_THREADS = 32, 1024
"""Threads of a warp, which load together and can exchange registers; maximum threads of a block, on every device."""


def bodies(kernel: Kernel) -> tuple[Body, ...]:
    """The statements of every grid."""
    device = _device(kernel)
    last = {name: k + 1 for k, stmt in enumerate(kernel.body) for name in written_buffers((stmt,)) & device.keys()}
    ends = sorted({0, *last.values(), len(kernel.body)})
    return tuple(kernel.body[a:b] for a, b in pairwise(ends)) or ((),)


def grid_of(kernel: Kernel, var: str) -> int:
    """Number of the first grid with a loop over `var`; 0 if there is none."""
    found = ((k, s) for k, body in enumerate(bodies(kernel)) for s in walk(body))
    return next((k for k, s in found if isinstance(s, Loop) and s.var == var), 0)


def change_grid(kernel: Kernel, number: int, change: Callable[[Body], Body]) -> Kernel:
    """The kernel with the statements of one grid changed."""
    changed = (change(body) if k == number else body for k, body in enumerate(bodies(kernel)))
    return kernel.with_(body=tuple(stmt for body in changed for stmt in body))


def threads_of(kernel: Kernel, number: int) -> int:
    """Threads of a block of one grid; 0: not chosen, or every thread has an item of its own."""
    return kernel.threads[number] if kernel.threads else 0


def with_threads(kernel: Kernel, number: int, count: int) -> Kernel:
    """The kernel with `count` threads in the blocks of one grid."""
    counts = (count if k == number else threads_of(kernel, k) for k in range(len(bodies(kernel))))
    return kernel.with_(threads=tuple(counts))


def grids(kernel: Kernel) -> tuple[Kernel, ...]:
    """Every grid as a kernel: device locals are outputs of the grid that writes them, and inputs of those that read.

    The last one has the kernel's name; others are named by what they write. The kernel's operations count for the
    first, which has the sums' terms.
    """
    found = bodies(kernel)
    return (kernel,) if len(found) == 1 else tuple(_grid(kernel, k, body) for k, body in enumerate(found))


def _grid(kernel: Kernel, number: int, body: Body) -> Kernel:
    device, used, written = _device(kernel), accessed_buffers(body), written_buffers(body)
    shared = (*kernel.inputs, *kernel.outputs, *(replace(b, space="global") for b in device.values()))
    threads = threads_of(kernel, number)
    outputs = tuple(b for b in shared if b.name in written)
    first, last = number == 0, number == len(bodies(kernel)) - 1
    return kernel.with_(
        name=kernel.name if last else f"{kernel.name}.{outputs[0].name.rpartition('.')[2]}",
        inputs=tuple(b for b in shared if b.name in used - written),
        outputs=outputs,
        locals=tuple(b for b in kernel.locals if b.name in used and b.name not in device),
        body=body,
        flops=kernel.flops if first else 0,
        threads=(threads,) if threads else (),
    )


def _device(kernel: Kernel) -> dict[str, Buffer]:
    return {b.name: b for b in kernel.locals if b.space == "device"}
