"""Grids: which loops are blocks and threads, and what must hold of them.

Grids: the pieces of a kernel that a GPU launches one after the other.

Blocks of a grid cannot wait for each other, so what all of them store is read by a later grid, from device memory:

    local %y.parts: f32[4,10] device
    each p in 0..4 blocks { ... %y.parts[p, o] = %part }                      first grid
    each o in 0..10 blocks { sum p { ... = %y.parts[p, o] } ... %y[o] = .. }  second grid

A grid ends with the last statement at the top of the kernel that writes a device local. Device locals and parameters
are all that grids share (rule grids-apart). Steps look up the grid they work on, the verifier and the
CUDA printer treat every grid as a kernel of its own.

A kernel with a local in space "counter" is launched once: the block of its first grid that ends last runs the second
grid (LastBlock in ir/steps/split_sum.py).

Verifier rules for GPU kernels: the structure of loops that run as blocks and threads, and the use of locals by them.

kernel_verify checks them after those of kernel_rules, on the grids of scheduled kernels. Together they ensure that
threads need to synchronize only outside of loops that run as threads, so a printer can put all barriers there, and
blocks only between grids.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    Kernel,
    Let,
    Load,
    Loop,
    Store,
    access,
    accessed_buffers,
    defined_names,
    used_names,
    walk,
    written_buffers,
)
from mochac.ir.kernel_rules import KernelProblem, Problems, Rule, Site, Subject

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


def counter_of(kernel: Kernel) -> Buffer | None:
    """The counter of a kernel of several grids in one launch."""
    return next((b for b in kernel.locals if b.space == "counter"), None)


def launches(kernel: Kernel) -> tuple[Kernel, ...]:
    """What is launched: every grid, or one kernel, whose outputs include what its grids share, and its counter."""
    counter = counter_of(kernel)
    if counter is None:
        return grids(kernel)
    device = _device(kernel)
    outputs = (*kernel.outputs, *(replace(b, space="global") for b in device.values()), counter)
    inside = tuple(b for b in kernel.locals if b.name not in device and b != counter)
    return (kernel.with_(outputs=outputs, locals=inside),)


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


def separate_grids(s: Subject) -> Problems:
    """A device local is read only in grids after the one that writes it; grids share no other local and no value."""
    rule, found = "grids-apart", bodies(s.kernel)
    if len(s.kernel.threads) not in (0, len(found)):
        yield KernelProblem(rule, f"{len(s.kernel.threads)} numbers of threads for {len(found)} grids")
    device = {b.name for b in s.kernel.locals if b.space == "device"}
    private = {b.name for b in s.kernel.locals} - device
    for k, body in enumerate(found if len(found) > 1 else ()):
        for stmt in walk(body):
            if isinstance(stmt, (Load, Accum)) and stmt.buffer in device & written_buffers(body):
                yield KernelProblem(rule, f"%{stmt.buffer} is read in the grid that writes it", stmt)
        rest = tuple(stmt for later in found[k + 1 :] for stmt in later)
        for name in sorted(accessed_buffers(body) & accessed_buffers(rest) & private):
            yield KernelProblem(rule, f"%{name} is used in several grids, which share only device memory")
        values = {stmt.name for stmt in body if isinstance(stmt, (Let, Load))}
        for name in sorted((values & used_names(rest)) - defined_names(rest)):
            yield KernelProblem(rule, f"%{name} is a value of another grid")


def one_launch(s: Subject) -> Problems:
    """A kernel with a counter has two grids, of which the first has blocks, all threads of which reach its end, and the
    second items; no statement uses the counter."""
    rule, counter, found = "one-launch", counter_of(s.kernel), bodies(s.kernel)
    if counter is None:
        return
    if [{x.run if isinstance(x, Loop) else "" for x in body} for body in found] != [{"blocks"}, {"parallel"}]:
        yield KernelProblem(rule, f"%{counter.name} is for a grid of blocks, and one of items")
    if counter.name in accessed_buffers(s.kernel.body):
        yield KernelProblem(rule, f"%{counter.name} is used by a statement")


def blocks_outermost(s: Subject) -> Problems:
    """Blocks loops are perfectly nested `each` loops with constant limits, and nothing else is at the top level; nests
    side by side share no local and nothing that one of them writes."""
    rule = "blocks-outermost"
    for p in s.sites:
        if not isinstance(p.stmt, Loop) or p.stmt.run != "blocks":
            continue
        if p.stmt.kind != "each" or p.stmt.extent is None:
            yield KernelProblem(rule, f"blocks loop {p.stmt.var!r} must be 'each' with constant limits", p.stmt)
        if p.conds or any(loop.run != "blocks" or len(loop.body) != 1 for loop in p.loops):
            yield KernelProblem(rule, f"blocks loop {p.stmt.var!r} is not perfectly nested in blocks loops", p.stmt)
        if not p.loops and not all(isinstance(x, Loop) and x.run == "blocks" for x in s.kernel.body):
            yield KernelProblem(rule, "a statement outside the blocks loops would run in every block", p.stmt)
        if not s.kernel.block:
            yield KernelProblem(rule, "blocks need a number of threads, even if it is 1", p.stmt)

    nests = (
        s.kernel.body
        if len(s.kernel.body) > 1 and any(x.stmt.run == "blocks" for x in s.sites if isinstance(x.stmt, Loop))
        else ()
    )
    for k, nest in enumerate(nests):
        others = tuple(other for n, other in enumerate(nests) if n != k)
        private = {b.name for b in s.kernel.locals} | written_buffers((nest,))
        for name in sorted(accessed_buffers((nest,)) & accessed_buffers(others) & private):
            yield KernelProblem(rule, f"%{name} is used by blocks side by side, which do not wait for each other", nest)


def threads_nest(s: Subject) -> Problems:
    """Loops that run as threads are perfectly nested, all `each` or all `sum`, with constant limits, one nest deep, and
    not in parallel loops."""
    rule = "threads-nest"
    for p in s.sites:
        if not isinstance(p.stmt, Loop) or p.stmt.run != "threads":
            continue
        around = [loop for loop in p.loops if loop.run == "threads"]
        if not s.kernel.block:
            yield KernelProblem(rule, f"threads loop {p.stmt.var!r} in a kernel without a number of threads", p.stmt)
        if any(loop.run == "parallel" for loop in p.loops):
            text = f"threads loop {p.stmt.var!r} is in parallel loops, whose iterations are threads"
            yield KernelProblem(rule, text, p.stmt)
        if p.stmt.kind == "for" or p.stmt.extent is None or any(loop.kind != p.stmt.kind for loop in around):
            text = f"threads loop {p.stmt.var!r} must be 'each' or 'sum', as those around it, with constant limits"
            yield KernelProblem(rule, text, p.stmt)
        if around and (any(len(x.body) != 1 for x in around) or p.loops[-len(around) :] != tuple(around)):
            yield KernelProblem(rule, f"threads loop {p.stmt.var!r} is not perfectly nested in threads loops", p.stmt)
        if p.stmt.kind == "sum" and s.kernel.block % WARP:
            yield KernelProblem(rule, f"sums over threads need whole warps of {WARP}, not {s.kernel.block}", p.stmt)


def threads_private(s: Subject) -> Problems:
    """A register local that is set in an `each` nest and used after it has one dimension per loop of the nest, the same
    in every access; the target of a `sum` nest is a local."""
    for name in (b.name for b in s.kernel.locals if b.space == "register"):
        uses = [p for p in s.sites if _on(p, name)]
        nests = [_nest(p) for p in uses]
        if len({n[:1] for n in nests}) <= 1 and not any(n and n[0].kind == "sum" for n in nests):
            if not nests or not nests[0] or _inside(s, uses, nests[0][0]):
                continue
        written = [p for p, n in zip(uses, nests, strict=True) if n and n[0].kind == "each" and _writes(p)]
        if written and len({_identity(p) for p in uses}) > 1:
            yield KernelProblem("threads-private", f"%{name} is not private to each thread everywhere", written[0].stmt)
        elif written and math.prod(x.extent or 0 for x in _nest(written[0])) > s.kernel.block:
            yield KernelProblem(
                "threads-private", f"%{name} would hold values of several iterations of a thread", written[0].stmt
            )
    for p in s.sites:
        if isinstance(p.stmt, Accum) and any(x.kind == "sum" for x in _nest(p)):
            if s.buffers[p.stmt.buffer].space == "global":
                yield KernelProblem(
                    "threads-private", f"%{p.stmt.buffer} is summed over threads, but is not a local", p.stmt
                )


def _on(p: Site, name: str) -> bool:
    accessed = access(p.stmt)
    return accessed is not None and accessed[0] == name


def _nest(p: Site) -> tuple[Loop, ...]:
    return tuple(loop for loop in p.loops if loop.run == "threads")


def _inside(s: Subject, uses: list[Site], nest: Loop) -> bool:
    """Whether all uses of a local are in one nest and none is indexed by its loops: then it lives inside the nest."""
    variables = {x.var for x in _nest(uses[0])}
    named = {v for p in uses for i in (access(p.stmt) or ("", ()))[1] for v in i.vars}
    return all(_nest(p)[0] is nest for p in uses) and not named & variables


def _writes(p: Site) -> bool:
    return isinstance(p.stmt, (Store, Accum))


def _identity(p: Site) -> tuple[object, ...]:
    """Extents of the nest's loops, and the dimension that each of them indexes."""
    accessed = access(p.stmt)
    assert accessed is not None
    plain = {i.terms[0][0]: a for a, i in enumerate(accessed[1]) if len(i.terms) == 1 and not i.const}
    return tuple((loop.extent, plain.get(loop.var, ("missing", loop.var))) for loop in _nest(p))


def threads_shared(s: Subject) -> Problems:
    """Inside loops that run as threads, no shared buffer is both read and written; scratch is private to a thread."""
    shared = {b.name for b in s.kernel.locals if b.space == "shared"}
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Loop) and stmt.run == "threads":
            read = {x.buffer for x in walk(stmt.body) if isinstance(x, (Load, Accum))}
            written = {x.buffer for x in walk(stmt.body) if isinstance(x, (Store, Accum))}
            if stmt.kind == "sum":
                joined = {x.buffer for x in walk(stmt.body) if isinstance(x, Accum)}
                other = {x.buffer for x in walk(stmt.body) if isinstance(x, (Load, Store))}
                written -= joined - other  # partial sums are in registers and are combined at the end
            for name in sorted(read & written & shared):
                text = f"%{name} is read and written inside threads loop {stmt.var!r}, where threads cannot synchronize"
                yield KernelProblem("threads-shared", text, stmt)
    if shared and not s.kernel.block:
        yield KernelProblem("threads-shared", "a kernel with shared locals needs a number of threads")


GRID: tuple[Rule, ...] = (blocks_outermost, threads_nest, threads_private, threads_shared)
