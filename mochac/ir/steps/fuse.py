"""Fuse: compute the values of nests over one domain in one nest."""

from __future__ import annotations

from collections.abc import Set

from mochac.base.records import record
from mochac.ir.kernel import Kernel, Store
from mochac.ir.nests import StagedNest, nests_of
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.inline import definitions_of, nest_of
from mochac.ir.weave import Weaver


@step
@record
class Fuse(Step):
    """Compute `values` where the nest of `root` stores their operands; their nests vanish.

    each n { each o { acc = 0; sum k { .. }; P[n, o] = acc } }
    each a0 { each a1 { y[a0, a1] = relu(P[a0, a1]) } }
                                             ->  each n { each o { acc = 0; sum k { .. }; y[n, o] = relu(acc) } }
                                                                                    (root=P, values=(y))

    So a contraction gets its epilogue, and elementwise work over one domain becomes one nest. At one place, all values
    are computed before the first is stored, because an output may share the storage of an input. Values that only fused
    nests read are not stored. Where one of `values` is read at another index, it is computed there, too.

    The nests of `values` must go over the shape of the result that they follow, element by element; each may store an
    element at several constant distances from its index (a concatenation). If `root` stores its results in several
    places (a row op), each value follows one of them; a value that follows none is computed with the first result of
    its shape.
    """

    purpose = "what follows runs on results while they are in registers, and they are never stored"

    root: str
    values: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        nests = nests_of(kernel)
        if not self.values or self.root in self.values:
            raise ScheduleError(f"fuse: name at least one value, and not {self.root!r} itself")
        root = nest_of(nests, self.root, "fuse")
        if root.definition is not None and not root.definition.elementwise:
            raise ScheduleError(f"fuse: the nest of {self.root!r} does not compute it element by element")
        definitions = definitions_of(nests, self.values, "fuse", apart=True)
        fused = [root, *(n for n in nests if n is not root and set(n.values) & definitions.keys())]
        kept = [n for n in nests if n not in fused]
        last = max(map(nests.index, fused))
        _require_order(nests[nests.index(root) : last], fused)
        weaver = Weaver(kernel, nests, kept, definitions, "fuse")
        places = _Places(kernel, weaver, fused, {name for nest in kept for name in nest.reads})
        weaver.on_stores = places.store
        body = weaver.rewritten(root)
        places.check()
        new = [body if k == last else n.body for k, n in enumerate(nests) if k == last or n not in fused]
        return weaver.with_body(stmt for part in new for stmt in part)


def _require_order(between: tuple[StagedNest, ...], fused: list[StagedNest]) -> None:
    """Check that no remaining nest reads fused values before all of them are computed."""
    made = {name for nest in fused for name in nest.values}
    for nest in between:
        if nest not in fused and nest.reads & made:
            raise ScheduleError(f"fuse: the nest of {' '.join(nest.values)} between them reads what they compute")


class _Places:
    """The places where the root, the first of `fused`, stores, and the values that are computed at each."""

    def __init__(self, kernel: Kernel, weaver: Weaver, fused: list[StagedNest], read: set[str]) -> None:
        self.weaver, self.root = weaver, fused[0]
        self.shapes = {name: b.type.shape for name, b in kernel.buffers().items()}
        outputs = [b.name for b in kernel.outputs]
        made = [name for nest in fused for name in nest.values]
        self.wanted = [*(n for n in outputs if n in made), *(n for n in made if n in read and n not in outputs)]
        self.follows = {name: found or self._alike(name) for name, found in _followed(fused).items()}
        self.done: set[str] = set()

    def store(self, stores: list[Store]) -> None:
        """Compute the values that follow these results, then store what others need."""
        weaver, own = self.weaver, {s.buffer: s for s in stores}
        for s in stores:
            weaver.know(s.buffer, s.index, s.value)
        here = [name for name in self.wanted if name in own or self._belongs(name, own.keys())]
        self.done.update(here)
        for s in [s for name in here for s in ([own[name]] if name in own else self._computed(name, stores[0]))]:
            weaver.store(s.buffer, s.index, s.value)

    def _belongs(self, name: str, here: Set[str]) -> bool:
        follows = self.follows[name]
        return name not in self.root.values and follows <= here and bool(follows or self.root.definition)

    def _alike(self, name: str) -> set[str]:
        """The first result of a root with several places that has a value's shape; values that follow no result are
        computed with it."""
        alike = [r for r in self.root.values if self.shapes[r] == self.shapes[name]]
        return set() if self.root.definition else set(alike[:1])

    def _computed(self, name: str, beside: Store) -> list[Store]:
        if not self.weaver.definitions[name].elementwise:
            return [s for s in self.weaver.stores(name, beside.index) if s.buffer == name]
        if self.shapes[name] != self.shapes[beside.buffer]:
            raise ScheduleError(f"fuse: {name!r} and {beside.buffer!r} differ in shape")
        return [Store(name, beside.index, self.weaver.value(name, beside.index))]

    def check(self) -> None:
        """Check that every value has a place."""
        for name in self.wanted:
            if name not in self.done:
                results, followed = " ".join(self.root.values), " ".join(sorted(self.follows[name])) or "none"
                raise ScheduleError(f"fuse: {name!r} must follow exactly one result of {results}, not {followed}")


def _followed(fused: list[StagedNest]) -> dict[str, set[str]]:
    """The results of the root that each value is computed from."""
    follows = {name: {name} for name in fused[0].values}
    for nest in fused[1:]:
        reached = set[str]().union(*(follows.get(name, set()) for name in nest.reads))
        follows.update((name, reached) for name in nest.values)
    return follows
