"""Panels: copy both operands of a contraction into shared memory, panel by panel, before computing the products."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from mochac.base.records import record
from mochac.ir.grids import MAX_THREADS, grid_of, with_threads
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Body, Buffer, If, Kernel, Let, Load, Loop, Stmt, Store, identity, substitute, walk
from mochac.ir.kernel_rules import name_dtypes
from mochac.ir.names import fresh, rename_values
from mochac.ir.nest import map_loops, require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.shared_copies import BoxCopy, bank_accesses, nest, spread
from mochac.ir.types import DTYPES, TensorType


@step
@record
class Panels(Step):
    """In every `loop`, `threads` threads copy the ranges of both factors of its fma; the products read the copies.

    sum kb {                                   sum kb {
      each ty { each tx { sum k {                each a.0 threads { each k.0 threads { X[a.0, k.0] = x or 0 } }
        if (inside) {                    ->      each k.1 threads { each b.1 threads { W[k.1, b.1] = w or 0 } }
          acc = fma(x[..], w[..], acc)           each ty { each tx { sum k { acc = fma(X[ty, k], W[k, tx], acc) } } }
        }                                      }
      } } }
    }

    Where a condition fails the copy holds 0, so the products need no conditions: they add zeros, or fill elements of
    the accumulator that are never stored. Each condition must depend on one factor only, or skip whole results; in the
    latter case loads must be in range without it. If several products read the same elements (pixels under a moving
    window) and this makes the copy smaller, each element is copied once: the copy is then the operand's bounding box of
    the elements. Innermost dimensions that belong to the reduction form one row of a panel, padded so that vectors of
    16 bytes stay aligned and rows begin in different banks; other dimensions are padded so that the threads (loops
    `across`, slowest first) read different banks. `mochac.ir.shared_copies` divides a copy among the threads.
    """

    purpose = "what all threads of a block read is loaded from memory once"

    loop: str
    threads: int
    across: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()

    def apply(self, kernel: Kernel) -> Kernel:
        require_loops(kernel, self.loop, "panels")
        if not 0 < self.threads <= MAX_THREADS:
            raise ScheduleError(f"panels: a block has 1 to {MAX_THREADS} threads, not {self.threads}")
        work = _Panels(kernel, self)
        body = map_loops(kernel.body, self.loop, work.rewrite)
        changed = kernel.with_(body=body, locals=(*kernel.locals, *work.added))
        return with_threads(changed, grid_of(kernel, self.loop), self.threads)


@record
class _Factor:
    """One factor: the statements that compute it, in order, the inner loops it depends on, and its conditions."""

    name: str
    stmts: tuple[Stmt, ...]
    loops: tuple[Loop, ...]
    conds: tuple[Index, ...]


@record
class _OperandBox:
    """A box of an operand: for each axis its start, the position of an element in it, and its extent; `conds` keep the
    elements that are read inside the operand."""

    load: Load
    spans: tuple[tuple[Index, Index, int], ...]
    conds: frozenset[Index]


class _Panels:
    def __init__(self, kernel: Kernel, panels: Panels) -> None:
        self.kernel, self.panels = kernel, panels
        self.buffers = kernel.buffers()
        self.added: list[Buffer] = []
        self.extents: dict[str, int] = {}
        self.conds: tuple[Index, ...] = ()  # conditions of the products
        self.terms: set[str] = set()  # loops that both factors depend on
        fixed = [x for x in walk(kernel.body) if isinstance(x, Loop) and x.extent]
        self.ranges = {x.var: (x.lo.const or 0, (x.hi.const or 1) - 1) for x in fixed}

    def rewrite(self, loop: Loop) -> Loop:
        """The loop, with the copies followed by the products."""
        accums = [p for p in _accums(loop.body, (), ()) if p]
        if len(accums) != 1:
            raise ScheduleError(f"panels: loop {loop.var!r} must contain one accumulation, not {len(accums)}")
        accum, loops, conds = accums[0]
        if accum.fn != "fma" or not all(isinstance(a, str) for a in accum.args):
            raise ScheduleError("panels: the accumulation must be an fma of two values")
        factors = [self._factor(str(a), loop.body, loops, conds) for a in accum.args]
        self.extents = {x.var: x.extent or 1 for x in loops}
        self._check_decided(conds, factors)
        self.conds = tuple(c for c in dict.fromkeys(conds) if set(c.vars) & set(self.panels.exact))
        self.terms = {x.var for x in factors[0].loops} & {x.var for x in factors[1].loops}
        copies: list[Stmt] = []
        loads: list[tuple[Load, frozenset[str]]] = []
        boxes = [self._box(f) for f in factors]
        sums = {x.var for x in walk(self.kernel.body) if isinstance(x, Loop) and x.kind == "sum"} | self.terms
        ranges = {c for b in boxes if b is not None for c in b.conds}
        decided = all(c in ranges or not sums & set(c.vars) for c in conds)
        for k, (factor, box) in enumerate(zip(factors, boxes, strict=True)):
            copy, load = self._boxed(factor, box, k) if box is not None and decided else self._copy(factor, k)
            copies.append(copy)
            loads.append((load, frozenset(x.var for x in factor.loops)))
        return loop.with_body((*copies, *_products(loops, loads, self.conds, accum)))

    def _check_decided(self, conds: tuple[Index, ...], factors: list[_Factor]) -> None:
        """Check that conditions on both factors only skip whole results and that no load relies on them."""
        sums = {x.var for x in walk(self.kernel.body) if isinstance(x, Loop) and x.kind == "sum"}
        for cond in conds:
            alone = any(cond in f.conds for f in factors)
            if not alone and (sums & set(cond.vars) or not all(self._inside(f) for f in factors)):
                raise ScheduleError(f"panels: condition {cond} >= 0 depends on both factors")

    def _inside(self, factor: _Factor) -> bool:
        """Whether a factor's loads are in range, given its own conditions and the ranges of the loops."""
        loads = [s for s in factor.stmts if isinstance(s, Load)]
        reads = [(i, d) for s in loads for i, d in zip(s.index, self.buffers[s.buffer].type.shape, strict=True)]
        limits = {c for i, d in reads for c in (i, d - 1 - i)}
        return all(c in factor.conds or (c.bounds(self.ranges) or (-1, 0))[0] >= 0 for c in limits)

    def _factor(self, name: str, body: Body, loops: tuple[Loop, ...], conds: tuple[Index, ...]) -> _Factor:
        definitions = {s.name: s for s in walk(body) if isinstance(s, (Let, Load))}
        needed: list[str] = []

        def need(value: str) -> None:
            if value in definitions and value not in needed:
                stmt = definitions[value]
                for a in stmt.args if isinstance(stmt, Let) else ():
                    if isinstance(a, str):
                        need(a)
                needed.append(value)

        need(name)
        stmts = tuple(definitions[n] for n in needed)
        inside = {x.var for x in loops}
        used = {v for s in stmts for i in _indices(s) for v in i.vars} & inside
        own = tuple(c for c in dict.fromkeys(conds) if set(c.vars) & inside <= used)
        steps = self._steps(stmts)
        ordered = sorted((x for x in loops if x.var in used), key=lambda x: -abs(steps.get(x.var, 0)))
        return _Factor(name, stmts, tuple(ordered), own)

    def _steps(self, stmts: tuple[Stmt, ...]) -> dict[str, int]:
        """Elements between neighbours along each variable, in the largest buffer that the factor is read from."""
        loads = [s for s in stmts if isinstance(s, Load)]
        main = max(loads, key=lambda s: self.buffers[s.buffer].type.elems, default=None)
        steps: dict[str, int] = {}
        if main is not None:
            step = 1
            for index, extent in reversed(list(zip(main.index, self.buffers[main.buffer].type.shape, strict=True))):
                for v, c in index.terms:
                    steps[v] = steps.get(v, 0) + c * step
                step *= extent
        return steps

    def _box(self, factor: _Factor) -> _OperandBox | None:
        """The box of an operand that a panel's products read, if the factor is an element of that operand."""
        if len(factor.stmts) != 1 or not isinstance(factor.stmts[0], Load):
            return None
        load, inside = factor.stmts[0], {x.var: x for x in factor.loops}
        ranges = {v: (x.lo.const or 0, (x.hi.const or 1) - 1) for v, x in inside.items()}
        spans: list[tuple[Index, Index, int]] = []
        conds: list[Index] = []
        for index, extent in zip(load.index, self.buffers[load.buffer].type.shape, strict=True):
            moving = Index(tuple(t for t in index.terms if t[0] in inside))
            bounds = moving.bounds(ranges)
            assert bounds is not None
            low, high = self._inside_operand(index, index - moving, bounds, extent)
            spans.append((index - moving + low, moving - low, high - low + 1))
            conds += [index, extent - 1 - index]
        combinations = math.prod(x.extent or 0 for x in factor.loops)
        if math.prod(n for _, _, n in spans) > combinations:
            return None
        return _OperandBox(load, tuple(spans), frozenset(conds))

    def _inside_operand(self, index: Index, base: Index, moves: tuple[int, int], extent: int) -> tuple[int, int]:
        """How far products move from `base` along an axis, without what conditions kept around them skip."""
        low, high = moves
        if base.terms:
            return moves
        if index in self.conds:
            low = max(low, -base.const)
        if extent - 1 - index in self.conds:
            high = min(high, extent - 1 - base.const)
        return low, high

    def _boxed(self, factor: _Factor, box: _OperandBox, k: int) -> tuple[Stmt, Load]:
        """Like _copy, for a box: with one loop for each axis along which the products move."""
        load, name = box.load, self._fresh(f"{box.load.buffer}.panel")
        axes = [a for a, (_, _, n) in enumerate(box.spans) if n > 1]
        new = {a: Index.var(f"p{a}.{k}") for a in axes}
        index = tuple(base + new[a] if a in new else base for a, (base, _, _) in enumerate(box.spans))
        buffer = self.buffers[load.buffer]
        ranges = {**self.ranges, **{f"p{a}.{k}": (0, box.spans[a][2] - 1) for a in axes}}
        conds = tuple(c for i, d in zip(index, buffer.type.shape, strict=True) for c in (i, d - 1 - i))
        conds = tuple(c for c in conds if (c.bounds(ranges) or (-1, 0))[0] < 0)
        row = _trailing([set(box.spans[a][1].vars) <= self.terms for a in axes])
        places = [box.spans[a][1] for a in axes]
        layout = self._padded(_layout([box.spans[a][2] for a in axes], row, buffer.type.dtype), places)
        self.added.append(Buffer(name, TensorType(buffer.type.dtype, layout.shape), "shared"))
        value = f"{load.name}.{k}"
        read = (Load(value, load.buffer, index),)
        dims = [(f"p{a}.{k}", box.spans[a][2]) for a in axes]
        there = layout.index([new[a] for a in axes])
        copy = self._filled(dims, read, conds, Store(name, there, value), buffer.type.dtype)
        return copy, Load(factor.name, name, layout.index(places))

    def _padded(self, layout: _Layout, places: list[Index]) -> _Layout:
        """A layout whose last three axes are padded if the threads that read it then have fewer bank conflicts."""
        if layout.steps or not places:
            return layout
        last, threads = layout.shape[-1], [(v, self.extents[v]) for v in self.panels.across if v in self.extents]
        step = 4 if last % 4 == 0 else 1
        rows, planes = layout.shape[-2:-1], layout.shape[1:-2][-1:]
        outer = layout.shape[: len(layout.shape) - 1 - len(rows) - len(planes)]
        shapes = [
            (*outer, *(n + gap for n in planes), *(n + more for n in rows), last + wider)
            for wider in range(0, 9, step)
            for more in (range(4) if rows else (0,))
            for gap in (range(2) if planes else (0,))
        ]
        return _Layout(min(shapes, key=lambda s: (bank_accesses(flat(s, tuple(places)), threads), math.prod(s))), ())

    def _filled(
        self, dims: list[tuple[str, int]], read: Body, conds: tuple[Index, ...], store: Store, dtype: str
    ) -> Stmt:
        """The nest that fills a panel, divided among the threads; zeros where a condition fails."""
        vector = self._vector(dims, read, conds, store)
        axes = spread(dims or [(f"p.{store.buffer}", 1)], self.panels.threads, vector)
        if not conds:
            return nest(axes, BoxCopy(read, store))
        register = self._fresh(f"{store.buffer}.held")
        self.added.append(Buffer(register, TensorType(dtype, (vector,) if vector > 1 else ()), "register"))
        zero = identity("add", dtype)
        return nest(axes, BoxCopy(read, store, conds, register, zero))

    def _vector(self, dims: list[tuple[str, int]], read: Body, conds: tuple[Index, ...], store: Store) -> int:
        """Number of neighbours copied as one vector of 16 bytes, if aligned and contiguous on both sides; else 1."""
        load = read[-1]
        if not isinstance(load, Load) or len(read) > 1 or not dims:
            return 1
        fastest, extent = dims[-1]
        wide = 16 // DTYPES[self.buffers[load.buffer].type.dtype].itemsize
        panel = self.added[-1] if self.added[-1].name == store.buffer else self._panel(store.buffer)
        for buffer, index in ((self.buffers[load.buffer], load.index), (panel, store.index)):
            whole = flat(buffer.type.shape, index)
            others = (c for v, c in whole.terms if v != fastest)
            if whole.coefficient(fastest) != 1 or any(c % wide for c in (whole.const, buffer.type.elems, *others)):
                return 1
        return wide if extent % wide == 0 and not any(c.coefficient(fastest) for c in conds) else 1

    def _panel(self, name: str) -> Buffer:
        return next(b for b in self.added if b.name == name)

    def _fresh(self, stem: str) -> str:
        return fresh(stem, (*self.buffers, *(b.name for b in self.added)))

    def _copy(self, factor: _Factor, k: int) -> tuple[Stmt, Load]:
        """The nest that fills a panel, and the load that reads it in the products."""
        source = next((s.buffer for s in factor.stmts if isinstance(s, Load)), "panel")
        name = self._fresh(f"{source}.panel")
        dtype = name_dtypes(self.kernel.body, self.buffers)[factor.name]
        layout = _layout(
            [x.extent or 0 for x in factor.loops], _trailing([x.var in self.terms for x in factor.loops]), dtype
        )
        self.added.append(Buffer(name, TensorType(dtype, layout.shape), "shared"))
        new = {x.var: Index.var(f"{x.var}.{k}") + (x.lo.const or 0) for x in factor.loops}
        at = layout.index([Index.var(x.var) - (x.lo.const or 0) for x in factor.loops])
        names = {s.name: f"{s.name}.{k}" for s in factor.stmts if isinstance(s, (Let, Load))}
        value, stmts = names[factor.name], substitute(rename_values(factor.stmts, names), new)
        conds = tuple(c.substitute(new) for c in factor.conds)
        store = Store(name, tuple(i.substitute(new) for i in at), value)
        dims = [(f"{x.var}.{k}", x.extent or 0) for x in factor.loops]
        return self._filled(dims, stmts, conds, store, dtype), Load(factor.name, name, at)


@record
class _Layout:
    """The layout of a box in a panel of a given `shape`: the last axes form one row, with these steps along them."""

    shape: tuple[int, ...]
    steps: tuple[int, ...]

    def index(self, places: list[Index]) -> tuple[Index, ...]:
        """The panel index of an element of the box."""
        if not self.steps:
            return tuple(places)
        outer, inner = places[: len(places) - len(self.steps)], places[len(places) - len(self.steps) :]
        return (*outer, sum((i * step for i, step in zip(inner, self.steps, strict=True)), Index()))


def _layout(extents: list[int], row: int, dtype: str) -> _Layout:
    """Merge the innermost axes that belong to the reduction into one row. Long parts of a row begin at whole vectors;
    rows begin `wide` elements off a multiple of 2 * wide, so that eight threads that read one vector each from
    neighbouring rows read all banks."""
    wide = 16 // DTYPES[dtype].itemsize
    outer, inner = extents[: len(extents) - row], extents[len(extents) - row :]
    if not inner:
        padded = -(-extents[-1] // wide) * wide if extents and extents[-1] >= wide else (extents or [0])[-1]
        return _Layout((*extents[:-1], padded) if extents else (), ())
    length, steps = row_of(inner, wide, several=bool(outer))
    return _Layout((*outer, length), steps)


def row_of(extents: Sequence[int], wide: int, several: bool = True) -> tuple[int, tuple[int, ...]]:
    """Elements of a row of a panel, with padding, and the distances of neighbours along its axes.

    Args:
        wide: elements of a vector.
        several: whether there are more rows, which begin in other banks.

    >>> row_of((5, 7), 4), row_of((3,), 4)
    ((36, (7, 1)), (3, (1,)))
    """
    length, steps = 1, list[int]()
    for extent in reversed(extents):
        steps.insert(0, length)
        length *= extent
        if length >= 2 * wide:
            length += -length % wide
    if several:
        length += (wide - length) % (2 * wide) if length >= 2 * wide else 1 - length % 2
    return length, tuple(steps)


def _trailing(flags: list[bool]) -> int:
    """The number of true flags at the end."""
    return next((k for k, flag in enumerate(reversed(flags)) if not flag), len(flags))


def flat(shape: tuple[int, ...], index: tuple[Index, ...]) -> Index:
    """Row-major position of an element."""
    place = Index()
    for i, extent in zip(index, shape, strict=True):
        place = place * extent + i
    return place


def _accums(
    body: Body, loops: tuple[Loop, ...], conds: tuple[Index, ...]
) -> Iterator[tuple[Accum, tuple[Loop, ...], tuple[Index, ...]]]:
    for s in body:
        if isinstance(s, Loop):
            yield from _accums(s.body, (*loops, s), conds)
        elif isinstance(s, If):
            yield from _accums(s.body, loops, (*conds, *s.conds))
        elif isinstance(s, Accum):
            yield s, loops, conds
        elif not isinstance(s, (Let, Load)):
            raise ScheduleError("panels: only an accumulation may have an effect inside the loop")


def _products(
    loops: tuple[Loop, ...], loads: list[tuple[Load, frozenset[str]]], conds: tuple[Index, ...], accum: Accum
) -> Body:
    """The nest of the products; each factor is loaded inside the innermost loop that it depends on, and each condition
    stands there, around it."""
    body: Body = (accum,)
    pending = list(loads)
    for x in reversed(loops):
        here = [load for load, used in pending if x.var in used]
        pending = [(load, used) for load, used in pending if x.var not in used]
        skipped = tuple(c for c in conds if x.var in c.vars)
        conds = tuple(c for c in conds if x.var not in c.vars)
        body = (*here, *body)
        body = (x.with_body((If(skipped, body),) if skipped else body),)
    return (*(load for load, _ in pending), *body)


def _indices(stmt: Stmt) -> Iterator[Index]:
    if isinstance(stmt, Load):
        yield from stmt.index
    elif isinstance(stmt, Let):
        yield from (a for a in stmt.args if isinstance(a, Index))
