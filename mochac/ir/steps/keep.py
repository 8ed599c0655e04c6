"""Keep: store a value that a loop computes for a later loop that would compute it again."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.fresh import fresh
from mochac.ir.kernel import Body, Buffer, Kernel, Let, Load, Stmt, Store, rewrite
from mochac.ir.kernel_types import name_dtypes
from mochac.ir.nest import drop_unused, offset, store_after
from mochac.ir.repeats import Repeat, repeats
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.types import TensorType


@step
@record
class Keep(Step):
    """Store `value` for a later loop with the same iterations that computes it as `again`.

    sum c in 0..9 {                             sum c in 0..9 {
      %e = exp(x[c])                              %e = exp(x[c])
      s = add(%e, s)                              kept[c] = %e
    }                                             s = add(%e, s)
    each d in 0..9 {                       ->   }
      %f = exp(x[d])                            each d in 0..9 {
      y[d] = div(%f, s)                           %f = kept[d]
    }                                             y[d] = div(%f, s)
                                                }                              (value=e, again=f)

    The loops, or nests of loops and conditions with only values beside them, must be in one body, and the operands of
    the value must not change in between.
    """

    purpose = "it takes longer to compute it again than to store it and read it back"

    value: str
    again: str

    def repeat(self, kernel: Kernel) -> Repeat:
        """The repeat: where the value is computed first and again.

        Raises:
            ScheduleError: nowhere.
        """
        for found in repeats(kernel):
            if (found.value, found.again) == (self.value, self.again):
                return found
        raise ScheduleError(f"keep: no loop computes {self.again!r} as a loop before it computes {self.value!r}")

    def apply(self, kernel: Kernel) -> Kernel:
        found = self.repeat(kernel)
        name = fresh("kept", kernel.buffers())
        first, second = found.loops
        store = Store(name, tuple(map(offset, first)), self.value)
        load = Load(self.again, name, tuple(map(offset, second)))

        def kept(stmt: Stmt) -> Body | None:
            if stmt is found.first:
                return store_after((found.first,), self.value, store)
            if stmt is found.second:
                return drop_unused(rewrite((found.second,), lambda s: load if _makes(s, self.again) else None))
            return None

        shape = tuple(loop.extent or 0 for loop in first)  # repeats have constant limits
        dtype = name_dtypes(kernel.body, kernel.buffers())[self.value]
        local = Buffer(name, TensorType(dtype, shape), "scratch")
        return kernel.with_(body=rewrite(kernel.body, kept), locals=(*kernel.locals, local))


def _makes(stmt: Stmt, name: str) -> bool:
    return isinstance(stmt, Let) and stmt.name == name
