"""Views: the work of a part of a kernel for one strip of one item, as a kernel of its own.

    each b { each h { each q in 0..256 { each k { s[b, h, q, k] = .. x[b, q, h, d] .. } } } }
    ->
    each q in 0..64 { each k { s[q, k] = .. x[q, d] .. } }           items b, h; strips of 64 of q

A view is scheduled like any kernel; `View.placed` then puts the scheduled body back where the item and the strip are
known. Buffers lose the axes of items and axes with one element; a buffer that is read in several ways becomes several
buffers. A function of an item's or a strip's number reads the number from a scalar. A sum over strips becomes a sum
over one strip that is added to the result so far; zeros are stored before the first strip, and work that follows the
sum comes after the last one. One strip of all rows needs neither.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.items import AFTER, STRIP, SUM, ItemFrame, NestRoles
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    Const,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Stmt,
    Store,
    access,
    accessed_buffers,
    defined_names,
    identity,
    rewrite,
    substitute,
    walk,
)
from mochac.ir.names import claimed
from mochac.ir.nest import band
from mochac.ir.types import TensorType

BEFORE, WITHIN, BEHIND = "before", "within", "behind"
"""Where a view is computed: before the first strip, in every strip, behind the last one."""
NUMBER = "number"
"""Scalars of views that hold numbers of items and strips are called number.0, number.1, ... and number.strip."""


@record
class Pattern:
    """How a view's buffer lies in a buffer of the kernel: for each axis of the kernel's buffer, the number of an item's
    dimension, STRIP, a constant index, or None for an axis that the view has, too."""

    buffer: str
    axes: tuple[int | Index | None, ...]

    def index(self, own: Sequence[Index], items: Sequence[Index], first: Index) -> tuple[Index, ...]:
        """Where an element of the view is in the kernel's buffer."""
        rest = list(own)
        found: list[Index] = []
        for axis in self.axes:
            if isinstance(axis, Index):
                found.append(axis)
            elif axis is None:
                found.append(rest.pop(0))
            else:
                found.append(first + rest.pop(0) if axis == STRIP else items[axis])
        return tuple(found)


@record
class View:
    """A part of a kernel, for one strip of one item.

    Attributes:
        place: BEFORE, WITHIN or BEHIND.
        kernel: the part.
        patterns: where each of its buffers lies, except scalars with numbers.
        size: rows of a strip.
    """

    place: str
    kernel: Kernel
    patterns: Mapping[str, Pattern]
    size: int

    def columns(self, axes: Mapping[str, int]) -> dict[str, int]:
        """Given an axis for some of the kernel's values, the axes of the view's buffers."""
        found: dict[str, int] = {}
        for name, pattern in self.patterns.items():
            kept = [k for k, axis in enumerate(pattern.axes) if axis is None or axis == STRIP]
            if axes.get(pattern.buffer) in kept:
                found[name] = kept.index(axes[pattern.buffer])
        return found

    def placed(
        self, scheduled: Kernel, items: Sequence[Index], first: Index, strips: Container[str], names: Mapping[str, str]
    ) -> Body:
        """The body of the scheduled view for an item, and for the strip that begins at `first`.

        Args:
            strips: values that are as large as a strip of an item.
            names: new names of the view's locals.
        """

        def place(stmt: Stmt) -> Stmt | None:
            found = access(stmt)
            if found is None:
                return None
            buffer, index = found
            if isinstance(stmt, Load) and buffer.startswith(f"{NUMBER}."):
                which = buffer.removeprefix(f"{NUMBER}.")
                return Let(stmt.name, "to_i32", (first if which == "strip" else items[int(which)],))
            if buffer in names:
                return replace(stmt, buffer=names[buffer])  # type: ignore[call-arg]
            pattern = self.patterns[buffer]
            if pattern.buffer not in strips:
                index = pattern.index(index, items, first)
            return replace(stmt, buffer=pattern.buffer, index=index)  # type: ignore[call-arg]

        return rewrite(scheduled.body, place)


def views(kernel: Kernel, frame: ItemFrame, size: int) -> list[View]:
    """The views for strips of `size`; the views of a part are in the order of their places.

    Raises:
        ScheduleError: a part does not fit.
    """
    found: list[View] = []
    at = 0
    for root, count in kernel.members:
        numbers = range(at, at + count)
        at += count
        several = size < frame.length
        behind = [k for k in numbers if several and frame.nests[k].kind == AFTER]
        sums = [k for k in numbers if several and frame.nests[k].kind == SUM]
        within = [k for k in numbers if k not in behind]
        for place, nests in ((BEFORE, sums), (WITHIN, within), (BEHIND, behind)):
            if nests:
                found.append(_Viewing(kernel, frame, size, place, root).view(nests))
    return found


def fills(kernel: Kernel, frame: ItemFrame, found: Sequence[View], values: Mapping[str, Const]) -> list[View]:
    """Views that store values before the first strip, in buffers that other views pass to each other."""
    read = {view.patterns[b.name] for view in found for b in view.kernel.inputs if b.name in view.patterns}
    views: list[View] = []
    for pattern in sorted((p for p in read if p.buffer in values), key=lambda p: p.buffer):
        size = found[0].size
        shape = [size if axis == STRIP else n for n, axis in zip(_shape(kernel, pattern), pattern.axes, strict=True)]
        kept = tuple(n for n, axis in zip(shape, pattern.axes, strict=True) if axis is None or axis == STRIP)
        vars = tuple(f"a{k}" for k, _ in enumerate(kept))
        loops = [Loop(var, Limit.of(0), Limit.of(n), "each", "serial", ()) for var, n in zip(vars, kept, strict=True)]
        target = Buffer(pattern.buffer, TensorType(values[pattern.buffer].dtype, kept))
        store = Store(target.name, tuple(map(Index.var, vars)), values[pattern.buffer])
        fill = Kernel("", (), (target,), (), _around(loops, (store,), ""), root="fill", ops=("fill",))
        views.append(View(BEFORE, fill, {target.name: pattern}, size))
    return views


def _shape(kernel: Kernel, pattern: Pattern) -> tuple[int, ...]:
    return kernel.buffers()[pattern.buffer].type.shape


@dataclass
class _Viewing:
    """Writes one view."""

    kernel: Kernel
    frame: ItemFrame
    size: int
    place: str
    root: str
    names: dict[Pattern, str] = field(default_factory=dict)
    types: dict[str, TensorType] = field(default_factory=dict)
    body: list[Stmt] = field(default_factory=list)
    once: dict[str, Index] = field(default_factory=dict)
    """Loops of the current nest with one iteration, as 0: if ci is the only channel, `ci + co` is an item's number."""
    before: dict[str, str] = field(default_factory=dict)
    """For each buffer that a sum over strips adds to, by its name in the view, the name of the values before the
    strip."""

    def __post_init__(self) -> None:
        self.buffers = self.kernel.buffers()
        self.taken = {*self.buffers, NUMBER}
        self.values = defined_names(self.kernel.body)

    def view(self, numbers: Iterable[int]) -> View:
        for k in numbers:
            nest, roles = self.kernel.body[k], self.frame.nests[k]
            assert isinstance(nest, Loop)
            if self.place == BEFORE:
                self._zeros(nest, roles)
            else:
                self._nest(nest, roles)
        kernel = self._finished(set(numbers))
        return View(self.place, kernel, {name: p for p, name in self.names.items()} | self._added(), self.size)

    def _added(self) -> dict[str, Pattern]:
        patterns = {name: pattern for pattern, name in self.names.items()}
        return {old: patterns[new] for new, old in self.before.items()}

    # -- nests

    def _nest(self, nest: Loop, roles: NestRoles) -> None:
        body = self._rewritten(self._cut(nest, roles), roles)
        if roles.kind != SUM or self.size == self.frame.length:
            self.body += body
            return
        inner = band(body, kind="each")[-1] if band(body, kind="each") else None
        stmts = inner.body if inner is not None else body
        store = stmts[-1]
        assert isinstance(store, Store)
        part = self._fresh(f"{store.buffer}.strip")
        old = self.before[store.buffer] = self._fresh(f"{store.buffer}.before")
        self.types[part] = self.types[old] = self.types[store.buffer]
        self.body += rewrite(body, lambda s: replace(s, buffer=part) if s is store else None)
        index = {loop.var: Index.var(f"{loop.var}.added") for loop in band(body, kind="each")}
        at = tuple(i.substitute(index) for i in store.index)
        one, two, both = (self._value(name) for name in ("before", "strip", "after"))
        added: Body = (
            Load(one, old, at),
            Load(two, part, at),
            Let(both, "add", (one, two)),
            Store(store.buffer, at, both),
        )
        self.body += _around(band(body, kind="each"), added, ".added")

    def _zeros(self, nest: Loop, roles: NestRoles) -> None:
        """Store zeros where a sum over strips will add."""
        body = self._rewritten(self._cut(nest, roles), roles)
        around = band(body, kind="each")
        store = (around[-1].body if around else body)[-1]
        assert isinstance(store, Store)
        self.names = {p: n for p, n in self.names.items() if n == store.buffer}
        zero = identity("add", self.types[store.buffer].dtype)
        self.body += _around(around, (Store(store.buffer, store.index, zero),), "")

    def _cut(self, nest: Loop, roles: NestRoles) -> Body:
        """The nest without its loops over items and loops of one iteration, and with its loops over strips cut to one
        strip."""
        outer = band((nest,), kind="each")
        self.once = {s.var: Index.of(0) for s in walk((nest,)) if isinstance(s, Loop) and s.extent == 1}
        self.once.pop(roles.strip, None)
        once = {v: Index.of(0) for v in (loop.var for loop in outer if loop.extent == 1) if v != roles.strip}
        body = outer[-1].body
        for loop in reversed(outer):
            if loop.var not in (*roles.items, *once):
                body = (loop.with_body(body),)
        return tuple(self._shorter(s, roles.strip) for s in substitute(body, once))

    def _shorter(self, stmt: Stmt, strip: str) -> Stmt:
        if not isinstance(stmt, Loop):
            return stmt
        if stmt.var == strip:
            return replace(stmt, hi=Limit.of(self.size))
        return stmt.with_body(tuple(self._shorter(s, strip) for s in stmt.body))

    # -- buffers and numbers

    def _rewritten(self, body: Body, roles: NestRoles) -> Body:
        def change(stmt: Stmt) -> Stmt | tuple[Stmt, ...] | None:
            if isinstance(stmt, Let) and any(isinstance(a, Index) for a in stmt.args):
                return self._numbers(stmt, roles)
            found = access(stmt)
            if found is None or self._is_register(found[0]):
                return None
            buffer, index = self._at(*found, roles)
            return replace(stmt, buffer=buffer, index=index)  # type: ignore[call-arg]

        return rewrite(body, change)

    def _is_register(self, name: str) -> bool:
        return self.buffers[name].space == "register"

    def _at(self, buffer: str, index: tuple[Index, ...], roles: NestRoles) -> tuple[str, tuple[Index, ...]]:
        """The view's buffer for an access, and the index in it."""
        shape = self.buffers[buffer].type.shape
        axes: list[int | Index | None] = []
        own: list[Index] = []
        extents: list[int] = []
        for i, extent in zip(index, shape, strict=True):
            i = i.substitute(self.once)
            if i.vars and i.vars[0] in roles.items:
                axes.append(roles.items.index(i.vars[0]))
                continue
            strip = roles.strip and i.vars == (roles.strip,)
            if (extent == 1 and not strip) or (i.is_const and buffer not in self.frame.passed):
                axes.append(i if i.is_const else Index.of(0))
                continue
            axes.append(STRIP if strip else None)
            own.append(i)
            extents.append(self.size if strip else extent)
        pattern = Pattern(buffer, tuple(axes))
        if pattern not in self.names:
            self.names[pattern] = name = self._fresh(buffer) if buffer in self.names.values() else buffer
            self.types[name] = TensorType(self.buffers[buffer].type.dtype, tuple(extents))
        return self.names[pattern], tuple(own)

    def _numbers(self, stmt: Let, roles: NestRoles) -> tuple[Stmt, ...]:
        """A call whose arguments are numbers of items or positions in a strip."""
        read: list[Stmt] = []
        args: list[Operand] = []
        for arg in stmt.args:
            which = [v for v in arg.vars if v in (*roles.items, roles.strip)] if isinstance(arg, Index) else []
            if not which:
                args.append(arg)
                continue
            strip = which[0] == roles.strip
            scalar = f"{NUMBER}.{'strip' if strip else roles.items.index(which[0])}"
            self.types[scalar] = TensorType("i32", ())
            name = self._value("first" if strip else "item")
            read.append(Load(name, scalar, ()))
            args.append(name)
            if strip:
                args[-1] = self._value("place")
                own = self._value("own")
                read += [Let(own, "to_i32", (arg,)), Let(str(args[-1]), "add", (own, name))]
        return (*read, replace(stmt, args=tuple(args)))

    def _fresh(self, stem: str) -> str:
        self.taken |= set(self.types)
        return claimed(stem, self.taken)

    def _value(self, stem: str) -> str:
        return claimed(stem, self.values)

    # -- the kernel

    def _finished(self, own: set[int]) -> Kernel:
        body = tuple(self.body)
        elsewhere = {b.name for b in self.kernel.outputs}
        for k, nest in enumerate(self.kernel.body):
            if k not in own or self.place == BEFORE:
                elsewhere |= accessed_buffers((nest,))
        used = dict.fromkeys(a[0] for s in walk(body) if (a := access(s)))
        written = {s.buffer for s in walk(body) if isinstance(s, (Store, Accum))}
        source = {name: pattern.buffer for pattern, name in self.names.items()}
        inputs, outputs, locals_ = list[Buffer](), list[Buffer](), list[Buffer]()
        for name in used:
            if name not in self.types:
                locals_.append(self.buffers[name])
            elif name not in written:
                inputs.append(Buffer(name, self.types[name]))
            elif source.get(name) in elsewhere or name in self.before:
                outputs.append(Buffer(name, self.types[name]))
            else:
                locals_.append(Buffer(name, self.types[name], "scratch"))
        root = "fill" if self.place == BEFORE else self.root
        return Kernel("", tuple(inputs), tuple(outputs), tuple(locals_), body, root=root, ops=(root,))


def _around(loops: Sequence[Loop], body: Body, suffix: str) -> Body:
    for loop in reversed(loops):
        body = (replace(loop, var=f"{loop.var}{suffix}", body=body),)
    return body
