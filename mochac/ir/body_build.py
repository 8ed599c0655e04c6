"""BodyBuilder: writes the statements of a kernel's body.

Lowerings of ops write with a KernelBuilder, which is one (ir/kernel_build.py). Steps that move nests into each other
replay their statements through one (ir/weave.py), so that what is computed twice in one scope is written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Accum, Buffer, Const, If, Let, Load, Loop, Operand, Stmt, Store
from mochac.ir.types import TensorType

IndexTuple = tuple[Index, ...]


class BodyBuilder:
    """Statements, loops, conditions and locals, with names that are not taken.

    Args:
        taken: names of buffers and values that new ones must not get.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.locals: list[Buffer] = []
        self._bodies: list[list[Stmt]] = [[]]
        self._known: list[dict[object, Operand]] = [{}]
        self._taken = set(taken)
        self._loops: set[str] = set()
        self._numbers: dict[str, int] = {}

    @property
    def body(self) -> tuple[Stmt, ...]:
        """What has been written."""
        return tuple(self._bodies[0])

    @contextmanager
    def nest(self) -> Iterator[list[Stmt]]:
        """Write a nest apart from `body`: names of loops start anew, and nothing is known. Yields its statements."""
        outer = self._bodies, self._known, self._loops
        self._bodies, self._known, self._loops = [[]], [{}], set()
        try:
            yield self._bodies[0]
        finally:
            self._bodies, self._known, self._loops = outer

    def fresh(self, name: str) -> str:
        """`name`, or if it is taken, the name with the first free number at its end."""
        return self._free(name, self._taken)

    def _free(self, name: str, taken: set[str]) -> str:
        if name in taken:
            stem = name.rstrip("0123456789") or name
            number = self._numbers.get(stem, 1) if taken is self._taken else 1
            while f"{stem}{number}" in taken:
                number += 1
            name = f"{stem}{number}"
            if taken is self._taken:
                self._numbers[stem] = number + 1
        taken.add(name)
        return name

    def _emit(self, stmt: Stmt) -> None:
        self._bodies[-1].append(stmt)

    @contextmanager
    def _scope(self) -> Iterator[list[Stmt]]:
        self._bodies.append([])
        self._known.append({})
        try:
            yield self._bodies[-1]
        finally:
            self._bodies.pop()
            self._known.pop()

    @contextmanager
    def range(self, kind: str, name: str, lo: Limit, hi: Limit, at: str = "") -> Iterator[Index]:
        """Open a loop of any kind; yields its index. `at`: a value; only the iteration that equals it runs."""
        var = self._free(name, self._loops)
        with self._scope() as body:
            yield Index.var(var)
            inner = tuple(body)
        self._emit(Loop(var, lo, hi, kind, "serial", inner, at))

    def each(self, name: str, extent: int, lo: int = 0):
        """Open a loop whose iterations are independent; yields its index. `extent` is the exclusive upper limit."""
        return self.range("each", name, Limit.of(lo), Limit.of(extent))

    def sum(self, name: str, extent: int, lo: int = 0):
        """Open a reduction loop: iterations may interact only in accum()."""
        return self.range("sum", name, Limit.of(lo), Limit.of(extent))

    def at(self, name: str, extent: int, value: Operand, kind: str = "each"):
        """Open a loop that runs only the iteration whose number is `value`, none if it is not in 0 .. extent - 1;
        yields its index. So data may say which element is read or added to."""
        return self.range(kind, name, Limit.of(0), Limit.of(extent), self.named(value))

    def named(self, value: Operand) -> str:
        """A value under a name."""
        if isinstance(value, str):
            return value
        return self.call(f"to_{value.dtype}" if isinstance(value, Const) else "to_i32", value)

    def loop(self, name: str, extent: int, lo: int = 0):
        """Open a loop that runs strictly in order."""
        return self.range("for", name, Limit.of(lo), Limit.of(extent))

    @contextmanager
    def where(self, *conds: Index | int) -> Iterator[None]:
        """Run the body only where every condition is >= 0; conditions known to hold are dropped."""
        with self._scope() as body:
            yield
            inner = tuple(body)
        kept = tuple(c for c in map(Index.of, conds) if not (c.is_const and c.const >= 0))
        if kept:
            self._emit(If(kept, inner))
        else:
            for stmt in inner:
                self._emit(stmt)

    def const(self, value: float | int | bool, dtype: str) -> Const:
        return Const(value, dtype)

    def call(self, fn: str, *args: Operand) -> str:
        """%fresh = fn(args); a repeated call in the same scope is emitted once."""
        return self._memo((fn, *args), lambda name: Let(name, fn, tuple(args)))

    def load(self, buffer: str, *index: Index) -> str:
        """Read a buffer that no longer changes; a repeated read of an element in the same scope is emitted once."""
        return self._memo(("load", buffer, *index), lambda name: Load(name, buffer, tuple(index)))

    def _memo(self, key: object, make: Callable[[str], Stmt]) -> str:
        found = self._find(key)
        if isinstance(found, str):
            return found
        name = self.fresh("t")
        self._emit(make(name))
        self._known[-1][key] = name
        return name

    def _find(self, key: object) -> Operand | None:
        """What is known under a key in this scope or one around it."""
        for known in self._known:
            if key in known:
                return known[key]
        return None

    def known(self, name: str, index: IndexTuple) -> Operand | None:
        """The operand that holds an element of a value here, if `know` has recorded one."""
        return self._find(("value", name, index))

    def know(self, name: str, index: IndexTuple, operand: Operand) -> None:
        """Record the operand that holds an element of a value in this scope."""
        self._known[-1]["value", name, index] = operand

    def local(self, stem: str, dtype: str, init: Operand | None = None, shape: tuple[int, ...] = ()) -> str:
        """Declare a private variable (or small array) and store `init`. Arrays are not initialized."""
        name = self.fresh(stem)
        self.locals.append(Buffer(name, TensorType(dtype, shape), "register" if not shape else "scratch"))
        if init is not None:
            self._emit(Store(name, (), init))
        return name

    def get(self, local: str, *index: Index) -> str:
        """Read a local variable now. The read is not reused, because the variable may change."""
        name = self.fresh("t")
        self._emit(Load(name, local, tuple(index)))
        return name

    def set(self, local: str, value: Operand, *index: Index) -> None:
        self._emit(Store(local, tuple(index), value))

    def accum(self, local: str, fn: str, *args: Operand, index: IndexTuple = ()) -> None:
        """local[index] = fn(*args, local[index]) with fn add, fma or max."""
        self._emit(Accum(local, index, fn, tuple(args)))

    def store(self, buffer: str, index: IndexTuple, value: Operand) -> None:
        """Write an element of a value."""
        self._emit(Store(buffer, index, value))
