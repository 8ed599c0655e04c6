"""SASS as nvdisasm prints it, and an issue model of it: cycles of a loop on a multiprocessor that need not be at hand.

What llvm-mca is for a CPU: the model knows which instructions wait for which (compilers write stalls and scoreboards
into every instruction), how often each unit accepts an instruction, and the latencies of memory near a multiprocessor.
It knows neither misses of caches nor conflicts of register banks. It has not been compared with a device, so all its
cycles are simulated.

The fields of control codes, of sm_70 and later, are described by Jia et al., "Dissecting the NVIDIA Volta GPU
Architecture via Microbenchmarking" (2018), section 2.1.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from mochac.runtime.cuda.compiler import find_compiler, find_nvrtc, loaded

GATED = 13, 5
"""The NVRTC for whose machine code tests have limits. Code of 13.0.88, which PyTorch 2.14 installs in its place, takes
0.99 to 1.05 times as many cycles as that of 13.5.37 (test_cuda_issue)."""
SCOREBOARDS = 6
SCHEDULERS = 4
"""Of a multiprocessor; each issues an instruction of one of its warps per cycle."""
SHARED_LATENCY, GLOBAL_LATENCY, BARRIER = 29, 280, 20
"""Cycles until a load from shared memory, or from L2, may be used, and until warps go on behind a barrier."""
QUEUE = 8
"""Instructions of a scheduler that may wait for shared memory."""
ROUNDS = {"128": 2, "64": 1}
"""Rounds of the banks of a load from shared memory, by its width in bits: lanes share what they read, but a load of 128
bits takes two rounds even so."""
STORED = {"128": 4, "64": 2}
"""Rounds of a store, of which lanes share nothing."""
_LINE = re.compile(r"\s+/\*([0-9a-f]{4,5})\*/\s+(.*?);\s+/\* 0x[0-9a-f]{16} \*/")
_CODE = re.compile(r"\s+/\* 0x([0-9a-f]{16}) \*/")
_COPIES = re.compile(r"DEPBAR\.LE SB(\d), 0x0")
_LABEL = re.compile(r"(\.L_x_\d+):")


@lru_cache(maxsize=1)
def nvdisasm() -> str | None:
    """The path of nvdisasm: on PATH, or in NVIDIA's Python package; None if there is none."""
    spec = importlib.util.find_spec("nvidia")
    roots = [Path(place) for place in spec.submodule_search_locations or ()] if spec else []
    packaged = [str(path) for root in roots for path in sorted(root.glob("cu*/bin/nvdisasm"))]
    return shutil.which("nvdisasm") or next(iter(packaged), None)


def ungated() -> str:
    """Why limits of cycles say nothing about machine code that is compiled here, or ""."""
    compiler, found = find_compiler(), find_nvrtc()
    if nvdisasm() is None or compiler is None or found is None or compiler.name != "NVRTC":
        return "there is no nvdisasm, or no NVRTC whose cubins the driver loads"
    release = loaded(found.path).release
    if release == GATED:
        return ""
    return "NVRTC {}.{} is installed, and the limits hold for {}.{}".format(*release, *GATED)


@dataclass(frozen=True)
class Instruction:
    """An instruction and its control code.

    Attributes:
        stall: cycles until the next instruction of the warp may be issued.
        sets: scoreboards that it sets until its result is there, and until its operands have been read; 7: none.
        waits: scoreboards that it waits for.
    """

    text: str
    stall: int
    sets: tuple[int, int]
    waits: frozenset[int]

    @cached_property
    def opcode(self) -> str:
        return re.sub(r"^@!?U?P\d+ |^@!?UP?T ", "", self.text).split()[0]

    @property
    def is_product(self) -> bool:
        return self.opcode.startswith(("FFMA", "DFMA"))

    @property
    def unit(self) -> str:
        """The unit that executes it."""
        name = self.opcode
        if name.startswith(("FFMA", "FADD", "FMUL", "IMAD")):
            return "fma"
        if name.startswith(("LD", "ST", "S2", "MUFU", "SHFL", "ATOM", "RED", "MEMBAR", "DEPBAR")):
            return "memory"
        return "barrier" if name.startswith("BAR") else "other"

    @property
    def interval(self) -> int:
        """Cycles until the unit accepts the next instruction of a scheduler."""
        return 1 if self.unit == "fma" and not self.opcode.startswith("IMAD") else 2

    @property
    def rounds(self) -> int:
        """Rounds of the banks of shared memory, or of the path to L1 and L2."""
        wide = next((width for width in ROUNDS if f".{width}" in self.opcode), "")
        if self.opcode.startswith("LDS"):
            return ROUNDS.get(wide, 1)
        moves = self.opcode.startswith(("STS", "LDG", "STG")) and not self.marks_copies
        return STORED.get(wide, 1) if moves else 0

    @property
    def copies(self) -> bool:
        """Whether it copies into shared memory, for which a warp waits only behind `marks_copies`."""
        return self.opcode.startswith("LDGSTS")

    @property
    def marks_copies(self) -> bool:
        """Whether its scoreboard is clear once all copies before it have arrived."""
        return self.opcode.startswith("LDGDEPBAR")

    @property
    def latency(self) -> int:
        return GLOBAL_LATENCY if self.opcode.startswith("LDG") else SHARED_LATENCY


@dataclass(frozen=True)
class Function:
    """The machine code of a kernel."""

    instructions: tuple[Instruction, ...]
    labels: dict[str, int]

    @cached_property
    def loop(self) -> tuple[Instruction, ...]:
        """The loop without others inside in which most products are."""
        loops = [self.instructions[k] for k in self._loops]
        return max(loops, key=products_of, default=())

    def rounds(self, panel: int) -> tuple[Instruction, ...]:
        """The loop over panels: the smallest one with a barrier and products in it, or the whole function if there is
        one panel. The loops inside are repeated until they have the products that a thread computes of a panel."""
        inner = max(self._loops, key=lambda k: products_of(self.instructions[k]), default=slice(0))
        around = [k for k in self._loops_around(inner) if any(i.unit == "barrier" for i in self.instructions[k])]
        whole = min(around, key=lambda k: k.stop - k.start, default=slice(0, len(self.instructions)))
        return tuple(self._repeated(whole, panel))

    def _repeated(self, whole: slice, panel: int) -> Iterator[Instruction]:
        at = whole.start
        for k in sorted(self._loops, key=lambda k: k.start):
            if whole.start < k.start and k.stop < whole.stop and products_of(self.instructions[k]):
                yield from self.instructions[at : k.start]
                yield from self.instructions[k] * max(1, round(panel / products_of(self.instructions[k])))
                at = k.stop
        yield from self.instructions[at : whole.stop]

    def _loops_around(self, inner: slice) -> Iterator[slice]:
        return (k for k in self._all_loops if k.start <= inner.start and inner.stop <= k.stop)

    @cached_property
    def _loops(self) -> list[slice]:
        """Loops without others inside."""
        loops = self._all_loops
        return [k for k in loops if not any(k.start <= o.start and o.stop <= k.stop and o != k for o in loops)]

    @cached_property
    def _all_loops(self) -> list[slice]:
        found: list[slice] = []
        for k, i in enumerate(self.instructions):
            target = re.search(r"BRA.*?(\.L_x_\d+)", i.text)
            if target and self.labels.get(target[1], k + 1) <= k:
                found.append(slice(self.labels[target[1]], k + 1))
        return found


def products_of(instructions: Sequence[Instruction]) -> int:
    """How many of them are products."""
    return sum(i.is_product for i in instructions)


def functions(cubin: bytes, folder: Path) -> dict[str, Function]:
    """The functions of a cubin by name.

    Args:
        folder: where to store it, for nvdisasm.
    """
    tool, path = nvdisasm(), folder / "kernels.cubin"
    assert tool is not None
    path.write_bytes(cubin)
    text = subprocess.run([tool, "-c", "-hex", path], capture_output=True, text=True, check=True).stdout
    parts = re.split(r"//-+ \.text\.(\S+)", text)
    return {name: _function(body) for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def _function(text: str) -> Function:
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    for line, following in pairwise(text.splitlines()):
        label, code = _LABEL.match(line), _LINE.match(line)
        if label:
            labels[label[1]] = len(instructions)
        if code:
            high = _CODE.match(following)
            assert high is not None
            instructions.append(_instruction(code[2].strip(), int(high[1], 16) >> 41))
    return Function(tuple(instructions), labels)


def _instruction(text: str, control: int) -> Instruction:
    sets = control >> 5 & 7, control >> 8 & 7
    waits = {b for b in range(SCOREBOARDS) if control >> 11 + b & 1}
    copies = _COPIES.search(text)
    return Instruction(text, control & 15, sets, frozenset(waits | ({int(copies[1])} if copies else set())))


# -- the model


@dataclass
class _Warp:
    """A warp: its next instruction, when that may be issued, when its copies into shared memory have arrived, and when
    each scoreboard is clear."""

    at: int = 0
    ready: float = 0
    arrived: float = 0
    clear: list[float] = field(default_factory=lambda: [0.0] * SCOREBOARDS)


class _Scheduler:
    """One of the schedulers of a multiprocessor; the others do the same at the same time."""

    def __init__(self, loop: Sequence[Instruction], warps: int, together: int) -> None:
        self.loop, self.together = loop, together
        self.warps = [_Warp() for _ in range(warps)]
        self.accepts = {"fma": 0.0, "memory": 0.0, "other": 0.0, "barrier": 0.0}
        self.shared = 0.0
        self.now = 0.0

    def run(self, iterations: int) -> None:
        """Until every warp has run so many iterations."""
        end, last = iterations * len(self.loop), 0
        while any(w.at < end for w in self.warps):
            order = [last, *(k for k in range(len(self.warps)) if k != last)]
            issued = next((k for k in order if self.warps[k].at < end and self._may_issue(k)), None)
            if issued is not None:
                self._issue(self.warps[issued])
                last = issued
            self.now += 1

    def _may_issue(self, k: int) -> bool:
        warp = self.warps[k]
        if warp.ready > self.now:
            return False
        i = self.loop[warp.at % len(self.loop)]
        if any(warp.clear[b] > self.now for b in i.waits) or self.accepts[i.unit] > self.now:
            return False
        if i.unit == "memory" and self.shared > self.now + QUEUE * SCHEDULERS:
            return False
        first = k // self.together * self.together
        return i.unit != "barrier" or all(w.at >= warp.at for w in self.warps[first : first + self.together])

    def _issue(self, warp: _Warp) -> None:
        i = self.loop[warp.at % len(self.loop)]
        warp.at += 1
        self.accepts[i.unit] = self.now + i.interval
        warp.ready = self.now + (BARRIER if i.unit == "barrier" else max(1, i.stall))
        done = self.now
        if i.rounds:
            self.shared = done = max(self.shared, self.now) + SCHEDULERS * i.rounds
        if i.copies:
            warp.arrived = max(warp.arrived, done + GLOBAL_LATENCY)
        if i.marks_copies:
            done = warp.arrived - i.latency
        result, operands = i.sets
        if result < SCOREBOARDS:
            warp.clear[result] = done + i.latency
        if operands < SCOREBOARDS:
            warp.clear[operands] = done + 12


def cycles(loop: Sequence[Instruction], warps: int, together: int) -> float:
    """Cycles of an iteration of all warps of a scheduler, once the loop is running.

    Args:
        warps: how many each scheduler has.
        together: how many of them are of the same block, and wait for each other at barriers.
    """
    scheduler = _Scheduler(loop, warps, together)
    scheduler.run(2)
    start = scheduler.now
    scheduler.run(5)
    return (scheduler.now - start) / 3
