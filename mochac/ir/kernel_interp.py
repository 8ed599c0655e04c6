"""The kernel interpreter: runs a loop nest in NumPy. It defines what a kernel means.

Tests compare it with the ops' references and with compiled code; no schedule may change its results. For speed,
iterations of `each` loops run together as axes of NumPy arrays; reductions run one iteration at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from math import prod
from operator import mul

import numpy as np

from mochac.base.records import record
from mochac.ir import bfloat16
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Accum, Buffer, Const, If, Kernel, Let, Load, Loop, Operand, Prefetch, Stmt, Store, access
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import DTYPES, garbage, to_logical, to_storage

LANES = 1 << 19
"""Largest number of iterations of `each` loops that run together; larger nests run their outer loops serially."""


class KernelRunError(RuntimeError):
    """An index is out of range, or several iterations of an `each` loop write the same element."""


def run_kernel(kernel: Kernel, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Run a kernel on arrays in logical shape and return its outputs.

    If a schedule has merged axes of a buffer (step Flatten), its input may have either shape; outputs have the kernel's
    shape. What a schedule describes as it lies in memory (step SamplesLast) is given and returned in
    logical shape, too.

    Blocked buffers are padded to whole blocks. Padding, locals and outputs that do not begin as an input start as
    garbage (NaN for floats), so that reads of uninitialized elements show up in the result.

    Raises:
        KernelRunError: an index is out of range, or several iterations of an `each` loop write the same element.
    """
    arrays: dict[str, np.ndarray] = {}
    for buffer in kernel.inputs:
        arrays[buffer.name] = _padded(buffer)
        array = np.asarray(inputs[buffer.name])
        if buffer.passed and array.shape == buffer.passed.shape:
            arrays[buffer.name] = to_storage(array, buffer.passed).reshape(buffer.type.shape)
            continue
        if array.shape != buffer.type.shape and not _is_flat(buffer.type.shape, array.shape):
            raise KernelRunError(f"input %{buffer.name}: expected shape {buffer.type.shape}, got {array.shape}")
        array = array.reshape(buffer.type.shape)
        arrays[buffer.name][tuple(slice(0, d) for d in array.shape)] = array
    for buffer in kernel.outputs:
        arrays[buffer.name] = arrays[buffer.begins].copy() if buffer.begins else _padded(buffer)
    with np.errstate(all="ignore"):
        _Run(kernel, arrays).block(_block(kernel))
    return {b.name: _logical(arrays[b.name], b) for b in kernel.outputs}


def _logical(array: np.ndarray, buffer: Buffer) -> np.ndarray:
    """The elements of a buffer, without padding."""
    if buffer.passed:
        return to_logical(array.reshape(-1), buffer.passed)
    return array[tuple(slice(0, d) for d in buffer.type.shape)]


def _is_flat(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether merging neighbouring axes of `other` gives a shape."""
    ends = {*accumulate(other, mul)}
    return len(shape) < len(other) and prod(shape) == prod(other) and ends.issuperset(accumulate(shape, mul))


def _padded(buffer: Buffer) -> np.ndarray:
    type = buffer.type
    rows = (-(-type.shape[0] // type.lanes) * type.lanes,) if type.lanes else type.shape[:1]
    return garbage((*rows, *type.shape[1:]), type.dtype)


@dataclass
class _Block:
    """The body of a loop, of a condition or of the kernel. `locals` get fresh storage each time it runs; `depth` is the
    number of `each` loops around it, `width` the number of their iterations inside; `threads`: its iterations run as
    the threads of a GPU's block, which have shared memory in common."""

    body: list[tuple[Stmt, _Block | None]]
    var: str = ""
    locals: list[Buffer] = field(default_factory=list)
    depth: int = 0
    width: int = 1
    threads: bool = False


def _block(kernel: Kernel) -> _Block:
    """Prepare a kernel's statements and determine the block that owns each local."""
    uses: dict[str, list[tuple[Stmt, tuple[_Block, ...]]]] = {b.name: [] for b in kernel.locals}

    def prepare(body: tuple[Stmt, ...], around: tuple[_Block, ...], block: _Block) -> None:
        for stmt in body:
            accessed = access(stmt)
            inner = None
            if isinstance(stmt, If):
                inner = _Block([], depth=block.depth)
                prepare(stmt.body, around, inner)
                block.width = max(block.width, inner.width)
            elif isinstance(stmt, Loop) and stmt.kind == "each":
                inner = _Block([], stmt.var, depth=block.depth + 1, threads=stmt.run == "threads")
                prepare(stmt.body, (*around, inner), inner)
                block.width = max(block.width, (stmt.extent or 1) * inner.width)
            elif isinstance(stmt, Loop):
                inner = _Block([], depth=block.depth)
                prepare(stmt.body, around, inner)
                block.width = max(block.width, inner.width)
            elif accessed is not None and accessed[0] in uses:
                uses[accessed[0]].append((stmt, around))
            block.body.append((stmt, inner))

    root = _Block([])
    prepare(kernel.body, (), root)
    for buffer in kernel.locals:
        homes = [] if buffer.space in ("device", "counter") else _homes(uses[buffer.name], buffer.space == "shared")
        for home in homes or [root]:
            (home or root).locals.append(buffer)
    return root


def _homes(uses: list[tuple[Stmt, tuple[_Block, ...]]], shared_memory: bool) -> list[_Block | None]:
    """The `each` loops whose iterations own a local: it is written inside and no access inside is indexed by the loop.

    None stands for the kernel. A local may have several sibling homes if a loop was cut.
    """
    shared: set[int] = set()
    written: set[int] = set()
    for stmt, around in uses:
        index = access(stmt)
        assert index is not None
        named = {v for i in index[1] for v in i.vars}
        for block in around:
            if block.var in named or (shared_memory and block.threads):
                shared.add(id(block))
            if isinstance(stmt, (Store, Accum)):
                written.add(id(block))
    homes: dict[int, _Block | None] = {}
    for _, around in uses:
        own = [b for b in around if id(b) in written and id(b) not in shared]
        home = own[-1] if own else None
        homes[id(home)] = home
    return list(homes.values())


def _deepest(block: _Block) -> int:
    return max([block.depth, *(_deepest(b) for _, b in block.body if b is not None)])


@record
class _Place:
    """An index during a run: a base plus strides along the axes that run together."""

    base: int
    steps: tuple[tuple[int, int], ...]


class _Run:
    """State of one run. Values are scalars or arrays with one axis per enclosing `each` loop (extent 1: constant)."""

    def __init__(self, kernel: Kernel, arrays: dict[str, np.ndarray]) -> None:
        self.kernel = kernel
        self.arrays = arrays
        self.readonly = {b.name for b in kernel.inputs}
        self.buffers = kernel.buffers()
        self.rank = _deepest(_block(kernel))
        self.extents: list[int] = []
        self.vars: dict[str, _Place] = {}
        self.names: dict[str, np.ndarray | np.generic] = {}
        self.homes: dict[str, int] = {}
        self.mask: np.ndarray | None = None

    def block(self, block: _Block) -> None:
        """Run a body once, for all iterations that run together."""
        outer = [(b.name, self.homes.get(b.name, 0), self.arrays.get(b.name)) for b in block.locals]
        for buffer in block.locals:
            self.homes[buffer.name] = len(self.extents)
            self.arrays[buffer.name] = garbage((*self.extents, *buffer.type.shape), buffer.type.dtype)
        self.statements(block)
        for name, home, array in outer:
            if array is not None:
                self.homes[name], self.arrays[name] = home, array

    def statements(self, block: _Block) -> None:
        """Run the statements of a body in order."""
        for stmt, inner in block.body:
            match stmt:
                case Let(name, fn, args):
                    self.names[name] = FUNCTIONS[fn].numpy(*map(self.operand, args))
                case Load(name, buffer, index):
                    self.names[name] = self.load(buffer, index)
                case Store(buffer, index, value):
                    self.store(buffer, index, self.operand(value))
                case Accum(buffer, index, fn, args):
                    old = self.load(buffer, index)
                    self.store(buffer, index, FUNCTIONS[fn].numpy(*map(self.operand, args), old))
                case If():
                    assert inner is not None
                    self.condition(stmt, inner)
                case Loop():
                    assert inner is not None
                    self.loop(stmt, inner)
                case Prefetch():
                    pass

    def operand(self, x: Operand) -> np.ndarray | np.generic:
        """The value of a name, a literal or an index."""
        if isinstance(x, str):
            return self.names[x]
        if isinstance(x, Const):
            return DTYPES[x.dtype].type(x.value)
        return np.asarray(self.numbers(x)).astype(np.int32)[()]

    def place(self, index: Index) -> _Place:
        """An index with the loop variables replaced by their current values."""
        base, steps = index.const, {}
        for var, c in index.terms:
            known = self.vars[var]
            base += c * known.base
            for axis, step in known.steps:
                steps[axis] = steps.get(axis, 0) + c * step
        return _Place(base, tuple((a, s) for a, s in steps.items() if s and self.extents[a] > 1))

    def numbers(self, index: Index) -> np.ndarray | int:
        """An index as an array over the axes that run together."""
        return self._spread(self.place(index))

    def _spread(self, place: _Place) -> np.ndarray | int:
        out: np.ndarray | int = place.base
        for axis, step in place.steps:
            shape = [1] * self.rank
            shape[axis] = self.extents[axis]
            out = out + step * np.arange(self.extents[axis]).reshape(shape)
        return out

    def condition(self, stmt: If, inner: _Block) -> None:
        """Run a body where the conditions hold."""
        mask = self.mask
        for cond in stmt.conds:
            mask = _both(mask, np.asarray(self.numbers(cond) >= 0))
        self._masked(mask, inner)

    def _masked(self, mask: np.ndarray | None, inner: _Block) -> None:
        if mask is not None:
            if not mask.any():
                return
            mask = None if mask.all() else mask
        before, self.mask = self.mask, mask
        self.block(inner)
        self.mask = before

    def loop(self, loop: Loop, inner: _Block) -> None:
        """Run all iterations, together if they are independent and not too many."""
        lo, hi = self._limit(loop.lo, np.maximum), self._limit(loop.hi, np.minimum)
        first, end = int(np.min(lo)), int(np.max(hi))
        if end <= first:
            return
        if loop.at:
            self.single(loop, inner, lo, hi)
            return
        if loop.kind == "sum" and loop.run == "tile":
            self.tile_sum(loop, range(first, end))
            return
        before, mask = self.vars.get(loop.var), self.mask
        together = loop.kind == "each" and int(np.prod(self.extents)) * (end - first) * inner.width <= LANES
        if loop.kind == "each":
            self.extents.append(end - first if together else 1)
        for v in (first,) if together else range(first, end):
            steps = ((len(self.extents) - 1, 1),) if together else ()
            self.vars[loop.var] = _Place(v, steps)
            numbers = self.numbers(Index.var(loop.var))
            self._masked(_both(_both(mask, _varying(numbers >= lo)), _varying(numbers < hi)), inner)
        if loop.kind == "each":
            self.extents.pop()
        if before is None:
            del self.vars[loop.var]
        else:
            self.vars[loop.var] = before

    def tile_sum(self, loop: Loop, terms: range) -> None:
        """Add all products of a tile, in the order of its instruction."""
        *loads, total = loop.body
        assert isinstance(total, Accum)
        zero = np.zeros((), np.float32)
        sums = zero, zero
        for term in terms:
            self.vars[loop.var] = _Place(term, ())
            for stmt in loads:
                assert isinstance(stmt, Load)
                self.names[stmt.name] = self.load(stmt.buffer, stmt.index)
            a, b = map(self.operand, total.args)
            sums = bfloat16.add_parts(np.asarray(a), np.asarray(b), sums)
        del self.vars[loop.var]
        before = np.asarray(self.load(total.buffer, total.index))
        self.store(total.buffer, total.index, bfloat16.with_parts(before, sums))

    def single(self, loop: Loop, inner: _Block, lo: np.ndarray | int, hi: np.ndarray | int) -> None:
        """Run the iterations whose numbers are values of `loop.at`, each where it is that value and in the limits."""
        values, numbers = np.asarray(self.names[loop.at]), range(int(np.min(lo)), int(np.max(hi)))
        if loop.kind == "each":
            self.extents.append(1)
        for v in (int(v) for v in np.unique(values) if v in numbers):
            self.vars[loop.var] = _Place(v, ())
            inside = _both(_varying(np.asarray(v >= lo)), _varying(np.asarray(v < hi)))
            self._masked(_both(_both(self.mask, inside), values == v), inner)
        self.vars.pop(loop.var, None)
        if loop.kind == "each":
            self.extents.pop()

    def _limit(self, limit: Limit, join: np.ufunc) -> np.ndarray | int:
        values = [-(-self.numbers(i) // d) for i, d in limit.candidates]
        out = values[0]
        for value in values[1:]:
            out = join(out, value)
        return out

    def _places(self, buffer: str, index: Iterable[Index]) -> list[_Place]:
        """The full index of an access: first the axes of the loops around a local's home."""
        home = self.homes.get(buffer, 0) if self.buffers[buffer].space != "global" else 0
        outer = [_Place(0, ((a, 1),) if self.extents[a] > 1 else ()) for a in range(home)]
        return outer + [self.place(i) for i in index]

    def load(self, buffer: str, index: tuple[Index, ...]) -> np.ndarray | np.generic:
        """The elements of a buffer at an index."""
        array, places = self.arrays[buffer], self._places(buffer, index)
        view = self._view(array, places)
        if view is not None:
            return view if buffer in self.readonly else view.copy()
        indices = self._fancy(buffer, array, places)
        return array[indices]

    def store(self, buffer: str, index: tuple[Index, ...], value: np.ndarray | np.generic) -> None:
        """Write elements where the mask holds."""
        array, places = self.arrays[buffer], self._places(buffer, index)
        view = self._view(array, places)
        once = view is not None and self.mask is not None and np.broadcast(view, value, self.mask).shape != view.shape
        try:
            if view is not None and not once:
                np.copyto(view, value, casting="same_kind", where=True if self.mask is None else self.mask)
                return
            broadcast = np.broadcast_arrays(*self._fancy(buffer, array, places), value, *self._mask_list())
        except ValueError:
            raise KernelRunError(f"iterations of an 'each' loop write the same element of %{buffer}") from None
        where = () if self.mask is None else broadcast.pop() if isinstance(broadcast, list) else broadcast[-1]
        parts = broadcast if isinstance(broadcast, list) or self.mask is None else broadcast[:-1]
        *at, values = (p[where] for p in parts)
        if once and np.unique(np.stack(at), axis=1).shape[1] < values.size:
            raise KernelRunError(f"iterations of an 'each' loop write the same element of %{buffer}")
        array[tuple(at)] = values

    def _mask_list(self) -> list[np.ndarray]:
        return [] if self.mask is None else [self.mask]

    def _view(self, array: np.ndarray, places: list[_Place]) -> np.ndarray | None:
        """A view with one axis per running axis, if every buffer axis is constant or strided along one running axis."""
        axes: list[int] = []
        select: list[int | slice] = []
        for place, size in zip(places, array.shape, strict=True):
            if len(place.steps) > 1 or not 0 <= place.base < size:
                return None
            if not place.steps:
                select.append(place.base)
                continue
            ((axis, step),) = place.steps
            last = place.base + step * (self.extents[axis] - 1)
            if axis in axes or step < 0 or last >= size:
                return None
            axes.append(axis)
            select.append(slice(place.base, last + 1, step))
        view = array[(*select, ...)]
        order = sorted(range(len(axes)), key=axes.__getitem__)
        shape = [1] * self.rank
        for axis in axes:
            shape[axis] = self.extents[axis]
        return view.transpose(order).reshape(shape) if axes else view.reshape(shape)

    def _fancy(self, buffer: str, array: np.ndarray, places: list[_Place]) -> tuple[np.ndarray, ...]:
        """Checked index arrays; masked iterations get index 0."""
        out = []
        for axis, (place, size) in enumerate(zip(places, array.shape, strict=True)):
            numbers = np.asarray(self._spread(place))
            if numbers.min() < 0 or numbers.max() >= size:
                numbers = numbers if self.mask is None else np.where(self.mask, numbers, 0)
                if numbers.min() < 0 or numbers.max() >= size:
                    raise KernelRunError(
                        f"index {numbers.min()}..{numbers.max()} out of range 0..{size - 1}, axis {axis} of %{buffer}"
                    )
            out.append(numbers)
        return tuple(out)


def _varying(mask: np.ndarray | bool | np.bool_) -> np.ndarray | None:
    """None for a condition that always holds."""
    mask = np.asarray(mask)
    return None if mask.all() else mask


def _both(a: np.ndarray | None, b: np.ndarray | None) -> np.ndarray | None:
    if a is None or b is None:
        return b if a is None else a
    return a & b
