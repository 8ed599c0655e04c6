"""Detach: move the end (or the start) of the body of perfectly nested loops into a nest of its own, with new names."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.kernel import Body, If, Kernel, Loop, Stmt, walk
from mochac.ir.names import rename_loops
from mochac.ir.nest import require_loops
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.fission import Fission

PARTS = ("first", "second")


@step
@record
class Detach(Step):
    """Cut the body of perfectly nested loops after statement `after`; append `mark` to the loop names of one part.

    each i { each k {                     each i { each k { acc[i, k] = f(i, k) } }
      acc[] = f(i, k)               ->    each i.j { each k.j { y[i.j, k.j] = acc[i.j, k.j] } }
      y[i, k] = acc[]
    } }                                   (loops=(i, k), after=1, part=second, mark=.j)

    Later steps can then treat each part differently. Locals that cross the cut gain dimensions, as in Fission.
    """

    purpose = "what follows the sums may run in another order than they do"

    loops: tuple[str, ...]
    after: int
    part: str
    mark: str

    def apply(self, kernel: Kernel) -> Kernel:
        if self.part not in PARTS:
            raise ScheduleError(f"detach: part must be first or second, not {self.part!r}")
        for position, var in enumerate(reversed(self.loops)):
            count = len(require_loops(kernel, var, "detach"))
            kernel = Fission(var, self.after if position == 0 else 1).apply(kernel)
            if len(require_loops(kernel, var, "detach")) != 2 * count:
                raise ScheduleError(f"detach: loops {self.loops} are not perfectly nested")
            kernel = kernel.with_(body=self._marked(kernel.body, var))
        return kernel

    def _marked(self, body: Body, var: str) -> Body:
        """Rename one loop of each pair that a cut has made."""
        out: list[Stmt] = []
        seen = 0
        for stmt in body:
            if isinstance(stmt, Loop) and stmt.var == var:
                if seen % 2 == PARTS.index(self.part):
                    (stmt,) = marked((stmt,), self.mark)
                seen += 1
            elif isinstance(stmt, (Loop, If)):
                stmt = stmt.with_body(self._marked(stmt.body, var))
            out.append(stmt)
        return tuple(out)


def marked(body: Body, mark: str) -> Body:
    """A body whose loops have a mark at the end of their names, except those that already have it."""
    names = {s.var for s in walk(body) if isinstance(s, Loop) and not s.var.endswith(mark)}
    return rename_loops(body, {name: name + mark for name in names})
