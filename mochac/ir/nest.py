"""Helpers for loop nests: find loops by name or structure, replace them, and bound their variables.

Schedule steps, scheduling rules, the verifier and the printers use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import is_

from mochac.base.registry import did_you_mean
from mochac.ir.index import Index
from mochac.ir.kernel import (
    Accum,
    Body,
    Buffer,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Prefetch,
    Stmt,
    Store,
    access,
    loops_named,
    rewrite,
    used_names,
    walk,
)
from mochac.ir.schedule import ScheduleError

Ranges = Mapping[str, tuple[int, int]]
"""Loop variable -> inclusive range of its values."""


def loops(kernel: Kernel) -> dict[str, Loop]:
    """All loops by variable, outer first; of several over one variable, the last (naive kernels have one each)."""
    return {s.var: s for s in walk(kernel.body) if isinstance(s, Loop)}


def extents(kernel: Kernel) -> dict[str, int]:
    """How many values each variable has whose loops all have constant limits.

    A variable has several loops after a step that copied its loop. With a remainder that was cut off, they are the
    loops over whole blocks, in 0..3, and over the last, in 3..4: the extent is 4. That of the loop inside of a block is
    the size of a whole block.
    """
    named: dict[str, list[Loop]] = {}
    for stmt in walk(kernel.body):
        if isinstance(stmt, Loop):
            named.setdefault(stmt.var, []).append(stmt)
    return {var: extent for var, same in named.items() if (extent := _values(same)) is not None}


def _values(same: Sequence[Loop]) -> int | None:
    """From the first iteration of loops over one variable to their last, None if that isn't constant."""
    if any(loop.extent is None for loop in same):
        return None
    first, last = min(loop.lo.const or 0 for loop in same), max(loop.hi.const or 0 for loop in same)
    return max(0, last - first)


def band(body: Body, *, kind: str = "", run: str = "") -> list[Loop]:
    """The outermost perfectly nested loops; with `kind` or `run`, only those of that kind or way to run."""
    found: list[Loop] = []
    while len(body) == 1 and isinstance(loop := body[0], Loop) and kind in ("", loop.kind) and run in ("", loop.run):
        found.append(loop)
        body = loop.body
    return found


def with_band_run(body: Body, names: Sequence[str], run: str) -> Body:
    """The body with the outermost perfectly nested `each` loops, whose names must be `names`, run in another way.

    Raises:
        ScheduleError: the loops have other names, or limits that are not constant.
    """
    if not names:
        return body
    top = body[0] if len(body) == 1 else None
    if not isinstance(top, Loop) or top.var != names[0] or top.kind != "each" or top.extent is None:
        raise ScheduleError(
            f"{run}: {names[0]!r} is not the next outermost perfectly nested 'each' loop with constant limits"
        )
    return (replace(top, run=run, body=with_band_run(top.body, names[1:], run)),)


def require_loops(kernel: Kernel, var: str, step: str) -> list[Loop]:
    """All loops over `var`; ScheduleError if there is none."""
    named = loops_named(kernel.body, var)
    if not named:
        known = loops(kernel)
        raise ScheduleError(
            f"{step}: kernel {kernel.name!r} has no loop {var!r} (loops: {' '.join(known)}){did_you_mean(var, known)}"
        )
    return named


def require_local(kernel: Kernel, name: str, step: str) -> Buffer:
    """The local of that name; ScheduleError if there is none."""
    found = next((b for b in kernel.locals if b.name == name), None)
    if found is None:
        raise ScheduleError(f"{step}: kernel {kernel.name!r} has no local {name!r}")
    return found


def constant_range(loop: Loop, step: str) -> tuple[int, int]:
    """(lo, hi) of a loop with constant limits; ScheduleError otherwise."""
    lo, hi = loop.lo.const, loop.hi.const
    if lo is None or hi is None or loop.at:
        raise ScheduleError(f"{step}: loop {loop.var!r} must have constant limits")
    return lo, hi


def map_loops(body: Body, var: str, fn: Callable[[Loop], Stmt | Body]) -> Body:
    """Replace every loop over `var` by `fn(loop)`; everything else stays."""
    out: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, Loop) and stmt.var == var:
            new = fn(stmt)
            out.extend(new if isinstance(new, tuple) else (new,))
        elif isinstance(stmt, (Loop, If)):
            inner = map_loops(stmt.body, var, fn)
            out.append(stmt if inner is stmt.body else stmt.with_body(inner))
        else:
            out.append(stmt)
    return body if len(out) == len(body) and all(map(is_, out, body)) else tuple(out)


def indices(stmt: Stmt) -> Iterable[Index]:
    """The index expressions of a statement, without those of its body."""
    match stmt:
        case Let(_, _, args):
            yield from (a for a in args if isinstance(a, Index))
        case Load(_, _, index) | Prefetch(_, index, _):
            yield from index
        case Store(_, index, value):
            yield from index
            if isinstance(value, Index):
                yield value
        case Accum(_, index, _, args):
            yield from index
            yield from (a for a in args if isinstance(a, Index))
        case If(conds, _):
            yield from conds
        case Loop():
            yield from (i for i, _ in (*stmt.lo.candidates, *stmt.hi.candidates))


def mentions(index: Index, var: str) -> bool:
    """Whether `var` occurs in an index."""
    for v, _ in index.terms:
        if v == var:
            return True
    return False


def depends_on(body: Body, var: str) -> bool:
    """Whether an index anywhere in a body mentions `var`."""
    for stmt in body:
        if any(mentions(i, var) for i in indices(stmt)):
            return True
        if isinstance(stmt, (Loop, If)) and depends_on(stmt.body, var):
            return True
    return False


def contains_loop(stmt: Stmt, test: Callable[[Loop], bool]) -> bool:
    """Whether a statement is or contains a loop that passes `test`."""
    return any(isinstance(s, Loop) and test(s) for s in walk((stmt,)))


def loop_range(loop: Loop, ranges: Ranges) -> tuple[int, int]:
    """Inclusive bounds of a loop's variable; lo > hi if the loop certainly never runs."""
    lows, highs = [], []
    for index, divisor in loop.lo.candidates:
        bounds = index.bounds(ranges)
        if bounds is not None:
            lows.append(-(-bounds[0] // divisor))
    for index, divisor in loop.hi.candidates:
        bounds = index.bounds(ranges)
        if bounds is not None:
            highs.append(-(-bounds[1] // divisor) - 1)
    if not lows or not highs:
        raise ScheduleError(f"loop {loop.var!r} has limits over unknown variables")
    return max(lows), min(highs)


def surely(cond: Index, ranges: Ranges) -> bool:
    """Whether a condition, an index that must not be negative, certainly holds."""
    bounds = cond.bounds(ranges)
    return bounds is not None and bounds[0] >= 0


def ranged_accesses(body: Body, ranges: Ranges) -> Iterator[tuple[Stmt, Ranges]]:
    """Every access, with the ranges of the loops around it."""
    for s in body:
        if isinstance(s, Loop):
            yield from ranged_accesses(s.body, {**ranges, s.var: loop_range(s, ranges)})
        elif isinstance(s, If):
            yield from ranged_accesses(s.body, ranges)
        elif access(s) is not None:
            yield s, ranges


def pure_global_load(stmt: Load, kernel: Kernel, written: set[str]) -> bool:
    """Whether a load always gives the same value: its buffer is a parameter that the kernel does not write."""
    return stmt.buffer not in written and any(stmt.buffer == b.name for b in kernel.inputs)


def path_to(body: Body, inner: Stmt, new: Body) -> Body:
    """The loops and conditions around `inner`, with `new` in its place and nothing else."""
    for s in body:
        if s is inner:
            return new
        if isinstance(s, (Loop, If)) and any(x is inner for x in walk(s.body)):
            return (s.with_body(path_to(s.body, inner, new)),)
    return ()


def offset(loop: Loop) -> Index:
    """Number of the current iteration, counted from 0."""
    lo = loop.lo.const
    assert lo is not None
    return Index(((loop.var, 1),), -lo)


def drop_unused(body: Body) -> Body:
    """Drop values that nothing in the body reads, and values that only these read."""
    while True:
        kept = _only(body, used_names(body))
        if kept is body:
            return body
        body = kept


def _only(body: Body, used: set[str]) -> Body:
    out: list[Stmt] = []
    for s in body:
        if isinstance(s, (Let, Load)) and s.name not in used:
            continue
        if isinstance(s, (Loop, If)):
            inner = _only(s.body, used)
            if not inner:
                continue
            s = s.with_body(inner) if inner is not s.body else s
        out.append(s)
    return body if len(out) == len(body) and all(map(is_, out, body)) else tuple(out)


def is_register(outer: Loop) -> bool:
    """Whether a loop contains only a vector loop, so that the two can run as lanes of one register."""
    inner = outer.body[0]
    if len(outer.body) != 1 or not isinstance(inner, Loop) or any(isinstance(s, Loop) for s in walk(inner.body)):
        return False
    return (outer.kind, inner.kind, inner.run) == ("each", "each", "vector")


def store_after(body: Body, name: str, store: Store) -> Body:
    """The body with a store behind the statement that makes the value `name`."""
    out: list[Stmt] = []
    for s in body:
        if isinstance(s, (Loop, If)):
            s = s.with_body(store_after(s.body, name, store))
        out.append(s)
        if isinstance(s, (Let, Load)) and s.name == name:
            out.append(store)
    return tuple(out)


def added_to(body: Body, local: str, other: str) -> Body:
    """The body with everything that is added to `local` added to another local."""
    return rewrite(body, lambda s: replace(s, buffer=other) if isinstance(s, Accum) and s.buffer == local else None)
