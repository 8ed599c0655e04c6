"""Programs of C libraries for other CPUs, run by QEMU: on Linux, or on a board without an operating system."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from mochac.formats.clib.request import toolchain
from mochac.runtime.cpu.cpuinfo import named_cpu


@dataclass(frozen=True)
class Board:
    """Where a program runs.

    Attributes:
        qemu: the command, to which the program's path is added.
        memory: addresses of code and of data, and the bytes of each; (): a program of Linux.
        bare: the file of start-up code.
    """

    qemu: tuple[str, ...]
    memory: tuple[int, int, int] = ()  # type: ignore[assignment]
    bare: str = ""


def _arm(machine: str, code: int, data: int) -> Board:
    command = ("qemu-system-arm", "-M", machine, "-nographic", "-semihosting", "-kernel")
    return Board(command, (code, data, 4 << 20), "arm")


BOARDS = {
    "cortex-m4": _arm("mps2-an386", 0, 0x20000000),
    "cortex-m7": _arm("mps2-an500", 0, 0x20000000),
    "cortex-m33": _arm("mps2-an505", 0x10000000, 0x38000000),
    "cortex-m55": _arm("mps3-an547", 0, 0x70000000),
    "cortex-a7": Board(("qemu-arm",)),
    "cortex-a53": Board(("qemu-aarch64",)),
    "cortex-a72": Board(("qemu-aarch64",)),
    "rv64gc": Board(("qemu-riscv64",)),
    "rv32imfc": Board(("qemu-riscv32",), bare="riscv"),
}
"""By target."""
ON_LINUX = """
#include <stdio.h>
#include <stdlib.h>
static void say(const char *text) { fputs(text, stdout); }
static void quit(int code) { exit(code); }
"""
FREESTANDING = """
#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n) {
    for (size_t i = 0; i < n; i++) { ((volatile char *)to)[i] = ((const char *)from)[i]; }
    return to;
}
void *memset(void *to, int value, size_t n) {
    for (size_t i = 0; i < n; i++) { ((volatile char *)to)[i] = (char)value; }
    return to;
}
int main(void);
"""
ARM = (
    FREESTANDING
    + """
static int semihost(int what, const void *argument) {
    register int r0 __asm__("r0") = what;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
static void say(const char *text) { semihost(4, text); }
static void quit(int code) {
    int how[2] = {0x20026, code};
    semihost(0x20, how);
    for (;;) { }
}
extern char top_of_stack, begin_data[], end_data[], stored_data[], begin_zeros[], end_zeros[];
void reset(void) {
    *(volatile unsigned *)0xe000ed88 |= 0xfu << 20; /* the FPU */
    __asm__ volatile("dsb\\nisb");
    memcpy(begin_data, stored_data, (size_t)(end_data - begin_data));
    memset(begin_zeros, 0, (size_t)(end_zeros - begin_zeros));
    quit(main());
}
static void fault(void) { say("FAULT\\n"); quit(99); }
__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    &top_of_stack, (void *)reset, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault};
"""
)
RISCV = (
    FREESTANDING
    + """
static long call(long number, long a, long b, long c) {
    register long a7 __asm__("a7") = number;
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}
static void say(const char *text) {
    long n = 0;
    while (text[n]) { n++; }
    call(64, 1, (long)text, n);
}
static void quit(int code) { for (;;) { call(93, code, 0, 0); } }
__asm__(".globl _start\\n_start:\\n.option push\\n.option norelax\\nla gp, __global_pointer$\\n"
        ".option pop\\ncall begin\\n");
void begin(void) { quit(main()); }
"""
)
PORTS = {"": ON_LINUX, "arm": ARM, "riscv": RISCV}
LINKER_SCRIPT = """
MEMORY {{ flash (rx) : ORIGIN = {0}, LENGTH = {2}  ram (rwx) : ORIGIN = {1}, LENGTH = {2} }}
ENTRY(reset)
SECTIONS {{
    .text : {{ KEEP(*(.vectors)) *(.text*) *(.rodata*) *(.data.rel.ro*) . = ALIGN(8); }} > flash
    .ARM.exidx : {{ *(.ARM.exidx*) }} > flash
    .data : {{ begin_data = .; *(.data*) . = ALIGN(8); end_data = .; }} > ram AT> flash
    stored_data = LOADADDR(.data);
    .bss (NOLOAD) : {{ begin_zeros = .; *(.bss*) *(COMMON) . = ALIGN(8); end_zeros = .; }} > ram
    top_of_stack = ORIGIN(ram) + LENGTH(ram);
}}
"""
SAYING = """
static void say_word(unsigned word) {
    char text[10];
    for (int i = 0; i < 8; i++) { text[i] = "0123456789abcdef"[word >> (28 - 4 * i) & 15u]; }
    text[8] = '\\n';
    text[9] = 0;
    say(text);
}
static __attribute__((unused)) void say_floats(const float *x, int n) {
    for (int i = 0; i < n; i++) {
        unsigned word;
        __builtin_memcpy(&word, x + i, 4);
        say_word(word);
    }
}
static __attribute__((unused)) void fail(const char *text) { say(text); say("\\n"); quit(1); }
"""


def missing(target: str) -> str:
    """What this machine lacks to build and run programs for a target."""
    tools = [toolchain(named_cpu(target)).compiler, BOARDS[target].qemu[0], "make"]
    return next((tool for tool in tools if shutil.which(tool) is None), "")


def lacking_targets() -> list[str]:
    """Targets whose programs cannot be run here."""
    wasm = [] if not toolchain(named_cpu("wasm32")).missing else ["wasm32"]
    return [target for target in BOARDS if missing(target)] + wasm


def needs(target: str) -> None:
    """Skip the test if something is missing."""
    if tool := missing(target):
        pytest.skip(f"NO {tool} HERE")


def array(name: str, values: np.ndarray) -> str:
    """A constant array of floats in C."""
    return f"static const float {name}[] = {{{', '.join(f'{float(v).hex()}f' for v in np.ravel(values))}}};\n"


def compiled(target: str, folder: Path, name: str, main: str) -> Path:
    """A program of a library's functions, the statements `main` and what say_floats() needs."""
    board, tools = BOARDS[target], toolchain(named_cpu(target))
    (folder / "own.c").write_text(f'#include "{name}.h"\n{PORTS[board.bare]}{SAYING}{main}')
    flags = [*tools.flags.split(), "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]
    if board.bare:
        flags += ["-nostartfiles", "-nostdlib", "-ffreestanding", "-fno-tree-loop-distribute-patterns"]
    if board.memory:
        (folder / "own.ld").write_text(LINKER_SCRIPT.format(*board.memory))
        flags += ["-T", "own.ld"]
    end = ["-lgcc"] if board.bare else ["-static", "-pthread"]
    command = [tools.compiler, *flags, "own.c", f"lib{name}.a", *end, "-o", "own"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "own"


def said(target: str, program: Path, options: Sequence[str] = ()) -> list[str]:
    """The lines that a program says."""
    qemu = BOARDS[target].qemu
    command = [qemu[0], *options, *qemu[1:], str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{done.returncode}: {done.stdout[-500:]} {done.stderr[-500:]}"
    return (done.stderr if BOARDS[target].memory else done.stdout).split()  # semihosting writes to the former


def floats(words: Sequence[str]) -> np.ndarray:
    """The numbers that say_floats() wrote."""
    return np.array([int(word, 16) for word in words], np.uint32).view(np.float32)
