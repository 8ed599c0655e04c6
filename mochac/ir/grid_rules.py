"""The rules of kernels for GPUs: what loops run as blocks and lanes may contain, and which locals threads may share.

kernel_verify runs them after those of kernel_rules, on scheduled kernels. Together they say that threads meet only
outside of lanes, so that a printer can put barriers there and nowhere else.
"""

from __future__ import annotations

import math

from mochac.ir.kernel import Accum, Load, Loop, Store, access, walk
from mochac.ir.kernel_rules import Found, Place, Problem, Rule, Subject

WARP = 32
"""Threads of a warp, which exchange registers."""


def blocks_outermost(s: Subject) -> Found:
    """Blocks loops are perfectly nested `each` loops with constant limits, and all there is at the top."""
    rule = "blocks-outermost"
    for p in s.places:
        if not isinstance(p.stmt, Loop) or p.stmt.run != "blocks":
            continue
        if p.stmt.kind != "each" or p.stmt.extent is None:
            yield Problem(rule, f"blocks loop {p.stmt.var!r} must be 'each' with constant limits", p.stmt)
        if p.conds or any(loop.run != "blocks" or len(loop.body) != 1 for loop in p.loops):
            yield Problem(rule, f"blocks loop {p.stmt.var!r} is not perfectly nested in blocks loops", p.stmt)
        if not p.loops and len(s.kernel.body) != 1:
            yield Problem(rule, "a statement beside blocks loops would run in every block", p.stmt)
        if not s.kernel.lanes:
            yield Problem(rule, "blocks need a number of lanes, even if it is 1", p.stmt)


def lanes_nest(s: Subject) -> Found:
    """Loops run as lanes are perfectly nested, all `each` or all `sum`, with constant limits and no nest inside."""
    rule = "lanes-nest"
    for p in s.places:
        if not isinstance(p.stmt, Loop) or p.stmt.run != "lanes":
            continue
        around = [loop for loop in p.loops if loop.run == "lanes"]
        if not s.kernel.lanes:
            yield Problem(rule, f"lanes loop {p.stmt.var!r} in a kernel without a number of lanes", p.stmt)
        if p.stmt.kind == "for" or p.stmt.extent is None or any(loop.kind != p.stmt.kind for loop in around):
            text = f"lanes loop {p.stmt.var!r} must be 'each' or 'sum', as those around it, with constant limits"
            yield Problem(rule, text, p.stmt)
        if around and (any(len(x.body) != 1 for x in around) or p.loops[-len(around) :] != tuple(around)):
            yield Problem(rule, f"lanes loop {p.stmt.var!r} is not perfectly nested in lanes loops", p.stmt)
        if p.stmt.kind == "sum" and s.kernel.lanes % WARP:
            yield Problem(rule, f"lanes that join sums are whole warps of {WARP}, not {s.kernel.lanes}", p.stmt)


def lanes_private(s: Subject) -> Found:
    """A register local set in an `each` nest and used after it has a dimension for each loop of the nest, always the
    same; what a `sum` nest joins is a local."""
    for name in (b.name for b in s.kernel.locals if b.space == "register"):
        uses = [p for p in s.places if _on(p, name)]
        nests = [_nest(p) for p in uses]
        if len({n[:1] for n in nests}) <= 1 and not any(n and n[0].kind == "sum" for n in nests):
            if not nests or not nests[0] or _inside(s, uses, nests[0][0]):
                continue
        written = [p for p, n in zip(uses, nests, strict=True) if n and n[0].kind == "each" and _writes(p)]
        if written and len({_identity(p) for p in uses}) > 1:
            yield Problem("lanes-private", f"%{name} is not each thread's own everywhere", written[0].stmt)
        elif written and math.prod(x.extent or 0 for x in _nest(written[0])) > s.kernel.lanes:
            yield Problem("lanes-private", f"%{name} would hold more than one iteration of a thread", written[0].stmt)
    for p in s.places:
        if isinstance(p.stmt, Accum) and any(x.kind == "sum" for x in _nest(p)):
            if s.buffers[p.stmt.buffer].space == "global":
                yield Problem("lanes-private", f"%{p.stmt.buffer} is joined over lanes in memory", p.stmt)


def _on(p: Place, name: str) -> bool:
    found = access(p.stmt)
    return found is not None and found[0] == name


def _nest(p: Place) -> tuple[Loop, ...]:
    return tuple(loop for loop in p.loops if loop.run == "lanes")


def _inside(s: Subject, uses: list[Place], nest: Loop) -> bool:
    """Whether all uses of a local are in one nest and none names its loops: then it lives inside."""
    variables = {x.var for x in _nest(uses[0])}
    named = {v for p in uses for i in (access(p.stmt) or ("", ()))[1] for v in i.vars}
    return all(_nest(p)[0] is nest for p in uses) and not named & variables


def _writes(p: Place) -> bool:
    return isinstance(p.stmt, (Store, Accum))


def _identity(p: Place) -> tuple[object, ...]:
    """Extents of the nest, and which dimension each of its loops indexes."""
    found = access(p.stmt)
    assert found is not None
    plain = {i.terms[0][0]: a for a, i in enumerate(found[1]) if len(i.terms) == 1 and not i.const}
    return tuple((loop.extent, plain.get(loop.var, ("missing", loop.var))) for loop in _nest(p))


def lanes_shared(s: Subject) -> Found:
    """Inside a nest of lanes, nothing that threads share is both read and written; scratch is a thread's own."""
    shared = {b.name for b in s.kernel.locals if b.space == "shared"}
    for stmt in walk(s.kernel.body):
        if isinstance(stmt, Loop) and stmt.run == "lanes":
            read = {x.buffer for x in walk(stmt.body) if isinstance(x, (Load, Accum))}
            written = {x.buffer for x in walk(stmt.body) if isinstance(x, (Store, Accum))}
            if stmt.kind == "sum":
                joined = {x.buffer for x in walk(stmt.body) if isinstance(x, Accum)}
                other = {x.buffer for x in walk(stmt.body) if isinstance(x, (Load, Store))}
                written -= joined - other  # parts are in registers, and joined at the end
            for name in sorted(read & written & shared):
                text = f"%{name} is read and written inside lanes loop {stmt.var!r}, where threads cannot wait"
                yield Problem("lanes-shared", text, stmt)
    if shared and not s.kernel.lanes:
        yield Problem("lanes-shared", "a kernel with shared locals needs a number of lanes")


GRID: tuple[Rule, ...] = (blocks_outermost, lanes_nest, lanes_private, lanes_shared)
