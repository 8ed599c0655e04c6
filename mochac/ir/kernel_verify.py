"""The verifier of kernels, and rules of kernels that can be printed.

Verifier rules for scheduled kernels: what printers rely on, on every backend.

kernel_verify runs them after those of kernel_rules; what GPUs require besides is in grid_rules.

verify_kernel: checks that a kernel is well formed by named rules; messages show the offending statement.

Tests run it on naive and scheduled kernels, and the compiler does under MOCHAC_VERIFY=1.

Rules for every kernel: unique-buffers, begun-buffers, known-buffers, index-arity, loop-words, known-variables,
names-in-scope, known-functions, types-match, written-first, each-independent, sum-accumulates, in-range, grids-apart.
With `printable=True`, also the rules that printers rely on: vector-innermost, unroll-constant, parallel-outermost,
register-index, blocked-vector, tile-nests, and for GPUs one-launch and, for every grid, blocks-outermost, threads-nest,
threads-private, threads-shared, async-copies.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from mochac.base.errors import MochacError
from mochac.ir.grids import GRID, grids, one_launch, separate_grids
from mochac.ir.index import Index
from mochac.ir.kernel import If, Kernel, Let, Load, Loop, Stmt, access, walk
from mochac.ir.kernel_rules import RULES, STRUCTURE, KernelProblem, Problems, Rule, Site, Subject, operand_dtype
from mochac.ir.nest import is_register, loop_range
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.shared_copies import async_copies
from mochac.ir.tile_nests import COLUMNS, REGISTERS, ROWS, SPACE, tile_nest


def vector_innermost(s: Subject) -> Problems:
    """A vector loop has constant limits, from 0 on, and is not `for`. It contains no loop, or is an `each` loop whose
    body is a single `each` vector loop without inner loops: the two form one register."""
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Loop) and stmt.run == "vector":
            if stmt.extent is None or stmt.lo.const != 0 or stmt.kind == "for":
                text = f"vector loop {stmt.var!r} needs constant limits, from 0 on, and free order"
                yield KernelProblem("vector-innermost", text, stmt)
            inner = next((x for x in walk(stmt.body) if isinstance(x, Loop)), None)
            if inner is not None and not is_register(stmt):
                yield KernelProblem("vector-innermost", f"loop {inner.var!r} is inside vector loop {stmt.var!r}", inner)


def unroll_constant(s: Subject) -> Problems:
    """Unrolled loops have constant limits."""
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Loop) and stmt.run == "unroll" and stmt.extent is None:
            yield KernelProblem("unroll-constant", f"unrolled loop {stmt.var!r} needs constant limits", stmt)


def parallel_outermost(s: Subject) -> Problems:
    """Parallel loops are perfectly nested `each` loops with constant limits, outermost in every nest or in none."""
    for p in s.sites:
        if not isinstance(p.stmt, Loop) or p.stmt.run != "parallel":
            continue
        if p.stmt.kind != "each" or p.stmt.extent is None:
            text = f"parallel loop {p.stmt.var!r} must be 'each' with constant limits"
            yield KernelProblem("parallel-outermost", text, p.stmt)
        if p.conds or any(loop.run != "parallel" or len(loop.body) != 1 for loop in p.loops):
            text = f"parallel loop {p.stmt.var!r} is not perfectly nested in parallel loops"
            yield KernelProblem("parallel-outermost", text, p.stmt)
    threaded = [isinstance(t, Loop) and t.run == "parallel" for t in s.kernel.body]
    if any(threaded) and not all(threaded):
        stmt = s.kernel.body[threaded.index(False)]
        yield KernelProblem(
            "parallel-outermost", "a statement outside the parallel loops would run on every thread", stmt
        )


def register_index(s: Subject) -> Problems:
    """Indices of register locals are constants once loops are unrolled, except for those within a register."""
    registers = {b.name for b in s.kernel.locals if b.space in ("register", "tile")}
    for p in s.sites:
        accessed = access(p.stmt)
        if accessed is None or accessed[0] not in registers:
            continue
        fixed = {loop.var for loop in p.loops if loop.run in ("unroll", "vector", "tile", "threads")}
        for v in (v for i in accessed[1] for v in i.vars):
            if v not in fixed:
                text = (
                    f"%{accessed[0]} is in registers, but loop {v!r} is neither unrolled nor run as vector or threads"
                )
                yield KernelProblem("register-index", text, p.stmt)


def blocked_vector(s: Subject) -> Problems:
    """A vector loop over axis 0 of a blocked buffer starts at the first lane of a block and stays inside the block."""
    for p in s.sites:
        accessed = access(p.stmt)
        type = s.buffers[accessed[0]].type if accessed is not None else None
        if accessed is None or type is None or not type.lanes or not p.loops or p.loops[-1].run != "vector":
            continue
        lane = p.loops[-1]
        c = accessed[1][0].coefficient(lane.var)
        if not c:
            continue
        rest = accessed[1][0] - Index.var(lane.var) * c
        aligned = all(k % type.lanes == 0 for k in (rest.const, *(k for _, k in rest.terms)))
        low, high = loop_range(lane, {})
        if c != 1 or not aligned or low < 0 or high >= type.lanes:
            text = f"axis 0 of %{accessed[0]} must read {type.lanes}*block + lane with lane in 0..{type.lanes - 1}"
            yield KernelProblem("blocked-vector", text, p.stmt)


def tile_nests(s: Subject) -> Problems:
    """Tile loops are nests as in ir/tile_nests.py, and no local in space "tile" is used outside of them. Such a local
    has float32 numbers, and is no larger than the registers. Tiles lie in natural buffers, and the elements of a row
    are neighbours there."""
    locals_ = {b.name: b for b in s.kernel.locals if b.space == SPACE}
    for b in locals_.values():
        *outer, rows, columns = b.type.shape if len(b.type.shape) > 1 else (0, 0, 0)
        if b.type.dtype != "f32" or rows > ROWS or columns > COLUMNS or prod(outer) > REGISTERS:
            yield KernelProblem("tile-nests", f"%{b.name}: {b.type} is not in tile registers")
    seen: set[int] = set()
    for p in s.sites:
        accessed, inside = access(p.stmt), [loop for loop in p.loops if loop.run == "tile"]
        if isinstance(p.stmt, Loop) and p.stmt.run == "tile" and not inside:
            nest = tile_nest(p.stmt)
            if nest is None or nest.sums.buffer not in locals_:
                yield KernelProblem("tile-nests", f"tile loop {p.stmt.var!r} begins no nest of a tile register", p.stmt)
            elif any(not operand.fits(s.buffers[operand.buffer]) for operand in (nest.sums, *nest.moved)):
                yield KernelProblem("tile-nests", "rows of a tile are not rows in memory", nest.sums.stmt)
            seen.update(id(stmt) for stmt in walk((p.stmt,)))
        elif accessed is not None and accessed[0] in locals_ and id(p.stmt) not in seen:
            yield KernelProblem("tile-nests", f"%{accessed[0]} is used outside of tile loops", p.stmt)


PRINTABLE: tuple[Rule, ...] = (
    vector_innermost,
    unroll_constant,
    parallel_outermost,
    register_index,
    blocked_vector,
    tile_nests,
)


class KernelVerifyError(MochacError):
    """A kernel breaks a rule.

    Attributes:
        rule: the rule's name, e.g. "names-in-scope".
        text: what is wrong, in one line.
        stmt: the offending statement, or None.
    """

    def __init__(self, kernel: Kernel, problem: KernelProblem) -> None:
        lines = [f"kernel @{kernel.name} breaks rule {problem.rule}: {problem.text}"]
        if problem.stmt is not None:
            lines.append(f"  -> {problem.stmt}")
        if kernel.loc:
            lines.append(f"  from {'; '.join(map(str, kernel.loc))}")
        super().__init__("\n".join(lines))
        self.rule, self.text, self.stmt = problem.rule, problem.text, problem.stmt


def verify_kernel(kernel: Kernel, *, printable: bool = False) -> None:
    """Check every rule; with `printable`, also those that hold only for scheduled kernels.

    Raises:
        KernelVerifyError: the first problem in the order of the rules.
    """
    for problem in kernel_problems(kernel, printable=printable):
        raise KernelVerifyError(kernel, problem)


def kernel_problems(kernel: Kernel, *, printable: bool = False) -> Iterator[KernelProblem]:
    """Every problem of the first broken rule; later rules assume that the earlier ones hold."""
    for rule, subject in _checks(kernel, printable):
        problems = list(rule(subject))
        yield from problems
        if problems:
            return


def _checks(kernel: Kernel, printable: bool) -> Iterator[tuple[Rule, Subject]]:
    """The rules in order, each with its subject, which is prepared once the rules before it hold."""
    yield from ((rule, Subject(kernel, kernel.buffers(), [])) for rule in STRUCTURE)
    whole = _subject(kernel)
    yield from ((rule, whole) for rule in (*RULES, separate_grids))
    yield from ((rule, whole) for rule in ((one_launch,) if printable else ()))
    for grid in grids(kernel) if printable else ():
        subject = whole if grid is kernel else _subject(grid)
        yield from ((rule, subject) for rule in (*PRINTABLE, *GRID, async_copies))


def _subject(kernel: Kernel) -> Subject:
    return Subject(kernel, kernel.buffers(), list(_sites(kernel)))


def _sites(kernel: Kernel) -> Iterator[Site]:
    buffers = kernel.buffers()

    def visit(
        body: tuple[Stmt, ...], loops: tuple[Loop, ...], conds: tuple[Index, ...], names: dict[str, str]
    ) -> Iterator[Site]:
        for stmt in body:
            yield Site(stmt, loops, conds, names)
            if isinstance(stmt, Loop):
                yield from visit(stmt.body, (*loops, stmt), conds, names)
            elif isinstance(stmt, If):
                yield from visit(stmt.body, loops, (*conds, *stmt.conds), names)
            elif isinstance(stmt, Load):
                names = {**names, stmt.name: buffers[stmt.buffer].type.dtype}
            elif isinstance(stmt, Let):
                names = {**names, stmt.name: _result(stmt, names)}

    return visit(kernel.body, (), (), {})


def _result(stmt: Let, names: dict[str, str]) -> str:
    try:
        return FUNCTIONS[stmt.fn].result(tuple(operand_dtype(a, names) for a in stmt.args))
    except (KeyError, ValueError):
        return "?"
