"""Prints scheduled kernels as one CUDA C translation unit: a function per grid, named by its kernel's layers and ops.

Frames are Jinja2 templates (mochac/templates/cuda), arithmetic comes from the scalar table. A function takes one
pointer per buffer, inputs then outputs; scalars are in device memory too. The text needs no includes and compiles with
nvcc and NVRTC.

A kernel that may be launched before the kernels that it follows have ended begins with a wait (`beginning`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from mochac.base.errors import InternalError
from mochac.base.escaping import template
from mochac.base.records import record
from mochac.codegen.cuda.expressions import Expression, bare, call
from mochac.codegen.cuda.indices import MergedLoops
from mochac.codegen.cuda.statements import Printer
from mochac.codegen.cuda.target import CudaTarget, beginning
from mochac.codegen.cuda.tokens import C_TYPES, Names, symbol
from mochac.ir.grids import WARP, counter_of, grids, launches
from mochac.ir.kernel import Buffer, Kernel, Loop, Stmt
from mochac.ir.nest import band

_HELPER = re.compile(r"\bmochac_(\w+)[(<]")
ITEM_THREADS = 256
"""Maximum threads per block if each thread has one item."""


@record
class GridCode:
    """Printed code of one grid and how to launch it.

    Attributes:
        kernel: the grid, as a kernel.
        symbol, text: the function and its source.
        grid, block: number of blocks, and threads per block; both one-dimensional.
        shared_bytes: dynamic shared memory of the launch (without what the kernel declares itself).
        items: number of threads with work, or of blocks if their threads share it.
        helpers: device functions that the text calls.
    """

    kernel: Kernel
    symbol: str
    text: str
    grid: int
    block: int
    shared_bytes: int
    items: int
    helpers: frozenset[str]


@record
class KernelCode:
    """Printed code of a kernel: its grids, which are launched one after the other. The last one has its name."""

    grids: tuple[GridCode, ...]
    scratch_bytes = 0
    """A thread's locals are on its stack."""

    @property
    def symbol(self) -> str:
        return self.grids[-1].symbol

    @property
    def text(self) -> str:
        return "\n".join(grid.text for grid in self.grids)

    @property
    def items(self) -> int:
        return self.grids[-1].items


def print_kernel(kernel: Kernel, target: CudaTarget) -> KernelCode:
    """CUDA C of one scheduled kernel.

    Raises:
        InternalError: the kernel has blocked buffers or vector loops, which are for CPUs.
    """
    return KernelCode(tuple(_print_launch(launch, kernel, target) for launch in launches(kernel)))


def _print_launch(kernel: Kernel, whole: Kernel, target: CudaTarget) -> GridCode:
    """One launch: a grid, or the `whole` kernel, of which the last block of the first grid runs the second."""
    first, *others = grids(whole) if counter_of(whole) else (kernel,)
    _check(first, target)
    names = Names()
    buffers = (*kernel.inputs, *kernel.outputs)
    for buffer in buffers:
        names.of(buffer.name, buffer.name)
    printer = Printer(first, names)
    for line in beginning(target):
        printer.env.line(line)
    shared_bytes = 0
    if first.block:
        shared_bytes = printer.declare_shared()
        grid = items = _blocks(printer)
        block = first.block
    else:
        items = _items(printer)
        block = _item_threads(items, target) if kernel_loops(first) else 1
        grid = -(-items // block)
    for other in others:
        printer.env.lines += _last_block(other, names, (kernel.outputs[-1].name, grid, block))
    name = symbol(kernel.name, "\n".join(printer.env.lines))
    text = template("cuda/kernel.cu.j2").render(
        symbol=name,
        parameters=[_parameter(kernel, b, names.of(b.name, b.name), target) for b in buffers],
        layers=[str(loc) for loc in kernel.loc],
        ops=kernel.ops,
        grid=grid,
        block=block,
        tiled=any(b.space == "register" and len(b.type.shape) > 1 for b in kernel.locals),
        lines=printer.env.lines,
    )
    helpers = frozenset(_HELPER.findall("\n".join(printer.env.lines)))
    return GridCode(kernel, name, text, grid, block, shared_bytes, items, helpers)


def _last_block(kernel: Kernel, names: Names, counter: tuple[str, int, int]) -> list[str]:
    """A grid of items that the threads of the block share that ends last: `counter` is its name, how many blocks count
    in it, and their threads."""
    printer, (name, blocks, threads) = Printer(kernel, names), counter
    printer.env.line(f"if (!mochac_last_block({names.of(name, name)}, {blocks})) return;")
    _items(printer, threads)
    return printer.env.lines


def _item_threads(items: int, target: CudaTarget) -> int:
    """Threads per block if each has one item: few, if there would be too few blocks for all multiprocessors.

    >>> [_item_threads(items, CudaTarget(90, multiprocessors=100)) for items in (20, 5000, 12_000, 1_000_000)]
    [32, 64, 128, 256]
    """
    shared = -(-items // target.multiprocessors)
    return min(ITEM_THREADS, target.max_threads, -(-shared // WARP) * WARP)


def print_module(codes: Sequence[KernelCode], target: CudaTarget) -> str:
    """One translation unit of all distinct functions and the helpers they call.

    Raises:
        InternalError: two different kernels have the same name.
    """
    functions: dict[str, str] = {}
    every = [grid for code in codes for grid in code.grids]
    for grid in every:
        if functions.setdefault(grid.symbol, grid.text) != grid.text:
            raise InternalError(f"two different CUDA kernels are named {grid.symbol}")
    began = _HELPER.findall("\n".join(beginning(target)))
    helpers = sorted(frozenset(began).union(*(grid.helpers for grid in every)))
    return template("cuda/module.cu.j2").render(
        target=target.name, helpers=_helpers(helpers), functions=functions.values()
    )


def _helpers(names: Sequence[str]) -> list[str]:
    """Source of device functions; one frame defines block-wide joins, filled in for each function and dtype."""
    out: list[str] = []
    for name in names:
        if not name.startswith("block_"):
            out.append(template(f"cuda/{name}.cu.j2").render())
            continue
        frame, fn, dtype = name.rsplit("_", 2)
        combined = call(fn, [Expression("other", dtype), Expression("total", dtype)])
        out.append(template(f"cuda/{frame}.cu.j2").render(name=name, type=C_TYPES[dtype], combined=bare(combined.text)))
    return out


def _check(kernel: Kernel, target: CudaTarget) -> None:
    for buffer in (*kernel.inputs, *kernel.outputs):
        if buffer.type.lanes:
            raise InternalError(
                f"kernel @{kernel.name}: %{buffer.name} is {buffer.type}; CUDA code needs natural layout"
            )
    if kernel.block > target.max_threads:
        raise InternalError(f"kernel @{kernel.name}: {kernel.block} threads, {target.name} has {target.max_threads}")


def _parameter(kernel: Kernel, buffer: Buffer, name: str, target: CudaTarget) -> dict[str, str]:
    """The pointer of a buffer. An output may share memory with an input of its size; then neither is __restrict__. Nor
    is an input of a kernel that begins early: compilers take a const __restrict__ buffer for constant, and may load
    from it before the kernel has waited, through a cache that does not see what other kernels write."""
    written = any(b.name == buffer.name for b in kernel.outputs)
    others = kernel.inputs if written else kernel.outputs
    alias = any((b.type.dtype, b.type.elems) == (buffer.type.dtype, buffer.type.elems) for b in others)
    plain = alias or (target.early and not written)
    type = f"{'' if written else 'const '}{C_TYPES[buffer.type.dtype]}*{'' if plain else ' __restrict__'}"
    return {"type": type, "name": name, "tensor": str(buffer.type)}


def _items(printer: Printer, threads: int = 0) -> int:
    """Each thread takes one item of the `parallel` loops, or, of a single block of so many `threads`, several;
    consecutive nests number their items consecutively."""
    kernel = printer.env.kernel
    nests = [(stmt, *_parallel(stmt)) for stmt in kernel.body]
    printer.alone = True
    if not kernel_loops(kernel):
        printer.body(kernel.body)
        return 1
    counts = [math.prod(loop.extent or 0 for loop in loops) for _, loops, _ in nests]
    printer.env.integer = printer.env.integer if sum(counts) < 2**31 - 2**20 else "long long"
    groups = [printer.grouped(loops, body) for _, loops, body in nests]
    first = "item"
    if len(nests) == 1:
        kept = [g for g in groups[0] if g.extent > 1]
        first = kept[0].name if len(kept) == 1 else "item"
    if threads:
        with printer.env.block(printer.counted(first, "threadIdx.x", str(sum(counts)), str(threads))):
            _item(printer, first, nests, counts, groups)
        return sum(counts)
    wide = "(long long)" if printer.env.integer != "int" else ""
    printer.env.line(f"const {printer.env.integer} {first} = {wide}blockIdx.x * blockDim.x + threadIdx.x;")
    printer.env.line(f"if ({first} >= {sum(counts)}) return;")
    _item(printer, first, nests, counts, groups)
    return sum(counts)


def _item(
    printer: Printer,
    first: str,
    nests: Sequence[tuple[Stmt, list[Loop], tuple[Stmt, ...]]],
    counts: Sequence[int],
    groups: Sequence[tuple[MergedLoops, ...]],
) -> None:
    """The item of a thread."""
    start = 0
    for k, (_, _, body) in enumerate(nests):
        if len(nests) == 1:
            with printer.cut(first, groups[k]):
                printer.body(body)
            break
        head, rest = f"if ({start} <= item && item < {start + counts[k]})", f"(item - {start})" if start else "item"
        with printer.env.indices.inside(), printer.env.block(head), printer.cut(rest, groups[k]):
            printer.body(body)
        start += counts[k]


def kernel_loops(kernel: Kernel) -> bool:
    """Whether a kernel has items for threads; otherwise it runs on one thread."""
    return bool(kernel.body) and all(_parallel(stmt)[0] for stmt in kernel.body)


def _parallel(stmt: Stmt) -> tuple[list[Loop], tuple[Stmt, ...]]:
    loops = band((stmt,), run="parallel")
    return loops, loops[-1].body if loops else (stmt,)


def _blocks(printer: Printer) -> int:
    """Each block takes one iteration of the `blocks` loops; those of several nests are numbered consecutively."""
    body = printer.env.kernel.body
    nests = [band((stmt,), run="blocks") for stmt in body]
    if not all(nests):
        printer.body(body)
        return 1
    start = 0
    for loops in nests:
        count = math.prod(loop.extent or 0 for loop in loops)
        groups, block = printer.grouped(loops, loops[-1].body), f"((int)blockIdx.x - {start})"
        with printer.env.indices.inside(), _own_blocks(printer, start, count, len(nests) > 1):
            with printer.cut(block if start else "(int)blockIdx.x", groups):
                printer.body(loops[-1].body)
        start += count
    return start


def _own_blocks(printer: Printer, start: int, count: int, several: bool) -> AbstractContextManager[object]:
    """What only these blocks run, if a grid has other nests beside."""
    first = f"(int)blockIdx.x >= {start} && " if start else ""
    head = f"if ({first}(int)blockIdx.x < {start + count})"
    return printer.env.block(head) if several else nullcontext()
