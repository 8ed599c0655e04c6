"""Sums that the threads of a block share: what each adds up by itself, and how the parts are joined.

statements.py calls `joined` for sum loops run as threads. Parts are joined in a fixed order, so results have the
same bits from run to run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from mochac.codegen.cuda.expressions import Expression, bare, call, repeats
from mochac.codegen.cuda.literals import literal
from mochac.codegen.cuda.names import C_TYPES
from mochac.ir.kernel import Accum, Buffer, Const, If, Load, Loop, Stmt, walk
from mochac.ir.types import DTYPES

if TYPE_CHECKING:
    from mochac.codegen.cuda.statements import Printer

Body = tuple[Stmt, ...]
LOADS = 16
"""Loads of a thread from memory that are under way together, about: more take registers, fewer leave it waiting."""


def joined(printer: Printer, loops: list[Loop], body: Body) -> None:
    """A reduction: every thread adds up its iterations, then the parts are joined in a fixed order."""
    inside = {b.name for b in printer.kernel.locals if _within(printer, b.name, body)}
    met = {s.buffer: s.fn for s in walk(body) if isinstance(s, Accum) and s.buffer not in inside}
    texts = dict(printer.texts)
    for name, fn in met.items():
        printer.texts[name] = printer.names.of(("part", name), f"{name}_part")
        _start(printer, printer.buffers[name], fn)
    printer.shared_out(loops, body, max(1, LOADS // max(1, _loads(printer, body))))
    parts, printer.texts = printer.texts, texts
    for name, fn in met.items():
        if printer.buffers[name].space == "shared":
            printer.line(_block_reduced(printer, printer.buffers[name], "max" if fn == "max" else "add", parts[name]))
            continue
        _join(printer, printer.buffers[name], "max" if fn == "max" else "add", parts[name])


def _within(printer: Printer, name: str, body: Body) -> bool:
    """Whether a local is declared inside a body."""
    home = printer.places.locals[name].home if name in printer.places.locals else 0
    return any(home == id(b) for b in _bodies(body))


def _start(printer: Printer, buffer: Buffer, fn: str) -> None:
    """A thread's own part of a sum, at the value that changes nothing."""
    dtype = buffer.type.dtype
    if fn != "max":
        value: float | int = 0
    else:
        value = -math.inf if dtype in ("f32", "f64") else -(2 ** (8 * DTYPES[dtype].itemsize - 1))
    text, zero = printer.texts[buffer.name], literal(Const(value, dtype))
    if not buffer.type.shape and buffer.space != "shared":
        printer.line(f"{C_TYPES[dtype]} {text} = {bare(zero)};")
        return
    if buffer.space == "shared":  # the parts of a result that is shared are a thread's own, counted in one row
        buffer = replace(buffer, space="register", type=buffer.type.with_(shape=(buffer.type.elems,)))
    printer.line(f"{printer.declared(buffer, text)};")
    with _over(printer, buffer) as index:
        printer.line(f"{text}{index} = {bare(zero)};")


def _join(printer: Printer, buffer: Buffer, fn: str, part: str) -> None:
    """acc = fn(joined parts, acc)."""
    dtype, text = buffer.type.dtype, printer.texts[buffer.name]
    helper = f"block_all_reduce_{fn}_{dtype}"

    def one(index: str) -> None:
        total = Expression(f"mochac_{helper}<{printer.kernel.threads}>({part}{index})", dtype)
        if repeats(fn, dtype, dtype, 0):
            whole = printer.names.of(("whole", buffer.name), f"{buffer.name}_whole")
            printer.line(f"const {C_TYPES[dtype]} {whole} = {total.text};")
            total = Expression(whole, dtype)
        printer.line(f"{text}{index} = {bare(call(fn, [total, Expression(f'{text}{index}', dtype)]).text)};")

    if not buffer.type.shape:
        one("")
        return
    with _over(printer, buffer) as index:
        one(index)


def _block_reduced(printer: Printer, buffer: Buffer, fn: str, part: str) -> str:
    """A call that joins all parts at once into shared memory."""
    helper = f"mochac_block_reduce_{fn}_{buffer.type.dtype}<{printer.kernel.threads}, {buffer.type.elems}>"
    return f"{helper}({part}, {printer.texts[buffer.name]});"


@contextmanager
def _over(printer: Printer, buffer: Buffer) -> Iterator[str]:
    """Unrolled loops over all elements of a register array; gives the C index."""
    index = ""
    for axis, extent in enumerate(buffer.type.shape):
        var = printer.names.of(("axis", buffer.name, axis), f"i{axis}")
        printer.line("#pragma unroll")
        printer.line(f"for (int {var} = 0; {var} < {extent}; ++{var}) {{")
        printer.indent += 1
        index += f"[{var}]"
    yield index
    for _ in buffer.type.shape:
        printer.indent -= 1
        printer.line("}")


def _loads(printer: Printer, body: Body, around: tuple[Loop, ...] = ()) -> int:
    """Elements that one iteration loads from memory."""
    count = 0
    for s in body:
        if isinstance(s, Loop):
            count += _loads(printer, s.body, (*around, s))
        elif isinstance(s, If):
            count += _loads(printer, s.body, around)
        elif isinstance(s, Load) and printer.buffers[s.buffer].space == "global":
            used = {v for i in s.index for v in i.vars}
            count += math.prod(loop.extent or 1 for loop in around if loop.var in used)
    return count


def _bodies(body: Body) -> Iterator[Body]:
    """A body and all bodies inside it."""
    yield body
    for stmt in body:
        if isinstance(stmt, (Loop, If)):
            yield from _bodies(stmt.body)
