"""What the loops, accesses and dtypes of a kernel are, and which loop slides along an axis.

Sliding sums: unrolled terms that read many of the same vectors, each for a single multiply-add.

    sum kw in 0..7 unroll { each v in 0..8 unroll { acc[v] += x[v + kw] * w[kw] } }

Of the eight vectors of x that a term reads, the next one reads seven again. LLVM keeps them in registers, beside eight
accumulators and a weight. If there are fewer registers, it stores some of them to the stack, although x could be read
again at no cost: multiply-adds of x86 take an operand from memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, Buffer, If, Kernel, Let, Load, Loop, Store, access, multiply_adds, walk
from mochac.ir.nest import extents, loops
from mochac.ir.types import FLOATS


def float_dtype(kernel: Kernel) -> str:
    """The element type that determines the vector width: the first float buffer's, else f32."""
    dtypes = (buffer.type.dtype for buffer in (*kernel.outputs, *kernel.inputs))
    return next((dtype for dtype in dtypes if dtype in FLOATS), "f32")


def block_lanes(kernel: Kernel) -> int:
    """Lanes of the kernel's blocked buffers, 0 if there are none."""
    return max((b.type.lanes for b in (*kernel.inputs, *kernel.outputs)), default=0)


def mixed_lanes(kernel: Kernel) -> bool:
    """Whether blocked buffers have different numbers of lanes, so that no vector loop fits all of them."""
    return len({b.type.lanes for b in (*kernel.inputs, *kernel.outputs) if b.type.lanes}) > 1


def accesses(kernel: Kernel) -> list[tuple[Buffer, tuple[Index, ...], bool]]:
    """(buffer, index, is store) for every access to a global buffer."""
    buffers = {b.name: b for b in (*kernel.inputs, *kernel.outputs)}
    found = (s for s in walk(kernel.body) if isinstance(s, (Load, Store, Accum)) and s.buffer in buffers)
    return [(buffers[s.buffer], s.index, not isinstance(s, Load)) for s in found]


def read_once(kernel: Kernel, name: str) -> bool:
    """Whether all reads of a buffer have one index (False for a residual block's image, which its epilogue adds)."""
    return len({index for buffer, index, store in accesses(kernel) if buffer.name == name and not store}) == 1


def batch_vars(kernel: Kernel) -> list[str]:
    """Loop variables that run over axis 0 of blocked buffers, outer first."""
    used: dict[str, None] = {}
    for buffer, index, _ in accesses(kernel):
        if buffer.type.lanes:
            used.update(dict.fromkeys(index[0].vars))
    return [var for var in loops(kernel) if var in used]


def may_pad(kernel: Kernel, var: str) -> bool:
    """Whether a batch loop may include the pad lanes, since everything that it indexes is stored in blocks."""
    touching = [(b, i) for b, i, _ in accesses(kernel) if any(x.coefficient(var) for x in i)]
    return all(b.type.lanes and i[0] == Index.var(var) for b, i in touching)


def is_guarded(kernel: Kernel, var: str) -> bool:
    """Whether a condition of an If uses the variable."""
    return any(cond.coefficient(var) for s in walk(kernel.body) if isinstance(s, If) for cond in s.conds)


def used_with(body: Body, var: str) -> set[str]:
    """The variables that occur together with `var` in a condition or in the index of an access."""
    indices = [i for s in walk(body) for i in (s.conds if isinstance(s, If) else (access(s) or ("", ()))[1])]
    return {v for i in indices if i.coefficient(var) for v in i.vars}


def each_loops(body: Body) -> list[Loop]:
    """The outermost nested `each` loops; conditions between them do not count."""
    found: list[Loop] = []
    while len(body) == 1 and (isinstance(s := body[0], If) or (isinstance(s, Loop) and s.kind == "each")):
        found += [s] if isinstance(s, Loop) else []
        body = s.body
    return found


def edge_tiles(kernel: Kernel, var: str, tile: int) -> tuple[int, int]:
    """How many whole tiles at the start and at the end of a loop have conditions that may be false there."""
    extent = extents(kernel)[var]
    inner = {v: (0, n - 1) for v, n in extents(kernel).items() if v != var}
    left, right = 0, extent
    for cond in (c for s in walk(kernel.body) if isinstance(s, If) for c in s.conds):
        step = cond.coefficient(var)
        bounds = (cond - Index.var(var) * step).bounds(inner)
        if not step or bounds is None:
            continue
        if step > 0:
            left = max(left, -(bounds[0] // step))
        else:
            right = min(right, bounds[0] // -step + 1)
    whole = extent // tile
    first = min(whole, -(-max(0, left) // tile))
    safe = max(0, min(right, extent)) // tile
    return first, max(0, min(whole - first, whole - safe))


def registers_kept(loop: Loop) -> int:
    """Registers that a sliding sum takes if what the next term reads again is kept: accumulators, vectors and a weight;
    0 if the loop is no such sum."""
    if loop.kind != "sum" or loop.run != "unroll":
        return 0
    tile = {s.var: s.extent or 1 for s in walk(loop.body) if isinstance(s, Loop) and s.run == "unroll"}
    loads = {(s.buffer, s.index) for s in walk(loop.body) if isinstance(s, Load) and _slides(s.index, loop.var, tile)}
    sums = {(s.buffer, s.index) for s in multiply_adds(loop.body)}
    vectors, results = (sum(_elements(index, tile) for _, index in found) for found in (loads, sums))
    return results + vectors + 1 if results == vectors else 0


def _slides(index: Sequence[Index], term: str, tile: Mapping[str, int]) -> bool:
    """Whether a term moves an access along the same axis as a loop of the tile."""
    return any(term in i.vars and any(v in tile for v in i.vars) for i in index)


def _elements(index: Sequence[Index], tile: Mapping[str, int]) -> int:
    """Elements that the tile accesses."""
    return prod(n for v, n in tile.items() if any(v in i.vars for i in index))


def depends(name: object, definitions: dict[str, Let | Load]) -> frozenset[str]:
    """The variables that a value depends on."""
    parts = parts_of(name, definitions)
    indices = [i for s in parts for i in (s.args if isinstance(s, Let) else s.index) if isinstance(i, Index)]
    return frozenset(v for i in (*indices, *([name] if isinstance(name, Index) else ())) for v in i.vars)


def parts_of(name: object, definitions: dict[str, Let | Load]) -> list[Let | Load]:
    """The statements from which a value is computed, in order."""
    parts: dict[str, Let | Load] = {}
    pending = [name]
    while pending:
        value = pending.pop()
        if isinstance(value, str) and value in definitions and value not in parts:
            stmt = parts[value] = definitions[value]
            pending += stmt.args if isinstance(stmt, Let) else ()
    return [stmt for name, stmt in definitions.items() if name in parts]


def picks_by(kernel: Kernel, var: str) -> bool:
    """Whether a loop runs only at a number that differs between iterations of `var`: its lanes would each have their
    own."""
    definitions = {s.name: s for s in walk(kernel.body) if isinstance(s, (Let, Load))}
    numbers = {s.at for s in walk(kernel.body) if isinstance(s, Loop) and s.at}
    local = {buffer.name for buffer in kernel.locals}
    computed = any(isinstance(s, Load) and s.buffer in local for n in numbers for s in parts_of(n, definitions))
    return computed or any(var in depends(n, definitions) for n in numbers)
