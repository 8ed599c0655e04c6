"""The printer: one scheduled Kernel -> the statements of one CUDA C function.

module.py calls it. Loops run as blocks, parallel or threads become indices of the grid; all others are printed as they
are. The printer never changes order or meaning: that is what schedules are for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext

from mochac.codegen.cuda import barriers, joins, places, vectors
from mochac.codegen.cuda.expressions import Expression, bare, call
from mochac.codegen.cuda.indices import Indices, MergedLoops, forms, merged_loops
from mochac.codegen.cuda.literals import literal
from mochac.codegen.cuda.names import C_TYPES, Names
from mochac.codegen.cuda.values import ValueUses
from mochac.errors import InternalError
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, Const, If, Kernel, Let, Load, Loop, Operand, Stmt, Store
from mochac.ir.kernel_types import name_dtypes

Body = tuple[Stmt, ...]


class Printer:
    """Prints the statements of one kernel."""

    def __init__(self, kernel: Kernel, names: Names) -> None:
        self.kernel, self.names = kernel, names
        self.integer = "int" if fits_int(kernel) else "long long"
        self.buffers = kernel.buffers()
        self.dtypes = name_dtypes(kernel.body, self.buffers)
        self.places = places.find(kernel)
        self.barriers = barriers.find(kernel)
        self.vectors, self.rows = vectors.find(kernel), vectors.rows(kernel)
        self.indices = Indices(names)
        self.values: dict[str, Expression] = {}
        self.texts = {b.name: names.of(b.name, b.name) for b in self.buffers.values()}
        self.replaced = {b.name: replacing(kernel, b) for b in kernel.inputs}
        self.unset: set[str] = set()  # scalar locals that their next store declares
        self.lines: list[str] = []
        self.indent = 1
        self.alone = False  # inside loops run as threads, or where each thread has an item of its own

    # --- lines ------------------------------------------------------------------------------------

    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """head { ... }; what is named inside is forgotten after it."""
        self.line(f"{head} {{".lstrip())
        values = dict(self.values)
        self.indent += 1
        yield
        self.indent -= 1
        self.values = values
        self.line("}")

    def declare_shared(self) -> None:
        """What the threads of a block share, at the top of the function."""
        for buffer in self.kernel.locals:
            if buffer.space == "shared":
                self.line(f"{self.declared(buffer, self.texts[buffer.name])};")

    # --- bodies -----------------------------------------------------------------------------------

    def body(self, body: Body) -> None:
        uses, waits = ValueUses.of(body), self.barriers.of(body)
        solo = frozenset[int]() if self.alone else self.for_one(uses, waits)
        for k, stmt in enumerate(body):
            if k in waits:
                self.line("__syncthreads();")
            for name in self.places.at(body, k):
                self.declare(name, stmt)
            if k not in solo:
                self.statement(stmt, k, uses, waits)
            elif k - 1 not in solo or k in waits:
                with self.block("if (threadIdx.x == 0)"):
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
                pass  # a Prefetch: a GPU hides its latency by other threads

    def define(self, stmt: Let | Load, k: int, uses: ValueUses, waits: frozenset[int]) -> None:
        """A value: left out if nothing reads it, an expression where it is used once, else a constant."""
        if not uses.readers(k, stmt.name):
            return
        value = self.loaded(stmt) if isinstance(stmt, Load) else call(stmt.fn, [self.operand(a) for a in stmt.args])
        if uses.moves(k, stmt.name, value, self.dtypes, waits):
            self.values[stmt.name] = value
            return
        name = self.names.of(("value", stmt.name), stmt.name)
        self.line(f"const {C_TYPES[value.dtype]} {name} = {bare(value.text)};")
        self.values[stmt.name] = Expression(name, value.dtype)

    def loaded(self, stmt: Load) -> Expression:
        buffer = self.buffers[stmt.buffer]
        reads = self.replaced.get(stmt.buffer, frozenset((stmt.buffer,)))
        return Expression(self.element(buffer, stmt.index), buffer.type.dtype, reads, buffer.space != "register")

    def operand(self, operand: Operand) -> Expression:
        if isinstance(operand, str):
            return self.values[operand]
        if isinstance(operand, Const):
            return Expression(literal(operand), operand.dtype)
        text = self.indices.factor(operand)
        return Expression(text if self.integer == "int" else f"((int){text})", "i32")

    def element(self, buffer: Buffer, index: tuple[Index, ...]) -> str:
        """buffer[index] as C text: registers by all axes that are not threads, memory by its offset."""
        name = self.texts[buffer.name]
        if buffer.space != "register":
            return f"{name}[{self.indices.offset(buffer, index)}]"
        private = self.places.locals[buffer.name].private
        return name + "".join(f"[{self.indices.text(i)}]" for a, i in enumerate(index) if a not in private)

    # --- locals -----------------------------------------------------------------------------------

    def declare(self, name: str, first: Stmt) -> None:
        """A local, unless its first statement here declares and sets it at once."""
        buffer = self.buffers[name]
        if not buffer.type.shape and isinstance(first, Store) and first.buffer == name:
            self.unset.add(name)
            return
        self.line(f"{self.declared(buffer, self.texts[name])};")

    def declared(self, buffer: Buffer, text: str) -> str:
        """`type name[extents]`."""
        private = self.places.locals[buffer.name].private
        type = C_TYPES[buffer.type.dtype]
        if buffer.name in self.vectors and buffer.name not in self.rows:
            type = vectors.type_of(buffer, self.vectors[buffer.name])
        if buffer.space == "register":
            kept = [d for a, d in enumerate(buffer.type.shape) if a not in private]
            return f"{type} {text}" + "".join(f"[{d}]" for d in kept)
        prefix = f"__shared__ __align__({vectors.BYTES}) " if buffer.space == "shared" else ""
        return f"{prefix}{type} {text}[{' * '.join(map(str, buffer.type.shape)) or 1}]"

    def store(self, stmt: Store) -> None:
        value, buffer = self.operand(stmt.value), self.buffers[stmt.buffer]
        target = self.element(buffer, stmt.index)
        if stmt.buffer in self.unset:
            self.unset.remove(stmt.buffer)
            target = f"{C_TYPES[buffer.type.dtype]} {target}"
        self.line(f"{target} = {bare(value.text)};")

    def accumulate(self, stmt: Accum) -> None:
        buffer = self.buffers[stmt.buffer]
        target = Expression(self.element(buffer, stmt.index), buffer.type.dtype)
        self.line(f"{target.text} = {bare(call(stmt.fn, [*map(self.operand, stmt.args), target]).text)};")

    # --- what one thread does for all ------------------------------------------------------------------

    def for_one(self, uses: ValueUses, waits: frozenset[int]) -> frozenset[int]:
        """Statements reached by all threads of a block that one does for all: writes to memory they share, and before
        them the values that only those use (an update in place must not change what another thread has yet to read)."""
        solo: set[int] = set()
        for k, stmt in reversed(list(enumerate(uses.body))):
            if isinstance(stmt, (Store, Accum)):
                if self.buffers[stmt.buffer].space in ("global", "shared"):
                    solo.add(k)
            elif isinstance(stmt, (Let, Load)):
                readers = uses.readers(k, stmt.name)
                after = range(k + 1, readers[-1] + 1) if readers else ()
                if after and solo.issuperset(after) and not waits.intersection(after):
                    solo.add(k)
        return frozenset(solo)

    # --- control ------------------------------------------------------------------------------------

    def condition(self, stmt: If) -> None:
        with self.block(f"if ({' && '.join(self.indices.condition(c) for c in stmt.conds)})"):
            self.body(stmt.body)

    def loop(self, loop: Loop) -> None:
        if loop.run == "threads":
            self.nest(loop)
            return
        if loop.run == "vector":
            self.vector(loop)
            return
        if loop.run in ("parallel", "blocks"):
            raise InternalError(f"the CUDA printer met {loop.run} loop {loop.var!r} inside a kernel")
        lo, hi = self.indices.limit(loop.lo, "max"), self.indices.limit(loop.hi, "min")
        if loop.run == "unroll":
            self.line("#pragma unroll")
        with self.indices.inside(), self.block(self.counted(self.indices.enter(loop.var), lo, hi)):
            self.body(loop.body)

    def counted(self, var: str, lo: str, hi: str, step: str = "") -> str:
        """The head of a loop."""
        return f"for ({self.integer} {var} = {lo}; {var} < {hi}; {f'{var} += {step}' if step else f'++{var}'})"

    def vector(self, loop: Loop) -> None:
        """A loop along 8 or 16 bytes: one value, or one copy, of a vector type. Rows are arrays, whose elements are
        copied one by one: an array of floats read as a vector is no C++."""
        *before, store = loop.body
        loads = [s for s in before if isinstance(s, Load)]
        assert isinstance(store, Store) and len(loads) == len(before)
        count, target = loop.extent or 0, self.buffers[store.buffer]
        if not loads:
            parts = [bare(self.operand(store.value).text)] * count
        elif loads[0].buffer in self.rows:
            parts = self.row(loads[0], loop)
        else:
            self.copied(self.wide(loads[0], loop), store, loop)
            return
        if store.buffer in self.rows:
            self.spread(store, loop, parts)
        else:
            self.line(f"{self.wide(store, loop)} = {vectors.made(target, parts)};")

    def copied(self, value: str, store: Store, loop: Loop) -> None:
        """A vector goes where a loop stores it."""
        if store.buffer not in self.rows:
            self.line(f"{self.wide(store, loop)} = {value};")
            return
        count, buffer = loop.extent or 0, self.buffers[store.buffer]
        with self.block(""):
            name = self.names.of(("vector", buffer.name), f"{buffer.name}_vector")
            self.line(f"const {vectors.type_of(buffer, count)} {name} = {value};")
            self.spread(store, loop, vectors.elements(name, count))

    def spread(self, store: Store, loop: Loop, parts: list[str]) -> None:
        """A row's elements, set one by one."""
        for target, value in zip(self.row(store, loop), parts, strict=True):
            self.line(f"{target} = {value};")

    def row(self, s: Load | Store, loop: Loop) -> list[str]:
        """The elements of an array that a vector loop takes."""
        starts = ({loop.var: Index.of(k)} for k in range(loop.extent or 0))
        return [self.element(self.buffers[s.buffer], tuple(i.substitute(at) for i in s.index)) for at in starts]

    def wide(self, s: Load | Store, loop: Loop) -> str:
        """As `element`, the vector that a loop reads or writes."""
        buffer, start = self.buffers[s.buffer], {loop.var: Index.of(0)}
        place = self.element(buffer, tuple(i.substitute(start) for i in s.index))
        if buffer.space == "register":
            return place
        fixed = "const " if any(b.name == buffer.name for b in self.kernel.inputs) else ""
        return f"*({fixed}{vectors.type_of(buffer, loop.extent or 0)}*)&{place}"

    # --- threads --------------------------------------------------------------------------------------

    def nest(self, top: Loop) -> None:
        """Perfectly nested loops shared among the threads of a block."""
        loops, body = band(top, "threads")
        if top.kind == "sum":
            joins.joined(self, loops, body)
            return
        self.shared_out(loops, body)

    def shared_out(self, loops: list[Loop], body: Body, together: int = 1) -> None:
        """Thread t runs iterations t, t + threads, ... of the nest, `together` of them side by side."""
        total, threads = math.prod(loop.extent or 0 for loop in loops), self.kernel.threads
        groups = self.grouped(loops, body)
        whole = len([g for g in groups if g.extent > 1]) == 1
        counter = next(g.name for g in groups if g.extent > 1) if whole else self.names.of("index", "index")
        self.alone = True
        with self.indices.inside(), ExitStack() as heads:
            start = counter
            if total > threads and together > 1:
                heads.enter_context(self.turns(counter, total, together))
            elif total > threads:
                heads.enter_context(self.block(self.counted(counter, "threadIdx.x", str(total), str(threads))))
            else:
                heads.enter_context(self.block(f"if (threadIdx.x < {total})" if total < threads else ""))
                start = "(int)threadIdx.x"
            with self.cut(start, groups):
                self.body(body)
        self.alone = False

    @contextmanager
    def turns(self, counter: str, total: int, together: int) -> Iterator[None]:
        """Iterations of one thread, counted by a loop with constant limits: compilers unroll it and load for several
        turns at once, where a loop that begins at the thread's number has a remainder, loaded one by one."""
        threads, turn = self.kernel.threads, self.names.of("turn", "turn")
        turns = -(-total // threads)
        self.line("#pragma unroll" if turns <= together else f"#pragma unroll {together}")
        with self.block(self.counted(turn, "0", str(turns))):
            self.line(f"const {self.integer} {counter} = {turn} * {threads} + (int)threadIdx.x;")
            with self.block(f"if ({counter} < {total})") if total % threads else nullcontext():
                yield

    def grouped(self, loops: list[Loop], body: Body) -> tuple[MergedLoops, ...]:
        """The nest's loops, merged where they are only used as one number."""
        used = list(forms(body, self.buffers))

        def name(part: tuple[Loop, ...]) -> str:
            wanted = "_".join(loop.var for loop in part if loop.extent != 1) or part[0].var
            if len(part) > 1 and len(part) == len(loops):
                wanted = "element"
            return self.names.of(("group", *(loop.var for loop in part)), wanted)

        return merged_loops(loops, used, name)

    @contextmanager
    def cut(self, counter: str, groups: tuple[MergedLoops, ...]) -> Iterator[None]:
        """Define the groups' variables from one number that counts all iterations, the last group fastest; those that
        nothing inside names are left out."""
        for group in groups:
            self.indices.merge(group)
        kept = [g for g in groups if g.extent > 1]
        inner, lines = 1, dict[str, str]()
        for k, group in reversed(list(enumerate(kept))):
            text = counter if inner == 1 else f"{counter} / {inner}"
            if k:
                text += f" % {group.extent}"
            if text != group.name:
                lines[group.name] = f"const {self.integer} {group.name} = {text};"
            inner *= group.extent
        at = len(self.lines)
        yield
        used = set(re.findall(r"\w+", "\n".join(self.lines[at:])))
        self.lines[at:at] = ["    " * self.indent + text for name, text in reversed(lines.items()) if name in used]


def run_from(k: int, members: frozenset[int], stops: frozenset[int]) -> Iterator[int]:
    """k and the numbers after it that are members, up to the first that is not, or that is a stop."""
    yield k
    while k + 1 in members and k + 1 not in stops:
        k += 1
        yield k


def replacing(kernel: Kernel, given: Buffer) -> frozenset[str]:
    """Outputs that may take the place of an input: a state's new value that of the old one (passes/in_place.py)."""
    size = given.type.dtype, given.type.elems
    return frozenset(b.name for b in kernel.outputs if (b.type.dtype, b.type.elems) == size)


def fits_int(kernel: Kernel) -> bool:
    """Whether every offset of a kernel, and every item with a block to spare, is below 2^31."""
    return all(b.type.elems < 2**31 - 2**20 for b in kernel.buffers().values())


def band(top: Loop, run: str) -> tuple[list[Loop], Body]:
    """Perfectly nested loops run in one way, outer first, and what is inside them."""
    loops, body = [top], top.body
    while len(body) == 1 and isinstance(body[0], Loop) and body[0].run == run:
        loops.append(body[0])
        body = body[0].body
    return loops, body
