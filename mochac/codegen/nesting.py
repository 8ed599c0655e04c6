"""nesting: the first steps of a schedule put the nests of a staged kernel into each other.

    conv, relu              fuse(root=conv, values=(y))              an epilogue
    conv, relu, max_pool    inline(values=(conv, relu))              whole windows: each element is read once
                              fuse(root=conv, values=(relu)),          other windows, and blocked sums with padding:
                              compute_at(value=relu, loop=c)             an image is computed, then pooled in cache;
                                                                         so are those that others read, too
    product, add, gates       fuse(root=product, values=(add))         what reads equal parts of its columns together
                              fuse(root=sigmoid, values=(..))
                              compute_at(value=add, loop=u)
    mul, reduce_sum           inline(values=(mul))
    sums and what reads them  by_rows(..), in row_nesting.py

A backend's `choose` calls `nesting` before its rules, which then see one nest. Passes decide which ops share a kernel
(passes/fuse.py); here, only nests and indices count, never ops.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any, TypeVar

from mochac.base.records import record
from mochac.codegen.row_nesting import row_steps
from mochac.ir.applying import after, fitted, remember
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, If, Kernel, Load, Store, walk
from mochac.ir.nest import band
from mochac.ir.nests import StagedNest, ValueRead, nests_of, reads_gates
from mochac.ir.op import OPS
from mochac.ir.schedule import Schedule, Step
from mochac.ir.steps.inline import ComputeAt, Inline
from mochac.ir.steps.jam import Fuse

LEADING = 2
"""Number of leading axes, samples and channels. A value is computed at their loops inside the nest that reads it; the
other axes, an image, stay whole."""
MOST_SCRATCH = 1 << 14
"""Maximum elements of such an image if only its own kernel reads it: with 16 lanes, a channel takes 1 MB of scratch
memory."""


Target = TypeVar("Target")


@record
class Nested:
    """A staged kernel, the steps that make one nest of it, and the naive kernel that they give."""

    staged: Kernel
    steps: tuple[Step, ...]
    kernel: Kernel

    @classmethod
    def of(cls, staged: Kernel) -> Nested:
        """Choose the steps and apply them."""
        steps, kernel = _applied(staged)
        return cls(staged, steps, kernel)

    def own_rule(self, backend: str) -> Callable[[Kernel, Any], Schedule | None] | None:
        """The rule that a user's op brings for a backend, if the kernel's root is such an op."""
        root = self.kernel.root
        return OPS[root].schedules.get(backend) if root in OPS.foreign else None

    def schedule(self, rule: Callable[[Kernel, Target], Schedule | None], target: Target) -> Schedule | None:
        """The schedule that a rule chooses for the naive kernel, as a schedule of the staged one."""
        found = rule(self.kernel, target)
        return None if found is None else self.whole(found)

    def whole(self, found: Schedule) -> Schedule:
        """The schedule of the staged kernel that a schedule of the naive kernel gives."""
        if not self.steps:
            return found
        schedule = replace(found, steps=(*self.steps, *found.steps))
        scheduled = fitted(found, self.kernel)
        if scheduled is not None:
            remember(schedule, self.staged, scheduled)
        return schedule


@lru_cache(maxsize=1024)
def sum_alone(kernel: Kernel) -> Kernel | None:
    """The staged kernel up to its sum, which it stores; None if nothing follows, or if it has several."""
    nests = nests_of(kernel)
    roots = [k for k, nest in enumerate(nests) if nest.has_loops]
    if len(nests) < 2 or kernel.members or len(roots) != 1:
        return None
    (root,) = roots
    needed = [nests[k] for k in sorted((*_above(nests)[root], root))]
    if len(needed) == len(nests):
        return None
    body = tuple(stmt for nest in needed for stmt in nest.body)
    used = {s.buffer for s in walk(body) if isinstance(s, (Load, Store, Accum))}
    buffers, of_batch = kernel.buffers(), {b.type.shape[:1] for b in kernel.outputs if b.type.batch}

    def as_output(name: str) -> Buffer:
        """A value as an output; locals are not marked as values of the batch, whose rows a part has a share of."""
        kind = buffers[name].type
        marked = kind.with_(batch=kind.batch or kind.shape[:1] in of_batch)
        return replace(buffers[name], type=marked, space=kernel.outputs[0].space)

    values = nests[root].values
    return kernel.with_(
        body=body,
        inputs=tuple(b for b in kernel.inputs if b.name in used),
        outputs=tuple(map(as_output, values)),
        locals=tuple(b for b in kernel.locals if b.name in used and b.name not in values),
    )


@lru_cache(maxsize=1024)  # the pipeline asks for all kernels before it schedules; the rules ask again later
def _applied(kernel: Kernel) -> tuple[tuple[Step, ...], Kernel]:
    steps = nesting(kernel)
    for step in steps:
        kernel = after(step, kernel)
    return steps, kernel


def nesting(kernel: Kernel) -> tuple[Step, ...]:
    """The steps that make one nest of a staged kernel; none if it is one nest already, or is computed part by part."""
    nests = nests_of(kernel)
    if len(nests) < 2 or kernel.members:
        return ()
    return row_steps(kernel, nests) or _Nesting(kernel, nests).steps()


class _Nesting:
    """How the nests of a kernel, which are counted from 0, become one.

    Attributes:
        above: all nests that each nest depends on.
        roots: the nests with loops of their own, and the first of several gates of a single root. Each root is computed
            for the next one.
        home: the root that each other nest is computed with; None if it is computed where it is read.
        image_sums: for a root, the nest that adds up each image of its values while the image is near, for the next
            root.
    """

    def __init__(self, kernel: Kernel, nests: tuple[StagedNest, ...]) -> None:
        self.nests = nests
        self.outputs = {b.name for b in kernel.outputs}
        self.shapes = {name: b.type.shape for name, b in kernel.buffers().items()}
        self.blocked = any(b.type.lanes for b in kernel.inputs)
        self.above = _above(nests)
        self.roots = [k for k, nest in enumerate(nests) if nest.has_loops]
        if not self.roots:
            self.roots = [next((k for k in range(len(nests)) if not self._follows_elsewhere(k)), 0)]
        self.gate = self._first_gate() if len(self.roots) == 1 else None
        self.roots += [] if self.gate is None else [self.gate]
        self.home = self._homes()
        self.image_sums = {root: k for root in self.roots[:-1] if (k := self._image_sum(root)) is not None}
        if self.image_sums:
            self.roots = [k for k in self.roots if k not in self.image_sums.values()]
            self.home = self._homes(self.image_sums.values())

    def _homes(self, without: Collection[int] = ()) -> dict[int, int | None]:
        return {k: self._home(k) for k, _ in enumerate(self.nests) if k not in self.roots and k not in without}

    def _first_gate(self) -> int | None:
        """The first nest that reads points at equal distances of the root's values or of their epilogue; None if no
        nest does."""
        (root,) = self.roots
        if not self.nests[root].has_loops or self.nests[root].definition is None:
            return None
        behind = [root, *(k for k, above in enumerate(self.above) if root in above)]
        follows = {name for k in behind for name in self.nests[k].values}
        for k, nest in enumerate(self.nests):
            if any(reads_gates(nest, name, self.shapes[name]) for name in nest.reads & follows):
                return k
        return None

    def _home(self, k: int) -> int | None:
        if self.gate is not None and self._shape(k) == self._shape(self.gate):
            return self.gate
        before = [root for root in self.roots if root in self.above[k]]
        if before:
            return before[-1]
        last = self.roots[-1]
        is_read = any(k in self.above[root] for root in self.roots)
        return last if not is_read or (self._is_output(k) and self._shape(k) == self._shape(last)) else None

    def _is_output(self, k: int) -> bool:
        return not self.outputs.isdisjoint(self.nests[k].values)

    def _shape(self, k: int) -> tuple[int, ...]:
        return self.shapes[self.nests[k].values[0]]

    def _is_read_elsewhere(self, k: int) -> bool:
        """Whether a nest reads the values of this one at other indices than those at which it stores its own."""
        values = set(self.nests[k].values)
        for nest in self.nests:
            if nest.definition is not None and values & nest.reads:
                own = tuple(map(Index.var, nest.definition.vars))
                if any(read.index != own for read in nest.uses(values)):
                    return True
        return False

    def _follows_elsewhere(self, k: int) -> bool:
        """Whether a value of this nest, or one computed from it, is read at other indices: then they cannot all be
        computed in one nest."""
        return any(self._is_read_elsewhere(j) for j, above in enumerate(self.above) if j == k or k in above)

    def steps(self) -> tuple[Step, ...]:
        """Inline what needs no nest of its own; fuse other roots with their epilogues; place each in the next one."""
        inlined = [k for k, home in self.home.items() if home is None]
        fused: list[Step] = []
        placed: list[Step] = []
        for root in self.roots:
            epilogue = self._with(root)
            if root != self.roots[-1]:
                place = self._place(root)
                if place is None:
                    inlined += [root, *epilogue]
                    continue
                if root in self.image_sums:
                    placed.append(ComputeAt(place.value, self._vars(self.image_sums[root])[-1]))
                placed.append(place)
            if epilogue:
                fused.append(Fuse(self.nests[root].values[0], self._values(epilogue)))
        first = (Inline(self._values(sorted(inlined))),) if inlined else ()
        return (*first, *fused, *placed)

    def _with(self, root: int) -> list[int]:
        return [k for k, home in self.home.items() if home == root]

    def _values(self, numbers: list[int]) -> tuple[str, ...]:
        return tuple(name for k in numbers for name in self.nests[k].values)

    def _place(self, root: int) -> ComputeAt | None:
        """The loop at which a root and its epilogue are computed for the next root; None if element by element, where
        it reads."""
        own = [root, *self._with(root)]
        values = set(self._values(own))
        with_it = {*own, *self.image_sums.values()}
        reads = [read for k, nest in enumerate(self.nests) if k not in with_it for read in nest.uses(values)]
        once = all(map(_reads_once, reads)) and self.outputs.isdisjoint(values)
        if once and not self._in_rows(root):
            return None
        if self.nests[root].definition is None and (common := self._common_loop(root, reads)):
            return ComputeAt(reads[0].value, common)
        fixed = {v for i in reads[0].index[:LEADING] for v in i.vars}
        loop = next(loop.var for loop in reversed(reads[0].loops) if loop.var in fixed)
        return ComputeAt(reads[0].value, loop)

    def _common_loop(self, root: int, reads: list[ValueRead]) -> str:
        """The innermost of the outer loops that a nest has in common with its reader: they go over the same elements of
        the value, in the same order. "" if there is none."""
        (value,) = {read.value for read in reads}
        stores = [s for s in walk(self.nests[root].body) if isinstance(s, Store) and s.buffer == value]
        used = {v for r in reads for i in r.index for v in i.vars}
        loops, found, last = iter(reads[0].loops), "", ""
        for own in band(self.nests[root].body, kind="each") if stores else ():
            moved = [axis for axis, i in enumerate(stores[0].index) if own.var in i.vars]
            stored = {s.index[axis] for s in stores for axis in moved}
            read = {r.index[axis] for r in reads for axis in moved}
            if len(moved) != 1 or stored != {Index.var(own.var)} or len(read) != 1:
                break
            needed = set(read.pop().vars)
            while needed and (loop := next(loops, None)) is not None:
                if loop.var not in needed and (loop.extent != 1 or loop.var in used):
                    break
                needed.discard(loop.var)
                last = loop.var
            if needed:
                break
            found = last
        return found

    def _vars(self, k: int) -> tuple[str, ...]:
        found = self.nests[k].definition
        return found.vars if found is not None else ()

    def _image_sum(self, root: int) -> int | None:
        """The only nest that adds up each image of the values of a root or of its epilogue, if other nests read these
        values, too."""
        own = [root, *self._with(root)]
        values = set(self._values(own))
        readers = [k for k, nest in enumerate(self.nests) if values & nest.reads and k not in own]
        sums = [
            k for k in readers if k in self.roots and len(self._vars(k)) == LEADING and self._sums_images(k, values)
        ]
        return sums[0] if len(sums) == 1 < len(readers) else None

    def _sums_images(self, k: int, values: set[str]) -> bool:
        own = tuple(map(Index.var, self._vars(k)))
        reads = self.nests[k].uses(values)
        is_read = any(set(self.nests[k].values) & nest.reads for nest in self.nests)
        return not is_read and all(read.index[:LEADING] == own and _reads_once(read) for read in reads)

    def _in_rows(self, k: int) -> bool:
        """Whether a sum has conditions on taps in the padding, which are the same for a row of results but not for the
        cells of a window. Samples are lanes then; where they are not, as on a GPU, each thread has conditions of its
        own.
        """
        found = self.nests[k].definition
        guarded = found is not None and any(isinstance(s, If) for s in walk(found.body))
        return guarded and self.blocked and prod(self._shape(k)[LEADING:]) <= MOST_SCRATCH


def _above(nests: tuple[StagedNest, ...]) -> list[set[int]]:
    """For each nest, the nests that it depends on."""
    maker = {name: k for k, nest in enumerate(nests) for name in nest.values}
    above: list[set[int]] = []
    for nest in nests:
        direct = {maker[name] for name in nest.reads if name in maker and name not in nest.values}
        above.append(direct.union(*(above[k] for k in direct if k < len(above))))
    return above


def _reads_once(read: ValueRead) -> bool:
    """Whether a read touches every element exactly once: in whole windows, side by side, without a condition."""
    extents = {loop.var: loop.extent for loop in read.loops}
    seen: list[str] = []
    for index in read.index:
        size = 1
        for var, factor in sorted(index.terms, key=lambda term: (term[1], extents[term[0]])):
            if factor != size:
                return False
            size *= extents[var] or 0
        if index.const:
            return False
        seen += index.vars
    return not read.guarded and sorted(seen) == sorted(extents)
