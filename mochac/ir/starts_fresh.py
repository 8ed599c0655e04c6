"""Which locals begin anew with each iteration, by what statements read and write.

starts_fresh: whether a body sets all elements of a local that it reads, so that no value is carried into it.

    each r in 0..4 { acc[r] = 0 }                                 each r in 0..3 { acc[r] = 0 }
    sum k { each r in 0..4 { acc[r] = x[k] + acc[r] } }           sum k { each r in 0..4 { acc[r] = x[k] + acc[r] } }

The first body starts fresh; the second one reads an acc[3] that it has not set. Steps that cut a loop, or give its
iterations their own copy of a local, need to know; so does the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mochac.base.records import record
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Body, If, Loop, Prefetch, Stmt, Store, access


@record
class Use:
    """An access, with the loops and conditions around it, outermost first."""

    stmt: Stmt
    index: tuple[Index, ...]
    loops: tuple[Loop, ...]
    conds: tuple[Index, ...]

    def own_loops(self, other: Use) -> tuple[Loop, ...]:
        """The loops around it that are not around the other access."""
        shared = sum(a is b for a, b in zip(self.loops, other.loops, strict=False))
        return self.loops[shared:]


def uses(
    body: tuple[Stmt, ...], name: str, loops: tuple[Loop, ...] = (), conds: tuple[Index, ...] = ()
) -> Iterator[Use]:
    """Accesses to a buffer in a body, in order; prefetches are among them.

    Args:
        loops, conds: around the body.
    """
    for stmt in body:
        if isinstance(stmt, Loop):
            yield from uses(stmt.body, name, (*loops, stmt), conds)
        elif isinstance(stmt, If):
            yield from uses(stmt.body, name, loops, (*conds, *stmt.conds))
        elif (at := access(stmt)) is not None and at[0] == name:
            yield Use(stmt, at[1], loops, conds)


Box = tuple[tuple[int, int], ...]
"""First and last element along each axis."""


def starts_fresh(body: Body, name: str) -> bool:
    """Whether every element of a local that the body reads was stored by it before, under conditions that hold.

    False if that cannot be decided, as for elements that earlier iterations of a loop have stored.
    """
    stored: list[Use] = []
    for use in uses(body, name):
        if isinstance(use.stmt, Prefetch):  # reads no value
            continue
        if isinstance(use.stmt, Store):
            stored.append(use)
        elif not any(_sets(store, use) for store in stored) and not _fill(stored, use):
            return False
    return True


def _sets(store: Use, read: Use) -> bool:
    """Whether the elements that an iteration reads are stored by the iteration with the same numbers."""
    if store.index != read.index:
        return False
    own_loops, known = store.own_loops(read), [*read.conds, *_facts(read.own_loops(store))]
    along = tuple(loop for loop in own_loops if any(loop.var in i.vars for i in store.index))
    others = [loop for loop in own_loops if loop not in along]
    needed = [*store.conds, *_facts(along)]
    return _run(others) and not _mention(needed, others) and all(_implied(c, known) for c in needed)


def _facts(loops: Sequence[Loop]) -> list[Index]:
    """Conditions >= 0 that hold inside of loops: variables are between their limits."""
    facts: list[Index] = []
    for loop in loops:
        var = Index.var(loop.var)
        facts += [var * divisor - i for i, divisor in loop.lo.candidates]
        facts += [i - var * divisor - 1 for i, divisor in loop.hi.candidates]
    return facts


def _run(loops: Sequence[Loop]) -> bool:
    return all(loop.extent for loop in loops)


def _mention(conds: Sequence[Index], loops: Sequence[Loop]) -> bool:
    names = {loop.var for loop in loops}
    return any(not names.isdisjoint(c.vars) for c in conds)


def _implied(cond: Index, known: Sequence[Index]) -> bool:
    return any(k.terms == cond.terms and k.const <= cond.const for k in known)


def _fill(stored: Sequence[Use], read: Use) -> bool:
    """Whether stores inside of the same loops fill the box of elements that is read."""
    around = {len(loops): loops for loops in map(read.own_loops, stored)}
    return any(
        _filled([store for store in stored if len(read.own_loops(store)) == n], read, loops)
        for n, loops in around.items()
    )


def _filled(stored: Sequence[Use], read: Use, loops: tuple[Loop, ...]) -> bool:
    whole = _box(read.index, loops)
    missing = [] if whole is None else [whole]
    sure = [store for store in stored if _certain(store, read)]
    for index, own_loops in _side_by_side([(store.index, store.own_loops(read)) for store in sure]):
        part = _box(index, own_loops) if _without_gaps(index, own_loops) else None
        if part is not None and _start(index, own_loops) == _start(read.index, loops):
            missing = [rest for box in missing for rest in _minus(box, part)]
    return whole is not None and not missing


def _certain(store: Use, read: Use) -> bool:
    """Whether a store happens whenever the read does."""
    own_loops = store.own_loops(read)
    return (
        _run(own_loops) and not _mention(store.conds, own_loops) and all(_implied(c, read.conds) for c in store.conds)
    )


Places = tuple[tuple[Index, ...], tuple[Loop, ...]]
"""The index of a store, and the loops that move it."""


def _side_by_side(stored: Sequence[Places]) -> list[Places]:
    """Stores, with those to neighbours along an axis as one in a loop: v[4*i], v[4*i + 1], .. v[4*i + 3] as v[4*i + k].
    Each of them may leave gaps, which the others fill."""
    found = list(stored)
    for axis in range(len(stored[0][0]) if stored else 0):
        runs: dict[object, list[Places]] = {}
        for index, loops in sorted(found, key=lambda place: place[0][axis].const):
            same = (*index[:axis], index[axis].terms, *index[axis + 1 :], *map(id, loops))
            run = runs.setdefault(same, [])
            if run and index[axis].const != run[-1][0][axis].const + 1:
                runs[same, len(runs)], run = run, []
                runs[same] = run
            run.append((index, loops))
        found = [_run_along(axis, run) for run in runs.values()]
    return found


def _run_along(axis: int, run: list[Places]) -> Places:
    """Stores to consecutive elements along an axis, as one store in a loop."""
    index, loops = run[0]
    if len(run) == 1:
        return index, loops
    loop = Loop(f"{axis}", Limit.of(0), Limit.of(len(run)), "each", "serial", ())
    return (*index[:axis], index[axis] + Index.var(loop.var), *index[axis + 1 :]), (*loops, loop)


def _start(index: tuple[Index, ...], loops: Sequence[Loop]) -> list[tuple[tuple[str, int], ...]]:
    """The index at which loops start along each axis: the terms of other loops."""
    own = {loop.var for loop in loops}
    return [tuple(term for term in i.terms if term[0] not in own) for i in index]


def _box(index: tuple[Index, ...], loops: Sequence[Loop]) -> Box | None:
    """The smallest box around the elements that an access reaches in loops, relative to their start; None if a loop has
    no constant limit."""
    ranges = {loop.var: (_least(loop.lo), _most(loop.hi)) for loop in loops}
    axes: list[tuple[int, int]] = []
    for i in index:
        first = last = i.const
        for var, n in i.terms:
            lo, hi = ranges.get(var, (0, 1))
            if lo is None or hi is None:
                return None
            first, last = first + min(n * lo, n * (hi - 1)), last + max(n * lo, n * (hi - 1))
        axes.append((first, last))
    return tuple(axes)


def _least(limit: Limit) -> int | None:
    return max(_constants(limit), default=None)


def _most(limit: Limit) -> int | None:
    return min(_constants(limit), default=None)


def _constants(limit: Limit) -> list[int]:
    return [-(-i.const // divisor) for i, divisor in limit.candidates if i.is_const]


def _without_gaps(index: tuple[Index, ...], loops: Sequence[Loop]) -> bool:
    """Whether an access reaches every element of its box: no loop moves along two axes, and none leaves gaps."""
    extents = {loop.var: loop.extent or 0 for loop in loops}
    axes = [sorted((n, v) for v, n in i.terms if v in extents) for i in index]
    for axis in axes:
        reach = 1
        for n, var in axis:
            if not 0 < n <= reach:
                return False
            reach += n * (extents[var] - 1)
    moved = [var for axis in axes for _, var in axis]
    return len(moved) == len(set(moved))


def _minus(box: Box, part: Box) -> list[Box]:
    """Boxes of the elements of a box that are not in another one."""
    if any(hi < first or last < lo for (lo, hi), (first, last) in zip(box, part, strict=True)):
        return [box]
    rest: list[Box] = []
    for axis, ((lo, hi), (first, last)) in enumerate(zip(box, part, strict=True)):
        before, after = box[:axis], box[axis + 1 :]
        rest += [(*before, end, *after) for end in ((lo, first - 1), (last + 1, hi)) if end[0] <= end[1]]
        box = (*before, (max(lo, first), min(hi, last)), *after)
    return rest
