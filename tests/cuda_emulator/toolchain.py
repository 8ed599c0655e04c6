"""g++ as the emulator's CUDA compiler: source text in, shared library out, kept by the hash of all that went in.

emulated.py and fake_driver.py call it. Where g++ is absent the tests that need it are skipped, loudly.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
KERNEL = re.compile(r"__global__\s+void\s+(?:__launch_bounds__\s*\(\s*(\d+)[^)]*\)\s*)?(\w+)\s*\(")
DYNAMIC_SHARED = re.compile(r"extern\s+__shared__\s+([\w ]+?)\s+(\w+)\s*\[\s*\]\s*;")
ASSEMBLY = re.compile(r'asm volatile\("([\w.]+)[^"]*;"([^;]*)\);')
OPERAND = re.compile(r'"[rln]"\(([^)]*)\)')
FLAGS = ("-std=c++17", "-g1", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-w")
CHECKS = (  # a failed check is a trap, which the launch reports with its line
    "-fsanitize=bounds,shift,integer-divide-by-zero,signed-integer-overflow",
    "-fsanitize-undefined-trap-on-error",
)
WATCH = ("-fsanitize=thread", "--param=tsan-instrument-func-entry-exit=0")
OPTIMIZED = "-O1"
"""Of what runs long; to optimize a kernel takes longer than it then runs."""
MACHINE = ("emu_machine.cpp", "emu_access.cpp", "emu_counters.cpp")


class CompileError(Exception):
    """g++ refused the source; the message is g++'s."""


def compiler() -> str | None:
    """Path of g++, None where there is none."""
    return shutil.which("g++")


def kernel_names(source: str) -> list[str]:
    """Names of the __global__ functions, in order.

    >>> kernel_names('extern "C" __global__ void __launch_bounds__(256) relu(float *x) {}')
    ['relu']
    """
    return [name for _, name in KERNEL.findall(source)]


def wrapped(source: str, name: str = "kernel.cu") -> str:
    """What g++ reads: the device language, the source, an entry point per kernel. Only declarations of dynamic shared
    memory (C++ has no block-scope array of unknown length) and assembly are rewritten; line numbers stay."""
    body = DYNAMIC_SHARED.sub(r"\1 *\2 = (\1 *)emu::now.dynamic_shared;", source)
    body = ASSEMBLY.sub(_called, body)
    entries = "\n".join(f"EMU_KERNEL({kernel}, {threads or 1024})" for threads, kernel in KERNEL.findall(source))
    return f'#include "cuda_emu.h"\n#line 1 "{name}"\n{body}\n{entries}\n'


def _called(assembly: re.Match[str]) -> str:
    """An instruction of PTX as a function of its operands, in as many lines."""
    name, operands = assembly[1].replace(".", "_"), ", ".join(OPERAND.findall(assembly[2]))
    return f"emu::{name}({operands});" + "\n" * assembly[0].count("\n")


def build_module(source: str, *, watched: bool = True) -> Path:
    """The shared library of a CUDA source.

    Raises:
        CompileError: the source is not CUDA C that the emulator knows.
    """
    machine = tuple(str(built((HERE / name).read_text(), (OPTIMIZED, "-c"), ".o")) for name in MACHINE)
    checks = (*CHECKS, *(WATCH if watched else ()))
    code = built(wrapped(source), ("-c", *checks, "-include", str(language(checks))), ".o")
    return built("", ("-shared", str(code), *machine, "-ldl"), ".so")


def language(checks: tuple[str, ...]) -> Path:
    """The device language as a header, beside which g++ finds it as read with these checks: it reads it for longer than
    it compiles a kernel."""
    text = '#include "cuda_emu.h"\n'
    header = built(text, ("-x", "c++-header", *checks), ".h.gch").with_suffix("")
    if not header.exists():
        header.write_text(text)
    return header


def built(text: str, flags: tuple[str, ...], suffix: str) -> Path:
    """What g++ makes of C++ text (of the files among the flags, where there is none), kept under its hash."""
    key = hashlib.sha256("\0".join((text, *FLAGS, *flags, _headers())).encode()).hexdigest()[:32]
    target = folder() / f"{key}{suffix}"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=folder()) as work:
            source, made = Path(work) / "source.cpp", Path(work) / "made"
            source.write_text(text)
            run(*FLAGS, f"-I{HERE}", *flags, *((str(source),) if text else ()), "-o", str(made))
            os.replace(made, target)
    return target


def run(*arguments: str) -> None:
    """One call of g++."""
    program = compiler()
    if program is None:
        raise CompileError("the CUDA emulator needs g++, and there is none on PATH")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise CompileError(done.stderr)


def source_line(library: Path, offset: int) -> int:
    """Line of the kernel source that holds the instruction at `offset` in the library; 0 where it is unknown."""
    tool = shutil.which("addr2line")
    if tool is None or not offset:
        return 0
    command = [tool, "-i", "-e", str(library), hex(offset)]
    found = re.findall(r"kernel\.cu:(\d+)", subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return int(found[0]) if found else 0


def folder() -> Path:
    """Where libraries are kept: MOCHAC_EMULATOR_DIR, or a folder of this process that is removed at its end."""
    named = os.environ.get("MOCHAC_EMULATOR_DIR")
    path = Path(named) if named else Path(_process_folder().name)
    path.mkdir(parents=True, exist_ok=True)
    return path


@cache
def _process_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="mochac-emulator-")


@cache
def _headers() -> str:
    return "".join(p.read_text() for p in sorted(HERE.glob("*.h")))
