"""Runs code for the tile registers of AMX on any CPU: each of its instructions is a call of a function here.

Registers are a thread's own. The functions do what Intel's manual says of the instructions, and use nothing of
ir/tile_nests.py, ir/bfloat16.py and codegen/cpu/tile_code.py.
"""

from __future__ import annotations

import ctypes
import re
import threading
from dataclasses import replace

import numpy as np

from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.target import CpuTarget
from mochac.runtime.cpu.backend import CpuBackend, target_of

CALL = re.compile(r"@llvm\.x86\.(ldtilecfg|tilezero|tileloadd64|tdpbf16ps|tilestored64|tilerelease)\(")
DECLARED = re.compile(r"^declare void @llvm\.x86\.(ldtilecfg|tile\w+|tdpbf16ps)\(.*$", re.MULTILINE)
SMALL = np.float32(2.0**-126)


def flushed(x: np.ndarray) -> np.ndarray:
    return np.where(np.abs(x) < SMALL, np.copysign(np.float32(0), x), x)


def fused(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """a * b + c, rounded once: the product of two bfloat16 is exact in long double, whose 64 bits of a sum round to the
    same float32 unless they are a tie of it, which the tests' numbers do not hit."""
    exact = a.astype(np.longdouble) * b + c
    return flushed(exact.astype(np.float32))


class Registers:
    """The shapes and the bytes of a thread's eight registers; no shapes after tilerelease."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, int]] = []
        self.tiles = np.zeros((8, 16, 64), np.uint8)


class Emulator:
    """The instructions, as functions that C can call. `counts` says how often each ran, `failures` what went wrong."""

    def __init__(self) -> None:
        self.threads, self.counts, self.failures = dict[int, Registers](), dict[str, int](), list[Exception]()
        self.held: list[object] = []
        self.addresses: dict[str, int] = {}
        byte, word, pointer = ctypes.c_int8, ctypes.c_int64, ctypes.c_void_p
        for name, takes in {
            "ldtilecfg": [pointer],
            "tilezero": [byte],
            "tileloadd64": [byte, pointer, word],
            "tdpbf16ps": [byte] * 3,
            "tilestored64": [byte, pointer, word],
            "tilerelease": [],
        }.items():
            call = ctypes.CFUNCTYPE(None, *takes)(self.counted(name))
            self.held.append(call)
            self.addresses[name] = ctypes.cast(call, pointer).value or 0

    @property
    def registers(self) -> Registers:
        """Those of this thread, which Python need not know between two calls."""
        return self.threads.setdefault(threading.get_ident(), Registers())

    def counted(self, name: str):
        def call(*args: int) -> None:
            self.counts[name] = self.counts.get(name, 0) + 1
            try:
                getattr(self, name)(*args)
            except Exception as error:  # nothing above could catch it
                self.failures.append(error)

        return call

    def text(self, module: str) -> str:
        """A module that calls these functions instead of the instructions."""
        calls = CALL.sub(lambda m: f"inttoptr (i64 {self.addresses[m[1]]} to ptr)(", DECLARED.sub("", module))
        assert "tdpbf16ps" not in calls
        return calls

    def ldtilecfg(self, at: int) -> None:
        config = ctypes.string_at(at, 64)
        assert config[0] == 1
        row_bytes = np.frombuffer(config, np.uint16, 8, 16)
        self.registers.shapes = [(config[48 + k], int(row_bytes[k])) for k in range(8)]
        assert all(rows <= 16 and size <= 64 for rows, size in self.registers.shapes)
        self.registers.tiles[...] = 0

    def tilezero(self, n: int) -> None:
        assert all(self.registers.shapes[n])
        self.registers.tiles[n] = 0

    def tileloadd64(self, n: int, at: int, step: int) -> None:
        rows, size = self.registers.shapes[n]
        assert rows and size
        self.registers.tiles[n] = 0
        for r in range(rows):
            self.registers.tiles[n, r, :size] = np.frombuffer(ctypes.string_at(at + r * step, size), np.uint8)

    def tilestored64(self, n: int, at: int, step: int) -> None:
        rows, size = self.registers.shapes[n]
        assert rows and size
        for r in range(rows):
            ctypes.memmove(at + r * step, self.registers.tiles[n, r, :size].tobytes(), size)

    def tdpbf16ps(self, sums: int, left: int, right: int) -> None:
        (rows, row_bytes), (own, terms), (pairs, columns) = (self.registers.shapes[k] for k in (sums, left, right))
        assert (rows, row_bytes, terms) == (own, columns, 4 * pairs)
        a, b = (self.registers.tiles[k].view(np.uint32) for k in (left, right))
        parts = np.zeros((2, 16, 16), np.float32)
        with np.errstate(all="ignore"):
            for k in range(pairs):
                for half, shift in enumerate((16, 0)):
                    x, y = ((t << np.uint32(shift) & np.uint32(0xFFFF0000)).view(np.float32) for t in (a[:, k], b[k]))
                    parts[half] = fused(flushed(x)[:, None], flushed(y)[None], parts[half])
            total = self.registers.tiles[sums].view(np.float32)
            total[...] = flushed(flushed(total) + flushed(parts[0] + parts[1]))
            total[rows:] = 0

    def tilerelease(self) -> None:
        self.registers.shapes = []


def tile_target() -> CpuTarget:
    """Sapphire Rapids, but for the instructions that this machine lacks."""
    host = target_of(CpuBackend().cpu)
    return replace(
        CpuTarget.of("sapphirerapids", 64), arch=host.arch, bfloat16=host.bfloat16, lacks=host.lacks, tiles=True
    )


class TileBackend(CpuBackend):
    """Code for Sapphire Rapids, which the emulator runs."""

    def __init__(self) -> None:
        super().__init__(precision="bfloat16")
        self._generator, self.emulator = CpuGenerator(tile_target(), "bfloat16"), Emulator()

    def compile(self, text: str) -> bytes:
        return super().compile(self.emulator.text(text))
