"""KernelBuilder and the kinds of lowerings: how an op's `lower` rule writes loops.

passes/to_kernels drives the builder. If an operand's producer is fused into the same kernel, reading the operand
inlines the producer at that index. So ops compose without depending on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from mochac.ir.graph import BoundNode, Node
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Accum, Buffer, Const, If, Let, Load, Loop, Operand, Stmt, Store
from mochac.ir.types import TensorType

IndexTuple = tuple[Index, ...]


@dataclass(frozen=True)
class Pointwise:
    """A lowering that can compute one output element at any index.

    `fn(k, bound, index)` emits statements into KernelBuilder `k` and returns one operand per output, all at the same
    logical `index` (a tuple of Index, one per output axis). It may open loops for reductions. `axes` are the names of
    the output axes, used as loop names that schedules refer to; the default is a0, a1, ...
    """

    fn: Callable[[KernelBuilder, BoundNode, IndexTuple], tuple[Operand, ...]]
    axes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Nest:
    """A lowering that opens its own loops and calls k.write(output position, index, operand): for rows
    (softmax) whose outputs need one walk over several elements. `plane`, if given, does the same for the
    elements of one sample and channel."""

    fn: Callable[[KernelBuilder, BoundNode], None]
    plane: Callable[[KernelBuilder, BoundNode, IndexTuple], None] | None = None


@dataclass(frozen=True)
class Alias:
    """The output is the first input's storage with another shape; no code is generated."""


Lowering = Pointwise | Nest | Alias


class KernelBuilder:
    """Builds the body of one kernel.

    Args:
        buffers: global buffers that may be read, by value name.
        inlined: nodes of the group whose results are never stored, only computed at an index; by result name.
        lowering: returns the lowering of a node; see `mochac.ir.op.lowering`.

    Attributes:
        planes: values that are read from a local array over their image axes -> that array.
        makers: values that are computed a plane at a time when an op needs them -> the node, which has a `plane` rule.
        on_write: called with each element that a Nest writes.
    """

    def __init__(
        self,
        buffers: Mapping[str, Buffer],
        inlined: Mapping[str, BoundNode],
        lowering: Callable[[Node], Lowering],
    ) -> None:
        self.buffers = dict(buffers)
        self.inlined = dict(inlined)
        self.lowering = lowering
        self.reserved = {*buffers, *inlined}
        self.locals: list[Buffer] = []
        self._bodies: list[list[Stmt]] = [[]]
        self._known: list[dict[object, object]] = [{}]
        self._names: dict[str, int] = {}
        self._written: dict[str, Operand] = {}
        self.planes: dict[str, str] = {}
        self.makers: dict[str, BoundNode] = {}
        self.on_write: Callable[[str, IndexTuple, Operand], None] = self.store

    @property
    def body(self) -> tuple[Stmt, ...]:
        return tuple(self._bodies[0])

    def fresh(self, stem: str) -> str:
        n = self._names.get(stem, -1) + 1
        self._names[stem] = n
        return stem if n == 0 else f"{stem}{n}"

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
    def _loop(self, kind: str, name: str, extent: int, lo: int) -> Iterator[Index]:
        var = self.fresh(name)
        with self._scope() as body:
            yield Index.var(var)
            inner = tuple(body)
        self._emit(Loop(var, Limit.of(lo), Limit.of(extent), kind, "serial", inner))

    def each(self, name: str, extent: int, lo: int = 0):
        """Open a loop whose iterations are independent; yields its index. `extent` is the exclusive upper limit."""
        return self._loop("each", name, extent, lo)

    def sum(self, name: str, extent: int, lo: int = 0):
        """Open a reduction loop: iterations may interact only in accum()."""
        return self._loop("sum", name, extent, lo)

    def loop(self, name: str, extent: int, lo: int = 0):
        """Open a loop that runs strictly in order."""
        return self._loop("for", name, extent, lo)

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
        """Read a global buffer; a repeated read of an element in the same scope is emitted once."""
        return self._memo(("load", buffer, *index), lambda name: Load(name, buffer, tuple(index)))

    def _memo(self, key: object, make: Callable[[str], Stmt]) -> str:
        for known in self._known:
            if key in known:
                return known[key]  # type: ignore[return-value]
        name = self.fresh("t")
        self._emit(make(name))
        self._known[-1][key] = name
        return name

    def local(self, stem: str, dtype: str, init: Operand | None = None, shape: tuple[int, ...] = ()) -> str:
        """Declare a private variable (or small array) and store `init`. Arrays are not initialized."""
        name = self.fresh(stem)
        while name in self.reserved:
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

    def read(self, bound: BoundNode, position: int, index: IndexTuple) -> Operand:
        """Operand `position` of a node at a logical index: a load, or the producer's code at that index."""
        return self.value(bound.node.inputs[position], index)

    def value(self, name: str, index: IndexTuple) -> Operand:
        """Any value at a logical index."""
        key = ("value", name, index)
        for known in self._known:
            if key in known:
                return known[key]  # type: ignore[return-value]
        if name in self.planes:
            return self._memo(("plane", name, index), lambda fresh: Load(fresh, self.planes[name], index[2:]))
        if name not in self.inlined:
            if name not in self.buffers:
                raise KeyError(f"value {name!r} is neither a buffer nor inlined here")
            return self.load(name, *index)
        bound = self.inlined[name]
        lower = self.lowering(bound.node)
        assert isinstance(lower, Pointwise), f"{bound.node.op} cannot be inlined"
        results = lower.fn(self, bound, index)
        for out, operand in zip(bound.outputs, results, strict=True):
            self._known[-1]["value", out.name, index] = operand
        result = next(r for o, r in zip(bound.outputs, results, strict=True) if o.name == name)
        return result

    @contextmanager
    def plane(self, bound: BoundNode, position: int, at: IndexTuple) -> Iterator[None]:
        """Prepare to read an operand at (*at, row, column): if it is made a plane at a time, compute that plane now."""
        name, type = bound.node.inputs[position], bound.inputs[position].type
        maker = self.makers.get(name)
        if maker is None:
            yield
            return
        lower = self.lowering(maker.node)
        assert isinstance(lower, Nest) and lower.plane is not None, f"{maker.node.op} has no rule for planes"
        local = self.local("plane", type.dtype, shape=type.shape[len(at) :])
        self.on_write = lambda _, index, __: self.set(local, self.value(name, index), *index[len(at) :])
        lower.plane(self, maker, at)
        self.planes[name] = local
        yield
        del self.planes[name]

    def know(self, name: str, index: IndexTuple, operand: Operand) -> None:
        """Record the operand that holds a value at an index in this scope."""
        self._known[-1]["value", name, index] = operand

    def store(self, buffer: str, index: IndexTuple, value: Operand) -> None:
        """Write an element of a global output."""
        self._emit(Store(buffer, index, value))

    def write(self, bound: BoundNode, position: int, index: IndexTuple, value: Operand) -> None:
        """Deliver one output element of a Nest lowering: fused epilogues run here, then it is stored where needed."""
        self.know(bound.outputs[position].name, index, value)
        self.on_write(bound.outputs[position].name, index, value)
