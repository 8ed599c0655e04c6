"""Fuse: compute the values of nests over one domain in one nest."""

from __future__ import annotations

from dataclasses import dataclass

from mochac.ir.kernel import Kernel, Store
from mochac.ir.nests import Nest, nests_of
from mochac.ir.schedule import ScheduleError, Step, step
from mochac.ir.steps.inline import definitions_of, nest_of
from mochac.ir.weave import Weaver


@step
@dataclass(frozen=True)
class Fuse(Step):
    """Compute `values` where the nest of `root` stores what they are computed from; their nests vanish.

    each n { each o { acc = 0; sum k { .. }; P[n, o] = acc } }
    each a0 { each a1 { y[a0, a1] = relu(P[a0, a1]) } }
                                             ->  each n { each o { acc = 0; sum k { .. }; y[n, o] = relu(acc) } }
                                                                                    (root=P, values=(y))

    So a contraction gets its epilogue, and elementwise work over one domain becomes one nest. At one place, all values
    are computed before the first is stored, because an output may share the storage of an input. What only fused nests
    read is not stored. Where one of `values` is read at another index, it is computed there, too.

    The nests of `values` must compute them element by element, over the shape of what they follow. If `root` stores its
    results in several places (a row op), each value follows one of them.
    """

    root: str
    values: tuple[str, ...]

    def apply(self, kernel: Kernel) -> Kernel:
        nests = nests_of(kernel)
        root = nest_of(nests, self.root, "fuse")
        definitions = definitions_of(nests, self.values, "fuse")
        fused = [root, *(n for n in nests if n is not root and set(n.values) & definitions.keys())]
        kept = [n for n in nests if n not in fused]
        last = max(nests.index(n) for n in fused)
        made = {name for n in fused for name in n.values}
        for nest in nests[nests.index(root) : last]:
            if nest in kept and nest.reads & made:
                raise ScheduleError(f"fuse: the nest of {' '.join(nest.values)} between them reads what they compute")
        weaver = Weaver(kernel, nests, kept, definitions, "fuse")
        places = _Places(kernel, root, fused, kept, weaver)
        weaver.on_stores = places.store
        body = weaver.rewritten(root)
        places.check()
        new = [body if k == last else n.body for k, n in enumerate(nests) if k == last or n not in fused]
        return weaver.with_body(stmt for part in new for stmt in part)


class _Places:
    """The places where the root stores, and the values that are computed at each."""

    def __init__(self, kernel: Kernel, root: Nest, fused: list[Nest], kept: list[Nest], weaver: Weaver) -> None:
        self.weaver, self.root = weaver, root
        self.shapes = {name: b.type.shape for name, b in kernel.buffers().items()}
        self.order = [b.name for b in kernel.outputs]
        read = {name for nest in kept for name in nest.reads}
        made = [name for nest in fused for name in nest.values]
        self.stored = [name for name in made if name in self.order or name in read]
        self.follows = _followed(root, fused)
        self.done: set[str] = set()

    def store(self, stores: list[Store]) -> None:
        """Compute the values that follow these results, then store what others need."""
        weaver, here = self.weaver, [s.buffer for s in stores]
        index = stores[0].index
        for s in stores:
            weaver.know(s.buffer, s.index, s.value)
        own = {s.buffer: s for s in stores}
        wanted = [name for name in self.stored if name in own or self._belongs(name, here)]
        wanted.sort(key=lambda name: self.order.index(name) if name in self.order else len(self.order))
        values = []
        for name in wanted:
            if name in own:
                values.append(own[name])
                continue
            if self.shapes[name] != self.shapes[here[0]]:
                raise ScheduleError(f"fuse: {name!r} and {here[0]!r} differ in shape")
            values.append(Store(name, index, weaver.value(name, index)))
        self.done.update(wanted)
        for s in values:
            weaver.store(s.buffer, s.index, s.value)

    def _belongs(self, name: str, here: list[str]) -> bool:
        if name in self.root.values:
            return False
        follows = self.follows[name]
        return follows <= set(here) and bool(follows or self.root.definition is not None)

    def check(self) -> None:
        """Every value must have found its place."""
        for name in self.stored:
            if name not in self.done:
                raise ScheduleError(
                    f"fuse: {name!r} must follow exactly one result of {' '.join(self.root.values)}, "
                    f"not {' '.join(sorted(self.follows[name])) or 'none'}"
                )


def _followed(root: Nest, fused: list[Nest]) -> dict[str, set[str]]:
    """The results of the root that each value is computed from."""
    follows = {name: {name} for name in root.values}
    for nest in fused[1:]:
        reached = set[str]().union(*(follows.get(name, set()) for name in nest.reads))
        follows.update((name, reached) for name in nest.values)
    return follows
