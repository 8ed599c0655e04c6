"""MultiplyAdd: add products to an accumulator by fused multiply-adds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from mochac.ir.kernel import Accum, If, Kernel, Let, Loop, Operand, Stmt, Store, walk
from mochac.ir.nest import Body
from mochac.ir.schedule import ScheduleError, Step, step


@step
@dataclass(frozen=True)
class MultiplyAdd(Step):
    """Multiply where the product is added, if nothing else reads it.

    %t = mul(%a, %b)                         acc[] = fma(%a, %b, acc[])
    acc[] = add(%t, acc[])             ->    acc1[] = fma(%c, %c, acc1[])      (local=acc), (local=acc1)
    %s = square(%c)
    acc1[] = add(%s, acc1[])

    The product is not rounded. The accumulator holds floating-point numbers.
    """

    purpose = "a product and its sum are one instruction"

    local: str

    def apply(self, kernel: Kernel) -> Kernel:
        buffer = next((b for b in kernel.locals if b.name == self.local), None)
        if buffer is None:
            raise ScheduleError(f"multiply_add: kernel {kernel.name!r} has no local {self.local!r}")
        if buffer.type.dtype not in ("f32", "f64"):
            raise ScheduleError(f"multiply_add: {self.local!r} holds {buffer.type.dtype}")
        body = self._fused(kernel.body, Counter(name for s in walk(kernel.body) for name in _read(s)))
        if body == kernel.body:
            raise ScheduleError(f"multiply_add: no product is added to {self.local!r} that nothing else reads")
        return kernel.with_(body=body)

    def _fused(self, body: Body, readers: Counter[str]) -> Body:
        found = {s.name: s for s in body if isinstance(s, Let) and s.fn in ("mul", "square") and readers[s.name] == 1}
        fused: set[str] = set()
        out: list[Stmt] = []
        for s in body:
            if isinstance(s, (Loop, If)):
                s = s.with_body(self._fused(s.body, readers))
            elif isinstance(s, Accum) and s.buffer == self.local and s.fn == "add":
                product = found.get(s.args[0]) if isinstance(s.args[0], str) else None
                if product is not None:
                    fused.add(product.name)
                    s = Accum(s.buffer, s.index, "fma", (product.args[0], product.args[-1]))
            out.append(s)
        return tuple(s for s in out if not (isinstance(s, Let) and s.name in fused))


def _read(stmt: Stmt) -> list[str]:
    """The names that a statement reads itself."""
    operands: tuple[Operand, ...] = ()
    match stmt:
        case Let() | Accum():
            operands = stmt.args
        case Store():
            operands = (stmt.value,)
        case Loop():
            operands = (stmt.at,) if stmt.at else ()
        case _:
            pass
    return [a for a in operands if isinstance(a, str)]
