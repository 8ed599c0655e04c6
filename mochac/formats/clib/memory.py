"""Memory of a library: the layout of an instance, and a bound on the stack.

An instance is one block, which the caller provides:

    the struct | scalars of a step | parameters, states, slots | inputs | arguments | arena | scratch ...

All plans share the arena. Every region begins at a multiple of 64 bytes, 16 on small CPUs. The scratch of each thread
is at the end, and in it the remaining items of a phase. Tables, and with weights="flash" parameters too, lie in the
library's own read-only memory.

The stack is bounded for CPUs without an operating system. The functions in C call kernels one after the other, and
kernels call nothing but memcpy and memset. The frames of kernels are read from their code: a function moves the stack
pointer down when it starts, and the sum of all these distances is the size of its frame. What the functions in C use
depends on the compiler; the bound allows for unoptimized code (tests/clib/test_stack.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np

from mochac.base.records import record
from mochac.base.support.memory import ALIGNMENT
from mochac.formats.clib.plans import CpuPlan, LibraryPlan
from mochac.formats.clib.request import Request
from mochac.ir.plan import Placement
from mochac.ir.types import DTYPES, TensorType
from mochac.nets.layers.base import DataLayer
from mochac.nets.net import Net
from mochac.nets.trace import DTYPE as SHORT
from mochac.runtime.cpu.loader import read_code
from mochac.runtime.tables import HyperTable

STRUCT_BYTES = 80
"""Upper limit of the struct's size without its scalars; the C compiler checks it."""
SMALL_ALIGNMENT = 16
"""Alignment on CPUs without an operating system: the bytes of their widest vector."""


@record
class KeptArray:
    """An array that persists from step to step: a parameter or state of a layer, a slot of the solver, or a table.

    Attributes:
        role: "param", "slot" or "const".
        values: the numbers of a constant array; None: it changes.
    """

    name: str
    type: TensorType
    role: str
    values: np.ndarray | None = field(default=None, compare=False)


@record
class InstanceMemory:
    """Offsets in the memory of an instance.

    Attributes:
        alignment: alignment of an instance and its regions.
        kept: offsets of the arrays that persist and change, by name; parameters and states first.
        constant: offsets of the constant arrays in the library's data.
        n_feeds: the number of feeds.
        begins: offsets of the parameters, of the other kept arrays, and of the region behind them.
        inputs: offset of the copy of a batch, by feed.
        fixed_bytes: size without the scratch of threads.
        moved, left: offsets in a thread's scratch: of the arguments of a launch in a loop, and of the remaining items
            of each launch of a phase.
        scratch_bytes: scratch per thread.
    """

    alignment: int
    hypers: int
    kept: dict[str, int]
    constant: dict[str, int]
    n_feeds: int
    begins: tuple[int, int, int]
    inputs: dict[str, int]
    arguments: int
    arena: int
    fixed_bytes: int
    moved: int
    left: int
    scratch_bytes: int

    def place(self, placement: Placement) -> int:
        """The offset of a placement; for a constant, a negative number below those that stand for batches."""
        base = {"arena": self.arena, "hyper": self.hypers}.get(placement.place)
        if base is not None:
            return base + placement.offset
        return self.array(placement.key)

    def array(self, name: str) -> int:
        """The offset of a kept array."""
        if name in self.constant:
            return -1 - self.n_feeds - self.constant[name] // self.alignment
        return self.kept[name]


def kept_in(
    net: Net, dtype: str, plans: Sequence[LibraryPlan], values: Mapping[str, np.ndarray] | None = None
) -> list[KeptArray]:
    """The kept arrays: the net's parameters and states, in the order of files; then slots and tables.

    Args:
        values: numbers of the parameters and states, if they are constant; those that no plan reads are then left out.
    """
    fixed = values or {}
    read = {i.name for plan in plans for i in plan.source.graph.inputs if i.role in ("param", "state")}
    kept = [
        KeptArray(p.value, TensorType(SHORT[dtype], p.shape), "param", fixed.get(p.value))
        for p in (*net.params, *net.states)
        if p.value in read or p.value not in fixed
    ]
    found: dict[str, KeptArray] = {}
    for plan in plans:
        for i in plan.source.graph.inputs:
            if i.role in ("slot", "const"):
                values_of = plan.traced.tables[i.name].astype(DTYPES[i.type.dtype]) if i.role == "const" else None
                found.setdefault(i.name, KeptArray(i.name, i.type, i.role, values_of))
    return kept + [k for role in ("slot", "const") for k in found.values() if k.role == role]


def memory_of(
    cpu_plans: Sequence[Sequence[CpuPlan]],
    kept: Sequence[KeptArray],
    constant: dict[str, int],
    scalars_and_room: tuple[int, int],
    request: Request,
) -> InstanceMemory:
    """The layout of an instance, with room for the plans of each CPU.

    Args:
        kept: the arrays that change.
        constant: offsets of the other arrays in the library's data.
        scalars_and_room: the number of scalars that users set, and the minimum of bytes of the arena.
    """
    every = [plan for plans in cpu_plans for plan in plans]
    n_scalars, room = scalars_and_room
    alignment, size = alignment_of(request), request.cpus[0].info.address_bytes
    at = _Places(STRUCT_BYTES + 9 * n_scalars, alignment)
    hypers = at.take(max(_hyper_bytes(plan) for plan in every))
    parameters = at.end
    places = {k.name: at.take(k.type.storage_bytes) for k in kept if k.role == "param"}
    slots = at.end
    places |= {k.name: at.take(k.type.storage_bytes) for k in kept if k.role != "param"}
    batches = at.end
    inputs: dict[str, int] = {}
    sizes = _input_bytes(every)
    for name, n_bytes in sizes.items():
        inputs[name] = at.take(n_bytes)
    arguments = at.take(max(size * sum(n_arguments(plan) for plan in plans) for plans in cpu_plans))
    arena = at.take(max(room, *(plan.plan.arena_bytes for plan in every)))
    scratch = max((launch.scratch_bytes for plan in every for launch in plan.plan.launches), default=0)
    own = _Places(scratch, alignment)
    moved = own.take(size * max((len(x.buffers) for plan in every for x in plan.plan.launches if x.loop), default=0))
    left = own.take(alignment * max(_most_at_once(plan) for plan in every) if request.threads else 0)
    begins = (parameters, slots, batches)
    gap = 2 * alignment if request.threads else 0
    return InstanceMemory(
        alignment, hypers, places, constant, len(sizes), begins, inputs, arguments, arena, at.end, moved, left,
        own.end + gap,
    )  # fmt: skip


def alignment_of(request: Request) -> int:
    """Alignment of an instance, its regions and the library's data: a cache line, or a vector of small CPUs."""
    return ALIGNMENT if request.hosted else SMALL_ALIGNMENT


def n_arguments(plan: CpuPlan) -> int:
    """Words of the arguments of all launches."""
    return sum(len(launch.buffers) for launch in plan.plan.launches)


def _most_at_once(plan: CpuPlan) -> int:
    """The largest number of launches in a phase."""
    return max(Counter(launch.phase for launch in plan.plan.launches).values(), default=0)


class _Places:
    def __init__(self, end: int, alignment: int) -> None:
        self.alignment = alignment
        self.end = self._rounded(end)

    def take(self, n_bytes: int) -> int:
        begin, self.end = self.end, self.end + self._rounded(n_bytes)
        return begin

    def _rounded(self, n_bytes: int) -> int:
        return -(-n_bytes // self.alignment) * self.alignment


def _hyper_bytes(plan: CpuPlan) -> int:
    return HyperTable([p for p in plan.plan.placements if p.place == "hyper"]).n_bytes


def _input_bytes(plans: Sequence[CpuPlan]) -> dict[str, int]:
    """Size of the largest copy of a batch, by feed; 0 if batches are read in place."""
    sizes: dict[str, int] = {}
    for plan in plans:
        types = plan.of.source.graph.types()
        for feed in plan.of.feeds:
            kind = types[feed.value]
            transformers = feed.layer.transformers if isinstance(feed.layer, DataLayer) else ()
            whole = plan.of.kind in ("step", "accumulate") or plan.of.traced.batch == 1
            copied = not whole or any(name == feed.top for name, _ in transformers)
            sizes[feed.top] = max(sizes.get(feed.top, 0), copied * kind.elems * DTYPES[kind.dtype].itemsize)
    return sizes


IN_C = {False: 512, True: 2048}
"""Bytes of the functions in C that predict, and of those that train."""
SP = 13
"""The stack pointer among ARM's registers."""


@record
class StackBound:
    """Bytes of stack: of the largest frame of a kernel, and of the functions in C."""

    kernels: int
    in_c: int

    @property
    def n_bytes(self) -> int:
        return self.kernels + self.in_c


def stack_bound(request: Request, cpu_plans: Sequence[Sequence[CpuPlan]]) -> StackBound | None:
    """The bound for a library; None if there is an operating system, or if code of this architecture cannot be read."""
    images = [image for plans in cpu_plans for plan in plans for image in plan.objects]
    kernels = None if request.hosted else frame_bytes(images, request.cpus[0].info.arch)
    return None if kernels is None else StackBound(kernels, IN_C[request.solver is not None])


def frame_bytes(images: Iterable[bytes], arch: str) -> int | None:
    """The largest frame in object files; None if code of this architecture cannot be read, or a frame has no constant
    size."""
    family = next((name for name in _MOVES if arch.startswith(name)), None)
    if family is None:
        return None
    frames = [sum(_MOVES[family](code)) for image in set(images) for code in read_code(image)]
    largest = max(frames, default=0.0)
    return int(largest) if largest < UNKNOWN else None


UNKNOWN = float(1 << 40)
"""Stands for a distance in a register."""


def _thumb(code: bytes) -> Iterator[float]:
    """Distances by which instructions of Thumb-2 move the stack pointer down."""
    at = 0
    while at + 2 <= len(code):
        first = int.from_bytes(code[at : at + 2], "little")
        at += 2
        if first >> 11 < 0b11101:
            yield _short(first)
        else:
            yield _long(first, int.from_bytes(code[at : at + 2], "little"))
            at += 2


def _short(word: int) -> float:
    if word & 0xFE00 == 0xB400:  # push
        return 4 * (word & 0x1FF).bit_count()
    return 4 * (word & 0x7F) if word & 0xFF80 == 0xB080 else 0  # sub sp, #n


def _long(first: int, second: int) -> float:
    if first == 0xE92D:  # push
        return 4 * second.bit_count()
    if first & 0xFFBF == 0xED2D and second & 0x0E00 == 0x0A00:  # vpush
        return 4 * (second & 0xFF)
    if first == 0xF84D and second & 0x0F00 == 0x0D00:  # str r, [sp, #-n]!
        return second & 0xFF
    if first == 0xE96D:  # strd r, s, [sp, #-n]!
        return 4 * (second & 0xFF)
    if second & 0x8F00 != SP << 8:
        return 0
    number = (first & 0x400) << 1 | (second & 0x7000) >> 4 | second & 0xFF
    if first & 0xFBFF == 0xF2AD:  # subw sp, sp, #n
        return number
    if first & 0xFBEF == 0xF1AD:  # sub sp, sp, #n
        return _expanded(number)
    return UNKNOWN if first & 0xFFEF == 0xEBAD else 0  # sub sp, sp, r


def _expanded(number: int) -> int:
    """Decode a Thumb-2 immediate: a byte, shifted or repeated."""
    byte, turns = number & 0xFF, number >> 7
    if number >> 10:
        return (byte | 0x80) << 32 - turns
    return byte * (1, 0x00010001, 0x01000100, 0x01010101)[number >> 8]


def _riscv(code: bytes) -> Iterator[float]:
    """Distances by which RISC-V instructions, also compressed ones, move the stack pointer down."""
    at = 0
    while at + 2 <= len(code):
        word = int.from_bytes(code[at : at + 4], "little")
        if word & 3 == 3:
            at += 4
            yield _down(word >> 20, 12) if word & 0xFFFFF == 0x10113 else 0  # addi sp, sp, -n
            if word & 0xBE0FFFFF == 0x10133:  # add or sub sp, sp, r
                yield UNKNOWN
        else:
            at += 2
            word &= 0xFFFF
            bits = (word >> 12 & 1) << 9 | (word >> 3 & 3) << 7 | (word >> 5 & 1) << 6
            bits |= (word >> 2 & 1) << 5 | (word >> 6 & 1) << 4
            if word & 0xEF83 == 0x6101:  # c.addi16sp -n
                yield _down(bits, 10)
            elif word & 0xEF83 == 0x0101:  # c.addi sp, -n
                yield _down((word >> 12 & 1) << 5 | word >> 2 & 0x1F, 6)


def _down(bits: int, n: int) -> int:
    """Minus a signed number of n bits, at least 0."""
    return (1 << n) - bits if bits >> n - 1 else 0


_MOVES: dict[str, Callable[[bytes], Iterable[float]]] = {"thumb": _thumb, "riscv32": _riscv}
"""Decoders by prefix of LLVM's architecture names."""
