"""Inline: compute values where they are read, instead of storing them."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.kernel import Kernel
from mochac.ir.nests import Definition, StagedNest, nests_of
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.weave import Weaver


@step
@record
class Inline(Step):
    """Replace every read of some values by their computation at that index; their nests vanish.

    each a0 in 0..9 { P[a0] = f(a0) }                each b in 0..4 { y[b] = g(f(2*b), f(2*b + 1)) }
    each b in 0..4 { y[b] = g(P[2*b], P[2*b + 1]) }  ->                                   (values=(P))

    The nest of a value must compute it element by element. An element that a scope reads twice is computed once.
    Outputs are still stored by their nest.
    """

    purpose = "it is computed where it is read, and never stored"

    values: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        nests = nests_of(kernel)
        if not self.values:
            raise ScheduleError("inline: name at least one value")
        definitions = definitions_of(nests, self.values, "inline")
        outputs = {b.name for b in kernel.outputs}
        gone = [n for n in nests if n.values and set(n.values) <= set(self.values) - outputs]
        changed = [n for n in nests if n not in gone and n.reads & definitions.keys()]
        kept = [n for n in nests if n not in gone and n not in changed]
        weaver = Weaver(kernel, nests, kept, definitions, "inline")
        body = [weaver.rewritten(n) if n in changed else n.body for n in nests if n not in gone]
        return weaver.with_body(stmt for part in body for stmt in part)


def definitions_of(
    nests: tuple[StagedNest, ...], values: tuple[str, ...], step: str, apart: bool = False
) -> dict[str, Definition]:
    """The definitions of values, by name; with `apart`, also of values that are stored at several places.

    Raises:
        ScheduleError: no nest computes one of them, or not element by element.
    """
    found: dict[str, Definition] = {}
    for name in values:
        nest = nest_of(nests, name, step)
        if nest.definition is None or not (nest.definition.elementwise or apart):
            raise ScheduleError(f"{step}: the nest of {name!r} does not compute it element by element")
        found[name] = nest.definition
    return found


def nest_of(nests: tuple[StagedNest, ...], value: str, step: str) -> StagedNest:
    """The nest that computes a value; ScheduleError if there is none."""
    for nest in nests:
        if value in nest.values:
            return nest
    known = " ".join(name for nest in nests for name in nest.values)
    raise ScheduleError(f"{step}: no nest computes a value {value!r} for others (values: {known})")
