"""How kernels are written: BodyBuilder, KernelBuilder, and the kinds of lowerings.

BodyBuilder writes the statements of a body. Steps that move nests into each other replay their statements through one
(ir/weave.py), so that what is computed twice in one scope is written once.

KernelBuilder is one with which an op's `lower` rule writes loops; passes/to_kernels drives it, one nest per op.
Operands are read from buffers: from those of the kernel, or from the locals that earlier nests of the kernel fill. Only
values that never have storage (constants, broadcasts) are computed where they are read. Steps of the schedule put nests
into each other (ir/steps/inline.py, merge.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.ir.graph import BoundNode, Node
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


@record
class Pointwise:
    """A lowering that can compute one output element at any index.

    `fn(k, bound, index)` emits statements into KernelBuilder `k` and returns one operand per output, all at the same
    logical `index` (a tuple of Index, one per output axis). It may open loops for reductions. `axes` are the names of
    the output axes, used as loop names that schedules refer to; the default is a0, a1, ...

    `places(bound, index)` is for ops whose result consists of their operands, side by side: it returns where the
    element at `index` of each operand lies in the result. If all operands have one shape, the op can then be computed
    together with the ops that make them (`concatenates`).
    """

    fn: Callable[[KernelBuilder, BoundNode, IndexTuple], tuple[Operand, ...]]
    axes: tuple[str, ...] = ()
    places: Callable[[BoundNode, IndexTuple], tuple[IndexTuple, ...]] | None = None


@record
class Nest:
    """A lowering that opens its own loops and calls k.write(output position, index, operand): for rows
    (softmax) whose outputs need one walk over several elements."""

    fn: Callable[[KernelBuilder, BoundNode], None]


@record
class Alias:
    """The output is the first input's storage with another shape; no code is generated. `row` names the attribute with
    the row of axis 0 at which it begins."""

    row: str = ""


@record
class Repeated:
    """The node runs its body many times: kernels of the body, and a loop of the plan around them (passes/phases.py)."""


Lowering = Pointwise | Nest | Alias | Repeated


def concatenates(lower: Lowering, bound: BoundNode) -> bool:
    """Whether a node puts operands of one shape, in natural layout, side by side: its nest goes over the elements of an
    operand, and stores the element of each operand at its own place."""
    if not isinstance(lower, Pointwise) or lower.places is None:
        return False
    types = {x.type.with_(dtype="f32") for x in bound.inputs}
    return len(types) == 1 < len(bound.inputs) and not types.pop().lanes


class KernelBuilder(BodyBuilder):
    """Writes the nests of one kernel.

    Args:
        stored: value -> the buffer that holds it; results that are not in it are not stored.
        free: nodes that never have storage, which are computed where they are read; by result name.
        lowering: returns the lowering of a node; see `mochac.ir.op.lowering`.
        taken: names that locals must not get.
    """

    def __init__(
        self,
        stored: Mapping[str, str],
        free: Mapping[str, BoundNode],
        lowering: Callable[[Node], Lowering],
        taken: Iterable[str] = (),
    ) -> None:
        super().__init__((*stored.values(), *taken))
        self.stored, self.free, self.lowering = stored, free, lowering

    def read(self, bound: BoundNode, position: int, index: Sequence[Index | int]) -> Operand:
        """Operand `position` of a node at a logical index: a load, or the code of a node without storage.

        Raises:
            OptionError: the node has no such operand.
        """
        inputs = bound.node.inputs
        _require_position(bound, "an operand", position, len(inputs))
        return self._value(inputs[position], bound.operand_index(position, tuple(map(Index.of, index))))

    def _value(self, name: str, index: IndexTuple) -> Operand:
        bound = self.free.get(name)
        if bound is None:
            return self.load(self.stored[name], *index)
        found = self.known(name, index)
        if found is not None:
            return found
        lower = self.lowering(bound.node)
        assert isinstance(lower, Pointwise), f"{bound.node.op} needs storage"
        for out, operand in zip(bound.outputs, lower.fn(self, bound, index), strict=True):
            self.know(out.name, index, operand)
        found = self.known(name, index)
        assert found is not None
        return found

    def write(self, bound: BoundNode, position: int, index: Sequence[Index | int], value: Operand) -> None:
        """Give one element of a result; it is stored if anything reads it.

        Raises:
            OptionError: the node has no such result.
        """
        _require_position(bound, "a result", position, len(bound.outputs))
        buffer = self.stored.get(bound.outputs[position].name)
        if buffer is not None:
            self.store(buffer, bound.result_index(tuple(map(Index.of, index))), value)


def _require_position(bound: BoundNode, what: str, position: int, count: int) -> None:
    if not 0 <= position < count:
        rule = f"op {bound.node.op!r}: `lower` asks for {what} that it does not have"
        raise OptionError(rule, expected=f"0 .. {count - 1}" if count else "none", got=str(position))
