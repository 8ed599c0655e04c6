"""Shares work between calls for neighbouring indices: four features, for example, share one Philox block.

A function's row in the scalar table says what is shared (`shared`, ir/scalar.py). The schedule decides where neighbours
are: in unrolled loops or in lanes.
"""

from __future__ import annotations

from mochac.codegen.cpu.environment import Environment
from mochac.ir.index import Index
from mochac.ir.kernel import Let
from mochac.ir.scalar import FUNCTIONS, Reg, Shared


def shared_call(env: Environment, stmt: Let) -> Reg | None:
    """The result of a call that shares work with its neighbours; the work is printed with the first of them. None if
    nothing is known to be shared."""
    shared, last = FUNCTIONS[stmt.fn].shared, stmt.args[-1]
    if shared is None or not isinstance(last, Index):
        return None
    terms, const, offsets = env.parts(last)
    if any(coefficient % shared.size for _, coefficient in terms):
        return None
    others = [env.operand(a) for a in stmt.args[:-1]]
    block, at = divmod(const, shared.size)
    start = env.affine([(var, c // shared.size) for var, c in terms], block)
    if not offsets:
        return _results(env, stmt.fn, shared, others, start, (0,))[at]
    if any(a.lanes > 1 for a in others):
        return None
    return _in_lanes(env, stmt.fn, shared, others, start, [at + offset for offset in offsets])


def _in_lanes(
    env: Environment, fn: str, shared: Shared, others: list[Reg], start: Reg, places: list[int]
) -> Reg | None:
    """Neighbours in lanes: compute each block in one lane, then pick every result from the lane of its block."""
    blocks = sorted({place // shared.size for place in places})
    count = max(2, 1 << (len(blocks) - 1).bit_length())
    if 2 * count > len(places):
        return None
    lanes = (*blocks, *blocks[-1:] * (count - len(blocks)))
    results = _results(env, fn, shared, others, start, lanes)
    wide = [env.e.shuffle(a, b, list(range(2 * count))) for a, b in zip(results[::2], results[1::2], strict=True)]
    picks = [place % shared.size * count + blocks.index(place // shared.size) for place in places]
    return env.e.shuffle(wide[0], wide[1], picks)


def _results(
    env: Environment, fn: str, shared: Shared, others: list[Reg], start: Reg, blocks: tuple[int, ...]
) -> list[Reg]:
    """All results of the blocks `start` + each of `blocks`, one lane per block."""
    e = env.e
    key = ("shared", fn, *(a.text for a in others), start.text, blocks)
    if e.known((key, 0)) is None:
        narrow = e.cast("trunc", start, "i32") if start.text.startswith("%") else Reg(start.text, "i32")
        if len(blocks) > 1:
            narrow = e.binary("add", e.splat(narrow, len(blocks)), e.numbers("i32", blocks))
        lanes = max(a.lanes for a in (*others, narrow))
        args = [e.splat(a, lanes) if lanes > 1 else a for a in (*others, narrow)]
        for n, result in enumerate(shared.llvm(e, *args)):
            e.remember((key, n), result)
    return [reg for n in range(shared.size) if (reg := e.known((key, n))) is not None]
