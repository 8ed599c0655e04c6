"""Items: how a staged kernel of several parts can be computed item by item, and an item strip by strip.

    scores[b, h, q, k] = sum d ..       items are the pairs b, h: no nest reads what another item computes
    rows[b, h, q, k] = softmax ..       a strip is a range of q: what the nests pass to each other is as large as
    y[b, q, h, d] = sum k ..            a strip of an item, and stays near
    g[b, k, h, d] = sum q ..            sums over the strips go on from strip to strip

An axis of a value that nests pass to each other and a loop that indexes it belong to the same dimension. A dimension
that every nest has as one of its outer `each` loops can be a dimension of items, if all factors of products depend on
it: otherwise, different items would read the same data. For the dimension of strips, a nest may also be a sum over it;
the nests after the sum then lack this dimension. passes/join_items.py finds out here what may be joined; the step
by_items (ir/steps/items.py) and views (ir/item_views.py) do the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from mochac.base.records import record
from mochac.base.threads import cached_property
from mochac.ir.index import Index
from mochac.ir.kernel import (
    MULTIPLY_ADDS,
    Accum,
    Const,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Store,
    access,
    loaded_buffers,
    multiply_adds,
    walk,
)
from mochac.ir.nest import band, indices
from mochac.ir.types import DTYPES

EACH, SUM, AFTER = "each", "sum", "after"
Place = tuple[str, object, object]
"""An axis of a buffer, or a loop of a nest."""


@record
class NestRoles:
    """The roles of the loops of a nest.

    Attributes:
        items: its loops over the dimensions of items.
        strip: its loop over the dimension of strips; "" behind a sum over that.
        kind: "each", "sum" or "after": whether it computes a part of a strip, sums over strips, or follows such sums.
    """

    items: tuple[str, ...]
    strip: str
    kind: str


@record
class ItemFrame:
    """How a kernel is cut.

    Attributes:
        extents: of the dimensions of items.
        length: of the dimension of strips.
        nests: one for each top-level statement.
        passed: for each value that nests pass to each other, the dimension of each axis: the number of an item's
            dimension, -1 for strips, -2 for others.
        shared: whether strips of an item read the same data, such as the keys; if not, each row is like an item.
        others: other dimensions of which such values have an axis; for each of these values, which axis.
    """

    extents: tuple[int, ...]
    length: int
    nests: tuple[NestRoles, ...]
    passed: Mapping[str, tuple[int, ...]]
    shared: bool = True
    others: tuple[Mapping[str, int], ...] = ()

    @property
    def independent(self) -> int:
        """How many parts of the work need no other part: items, or their rows if these share data and no sum is over
        them."""
        rows = self.shared and all(nest.kind == EACH for nest in self.nests)
        return prod(self.extents) * (self.length if rows else 1)

    def strip_bytes(self, kernel: Kernel, size: int) -> int:
        """Bytes of the values that the nests pass to each other, for a strip of an item."""
        types = {name: kernel.buffers()[name].type for name in self.passed}
        return sum(
            DTYPES[t.dtype].itemsize
            * prod(size if axis == STRIP else n for n, axis in zip(t.shape, self.passed[name], strict=True) if axis < 0)
            for name, t in types.items()
        )


STRIP, OTHER = -1, -2


def item_frame(kernel: Kernel) -> ItemFrame | None:
    """The frame with the most dimensions of items and the fewest sums over strips; None if there is none."""
    if any(not isinstance(s, Loop) or s.kind != "each" for s in kernel.body):
        return None
    if any(b.type.lanes for b in kernel.buffers().values()):
        return None
    if any(isinstance(s, Loop) and s.at for s in walk(kernel.body)):
        return None
    return _Dimensions(kernel).frame()


@record
class _Nest:
    """A top-level nest: its outer `each` loops, all its loops, the values that it passes on, and those that it
    reads."""

    number: int
    top: Loop
    stored: frozenset[str]
    read: frozenset[str]

    @cached_property
    def outer(self) -> dict[str, Loop]:
        return {loop.var: loop for loop in band((self.top,), kind="each")}

    @cached_property
    def loops(self) -> dict[str, Loop]:
        return {s.var: s for s in walk((self.top,)) if isinstance(s, Loop)}

    @cached_property
    def mixed(self) -> set[str]:
        """The variables that occur other than as whole indices or as arguments of functions; loops of one iteration do
        not count."""
        once = {v for v, loop in self.loops.items() if loop.extent == 1}
        found: set[str] = set()
        for s in walk((self.top,)):
            plain = isinstance(s, (Let, Load, Store))
            for index in indices(s):
                terms = [term for term in index.terms if term[0] not in once]
                if not (plain and len(terms) == 1 and terms[0][1] == 1 and not index.const):
                    found.update(v for v, _ in terms)
        return found

    @cached_property
    def factors(self) -> list[set[str]]:
        """The variables on which each factor of its products depends."""
        sums = [s for s in walk((self.top,)) if isinstance(s, Loop) and s.kind == "sum"]
        products = [s for s in sums if multiply_adds(s.body)]
        loads = [x for s in products for x in s.body if isinstance(x, Load) and x.index]
        return [{v for i in load.index for v in i.vars} for load in loads]


class _Dimensions:
    """Dimensions of a kernel, as classes of places."""

    def __init__(self, kernel: Kernel) -> None:
        registers = {b.name for b in kernel.locals if b.space == "register"}
        stored = {s.buffer for s in walk(kernel.body) if isinstance(s, (Store, Accum))} - registers
        self.shapes = {b.name: b.type.shape for b in kernel.buffers().values()}
        self.passed = stored & loaded_buffers(kernel.body)
        self.nests = [self._nest(k, s) for k, s in enumerate(kernel.body) if isinstance(s, Loop)]
        self.parent: dict[Place, Place] = {}
        self.broken: set[Place] = set()
        for nest in self.nests:
            self._note(nest)

    def _nest(self, number: int, top: Loop) -> _Nest:
        stored = {s.buffer for s in walk((top,)) if isinstance(s, (Store, Accum))}
        read = loaded_buffers((top,))
        return _Nest(number, top, frozenset(stored & self.passed), frozenset((read & self.passed) - stored))

    def _note(self, nest: _Nest) -> None:
        for s in walk((nest.top,)):
            found = access(s)
            if found is None or found[0] not in self.passed:
                continue
            for axis, index in enumerate(found[1]):
                place = ("axis", found[0], axis)
                self._find(place)
                if len(index.vars) == 1 and index == Index.var(index.vars[0]):
                    self._join(place, ("loop", nest.number, index.vars[0]))
                elif not index.is_const:
                    self.broken.add(place)

    def _find(self, place: Place) -> Place:
        self.parent.setdefault(place, place)
        while self.parent[place] != place:
            place = self.parent[place]
        return place

    def _join(self, a: Place, b: Place) -> None:
        self.parent[self._find(a)] = self._find(b)

    # -- the frame

    def frame(self) -> ItemFrame | None:
        classes: dict[Place, set[Place]] = {}
        for place in sorted(self.parent, key=str):
            classes.setdefault(self._find(place), set()).add(place)
        order = sorted((c for c in classes.values() if not c & self.broken), key=self._position)
        items = [c for c in order if self._is_item(c)]
        kinds = [(c, found) for c in order if (found := self._strip_kinds(c)) is not None]
        if not kinds:
            return None
        strip, roles = min(
            reversed(kinds), key=lambda pair: (pair[0] in items, sum(kind == SUM for _, kind in pair[1]))
        )
        shared, items = strip not in items, [c for c in items if c is not strip]
        if not items:
            return None
        return ItemFrame(
            extents=tuple(self._extent(c) for c in items),
            length=self._extent(strip),
            nests=tuple(
                NestRoles(tuple(self._vars(c, nest)[0] for c in items), var, kind)
                for nest, (var, kind) in zip(self.nests, roles, strict=True)
            ),
            passed={name: self._axes(name, items, strip) for name in sorted(self.passed)},
            shared=shared,
            others=tuple(found for c in order if c is not strip and c not in items and (found := _once(c))),
        )

    def _position(self, c: set[Place]) -> tuple[int, ...]:
        """The position of a class in the first value that is passed on; classes that are not in it come last."""
        first = next((name for nest in self.nests for name in sorted(nest.stored)), "")
        axes = [axis for kind, name, axis in c if kind == "axis" and name == first and isinstance(axis, int)]
        return (0, min(axes)) if axes else (1, 0)

    def _extent(self, c: set[Place]) -> int:
        return next(self.shapes[str(name)][axis] for kind, name, axis in c if kind == "axis" and isinstance(axis, int))

    def _axes(self, name: str, items: list[set[Place]], strip: set[Place]) -> tuple[int, ...]:
        def which(axis: int) -> int:
            place = ("axis", name, axis)
            return next((k for k, c in enumerate(items) if place in c), STRIP if place in strip else OTHER)

        return tuple(which(axis) for axis in range(len(self.shapes[name])))

    def _vars(self, c: set[Place], nest: _Nest) -> list[str]:
        return [str(var) for kind, number, var in c if kind == "loop" and number == nest.number]

    def _count(self, c: set[Place], name: str) -> int:
        return sum(kind == "axis" and buffer == name for kind, buffer, _ in c)

    def _is_item(self, c: set[Place]) -> bool:
        if any(self._count(c, name) != 1 for name in self.passed):
            return False
        found = [(nest, self._vars(c, nest)) for nest in self.nests]
        one = all(len(vars) == 1 and vars[0] in nest.outer and vars[0] not in nest.mixed for nest, vars in found)
        return one and all(vars[0] in factor for nest, vars in found for factor in nest.factors)

    def _strip_kinds(self, c: set[Place]) -> list[tuple[str, str]] | None:
        """The loop and the kind of every nest, if the class can be the dimension of strips."""
        if any(self._count(c, name) > 1 for name in self.passed):
            return None
        along = {name for name in self.passed if self._count(c, name)}
        found: list[tuple[str, str]] = []
        for nest in self.nests:
            var, kind = next(iter(self._vars(c, nest)), ""), self._kind(c, nest)
            reads = not nest.read & along if kind == AFTER else nest.read <= along
            stores = nest.stored <= along if kind == EACH else not nest.stored & along
            if not kind or not reads or not stores:
                return None
            found.append((var, kind))
        return found

    def _kind(self, c: set[Place], nest: _Nest) -> str:
        vars = self._vars(c, nest)
        if not vars:
            return AFTER
        if len(vars) > 1 or vars[0] in nest.mixed:
            return ""
        if vars[0] in nest.outer:
            return EACH
        return SUM if _sums(nest, vars[0]) else ""


def _once(c: set[Place]) -> Mapping[str, int]:
    """The values that have one axis in a class, with that axis; empty if a value has several."""
    axes = [(str(name), axis) for kind, name, axis in c if kind == "axis" and isinstance(axis, int)]
    return dict(axes) if len(dict(axes)) == len(axes) else {}


def _sums(nest: _Nest, var: str) -> bool:
    """Whether a nest is one sum of products over a loop, and over others: zero, the sum, and one store of it."""
    body = band((nest.top,), kind="each")[-1].body
    if len(body) != 4:
        return False
    zero, total, read, store = body
    if not (
        isinstance(zero, Store) and isinstance(total, Loop) and isinstance(read, Load) and isinstance(store, Store)
    ):
        return False
    inner = [s for s in walk((total,)) if isinstance(s, (Loop, If))]
    added = [s for s in walk((total,)) if isinstance(s, Accum)]
    return (
        isinstance(zero.value, Const)
        and zero.value.value == 0
        and [(s.buffer, s.fn in MULTIPLY_ADDS) for s in added] == [(zero.buffer, True)]
        and (read.buffer, store.value) == (zero.buffer, read.name)
        and all(isinstance(s, Loop) and s.kind == "sum" for s in inner)
        and var in {loop.var for loop in band((total,))}
    )
