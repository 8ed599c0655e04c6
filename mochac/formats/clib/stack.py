"""StackBound: how much of a stack a library uses at most, on CPUs without an operating system.

The functions in C call kernels, one after the other, and kernels call nothing but memcpy and memset. The frames of
kernels are read from their code: a function moves the stack pointer down at its beginning, and the sum of all these
distances is the size of its frame. What the functions in C use depends on their compiler; the bound allows for code
that is not optimized (tests/clib/test_stack.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from mochac.base.records import record
from mochac.formats.clib.plans import CpuPlan
from mochac.formats.clib.request import Request
from mochac.runtime.cpu.perf_map import read_code

IN_C = {False: 512, True: 2048}
"""Bytes of the functions in C that predict, and of those that train."""
SP = 13
"""The stack pointer among ARM's registers."""


@record
class StackBound:
    """The bytes of the largest frame of a kernel, and of the functions in C."""

    kernels: int
    in_c: int

    @property
    def n_bytes(self) -> int:
        return self.kernels + self.in_c


def stack_bound(request: Request, cpu_plans: Sequence[Sequence[CpuPlan]]) -> StackBound | None:
    """The bound for a library; None if there is an operating system, or if no code of the CPU is read here."""
    images = [image for plans in cpu_plans for plan in plans for image in plan.objects]
    kernels = None if request.hosted else frame_bytes(images, request.cpus[0].info.arch)
    return None if kernels is None else StackBound(kernels, IN_C[request.solver is not None])


def frame_bytes(images: Iterable[bytes], arch: str) -> int | None:
    """The largest frame of the functions of some objects; None for architectures of which no code is read here, or if
    a frame has no constant size."""
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
    """A constant of an instruction: a byte at one or several places."""
    byte, turns = number & 0xFF, number >> 7
    if number >> 10:
        return (byte | 0x80) << 32 - turns
    return byte * (1, 0x00010001, 0x01000100, 0x01010101)[number >> 8]


def _riscv(code: bytes) -> Iterator[float]:
    """What instructions of RISC-V, also those of 16 bits, take of the stack."""
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
    """What a signed number of n bits takes away."""
    return (1 << n) - bits if bits >> n - 1 else 0


_MOVES: dict[str, Callable[[bytes], Iterable[float]]] = {"thumb": _thumb, "riscv32": _riscv}
"""By the beginning of LLVM's names of architectures."""
