"""Toolchains: the C compilers that frames are built by, for each architecture."""

from __future__ import annotations

import os
import shutil

from mochac.base.records import record
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.compiler import arch as host_arch


@record
class Toolchain:
    """What builds a frame.

    Attributes:
        condition: a condition of the C preprocessor that holds for the architecture.
        compiler, archiver: their commands.
        flags: of the compiler, for the CPU.
        package: of Debian, that has the compiler.
    """

    condition: str
    compiler: str
    archiver: str
    flags: str = ""
    package: str = ""

    @property
    def missing(self) -> str:
        """The first command that is not here; "": none."""
        return next((tool for tool in (self.compiler, self.archiver) if shutil.which(tool) is None), "")


CONDITIONS = {
    "x86_64": "defined(__x86_64__)",
    "aarch64": "defined(__aarch64__)",
    "armv7a": "defined(__arm__)",
    "thumbv7em": "defined(__thumb2__)",
    "thumbv8m.main": "defined(__thumb2__)",
    "thumbv8.1m.main": "defined(__thumb2__)",
    "riscv64": "defined(__riscv) && __riscv_xlen == 64",
    "riscv32": "defined(__riscv) && __riscv_xlen == 32",
    "wasm32": "defined(__wasm32__)",
}
"""By LLVM's name of the architecture."""
_GNU = {"armv7a": "arm-linux-gnueabihf", "riscv64": "riscv64-linux-gnu"}
_THUMB = "-mthumb -mfloat-abi=hard -mcpu={}"
_FPU = {"cortex-m4": " -mfpu=fpv4-sp-d16", "cortex-m7": " -mfpu=fpv5-d16", "cortex-m33": " -mfpu=fpv5-sp-d16"}
CLANGS = ("clang", *(f"clang-{n}" for n in range(25, 13, -1)))
LINKERS = ("wasm-ld", *(f"wasm-ld-{n}" for n in range(25, 13, -1)))


def first_of(commands: tuple[str, ...]) -> str:
    """The first of these commands that is here, else the first of all."""
    return next((command for command in commands if shutil.which(command)), commands[0])


def toolchain(cpu: CpuInfo) -> Toolchain:
    """The toolchain for a CPU."""
    condition = CONDITIONS[cpu.arch]
    if cpu.arch == host_arch():
        return Toolchain(condition, os.environ.get("CC", "cc"), os.environ.get("AR", "ar"))
    if cpu.arch == "wasm32":
        simd = " -msimd128" if "simd128" in cpu.features else ""
        flags = f"--target=wasm32 -mbulk-memory{simd}"
        return Toolchain(condition, first_of(CLANGS), first_of(LINKERS), flags, "clang lld")
    if cpu.arch == "riscv32":
        flags = f"-march={cpu.name} -mabi={cpu.abi}"
        return Toolchain(condition, *_gcc("riscv64-unknown-elf"), flags, "gcc-riscv64-unknown-elf")
    if not cpu.hosted:
        flags = _THUMB.format(cpu.name) + _FPU.get(cpu.name, "")
        return Toolchain(condition, *_gcc("arm-none-eabi"), flags, "gcc-arm-none-eabi")
    prefix = _GNU.get(cpu.arch, f"{cpu.arch}-linux-gnu")
    flags = f"-mcpu={cpu.name} -mfpu=neon-vfpv4 -mfloat-abi=hard" if cpu.arch == "armv7a" else ""
    return Toolchain(condition, *_gcc(prefix), flags, f"gcc-{prefix.replace('_', '-')}")


def _gcc(prefix: str) -> tuple[str, str]:
    return f"{prefix}-gcc", f"{prefix}-ar"
