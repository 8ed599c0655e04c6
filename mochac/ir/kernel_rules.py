"""Rules that every kernel meets: types, places, limits.

Dtypes of the values named in a kernel, derived from its buffers and the dtype rules of the scalar table.

Steps that turn a value into a local use them, and so does the verifier.

Verifier rules for all kernels: one function per rule, which yields the problems it finds.

kernel_verify runs them in the order of the tables at the end. What printing requires besides is in printable_rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mochac.base.records import record
from mochac.base.registry import did_you_mean
from mochac.ir.applying import Facts
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import (
    KINDS,
    MULTIPLY_ADDS,
    RUNS,
    SPACES,
    Accum,
    Buffer,
    Const,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Prefetch,
    Stmt,
    Store,
    access,
    operand_text,
    operands,
    walk,
)
from mochac.ir.nest import indices, loop_range
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.starts_fresh import starts_fresh


def operand_dtype(operand: Operand, names: Mapping[str, str]) -> str:
    """Dtype of one operand; an index counts as i32."""
    if isinstance(operand, Const):
        return operand.dtype
    return "i32" if isinstance(operand, Index) else names[operand]


def name_dtypes(body: tuple[Stmt, ...], buffers: Mapping[str, Buffer]) -> dict[str, str]:
    """Dtype of every Let and Load in a body, in order."""
    names: dict[str, str] = {}
    for stmt in walk(body):
        if isinstance(stmt, Load):
            names[stmt.name] = buffers[stmt.buffer].type.dtype
        elif isinstance(stmt, Let):
            names[stmt.name] = FUNCTIONS[stmt.fn].result(tuple(operand_dtype(a, names) for a in stmt.args))
    return names


ACCUMULATES = {"add": 1, "max": 1, **dict.fromkeys(MULTIPLY_ADDS, 2)}


@record
class KernelProblem:
    """One broken rule."""

    rule: str
    text: str
    stmt: Stmt | None = None


@record
class Site:
    """A statement with the loops and conditions around it, and the names visible before it with their dtypes."""

    stmt: Stmt
    loops: tuple[Loop, ...]
    conds: tuple[Index, ...]
    names: dict[str, str]


@record
class Subject:
    """A kernel, prepared for the rules."""

    kernel: Kernel
    buffers: dict[str, Buffer]
    sites: list[Site]


Problems = Iterator[KernelProblem]


def unique_buffers(s: Subject) -> Problems:
    """Buffer names are unique; parameters are global; locals are in registers, scratch, shared or device memory."""
    seen: set[str] = set()
    for b in (*s.kernel.inputs, *s.kernel.outputs, *s.kernel.locals):
        if b.name in seen:
            yield KernelProblem("unique-buffers", f"two buffers are called %{b.name}")
        seen.add(b.name)
    for b in (*s.kernel.inputs, *s.kernel.outputs):
        if b.space != "global":
            yield KernelProblem("unique-buffers", f"parameter %{b.name} has space {b.space!r}, not 'global'")
    for b in s.kernel.locals:
        if b.space not in SPACES:
            yield KernelProblem(
                "unique-buffers", f"local %{b.name} has space {b.space!r}, not one of {', '.join(SPACES)}"
            )


def begun_buffers(s: Subject) -> Problems:
    """A buffer may begin as an input of its type if no other output does, and no statement reads the input, whose
    memory becomes the output's."""
    inputs = {b.name: b.type for b in s.kernel.inputs}
    begun: set[str] = set()
    for b in (*s.kernel.inputs, *s.kernel.outputs, *s.kernel.locals):
        if not b.begins:
            continue
        if b.name not in {out.name for out in s.kernel.outputs} or inputs.get(b.begins) != b.type:
            yield KernelProblem("begun-buffers", f"%{b.name} begins as %{b.begins}, which is no input of its type")
        elif b.begins in begun:
            yield KernelProblem("begun-buffers", f"two outputs begin as %{b.begins}")
        begun.add(b.begins)
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Load) and stmt.buffer in begun:
            yield KernelProblem("begun-buffers", f"%{stmt.buffer} is read, whose memory is an output's", stmt)


def known_buffers(s: Subject) -> Problems:
    """Accesses name a buffer; inputs are not written."""
    inputs = {b.name for b in s.kernel.inputs}
    for stmt in walk(s.kernel.body):
        accessed = access(stmt)
        if accessed is None:
            continue
        if accessed[0] not in s.buffers:
            yield KernelProblem(
                "known-buffers", f"no buffer is called %{accessed[0]}{did_you_mean(accessed[0], s.buffers)}", stmt
            )
        elif isinstance(stmt, (Store, Accum)) and accessed[0] in inputs:
            yield KernelProblem("known-buffers", f"input %{accessed[0]} is written", stmt)


def index_arity(s: Subject) -> Problems:
    """One index per axis."""
    for stmt in walk(s.kernel.body):
        accessed = access(stmt)
        if accessed is not None and len(accessed[1]) != len(s.buffers[accessed[0]].type.shape):
            shape = s.buffers[accessed[0]].type.shape
            yield KernelProblem(
                "index-arity", f"%{accessed[0]} has shape {shape}, the access has {len(accessed[1])} indices", stmt
            )


def loop_words(s: Subject) -> Problems:
    """Loops have Limits, a known kind and way to run; one that runs at a number is serial."""
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Loop) and not (isinstance(stmt.lo, Limit) and isinstance(stmt.hi, Limit)):
            text = f"loop {stmt.var!r} has the limits {stmt.lo!r} and {stmt.hi!r}: write Limit.of(...)"
            yield KernelProblem("loop-words", text)
        elif isinstance(stmt, Loop) and (stmt.kind not in KINDS or stmt.run not in RUNS):
            yield KernelProblem("loop-words", f"loop {stmt.var!r} has kind {stmt.kind!r} and run {stmt.run!r}", stmt)
        elif isinstance(stmt, Loop) and stmt.at and stmt.run != "serial":
            text = f"loop {stmt.var!r} runs at %{stmt.at}: it must be serial"
            yield KernelProblem("loop-words", text, stmt)


def known_variables(s: Subject) -> Problems:
    """Indices use variables of enclosing loops; no loop reuses the variable of an enclosing loop."""
    for p in s.sites:
        around = {loop.var for loop in p.loops}
        if isinstance(p.stmt, Loop) and p.stmt.var in around:
            yield KernelProblem("known-variables", f"loop {p.stmt.var!r} is inside another of that name", p.stmt)
        for index in indices(p.stmt):
            for v in index.vars:
                if v not in around:
                    yield KernelProblem("known-variables", f"{v!r} is not a loop around this statement", p.stmt)


def names_in_scope(s: Subject) -> Problems:
    """Values are defined before use, in the same or an enclosing body, and only once."""
    for p in s.sites:
        for name in (o for o in operands(p.stmt) if isinstance(o, str)):
            if name not in p.names:
                yield KernelProblem(
                    "names-in-scope", f"%{name} is not defined here{did_you_mean(name, p.names)}", p.stmt
                )
        if isinstance(p.stmt, (Let, Load)) and p.stmt.name in p.names:
            yield KernelProblem("names-in-scope", f"%{p.stmt.name} is defined twice", p.stmt)


def known_functions(s: Subject) -> Problems:
    """Calls name a row of the scalar table; accumulations use add, max or one of MULTIPLY_ADDS, with as many
    arguments as they take."""
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Let):
            if stmt.fn not in FUNCTIONS:
                yield KernelProblem(
                    "known-functions", f"no scalar function {stmt.fn!r}{did_you_mean(stmt.fn, FUNCTIONS)}", stmt
                )
            elif FUNCTIONS[stmt.fn].arity != len(stmt.args):
                yield KernelProblem("known-functions", f"{stmt.fn} takes {FUNCTIONS[stmt.fn].arity} arguments", stmt)
        elif isinstance(stmt, Accum) and ACCUMULATES.get(stmt.fn) != len(stmt.args):
            yield KernelProblem(
                "known-functions",
                f"accumulation is add(1), max(1), fma(2) or dot2(2), not {stmt.fn}({len(stmt.args)})",
                stmt,
            )


def types_match(s: Subject) -> Problems:
    """Operands have dtypes that the function accepts; stored values have the buffer's dtype."""
    for p in s.sites:
        if isinstance(p.stmt, (Let, Accum)):
            dtypes = tuple(operand_dtype(a, p.names) for a in p.stmt.args)
            if isinstance(p.stmt, Accum):
                dtypes = (*dtypes, s.buffers[p.stmt.buffer].type.dtype)
            try:
                FUNCTIONS[p.stmt.fn].result(dtypes)
            except ValueError as error:
                yield KernelProblem("types-match", f"{p.stmt.fn}: {error}", p.stmt)
        elif isinstance(p.stmt, Store):
            want, got = s.buffers[p.stmt.buffer].type.dtype, operand_dtype(p.stmt.value, p.names)
            if got != want:
                text = f"{operand_text(p.stmt.value)} is {got}, %{p.stmt.buffer} holds {want}"
                yield KernelProblem("types-match", text, p.stmt)


def written_first(s: Subject) -> Problems:
    """Outputs and locals are stored to before they are read, except outputs that begin as an input; every output is
    written."""
    inputs = {b.name for b in s.kernel.inputs}
    stored = {b.name for b in s.kernel.outputs if b.begins}
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Store):
            stored.add(stmt.buffer)
        elif isinstance(stmt, (Load, Accum)) and stmt.buffer not in inputs | stored:
            yield KernelProblem("written-first", f"%{stmt.buffer} is read before anything is stored in it", stmt)
    for b in s.kernel.outputs:
        if b.name not in stored:
            yield KernelProblem("written-first", f"output %{b.name} is never stored to")


def each_independent(s: Subject) -> Problems:
    """Iterations of an `each` loop write different elements of outputs, or one of them writes, and carry no values in
    locals."""
    local = {b.name for b in s.kernel.locals}
    for stmt in walk(s.kernel.body):
        if not isinstance(stmt, Loop) or stmt.kind != "each" or stmt.extent == 1:
            continue
        moving = {stmt.var} | _divided(stmt)
        for name, writes in _writes(stmt).items():
            once = set[int]() if name in local else set(map(id, _run_once(stmt)))
            shared = [w for w in writes if id(w) not in once and not any(moving & set(i.vars) for i in _index(w))]
            if not shared:
                continue
            if name not in local:
                text = f"iterations of 'each' loop {stmt.var!r} write the same element of %{name}"
                yield KernelProblem("each-independent", text, shared[0])
            elif len(shared) < len(writes) or not _set_first(s, stmt, name):
                yield KernelProblem(
                    "each-independent", f"'each' loop {stmt.var!r} carries a value in %{name}", writes[0]
                )


def _divided(loop: Loop) -> set[str]:
    """Variables of inner loops whose ranges the iterations of a loop divide: n*var + c .. n*var + c + n at most."""
    inner = [s for s in walk(loop.body) if isinstance(s, Loop)]
    return {s.var for s in inner} - {s.var for s in inner if not _is_part(s, loop.var)}


def _is_part(inner: Loop, var: str) -> bool:
    """Whether the ranges of an inner loop do not overlap for different values of a variable."""
    if len(inner.lo.candidates) != 1:
        return False
    lo, divisor = inner.lo.candidates[0]
    n = lo.coefficient(var)
    ends = [hi - lo for hi, d in inner.hi.candidates if d == divisor == 1]
    return n > 0 and lo.vars == (var,) and any(end.is_const and end.const <= n for end in ends)


def _run_once(loop: Loop) -> list[Stmt]:
    """The statements in a loop whose conditions hold for one iteration only, its first or its last."""
    if loop.lo.const is None or loop.hi.const is None:
        return []
    var = Index.var(loop.var)
    ends = {loop.lo.const - var, var - (loop.hi.const - 1)}
    return [s for stmt in walk(loop.body) if isinstance(stmt, If) and ends & set(stmt.conds) for s in walk(stmt.body)]


def _set_first(s: Subject, loop: Loop, name: str) -> bool:
    """Whether iterations set a local before they read it; for arrays only the order of accesses is checked."""
    if not s.buffers[name].type.shape:
        return starts_fresh(loop.body, name)
    uses = (u for u in walk(loop.body) if isinstance(u, (Load, Store, Accum)) and u.buffer == name)
    return isinstance(next(uses), Store)


def _writes(loop: Loop) -> dict[str, list[Stmt]]:
    writes: dict[str, list[Stmt]] = {}
    for s in walk(loop.body):
        if isinstance(s, (Store, Accum)):
            writes.setdefault(s.buffer, []).append(s)
    return writes


def _index(stmt: Stmt) -> tuple[Index, ...]:
    accessed = access(stmt)
    return accessed[1] if accessed is not None else ()


def sum_accumulates(s: Subject) -> Problems:
    """Buffers shared by iterations of a `sum` loop are only accumulated to, by max or by add and multiply-adds."""
    for loop in walk(s.kernel.body):
        if not isinstance(loop, Loop) or loop.kind != "sum" or loop.extent == 1:
            continue
        for name, writes in _writes(loop).items():
            uses = [u for u in walk(loop.body) if isinstance(u, (Load, Store, Accum)) and u.buffer == name]
            if all(any(i.coefficient(loop.var) for i in _index(u)) for u in uses) or _set_first(s, loop, name):
                continue
            other = next((u for u in uses if not isinstance(u, Accum)), None)
            if other is not None:
                text = f"%{name} is shared by iterations of 'sum' loop {loop.var!r}, but not only accumulated to"
                yield KernelProblem("sum-accumulates", text, other)
            elif len({u.fn == "max" for u in writes if isinstance(u, Accum)}) > 1:
                yield KernelProblem("sum-accumulates", f"%{name} accumulates with max and with add", writes[0])


def in_range(s: Subject) -> Problems:
    """Indices stay inside their axis (blocked storage: inside whole blocks), given the loops and conditions around."""
    for p in s.sites:
        accessed = access(p.stmt)
        if accessed is None or isinstance(p.stmt, Prefetch):
            continue
        facts = _facts(p)
        type = s.buffers[accessed[0]].type
        for axis, index in enumerate(accessed[1]):
            extent = type.shape[axis]
            if axis == 0 and type.lanes:
                extent = -(-extent // type.lanes) * type.lanes
            if not facts.always(index, 2, 2) or not facts.always(extent - 1 - index, 2, 2):
                yield KernelProblem(
                    "in-range", f"{index} may leave 0..{extent - 1}, axis {axis} of %{accessed[0]}", p.stmt
                )


def _facts(p: Site) -> Facts:
    facts = Facts()
    facts.holds = p.conds
    for loop in p.loops:
        facts.ranges[loop.var] = loop_range(loop, facts.ranges)
        facts.loops[loop.var] = loop
    return facts


Rule = Callable[[Subject], Problems]
STRUCTURE: tuple[Rule, ...] = (unique_buffers, begun_buffers, known_buffers, index_arity, loop_words, known_functions)
RULES: tuple[Rule, ...] = (
    known_variables,
    names_in_scope,
    types_match,
    written_first,
    each_independent,
    sum_accumulates,
    in_range,
)
