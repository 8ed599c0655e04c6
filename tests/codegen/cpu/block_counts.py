"""How often each basic block of a printed kernel runs: its LLVM IR with a counter in every block, run here on zeros.

    the kernel -> what its branches depend on -> that and counters

The counts of code for one CPU are found on any other, since control flow depends on sizes alone. So all arithmetic on
elements is left out, and LLVM optimizes nothing, which takes a tenth of the time.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter

import numpy as np

from mochac.base.support.memory import aligned_zeros
from mochac.codegen.cpu.module import KernelCode, print_module
from mochac.ir.kernel import Kernel
from mochac.runtime.cpu import compiler
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.cpu.loader import MachineCode

_NAME = re.compile(r"%[\w.]+")
_ENDS = re.compile(r"(  (br|switch|ret)\b|\s+\]|\s+i64 -?\d+, label)")


def control(text: str) -> str:
    """A module of one function without the instructions that none of its branches depends on."""
    lines = text.splitlines()
    made = {line.partition(" = ")[0].lstrip(): k for k, line in enumerate(lines) if line.startswith("  %")}
    kept = {k for k, line in enumerate(lines) if not line.startswith("  ") or _ENDS.match(line)}
    waiting = list(kept)
    while waiting:
        needed = {made[name] for name in _NAME.findall(lines[waiting.pop()]) if name in made} - kept
        kept |= needed
        waiting += needed
    return "\n".join(line for k, line in enumerate(lines) if k in kept)


def counted(text: str) -> tuple[str, list[str]]:
    """A module of one function whose last argument has a counter for every block, and the labels of the blocks."""
    names: list[str] = []
    out: list[str] = []
    waiting = False
    for line in text.splitlines():
        label = re.fullmatch(r"([\w.]+):", line)
        if waiting and not label and " phi " not in line:
            k, waiting = len(names) - 1, False
            out += [
                f"  %count.at{k} = getelementptr i64, ptr %counts, i64 {k}",
                f"  %count.old{k} = load i64, ptr %count.at{k}",
                f"  %count.new{k} = add i64 %count.old{k}, 1",
                f"  store i64 %count.new{k}, ptr %count.at{k}",
            ]
        if label:
            names.append(label[1])
            waiting = True
        out.append(line.replace("ptr %scratch)", "ptr %scratch, ptr %counts)"))
    return "\n".join(out), names


def quickly_compiled(text: str) -> bytes:
    machine = compiler.llvm().Target.from_triple(compiler.triple()).create_target_machine(opt=0, reloc="pic", jit=True)
    return machine.emit_object(compiler.parsed(text, host_cpu()))


def block_counts(kernel: Kernel, code: KernelCode) -> Counter[str]:
    """Runs of each block, by label, when the whole kernel runs once."""
    text, names = counted(control(print_module([code])))
    buffers = list({b.name: b for b in (*kernel.inputs, *kernel.outputs)}.values())
    arrays = [aligned_zeros(b.type.storage_bytes + 64, np.uint8) for b in buffers]
    scratch, counts = aligned_zeros(code.scratch_bytes + 64, np.uint8), aligned_zeros(len(names), np.int64)
    every = [arrays[[b.name for b in buffers].index(b.name)].ctypes.data for b in (*kernel.inputs, *kernel.outputs)]
    machine_code = MachineCode([quickly_compiled(text)], [code.symbol])
    run = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    arguments = (ctypes.c_void_p * len(every))(*every)
    run(machine_code[code.symbol])(arguments, 0, code.items, scratch.ctypes.data, counts.ctypes.data)
    machine_code.close()
    return Counter(dict(zip(names, counts.tolist(), strict=True)))
