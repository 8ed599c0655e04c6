"""Printer: prints one scheduled Kernel as the statements of one CUDA C function.

Loops run as blocks, parallel or threads become indices of the grid; all others are printed as they are. The printer
never changes order or meaning: that is the schedule's job.

A search is a loop that only acts where a number names a row, as those over the ids of an embedding. The threads of a
warp test 32 numbers together.


    for n { t = ids[n]; if (lo <= t < hi) { .. } }  ->  for n_first { hit = lo <= ids[n_first + lane] < hi;
                                                           for each hit of the warp, in order: .. }

All warps of a block test the same numbers, so they agree, and barriers inside are reached by all threads together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext

from mochac.base.errors import InternalError
from mochac.codegen.cuda import barriers, joins, vectors
from mochac.codegen.cuda.environment import Environment
from mochac.codegen.cuda.expressions import Expression, ValueUses, bare, call
from mochac.codegen.cuda.indices import MergedLoops, forms, merged_loops
from mochac.codegen.cuda.tokens import C_TYPES, Names
from mochac.ir.grids import WARP
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, If, Kernel, Let, Load, Loop, Stmt, Store, substitute, written_buffers
from mochac.ir.kernel_rules import name_dtypes
from mochac.ir.nest import band
from mochac.ir.shared_copies import async_copy


def is_search(loop: Loop, kernel: Kernel) -> bool:
    """Whether a loop, which all threads of a block run together, does nothing but search, and is long enough."""
    *values, last = loop.body
    if loop.lo.const != 0 or (loop.extent or 0) < WARP or kernel.block < WARP or kernel.block % WARP:
        return False
    found = {s.name for s in values if isinstance(s, (Let, Load)) and loop.var in _variables(s)}
    written = written_buffers(kernel.body)
    plain = all(isinstance(s, Let) or (isinstance(s, Load) and s.buffer not in written) for s in values)
    return plain and isinstance(last, Loop) and last.at in found


def _variables(stmt: Let | Load) -> set[str]:
    """Variables of the indices of a statement."""
    return {v for i in stmt.index for v in i.vars} if isinstance(stmt, Load) else set()


STATIC_BYTES = 48 * 1024
"""Shared memory that a function may declare; the launch of one with more says how much."""


class Printer:
    """Prints the statements of one kernel."""

    def __init__(self, kernel: Kernel, names: Names) -> None:
        self.env = Environment(kernel, names)
        self.dtypes = name_dtypes(kernel.body, self.env.buffers)
        self.barriers = barriers.find(kernel)
        self.unset: set[str] = set()  # scalar locals that their first store declares
        self.alone = False  # inside thread loops, or if each thread has an item of its own

    def declare_shared(self) -> int:
        """Declare the shared memory of the block, at the top of the function; returns the bytes that a launch brings: a
        function itself may declare STATIC_BYTES."""
        shared = [b for b in self.env.kernel.locals if b.space == "shared"]
        if sum(b.type.storage_bytes for b in shared) <= STATIC_BYTES:
            for buffer in shared:
                self.env.line(f"{self.env.declared(buffer, self.env.texts[buffer.name])};")
            return 0
        self.env.line("extern __shared__ float4 mochac_shared[];")
        at = 0
        for buffer in shared:
            type = f"{C_TYPES[buffer.type.dtype]}*"
            self.env.line(f"{type} const {self.env.texts[buffer.name]} = ({type})&mochac_shared[{at}];")
            at += -(-buffer.type.storage_bytes // vectors.BYTES)
        return at * vectors.BYTES

    # --- bodies -----------------------------------------------------------------------------------

    def body(self, body: Body) -> None:
        uses, waits = ValueUses.of(body), self.barriers.of(body)
        solo = frozenset[int]() if self.alone else self.for_one(uses, waits)
        for k, stmt in enumerate(body):
            if k in waits:
                if self.barriers.waits(body, k):
                    self.env.line("mochac_copies_arrived();")
                self.env.line("__syncthreads();")
            for name in self.env.places.at(body, k):
                self.declare(name, stmt)
            if k not in solo:
                self.statement(stmt, k, uses, waits)
            elif k - 1 not in solo or k in waits:
                with self.env.block("if (threadIdx.x == 0)"):
                    for n in run_from(k, solo, waits):
                        self.statement(body[n], n, uses, waits)

    def statement(self, stmt: Stmt, k: int, uses: ValueUses, waits: frozenset[int]) -> None:
        match stmt:
            case Let() | Load():
                self.define(stmt, k, uses, waits)
            case Store():
                self.store(stmt)
            case Accum():
                self.accumulate(stmt)
            case If():
                self.condition(stmt)
            case Loop():
                self.loop(stmt)
            case _:
                pass  # a Prefetch: a GPU hides latency by running other threads

    def define(self, stmt: Let | Load, k: int, uses: ValueUses, waits: frozenset[int]) -> None:
        """Print a value: not at all if nothing reads it, inline if it is used once, else as a constant."""
        if not uses.readers(k, stmt.name):
            return
        if isinstance(stmt, Load):
            value = self.env.loaded(stmt)
        else:
            value = call(stmt.fn, [self.env.operand(a) for a in stmt.args])
        if uses.moves(k, stmt.name, value, self.dtypes, waits):
            self.env.values[stmt.name] = value
            return
        name = self.env.names.of(("value", stmt.name), stmt.name)
        self.env.line(f"const {C_TYPES[value.dtype]} {name} = {bare(value.text)};")
        self.env.values[stmt.name] = Expression(name, value.dtype)

    # --- locals -----------------------------------------------------------------------------------

    def declare(self, name: str, first: Stmt) -> None:
        """Declare a local, unless its first statement here declares and initializes it."""
        buffer = self.env.buffers[name]
        if not buffer.type.shape and isinstance(first, Store) and first.buffer == name:
            self.unset.add(name)
            return
        self.env.line(f"{self.env.declared(buffer, self.env.texts[name])};")

    def store(self, stmt: Store) -> None:
        value, buffer = self.env.operand(stmt.value), self.env.buffers[stmt.buffer]
        target = self.env.element(buffer, stmt.index)
        if stmt.buffer in self.unset:
            self.unset.remove(stmt.buffer)
            target = f"{C_TYPES[buffer.type.dtype]} {target}"
        self.env.line(f"{target} = {bare(value.text)};")

    def accumulate(self, stmt: Accum) -> None:
        buffer = self.env.buffers[stmt.buffer]
        target = Expression(self.env.element(buffer, stmt.index), buffer.type.dtype)
        self.env.line(f"{target.text} = {bare(call(stmt.fn, [*map(self.env.operand, stmt.args), target]).text)};")

    # --- what one thread does for all ------------------------------------------------------------------

    def for_one(self, uses: ValueUses, waits: frozenset[int]) -> frozenset[int]:
        """Statements reached by all threads of a block that one thread does for all: stores to memory they share, and
        the values before them that only those use (an update in place must not change what another thread reads)."""
        solo: set[int] = set()
        for k, stmt in reversed(list(enumerate(uses.body))):
            if isinstance(stmt, (Store, Accum)):
                if self.env.buffers[stmt.buffer].space in ("global", "shared"):
                    solo.add(k)
            elif isinstance(stmt, (Let, Load)):
                readers = uses.readers(k, stmt.name)
                after = range(k + 1, readers[-1] + 1) if readers else ()
                if after and solo.issuperset(after) and not waits.intersection(after):
                    solo.add(k)
        return frozenset(solo)

    # --- control ------------------------------------------------------------------------------------

    def condition(self, stmt: If) -> None:
        with self.env.block(f"if ({' && '.join(self.env.indices.condition(c) for c in stmt.conds)})"):
            self.body(stmt.body)

    def loop(self, loop: Loop) -> None:
        if loop.run == "threads":
            self.nest(loop)
            return
        if loop.run == "vector":
            self.vector(loop)
            return
        if loop.run == "async":
            self.copy_async(loop)
            return
        if loop.run in ("parallel", "blocks"):
            raise InternalError(f"the CUDA printer cannot print {loop.run} loop {loop.var!r} inside a kernel")
        lo, hi = self.env.indices.limit(loop.lo, "max"), self.env.indices.limit(loop.hi, "min")
        if loop.at:
            self.single(loop, lo, hi)
            return
        if not self.alone and is_search(loop, self.env.kernel):
            self.search(loop)
            return
        if loop.run == "unroll":
            self.env.line("#pragma unroll")
        with self.env.indices.inside(), self.env.block(self.counted(self.env.indices.enter(loop.var), lo, hi)):
            self.body(loop.body)

    def single(self, loop: Loop, lo: str, hi: str) -> None:
        """The iteration whose number equals a value, if there is one."""
        value = self.env.operand(loop.at)
        with self.env.indices.inside(), self.env.block(f"if ({value.text} >= {lo} && {value.text} < {hi})"):
            var = self.env.indices.enter(loop.var)
            self.env.line(f"const {self.env.integer} {var} = ({self.env.integer}){value.text};")
            with self.env.block(f"if ({value.text} == {var})"):
                self.body(loop.body)

    def search(self, loop: Loop) -> None:
        """A loop of which only some iterations do anything (statements.py)."""
        *values, found = loop.body
        assert isinstance(found, Loop)
        uses, total = ValueUses.of(loop.body), loop.extent or 0
        first, hit, hits = (self.env.names.of((x, loop.var), f"{loop.var}_{x}") for x in ("first", "hit", "hits"))
        with self.env.indices.inside(), self.env.block(self.counted(first, "0", str(total), str(WARP))):
            self.env.line(f"bool {hit} = false;")
            lane = f"{first} + ({self.env.integer})threadIdx.x % {WARP}"
            with self.env.block(f"if ({lane} < {total})" if total % WARP else ""):
                self.env.line(f"const {self.env.integer} {self.env.indices.enter(loop.var)} = {lane};")
                for k, stmt in enumerate(values):
                    assert isinstance(stmt, (Let, Load))
                    self.define(stmt, k, uses, frozenset())
                lo, hi = self.env.indices.limit(found.lo, "max"), self.env.indices.limit(found.hi, "min")
                value = self.env.operand(found.at).text
                self.env.line(f"{hit} = {value} >= {lo} && {value} < {hi};")
            ballot = f"unsigned int {hits} = __ballot_sync(0xffffffffu, {hit})"
            with self.env.block(f"for ({ballot}; {hits}; {hits} &= {hits} - 1)"):
                number = f"{first} + __ffs({hits}) - 1"
                self.env.line(f"const {self.env.integer} {self.env.indices.enter(loop.var)} = {number};")
                self.body(loop.body)

    def counted(self, var: str, lo: str, hi: str, step: str = "") -> str:
        """The head of a loop."""
        return f"for ({self.env.integer} {var} = {lo}; {var} < {hi}; {f'{var} += {step}' if step else f'++{var}'})"

    def vector(self, loop: Loop) -> None:
        """A loop along 8 or 16 bytes: one value, or one copy, of a vector type. Rows are arrays, whose elements are
        copied one by one: reading an array of floats as a vector is not valid C++."""
        *before, store = loop.body
        loads = [s for s in before if isinstance(s, Load)]
        assert isinstance(store, Store) and len(loads) == len(before)
        count, target = loop.extent or 0, self.env.buffers[store.buffer]
        if not loads:
            parts = [bare(self.env.operand(store.value).text)] * count
        elif loads[0].buffer in self.env.rows:
            parts = self.row(loads[0], loop)
        else:
            self.copied(self.wide(loads[0], loop), store, loop)
            return
        if store.buffer in self.env.rows:
            self.spread(store, loop, parts)
        else:
            self.env.line(f"{self.wide(store, loop)} = {vectors.made(target, parts)};")

    def copy_async(self, loop: Loop) -> None:
        """A copy into shared memory that the thread does not wait for; zeros are stored."""
        copy, at = async_copy(loop), {loop.var: Index.of(0)}
        assert copy is not None
        if copy.load is None and copy.count > 1:
            self.vector(loop)
            return
        if copy.load is None:
            self.body(substitute((copy.store,), at))
            return
        conds = " && ".join(self.env.indices.condition(c) for c in copy.conds)
        source = self.env.buffers[copy.load.buffer]
        to, place = (
            self.env.element(self.env.buffers[s.buffer], tuple(i.substitute(at) for i in s.index))
            for s in (copy.store, copy.load)
        )
        arguments = ", ".join([f"&{to}", f"&{place}", *([conds] if conds else [])])
        self.env.line(f"mochac_copy_async<{copy.n_bytes(source)}>({arguments});")

    def copied(self, value: str, store: Store, loop: Loop) -> None:
        """Store a loaded vector where the loop stores its elements."""
        if store.buffer not in self.env.rows:
            self.env.line(f"{self.wide(store, loop)} = {value};")
            return
        count, buffer = loop.extent or 0, self.env.buffers[store.buffer]
        with self.env.block(""):
            name = self.env.names.of(("vector", buffer.name), f"{buffer.name}_vector")
            self.env.line(f"const {vectors.type_of(buffer, count)} {name} = {value};")
            self.spread(store, loop, vectors.elements(name, count))

    def spread(self, store: Store, loop: Loop, parts: list[str]) -> None:
        """Set the elements of a row one by one."""
        for target, value in zip(self.row(store, loop), parts, strict=True):
            self.env.line(f"{target} = {value};")

    def row(self, s: Load | Store, loop: Loop) -> list[str]:
        """The elements of an array that a vector loop accesses."""
        buffer, starts = self.env.buffers[s.buffer], ({loop.var: Index.of(k)} for k in range(loop.extent or 0))
        return [self.env.element(buffer, tuple(i.substitute(at) for i in s.index)) for at in starts]

    def wide(self, s: Load | Store, loop: Loop) -> str:
        """Like `element`, for the vector that a loop reads or writes."""
        buffer, start = self.env.buffers[s.buffer], {loop.var: Index.of(0)}
        place = self.env.element(buffer, tuple(i.substitute(start) for i in s.index))
        if buffer.space == "register":
            return place
        fixed = "const " if any(b.name == buffer.name for b in self.env.kernel.inputs) else ""
        return f"*({fixed}{vectors.type_of(buffer, loop.extent or 0)}*)&{place}"

    # --- threads --------------------------------------------------------------------------------------

    def nest(self, top: Loop) -> None:
        """Perfectly nested loops shared among the threads of a block."""
        loops = band((top,), run="threads")
        body = loops[-1].body
        if top.kind == "sum":
            with joins.joined(self.env, body) as together:
                self.shared_out(loops, body, together)
            return
        self.shared_out(loops, body)

    def shared_out(self, loops: list[Loop], body: Body, together: int = 1) -> None:
        """Thread t runs iterations t, t + threads, ... of the nest, `together` of them unrolled."""
        total, threads = math.prod(loop.extent or 0 for loop in loops), self.env.kernel.block
        groups = self.grouped(loops, body)
        whole = len([g for g in groups if g.extent > 1]) == 1
        counter = next(g.name for g in groups if g.extent > 1) if whole else self.env.names.of("index", "index")
        self.alone = True
        with self.env.indices.inside(), ExitStack() as heads:
            start = counter
            if total > threads and together > 1:
                heads.enter_context(self.turns(counter, total, together))
            elif total > threads:
                heads.enter_context(self.env.block(self.counted(counter, "threadIdx.x", str(total), str(threads))))
            else:
                heads.enter_context(self.env.block(f"if (threadIdx.x < {total})" if total < threads else ""))
                start = "(int)threadIdx.x"
            with self.cut(start, groups):
                self.body(body)
        self.alone = False

    @contextmanager
    def turns(self, counter: str, total: int, together: int) -> Iterator[None]:
        """Iterations of one thread, counted by a loop with constant limits. Compilers unroll it and load for several
        iterations at once; a loop starting at the thread number would have a remainder, loaded one by one."""
        threads, turn = self.env.kernel.block, self.env.names.of("turn", "turn")
        turns = -(-total // threads)
        self.env.line("#pragma unroll" if turns <= together else f"#pragma unroll {together}")
        with self.env.block(self.counted(turn, "0", str(turns))):
            self.env.line(f"const {self.env.integer} {counter} = {turn} * {threads} + (int)threadIdx.x;")
            with self.env.block(f"if ({counter} < {total})") if total % threads else nullcontext():
                yield

    def grouped(self, loops: list[Loop], body: Body) -> tuple[MergedLoops, ...]:
        """The nest's loops, merged where they are only used combined into one number."""
        used = list(forms(body, self.env.buffers))

        def name(part: tuple[Loop, ...]) -> str:
            wanted = "_".join(loop.var for loop in part if loop.extent != 1) or part[0].var
            if len(part) > 1 and len(part) == len(loops):
                wanted = "element"
            return self.env.names.of(("group", *(loop.var for loop in part)), wanted)

        return merged_loops(loops, used, name)

    @contextmanager
    def cut(self, counter: str, groups: tuple[MergedLoops, ...]) -> Iterator[None]:
        """Define the groups' variables from one counter of all iterations, the last group fastest; variables that
        nothing inside uses are left out."""
        for group in groups:
            self.env.indices.merge(group)
        kept = [g for g in groups if g.extent > 1]
        inner, lines = 1, dict[str, str]()
        for k, group in reversed(list(enumerate(kept))):
            text = counter if inner == 1 else f"{counter} / {inner}"
            if k:
                text += f" % {group.extent}"
            if text != group.name:
                lines[group.name] = f"const {self.env.integer} {group.name} = {text};"
            inner *= group.extent
        at = len(self.env.lines)
        yield
        used = set(re.findall(r"\w+", "\n".join(self.env.lines[at:])))
        indent = "    " * self.env.indent
        self.env.lines[at:at] = [indent + text for name, text in reversed(lines.items()) if name in used]


def run_from(k: int, members: frozenset[int], stops: frozenset[int]) -> Iterator[int]:
    """k and the consecutive members after it, up to the first stop."""
    yield k
    while k + 1 in members and k + 1 not in stops:
        k += 1
        yield k
