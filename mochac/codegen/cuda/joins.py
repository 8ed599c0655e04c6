"""Sums that the threads of a block share: partial sums of the threads, and how they are joined.

Parts are joined in a fixed order, so results have the same bits from run to run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from mochac.codegen.cuda.environment import Environment
from mochac.codegen.cuda.expressions import Expression, bare, call, repeats
from mochac.codegen.cuda.tokens import C_TYPES, literal
from mochac.ir.kernel import Accum, Body, Buffer, If, Load, Loop, identity, walk

LOADS = 16
"""About how many loads a thread should have in flight: more take registers, fewer do not hide the latency."""


@contextmanager
def joined(env: Environment, body: Body) -> Iterator[int]:
    """A reduction: every thread adds up its iterations, printed inside; then the parts are joined in a fixed order.

    Yields how many iterations of a thread should be in flight together.
    """
    inside = {b.name for b in env.kernel.locals if _within(env, b.name, body)}
    sums = {s.buffer: s.fn for s in walk(body) if isinstance(s, Accum) and s.buffer not in inside}
    texts = dict(env.texts)
    for name, fn in sums.items():
        env.texts[name] = env.names.of(("part", name), f"{name}_part")
        _start(env, env.buffers[name], fn)
    yield max(1, LOADS // max(1, _loads(env, body)))
    parts, env.texts = env.texts, texts
    for name, fn in sums.items():
        _join(env, env.buffers[name], "max" if fn == "max" else "add", parts[name])


def _within(env: Environment, name: str, body: Body) -> bool:
    """Whether a local is declared inside a body."""
    home = env.places.locals[name].home if name in env.places.locals else 0
    return any(home == id(b) for b in _bodies(body))


def _start(env: Environment, buffer: Buffer, fn: str) -> None:
    """Set a thread's partial sum to the number that changes no sum."""
    dtype = buffer.type.dtype
    text, zero = env.texts[buffer.name], literal(identity(fn, dtype))
    if not buffer.type.shape:
        env.line(f"{C_TYPES[dtype]} {text} = {bare(zero)};")
        return
    env.line(f"{env.declared(buffer, text)};")
    with _over(env, buffer) as index:
        env.line(f"{text}{index} = {bare(zero)};")


def _join(env: Environment, buffer: Buffer, fn: str, part: str) -> None:
    """acc = fn(joined parts, acc)."""
    dtype, text = buffer.type.dtype, env.texts[buffer.name]
    helper = f"block_all_reduce_{fn}_{dtype}"

    def one(index: str) -> None:
        total = Expression(f"mochac_{helper}<{env.kernel.block}>({part}{index})", dtype)
        if repeats(fn, dtype, dtype, 0):
            whole = env.names.of(("whole", buffer.name), f"{buffer.name}_whole")
            env.line(f"const {C_TYPES[dtype]} {whole} = {total.text};")
            total = Expression(whole, dtype)
        env.line(f"{text}{index} = {bare(call(fn, [total, Expression(f'{text}{index}', dtype)]).text)};")

    if not buffer.type.shape:
        one("")
        return
    with _over(env, buffer) as index:
        one(index)


@contextmanager
def _over(env: Environment, buffer: Buffer) -> Iterator[str]:
    """Unrolled loops over all elements of a register array; yields the C index."""
    index = ""
    for axis, extent in enumerate(buffer.type.shape):
        var = env.names.of(("axis", buffer.name, axis), f"i{axis}")
        env.line("#pragma unroll")
        env.line(f"for (int {var} = 0; {var} < {extent}; ++{var}) {{")
        env.indent += 1
        index += f"[{var}]"
    yield index
    for _ in buffer.type.shape:
        env.indent -= 1
        env.line("}")


def _loads(env: Environment, body: Body, around: tuple[Loop, ...] = ()) -> int:
    """Elements that one iteration loads from memory."""
    count = 0
    for s in body:
        if isinstance(s, Loop):
            count += _loads(env, s.body, (*around, s))
        elif isinstance(s, If):
            count += _loads(env, s.body, around)
        elif isinstance(s, Load) and env.buffers[s.buffer].space == "global":
            used = {v for i in s.index for v in i.vars}
            count += math.prod(loop.extent or 1 for loop in around if loop.var in used)
    return count


def _bodies(body: Body) -> Iterator[Body]:
    """A body and all bodies nested in it."""
    yield body
    for stmt in body:
        if isinstance(stmt, (Loop, If)):
            yield from _bodies(stmt.body)
