"""Kernel: an explicit loop nest over buffers; pure data.

passes/to_kernels writes naive kernels, ir/applying rewrites them by schedules, and the printers in codegen print them
as LLVM IR or CUDA C. str() of a kernel is its text, which ir/kernel_text.py parses.

A loop has a meaning (`kind`) and a way to run (`run`); the schedule sets the latter:

    each   iterations are independent (output axes)
    sum    a reduction: iterations interact only in `accum` statements, so they may be reordered and regrouped
    for    strictly in order

A loop may run only the iteration that equals a number, `at %id`, and none if there is no such iteration. In this way,
data determine which element is read or added to.

    serial | unroll (expanded by the printer) | vector (lanes of a register) | parallel (divided among worker threads)
    tile (rows, columns and terms of tile registers: ir/tile_nests.py)
    blocks | threads (GPUs: blocks of the grid, threads of a block)
    async (GPUs: one copy into shared memory, for which the thread does not wait: ir/shared_copies.py)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import is_

import numpy as np

from mochac.base.escaping import word
from mochac.base.records import record
from mochac.ir.graph import Loc, quoted_loc
from mochac.ir.index import Index, Limit
from mochac.ir.types import DTYPES, FLOATS, TensorType

KINDS = ("each", "sum", "for")
RUNS = ("serial", "unroll", "vector", "tile", "parallel", "blocks", "threads", "async")
SPACES = ("register", "scratch", "tile", "shared", "device", "counter")
DOT4 = ("dot4_u8", "dot4_i8")
"""Rows of the scalar table that add the products of four bytes."""
MULTIPLY_ADDS = ("fma", "dot2", *DOT4)
"""Rows of the scalar table that add products of two factors to a sum; dot2 those of two pairs of bfloat16."""


@record(slots=True)
class Const:
    """A literal operand; `value` is already rounded to `dtype`."""

    value: float | int | bool
    dtype: str

    def __str__(self) -> str:
        return f"{str(self.value).lower() if isinstance(self.value, bool) else repr(self.value)}:{self.dtype}"


def identity(fn: str, dtype: str) -> Const:
    """What a sum or maximum can start from without any effect on its result.

    >>> print(identity("fma", "f32"), identity("max", "f64"), identity("max", "u8"))
    0.0:f32 -inf:f64 0:u8
    """
    if fn != "max":
        return Const(0.0 if dtype in FLOATS else 0, dtype)
    return Const(float("-inf") if dtype in FLOATS else int(np.iinfo(DTYPES[dtype]).min), dtype)


Operand = str | Const | Index
"""A named value (without '%'), a literal, or an index used as an i32 number."""


def operand_text(x: Operand) -> str:
    """A value as %name, a literal as number:dtype, an index unchanged."""
    return f"%{word(x)}" if isinstance(x, str) else str(x)


def _element(buffer: str, index: tuple[Index, ...]) -> str:
    return f"%{word(buffer)}[{', '.join(map(str, index))}]"


@record(slots=True)
class Buffer:
    """Storage with a logical shape. The kernel's parameters have space "global" and the layout of their type. Locals
    are private to one iteration of the loops around their uses: "register" (indices are constants after unrolling),
    "tile" (so are all but the last two, which are those of a tile register: ir/tile_nests.py),
    "scratch" (memory of one thread) or "shared" (memory of a block of GPU threads). A local in "device" memory is one
    for the whole kernel: a grid of a GPU's blocks leaves results in it to a later one (ir/grids.py). A kernel with a
    "counter" is one launch: its blocks count in it, and the last one runs the next grid.

    An output may begin as an input, `begins`, of its type: it is stored in the memory of that input, whose elements it
    has until the kernel stores others (passes/in_place.py).

    A schedule may describe a blocked parameter, of the type `passed`, as the natural array that lies in its memory
    (ir/steps/storage.py)."""

    name: str
    type: TensorType
    space: str = "global"
    begins: str = ""
    passed: TensorType | None = None

    def __str__(self) -> str:
        passed = f" of {self.passed}" if self.passed else ""
        return f"%{word(self.name)}: {self.type}{passed}" + (f" = %{word(self.begins)}" if self.begins else "")


@record(slots=True)
class Let:
    """%name = fn(args), where fn is a row of the scalar table."""

    name: str
    fn: str
    args: tuple[Operand, ...]

    def __str__(self) -> str:
        return f"%{word(self.name)} = {self.fn}({', '.join(map(operand_text, self.args))})"


@record(slots=True)
class Load:
    """%name = buffer[index], with one logical index per axis."""

    name: str
    buffer: str
    index: tuple[Index, ...]

    def __str__(self) -> str:
        return f"%{word(self.name)} = {_element(self.buffer, self.index)}"


@record(slots=True)
class Store:
    """buffer[index] = value."""

    buffer: str
    index: tuple[Index, ...]
    value: Operand

    def __str__(self) -> str:
        return f"{_element(self.buffer, self.index)} = {operand_text(self.value)}"


@record(slots=True)
class Accum:
    """buffer[index] = fn(*args, buffer[index]) where fn is add or max (1 arg), or one of MULTIPLY_ADDS (2 args)."""

    buffer: str
    index: tuple[Index, ...]
    fn: str
    args: tuple[Operand, ...]

    def __str__(self) -> str:
        target = _element(self.buffer, self.index)
        return f"{target} = {self.fn}({', '.join([*map(operand_text, self.args), target])})"


@record(slots=True)
class Prefetch:
    """A hint that buffer[index] will be read or written soon; it has no effect on results.

    Attributes:
        write: it will be written, so the core should own the line.
        l2: fetch the line into L2 only, since L1 would not keep it until it is used.
    """

    buffer: str
    index: tuple[Index, ...]
    write: bool = False
    l2: bool = False

    def __str__(self) -> str:
        how = "write " if self.write else "l2 " if self.l2 else ""
        return f"prefetch {how}{_element(self.buffer, self.index)}"


@record(slots=True)
class If:
    """Run `body` where every condition is >= 0."""

    conds: tuple[Index, ...]
    body: tuple[Stmt, ...]

    def with_body(self, body: tuple[Stmt, ...]) -> If:
        """This condition around another body."""
        return If(self.conds, body)

    def __str__(self) -> str:
        """The line that opens the block."""
        return f"if {', '.join(f'{c} >= 0' for c in self.conds)} {{"


@record(slots=True)
class Loop:
    """for var in [max(lo), min(hi)), step 1; if `at` names a value, only the iteration whose number equals it."""

    var: str
    lo: Limit
    hi: Limit
    kind: str
    run: str
    body: tuple[Stmt, ...]
    at: str = ""

    def with_body(self, body: tuple[Stmt, ...]) -> Loop:
        """This loop around another body."""
        return Loop(self.var, self.lo, self.hi, self.kind, self.run, body, self.at)

    @property
    def extent(self) -> int | None:
        """Number of iterations, None if it is not constant."""
        lo, hi = self.lo.const, self.hi.const
        return None if lo is None or hi is None or self.at else max(0, hi - lo)

    def __str__(self) -> str:
        """The line that opens the loop."""
        run = ("" if self.run == "serial" else f" {self.run}") + (f" at %{word(self.at)}" if self.at else "")
        return f"{self.kind} {self.var} in {self.lo.text('max')}..{self.hi.text('min')}{run} {{"


Stmt = Let | Load | Store | Accum | Prefetch | If | Loop
Body = tuple[Stmt, ...]


@record
class Kernel:
    """inputs and outputs are global buffers; locals live inside. `root` is the op whose pattern chooses a schedule;
    `ops` are all ops fused here; `flops` is the nominal number of operations, 2 per multiply-add of the layer;
    `threads` is the number of threads of a GPU block, which share the iterations of loops run as "threads", for every
    grid (ir/grids.py; 0: none; an empty tuple: no grid has any); `parts` is the number of parts of a batch whose rows
    the kernel computes together: rules decide by the rows of one; `members` are the root and the number of top-level
    statements of each of the kernels that a staged kernel was joined from (passes/join_items.py), none for others. An
    output may use the storage of an input (`inplace`: output -> input): then element i of the output is written only
    after the last read of element i of the input."""

    name: str
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    locals: tuple[Buffer, ...]
    body: tuple[Stmt, ...]
    root: str = ""
    ops: tuple[str, ...] = ()
    loc: tuple[Loc, ...] = ()
    flops: int = 0
    threads: tuple[int, ...] = ()
    parts: int = 1
    members: tuple[tuple[str, int], ...] = ()

    def buffers(self) -> dict[str, Buffer]:
        return {b.name: b for b in (*self.inputs, *self.outputs, *self.locals)}

    @property
    def block(self) -> int:
        """Threads of a block, for a kernel that is one grid."""
        return self.threads[0] if self.threads else 0

    def with_(self, **changes: object) -> Kernel:
        return replace(self, **changes)  # type: ignore[arg-type]

    def __str__(self) -> str:
        lines = [self._header(), *(f"  local {b} {b.space}" for b in self.locals), *_lines(self.body, "  "), "}"]
        return "\n".join(lines) + "\n"

    def _header(self) -> str:
        def params(buffers: tuple[Buffer, ...]) -> str:
            return ", ".join(map(str, buffers))

        text = f"kernel @{word(self.name)}({params(self.inputs)}) -> ({params(self.outputs)})"
        if self.root:
            text += f" root {word(self.root)}"
        if self.ops:
            text += f" ops ({', '.join(self.ops)})"
        if self.flops:
            text += f" flops {self.flops}"
        if self.parts > 1:
            text += f" parts {self.parts}"
        if self.threads:
            text += f" threads {', '.join(map(str, self.threads))}"
        if self.members:
            text += f" members {', '.join(f'{word(root)} {count}' for root, count in self.members)}"
        return text + "".join(f" @{quoted_loc(loc)}" for loc in self.loc) + " {"


def _lines(body: tuple[Stmt, ...], indent: str) -> Iterator[str]:
    for stmt in body:
        yield f"{indent}{stmt}"
        if isinstance(stmt, (Loop, If)):
            yield from _lines(stmt.body, indent + "  ")
            yield indent + "}"


def walk(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """Every statement, outer before inner, in order."""
    statements: list[Stmt] = []  # a list, not a generator, since schedule steps spend most of their time here
    _append_all(body, statements.append)
    return iter(statements)


def _append_all(body: tuple[Stmt, ...], append: Callable[[Stmt], None]) -> None:
    """Not a function inside of `walk`, because a nested function that calls itself is a cycle that only the garbage
    collector frees."""
    for stmt in body:
        append(stmt)
        if stmt.__class__ is Loop or stmt.__class__ is If:
            _append_all(stmt.body, append)  # type: ignore[union-attr]


def multiply_adds(body: tuple[Stmt, ...]) -> list[Accum]:
    """Every accumulation of products, in order."""
    return [s for s in walk(body) if isinstance(s, Accum) and s.fn in MULTIPLY_ADDS]


def loops_named(body: tuple[Stmt, ...], var: str) -> list[Loop]:
    """All loops over `var`; there are several after fission or distribution."""
    return [stmt for stmt in walk(body) if stmt.__class__ is Loop and stmt.var == var]  # type: ignore[union-attr, misc]


def rewrite(body: tuple[Stmt, ...], fn: Callable[[Stmt], Stmt | tuple[Stmt, ...] | None]) -> tuple[Stmt, ...]:
    """Rebuild a body bottom-up; `fn` returns a replacement, a sequence of them, or None to keep the statement."""
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, (Loop, If)):
            inner = rewrite(stmt.body, fn)
            if inner is not stmt.body:
                stmt = stmt.with_body(inner)
        new = fn(stmt)
        if new is None:
            out.append(stmt)
        elif isinstance(new, tuple):
            out.extend(new)
        else:
            out.append(new)
    return body if len(out) == len(body) and all(map(is_, out, body)) else tuple(out)


def substitute(body: tuple[Stmt, ...], env: dict[str, Index]) -> tuple[Stmt, ...]:
    """Replace loop variables by index expressions everywhere."""

    def indices(old: tuple[Index, ...]) -> tuple[Index, ...]:
        new = tuple([i.substitute(env) for i in old])
        return old if all(map(is_, new, old)) else new

    def operands(old: tuple[Operand, ...]) -> tuple[Operand, ...]:
        new = tuple([a.substitute(env) if isinstance(a, Index) else a for a in old])
        return old if all(map(is_, new, old)) else new

    def sub(stmt: Stmt) -> Stmt | None:
        match stmt:
            case Let(name, fn, args):
                new = operands(args)
                return None if new is args else Let(name, fn, new)
            case Load(name, buffer, index):
                new = indices(index)
                return None if new is index else Load(name, buffer, new)
            case Store(buffer, index, value):
                value = value.substitute(env) if isinstance(value, Index) else value
                return Store(buffer, indices(index), value)
            case Accum(buffer, index, fn, args):
                return Accum(buffer, indices(index), fn, operands(args))
            case Prefetch(buffer, index, write, l2):
                return Prefetch(buffer, indices(index), write, l2)
            case If(conds, inner):
                new = indices(conds)
                return None if new is conds else If(new, inner)
            case Loop():
                lo, hi = stmt.lo.substitute(env), stmt.hi.substitute(env)
                return None if lo is stmt.lo and hi is stmt.hi else replace(stmt, lo=lo, hi=hi)
        return None

    return rewrite(body, sub)


def defined_names(body: tuple[Stmt, ...]) -> set[str]:
    """Names defined by Let and Load anywhere inside."""
    return {s.name for s in walk(body) if isinstance(s, (Let, Load))}


def operands(stmt: Stmt) -> tuple[Operand, ...]:
    """The named values, literals and indices that a statement uses as numbers."""
    if isinstance(stmt, (Let, Accum)):
        return stmt.args
    if isinstance(stmt, Loop):
        return (stmt.at,) if stmt.at else ()
    return (stmt.value,) if isinstance(stmt, Store) else ()


def used_names(body: tuple[Stmt, ...]) -> set[str]:
    """Named values that are read anywhere inside."""
    return {x for s in walk(body) for x in operands(s) if isinstance(x, str)}


def access(stmt: Stmt) -> tuple[str, tuple[Index, ...]] | None:
    """The buffer and index of a Load, Store, Accum or Prefetch; None for other statements."""
    if isinstance(stmt, (Load, Store, Accum, Prefetch)):
        return stmt.buffer, stmt.index
    return None


def accessed_buffers(body: tuple[Stmt, ...]) -> set[str]:
    """Buffers that a body accesses in any way."""
    return {s.buffer for s in walk(body) if isinstance(s, (Load, Store, Accum, Prefetch))}


def loaded_buffers(body: tuple[Stmt, ...]) -> set[str]:
    """Buffers that a body loads from."""
    return {s.buffer for s in walk(body) if isinstance(s, Load)}


def written_buffers(body: tuple[Stmt, ...]) -> set[str]:
    """Buffers that a body stores to or accumulates in."""
    return {s.buffer for s in walk(body) if isinstance(s, (Store, Accum))}
