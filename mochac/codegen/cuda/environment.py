"""Environment: what is known at the statement being printed, and the C text of values and elements there.

The statement printer updates it as it goes; joins.py prints reductions through it.

A local is declared in the innermost C scope around all its uses. Dimensions indexed by thread loops are dropped, since
every thread has registers of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from mochac.codegen.cuda import vectors
from mochac.codegen.cuda.expressions import Expression
from mochac.codegen.cuda.indices import Indices
from mochac.codegen.cuda.tokens import C_TYPES, Names, literal
from mochac.ir.index import Index
from mochac.ir.kernel import Body, Buffer, Const, If, Kernel, Load, Loop, Operand, Prefetch, access


@dataclass
class Local:
    """Where a local is declared: the body (by identity), and the number of the first statement in it that uses it."""

    home: int = 0
    first: int = 0
    private: tuple[int, ...] = ()


@dataclass
class Places:
    """Places of all locals; `at` returns those first used by statement k of a body."""

    locals: dict[str, Local] = field(default_factory=dict)

    def at(self, body: Body, k: int) -> list[str]:
        return [name for name, x in self.locals.items() if x.home == id(body) and x.first == k]


def find_places(kernel: Kernel) -> Places:
    """The places of a kernel's locals, except shared ones, which the function declares at its top."""
    spaces = {b.name: b.space for b in kernel.locals}
    paths: dict[str, list[list[tuple[int, int]]]] = {}
    private: dict[str, set[int]] = {}

    def visit(body: Body, path: list[tuple[int, int]], own: frozenset[str]) -> None:
        for k, stmt in enumerate(body):
            here = [*path, (id(body), k)]
            accessed = access(stmt)
            if isinstance(stmt, Loop):
                visit(stmt.body, here, own | {stmt.var} if stmt.run in ("threads", "vector") else own)
            elif isinstance(stmt, If):
                visit(stmt.body, here, own)
            elif accessed is not None and accessed[0] in spaces and not isinstance(stmt, Prefetch):
                paths.setdefault(accessed[0], []).append(here)
                if spaces[accessed[0]] == "register":
                    axes = {a for a, i in enumerate(accessed[1]) if _is_private(i, own)}
                    private[accessed[0]] = private.get(accessed[0], axes) & axes

    visit(kernel.body, [], frozenset())
    places = Places()
    for name, uses in paths.items():
        home = _common(uses) if spaces[name] != "shared" else (0, 0)
        places.locals[name] = Local(*home, tuple(sorted(private.get(name, ()))))
    return places


def _is_private(index: Index, own: frozenset[str]) -> bool:
    """Whether an index is just the variable of a thread loop or of a vector loop."""
    return len(index.terms) == 1 and not index.const and index.terms[0][1] == 1 and index.terms[0][0] in own


def _common(paths: list[list[tuple[int, int]]]) -> tuple[int, int]:
    """The innermost body that all paths go through, and the first statement of it on any of them."""
    depth = 0
    while all(len(p) > depth + 1 for p in paths) and len({p[depth + 1][0] for p in paths}) == 1:
        depth += 1
    return paths[0][depth][0], min(p[depth][1] for p in paths)


class Environment:
    """Values, buffers and indices at one point of a kernel, and the lines printed so far.

    Attributes:
        kernel, names: the kernel being printed, and its C names.
        integer: the C type of indices.
        values: the kernel's named values that can be used here.
        texts: C names of buffers.
    """

    def __init__(self, kernel: Kernel, names: Names) -> None:
        self.kernel, self.names = kernel, names
        self.integer = "int" if fits_int(kernel) else "long long"
        self.buffers = kernel.buffers()
        self.places = find_places(kernel)
        self.vectors, self.rows = vectors.find(kernel), vectors.rows(kernel)
        self.indices = Indices(names)
        self.values: dict[str, Expression] = {}
        self.texts = {b.name: names.of(b.name, b.name) for b in self.buffers.values()}
        self.lines: list[str] = []
        self.indent = 1
        self._replaced = {b.name: replacing(kernel, b) for b in kernel.inputs}

    def line(self, text: str) -> None:
        """Print one line."""
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """head { ... }; names defined inside are forgotten after it."""
        self.line(f"{head} {{".lstrip())
        values = dict(self.values)
        self.indent += 1
        yield
        self.indent -= 1
        self.values = values
        self.line("}")

    def loaded(self, stmt: Load) -> Expression:
        """The value of a load."""
        buffer = self.buffers[stmt.buffer]
        reads = self._replaced.get(stmt.buffer, frozenset((stmt.buffer,)))
        return Expression(self.element(buffer, stmt.index), buffer.type.dtype, reads, buffer.space != "register")

    def operand(self, operand: Operand) -> Expression:
        """The value of an operand at this point."""
        if isinstance(operand, str):
            return self.values[operand]
        if isinstance(operand, Const):
            return Expression(literal(operand), operand.dtype)
        text = self.indices.factor(operand)
        return Expression(text if self.integer == "int" else f"((int){text})", "i32")

    def element(self, buffer: Buffer, index: tuple[Index, ...]) -> str:
        """buffer[index] as C text: registers are indexed by all axes but thread axes, memory by its offset."""
        name = self.texts[buffer.name]
        if buffer.space != "register":
            return f"{name}[{self.indices.offset(buffer, index)}]"
        private = self.places.locals[buffer.name].private
        return name + "".join(f"[{self.indices.text(i)}]" for a, i in enumerate(index) if a not in private)

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


def replacing(kernel: Kernel, source: Buffer) -> frozenset[str]:
    """Outputs that may take the place of an input, as a state's new value does with the old (passes/in_place.py)."""
    size = source.type.dtype, source.type.elems
    return frozenset(b.name for b in kernel.outputs if (b.type.dtype, b.type.elems) == size)


def fits_int(kernel: Kernel) -> bool:
    """Whether every offset of a kernel, and every item including the last block's surplus, is below 2^31."""
    return all(b.type.elems < 2**31 - 2**20 for b in kernel.buffers().values())
